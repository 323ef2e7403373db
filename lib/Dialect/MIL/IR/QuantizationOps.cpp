//===- QuantizationOps.cpp - Compressed and quantized tensors -------------===//

#include "Inference.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Limits.h"
#include "ane/Support/Counted.h"
#include "ane/Support/FormatShape.h"
#include <climits>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// From this opset on the indices and masks of weights have element types of
/// their own instead of being streams of bytes.
constexpr unsigned typedIndices = 18;

//===----------------------------------------------------------------------===//
// Scales and zero points along an axis
//===----------------------------------------------------------------------===//

/// Constraints `mil-channel_scale-c1` and `mil-channel_scale-c2` of one input,
/// if it is there.
LogicalResult checkChannelInput(Operation *op, StringRef name, Value input,
                                RankedTensorType data,
                                std::optional<int64_t> axis) {
  if (!input)
    return success();
  RankedTensorType type = tensorType(input);
  if (type.getRank() > 1)
    return refuse(op, "mil-channel_scale-c1",
                  "'" + name + "' is " + formatType(type) +
                      "; it must be a scalar or a vector along 'axis'");
  if (type.getRank() == 0)
    return success();
  if (!axis)
    return refuse(op, "mil-channel_scale-c2",
                  "'" + name + "' is " + formatType(type) +
                      ", but there is no 'axis' to lie along");
  if (failed(verifyCompatibleShape(type.getShape(),
                                   data.getShape().slice(*axis, 1))))
    return refuse(op, "mil-channel_scale-c2",
                  "'" + name + "' is " + formatType(type) + ", but " +
                      formatType(data) + " has " +
                      counted(data.getDimSize(*axis), "element") +
                      " along axis " + Twine(*axis));
  return success();
}

/// Scale and zero point of an affine quantization. `axis` may be absent.
LogicalResult checkAffine(Operation *op, RankedTensorType data, Value scale,
                          Value zeroPoint, Value axis) {
  std::optional<int64_t> place;
  if (axis) {
    if (tensorType(axis).getRank() != 0)
      return refuse(op, "mil-channel_scale-c3",
                    "'axis' is " + formatType(axis.getType()) +
                        "; it must be a scalar");
    std::optional<int64_t> given = getConstantInt(axis);
    // A computed axis is known when the op runs.
    if (!given)
      return success();
    FailureOr<int64_t> normal = normalizeAxis(op, *given, data.getRank());
    if (failed(normal))
      return failure();
    place.emplace(*normal);
  }
  return success(
      succeeded(checkChannelInput(op, "scale", scale, data, place)) &&
      succeeded(checkChannelInput(op, "zero_point", zeroPoint, data, place)));
}

//===----------------------------------------------------------------------===//
// Weights up to ios17
//===----------------------------------------------------------------------===//

/// The `shape` of a weight that is stored as a stream of bits; nothing where it
/// is not at hand. Constraint `mil-dense_shape-c1`.
FailureOr<std::optional<SmallVector<int64_t>>> getDenseShape(Operation *op,
                                                             Value shape) {
  RankedTensorType type = tensorType(shape);
  if (type.getRank() != 1)
    return refuse(op, "mil-dense_shape-c1",
                  "'shape' is " + formatType(type) + "; it must be a vector");
  std::optional<SmallVector<int64_t>> extents = getConstantInts(shape);
  if (extents && !hasSaneSize(*extents))
    return refuse(op, "mil-dense_shape-c1",
                  "'shape' is " + formatShape(*extents) +
                      "; extents are at most 2^31 - 1, elements 2^48");
  return extents;
}

/// That a vector of bytes holds `width` bits for each element of `shape`.
LogicalResult checkBitStream(Operation *op, StringRef constraint,
                             StringRef name, Value stream,
                             ArrayRef<int64_t> shape, int64_t width) {
  int64_t bits = width;
  for (int64_t extent : shape)
    bits *= extent; // the shape is checked: at most 2^48 elements
  int64_t bytes = llvm::divideCeil(bits, CHAR_BIT);
  RankedTensorType type = tensorType(stream);
  if (failed(verifyCompatibleShape(type.getShape(), {bytes})))
    return refuse(op, constraint,
                  "'" + name + "' is " + formatType(type) +
                      "; the elements of 'shape' take " + Twine(width) +
                      (width == 1 ? " bit" : " bits") + " each, a vector of " +
                      counted(bytes, "byte"));
  return success();
}

