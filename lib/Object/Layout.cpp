//===- Layout.cpp - Decides every address and file offset -----------------===//

#include "ane/Object/Layout.h"
#include "CheckSpec.h"
#include "Encode.h"
#include "LayoutBuilder.h"
#include "ane/Support/Hex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace ane::object;
using namespace llvm::MachO;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

Expected<Object> LayoutBuilder::build() {
  cutConstants();
  if (Error error = placeInMemory())
    return error;
  resolveRelocations();
  addSegments();
  addPorts();
  addPrograms();
  addOperands();
  addIdent();
  addNotes();
  addSymbolTable();
  if (Error error = placeInFile())
    return error;
  return std::move(object);
}

//===----------------------------------------------------------------------===//
// Device memory
//===----------------------------------------------------------------------===//

void LayoutBuilder::cutConstants() {
  bool inText = !spec.style.kernelSegments;
  uint64_t most = inText ? UINT64_MAX : spec.style.maxKernelBytes;
  llvm::ArrayRef<uint64_t> starts;
  if (!inText)
    starts = spec.kernelStarts;
  uint64_t at = 0, end = 0; // of the section
  for (const Chunk &chunk : spec.constants)
    for (uint64_t done = 0; done < chunk.size();) {
      if (at == end) {
        kernels.emplace_back().begin = at;
        starts = starts.drop_while([&](uint64_t start) { return start <= at; });
        end = llvm::SaturatingAdd(at, most);
        if (!starts.empty())
          end = std::min(end, starts.front());
      }
      KernelPlace &kernel = kernels.back();
      uint64_t length = std::min(chunk.size() - done, end - at);
      kernel.contents.push_back(chunk.slice(done, length));
      kernel.size += length;
      done += length;
      at += length;
    }
  dummy.size = pageBytes;
  dummy.contents.push_back(Chunk::zeros(pageBytes));
}

/// The device memory from an address on.
static uint64_t roomFrom(uint64_t address) {
  return deviceLimit - std::min(address, deviceLimit);
}

Error LayoutBuilder::takeMemory(Place &place, uint64_t size,
                                const Twine &what) {
  if (size > roomFrom(nextAddress))
    return llvm::createStringError(
        what + " of " + Twine(size) + " bytes at device address " +
        ane::hex(nextAddress) + " passes the last one, " +
        ane::hex(deviceLimit - 1));
  place.address = nextAddress;
  place.size = size;
  place.segmentSize = llvm::alignTo(size, pageBytes);
  nextAddress += place.segmentSize;
  return Error::success();
}

Error LayoutBuilder::placeSegment(Place &place, uint64_t size,
                                  const Twine &what) {
  place.ordinal = nextOrdinal++;
  return takeMemory(place, size, what);
}

Error LayoutBuilder::placeInMemory() {
  ports.resize(spec.ports.size());
  for (MemoryPart part : spec.style.order)
    if (Error error = placePart(part))
      return error;
  if (nextOrdinal - 1 > maxSections)
    return llvm::createStringError(
        "the container needs " + Twine(nextOrdinal - 1) +
        " sections, but symbols can only name " + Twine(maxSections) +
        "; compile fewer functions or shapes at once, give them fewer inputs "
        "and outputs, or make the coefficients smaller");
  return Error::success();
}

Error LayoutBuilder::placePart(MemoryPart part) {
  switch (part) {
  case MemoryPart::Text:
    return placeText();
  case MemoryPart::Kernels:
    return placeKernels();
  case MemoryPart::Scratch: {
    uint64_t bytes = std::max(spec.scratchBytes, spec.style.minScratchBytes);
    return bytes ? placeSegment(scratch, bytes, "scratch") : Error::success();
  }
  case MemoryPart::Spare:
    return takeMemory(spare, pageBytes, "a spare page");
  case MemoryPart::Inputs:
    return placePorts(PortDirection::Input);
  case MemoryPart::Outputs:
    return placePorts(PortDirection::Output);
  case MemoryPart::Ports:
    return placePorts(std::nullopt);
  }
  llvm_unreachable("unknown part of memory");
}

Error LayoutBuilder::placeText() {
  text = {nextAddress, spec.text.size(), 0, nextOrdinal++};
  bool inText = !spec.style.kernelSegments;
  if (inText && kernels.empty())
    kernels.push_back(dummy);
  Place &constants = inText ? kernels.front() : dummy;
  constants.address = llvm::alignTo(text.end(), granuleBytes);
  constants.ordinal = nextOrdinal++;
  if (constants.size > roomFrom(constants.address))
    return llvm::createStringError("coefficients of " + Twine(constants.size) +
                                   " bytes pass the last device address");
  text.segmentSize = llvm::alignTo(constants.end() - text.address, pageBytes);
  nextAddress += text.segmentSize;
  return Error::success();
}

