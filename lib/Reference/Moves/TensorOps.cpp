//===- TensorOps.cpp - Shape and storage ----------------------------------===//

#include "IndexSpace.h"
#include "OpTable.h"
#include "ane/Support/FormatShape.h"

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

namespace {

/// The same elements in the shape of the result.
template <typename Op> Tensor reshapeToResult(Op op, Inputs<Op> in) {
  return in.getX()->reshaped(cast<ShapedType>(op.getType()).getShape());
}

/// How a tensor lies in memory is nothing that the reference has.
template <typename Op> Tensor copyInput(Op, Inputs<Op> in) {
  return *in.getInput();
}

/// The shape may be computed by the program, so it is compared with the
/// declared one. A 0 copies an extent of `x`, counted from the last dimension,
/// and stands for 1 where `x` has none (ios17; up to ios16 the ranks must be
/// equal).
FailureOr<Tensor> reshape(ReshapeOp op, Inputs<ReshapeOp> in) {
  const Tensor &x = *in.getX();
  ArrayRef<int64_t> declared = cast<ShapedType>(op.getType()).getShape();
  ArrayRef<int64_t> entries = in.getShape()->ints();
  bool fits = entries.size() == declared.size() &&
              ShapedType::getNumElements(declared) == x.getNumElements();
  for (size_t dim = 0; fits && dim < entries.size(); ++dim) {
    int64_t extent = entries[dim];
    if (extent == 0) {
      int64_t source = x.getRank() + int64_t(dim) - int64_t(entries.size());
      extent = source < 0 ? 1 : x.getDimSize(source);
    }
    fits = extent == -1 || extent == declared[dim];
  }
  if (!fits)
    return report(op) << "'shape' is " << ane::formatShape(entries) << ", but "
                      << formatType(x.getType()) << " is declared to become "
                      << formatType(op.getType());
  return x.reshaped(declared);
}

Tensor stackAlong(int64_t axis, Tensor result,
                  ArrayRef<const Tensor *> values) {
  AxisSplit whole(result.getShape(), axis);
  for (auto [which, value] : enumerate(values))
    withPayload(result, [&, which = which, value = value](auto payload) {
      using T = decltype(payload);
      const T *from = value->values<T>().data();
      T *to = result.values<T>().data() + which * whole.inner;
      for (int64_t o = 0; o < whole.outer; ++o)
        std::copy_n(from + o * whole.inner, whole.inner,
                    to + o * whole.extent * whole.inner);
    });
  return result;
}

Tensor concat(ConcatOp op, Inputs<ConcatOp> in) {
  Tensor result = resultOf(op);
  // Scalars make a list, whatever the axis.
  if (in.getValues().front()->getShape().empty())
    return stackAlong(0, std::move(result), in.getValues());
  AxisSplit whole(result.getShape(), in.getAxis()->ints().front());
  bool interleave = in.getBool("interleave");
  int64_t count = in.getValues().size(), start = 0;
  for (auto [which, value] : enumerate(in.getValues())) {
    AxisSplit part(value->getShape(), in.getAxis()->ints().front());
    withPayload(result, [&, which = which, value = value](auto payload) {
      using T = decltype(payload);
      const T *from = value->values<T>().data();
      T *to = result.values<T>().data();
      for (int64_t o = 0; o < part.outer; ++o)
        for (int64_t i = 0; i < part.extent; ++i, from += part.inner) {
          int64_t at = interleave ? i * count + which : start + i;
          std::copy_n(from, part.inner,
                      to + (o * whole.extent + at) * whole.inner);
        }
    });
    start += part.extent;
  }
  return result;
}

Tensor shape(ShapeOp op, Inputs<ShapeOp> in) {
  Tensor result = resultOf(op);
  llvm::copy(in.getX()->getShape(), result.ints().begin());
  return result;
}

SmallVector<Tensor> split(SplitOp op, Inputs<SplitOp> in) {
  const Tensor &x = *in.getX();
  AxisSplit whole(x.getShape(), in.getAxis()->ints().front());
  SmallVector<Tensor> results;
  int64_t start = 0;
  for (unsigned which = 0; which < op->getNumResults(); ++which) {
    Tensor &part = results.emplace_back(resultOf(op, which));
    AxisSplit size(part.getShape(), in.getAxis()->ints().front());
    withPayload(x, [&](auto payload) {
      using T = decltype(payload);
      const T *from = x.values<T>().data() + start * whole.inner;
      T *to = part.values<T>().data();
      int64_t run = size.extent * size.inner;
      for (int64_t o = 0; o < whole.outer; ++o)
        std::copy_n(from + o * whole.extent * whole.inner, run, to + o * run);
    });
    start += size.extent;
  }
  return results;
}

Tensor stack(StackOp op, Inputs<StackOp> in) {
  return stackAlong(in.getAxis()->ints().front(), resultOf(op), in.getValues());
}

} // namespace

void ane::reference::registerTensorOps(OpTable &table) {
  table.add<IdentityOp>(reshapeToResult<IdentityOp>);
  table.add<TensorBufferToTensorOp>(copyInput<TensorBufferToTensorOp>);
  table.add<TensorToTensorBufferOp>(copyInput<TensorToTensorBufferOp>);
  table.add<ExpandDimsOp>(reshapeToResult<ExpandDimsOp>);
  table.add<SqueezeOp>(reshapeToResult<SqueezeOp>);
  table.add<Flatten2dOp>(reshapeToResult<Flatten2dOp>);
  table.add<ReshapeOp>(reshape);
  table.add<ConcatOp>(concat);
  table.add<ShapeOp>(shape);
  table.add<SplitOp>(split);
  table.add<StackOp>(stack);
}
