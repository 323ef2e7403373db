//===- CheckBuffers.cpp - Layouts that ports of the target have -----------===//

#include "Check/CheckSupport.h"
#include "ane/Support/Constraint.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

/// Elements from one entry to the next of each dimension but the last, where
/// rows start at multiples of `step` and everything is packed. Rows that a
/// surface has in parts follow each other without a gap.
static SmallVector<int64_t> packedLayout(ArrayRef<int64_t> shape,
                                         int64_t step) {
  SmallVector<int64_t> strides(shape.size(), 1);
  int64_t inside = llvm::alignTo(shape.back(), step);
  for (size_t dim = shape.size() - 1; dim-- > 0;) {
    strides[dim] = inside;
    inside *= shape[dim];
  }
  return strides;
}

LogicalResult SupportChecker::checkLayout(Location location, const Twine &what,
                                          DictionaryAttr attrs, Type type) {
  mil::BufferLayoutAttr layout = mil::getPortLayout(attrs);
  if (!layout)
    return success();
  ArrayRef<int64_t> factors = layout.getInterleaveFactors();
  if (llvm::any_of(factors, [](int64_t factor) { return factor != 1; }))
    return emitError(location)
           << what << " has interleave factors " << mil::formatExtents(factors)
           << "; a port has 1 everywhere: declare those, and pass the "
              "elements that way"
           << ConstraintId(target.rule("buffer-c1"));

  // What is no fp16 is cast on its way to the surface, from wherever it lies.
  auto host = cast<RankedTensorType>(hostTypeOf(attrs, type));
  if (!host.getElementType().isF16())
    return success();
  int64_t step = target.rowStep();
  ArrayRef<int64_t> shape = host.getShape(), strides = layout.getStrides();
  SmallVector<int64_t> packed = packedLayout(shape, step);
  bool isFolded = host.getShape() != cast<RankedTensorType>(type).getShape();
  bool fits = true;
  int64_t inside = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (shape[dim] == 1)
      continue;
    bool isRow = dim == shape.size() - 1;
    fits &= isRow || isFolded
                ? strides[dim] == packed[dim]
                : strides[dim] % step == 0 && strides[dim] >= inside;
    inside = strides[dim] * shape[dim];
  }
  if (fits)
    return success();
  std::string order = "dimensions lie in their order";
  if (isFolded)
    order = ("where they are longer than " + Twine(target.maxWidth) +
             " nothing is between them")
                .str();
  return emitError(location)
         << what << " has strides " << mil::formatExtents(strides)
         << "; the elements of a row of a port follow each other, rows start "
            "at multiples of "
         << step << " elements, and " << order << ": declare strides "
         << mil::formatExtents(packed)
         << ConstraintId(target.rule("buffer-c2"));
}
