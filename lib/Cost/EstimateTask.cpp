//===- EstimateTask.cpp - What a task should cost -------------------------===//

#include "ane/Cost/Cost.h"
#include "ane/TaskDescriptor/KernelLayout.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace ane;
using namespace ane::cost;
using td::Field;
using td::Residence;

namespace {

uint64_t multiply(uint64_t a, uint64_t b) {
  return llvm::SaturatingMultiply(a, b);
}
uint64_t add(uint64_t a, uint64_t b) { return llvm::SaturatingAdd(a, b); }

/// `value * numerator / denominator`, rounded up.
uint64_t scale(uint64_t value, uint64_t numerator, uint64_t denominator) {
  unsigned __int128 product =
      static_cast<unsigned __int128>(value) * numerator + denominator - 1;
  unsigned __int128 result = product / denominator;
  return result > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(result);
}

/// Registers of an operand in L2.
struct L2Fields {
  Field base, group, depth, channel, row;
};
constexpr L2Fields source1Place = {
    Field::L2Src1Base, Field::L2Src1GroupStride, Field::L2Src1DepthStride,
    Field::L2Src1ChannelStride, Field::L2Src1RowStride};
constexpr L2Fields source2Place = {
    Field::L2Src2Base, Field::L2Src2GroupStride, Field::L2Src2DepthStride,
    Field::L2Src2ChannelStride, Field::L2Src2RowStride};
constexpr L2Fields resultPlace = {
    Field::L2ResultBase, Field::L2ResultGroupStride, Field::L2ResultDepthStride,
    Field::L2ResultChannelStride, Field::L2ResultRowStride};

class Estimator {
public:
  Estimator(const td::RegisterImage &image, const TargetDescription &target)
      : image(image), target(target), summary(td::summarize(image)) {}

  TaskCost run() {
    cost.engine = summary.engine;
    cost.text = summary.text();
    cost.exeCycles = summary.exeCycles;
    countCompute();
    for (const td::Stream &stream : summary.streams)
      countStream(stream);
    cost.dmaCycles = scale(cost.dmaBytes(), target.clockMegahertz,
                           target.memoryMegabytesPerSecond);
    decide();
    return std::move(cost);
  }

private:
  uint64_t atLeastOne(Field field) const {
    return std::max(image.get(field), 1u);
  }

  /// Operands that one output of the neural engine accumulates.
  uint64_t taps() const {
    uint64_t window = atLeastOne(Field::Kh) * atLeastOne(Field::Kw);
    switch (summary.operation) {
    case td::Operation::Conv:
    case td::Operation::MatMul:
    case td::Operation::ChannelSum:
    case td::Operation::ChannelMax:
      return window * std::max(image.isSet(Field::UnicastEn)
                                   ? image.get(Field::UnicastCin)
                                   : summary.input.channels,
                               1u);
    case td::Operation::DepthwiseConv:
    case td::Operation::PoolSum:
    case td::Operation::PoolMax:
      return window;
    default:
      return 1;
    }
  }

  /// Whether each output channel needs all of the source.
  bool readsAllChannels() const {
    return !image.isSet(Field::UnicastEn) &&
           (summary.operation == td::Operation::Conv ||
            summary.operation == td::Operation::MatMul);
  }

  bool accumulates() const {
    switch (summary.operation) {
    case td::Operation::Conv:
    case td::Operation::DepthwiseConv:
    case td::Operation::MatMul:
    case td::Operation::ChannelSum:
    case td::Operation::PoolSum:
      return true;
    default:
      return false;
    }
  }

  void countCompute() {
    if (summary.engine == td::Engine::PE) {
      cost.computeCycles =
          scale(summary.input.elements(), 1, target.planarElementsPerCycle);
      return;
    }
    const td::Dimensions &result = summary.result;
    if (accumulates())
      cost.macs = multiply(result.elements(), taps());
    td::LanePasses passes =
        td::passesOfLane(std::max(result.channels, 1u),
                         image.get(Field::OCGSize), summary.activeEngines);
    if (readsAllChannels())
      sourcePasses = passes.count;
    uint64_t pixels = llvm::alignTo(uint64_t(result.rows) * result.columns,
                                    target.patchPixels);
    uint64_t slots = multiply(multiply(passes.slots(), taps()), pixels);
    slots = multiply(slots, uint64_t(result.groups) * result.depth);
    slots = scale(slots, density(), dense);
    if (accumulates())
      cost.macSlots = multiply(slots, summary.activeEngines);
    cost.computeCycles = scale(slots, 1, target.macsPerCycle);
  }

  /// The groups that have coefficients of their own; images of a batch share
  /// them.
  uint64_t kernelGroups() const {
    return image.isSet(Field::GroupKernelReuse)
               ? 1
               : std::max(summary.result.groups, 1u);
  }

  /// The part of the coefficients that a zero-skipping kernel has.
  static constexpr uint64_t dense = 1 << 16;
  uint64_t density() const {
    if (!image.isSet(Field::SparseFmt) || !accumulates())
      return dense;
    uint64_t all =
        multiply(multiply(summary.result.channels, taps()), 2 * kernelGroups());
    return all == 0 ? dense
                    : std::min(scale(summary.laneBytes, dense, all), dense);
  }