Error LayoutBuilder::placeKernels() {
  for (KernelPlace &kernel : kernels)
    if (Error error = placeSegment(kernel, kernel.size, "coefficients"))
      return error;
  return Error::success();
}

Error LayoutBuilder::placePorts(std::optional<PortDirection> direction) {
  for (auto [index, port] : llvm::enumerate(spec.ports)) {
    if (direction && port.direction != *direction)
      continue;
    memoryOrder.push_back(index);
    if (Error error = placeSegment(ports[index], surfaceBytes(port),
                                   "port '" + port.name + "'"))
      return error;
    if (spec.style.portCommand == LC_LOADFVMLIB &&
        ports[index].address > UINT32_MAX)
      return llvm::createStringError(
          "port '" + port.name + "' would lie at device address " +
          ane::hex(ports[index].address) +
          ", but LC_LOADFVMLIB holds 32 bits; make coefficients, scratch or "
          "tensors smaller");
  }
  return Error::success();
}

const LayoutBuilder::KernelPlace &
LayoutBuilder::kernelAt(uint64_t offset) const {
  if (kernels.empty())
    return dummy;
  const auto *next = llvm::partition_point(
      llvm::ArrayRef(kernels),
      [&](const KernelPlace &kernel) { return kernel.begin <= offset; });
  return *std::prev(next);
}

/// Words of the text count from the start of all coefficients; in the file they
/// count from the section that their relocation names.
void LayoutBuilder::resolveRelocations() {
  for (auto [index, relocation] : llvm::enumerate(spec.relocations)) {
    switch (relocation.target.kind) {
    case RelocationTarget::Scratch:
      relocationOrdinals.push_back(scratch.ordinal);
      continue;
    case RelocationTarget::Port:
      relocationOrdinals.push_back(ports[relocation.target.port].ordinal);
      continue;
    case RelocationTarget::Constants:
      break;
    }
    uint8_t *word = spec.text.data() + relocation.offset;
    uint64_t offset = relocation.isAddress
                          ? llvm::support::endian::read64le(word)
                          : llvm::support::endian::read32le(word);
    const KernelPlace &kernel = kernelAt(offset);
    if (kernel.begin != 0 && relocation.isAddress)
      llvm::support::endian::write64le(word, offset - kernel.begin);
    else if (kernel.begin != 0)
      llvm::support::endian::write32le(word, offset - kernel.begin);
    relocationOrdinals.push_back(kernel.ordinal);
  }
}

//===----------------------------------------------------------------------===//
// File
//===----------------------------------------------------------------------===//

Error LayoutBuilder::placeInFile() {
  uint64_t offset = sizeof(mach_header_64);
  for (LoadCommand &command : object.commands) {
    command.fileOffset = offset;
    command.size = naturalSize(command.body);
    offset += command.size;
  }

  auto &table = std::get<SymbolTable>(object.commands.back().body);
  table.symbolOffset = offset;
  offset += table.symbols.size() * sizeof(nlist_64);
  table.stringOffset = offset;
  offset += table.strings.size();

  for (LoadCommand &command : object.commands)
    if (auto *segment = std::get_if<Segment>(&command.body))
      for (Section &section : segment->sections)
        if (!section.relocations.empty()) {
          offset = llvm::alignTo(offset, commandAlign);
          section.relocationOffset = offset;
          offset += section.relocations.size() * sizeof(any_relocation_info);
        }

  for (LoadCommand &command : object.commands) {
    auto *segment = std::get_if<Segment>(&command.body);
    if (!segment || segment->sections.empty() ||
        segment->sections.front().contents.empty())
      continue;
    segment->fileOffset = llvm::alignTo(offset, pageBytes);
    segment->fileSize = segment->memorySize;
    offset = segment->fileOffset + segment->fileSize;
    for (Section &section : segment->sections) {
      uint64_t start =
          segment->fileOffset + (section.address - segment->address);
      if (start > UINT32_MAX)
        return llvm::createStringError(
            "the section " + section.segmentName + "," + section.name +
            " would start at file offset " + ane::hex(start) +
            ", but the format holds 32 bits; the program has too many tasks "
            "or coefficients");
      section.fileOffset = start;
    }
  }
  object.fileSize = offset;
  return Error::success();
}

Expected<Object> ane::object::layoutObject(ContainerSpec spec) {
  // Both names mean the same chip (documented).
  auto subtype = llvm::StringSwitch<std::optional<uint32_t>>(spec.target)
                     .Cases({"h13", "h13g"}, cpuSubtypeH13)
                     .Default(std::nullopt);
  if (!subtype)
    return llvm::createStringError("no container is known for target '" +
                                   spec.target + "'; use h13");
  if (Error error = checkSpec(spec))
    return error;
  return LayoutBuilder(std::move(spec), *subtype).build();
}
