//===- Document.cpp - Between a text and the emission model ---------------===//

#include "Document.h"
#include "llvm/ADT/STLExtras.h"

using namespace ane;
using namespace ane::object;
using namespace ane::objectyaml;
using llvm::Expected;

namespace {

/// The relocations of encoded tasks: coefficients by the constants, operands by
/// what their BAR is for.
std::vector<TextRelocation>
relocationsOf(llvm::ArrayRef<td::RelocationSite> sites,
              llvm::ArrayRef<unsigned> bars) {
  std::vector<TextRelocation> result;
  for (const td::RelocationSite &site : sites) {
    TextRelocation relocation;
    relocation.offset = site.offset;
    relocation.isAddress = site.target == td::RelocationSite::Target::Buffer;
    const auto *port = llvm::find(bars, site.bar);
    if (relocation.isAddress && site.bar == BarScratch)
      relocation.target.kind = RelocationTarget::Scratch;
    else if (relocation.isAddress && port != bars.end())
      relocation.target = {RelocationTarget::Port,
                           unsigned(port - bars.begin())};
    result.push_back(relocation);
  }
  return result;
}

bool isSame(const TextRelocation &a, const TextRelocation &b) {
  return a.offset == b.offset && a.target == b.target &&
         a.isAddress == b.isAddress;
}

/// The parts of an order that a program has.
std::vector<MemoryPart> presentParts(const ContainerSpec &spec,
                                     llvm::ArrayRef<MemoryPart> order) {
  auto hasPort = [&](PortDirection direction) {
    return llvm::any_of(spec.ports, [&](const PortSpec &port) {
      return port.direction == direction;
    });
  };
  std::vector<MemoryPart> parts;
  for (MemoryPart part : order)
    if (!(part == MemoryPart::Scratch && spec.scratchBytes == 0 &&
          spec.style.minScratchBytes == 0) &&
        !(part == MemoryPart::Inputs && !hasPort(PortDirection::Input)) &&
        !(part == MemoryPart::Outputs && !hasPort(PortDirection::Output)))
      parts.push_back(part);
  return parts;
}

/// The encoded tasks, if they are the text of `spec`.
std::optional<td::EncodedProgram>
encodeAs(llvm::ArrayRef<td::TaskDescriptor> tasks, td::Format format,
         const ContainerSpec &spec) {
  auto encoded = td::encodeProgram(tasks, format);
  if (!encoded) {
    llvm::consumeError(encoded.takeError());
    return std::nullopt;
  }
  if (encoded->text != spec.text || encoded->entry != spec.entryOffset ||
      encoded->firstTaskWords != spec.firstTaskWords)
    return std::nullopt;
  return std::move(*encoded);
}

/// Takes the tasks of a text apart, if they can be put together again.
void decodeTasks(const ContainerSpec &spec, Document &document) {
  td::EncodedText encoded = {"",
                             0,
                             spec.text,
                             uint32_t(spec.entryOffset),
                             spec.firstTaskWords,
                             spec.taskCount,
                             {}};
  auto tasks = td::decodeProgram(encoded);
  if (!tasks) {
    llvm::consumeError(tasks.takeError());
    return;
  }
  td::Format format = td::detectFormat(spec.text);
  // Where the encoder chooses the same places, they need not be said.
  std::vector<td::TaskDescriptor> packed = *tasks;
  for (td::TaskDescriptor &task : packed)
    task.textOffset.reset();
  auto again = encodeAs(packed, format, spec);
  if (again)
    *tasks = std::move(packed);
  else
    again = encodeAs(*tasks, format, spec);
  if (!again)
    return;
  document.raw.reset();
  document.format = format;
  for (td::TaskDescriptor &task : *tasks) {
    // Where the encoder makes the same records, they need not be said.
    td::TaskDescriptor alone = task;
    alone.textOffset.reset();
    auto whole = td::encodeProgram(alone, format);
    alone.runs.clear();
    auto shorter = td::encodeProgram(alone, format);
    if (whole && shorter && whole->text == shorter->text)
      task.runs.clear();
    if (!whole)
      llvm::consumeError(whole.takeError());
    if (!shorter)
      llvm::consumeError(shorter.takeError());
    document.tasks.push_back({std::move(task), {}});
  }
  auto derived = relocationsOf(again->relocations, barsOf(document.ports));
  if (llvm::equal(derived, spec.relocations, isSame))
    document.relocations.reset();
}

} // namespace

bool objectyaml::isSameProperties(llvm::ArrayRef<Property> a,
                                  llvm::ArrayRef<Property> b) {
  return llvm::equal(a, b, [](const Property &left, const Property &right) {
    return left.id == right.id && left.value == right.value;
  });
}

unsigned objectyaml::styleDistance(const ContainerStyle &style,
                                   Dialect dialect) {
  const ContainerStyle &other = styleOf(dialect);
  return (style.order != other.order) +
         (style.portCommand != other.portCommand) +
         (style.suffixedPorts != other.suffixedPorts) +
         (style.exactOutputBytes != other.exactOutputBytes) +
         (style.programWords != other.programWords) +
         (style.operandWords != other.operandWords) +
         !isSameProperties(style.properties, other.properties) +
         (style.opaque858 != other.opaque858) + (style.types != other.types) +
         (style.kernelSegments != other.kernelSegments) +
         (style.maxKernelBytes != other.maxKernelBytes) +
         (style.laneSentinels != other.laneSentinels) +
         (style.minScratchBytes != other.minScratchBytes);
}

