//===- L2Place.cpp - Buffers in the scratchpad ----------------------------===//

#include "ane/Dialect/Zin/IR/L2Place.h"
#include "L2Banks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace ane::zin;

namespace {

using Place = std::array<int64_t, numL2Strides>;

/// A number of rows as steps in the dimensions of a packed buffer.
Place stepsOf(ArrayRef<int64_t> shape, int64_t rows) {
  Place steps = {};
  unsigned dim = numL2Strides - 1;
  // Most are a few rows or a plane: divisions take longer than what is asked.
  for (; dim > 0 && rows >= shape[dim]; --dim) {
    steps[dim] = rows % shape[dim];
    rows /= shape[dim];
  }
  steps[dim] = rows;
  return steps;
}

/// Whether the view is all of a packed buffer, as most are.
bool isWhole(ViewAttr buffer, ViewAttr view) {
  return view.getLayout() == buffer.getLayout() &&
         view.getOffset() == buffer.getOffset();
}

bool isPacked(ViewAttr buffer) {
  int64_t pitch = buffer.getRowStride();
  for (unsigned dim = numL2Strides; dim-- > 0;) {
    if (buffer.getStrides()[dim] != pitch)
      return false;
    pitch *= buffer.getShape()[dim];
  }
  return buffer.getOffset() == 0 && buffer.getRowStride() > 0;
}

/// Whether each row of the view is part of a row of the buffer.
bool keepsRows(ViewAttr buffer, ViewAttr view) {
  int64_t pitch = buffer.getRowStride();
  for (auto [extent, stride] :
       llvm::zip(view.getShape().drop_back(), view.getStrides()))
    if (extent > 1 && stride % pitch != 0)
      return false;
  return view.getOffset() % pitch + view.getColumns() * elementBytes <=
         buffer.getColumns() * elementBytes;
}

/// Whether each line of the view, one row or several ones that part a row of
/// the buffer, is in one of these.
bool keepsLines(ViewAttr buffer, ViewAttr view) {
  int64_t pitch = buffer.getRowStride();
  int64_t bytes = view.getOffset() % pitch + view.getColumns() * elementBytes;
  for (auto [extent, stride] :
       llvm::zip(view.getShape().drop_back(), view.getStrides()))
    if (extent > 1 && stride % pitch != 0)
      bytes += stride * (extent - 1);
  return bytes <= buffer.getColumns() * elementBytes;
}

/// The same memory with each plane as a row, if there is nothing between rows.
std::optional<ViewAttr> planesAsRows(ViewAttr buffer) {
  int64_t pitch = buffer.getRowStride(), rows = buffer.getRows();
  if (rows == 1 || !isPacked(buffer) ||
      buffer.getColumns() * elementBytes != pitch)
    return std::nullopt;
  SmallVector<int64_t> shape = {buffer.getGroups(), buffer.getDepth(), 1,
                                buffer.getChannels(),
                                rows * buffer.getColumns()};
  return ViewAttr::get(buffer.getContext(), buffer.getBuffer(), /*offset=*/0,
                       shape, packedStrides(shape, pitch * rows),
                       buffer.getInterleave());
}

/// Whether the view walks through the dimensions of the buffer without passing
/// from the end of one line to the start of the next.
bool keepsDims(ViewAttr buffer, ViewAttr view) {
  if (isWhole(buffer, view))
    return true;
  ArrayRef<int64_t> whole = buffer.getShape(), shape = view.getShape();
  ArrayRef<int64_t> strides = view.getStrides();
  int64_t pitch = buffer.getRowStride();
  Place last = stepsOf(whole, view.getOffset() / pitch);
  for (unsigned dim = 0; dim < numL2Strides; ++dim) {
    if (shape[dim] == 1)
      continue;
    Place steps = stepsOf(whole, strides[dim] / pitch);
    for (unsigned i = 0; i < numL2Strides; ++i)
      last[i] += steps[i] * (shape[dim] - 1);
  }
  for (unsigned i = 0; i < numL2Strides; ++i)
    if (last[i] >= whole[i])
      return false;
  return true;
}

} // namespace

int64_t RowsTogether::spread(int64_t bytes) const {
  auto isApart = [&](int64_t stride) {
    if (std::gcd(stride, bankPeriod) > mostShared)
      return false;
    for (int64_t rows = 1; rows < count; ++rows) {
      int64_t phase = rows * step * stride % bankPeriod;
      if (std::min(phase, bankPeriod - phase) < apart)
        return false;
    }
    return true;
  };
  for (int64_t skew = 0; skew < bankPeriod; skew += l2Granule)
    if (isApart(bytes + skew))
      return bytes + skew;
  return bytes;
}

