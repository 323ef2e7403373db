//===- Fill.cpp - Ops that make, extend or mask tensors -------------------===//

#include "Moves/Rearrange.h"
#include "OpTable.h"
#include "ane/Dialect/MIL/IR/RangeLength.h"

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

namespace {

/// A result whose elements are that of `value`, or zero.
template <typename Op> Tensor fillResult(Op op, const Tensor *value) {
  Tensor result = resultOf(op);
  if (value)
    withPayload(result, [&](auto payload) {
      using T = decltype(payload);
      llvm::fill(result.values<T>(), value->values<T>().front());
    });
  return result;
}

Tensor bandPart(BandPartOp op, Inputs<BandPartOp> in) {
  Tensor result = resultOf(op);
  int64_t lower = in.getInt("lower"), upper = in.getInt("upper");
  int64_t rows = result.getShape().end()[-2],
          columns = result.getShape().back();
  withPayload(result, [&](auto payload) {
    using T = decltype(payload);
    ArrayRef<T> x = in.getX()->template values<T>();
    MutableArrayRef<T> out = result.values<T>();
    for (size_t i = 0; i < x.size(); ++i) {
      int64_t n = i % columns, m = i / columns % rows;
      if ((lower < 0 || m - n <= lower) && (upper < 0 || n - m <= upper))
        out[i] = x[i];
    }
  });
  return result;
}

Tensor cumsum(CumsumOp op, Inputs<CumsumOp> in) {
  Tensor result = resultOf(op);
  AxisSplit split(result.getShape(), in.getInt("axis"));
  bool exclusive = in.getBool("exclusive");
  bool backwards = in.getBool("reverse");
  withPayload(result, [&](auto payload) {
    using T = decltype(payload);
    ArrayRef<T> x = in.getX()->template values<T>();
    MutableArrayRef<T> out = result.values<T>();
    for (int64_t o = 0; o < split.outer; ++o)
      for (int64_t n = 0; n < split.inner; ++n) {
        T sum = 0;
        for (int64_t step = 0; step < split.extent; ++step) {
          int64_t i = backwards ? split.extent - 1 - step : step;
          int64_t at = (o * split.extent + i) * split.inner + n;
          T before = sum;
          sum += x[at];
          out[at] = exclusive ? before : sum;
        }
      }
  });
  return result;
}

FailureOr<Tensor> nonZero(NonZeroOp op, Inputs<NonZeroOp> in) {
  const Tensor &x = *in.getX();
  std::vector<int64_t> found;
  withPayload(x, [&](auto payload) {
    using T = decltype(payload);
    for (auto [index, element] : llvm::enumerate(x.values<T>()))
      if (element != 0)
        found.push_back(index);
  });
  auto type = RankedTensorType::get({int64_t(found.size()), x.getRank()},
                                    IntegerType::get(op.getContext(), 32));
  if (llvm::Error error = Tensor::check(type))
    return report(op) << llvm::toString(std::move(error));
  Tensor result(type);
  Strides strides = rowMajorStrides(x.getShape());
  int64_t *out = result.ints().data();
  for (int64_t offset : found)
    for (int64_t stride : strides) {
      *out++ = offset / stride;
      offset %= stride;
    }
  return result;
}

Tensor oneHot(OneHotOp op, Inputs<OneHotOp> in) {
  Tensor result = resultOf(op);
  AxisSplit split(result.getShape(), in.getInt("axis"));
  ArrayRef<int64_t> indices = in.getIndices()->ints();
  withPayload(result, [&](auto payload) {
    using T = decltype(payload);
    auto valueOr = [](const Tensor *tensor, T defaultValue) {
      return tensor ? tensor->values<T>().front() : defaultValue;
    };
    T on = valueOr(in.getOnValue(), 1), off = valueOr(in.getOffValue(), 0);
    T *out = result.values<T>().data();
    for (int64_t o = 0; o < split.outer; ++o)
      for (int64_t i = 0; i < split.extent; ++i)
        for (int64_t n = 0; n < split.inner; ++n)
          *out++ = indices[o * split.inner + n] == i ? on : off;
  });
  return result;
}

Tensor pad(PadOp op, Inputs<PadOp> in) {
  Tensor result = *in.getX();
  Padding padding = Padding::Constant;
  StringRef mode = getString(op, "mode");
  if (mode != "constant")
    padding = mode == "reflect" ? Padding::Reflect : Padding::Replicate;
  ArrayRef<int64_t> entries = in.getPad()->ints();
  int64_t firstDim = result.getRank() - int64_t(entries.size()) / 2;
  for (size_t i = 0; i < entries.size(); i += 2)
    if (entries[i] != 0 || entries[i + 1] != 0)
      result = padAxis(result, firstDim + i / 2, entries[i], entries[i + 1],
                       padding, in.getConstantVal());
  return result;
}

FailureOr<Tensor> range1d(Range1dOp op, Inputs<Range1dOp> in) {
  const Tensor &start = *in.getStart();
  Type elementType = start.getElementType();
  std::optional<Tensor> result;
  bool reaches = withPayload(start, [&](auto payload) {
    using T = decltype(payload);
    T first = start.values<T>().front();
    T end = in.getEnd()->template values<T>().front();
    T step = in.getStep()->template values<T>().front();
    double count =
        rangeLength(elementType, double(first), double(end), double(step));
    if (!(count <= double(Tensor::maxElements)))
      return false;
    result.emplace(RankedTensorType::get(int64_t(count), elementType));
    for (auto [index, element] : llvm::enumerate(result->template values<T>()))
      element = first + static_cast<T>(index) * step;
    return true;
  });
  if (!reaches)
    return report(op) << "the numbers do not reach 'end' within the "
                      << Tensor::maxElements
                      << " elements that the reference holds";
  return std::move(*result);
}

Tensor tile(TileOp op, Inputs<TileOp> in) {
  // A dimension repeated is two, of which the outer has stride 0.
  llvm::SmallVector<int64_t> shape;
  Strides strides;
  for (auto [repetitions, extent, stride] :
       llvm::zip_equal(in.getReps()->ints(), in.getX()->getShape(),
                       rowMajorStrides(in.getX()->getShape()))) {
    shape.append({repetitions, extent});
    strides.append({0, stride});
  }
  return readStrided(*in.getX(), cast<RankedTensorType>(op.getType()), shape,
                     strides);
}

} // namespace

void ane::reference::registerFillOps(OpTable &table) {
  table.add<BandPartOp>(bandPart);
  table.add<CumsumOp>(cumsum);
  table.add<FillOp>(
      [](FillOp op, Inputs<FillOp> in) {
        return fillResult(op, in.getValue());
      },
      OpTable::ShapeFrom::Values);
  table.add<FillLikeOp>([](FillLikeOp op, Inputs<FillLikeOp> in) {
    return fillResult(op, in.getValue());
  });
  table.add<NonZeroOp>(nonZero, OpTable::ShapeFrom::Function);
  table.add<OneHotOp>(oneHot, OpTable::ShapeFrom::Values);
  table.add<PadOp>(pad, OpTable::ShapeFrom::Values);
  table.add<Range1dOp>(range1d, OpTable::ShapeFrom::Function);
  table.add<TileOp>(tile, OpTable::ShapeFrom::Values);
}