void objectyaml::dropUsualWords(Document &document) {
  ContainerSpec &spec = document.spec;
  if (spec.opaque858 == spec.taskCount + spec.style.opaque858)
    spec.opaque858.reset();
}

std::vector<unsigned> objectyaml::barsOf(llvm::ArrayRef<PortItem> ports) {
  std::vector<unsigned> bars;
  std::vector<PortSpec> specs;
  for (const PortItem &port : ports) {
    if (port.bar)
      bars.push_back(*port.bar);
    specs.push_back(port.spec);
  }
  if (bars.size() == ports.size())
    return bars;
  auto assigned = assignBars(specs);
  if (!assigned) {
    // The Layout refuses so many ports.
    llvm::consumeError(assigned.takeError());
    return {};
  }
  return {assigned->begin(), assigned->end()};
}

Document objectyaml::makeDocument(ContainerSpec spec) {
  Document document;
  std::vector<unsigned> bars = std::move(spec.bars);
  for (auto [index, port] : llvm::enumerate(spec.ports)) {
    PortItem &item = document.ports.emplace_back();
    item.spec = port;
  }
  if (!bars.empty() && bars != barsOf(document.ports))
    for (auto [bar, port] : llvm::zip_equal(bars, document.ports))
      port.bar = bar;
  if (spec.operandOrder == usualOperandOrder(spec.ports))
    spec.operandOrder.clear();

  for (const Chunk &chunk : spec.constants)
    document.constants.append(chunk.inMemory());
  document.relocations.emplace();
  for (const TextRelocation &relocation : spec.relocations)
    document.relocations->push_back({relocation});

  RawText &raw = document.raw.emplace();
  raw.entryOffset = spec.entryOffset;
  raw.firstTaskWords = spec.firstTaskWords;
  raw.taskCount = spec.taskCount;
  decodeTasks(spec, document);

  std::optional<ContainerStyle> nearest;
  for (Dialect dialect : allDialects) {
    ContainerStyle style = spec.style;
    // A part that the program does not have may be anywhere.
    if (llvm::equal(presentParts(spec, styleOf(dialect).order),
                    presentParts(spec, style.order)))
      style.order = styleOf(dialect).order;
    // The model holds the word itself.
    style.opaque858 = styleOf(dialect).opaque858;
    if (nearest && styleDistance(style, dialect) >=
                       styleDistance(*nearest, document.dialect))
      continue;
    nearest = std::move(style);
    document.dialect = dialect;
  }
  spec.style = std::move(*nearest);
  document.spec = std::move(spec);
  // These refer to what the document keeps.
  if (document.raw)
    document.raw->bytes = Content::of(document.spec.text);
  for (const NoteSpec &note : document.spec.notes)
    document.notes.push_back({note.owner, Content::of(note.bytes)});
  return document;
}

Expected<ContainerSpec> objectyaml::makeSpec(const Document &document,
                                             const TaskItem *&failed) {
  ContainerSpec spec = document.spec;
  std::vector<unsigned> bars = barsOf(document.ports);
  spec.ports.clear();
  for (const PortItem &port : document.ports)
    spec.ports.push_back(port.spec);
  spec.bars = bars;
  spec.constants.clear();
  for (const Run &run : document.constants.runs)
    spec.constants.push_back(run.zeros ? Chunk::zeros(run.zeros)
                                       : Chunk::bytes(run.bytes));
  spec.notes.clear();
  for (const NoteItem &note : document.notes)
    spec.notes.push_back({note.owner, note.bytes.bytes()});

  spec.relocations.clear();
  if (document.raw) {
    spec.text = document.raw->bytes.bytes();
    spec.entryOffset = document.raw->entryOffset;
    spec.firstTaskWords = document.raw->firstTaskWords;
    spec.taskCount = document.raw->taskCount;
  } else {
    std::vector<td::TaskDescriptor> tasks;
    tasks.reserve(document.tasks.size());
    for (const TaskItem &task : document.tasks)
      tasks.push_back(task.task);
    auto encoded = td::encodeProgram(tasks, document.format);
    if (!encoded) {
      for (const TaskItem &task : document.tasks) {
        auto one = td::encodeProgram(task.task, document.format);
        if (one)
          continue;
        llvm::consumeError(one.takeError());
        failed = &task;
        break;
      }
      return encoded.takeError();
    }
    spec.text = std::move(encoded->text);
    spec.entryOffset = encoded->entry;
    spec.firstTaskWords = encoded->firstTaskWords;
    spec.taskCount = tasks.size();
    spec.relocations = relocationsOf(encoded->relocations, bars);
  }
  if (document.relocations) {
    spec.relocations.clear();
    for (const RelocationItem &item : *document.relocations)
      spec.relocations.push_back(item.relocation);
  }
  return spec;
}