//===----------------------------------------------------------------------===//
// Palettes from ios18 on
//===----------------------------------------------------------------------===//

/// The shape of a weight whose indices, or their mask, have the shape `places`.
/// Constraints `mil-lut-c3` to `mil-lut-c6`.
FailureOr<SmallVector<int64_t>> getPaletteShape(Operation *op,
                                                ArrayRef<int64_t> places,
                                                Type indexType, Value lut,
                                                Value vectorAxis) {
  RankedTensorType table = tensorType(lut);
  int64_t rank = places.size();
  if (table.getRank() != rank + 2)
    return refuse(op, "mil-lut-c3",
                  "'lut' is " + formatType(table) + "; of indices of rank " +
                      Twine(rank) + " it must have rank " + Twine(rank + 2) +
                      ": blocks, entries and the length of an entry");
  int64_t entries = int64_t(1) << indexType.getIntOrFloatBitWidth();
  if (int64_t given = table.getDimSize(rank);
      given != entries && !ShapedType::isDynamic(given))
    return refuse(op, "mil-lut-c4",
                  "'lut' has " + counted(given, "entry", "entries") +
                      "; an index of type " + dtypeName(indexType) + " needs " +
                      Twine(entries));
  for (auto [dim, extent] : llvm::enumerate(places)) {
    int64_t blocks = table.getDimSize(dim);
    if (ShapedType::isDynamic(blocks) || ShapedType::isDynamic(extent))
      continue;
    if (blocks == 0 ? extent != 0 : extent % blocks != 0)
      return refuse(op, "mil-lut-c5",
                    "'lut' has " + Twine(blocks) + " blocks along dimension " +
                        Twine(dim) + ", which do not divide its extent " +
                        Twine(extent));
  }

  SmallVector<int64_t> shape(places);
  int64_t length = table.getDimSize(rank + 1);
  if (!vectorAxis) {
    if (length != 1)
      return refuse(op, "mil-lut-c6",
                    "an entry of 'lut' has " + counted(length, "element") +
                        "; 'vector_axis' must say which dimension "
                        "they lie along");
    return shape;
  }
  std::optional<int64_t> given = getConstantInt(vectorAxis);
  if (!given)
    return SmallVector<int64_t>(rank, ShapedType::kDynamic);
  FailureOr<int64_t> axis = normalizeAxis(op, *given, rank);
  if (failed(axis))
    return failure();
  int64_t &extent = shape[*axis];
  if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(length)) {
    extent = ShapedType::kDynamic;
  } else {
    std::optional<int64_t> product = llvm::checkedMul(extent, length);
    extent = product.value_or(-1);
    if (!product || !hasSaneSize(shape))
      return refuse(op, "mil-dense_shape-c1",
                    "the weight would have more than 2^31 - 1 elements along "
                    "a dimension or 2^48 in all");
  }
  return shape;
}

//===----------------------------------------------------------------------===//
// Sparse weights and blocks
//===----------------------------------------------------------------------===//

/// Constraints `mil-sparse-c1` and `mil-sparse-c3`.
LogicalResult checkNonzeros(Operation *op, Value data,
                            ArrayRef<int64_t> places) {
  RankedTensorType type = tensorType(data);
  if (type.getRank() != 1)
    return refuse(op, "mil-sparse-c1",
                  "the nonzero elements are " + formatType(type) +
                      "; they must be a vector");
  if (!type.hasStaticShape() || ShapedType::isDynamicShape(places) ||
      !hasSaneSize(type.getShape()) || !hasSaneSize(places))
    return success();
  int64_t count = ShapedType::getNumElements(places);
  if (type.getNumElements() > count)
    return refuse(op, "mil-sparse-c3",
                  "there are " + Twine(type.getNumElements()) +
                      " nonzero elements for the " + Twine(count) +
                      " places of the mask");
  return success();
}

