//===- PaletteParts.cpp - Outputs whose coefficients fit palettes ---------===//

#include "PaletteParts.h"
#include "SplitWeights.h"
#include "ane/Dialect/Zin/Transforms/KernelShape.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Support/Half.h"
#include "ane/TaskDescriptor/KernelStream.h"
#include "ane/TaskDescriptor/Lut.h"
#include "ane/TaskDescriptor/OutputNumbers.h"
#include "ane/TaskDescriptor/V7.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <climits>

using namespace ane;
using namespace ane::tasks;

namespace {

constexpr int64_t lanes = td::numLanes;
constexpr unsigned denseBits = zin::elementBytes * CHAR_BIT;
/// What of the cycles of transfers counts beside those that take longer.
constexpr int64_t movedShare = 10;
/// The part of its cycles that a layer may take longer for smaller
/// coefficients.
constexpr int64_t longerShare = 64;

/// Tasks of a program up to which its layers have any parts, and up to which
/// parts with the largest palettes, which are fewer: of the first 65536 tasks
/// of a program others can wait. Assigned.
constexpr int64_t mostTasks = 1 << 15, mostTasksOfLarge = 3 << 14;

/// What some tasks cost. `weight` orders them.
struct Cost {
  int64_t cycles = 0, moved = 0;

  int64_t weight() const { return cycles + moved / movedShare; }
  Cost operator+(const Cost &other) const {
    return {cycles + other.cycles, moved + other.moved};
  }
};

class Parter {
public:
  Parter(const TargetDescription &target, const PartedLayer &layer,
         const td::OutputNumbers &numbers)
      : target(target), layer(layer), outputs(layer.kernel.outputs),
        pixels(pixelsOf(target, layer.task.result)),
        reads(readCycles(target, layer.task.source)) {
    int64_t room = target.usableL2Bytes() / (layer.isPart ? 2 : 1);
    bool isKept = zin::bytesInL2(layer.kept, target) < room;
    int64_t bytes = llvm::product_of(layer.task.source) * zin::elementBytes;
    (isKept ? fetched : streamed) = bytes;
    for (unsigned bits : td::paletteBits)
      reaches.push_back({bits, numbers.reach(bits)});
  }

  /// `tasks` are those of the program up to here.
  OutputParts run(int64_t tasks) {
    OutputParts chosen = equalParts(outputs, layer.perTask);
    bool haveIndices = llvm::all_of(chosen.parts, [&](const OutputPart &part) {
      return bitsOf(part) == td::paletteBits[0];
    });
    if (haveIndices)
      return chosen;
    Cost usual = costOf(chosen.parts), least = usual;
    if (Parts parts = partsAt(layer.step, tasks); !parts.empty()) {
      Cost cost = costOf(parts);
      if (cost.weight() < usual.weight() &&
          cost.cycles <= usual.cycles + usual.cycles / longerShare) {
        least = cost;
        chosen.parts = std::move(parts);
      }
    }
    if (!layer.copyCycles)
      return chosen;
    if (Parts parts = partsAt(/*step=*/1, tasks); !parts.empty())
      if ((costOf(parts).weight() + *layer.copyCycles) * leastGain <
          least.weight() * (leastGain - 1))
        return {std::move(parts), /*isApart=*/true};
    return chosen;
  }

private:
  /// For outputs from each on, indices of so many bits reach so far.
  using Reach = std::pair<unsigned, std::vector<int64_t>>;

  using Parts = llvm::SmallVector<OutputPart>;

  /// The best ones, if there is room for so many tasks.
  Parts partsAt(int64_t step, int64_t tasks) {
    Parts parts = best(reaches, step);
    if (tasks + int64_t(parts.size()) > mostTasks)
      parts = best(llvm::ArrayRef(reaches).take_back(1), step);
    return tasks + int64_t(parts.size()) > mostTasksOfLarge ? Parts() : parts;
  }

  static int64_t pixelsOf(const TargetDescription &target,
                          const Extents &result) {
    return llvm::alignTo(result[zin::H] * result[zin::W], target.patchPixels) *
           result[zin::N] * result[zin::D];
  }

  /// Cycles to read a source once. zin-place-l2 has lines that stay in L2 at a
  /// distance at which their channels take all banks, unless these are short.
  static int64_t readCycles(const TargetDescription &target,
                            const Extents &source) {
    constexpr int64_t leastPieces = 8;
    int64_t pieces = target.l2ChannelBytes(source[zin::W]) / target.l2Granule;
    if (source[zin::H] > 1 || pieces < leastPieces)
      return accessCycles(target, source);
    return source[zin::N] * source[zin::D] * pieces *
           int64_t(llvm::divideCeil(source[zin::C], target.l2Banks));
  }

  unsigned bitsOf(const OutputPart &part) const {
    for (const auto &[bits, reach] : reaches)
      if (reach[part.begin] >= part.begin + part.count)
        return bits;
    return denseBits;
  }

  /// What a lane takes for its outputs, all lanes being equally long.
  int64_t coefficientBytes(int64_t count, unsigned bits) const {
    int64_t perLane = llvm::divideCeil(count, lanes);
    int64_t weights =
        llvm::divideCeil(perLane * layer.kernel.taps * bits, CHAR_BIT);
    int64_t bias = layer.kernel.bias ? perLane * zin::elementBytes : 0;
    int64_t table = layer.kernel.activation ? int64_t(td::lutBytes) : 0;
    int64_t lane = llvm::alignTo(weights + bias, target.rowAlignment) + table;
    int64_t palette = bits == denseBits ? 0 : int64_t(td::paletteBytes(bits));
    return std::min(count, lanes) * lane + palette;
  }