  void countStream(const td::Stream &stream) {
    bool memory = stream.inMemory();
    bool handedOver = stream.residence == Residence::Chained;
    // A source of which L2 never holds all rows comes again for each pass.
    bool isPart = stream.residence == Residence::Streamed &&
                  image.get(Field::TileHeight) < summary.result.rows;
    uint64_t fetched =
        isPart ? multiply(stream.bytes, sourcePasses) : stream.bytes;
    switch (stream.role) {
    case td::Stream::Coefficients:
      cost.kernelBytes = stream.bytes;
      return;
    case td::Stream::Source1:
    case td::Stream::Source2: {
      bool first = stream.role == td::Stream::Source1;
      if (memory) {
        (first ? cost.source1Bytes : cost.source2Bytes) = fetched;
        cost.l2WrittenBytes = add(cost.l2WrittenBytes, fetched);
      }
      if (!handedOver) {
        cost.l2ReadBytes =
            add(cost.l2ReadBytes, multiply(stream.bytes, sourcePasses));
        countAccesses(stream, first ? source1Place : source2Place,
                      sourceOf(first), sourcePasses);
      }
      return;
    }
    case td::Stream::Result:
      if (memory) {
        cost.resultBytes = stream.bytes;
        cost.l2ReadBytes = add(cost.l2ReadBytes, stream.bytes);
      }
      if (!handedOver) {
        cost.l2WrittenBytes = add(cost.l2WrittenBytes, stream.bytes);
        countAccesses(stream, resultPlace, written(), 1);
      }
      return;
    }
  }

  /// Extents of the result as it lies in L2.
  td::Dimensions written() const {
    td::Dimensions dimensions = summary.result;
    bool isVector =
        summary.engine == td::Engine::PE && image.isSet(Field::ResultVector);
    if (summary.transposed || isVector)
      std::swap(dimensions.channels, dimensions.columns);
    return dimensions;
  }

  /// Extents of a source as it lies in L2.
  td::Dimensions sourceOf(bool first) const {
    td::Dimensions dimensions = first ? summary.source1 : summary.source2;
    if (summary.engine == td::Engine::PE &&
        image.isSet(first ? Field::Src1Vector : Field::Src2Vector))
      std::swap(dimensions.channels, dimensions.columns);
    return dimensions;
  }

  /// The rows of a plane, or of one row each the channels, are accessed
  /// together, as far as they lie in different banks.
  void countAccesses(const td::Stream &stream, const L2Fields &place,
                     const td::Dimensions &extents, uint64_t times) {
    uint64_t bytes = stream.bytes;
    if (bytes == 0)
      return;
    bool byRows = extents.rows > 1;
    uint64_t together = std::max(byRows ? extents.rows : extents.channels, 1u);
    uint64_t rows = multiply(multiply(extents.groups, extents.depth),
                             uint64_t(extents.channels) * extents.rows);
    rows = std::max<uint64_t>(rows, 1);
    uint64_t granule = target.l2Granule;
    uint64_t pieces = llvm::divideCeil(llvm::divideCeil(bytes, rows), granule);
    uint64_t stride =
        std::abs(image.getScaled(byRows ? place.row : place.channel));
    // Without a stride it is the same row for all, an access for each piece.
    uint64_t depth = 1;
    if (stride != 0) {
      uint64_t banks = target.l2Banks;
      uint64_t shared = std::gcd(stride / granule, banks);
      depth = llvm::divideCeil(together, banks / shared);
    }
    uint64_t requests = multiply(llvm::divideCeil(rows, together), pieces);
    cost.l2Cycles =
        add(cost.l2Cycles, multiply(multiply(requests, depth), times));
    if (stream.residence == Residence::Streamed)
      return;
    uint64_t end = endOf(place, bytes / rows, extents);
    cost.l2Ranges.push_back({stream.role, bytesOf(place.base), end});
    cost.l2End = std::max(cost.l2End, end);
  }

  /// What leads backwards reaches no higher.
  uint64_t bytesOf(Field field) const {
    return std::max<int64_t>(image.getScaled(field), 0);
  }

  uint64_t endOf(const L2Fields &place, uint64_t rowBytes,
                 const td::Dimensions &extents) const {
    uint64_t end = bytesOf(place.base) + rowBytes;
    for (auto [stride, extent] : {std::pair(place.group, extents.groups),
                                  std::pair(place.depth, extents.depth),
                                  std::pair(place.channel, extents.channels),
                                  std::pair(place.row, extents.rows)})
      if (extent > 1)
        end = add(end, multiply(bytesOf(stride), extent - 1));
    return end;
  }

  void decide() {
    uint64_t overhead = target.taskOverheadCycles;
    uint64_t most =
        std::max({cost.computeCycles, cost.dmaCycles, cost.l2Cycles});
    cost.cycles = add(most, overhead);
    if (most <= overhead)
      cost.bound = Bound::Dispatch;
    else if (most == cost.computeCycles)
      cost.bound = Bound::Compute;
    else if (most == cost.dmaCycles)
      cost.bound = Bound::Bandwidth;
    else
      cost.bound = Bound::Scratchpad;
  }

  const td::RegisterImage &image;
  const TargetDescription &target;
  td::TaskSummary summary;
  TaskCost cost;
  uint64_t sourcePasses = 1; ///< times that the source is read
};

} // namespace

uint64_t TaskCost::sourceBytes() const {
  return add(source1Bytes, source2Bytes);
}

uint64_t TaskCost::dmaBytes() const {
  return add(sourceBytes(), add(kernelBytes, resultBytes));
}

uint64_t TaskCost::l2Bytes() const { return add(l2WrittenBytes, l2ReadBytes); }

TaskCost cost::estimateTask(const td::RegisterImage &image,
                            const TargetDescription &target) {
  return Estimator(image, target).run();
}
