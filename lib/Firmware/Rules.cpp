//===- Rules.cpp - The rules of the audit, and its report -----------------===//

#include "ane/Firmware/Audit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane::firmware;

namespace {

constexpr char documented[] = "documented";
constexpr char assigned[] = "assigned";

/// Chapters, tables and appendices are those of the guide that docs/README.md
/// names.
constexpr RuleInfo rules[] = {
    {"fw-size", assigned, "this project",
     "the file has the size that its header states"},
    {"fw-package-magic", documented, "table C.12",
     "the package starts with ANEH, in either byte order"},
    {"fw-version", assigned, "this project", "the layout has version 1"},
    {"fw-bounds", documented, "the loader of programs",
     "every table and every section lies inside the file"},
    {"fw-program-magic", documented, "table C.12",
     "every program starts with ANEP, in the byte order of the package"},
    {"fw-section-magic", documented, "table C.12",
     "every section starts with ANES, in the byte order of the package"},
    {"fw-checksum", documented, "table C.12",
     "every checksum is 0xffffffff, initialized and valid"},
    {"fw-padding", documented, "table C.12",
     "padding fields and bytes between structures are zero"},
    {"fw-overlap", documented, "the loader of programs",
     "no two tables or sections overlap in the file"},
    {"fw-program-id", documented, "chapter 30, ids of programs",
     "ids of programs are below 144 and differ"},
    {"fw-kind", documented, "the loader of programs",
     "every section has one of the five kinds"},
    {"fw-sections", assigned, "this project",
     "a program has one text, one operation and one procedure section"},
    {"fw-alignment", assigned, "this project",
     "contents start at a multiple of their alignment"},
    {"fw-address", documented, "chapter 30, data-chaining buffers",
     "device addresses have a high half of zero"},
    {"fw-address-overlap", assigned, "this project",
     "no two sections or buffers of a program overlap in device memory, unless "
     "a buffer is a section"},
    {"fw-identity", documented, "chapter 27, identity of resident programs",
     "the identity of a program is that of its contents, and no other's"},
    {"fw-procedure", documented, "chapter 30, index of procedures",
     "ids of procedures are their places, names are not empty and entries lie "
     "in the text"},
    {"fw-partitions", documented, "table 30.4",
     "a procedure has one partition of task descriptors"},
    {"fw-output-sets", documented, "table 30.3",
     "a procedure has one set of output buffers"},
    {"fw-io-buffers", documented, "chapter 30, inference call",
     "a procedure has no more buffers than the program has registers"},
    {"fw-bar-count", documented, "appendix C.5, limits of a call",
     "a program has at most 128 buffer access registers"},
    {"fw-bar-kind", documented, "chapter 30, custom bars",
     "registers have type GENERIC and configuration HW_32BIT"},
    {"fw-bar-id", assigned, "this project", "numbers of registers differ"},
    {"fw-reference", assigned, "this project",
     "a reference is four or eight bytes of the text, aligned to four, and "
     "names a register"},
};
static_assert(std::size(rules) == numRules);

} // namespace

llvm::ArrayRef<RuleInfo> ane::firmware::auditRules() { return rules; }

void AuditReport::print(llvm::raw_ostream &os) const {
  for (auto [index, rule] : llvm::enumerate(auditRules())) {
    bool failed = llvm::any_of(findings, [&](const Finding &finding) {
      return unsigned(finding.rule) == index;
    });
    os << llvm::formatv("{0}  {1,-18}  {2,-10}  {3}: {4}\n",
                        failed           ? "FAIL"
                        : checked[index] ? "pass"
                                         : "skip",
                        rule.id, rule.evidence, rule.source, rule.text);
    for (const Finding &finding : findings)
      if (unsigned(finding.rule) == index)
        os << "      " << file << ":0:" << finding.offset
           << ": error: " << finding.message << '\n';
  }
}
