//===- Indexing.cpp - Gather and scatter ----------------------------------===//

#include "Elements/Elementwise.h"
#include "IndexSpace.h"
#include "OpTable.h"
#include "ane/Dialect/MIL/IR/Choice.h"

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

namespace {

/// An index as one in [0, extent), or an error at the op.
FailureOr<int64_t> resolveIndex(Operation *op, int64_t index, int64_t lowest,
                                int64_t extent) {
  if (index < lowest || index >= extent)
    return report(op) << "index " << index << " is outside [" << lowest << ", "
                      << extent << ")";
  return index < 0 ? index + extent : index;
}

/// All of them, for one dimension of extent `extent`.
FailureOr<std::vector<int64_t>>
resolveIndices(Operation *op, const Tensor &indices, int64_t extent) {
  int64_t lowest = lowestIndex(op, extent);
  std::vector<int64_t> resolved;
  resolved.reserve(indices.getNumElements());
  for (int64_t index : indices.ints()) {
    FailureOr<int64_t> place = resolveIndex(op, index, lowest, extent);
    if (failed(place))
      return failure();
    resolved.push_back(*place);
  }
  return resolved;
}

/// Tuples of indices, which choose in the dimensions `shape`, as offsets in a
/// row-major tensor of those dimensions.
FailureOr<std::vector<int64_t>>
resolveTuples(Operation *op, const Tensor &indices, ArrayRef<int64_t> shape) {
  Strides strides = rowMajorStrides(shape);
  SmallVector<int64_t> lowest;
  for (int64_t extent : shape)
    lowest.push_back(lowestIndex(op, extent));
  std::vector<int64_t> offsets(llvm::product_of(indices.getShape().drop_back()),
                               0);
  const int64_t *next = indices.ints().data();
  for (int64_t &offset : offsets)
    for (size_t k = 0; k < shape.size(); ++k) {
      FailureOr<int64_t> place = resolveIndex(op, *next++, lowest[k], shape[k]);
      if (failed(place))
        return failure();
      offset += *place * strides[k];
    }
  return offsets;
}

FailureOr<Tensor> gather(GatherOp op, Inputs<GatherOp> in) {
  const Tensor &x = *in.getX(), &indices = *in.getIndices();
  int64_t axis = in.getInt("axis"), batch = in.getInt("batch_dims");
  if (axis < 0)
    axis += x.getRank();
  AxisSplit split(x.getShape(), axis);
  FailureOr<std::vector<int64_t>> places =
      resolveIndices(op, indices, split.extent);
  if (failed(places))
    return failure();
  int64_t batches = llvm::product_of(x.getShape().take_front(batch));
  int64_t middle = llvm::product_of(x.getShape().slice(batch, axis - batch));
  int64_t count = llvm::product_of(indices.getShape().drop_front(batch));
  Tensor result = resultOf(op);
  withPayload(x, [&](auto payload) {
    using T = decltype(payload);
    const T *from = x.values<T>().data();
    T *to = result.values<T>().data();
    for (int64_t b = 0; b < batches; ++b)
      for (int64_t m = 0; m < middle; ++m, from += split.extent * split.inner)
        for (int64_t i = 0; i < count; ++i, to += split.inner)
          std::copy_n(from + (*places)[b * count + i] * split.inner,
                      split.inner, to);
  });
  return result;
}

FailureOr<Tensor> gatherAlongAxis(GatherAlongAxisOp op,
                                  Inputs<GatherAlongAxisOp> in) {
  const Tensor &x = *in.getX();
  AxisSplit from(x.getShape(), in.getInt("axis"));
  AxisSplit to(in.getIndices()->getShape(), in.getInt("axis"));
  FailureOr<std::vector<int64_t>> places =
      resolveIndices(op, *in.getIndices(), from.extent);
  if (failed(places))
    return failure();
  Tensor result = resultOf(op);
  withPayload(x, [&](auto payload) {
    using T = decltype(payload);
    ArrayRef<T> values = x.values<T>();
    T *out = result.values<T>().data();
    const int64_t *place = places->data();
    for (int64_t o = 0; o < to.outer; ++o)
      for (int64_t i = 0; i < to.extent; ++i)
        for (int64_t n = 0; n < to.inner; ++n)
          *out++ = values[(o * from.extent + *place++) * from.inner + n];
  });
  return result;
}

FailureOr<Tensor> gatherNd(GatherNdOp op, Inputs<GatherNdOp> in) {
  const Tensor &x = *in.getX(), &indices = *in.getIndices();
  int64_t batch = in.getInt("batch_dims");
  ArrayRef<int64_t> behind = x.getShape().drop_front(batch);
  ArrayRef<int64_t> chosen = behind.take_front(indices.getShape().back());
  FailureOr<std::vector<int64_t>> offsets = resolveTuples(op, indices, chosen);
  if (failed(offsets))
    return failure();
  int64_t batches = llvm::product_of(x.getShape().take_front(batch));
  int64_t count = batches == 0 ? 0 : offsets->size() / batches;
  int64_t inner = llvm::product_of(behind.drop_front(chosen.size()));
  Tensor result = resultOf(op);
  withPayload(x, [&](auto payload) {
    using T = decltype(payload);
    const T *from = x.values<T>().data();
    T *to = result.values<T>().data();
    for (int64_t b = 0; b < batches; ++b, from += llvm::product_of(behind))
      for (int64_t i = 0; i < count; ++i, to += inner)
        std::copy_n(from + (*offsets)[b * count + i] * inner, inner, to);
  });
  return result;
}

/// What becomes of an element and an update in a mode.
template <typename T> T combine(StringRef mode, T element, T update) {
  if (mode == "update")
    return update;
  if (mode == "add")
    return element + update;
  if (mode == "sub")
    return element - update;
  if (mode == "mul")
    return element * update;
  if (mode == "div")
    return element / update;
  return mode == "max" ? larger(element, update) : smaller(element, update);
}

/// A copy of `data` with updates applied; `place(i)` is where the i-th goes.
template <typename Op, typename Place>
FailureOr<Tensor> scatterTo(Op op, Inputs<Op> in, Place place) {
  StringRef mode = getString(op, "mode");
  const Tensor &updates = *in.getUpdates();
  Tensor result = *in.getData();
  if (mode == "div" && !result.isFloat() &&
      llvm::is_contained(updates.ints(), 0))
    return report(op) << "an update divides an integer by 0";
  withPayload(result, [&](auto payload) {
    using T = decltype(payload);
    MutableArrayRef<T> out = result.values<T>();
    for (auto [index, update] : llvm::enumerate(updates.values<T>())) {
      T &element = out[place(index)];
      element = combine(mode, element, update);
    }
  });
  return result;
}

FailureOr<Tensor> scatter(ScatterOp op, Inputs<ScatterOp> in) {
  AxisSplit split(in.getData()->getShape(), in.getInt("axis"));
  FailureOr<std::vector<int64_t>> places =
      resolveIndices(op, *in.getIndices(), split.extent);
  if (failed(places))
    return failure();
  int64_t count = places->size();
  return scatterTo(op, in, [&](int64_t at) {
    int64_t n = at % split.inner, i = at / split.inner % count;
    int64_t o = at / split.inner / count;
    return (o * split.extent + (*places)[i]) * split.inner + n;
  });
}

FailureOr<Tensor> scatterAlongAxis(ScatterAlongAxisOp op,
                                   Inputs<ScatterAlongAxisOp> in) {
  AxisSplit to(in.getData()->getShape(), in.getInt("axis"));
  AxisSplit from(in.getIndices()->getShape(), in.getInt("axis"));
  FailureOr<std::vector<int64_t>> places =
      resolveIndices(op, *in.getIndices(), to.extent);
  if (failed(places))
    return failure();
  return scatterTo(op, in, [&](int64_t at) {
    int64_t o = at / from.inner / from.extent;
    return (o * to.extent + (*places)[at]) * to.inner + at % from.inner;
  });
}

FailureOr<Tensor> scatterNd(ScatterNdOp op, Inputs<ScatterNdOp> in) {
  ArrayRef<int64_t> shape = in.getData()->getShape();
  int64_t length = in.getIndices()->getShape().back();
  FailureOr<std::vector<int64_t>> offsets =
      resolveTuples(op, *in.getIndices(), shape.take_front(length));
  if (failed(offsets))
    return failure();
  int64_t inner = llvm::product_of(shape.drop_front(length));
  return scatterTo(op, in, [&](int64_t at) {
    return (*offsets)[at / inner] * inner + at % inner;
  });
}

} // namespace

void ane::reference::registerIndexingOps(OpTable &table) {
  table.add<GatherOp>(gather);
  table.add<GatherAlongAxisOp>(gatherAlongAxis);
  table.add<GatherNdOp>(gatherNd);
  table.add<ScatterOp>(scatter);
  table.add<ScatterAlongAxisOp>(scatterAlongAxis);
  table.add<ScatterNdOp>(scatterNd);
}
