//===- L2Banks.cpp - What shares banks of the scratchpad ------------------===//

#include "L2Banks.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace ane::zin;

namespace {

/// What is accessed of a view at a time: so many pieces, so far apart.
struct Together {
  int64_t count, distance;

  Together(ViewAttr view, const L2View &place, bool hasRows)
      : count(hasRows ? view.getRows() : view.getChannels()),
        distance(place.strides[hasRows ? H : C]) {}
  Together(ViewAttr view, const L2View &place)
      : Together(view, place, view.getRows() > 1) {}

  bool isCrowded() const {
    return count > RowsTogether().count && distance != 0 &&
           std::gcd(distance, RowsTogether::bankPeriod) > mostBanksShared;
  }
  /// Cycles of accesses to all of a view.
  int64_t cycles(ViewAttr view) const {
    int64_t pieces = llvm::divideCeil(view.getRowBytes(), l2Granule);
    int64_t rows = view.getGroups() * view.getDepth() * view.getChannels() *
                   view.getRows();
    return rows / count * pieces * bankTurns(count, distance);
  }
};

class Accesses {
public:
  Accesses(ViewAttr buffer, const L2Accesses &accesses)
      : buffer(buffer), accesses(accesses) {}

  /// The cycles of all accesses with these distances; nothing if some view
  /// cannot be told with them.
  std::optional<int64_t> cycles(const L2Layout &layout) const {
    int64_t sum = 0;
    for (ViewAttr view : accesses.views) {
      std::optional<L2View> place = placeOf(view, layout);
      if (!place)
        return std::nullopt;
      sum += Together(view, *place).cycles(view);
    }
    // Of these the way that takes less.
    for (ViewAttr view : accesses.exchangeable) {
      std::optional<L2View> place = placeOf(view, layout);
      if (!place)
        return std::nullopt;
      int64_t asItIs = Together(view, *place).cycles(view);
      sum +=
          std::min(channelsOf(view, *place).cycles(view) - asItIs, int64_t(0));
    }
    return sum;
  }

  bool isCrowded(const L2Layout &layout) const {
    auto isRowCrowded = [&](ViewAttr view) {
      std::optional<L2View> place = placeOf(view, layout);
      return place && Together(view, *place).isCrowded();
    };
    auto isChannelCrowded = [&](ViewAttr view) {
      std::optional<L2View> place = placeOf(view, layout);
      return place && channelsOf(view, *place).isCrowded();
    };
    return llvm::any_of(accesses.views, isRowCrowded) ||
           llvm::any_of(accesses.exchangeable, isChannelCrowded);
  }

private:
  std::optional<L2View> placeOf(ViewAttr view, const L2Layout &layout) const {
    return viewInL2(buffer, view, 0, layout.strides);
  }
  static Together channelsOf(ViewAttr view, const L2View &place) {
    return Together(view, place, /*hasRows=*/false);
  }

  ViewAttr buffer;
  const L2Accesses &accesses;
};

/// The same with rows so much farther apart, or with channels where there is
/// one row or `ofChannels`; nothing if that is no form of a layout that is
/// known.
std::optional<L2Layout> widened(ViewAttr buffer, L2Layout layout, int64_t by,
                                bool ofChannels) {
  auto &strides = layout.strides;
  int64_t rows = buffer.getRows(), channels = buffer.getChannels();
  bool isTile = strides[D] == strides[C] * channels &&
                strides[H] >= strides[D] * buffer.getDepth() &&
                strides[N] == strides[H] * rows;
  if (isTile && (rows == 1 || ofChannels)) {
    strides[C] += by;
    strides[D] = strides[C] * channels;
    strides[H] += by * channels * buffer.getDepth();
  } else if (isTile) {
    strides[H] += by;
  } else {
    // Rows in the order of memory.
    int64_t pitch = strides[H];
    if (!llvm::equal(strides, packedStrides(buffer.getShape(), pitch)))
      return std::nullopt;
    llvm::copy(packedStrides(buffer.getShape(), pitch + by), strides.begin());
    layout.bytes = strides[N] * buffer.getGroups();
    return layout;
  }
  strides[N] = strides[H] * rows;
  layout.bytes = strides[N] * buffer.getGroups();
  return layout;
}

} // namespace

L2Layout ane::zin::withMoreBanks(ViewAttr buffer, const L2Accesses &all,
                                 const L2Layout &layout) {
  if (layout.bytes <= mostBytesSeen)
    return layout;
  Accesses accesses(buffer, all);
  if (!accesses.isCrowded(layout))
    return layout;
  std::optional<int64_t> fewest = accesses.cycles(layout);
  if (!fewest)
    return layout;
  L2Layout best = layout;
  // Distances that differ by as much as that repeat, in other banks.
  constexpr int64_t steps = 16;
  // Room that is worth any gain, and that is worth half of the cycles, of what
  // takes up to a quarter of L2 then. Assigned.
  constexpr int64_t mostBytes = 0x80000;
  int64_t small = layout.bytes + layout.bytes / 8;
  int64_t large =
      std::max(small, std::min(layout.bytes + layout.bytes / 2, mostBytes));
  for (bool ofChannels : {false, true})
    for (int64_t step = 1; step < steps; ++step) {
      std::optional<L2Layout> wide =
          widened(buffer, layout, step * l2Granule, ofChannels);
      if (!wide || wide->bytes > large)
        break;
      std::optional<int64_t> cycles = accesses.cycles(*wide);
      int64_t worth = wide->bytes > small ? 2 : 1;
      if (cycles && *cycles * worth < *fewest + worth - 1) {
        fewest = cycles;
        best = *wide;
      }
    }
  return best;
}
