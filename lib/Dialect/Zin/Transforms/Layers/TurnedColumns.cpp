//===- TurnedColumns.cpp - Columns of a row, as channels ------------------===//

#include "Layers/TurnedColumns.h"
#include "HalfConstant.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

static constexpr std::array<int64_t, numDims> columnsAsChannels = {N, D, W, H,
                                                                   C};

bool zin::hasTurnedColumns(int64_t padding, const TargetDescription &target) {
  return (padding < 0 || padding > target.maxPadding) &&
         padding % target.rowStep() != 0;
}

bool zin::needsCopyOfColumns(Value x, const TargetDescription &target) {
  return isOfParameter(x) && shapeOf(x)[W] % target.rowStep() != 0;
}

Value zin::sourceOfColumns(OpBuilder &builder, Location location, Value x,
                           const TargetDescription &target) {
  return needsCopyOfColumns(x, target) ? copyOf(builder, location, x) : x;
}

TurnedColumns::TurnedColumns(OpBuilder &builder, Location location, Value x,
                             IndexRange wanted, const TargetDescription &target)
    : begin(wanted.begin) {
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t from = std::max<int64_t>(wanted.begin, 0),
          to = std::min(wanted.end(), shape[W]);
  SmallVector<Value> parts;
  auto addZeros = [&](int64_t count) {
    if (count > 0)
      parts.push_back(makeZeros(
          builder, location, {shape[N], shape[D], count, shape[H], shape[C]}));
  };
  addZeros(std::min(wanted.end(), from) - wanted.begin);
  if (from < to) {
    int64_t step = target.rowStep(), first = from / step * step,
            last = llvm::alignTo(to, step);
    bool isCut = first > 0 || to < shape[W];
    // Columns of a parameter that begin within a row lose large numbers.
    bool isCopied =
        isCut && shape[H] == 1 && isOfParameter(x) && shape[W] % step == 0;
    // A copy of an odd number of lines has channels in more banks.
    if (isCopied && (last - first) / step % 2 == 0) {
      if (first > 0)
        first -= step;
      else if (last < shape[W])
        last += step;
    }
    Value view =
        isCopied ? copyOfColumns(builder, location, x, {first, last - first})
                 : viewAlong(builder, location, x, W, first, to - first);
    // What is in front of the columns, or behind them, is there as well.
    begin = std::min(begin, first);
    parts.push_back(transposeBy(builder, location, view, columnsAsChannels));
  }
  addZeros(wanted.end() - std::max(to, wanted.begin));
  channels = concatAlong(builder, location, parts, C);
}

Value TurnedColumns::columns(OpBuilder &builder, IndexRange range,
                             int64_t stride) const {
  return transposeBy(builder, channels.getLoc(),
                     viewAlong(builder, channels.getLoc(), channels, C,
                               range.begin - begin, range.count, stride),
                     columnsAsChannels);
}
