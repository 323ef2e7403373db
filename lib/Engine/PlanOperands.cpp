//===- PlanOperands.cpp - Where operands and results lie ------------------===//

#include "Planner.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;
using td::Field;

namespace {

/// Values of SourceType and ResultType. Verified.
enum Residence : uint32_t {
  InL2 = 0,     ///< in the scratchpad
  Kept = 1,     ///< in memory and in the scratchpad
  Streamed = 2, ///< in memory
  Chained = 3,  ///< handed from one task to the next in pieces
};

/// Elements that an operand may have in any case. Beyond, it must not have more
/// than fit its section: strides of 0 must not turn a small file into a large
/// demand for memory.
constexpr uint64_t freeElements = uint64_t(1) << 24;

/// Where the bytes of an operand lie relative to its first element.
struct Span {
  int64_t begin = 0;
  int64_t end = 2;

  Span(const Strides &strides, const Extents &extents) {
    // Strides have 32 bits and extents 17, so nothing here overflows.
    add(strides.group, extents.groups - 1);
    add(strides.depth, extents.depth - 1);
    add(strides.channel, (extents.channels - 1) / strides.interleave);
    add(strides.row, extents.height - 1);
    add(strides.column, extents.width - 1);
    end += 2 * (std::min(strides.interleave, extents.channels) - 1);
  }

private:
  void add(int64_t stride, int64_t steps) {
    (stride < 0 ? begin : end) += stride * steps;
  }
};

Error checkElements(const Extents &extents, uint64_t bytes,
                    llvm::StringRef what) {
  uint64_t limit = std::max(freeElements, bytes / 2);
  if (extents.elements() <= limit)
    return Error::success();
  return llvm::createStringError(llvm::formatv(
      "{0} has {1} elements, more than the {2} that its place can hold", what,
      extents.elements(), limit));
}

/// Operands with their channels along W: channels and columns are exchanged.
void exchange(Strides &strides) { std::swap(strides.channel, strides.column); }

} // namespace

struct Planner::Surface {
  llvm::StringLiteral what;
  Field enable, bar, base;
  Field group, depth, plane, row;
  Field mode, truncate, memFmt, interleave;
  uint32_t modeValue;
};

struct Planner::Resident {
  llvm::StringLiteral what;
  Field base, group, depth, channel, row;
};

Error Planner::checkSurfaceFormat(const Surface &surface) const {
  constexpr llvm::StringLiteral fp16Only =
      "only plain fp16 surfaces are executed";
  if (Error error = require(surface.mode, surface.modeValue, fp16Only))
    return error;
  if (Error error = require(surface.truncate, 3, fp16Only))
    return error;
  return require(surface.memFmt, 2, fp16Only);
}

Expected<Strides> Planner::surfaceStrides(const Surface &surface,
                                          bool exchanged) const {
  Strides strides;
  strides.group = image.getScaled(surface.group);
  strides.depth = image.getScaled(surface.depth);
  strides.channel = image.getScaled(surface.plane);
  strides.row = image.getScaled(surface.row);
  // Source 2 has 0 for 1. Documented: the factors that there are.
  uint32_t interleave = std::max(image.get(surface.interleave), 1u);
  if (interleave > 4 && interleave != 8)
    return refuse(surface.interleave, "interleave is 1, 2, 3, 4 or 8");
  strides.interleave = interleave;
  strides.column = 2 * int64_t(interleave);
  if (exchanged) {
    if (interleave != 1)
      return refuse(surface.interleave,
                    "an operand whose channels and columns are exchanged is "
                    "executed without interleave only");
    exchange(strides);
  }
  return strides;
}

Expected<MemorySection *> Planner::sectionOf(const Surface &surface,
                                             const Strides &strides,
                                             const Extents &extents,
                                             uint64_t &offset) const {
  if (!image.isSet(surface.enable))
    return refuse(surface.enable,
                  surface.what + " lies in memory, so it needs a BAR");
  unsigned bar = image.get(surface.bar);
  uint64_t address = memory.bar(bar);
  MemorySection *section = address ? memory.find(address) : nullptr;
  if (!section)
    return refuse(surface.bar, llvm::formatv("this BAR holds {0:x}, which lies "
                                             "in no section",
                                             address)
                                   .str());
  Span span(strides, extents);
  uint64_t size = section->bytes.size();
  int64_t base = address - section->address + image.getScaled(surface.base);
  if (base + span.begin < 0 || uint64_t(base + span.end) > size)
    return llvm::createStringError(llvm::formatv(
        "{0} reaches from byte {1} to byte {2} of section {3}, which has {4}; "
        "its extents are {5} groups, {6} deep, {7} channels, {8} x {9}",
        surface.what, base + span.begin, base + span.end, section->name, size,
        extents.groups, extents.depth, extents.channels, extents.height,
        extents.width));
  if (Error error = checkElements(extents, size, surface.what))
    return error;
  offset = base;
  return section;
}

