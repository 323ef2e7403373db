//===- TransformOps.cpp - Rearranging elements ----------------------------===//

#include "ShapeParams.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Support/Counted.h"
#include "ane/Support/FormatShape.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// An extent in parts; unknown if it is.
int64_t divideExtent(int64_t extent, int64_t parts) {
  return ShapedType::isDynamic(extent) ? extent : extent / parts;
}

/// Whether parts divide an extent as far as is known.
bool canDivide(int64_t extent, int64_t parts) {
  return ShapedType::isDynamic(extent) || extent % parts == 0;
}

/// [N, C, H, W] with blocks of `factor` by `factor` pixels moved from the
/// channels to the picture, or back.
LogicalResult inferBlocks(Operation *op, Value input, Value factorInput,
                          StringRef factorName, bool toSpace,
                          SmallVectorImpl<Type> &types) {
  auto x = tensorType(input);
  if (!x)
    return keepDeclared(op, types);
  if (x.getRank() != 4)
    return refuse(op, "mil-block-c1",
                  "'x' is " + formatType(x) +
                      "; it must be batch, channels, height and width");
  FailureOr<MaybeInt> given = scalarInt(op, factorInput, factorName);
  if (failed(given))
    return failure();
  SmallVector<int64_t> shape(x.getShape());
  if (!*given) {
    for (int64_t dim = 1; dim < 4; ++dim)
      shape[dim] = ShapedType::kDynamic;
    return addResult(op, types, shape, x.getElementType());
  }

  int64_t factor = **given;
  // A larger factor divides no extent; its square would overflow.
  bool fits = factor >= 1 && factor <= INT32_MAX;
  if (fits && toSpace)
    fits = canDivide(shape[1], factor * factor);
  else if (fits)
    fits = canDivide(shape[2], factor) && canDivide(shape[3], factor);
  if (!fits)
    return refuse(op, "mil-block-c2",
                  "'" + factorName + "' is " + Twine(factor) +
                      "; it must be at least 1, and " +
                      (toSpace ? "its square divide the channels"
                               : "divide height and width") +
                      " of " + formatType(x));
  shape[1] = toSpace ? divideExtent(shape[1], factor * factor)
                     : multiplyExtents(shape[1], factor * factor);
  for (int64_t dim = 2; dim < 4; ++dim)
    shape[dim] = toSpace ? multiplyExtents(shape[dim], factor)
                         : divideExtent(shape[dim], factor);
  return addResult(op, types, shape, x.getElementType());
}

/// Blocks, and what is added to or cut off before and after, of the spatial
/// dimensions; nothing if they are computed. Constraints `mil-batch-c1` and
/// `mil-batch-c2`.
struct BatchBlocks {
  SmallVector<int64_t> blocks, margins;
};
FailureOr<std::optional<BatchBlocks>>
readBatchBlocks(Operation *op, RankedTensorType x, Value blockShape,
                Value margins, StringRef marginName) {
  auto blockType = tensorType(blockShape), marginType = tensorType(margins);
  if (x.getRank() != 4 || blockType.getRank() != 1 ||
      marginType.getRank() != 2 || !agree(blockType.getDimSize(0), 2) ||
      !agree(marginType.getShape(), {2, 2}))
    return LogicalResult(refuse(
        op, "mil-batch-c1",
        "'x' is " + formatType(x) + ", 'block_shape' " + formatType(blockType) +
            " and '" + marginName + "' " + formatType(marginType) +
            "; they must have rank 4 and shapes [2] and [2, 2]: reshape 'x', "
            "and give a block of 1 to a dimension that is not cut"));
  auto blocks = getConstantInts(blockShape), sizes = getConstantInts(margins);
  auto lessThan = [](int64_t limit) {
    return [limit](int64_t entry) { return entry < limit; };
  };
  if (blocks && llvm::any_of(*blocks, lessThan(1)))
    return LogicalResult(refuse(op, "mil-batch-c2",
                                "'block_shape' is " + formatShape(*blocks) +
                                    "; each entry must be at least 1"));
  if (sizes && llvm::any_of(*sizes, lessThan(0)))
    return LogicalResult(refuse(op, "mil-batch-c2",
                                "'" + marginName + "' is " +
                                    formatShape(*sizes) +
                                    "; each entry must be at least 0"));
  if (!blocks || !sizes)
    return std::optional<BatchBlocks>();
  return std::optional<BatchBlocks>(BatchBlocks{*blocks, *sizes});
}

} // namespace

