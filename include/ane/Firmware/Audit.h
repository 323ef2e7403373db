//===- Audit.h - The rules a firmware package must keep ---------*- C++ -*-===//

#ifndef ANE_FIRMWARE_AUDIT_H
#define ANE_FIRMWARE_AUDIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <string>
#include <vector>

namespace ane::firmware {

/// The rules, in the order of auditRules().
enum class Rule : unsigned {
  Size,
  PackageMagic,
  Version,
  Bounds,
  ProgramMagic,
  SectionMagic,
  Checksum,
  Padding,
  Overlap,
  ProgramId,
  Kind,
  Sections,
  Alignment,
  Address,
  AddressOverlap,
  Identity,
  Procedure,
  Partitions,
  OutputSets,
  IoBuffers,
  BarCount,
  BarKind,
  BarId,
  Reference,
};
inline constexpr size_t numRules = size_t(Rule::Reference) + 1;

/// What documents say of a rule. docs/formats/firmware.md lists all.
struct RuleInfo {
  llvm::StringLiteral id;
  /// `documented` or `assigned`, of the rule itself. The place of every field
  /// is assigned.
  llvm::StringLiteral evidence;
  llvm::StringLiteral source;
  llvm::StringLiteral text;
};

/// In the order of `Rule`.
llvm::ArrayRef<RuleInfo> auditRules();
inline const RuleInfo &info(Rule rule) { return auditRules()[unsigned(rule)]; }

/// A violation.
struct Finding {
  Rule rule;
  uint64_t offset; ///< in the file
  std::string message;
};

/// What an audit found, and what it looked at.
struct AuditReport {
  /// The file, for print.
  std::string file;
  std::vector<Finding> findings;
  /// Rules that were applied. Contents are not looked at where the structure
  /// is broken.
  std::array<bool, numRules> checked = {};

  bool passed() const { return findings.empty(); }

  /// One line a rule: `pass`, `FAIL` or `skip`, id, evidence, source, what it
  /// says; below a failed one, located, what violates it.
  void print(llvm::raw_ostream &os) const;
};

/// Applies every rule to bytes that may be anything. Reports at most 16
/// violations of a rule. Time and memory are in proportion to the size.
AuditReport auditPackage(llvm::MemoryBufferRef buffer);

} // namespace ane::firmware

#endif // ANE_FIRMWARE_AUDIT_H
