//===- PlanPlaces.cpp - Surfaces and places in the scratchpad -------------===//

#include "OperandFields.h"
#include "Planner.h"
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

} // namespace

Error Planner::checkElements(const Extents &extents, uint64_t limit,
                             llvm::StringRef what) {
  limit = std::max(freeElements, limit);
  if (extents.elements() <= limit)
    return Error::success();
  return llvm::createStringError(llvm::formatv(
      "{0} has {1} elements, more than the {2} that its place can hold", what,
      extents.elements(), limit));
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
  if (base + span.begin < 0 || uint64_t(base + span.end) > size)
    return llvm::createStringError(llvm::formatv(
        "{0} reaches from byte {1} to byte {2} of section {3}, which has {4}; "
        "its extents are {5} groups, {6} deep, {7} channels, {8} x {9}",
        surface.what, base + span.begin, base + span.end, section->name, size,
        extents.groups, extents.depth, extents.channels, extents.height,
        extents.width));
  if (Error error =
          checkElements(extents, size / strides->elementBytes(), surface.what))
    return error;
  return Place{section, uint64_t(base), *strides, uint64_t(base + span.begin),
               uint64_t(base + span.end)};
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
    return llvm::createStringError(llvm::formatv(
        "{0} reaches from byte {1:x} to byte {2:x} of the scratchpad, which "
        "has {3:x}",
        place.what, base, base + span.end, l2Bytes));
  if (Error error =
          checkElements(extents, l2Bytes / strides.elementBytes(), place.what))
    return error;
  memory.noteScratchpad(base + span.end);
  return Destination{memory.l2() + base, strides};
}