LogicalResult DepthToSpaceOp::inferTypes(SmallVectorImpl<Type> &types) {
  return inferBlocks(*this, getX(), getBlockSize(), "block_size",
                     /*toSpace=*/true, types);
}
LogicalResult SpaceToDepthOp::inferTypes(SmallVectorImpl<Type> &types) {
  return inferBlocks(*this, getX(), getBlockSize(), "block_size",
                     /*toSpace=*/false, types);
}
LogicalResult PixelShuffleOp::inferTypes(SmallVectorImpl<Type> &types) {
  return inferBlocks(*this, getX(), getUpscaleFactor(), "upscale_factor",
                     /*toSpace=*/true, types);
}
LogicalResult PixelUnshuffleOp::inferTypes(SmallVectorImpl<Type> &types) {
  return inferBlocks(*this, getX(), getDownscaleFactor(), "downscale_factor",
                     /*toSpace=*/false, types);
}

LogicalResult SpaceToBatchOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  FailureOr<std::optional<BatchBlocks>> given =
      readBatchBlocks(*this, x, getBlockShape(), getPaddings(), "paddings");
  if (failed(given))
    return failure();
  if (!*given)
    return keepDeclared(*this, types);
  SmallVector<int64_t> shape(x.getShape());
  for (auto [index, block] : llvm::enumerate((*given)->blocks)) {
    int64_t &extent = shape[index + 2];
    extent = addExtents(extent, (*given)->margins[2 * index]);
    extent = addExtents(extent, (*given)->margins[2 * index + 1]);
    if (!canDivide(extent, block))
      return refuse(*this, "mil-space_to_batch-c1",
                    "blocks of " + Twine(block) + " do not divide the " +
                        Twine(extent) + " padded elements of dimension " +
                        Twine(index + 2));
    extent = divideExtent(extent, block);
    shape[0] = multiplyExtents(shape[0], block);
  }
  return addResult(*this, types, shape, x.getElementType());
}

LogicalResult BatchToSpaceOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  FailureOr<std::optional<BatchBlocks>> given =
      readBatchBlocks(*this, x, getBlockShape(), getCrops(), "crops");
  if (failed(given))
    return failure();
  if (!*given)
    return keepDeclared(*this, types);
  SmallVector<int64_t> shape(x.getShape());
  int64_t parts = countElements((*given)->blocks);
  if (!canDivide(shape[0], parts))
    return refuse(*this, "mil-batch_to_space-c1",
                  "'block_shape' " + formatShape((*given)->blocks) + " has " +
                      Twine(parts) +
                      " pixels, which do not divide the batch of " +
                      Twine(shape[0]));
  shape[0] = divideExtent(shape[0], parts);
  for (auto [index, block] : llvm::enumerate((*given)->blocks)) {
    int64_t &extent = shape[index + 2];
    extent = multiplyExtents(extent, block);
    if (ShapedType::isDynamic(extent))
      continue;
    int64_t cut = addExtents((*given)->margins[2 * index],
                             (*given)->margins[2 * index + 1]);
    if (cut > extent)
      return refuse(*this, "mil-batch_to_space-c2",
                    "'crops' cut " + Twine(cut) + " off the " +
                        counted(extent, "element") + " of dimension " +
                        Twine(index + 2));
    extent -= cut;
  }
  return addResult(*this, types, shape, x.getElementType());
}

LogicalResult ReshapeLikeOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  size_t count = getRefTensors().size();
  if (getBegins().size() != count || getEnds().size() != count ||
      getEndMasks().size() != count)
    return refuse(*this, "mil-reshape_like-c1",
                  "'begins', 'ends' and 'end_masks' have " +
                      Twine(getBegins().size()) + ", " +
                      Twine(getEnds().size()) + " and " +
                      Twine(getEndMasks().size()) + " entries, for " +
                      counted(count, "tensor") + " in 'ref_tensors'");
  SmallVector<int64_t> shape;
  bool known = true;
  for (auto [ref, begin, end, mask] : llvm::zip_equal(
           getRefTensors(), getBegins(), getEnds(), getEndMasks())) {
    auto type = tensorType(ref);
    if (!type)
      return refuse(*this, "mil-reshape_like-c1",
                    "an entry of 'ref_tensors' is " +
                        formatType(ref.getType()) + "; it must be a tensor");
    FailureOr<MaybeInt> from = scalarInt(*this, begin, "begins");
    FailureOr<MaybeInt> to = scalarInt(*this, end, "ends");
    FailureOr<MaybeInt> whole = scalarInt(*this, mask, "end_masks");
    if (failed(from) || failed(to) || failed(whole))
      return failure();
    int64_t rank = type.getRank();
    if (*whole && **whole)
      *to = rank;
    for (MaybeInt *bound : {&*from, &*to})
      if (*bound) {
        if (**bound < -rank || **bound > rank)
          return refuse(*this, "mil-reshape_like-c2",
                        "bound " + Twine(**bound) + " is outside [" +
                            Twine(-rank) + ", " + Twine(rank) +
                            "] for a tensor of rank " + Twine(rank));
        if (**bound < 0)
          **bound += rank;
      }
    if (!*from || !*to || !*whole) {
      known = false;
      continue;
    }
    for (int64_t dim = **from; dim < **to; ++dim)
      shape.push_back(type.getDimSize(dim));
  }
  if (!known)
    return keepDeclared(*this, types);
  if (!agree(countElements(shape), countElements(x.getShape())))
    return refuse(*this, "mil-reshape_like-c3",
                  formatType(x) + " cannot take the shape " +
                      formatShape(shape) +
                      ": the number of elements would change");
  return addResult(*this, types, shape, x.getElementType());
}

