//===- Slice.cpp - Slices -------------------------------------------------===//

#include "Moves/Rearrange.h"
#include "OpTable.h"

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

namespace {

/// Where a slice starts, how far apart its elements are and how many there are,
/// in each dimension of `x`; one in a dimension that is squeezed.
struct Slice {
  SmallVector<int64_t> first, steps, extents;
};

template <typename Op> Slice sliceOf(Inputs<Op> in) {
  Slice slice;
  auto isSet = [](const Tensor *mask, int64_t dim) {
    return mask && mask->ints()[dim] != 0;
  };
  for (auto [dim, extent] : llvm::enumerate(in.getX()->getShape())) {
    int64_t step = in.getStride() ? in.getStride()->ints()[dim] : 1;
    // The places that a bound can have.
    int64_t low = step > 0 ? 0 : -1;
    int64_t high = step > 0 ? extent : extent - 1;
    auto place = [&, extent = extent](int64_t bound) {
      return std::clamp(bound < 0 ? bound + extent : bound, low, high);
    };
    int64_t begin = place(in.getBegin()->ints()[dim]);
    int64_t end = place(in.getEnd()->ints()[dim]);
    if (isSet(in.getBeginMask(), dim))
      begin = step > 0 ? low : high;
    if (isSet(in.getEndMask(), dim))
      end = step > 0 ? high : low;
    int64_t distance = step > 0 ? end - begin : begin - end;
    int64_t count = distance <= 0 ? 0 : (distance - 1) / std::abs(step) + 1;
    if (isSet(in.getSqueezeMask(), dim)) {
      // A mask stands for the index 0, whatever the stride is.
      int64_t index =
          isSet(in.getBeginMask(), dim) ? 0 : in.getBegin()->ints()[dim];
      begin = index < 0 ? index + extent : index;
      count = 1;
    }
    slice.first.push_back(count == 0 ? 0 : begin);
    slice.steps.push_back(step);
    slice.extents.push_back(count);
  }
  return slice;
}

Tensor sliceByIndex(SliceByIndexOp op, Inputs<SliceByIndexOp> in) {
  Slice slice = sliceOf<SliceByIndexOp>(in);
  return readSlice(*in.getX(), cast<RankedTensorType>(op.getType()),
                   slice.first, slice.steps, slice.extents);
}

Tensor sliceBySize(SliceBySizeOp op, Inputs<SliceBySizeOp> in) {
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<int64_t> first(in.getBegin()->ints());
  for (auto [begin, extent] : llvm::zip_equal(first, in.getX()->getShape()))
    if (begin < 0)
      begin += extent;
  return readSlice(*in.getX(), type, first,
                   SmallVector<int64_t>(type.getRank(), 1), type.getShape());
}

FailureOr<Tensor> sliceUpdate(SliceUpdateOp op, Inputs<SliceUpdateOp> in) {
  Slice slice = sliceOf<SliceUpdateOp>(in);
  if (ShapedType::getNumElements(slice.extents) !=
      in.getUpdate()->getNumElements())
    return report(op) << "'update' is " << formatType(in.getUpdate()->getType())
                      << ", but the slice it replaces has "
                      << ShapedType::getNumElements(slice.extents)
                      << " elements";
  Tensor result = *in.getX();
  Strides strides = rowMajorStrides(result.getShape());
  int64_t first = 0;
  for (size_t dim = 0; dim < strides.size(); ++dim) {
    first += slice.first[dim] * strides[dim];
    strides[dim] *= slice.steps[dim];
  }
  withPayload(result, [&](auto payload) {
    using T = decltype(payload);
    const T *next = in.getUpdate()->template values<T>().data();
    MutableArrayRef<T> out = result.values<T>();
    forEachIndex<1>(slice.extents, {strides}, [&](std::array<int64_t, 1> at) {
      out[first + at[0]] = *next++;
    });
  });
  return result;
}

} // namespace

void ane::reference::registerSliceOps(OpTable &table) {
  table.add<SliceByIndexOp>(sliceByIndex, OpTable::ShapeFrom::Values);
  table.add<SliceBySizeOp>(sliceBySize, OpTable::ShapeFrom::Values);
  // Not the shape of the result, but that of `update` depends on values.
  table.add<SliceUpdateOp>(sliceUpdate, OpTable::ShapeFrom::Values);
}
