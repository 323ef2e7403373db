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

TurnedColumns::TurnedColumns(OpBuilder &builder, Location location, Value x,
                             IndexRange wanted, const TargetDescription &target)
    : begin(wanted.begin) {
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t from = std::max<int64_t>(wanted.begin, 0),
          to = std::min(wanted.end(), shape[W]);
  SmallVector<Value> parts;
  auto addZeros = [&](int64_t count) {
    if (count > 0)
      parts.push_back(makeZeros(builder, location,
                                {shape[N], shape[D], count, 1, shape[C]}));
  };
  addZeros(std::min(wanted.end(), from) - wanted.begin);
  if (from < to) {
    int64_t step = target.rowStep(), first = from / step * step;
    IndexRange whole = {first, int64_t(llvm::alignTo(to, step)) - first};
    bool isCut = first > 0 || to < shape[W];
    // Columns of a parameter that begin within a row lose large numbers.
    Value view = isCut && isOfParameter(x) && shape[W] % step == 0
                     ? copyOfColumns(builder, location, x, whole)
                     : viewAlong(builder, location, x, W, first, to - first);
    view = transposeBy(builder, location, view, columnsAsChannels);
    parts.push_back(
        viewAlong(builder, location, view, C, from - first, to - from));
  }
  addZeros(wanted.end() - std::max(to, wanted.begin));
  channels = concatAlong(builder, location, parts, C);
}

Value TurnedColumns::columns(OpBuilder &builder, IndexRange range) const {
  return transposeBy(builder, channels.getLoc(),
                     viewAlong(builder, channels.getLoc(), channels, C,
                               range.begin - begin, range.count),
                     columnsAsChannels);
}
