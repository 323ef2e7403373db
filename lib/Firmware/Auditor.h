//===- Auditor.h - Going through a package rule by rule ---------*- C++ -*-===//

#ifndef ANE_LIB_FIRMWARE_AUDITOR_H
#define ANE_LIB_FIRMWARE_AUDITOR_H

#include "PackageFile.h"
#include "ane/Firmware/Audit.h"
#include "llvm/ADT/Twine.h"
#include <tuple>

namespace ane::firmware {

/// Collects findings, and which bytes of the file belong to something.
class Findings {
public:
  Findings(llvm::ArrayRef<uint8_t> bytes, AuditReport &report)
      : bytes(bytes), report(report) {}

  void check(Rule rule) { report.checked[unsigned(rule)] = true; }
  void add(Rule rule, uint64_t offset, const llvm::Twine &message);
  bool any(Rule rule) const;

  /// Claims [offset, offset + size) of the file. False, with a finding, if that
  /// is not inside it.
  bool claim(uint64_t offset, uint64_t size, const llvm::Twine &what);

  /// Finds claims that overlap, and with `padding` bytes outside all of them
  /// that are not zero. True if no claims overlap.
  bool checkClaims(bool padding);

private:
  struct Claim {
    uint64_t begin, end;
    std::string what;
  };

  llvm::ArrayRef<uint8_t> bytes;
  AuditReport &report;
  std::vector<Claim> claims;
};

/// A section whose header is sound.
struct SectionView {
  SectionKind kind = SectionKind::Generic;
  uint64_t offset = 0, size = 0, deviceAddress = 0;
  uint64_t headerOffset = 0;
};

/// A program whose tables are sound.
struct ProgramView {
  uint64_t headerOffset = 0;
  std::array<uint8_t, 32> identity = {};
  std::vector<SectionView> sections;
};

/// Checks what sections contain, and how it fits together.
template <typename F> class ContentsAuditor {
public:
  ContentsAuditor(llvm::ArrayRef<uint8_t> bytes, Findings &findings)
      : bytes(bytes), findings(findings) {}

  void audit(const ProgramView &program);

private:
  /// A range of device memory.
  struct Range {
    uint64_t begin, end;
    uint64_t offset; ///< of what states it in the file
    std::string what;
    bool operator<(const Range &other) const {
      return std::tie(begin, end, offset) <
             std::tie(other.begin, other.end, other.offset);
    }
  };

  void auditSections(const ProgramView &program);
  void auditOperations();
  void auditBar(const typename F::BarRecord &bar, uint64_t offset);
  void auditReference(const typename F::ReferenceRecord &reference,
                      uint64_t offset);
  void auditProcedures();
  void auditAddresses(const ProgramView &program);
  void addRange(uint64_t begin, uint64_t size, uint64_t offset,
                const llvm::Twine &what);

  llvm::ArrayRef<uint8_t> bytes;
  Findings &findings;
  const SectionView *text = nullptr;
  const SectionView *operations = nullptr;
  const SectionView *procedures = nullptr;
  std::vector<uint32_t> barIds; ///< sorted
  std::vector<Range> ranges;
};

extern template class ContentsAuditor<Little>;
extern template class ContentsAuditor<Big>;

} // namespace ane::firmware

#endif // ANE_LIB_FIRMWARE_AUDITOR_H
