//===- FoldMove.cpp - Constants made of elements of others ----------------===//
//
// The reference interpreter holds each element wide, which a weight of hundreds
// of megabytes makes felt. Elements that only move are copied as they are.
//
//===----------------------------------------------------------------------===//

#include "Constants/StoredElements.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "ane/Support/StridedCopy.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

using Elements = std::optional<SmallVector<ElementsAttr>>;

RankedTensorType typeOf(Value value) {
  return withoutLayout(cast<RankedTensorType>(value.getType()));
}

/// The elements of `x` from `first` on with `strides`, in the order of a result
/// of this type.
std::optional<ElementsAttr> readStrided(Value x, RankedTensorType type,
                                        ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> strides,
                                        int64_t first) {
  std::optional<StoredElements> from = StoredElements::get(x);
  std::optional<size_t> size = from ? from->elementBytes() : std::nullopt;
  if (!size || from->type.getElementType() != type.getElementType() ||
      llvm::product_of(shape) != type.getNumElements())
    return std::nullopt;
  return makeStored(type, [&](MutableArrayRef<char> to) {
    copyStrided(from->bytes.data() + first * *size, shape, strides, *size,
                to.data());
  });
}

std::optional<ElementsAttr> readSlice(Value x, RankedTensorType type,
                                      ArrayRef<SliceDim> slice) {
  SmallVector<int64_t> strides = rowMajorStrides(typeOf(x).getShape()), shape;
  int64_t first = 0;
  for (auto [stride, dim] : llvm::zip_equal(strides, slice)) {
    first += dim.begin * stride;
    stride *= dim.step;
    shape.push_back(dim.extent);
  }
  return readStrided(x, type, shape, strides, first);
}

Elements only(std::optional<ElementsAttr> elements) {
  if (!elements)
    return std::nullopt;
  return SmallVector<ElementsAttr>{*elements};
}

template <typename Op> Elements foldSlice(Op op) {
  std::optional<SmallVector<SliceDim>> slice = getSlice(op);
  if (!slice)
    return std::nullopt;
  return only(readSlice(op.getX(), typeOf(op.getResult()), *slice));
}

Elements foldSplit(SplitOp op) {
  std::optional<SmallVector<SmallVector<SliceDim>>> parts = getParts(op);
  if (!parts)
    return std::nullopt;
  SmallVector<ElementsAttr> results;
  for (auto [result, part] : llvm::zip_equal(op->getResults(), *parts)) {
    std::optional<ElementsAttr> elements =
        readSlice(op.getX(), typeOf(result), part);
    if (!elements)
      return std::nullopt;
    results.push_back(*elements);
  }
  return results;
}

Elements foldTranspose(TransposeOp op) {
  std::optional<SmallVector<int64_t>> perm = getConstantInts(op.getPerm());
  if (!perm)
    return std::nullopt;
  SmallVector<int64_t> strides = rowMajorStrides(typeOf(op.getX()).getShape());
  SmallVector<int64_t> order;
  for (int64_t dim : *perm)
    order.push_back(strides[fromFront(dim, strides.size())]);
  RankedTensorType type = typeOf(op.getResult());
  return only(readStrided(op.getX(), type, type.getShape(), order, 0));
}

/// The same elements with another shape; a resource is not copied.
Elements foldReshape(Operation *op) {
  ElementsAttr elements = getConstantElements(op->getOperand(0));
  RankedTensorType type = typeOf(op->getResult(0));
  if (elements.getElementType() != type.getElementType() ||
      elements.getNumElements() != type.getNumElements())
    return std::nullopt;
  if (auto dense = dyn_cast<DenseElementsAttr>(elements))
    return only(dense.reshape(type));
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    return only(DenseResourceElementsAttr::get(type, resource.getRawHandle()));
  return std::nullopt;
}

Elements foldConcat(ConcatOp op) {
  RankedTensorType type = typeOf(op.getResult());
  std::optional<int64_t> axis = getConstantInt(op.getAxis());
  if (!axis || getBoolOr(op.getInterleave(), false) != false)
    return std::nullopt;
  // Scalars have no axis, and are few.
  if (typeOf(op.getValues().front()).getRank() == 0)
    return std::nullopt;
  int64_t dim = fromFront(*axis, type.getRank());
  SmallVector<StoredElements> parts;
  int64_t extent = 0;
  for (Value value : op.getValues()) {
    std::optional<StoredElements> part = StoredElements::get(value);
    if (!part || !part->elementBytes() ||
        part->type.getElementType() != type.getElementType())
      return std::nullopt;
    parts.push_back(*part);
    extent += part->type.getDimSize(dim);
  }
  if (extent != type.getDimSize(dim))
    return std::nullopt;
  int64_t outer = llvm::product_of(type.getShape().take_front(dim));
  return only(makeStored(type, [&](MutableArrayRef<char> to) {
    char *next = to.data();
    for (int64_t i = 0; i < outer; ++i)
      for (const StoredElements &part : parts) {
        size_t size = part.bytes.size() / outer;
        next = std::copy_n(part.bytes.data() + i * size, size, next);
      }
  }));
}

} // namespace

Elements mil::foldMove(Operation *op) {
  if (op->getNumOperands() == 0 ||
      !llvm::all_of(op->getResultTypes(), canMakeStored) ||
      !getConstantElements(op->getOperand(0)))
    return std::nullopt;
  if (op->hasTrait<Reshapes>() || isa<IdentityOp>(op))
    return foldReshape(op);
  return llvm::TypeSwitch<Operation *, Elements>(op)
      .Case([](SliceByIndexOp op) { return foldSlice(op); })
      .Case([](SliceBySizeOp op) { return foldSlice(op); })
      .Case([](SplitOp op) { return foldSplit(op); })
      .Case([](TransposeOp op) { return foldTranspose(op); })
      .Case([](ConcatOp op) { return foldConcat(op); })
      .Default([](Operation *) { return std::nullopt; });
}
