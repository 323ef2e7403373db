//===- Audit.cpp - The structure of a firmware package --------------------===//

#include "ane/Firmware/Audit.h"
#include "Auditor.h"
#include "ane/Support/Hex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

using namespace ane::firmware;
using ane::hex;
using llvm::formatv;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

void Findings::add(Rule rule, uint64_t offset, const Twine &message) {
  constexpr size_t maxFindings = 16;
  size_t count = llvm::count_if(report.findings, [&](const Finding &finding) {
    return finding.rule == rule;
  });
  if (count < maxFindings)
    report.findings.push_back(
        {rule, offset, (info(rule).id + ": " + message).str()});
}

bool Findings::any(Rule rule) const {
  return llvm::any_of(report.findings, [&](const Finding &finding) {
    return finding.rule == rule;
  });
}

bool Findings::claim(uint64_t offset, uint64_t size, const Twine &what) {
  check(Rule::Bounds);
  if (offset > bytes.size() || size > bytes.size() - offset) {
    add(Rule::Bounds, offset,
        what + formatv(" needs {0} bytes at {1:x}, but the file ends at {2:x}",
                       size, offset, bytes.size())
                   .str());
    return false;
  }
  if (size != 0)
    claims.push_back({offset, offset + size, what.str()});
  return true;
}

bool Findings::checkClaims(bool padding) {
  check(Rule::Overlap);
  llvm::sort(claims, [](const Claim &a, const Claim &b) {
    return std::tie(a.begin, a.end, a.what) < std::tie(b.begin, b.end, b.what);
  });
  uint64_t end = 0;
  const Claim *last = nullptr;
  bool apart = true;
  for (const Claim &claim : claims) {
    if (claim.begin < end) {
      add(Rule::Overlap, claim.begin,
          claim.what + " starts at " + formatv("{0:x}", claim.begin).str() +
              ", inside " + last->what);
      apart = false;
    }
    for (uint64_t offset = end; padding && offset < claim.begin; ++offset)
      if (bytes[offset] != 0) {
        add(Rule::Padding, offset,
            formatv("a byte of {0:x} before {1}", bytes[offset], claim.what)
                .str());
        break;
      }
    if (claim.end > end) {
      end = claim.end;
      last = &claim;
    }
  }
  return apart;
}

//===----------------------------------------------------------------------===//
// Headers and tables
//===----------------------------------------------------------------------===//