int64_t ane::zin::bankTurns(int64_t count, int64_t distance) {
  constexpr int64_t period = RowsTogether::bankPeriod;
  return distance == 0
             ? 1
             : llvm::divideCeil(count, period / std::gcd(distance, period));
}

RowsTogether ane::zin::rowsOfPlanar(int64_t columns) {
  // A patch has 512 pixels (documented), and 4 rows of so many columns.
  constexpr int64_t fewColumns = 128;
  RowsTogether together;
  together.count = columns <= fewColumns ? 4 : 2;
  return together;
}

RowsTogether ane::zin::rowsOfBuffer(bool isWeighed, int64_t rows) {
  RowsTogether together = isWeighed ? rowsOfPass : RowsTogether();
  if (rows > together.count)
    together.mostShared = mostBanksShared;
  return together;
}

/// The layout in which rows that are accessed together lie in different banks.
static L2Layout spreadLayout(ViewAttr buffer, const L2Accesses &accesses,
                             bool isTight) {
  L2Layout layout;
  int64_t channel =
      llvm::alignTo(buffer.getColumns() * elementBytes, l2Granule);
  bool isLine = buffer.getRows() == 1;
  // Of results of computed kernels that only copies read no program was seen:
  // those use all banks (assigned). So do lines of the planar engine where they
  // are more bytes than in programs whose lines do not.
  bool isLarge =
      !isTight && accesses.isPlanar &&
      channel * llvm::product_of(buffer.getShape().drop_back()) > mostBytesSeen;
  bool isSpread = accesses.isWeighed
                      ? accesses.isExchanged || accesses.isMultiplied
                      : accesses.isProduct && !accesses.isPlanar;
  isSpread |= isLarge;
  bool isComputed =
      accesses.isWeighed || accesses.isPlanar || accesses.isProduct;
  if (isLine && isComputed &&
      (isSpread ? leavesBanks(channel) : channel % worstDistance == 0))
    channel += l2Granule;
  int64_t depth = channel * buffer.getChannels();
  int64_t row = depth * buffer.getDepth();
  // Even a single row has two units. Rows of vectors follow each other, and
  // copies among themselves only avoid the worst.
  bool isApart =
      accesses.isWeighed ||
      (accesses.isPlanar ? !accesses.isVector : row % worstDistance == 0);
  if (isApart && accesses.isPlanar)
    row = std::max<int64_t>(row, 2 * l2Granule);
  if (isApart && !isLine)
    row = rowsOfBuffer(accesses.isWeighed, buffer.getRows()).spread(row);
  // Rows that are read as the channels of a line are accessed like those.
  bool isReadAsLine = !isLine && buffer.getChannels() == 1 &&
                      llvm::any_of(accesses.views, [](ViewAttr view) {
                        return view.getRows() == 1 && view.getChannels() > 1;
                      });
  if (isReadAsLine && (accesses.isWeighed || isLarge) && leavesBanks(row))
    row += l2Granule;
  int64_t group = row * buffer.getRows();
  layout.strides = {group, depth, channel, row};
  layout.bytes = group * buffer.getGroups();
  return layout;
}

/// The layout of a buffer with lines that views part, or of planes that views
/// have as lines; nothing where some view has neither.
static std::optional<L2Layout>
layoutOfLines(ViewAttr buffer, const L2Accesses &accesses, bool isTight) {
  auto areLinesOf = [&](ViewAttr lines) {
    return isPacked(lines) && llvm::all_of(accesses.views, [&](ViewAttr view) {
             return keepsLines(lines, view) && keepsDims(lines, view);
           });
  };
  if (areLinesOf(buffer))
    return spreadLayout(buffer, accesses, isTight);
  std::optional<ViewAttr> planes = planesAsRows(buffer);
  if (!planes || !areLinesOf(*planes))
    return std::nullopt;
  L2Layout layout = spreadLayout(*planes, accesses, isTight);
  layout.strides[C] = layout.strides[H];
  layout.strides[H] = buffer.getRowStride();
  return layout;
}

/// Whether some view sees rows that are none of the buffer, so that these lie
/// as they do in memory.
static bool liesAsInMemory(ViewAttr buffer, const L2Accesses &accesses) {
  return !isPacked(buffer) || !llvm::all_of(accesses.views, [&](ViewAttr view) {
    return keepsRows(buffer, view);
  });
}