  Cost costOf(int64_t count, unsigned bits) {
    auto [place, isNew] = costs.try_emplace({count, bits});
    if (!isNew)
      return place->second;
    KernelParams part = layer.kernel;
    part.outputs = count;
    unsigned size =
        ocgSizeOf(target, part, layer.params, layer.task, layer.ocgCap);
    td::LanePasses lane = td::passesOfLane(count, size);
    int64_t passes = lane.count;
    Extents written = layer.task.result;
    written[zin::C] = count;
    int64_t products =
        target.productCycles(lanes * lane.slots() * layer.kernel.taps * pixels);
    int64_t accesses = passes * reads + accessCycles(target, written);
    int64_t moved = target.memoryCycles(
        coefficientBytes(count, bits) +
        int64_t(td::v7::bytesOfTaskWithKernel()) +
        (layer.task.result[zin::H] > 1 ? passes : 1) * streamed);
    return place->second = {std::max({products, accesses, moved}) +
                                target.taskOverheadCycles,
                            moved};
  }

  /// The first part may have to wait for a source that stays in L2 from then
  /// on.
  Cost costOf(llvm::ArrayRef<OutputPart> parts) {
    Cost sum;
    for (const OutputPart &part : parts)
      sum = sum + costOf(part.count, bitsOf(part));
    Cost first = costOf(parts.front().count, bitsOf(parts.front()));
    int64_t waits = first.moved + target.memoryCycles(fetched) - first.cycles;
    sum.cycles += std::max<int64_t>(waits, 0);
    return sum;
  }

  /// The parts of the least weight, none of them dense; empty if there are
  /// none. A part is as long as its palette allows, or so that all lanes have
  /// equally many.
  Parts best(llvm::ArrayRef<Reach> palettes, int64_t step) {
    constexpr int64_t never = INT64_MAX;
    std::vector<int64_t> least(outputs + 1, never), from(outputs + 1, 0);
    least[0] = 0;
    for (int64_t begin = 0; begin < outputs; begin += step) {
      if (least[begin] == never)
        continue;
      auto consider = [&](int64_t count, unsigned bits) {
        int64_t weight = least[begin] + costOf(count, bits).weight();
        if (weight >= least[begin + count])
          return;
        least[begin + count] = weight;
        from[begin + count] = begin;
      };
      for (const auto &[bits, reach] : palettes) {
        int64_t most = std::min(reach[begin] - begin, layer.perTask);
        bool isLast = begin + most == outputs;
        if (int64_t longest = isLast ? most : most / step * step; longest > 0)
          consider(longest, bits);
        for (int64_t rows = lanes; rows <= lanes * layer.ocgCap; rows *= 2)
          if (int64_t even = most / rows * rows; even > 0 && even % step == 0)
            consider(even, bits);
      }
    }
    Parts parts;
    if (least[outputs] == never)
      return parts;
    for (int64_t end = outputs; end > 0; end = from[end])
      parts.push_back({from[end], end - from[end]});
    std::reverse(parts.begin(), parts.end());
    return parts;
  }

  const TargetDescription &target;
  const PartedLayer &layer;
  const int64_t outputs;
  const int64_t pixels; ///< of an output, those of patches included
  const int64_t reads;  ///< cycles to read the source once
  /// Bytes of a source that stays in L2 and of one that does not.
  int64_t fetched = 0, streamed = 0;
  llvm::SmallVector<Reach> reaches; ///< of the fewest bits first
  llvm::DenseMap<std::pair<int64_t, unsigned>, Cost> costs;
};

} // namespace

OutputParts tasks::equalParts(int64_t outputs, int64_t perTask) {
  OutputParts all;
  for (int64_t begin = 0; begin < outputs; begin += perTask)
    all.parts.push_back({begin, std::min(perTask, outputs - begin)});
  return all;
}

OutputParts tasks::paletteParts(const TargetDescription &target,
                                const PartedLayer &layer,
                                mlir::ElementsAttr elements, int64_t begin,
                                bool mayBeSparse, int64_t tasks) {
  const KernelParams &kernel = layer.kernel;
  auto usual = [&] { return equalParts(kernel.outputs, layer.perTask); };
  // Two tasks at least take more than such a kernel; strided windows have one
  // without zeros.
  int64_t bytes = kernel.outputs * kernel.taps * zin::elementBytes;
  if (target.memoryCycles(bytes) <= target.taskOverheadCycles ||
      zin::kernelWindowOf(layer.params.window, layer.params.stride).isStrided())
    return usual();
  std::optional<zin::HalfElements> weights = zin::HalfElements::get(elements);
  // zin-compress-kernels would take the form without zeros.
  if (!weights || (mayBeSparse && zin::KernelCensus(*weights).hasManyZeros()))
    return usual();
  llvm::StringRef own = weights->bytes();
  if (own.size() > halfBytes)
    own = own.substr(begin * zin::elementBytes, bytes);
  std::optional<td::OutputNumbers> numbers =
      td::OutputNumbers::get(own, kernel.outputs);
  return numbers ? Parter(target, layer, *numbers).run(tasks) : usual();
}
