//===- AuditContents.cpp - The contents of a firmware package -------------===//

#include "Auditor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane::firmware;
using llvm::formatv;
using llvm::Twine;

namespace {

/// Device addresses end here.
constexpr uint64_t addressLimit = uint64_t(1) << 32;

} // namespace

template <typename F>
void ContentsAuditor<F>::audit(const ProgramView &program) {
  text = operations = procedures = nullptr;
  barIds.clear();
  ranges.clear();
  auditSections(program);
  if (!text || !operations || !procedures)
    return;
  auditOperations();
  auditProcedures();
  auditAddresses(program);
}

/// Finds the sections that there must be one of.
template <typename F>
void ContentsAuditor<F>::auditSections(const ProgramView &program) {
  findings.check(Rule::Sections);
  struct Wanted {
    SectionKind kind;
    llvm::StringRef name;
    const SectionView *&place;
  } wanted[] = {{SectionKind::Text, "text", text},
                {SectionKind::Operation, "operation", operations},
                {SectionKind::Procedure, "procedure", procedures}};
  for (const Wanted &want : wanted) {
    unsigned count = 0;
    for (const SectionView &section : program.sections)
      if (section.kind == want.kind) {
        want.place = &section;
        ++count;
      }
    if (count == 1)
      continue;
    want.place = nullptr;
    findings.add(Rule::Sections, program.headerOffset,
                 formatv("the program has {0} {1} sections, expected 1", count,
                         want.name)
                     .str());
  }
}

template <typename F> void ContentsAuditor<F>::auditOperations() {
  using Header = typename F::OperationHeader;
  using Bar = typename F::BarRecord;
  using Reference = typename F::ReferenceRecord;
  for (Rule rule : {Rule::BarCount, Rule::BarKind, Rule::BarId, Rule::Reference,
                    Rule::Address, Rule::AddressOverlap})
    findings.check(rule);
  uint64_t offset = operations->offset;
  if (operations->size < sizeof(Header)) {
    findings.add(
        Rule::BarCount, offset,
        formatv("an operation section of {0} bytes", operations->size).str());
    return;
  }
  auto header = load<Header>(bytes, offset);
  uint64_t barCount = header.barCount, referenceCount = header.referenceCount;
  // Neither product passes 64 bits.
  uint64_t wanted = sizeof(Header) + barCount * sizeof(Bar) +
                    referenceCount * sizeof(Reference);
  if (barCount > maxBarRecords || wanted != operations->size) {
    findings.add(Rule::BarCount, offset,
                 formatv("{0} registers and {1} references in a section of "
                         "{2} bytes; the most registers are {3}",
                         barCount, referenceCount, operations->size,
                         maxBarRecords)
                     .str());
    return;
  }
  offset += sizeof(Header);
  for (; barCount > 0; --barCount, offset += sizeof(Bar))
    auditBar(load<Bar>(bytes, offset), offset);
  for (; referenceCount > 0; --referenceCount, offset += sizeof(Reference))
    auditReference(load<Reference>(bytes, offset), offset);
}

template <typename F>
void ContentsAuditor<F>::auditBar(const typename F::BarRecord &bar,
                                  uint64_t offset) {
  using Bar = typename F::BarRecord;
  std::string what = ("register " + Twine(uint32_t(bar.barId))).str();
  if (bar.type != barTypeGeneric || bar.config != barConfig32Bit)
    findings.add(Rule::BarKind, offset,
                 formatv("{0} has type {1} and configuration {2}, expected "
                         "{3} and {4}",
                         what, uint32_t(bar.type), uint32_t(bar.config),
                         barTypeGeneric, barConfig32Bit)
                     .str());
  if (bar.padding != 0)
    findings.add(Rule::Padding, offset + offsetof(Bar, padding),
                 what + " has a padding that is not zero");
  if (llvm::is_contained(barIds, bar.barId))
    findings.add(Rule::BarId, offset + offsetof(Bar, barId),
                 what + " is there twice");
  barIds.push_back(bar.barId);
  addRange(bar.value, bar.size, offset + offsetof(Bar, value), what);
}

template <typename F>
void ContentsAuditor<F>::auditReference(
    const typename F::ReferenceRecord &reference, uint64_t offset) {
  using Reference = typename F::ReferenceRecord;
  uint32_t width = reference.bytes;
  uint64_t end = uint64_t(reference.textOffset) + width;
  if ((width != 4 && width != 8) || reference.textOffset % 4 != 0 ||
      end > text->size || !llvm::is_contained(barIds, reference.barId))
    findings.add(Rule::Reference, offset,
                 formatv("{0} bytes at {1:x} of a text of {2:x} bytes, "
                         "relative to register {3}",
                         width, uint32_t(reference.textOffset), text->size,
                         uint32_t(reference.barId))
                     .str());
  if (reference.padding != 0)
    findings.add(Rule::Padding, offset + offsetof(Reference, padding),
                 "a reference has a padding that is not zero");
}