/// The layout by what is known of those of Apple's compiler.
static L2Layout usualLayout(ViewAttr buffer, const L2Accesses &accesses,
                            bool isTight) {
  L2Layout layout;
  auto packed = [&](int64_t pitch) {
    layout.strides = packedStrides(buffer.getShape(), pitch);
    layout.bytes = layout.strides[N] * buffer.getGroups();
  };
  if (liesAsInMemory(buffer, accesses)) {
    if (std::optional<L2Layout> lines =
            layoutOfLines(buffer, accesses, isTight))
      return *lines;
    packed(buffer.getRowStride());
    return layout;
  }
  if (!llvm::all_of(accesses.views,
                    [&](ViewAttr view) { return keepsDims(buffer, view); })) {
    int64_t channel =
        llvm::alignTo(buffer.getColumns() * elementBytes, l2Granule);
    packed(channel % worstDistance == 0 ? channel + l2Granule : channel);
    return layout;
  }
  return spreadLayout(buffer, accesses, isTight);
}

L2Layout ane::zin::chooseL2Layout(ViewAttr buffer, const L2Accesses &accesses) {
  L2Layout layout = usualLayout(buffer, accesses, /*isTight=*/false);
  // What lies as memory does has no other place. Rows of as many bytes as they
  // take there may lie so by chance.
  if (llvm::equal(layout.strides, buffer.getStrides()) &&
      liesAsInMemory(buffer, accesses))
    return layout;
  return withMoreBanks(buffer, accesses, layout);
}

L2Layout ane::zin::tightL2Layout(ViewAttr buffer, const L2Accesses &accesses) {
  return usualLayout(buffer, accesses, /*isTight=*/true);
}

bool ane::zin::meet(ArrayRef<L2Range> some, ArrayRef<L2Range> others) {
  return llvm::any_of(some, [&](const L2Range &range) {
    return llvm::any_of(
        others, [&](const L2Range &other) { return range.meets(other); });
  });
}

L2Range ane::zin::rangeOf(const L2View &place, ViewAttr view) {
  L2Range range = {place.base, place.base + view.getColumns() * elementBytes};
  for (auto [extent, stride] :
       llvm::zip(view.getShape().take_front(numL2Strides), place.strides))
    range.end += (extent - 1) * stride;
  return range;
}

std::optional<L2View> ane::zin::viewInL2(ViewAttr buffer, ViewAttr view,
                                         int64_t base,
                                         ArrayRef<int64_t> strides) {
  L2View result;
  int64_t pitch = buffer.getRowStride();
  if (llvm::equal(strides, buffer.getStrides())) {
    result.base = base + view.getOffset();
    for (unsigned dim = 0; dim < numL2Strides; ++dim)
      if (view.getShape()[dim] > 1)
        result.strides[dim] = view.getStrides()[dim];
    return result;
  }
  if (!isPacked(buffer))
    return std::nullopt;
  if (isWhole(buffer, view)) {
    result.base = base;
    for (unsigned dim = 0; dim < numL2Strides; ++dim)
      if (view.getShape()[dim] > 1)
        result.strides[dim] = strides[dim];
    return result;
  }
  if (!keepsLines(buffer, view)) {
    std::optional<ViewAttr> planes = planesAsRows(buffer);
    if (!planes || strides[H] != pitch)
      return std::nullopt;
    return viewInL2(*planes, view, base,
                    {strides[N], strides[D], strides[D], strides[C]});
  }
  // Rows that follow each other at one distance can be walked in any shape.
  int64_t linear = strides[numL2Strides - 1];
  bool isLinear = true;
  for (unsigned dim = numL2Strides; dim-- > 0;) {
    isLinear &= strides[dim] == linear;
    linear *= buffer.getShape()[dim];
  }
  if (!isLinear && !keepsDims(buffer, view))
    return std::nullopt;
  auto distance = [&](int64_t bytes) {
    if (isLinear)
      return bytes / pitch * strides[numL2Strides - 1] + bytes % pitch;
    Place steps = stepsOf(buffer.getShape(), bytes / pitch);
    int64_t sum = 0;
    for (unsigned i = 0; i < numL2Strides; ++i)
      sum += steps[i] * strides[i];
    return sum + bytes % pitch;
  };
  result.base = base + distance(view.getOffset());
  for (unsigned dim = 0; dim < numL2Strides; ++dim)
    if (view.getShape()[dim] > 1)
      result.strides[dim] = distance(view.getStrides()[dim]);
  return result;
}

std::optional<L2View> ane::zin::viewInL2(TaskOp task, const Access &access,
                                         BufferOp buffer) {
  L2PlaceAttr own = task.getL2Attr() ? task.getL2Attr().getPlace() : nullptr;
  if (!own || access.role != Access::Source1) {
    L2PlaceAttr place = buffer.getL2Attr();
    if (!place)
      return std::nullopt;
    return viewInL2(buffer.getLayout(), access.view, place.getBase(),
                    place.getStrides());
  }
  L2View result;
  result.base = own.getBase();
  for (unsigned dim = 0; dim < numL2Strides; ++dim)
    if (access.view.getShape()[dim] > 1)
      result.strides[dim] = own.getStrides()[dim];
  return result;
}