Expected<Source> Planner::fetched(const Surface &surface,
                                  const Extents &extents, bool exchanged) {
  if (Error error = checkSurfaceFormat(surface))
    return error;
  Expected<Strides> strides = surfaceStrides(surface, exchanged);
  if (!strides)
    return strides.takeError();
  uint64_t offset;
  Expected<MemorySection *> section =
      sectionOf(surface, *strides, extents, offset);
  if (!section)
    return section.takeError();
  return Source{(*section)->bytes.data() + offset, *strides};
}

Expected<Destination> Planner::resident(const Resident &place,
                                        const Extents &extents,
                                        bool exchanged) const {
  Strides strides;
  strides.group = image.getScaled(place.group);
  strides.depth = image.getScaled(place.depth);
  strides.channel = image.getScaled(place.channel);
  strides.row = image.getScaled(place.row);
  if (exchanged)
    exchange(strides);
  int64_t base = image.getScaled(place.base);
  Span span(strides, extents);
  if (uint64_t(base + span.end) > l2Bytes)
    return llvm::createStringError(llvm::formatv(
        "{0} reaches from byte {1:x} to byte {2:x} of the scratchpad, which "
        "has {3:x}",
        place.what, base, base + span.end, l2Bytes));
  if (Error error = checkElements(extents, l2Bytes, place.what))
    return error;
  return Destination{memory.l2() + base, strides};
}

/// Extents of a source of a PE task: one where a flag broadcasts it.
static Extents broadcast(Extents extents, bool width, bool height, bool depth,
                         bool channels) {
  if (width)
    extents.width = 1;
  if (height)
    extents.height = 1;
  if (depth)
    extents.depth = 1;
  if (channels)
    extents.channels = 1;
  return extents;
}

Expected<Operand> Planner::firstOperand(const Extents &full, bool exchanged) {
  static constexpr Surface surface = {"source 1",
                                      Field::RBE0,
                                      Field::RBase0,
                                      Field::Src1Base,
                                      Field::Src1GroupStride,
                                      Field::Src1DepthStride,
                                      Field::Src1PlaneStride,
                                      Field::Src1RowStride,
                                      Field::Src1FmtMode,
                                      Field::Src1Truncate,
                                      Field::Src1MemFmt,
                                      Field::Src1Interleave,
                                      1};
  static constexpr Resident place = {
      "source 1 in L2",           Field::L2Src1Base,
      Field::L2Src1GroupStride,   Field::L2Src1DepthStride,
      Field::L2Src1ChannelStride, Field::L2Src1RowStride};

  if (Error error = require(Field::InFmt, 2, "only fp16 sources are executed"))
    return error;
  Operand operand;
  operand.extents = broadcast(full, image.isSet(Field::Src1BroadcastW),
                              image.isSet(Field::Src1BroadcastH),
                              image.isSet(Field::Src1BroadcastD),
                              image.isSet(Field::Src1BroadcastC));
  operand.relu = image.isSet(Field::InputReLU);

  uint32_t type = image.get(Field::SourceType);
  if (type == Chained) {
    if (!chained)
      return refuse(Field::SourceType,
                    "the task before does not hand over its result");
    if (*chained != operand.extents || exchanged)
      return refuse(Field::SourceType,
                    "what the task before hands over has other extents");
    return operand;
  }
  if (type == InL2) {
    Expected<Destination> kept = resident(place, operand.extents, exchanged);
    if (!kept)
      return kept.takeError();
    operand.source = Source{kept->origin, kept->strides};
    return operand;
  }
  if (Error error =
          require(Field::SourceDMAFmt, 1, "only fp16 sources are executed"))
    return error;
  if (image.get(Field::SourceDMAInterleave) != image.get(Field::Src1Interleave))
    return refuse(Field::SourceDMAInterleave,
                  "it is not the interleave of TileDMASrc.Fmt");
  Expected<Source> source = fetched(surface, operand.extents, exchanged);
  if (!source)
    return source.takeError();
  operand.source = *source;
  if (type == Kept) {
    Expected<Destination> kept = resident(place, operand.extents, exchanged);
    if (!kept)
      return kept.takeError();
    operand.copy = *kept;
  }
  return operand;
}