namespace {

template <typename F> class StructureAuditor {
public:
  StructureAuditor(llvm::ArrayRef<uint8_t> bytes, AuditReport &report)
      : bytes(bytes), findings(bytes, report), contents(bytes, findings) {}

  void audit() {
    if (!auditHeader() || !auditPrograms())
      return;
    // Sections are counted by tables that do not overlap, so their number is
    // in proportion to the size of the file, whatever the headers say.
    if (!findings.checkClaims(/*padding=*/false))
      return;
    for (ProgramView &program : programs)
      auditSections(program);
    if (!findings.checkClaims(/*padding=*/true) || findings.any(Rule::Bounds))
      return;
    for (const ProgramView &program : programs)
      contents.audit(program);
    auditIdentities();
  }

private:
  bool auditHeader() {
    auto header = load<typename F::PackageHeader>(bytes, 0);
    findings.claim(0, sizeof(header), "the package header");
    findings.check(Rule::Version);
    if (header.version != layoutVersion)
      findings.add(Rule::Version, offsetof(typename F::PackageHeader, version),
                   "version " + Twine(uint32_t(header.version)) +
                       "; only version " + Twine(layoutVersion) +
                       " is known, compile the package again");
    findings.check(Rule::Size);
    if (header.fileSize != bytes.size())
      findings.add(Rule::Size, offsetof(typename F::PackageHeader, fileSize),
                   "the header states " + Twine(uint64_t(header.fileSize)) +
                       " bytes, but the file has " + Twine(bytes.size()));
    checkCommon(header, 0, "the package header");
    return true;
  }

  bool auditPrograms() {
    using Header = typename F::ProgramHeader;
    auto header = load<typename F::PackageHeader>(bytes, 0);
    uint64_t count = header.programCount;
    if (!findings.claim(header.programOffset, count * sizeof(Header),
                        "the table of " + Twine(count) + " programs"))
      return false;
    findings.check(Rule::ProgramMagic);
    findings.check(Rule::ProgramId);
    std::set<uint32_t> ids;
    for (uint64_t index : llvm::seq(count)) {
      uint64_t offset = header.programOffset + index * sizeof(Header);
      auto program = load<Header>(bytes, offset);
      std::string what = ("program " + Twine(index)).str();
      if (program.magic != programMagic) {
        findings.add(Rule::ProgramMagic, offset,
                     what + " starts with " + hex(program.magic) +
                         ", expected " + hex(programMagic));
        continue;
      }
      checkCommon(program, offset, what);
      if (program.programId >= maxPrograms ||
          !ids.insert(program.programId).second)
        findings.add(Rule::ProgramId, offset + offsetof(Header, programId),
                     what + " has id " + Twine(uint32_t(program.programId)) +
                         ", which is taken or not below " + Twine(maxPrograms));
      uint64_t sections = program.sectionCount;
      if (!findings.claim(program.sectionOffset,
                          sections * sizeof(typename F::SectionHeader),
                          "the table of " + Twine(sections) + " sections of " +
                              what))
        continue;
      ProgramView &view = programs.emplace_back();
      view.headerOffset = offset;
      std::copy(std::begin(program.identity), std::end(program.identity),
                view.identity.begin());
    }
    return !findings.any(Rule::Bounds);
  }

  void auditSections(ProgramView &view) {
    using Header = typename F::SectionHeader;
    auto program = load<typename F::ProgramHeader>(bytes, view.headerOffset);
    for (Rule rule : {Rule::SectionMagic, Rule::Kind, Rule::Alignment})
      findings.check(rule);
    for (uint64_t index : llvm::seq<uint64_t>(program.sectionCount)) {
      uint64_t offset = program.sectionOffset + index * sizeof(Header);
      auto section = load<Header>(bytes, offset);
      std::string what = ("section " + Twine(index) + " of program " +
                          Twine(uint32_t(program.programId)))
                             .str();
      if (section.magic != sectionMagic) {
        findings.add(Rule::SectionMagic, offset,
                     what + " starts with " + hex(section.magic) +
                         ", expected " + hex(sectionMagic));
        continue;
      }
      checkCommon(section, offset, what);
      if (section.kind >= sectionKindCount)
        findings.add(Rule::Kind, offset + offsetof(Header, kind),
                     what + " has kind " + Twine(uint32_t(section.kind)) +
                         "; there are " + Twine(sectionKindCount));
      constexpr uint32_t maxAlignLog2 = 31;
      if (section.alignLog2 > maxAlignLog2 ||
          section.offset % (uint64_t(1) << section.alignLog2) != 0)
        findings.add(Rule::Alignment, offset + offsetof(Header, offset),
                     what + " starts at " + hex(section.offset) +
                         ", which is no multiple of 2^" +
                         Twine(uint32_t(section.alignLog2)));
      if (findings.claim(section.offset, section.size, what) &&
          section.kind < sectionKindCount)
        view.sections.push_back({SectionKind(uint32_t(section.kind)),
                                 section.offset, section.size,
                                 section.deviceAddress, offset});
    }
  }

  void auditIdentities() {
    findings.check(Rule::Identity);
    std::map<std::array<uint8_t, 32>, uint64_t> seen;
    for (const ProgramView &program : programs) {
      IdentityHash hash;
      for (const SectionView &section : program.sections) {
        hash.beginSection(uint32_t(section.kind), section.size);
        hash.update(bytes.slice(section.offset, section.size));
      }
      uint64_t offset =
          program.headerOffset + offsetof(typename F::ProgramHeader, identity);
      std::array<uint8_t, 32> found = hash.final();
      if (found != program.identity)
        findings.add(Rule::Identity, offset,
                     "the identity is " +
                         llvm::toHex(program.identity, /*LowerCase=*/true) +
                         ", but the contents have " + llvm::toHex(found, true));
      else if (auto [place, isNew] = seen.try_emplace(program.identity, offset);
               !isNew)
        findings.add(Rule::Identity, offset,
                     "the program at " + hex(place->second) +
                         " has the same contents; leave one of them out");
    }
  }

  /// What headers of all three kinds have.
  template <typename Header>
  void checkCommon(const Header &header, uint64_t offset, const Twine &what) {
    findings.check(Rule::Checksum);
    findings.check(Rule::Padding);
    if (header.checksum != checksumSentinel)
      findings.add(Rule::Checksum, offset + offsetof(Header, checksum),
                   what + " has checksum " + hex(header.checksum) +
                       ", expected " + hex(checksumSentinel));
    for (auto [index, word] : llvm::enumerate(header.padding))
      if (word != 0)
        findings.add(Rule::Padding,
                     offset + offsetof(Header, padding) + index * 4,
                     what + " has " + hex(word) + " in its padding");
  }

  llvm::ArrayRef<uint8_t> bytes;
  Findings findings;
  ContentsAuditor<F> contents;
  std::vector<ProgramView> programs;
};

} // namespace

AuditReport ane::firmware::auditPackage(llvm::MemoryBufferRef buffer) {
  AuditReport report;
  report.file = buffer.getBufferIdentifier().str();
  llvm::ArrayRef<uint8_t> bytes =
      llvm::arrayRefFromStringRef(buffer.getBuffer());
  Findings findings(bytes, report);
  if (bytes.size() < sizeof(Little::PackageHeader)) {
    findings.check(Rule::Size);
    findings.add(Rule::Size, 0,
                 Twine(bytes.size()) + " bytes, but the header has " +
                     Twine(sizeof(Little::PackageHeader)));
    return report;
  }
  findings.check(Rule::PackageMagic);
  uint32_t magic = llvm::support::endian::read32le(bytes.data());
  if (magic == packageMagic)
    StructureAuditor<Little>(bytes, report).audit();
  else if (llvm::byteswap(magic) == packageMagic)
    StructureAuditor<Big>(bytes, report).audit();
  else
    findings.add(Rule::PackageMagic, 0,
                 formatv("the file starts with {0:x8}, expected {1:x8} in one "
                         "of the byte orders",
                         magic, packageMagic)
                     .str());
  return report;
}