Type elementType(Value value) { return tensorType(value).getElementType(); }

/// Constraints `mil-blockwise-c1` to `mil-blockwise-c4`. The data are `stored`
/// elements, those of the extents `data` that are not left out.
LogicalResult checkBlocks(Operation *op, Value stored, ArrayRef<int64_t> data,
                          Value scale, Value offset) {
  RankedTensorType type = tensorType(scale);
  if (type.getRank() != static_cast<int64_t>(data.size()))
    return refuse(op, "mil-blockwise-c1",
                  "'scale' is " + formatType(type) + "; the data have rank " +
                      Twine(data.size()) + ", and so must it");
  for (auto [dim, extent] : llvm::enumerate(data)) {
    int64_t blocks = type.getDimSize(dim);
    if (ShapedType::isDynamic(blocks) || ShapedType::isDynamic(extent))
      continue;
    if (blocks == 0 ? extent != 0 : extent % blocks != 0)
      return refuse(op, "mil-blockwise-c2",
                    "'scale' has " + Twine(blocks) +
                        " blocks along dimension " + Twine(dim) +
                        ", which do not divide its extent " + Twine(extent));
  }
  if (offset && (tensorType(offset).getRank() != type.getRank() ||
                 failed(verifyCompatibleShape(tensorType(offset).getShape(),
                                              type.getShape()))))
    return refuse(op, "mil-blockwise-c3",
                  "'offset' is " + formatType(offset.getType()) +
                      "; it must have the shape of 'scale', " +
                      formatType(type));
  if (offset && !isa<FloatType>(elementType(offset)) &&
      elementType(offset) != elementType(stored))
    return refuse(op, "mil-blockwise-c4",
                  "'offset' is " + formatType(offset.getType()) +
                      " and the data are " + formatType(stored.getType()) +
                      "; an offset of integers has the type of the data");
  return success();
}

} // namespace

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

LogicalResult
ConstexprAffineDequantizeOp::inferTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType data = tensorType(getQuantizedData());
  if (failed(checkAffine(*this, data, getScale(), getZeroPoint(), getAxis())))
    return failure();
  types.push_back(data.clone(elementType(getScale())));
  return success();
}

LogicalResult ConstexprCastOp::inferTypes(SmallVectorImpl<Type> &types) {
  std::optional<StringRef> name = getConstantString(getOutputDtype());
  if (!name)
    return keepDeclared(*this, types);
  if (*name != "fp32")
    return refuse(*this, "mil-constexpr_cast-c1",
                  "'output_dtype' is \"" + *name + "\"; it must be fp32");
  types.push_back(
      tensorType(getSourceVal()).clone(Float32Type::get(getContext())));
  return success();
}

LogicalResult ConstexprLutToDenseOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (getOpset(*this) >= typedIndices) {
    FailureOr<SmallVector<int64_t>> shape =
        getPaletteShape(*this, tensorType(getIndices()).getShape(),
                        elementType(getIndices()), getLut(), getVectorAxis());
    if (failed(shape))
      return failure();
    types.push_back(RankedTensorType::get(*shape, elementType(getLut())));
    return success();
  }

  auto shape = getDenseShape(*this, getShape());
  if (failed(shape))
    return failure();
  RankedTensorType table = tensorType(getLut());
  int64_t entries = table.getRank() == 1 ? table.getDimSize(0) : 0;
  constexpr int64_t sizes[] = {2, 4, 8, 16, 64, 256};
  if (!llvm::is_contained(sizes, entries))
    return refuse(*this, "mil-lut-c1",
                  "'lut' is " + formatType(table) +
                      "; it must be a vector of 2, 4, 8, 16, 64 or 256 "
                      "entries");
  if (!*shape)
    return keepDeclared(*this, types);
  if (failed(checkBitStream(*this, "mil-lut-c2", "indices", getIndices(),
                            **shape, llvm::Log2_64(entries))))
    return failure();
  types.push_back(RankedTensorType::get(**shape, table.getElementType()));
  return success();
}