Expected<Operand> Planner::secondOperand(const Extents &full, bool exchanged) {
  static constexpr Surface surface = {"source 2",
                                      Field::RBE1,
                                      Field::RBase1,
                                      Field::Src2Base,
                                      Field::Src2GroupStride,
                                      Field::Src2DepthStride,
                                      Field::Src2PlaneStride,
                                      Field::Src2RowStride,
                                      Field::Src2FmtMode,
                                      Field::Src2Truncate,
                                      Field::Src2MemFmt,
                                      Field::Src2Interleave,
                                      0};
  static constexpr Resident place = {
      "source 2 in L2",           Field::L2Src2Base,
      Field::L2Src2GroupStride,   Field::L2Src2DepthStride,
      Field::L2Src2ChannelStride, Field::L2Src2RowStride};

  if (Error error =
          require(Field::Src2Fmt, 2, "only fp16 sources are executed"))
    return error;
  Operand operand;
  operand.extents = broadcast(full, image.isSet(Field::Src2BroadcastW),
                              image.isSet(Field::Src2BroadcastH),
                              image.isSet(Field::Src2BroadcastD),
                              image.isSet(Field::Src2BroadcastC));
  operand.relu = image.isSet(Field::Input2ReLU);
  if (image.isSet(Field::Src2FromDMA)) {
    Expected<Source> source = fetched(surface, operand.extents, exchanged);
    if (!source)
      return source.takeError();
    operand.source = *source;
    return operand;
  }
  Expected<Destination> kept = resident(place, operand.extents, exchanged);
  if (!kept)
    return kept.takeError();
  operand.source = Source{kept->origin, kept->strides};
  return operand;
}

Expected<Result> Planner::result(const Extents &extents, bool exchanged) {
  static constexpr Surface surface = {"the result",
                                      Field::WBE,
                                      Field::WBase,
                                      Field::DstBase,
                                      Field::DstGroupStride,
                                      Field::DstDepthStride,
                                      Field::DstPlaneStride,
                                      Field::DstRowStride,
                                      Field::DstFmtMode,
                                      Field::DstTruncate,
                                      Field::DstMemFmt,
                                      Field::DstInterleave,
                                      1};
  static constexpr Resident place = {
      "the result in L2",           Field::L2ResultBase,
      Field::L2ResultGroupStride,   Field::L2ResultDepthStride,
      Field::L2ResultChannelStride, Field::L2ResultRowStride};

  if (Error error = require(Field::OutFmt, 2, "only fp16 results are executed"))
    return error;
  uint32_t type = image.get(Field::ResultType);
  bool inMemory = type == Kept || type == Streamed;
  if (image.isSet(Field::DstEn) != inMemory)
    return refuse(
        Field::DstEn,
        llvm::formatv("it does not go with result type {0}", type).str());
  Result result;
  result.extents = extents;
  if (type == Chained) {
    if (exchanged)
      return refuse(Field::ResultType,
                    "a result with channels and columns exchanged cannot be "
                    "handed to the next task in pieces");
    uint64_t inputBytes = 2 * inputExtents().elements();
    if (Error error = checkElements(extents, inputBytes, "the result"))
      return error;
    return result;
  }
  if (type == InL2 || type == Kept) {
    Expected<Destination> kept = resident(place, extents, exchanged);
    if (!kept)
      return kept.takeError();
    result.destinations.push_back(*kept);
  }
  if (inMemory) {
    if (Error error = checkSurfaceFormat(surface))
      return error;
    if (Error error =
            require(Field::ResultDMAFmt, 1, "only fp16 results are executed"))
      return error;
    if (image.get(Field::ResultDMAInterleave) !=
        image.get(Field::DstInterleave))
      return refuse(Field::ResultDMAInterleave,
                    "it is not the interleave of TileDMADst.Fmt");
    Expected<Strides> strides = surfaceStrides(surface, exchanged);
    if (!strides)
      return strides.takeError();
    uint64_t offset;
    Expected<MemorySection *> section =
        sectionOf(surface, *strides, extents, offset);
    if (!section)
      return section.takeError();
    if (!(*section)->writable)
      return refuse(surface.bar, "it holds section " + (*section)->name +
                                     ", which tasks must not write");
    Span span(*strides, extents);
    (*section)->noteWrite(offset + span.begin, offset + span.end);
    result.destinations.push_back({(*section)->data() + offset, *strides});
  }
  return result;
}
