//===- PlanPlaces.cpp - Surfaces and places in the scratchpad -------------===//

#include "Plan/OperandFields.h"
#include "Plan/Planner.h"
#include "ane/TaskDescriptor/Values.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;
using td::Field;

namespace {

/// Elements that an operand may have in any case. Beyond, it must not have more
/// than fit its section: strides of 0 must not turn a small file into a large
/// demand for memory.
constexpr uint64_t freeElements = uint64_t(1) << 24;

/// Where the bytes of an operand lie relative to its first element.
struct Span {
  int64_t begin = 0;
  int64_t end;

  Span(const Strides &strides, const Extents &extents)
      : end(strides.elementBytes() *
            std::max(std::min(strides.interleave, extents.channels),
                     std::min(strides.columnInterleave, extents.width))) {
    // Strides have 32 bits and extents 17, so nothing here overflows.
    add(strides.group, extents.groups - 1);
    add(strides.depth, extents.depth - 1);
    add(strides.channel, (extents.channels - 1) / strides.interleave);
    add(strides.row, extents.height - 1);
    add(strides.column, (extents.width - 1) / strides.columnInterleave);
  }

private:
  void add(int64_t stride, int64_t steps) {
    (stride < 0 ? begin : end) += stride * steps;
  }
};

/// Operands with their channels along W: channels and columns are exchanged,
/// and what is interleaved are then columns. Verified of a result: real
/// products of transposed operands store one so, and the next task reads it
/// back with the same interleave.
void exchange(Strides &strides) {
  std::swap(strides.channel, strides.column);
  std::swap(strides.interleave, strides.columnInterleave);
}

/// An address that a register leads to, which may lie below all memory.
std::string addressText(int64_t address) {
  uint64_t magnitude = address < 0 ? -uint64_t(address) : address;
  return llvm::formatv("{0}{1:x}", address < 0 ? "-" : "", magnitude);
}

std::string extentsText(const Extents &extents) {
  return llvm::formatv(
      "its extents are {0} groups, {1} deep, {2} channels, {3} x {4}",
      extents.groups, extents.depth, extents.channels, extents.height,
      extents.width);
}

} // namespace

Error Planner::checkElements(const Extents &extents, uint64_t limit,
                             Field place, llvm::StringRef what) const {
  limit = std::max(freeElements, limit);
  if (extents.elements() <= limit)
    return Error::success();
  return refuse(place, llvm::formatv("{0} has {1} elements, more than the {2} "
                                     "that its place can hold; {3}",
                                     what, extents.elements(), limit,
                                     extentsText(extents))
                           .str());
}

Expected<Element> Planner::elementOf(Field format) const {
  switch (static_cast<td::ElementFormat>(image.get(format))) {
  case td::ElementFormat::UInt8:
    return Element::UInt8;
  case td::ElementFormat::Int8:
    return Element::Int8;
  case td::ElementFormat::Half:
    return Element::Half;
  }
  return refuse(format, "only 0 (uint8), 1 (int8) and 2 (fp16) are known");
}

Error Planner::checkSurfaceFormat(const SurfaceFields &surface,
                                  Element element) const {
  constexpr llvm::StringLiteral other =
      "the format in memory is not the one in Common.ChCfg";
  bool half = element == Element::Half;
  bool hasSign = surface.modeIsSign && element != Element::UInt8;
  for (auto [field, value] :
       {std::pair(surface.mode, td::bits(hasSign ? td::FormatMode::Signed
                                                 : td::FormatMode::Unsigned)),
        std::pair(surface.truncate,
                  td::bits(half ? td::Truncation::Half : td::Truncation::Byte)),
        std::pair(surface.memFmt, td::bits(half ? td::MemoryFormat::Half
                                                : td::MemoryFormat::Byte))})
    if (Error error = require(field, value, other))
      return error;
  return Error::success();
}