LogicalResult ReverseOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (x && getAxes() && failed(normalizeAxes(*this, getAxes(), x.getRank())))
    return failure();
  types.push_back(getX().getType());
  return success();
}

LogicalResult ReverseSequenceOp::inferTypes(SmallVectorImpl<Type> &types) {
  types.push_back(getX().getType());
  auto x = tensorType(getX()), lengths = tensorType(getLengths());
  if (!x || !lengths)
    return success();
  FailureOr<MaybeInt> sequence =
      scalarAxis(*this, getSeqAxis(), 0, x.getRank(), "seq_axis");
  FailureOr<MaybeInt> batch =
      scalarAxis(*this, getBatchAxis(), 0, x.getRank(), "batch_axis");
  if (failed(sequence) || failed(batch))
    return failure();
  if (!*sequence || !*batch)
    return success();
  if (**sequence == **batch)
    return refuse(*this, "mil-reverse_sequence-c1",
                  "'seq_axis' and 'batch_axis' are both " + Twine(**batch) +
                      "; they must differ");
  if (lengths.getRank() != 1 ||
      !agree(lengths.getDimSize(0), x.getDimSize(**batch)))
    return refuse(*this, "mil-reverse_sequence-c2",
                  "'lengths' is " + formatType(lengths) +
                      "; it must have one entry for each element along "
                      "dimension " +
                      Twine(**batch) + " of " + formatType(x));
  int64_t extent = x.getDimSize(**sequence);
  if (std::optional<SmallVector<int64_t>> entries =
          getConstantInts(getLengths()))
    for (int64_t length : *entries)
      if (length < 0 || (!ShapedType::isDynamic(extent) && length > extent))
        return refuse(*this, "mil-reverse_sequence-c3",
                      "length " + Twine(length) + " is outside [0, " +
                          Twine(extent) + "], the extent of dimension " +
                          Twine(**sequence));
  return success();
}

LogicalResult TransposeOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  FailureOr<MaybeInts> perm = listInts(*this, getPerm(), "perm", x.getRank());
  if (failed(perm))
    return failure();
  SmallVector<int64_t> shape(x.getRank(), ShapedType::kDynamic);
  if (*perm) {
    if (failed(normalizeAxes(*this, getPerm(), x.getRank())))
      return failure();
    for (auto [dim, source] : llvm::enumerate(**perm))
      shape[dim] = x.getDimSize(fromFront(source, x.getRank()));
  }
  types.push_back(x.clone(shape));
  return success();
}

LogicalResult SlidingWindowsOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  FailureOr<MaybeInt> axis =
      scalarAxis(*this, getAxis(), std::nullopt, x.getRank());
  FailureOr<MaybeInt> size = scalarInt(*this, getSize(), "size");
  FailureOr<MaybeInt> stride = scalarInt(*this, getStride(), "stride", 1);
  if (failed(axis) || failed(size) || failed(stride))
    return failure();
  if ((*size && **size < 1) || (*stride && **stride < 1))
    return refuse(*this, "mil-sliding_windows-c1",
                  "'size' is " + Twine((*size).value_or(1)) + " and 'stride' " +
                      Twine((*stride).value_or(1)) +
                      "; both must be at least 1");
  if (!*axis)
    return keepDeclared(*this, types);
  SmallVector<int64_t> shape(x.getShape());
  int64_t extent = shape[**axis];
  int64_t windows = ShapedType::kDynamic;
  if (*size && !ShapedType::isDynamic(extent)) {
    if (**size > extent)
      return refuse(*this, "mil-sliding_windows-c2",
                    "windows of " + Twine(**size) + " do not fit the " +
                        counted(extent, "element") + " of dimension " +
                        Twine(**axis));
    if (*stride)
      windows = (extent - **size) / **stride + 1;
  }
  shape[**axis] = windows;
  shape.insert(shape.begin() + **axis + 1,
               (*size).value_or(ShapedType::kDynamic));
  return addResult(*this, types, shape, x.getElementType());
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILTransformOps.cpp.inc"

void MILDialect::registerTransformOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILTransformOps.cpp.inc"
      >();
}