LogicalResult
ConstexprSparseToDenseOp::inferTypes(SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> places(tensorType(getMask()).getShape());
  if (getOpset(*this) < typedIndices) {
    auto shape = getDenseShape(*this, getShape());
    if (failed(shape))
      return failure();
    if (!*shape)
      return keepDeclared(*this, types);
    places = **shape;
    if (failed(checkBitStream(*this, "mil-sparse-c2", "mask", getMask(), places,
                              1)))
      return failure();
  }
  if (failed(checkNonzeros(*this, getNonzeroData(), places)))
    return failure();
  types.push_back(RankedTensorType::get(places, elementType(getNonzeroData())));
  return success();
}

LogicalResult
ConstexprBlockwiseShiftScaleOp::inferTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType data = tensorType(getData());
  if (failed(checkBlocks(*this, getData(), data.getShape(), getScale(),
                         getOffset())))
    return failure();
  types.push_back(data.clone(elementType(getScale())));
  return success();
}

LogicalResult ConstexprLutToSparseOp::inferTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType mask = tensorType(getIndicesMask());
  RankedTensorType indices = tensorType(getIndicesNonzeroData());
  if (failed(checkNonzeros(*this, getIndicesNonzeroData(), mask.getShape())))
    return failure();
  FailureOr<SmallVector<int64_t>> shape =
      getPaletteShape(*this, mask.getShape(), indices.getElementType(),
                      getLut(), getVectorAxis());
  if (failed(shape))
    return failure();
  int64_t count = indices.getDimSize(0);
  int64_t length = tensorType(getLut()).getShape().back();
  if (ShapedType::isDynamic(count) || ShapedType::isDynamic(length))
    count = ShapedType::kDynamic;
  else
    count = llvm::checkedMul(count, length).value_or(ShapedType::kDynamic);
  types.push_back(RankedTensorType::get(*shape, mask.getElementType()));
  types.push_back(RankedTensorType::get({count}, elementType(getLut())));
  return success();
}

LogicalResult
ConstexprSparseBlockwiseShiftScaleOp::inferTypes(SmallVectorImpl<Type> &types) {
  RankedTensorType mask = tensorType(getDataMask());
  if (failed(checkNonzeros(*this, getNonzeroData(), mask.getShape())) ||
      failed(checkBlocks(*this, getNonzeroData(), mask.getShape(), getScale(),
                         getOffset())))
    return failure();
  types.push_back(mask);
  types.push_back(tensorType(getNonzeroData()).clone(elementType(getScale())));
  return success();
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// Scale and zero point of `quantize` and `dequantize`, whose `axis` is there
/// for vectors alone.
template <typename QuantizingOp>
static LogicalResult checkQuantizing(QuantizingOp op) {
  if (op.getAxis() && tensorType(op.getScale()).getRank() == 0)
    return refuse(op, "mil-channel_scale-c3",
                  "'axis' is given, but 'scale' is a scalar; leave 'axis' out, "
                  "or give a scale for each element along it");
  return checkAffine(op, tensorType(op.getInput()), op.getScale(),
                     op.getZeroPoint(), op.getAxis());
}

LogicalResult QuantizeOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(checkQuantizing(*this)))
    return failure();
  std::optional<StringRef> name = getConstantString(getOutputDtype());
  if (!name)
    return keepDeclared(*this, types);
  Type element = dtypeFromName(getContext(), *name);
  if (*name != "int8" && *name != "uint8")
    return refuse(*this, "mil-quantize-c1",
                  "'output_dtype' is \"" + *name +
                      "\"; it must be int8 or uint8");
  if (getZeroPoint() && elementType(getZeroPoint()) != element)
    return refuse(*this, "mil-quantize-c1",
                  "'output_dtype' is \"" + *name + "\", but 'zero_point' is " +
                      formatType(getZeroPoint().getType()) +
                      "; both must be of one type");
  types.push_back(tensorType(getInput()).clone(element));
  return success();
}

LogicalResult DequantizeOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(checkQuantizing(*this)))
    return failure();
  types.push_back(tensorType(getInput()).clone(elementType(getScale())));
  return success();
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILQuantizationOps.cpp.inc"

void MILDialect::registerQuantizationOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILQuantizationOps.cpp.inc"
      >();
}