Expected<Strides> Planner::surfaceStrides(const SurfaceFields &surface,
                                          Element element,
                                          bool exchanged) const {
  Strides strides;
  strides.group = image.getScaled(surface.group);
  strides.depth = image.getScaled(surface.depth);
  strides.channel = image.getScaled(surface.plane);
  strides.row = image.getScaled(surface.row);
  // Documented: the factors that there are.
  uint32_t interleave = image.get(surface.interleave);
  if (interleave == 0 || (interleave > 4 && interleave != 8))
    return refuse(surface.interleave, "interleave is 1, 2, 3, 4 or 8");
  strides.interleave = interleave;
  strides.element = element;
  strides.column = strides.elementBytes() * interleave;
  if (exchanged) {
    bool isNeuralResult =
        surface.interleave == Field::DstInterleave && !isPlanar();
    if (interleave != 1 && !isNeuralResult)
      return refuse(surface.interleave,
                    "with channels and columns exchanged, only results of the "
                    "NE are known with interleave");
    exchange(strides);
  }
  return strides;
}

Expected<Planner::Place> Planner::placeOf(const SurfaceFields &surface,
                                          const Extents &extents,
                                          Element element,
                                          bool exchanged) const {
  if (Error error = checkSurfaceFormat(surface, element))
    return error;
  Expected<Strides> strides = surfaceStrides(surface, element, exchanged);
  if (!strides)
    return strides.takeError();
  if (!image.isSet(surface.enable))
    return refuse(surface.enable,
                  surface.what + " lies in memory, so it needs a BAR");
  uint64_t address = memory.bar(image.get(surface.bar));
  MemorySection *section = address ? memory.find(address) : nullptr;
  if (!section)
    return refuse(surface.bar, llvm::formatv("this BAR holds {0:x}, which lies "
                                             "in no section",
                                             address)
                                   .str());
  Span span(*strides, extents);
  uint64_t size = section->bytes.size();
  int64_t base = address - section->address + image.getScaled(surface.base);
  int64_t begin = base + span.begin, end = base + span.end;
  if (begin < 0 || uint64_t(end) > size) {
    int64_t outside = begin < 0 ? begin : std::max<int64_t>(begin, size);
    return refuse(
        surface.base,
        llvm::formatv("{0} (BAR {1}) reaches address {2}, outside the {3} "
                      "bytes of section {4} at {5:x}: from byte {6} to byte "
                      "{7} of it; {8}",
                      surface.what, image.get(surface.bar),
                      addressText(section->address + outside), size,
                      section->name, section->address, begin, end,
                      extentsText(extents))
            .str());
  }
  if (Error error = checkElements(extents, size / strides->elementBytes(),
                                  surface.base, surface.what))
    return error;
  return Place{section, uint64_t(base), *strides, uint64_t(begin),
               uint64_t(end)};
}

Expected<Destination> Planner::resident(const ResidentFields &place,
                                        const Extents &extents, Element element,
                                        bool exchanged) const {
  Strides strides;
  strides.group = image.getScaled(place.group);
  strides.depth = image.getScaled(place.depth);
  strides.channel = image.getScaled(place.channel);
  strides.row = image.getScaled(place.row);
  strides.element = element;
  strides.column = strides.elementBytes();
  if (exchanged)
    exchange(strides);
  int64_t base = image.getScaled(place.base);
  Span span(strides, extents);
  if (uint64_t(base + span.end) > l2Bytes)
    return refuse(place.base,
                  llvm::formatv("{0} reaches address {1:x}, outside the {2:x} "
                                "bytes of L2: from {3:x} to {4:x}; {5}",
                                place.what, std::max<uint64_t>(base, l2Bytes),
                                l2Bytes, base, base + span.end,
                                extentsText(extents))
                      .str());
  if (Error error = checkElements(extents, l2Bytes / strides.elementBytes(),
                                  place.base, place.what))
    return error;
  memory.noteScratchpad(base + span.end);
  return Destination{memory.l2() + base, strides};
}
