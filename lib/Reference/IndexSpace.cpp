//===- IndexSpace.cpp - Walks over the indices of tensors -----------------===//

#include "IndexSpace.h"

using namespace ane::reference;
using llvm::ArrayRef;

Strides ane::reference::broadcastStrides(ArrayRef<int64_t> shape,
                                         ArrayRef<int64_t> target) {
  Strides strides(target.size() - shape.size(), 0);
  llvm::append_range(strides, rowMajorStrides(shape));
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] == 1)
      strides[target.size() - shape.size() + dim] = 0;
  return strides;
}

AxisSplit::AxisSplit(ArrayRef<int64_t> shape, int64_t axis) {
  if (axis < 0)
    axis += shape.size();
  outer = llvm::product_of(shape.take_front(axis));
  extent = shape[axis];
  inner = llvm::product_of(shape.drop_front(axis + 1));
}