template <typename F> void ContentsAuditor<F>::auditProcedures() {
  using Record = typename F::ProcedureRecord;
  for (Rule rule :
       {Rule::Procedure, Rule::Partitions, Rule::OutputSets, Rule::IoBuffers})
    findings.check(rule);
  uint64_t count = procedures->size / sizeof(Record);
  if (count == 0 || procedures->size % sizeof(Record) != 0) {
    findings.add(Rule::Procedure, procedures->offset,
                 formatv("{0} bytes are no list of records of {1} bytes",
                         procedures->size, sizeof(Record))
                     .str());
    return;
  }
  for (uint64_t index : llvm::seq(count)) {
    uint64_t offset = procedures->offset + index * sizeof(Record);
    auto record = load<Record>(bytes, offset);
    std::string what = ("procedure " + Twine(index)).str();
    // Words of the smallest task are unknown here; one is enough to bound it.
    uint64_t taskBytes = uint64_t(record.firstTaskWords) * 4;
    bool inText = record.entryOffset % 4 == 0 && taskBytes != 0 &&
                  record.entryOffset + taskBytes <= text->size;
    llvm::StringRef name(record.name, nameBytes);
    size_t length = name.find('\0');
    bool named = length != 0 && length != llvm::StringRef::npos &&
                 name.find_first_not_of('\0', length) == llvm::StringRef::npos;
    if (record.procedureId != index || !inText || record.taskCount == 0 ||
        !named)
      findings.add(
          Rule::Procedure, offset,
          formatv("{0} has id {1}, {2} tasks, the first of {3} words "
                  "at {4:x} of a text of {5:x} bytes, and {6} name",
                  what, uint32_t(record.procedureId),
                  uint32_t(record.taskCount), uint32_t(record.firstTaskWords),
                  uint32_t(record.entryOffset), text->size, named ? "a" : "no")
              .str());
    if (record.partitions != partitionCount)
      findings.add(Rule::Partitions, offset + offsetof(Record, partitions),
                   formatv("{0} has {1} partitions, expected {2}", what,
                           uint32_t(record.partitions), partitionCount)
                       .str());
    if (record.outputSets != outputSetCount)
      findings.add(Rule::OutputSets, offset + offsetof(Record, outputSets),
                   formatv("{0} has {1} output sets, expected {2}", what,
                           uint32_t(record.outputSets), outputSetCount)
                       .str());
    if (record.ioBuffers > barIds.size())
      findings.add(Rule::IoBuffers, offset + offsetof(Record, ioBuffers),
                   formatv("{0} has {1} buffers, but the program {2} registers",
                           what, uint32_t(record.ioBuffers), barIds.size())
                       .str());
    if (record.padding != 0)
      findings.add(Rule::Padding, offset + offsetof(Record, padding),
                   what + " has a padding that is not zero");
  }
}

template <typename F>
void ContentsAuditor<F>::addRange(uint64_t begin, uint64_t size,
                                  uint64_t offset, const Twine &what) {
  if (begin >= addressLimit || size > addressLimit - begin) {
    findings.add(Rule::Address, offset,
                 what + formatv(" has {0} bytes at device address {1:x}, past "
                                "the low 32 bits",
                                size, begin)
                            .str());
    return;
  }
  if (size != 0)
    ranges.push_back({begin, begin + size, offset, what.str()});
}

/// Registers and sections name the same memory, so equal ranges are one.
template <typename F>
void ContentsAuditor<F>::auditAddresses(const ProgramView &program) {
  for (auto [index, section] : llvm::enumerate(program.sections))
    if (section.deviceAddress != 0)
      addRange(section.deviceAddress, section.size,
               section.headerOffset +
                   offsetof(typename F::SectionHeader, deviceAddress),
               "section " + Twine(index));
  llvm::sort(ranges);
  const Range *last = nullptr; // of those so far the one that ends last
  for (const Range &next : ranges) {
    if (last && next.begin < last->end &&
        (next.begin != last->begin || next.end != last->end))
      findings.add(Rule::AddressOverlap, next.offset,
                   formatv("{0} starts at device address {1:x}, inside {2}",
                           next.what, next.begin, last->what)
                       .str());
    if (!last || next.end >= last->end)
      last = &next;
  }
}

template class ane::firmware::ContentsAuditor<Little>;
template class ane::firmware::ContentsAuditor<Big>;
