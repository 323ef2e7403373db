//===- FillOps.cpp - Ops that make, extend or mask tensors ----------------===//

#include "ShapeParams.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/RangeLength.h"
#include "ane/Support/Counted.h"
#include "ane/Support/FormatShape.h"
#include "ane/Support/Half.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The element type of a value that stands for floating-point zeros, or what
/// `resultType` declares, if it is absent.
Type fillType(Value value, Type resultType) {
  if (value)
    return getElementTypeOrSelf(value.getType());
  auto declared = dyn_cast<RankedTensorType>(resultType);
  if (declared && isa<FloatType>(declared.getElementType()))
    return declared.getElementType();
  return Float32Type::get(resultType.getContext());
}

} // namespace

LogicalResult BandPartOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (failed(requireScalar(*this, getLower(), "lower")) ||
      failed(requireScalar(*this, getUpper(), "upper")))
    return failure();
  if (x && x.getRank() < 2)
    return refuse(*this, "mil-band_part-c1",
                  "'x' is " + formatType(x) +
                      "; it must have the two dimensions of a matrix");
  types.push_back(getX().getType());
  return success();
}

LogicalResult CumsumOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (x && failed(scalarAxis(*this, getAxis(), 0, x.getRank())))
    return failure();
  types.push_back(getX().getType());
  return success();
}

LogicalResult FillOp::inferTypes(SmallVectorImpl<Type> &types) {
  FailureOr<MaybeInts> shape = listInts(*this, getShape(), "shape");
  if (failed(shape) || failed(requireScalar(*this, getValue(), "value")))
    return failure();
  Type elementType = fillType(getValue(), getResult().getType());
  if (*shape)
    return addResult(*this, types, **shape, elementType);
  int64_t rank = tensorType(getShape()).getDimSize(0);
  // The shape of a shape is known before the shape is.
  constexpr int64_t maxRank = 64;
  if (ShapedType::isDynamic(rank) || rank > maxRank)
    return keepDeclared(*this, types);
  return addResult(*this, types,
                   SmallVector<int64_t>(rank, ShapedType::kDynamic),
                   elementType);
}

LogicalResult FillLikeOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto reference = tensorType(getRefTensor());
  if (!reference)
    return keepDeclared(*this, types);
  if (failed(requireScalar(*this, getValue(), "value")))
    return failure();
  types.push_back(reference.clone(fillType(getValue(), getResult().getType())));
  return success();
}

LogicalResult NonZeroOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  types.push_back(RankedTensorType::get({ShapedType::kDynamic, x.getRank()},
                                        IntegerType::get(getContext(), 32)));
  return success();
}

LogicalResult OneHotOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto indices = tensorType(getIndices());
  if (!indices)
    return keepDeclared(*this, types);
  FailureOr<MaybeInt> axis =
      scalarAxis(*this, getAxis(), -1, indices.getRank() + 1);
  FailureOr<MaybeInt> size =
      scalarInt(*this, getOneHotVectorSize(), "one_hot_vector_size");
  if (failed(axis) || failed(size) ||
      failed(requireScalar(*this, getOnValue(), "on_value")) ||
      failed(requireScalar(*this, getOffValue(), "off_value")))
    return failure();
  Type elementType = IntegerType::get(getContext(), 32);
  if (Value value = getOnValue() ? getOnValue() : getOffValue())
    elementType = getElementTypeOrSelf(value.getType());
  SmallVector<int64_t> shape(indices.getShape());
  if (*axis)
    shape.insert(shape.begin() + **axis,
                 (*size).value_or(ShapedType::kDynamic));
  else
    shape.assign(indices.getRank() + 1, ShapedType::kDynamic);
  return addResult(*this, types, shape, elementType);
}

LogicalResult PadOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX()), padType = tensorType(getPad());
  if (!x || !padType)
    return keepDeclared(*this, types);
  int64_t rank = x.getRank();
  int64_t count = padType.getRank() == 1 ? padType.getDimSize(0) : -1;
  if (padType.getRank() != 1 ||
      (!ShapedType::isDynamic(count) && (count % 2 != 0 || count / 2 > rank)))
    return refuse(*this, "mil-pad-c1",
                  "'pad' is " + formatType(padType) +
                      "; it must be a list of two entries for each of up to " +
                      counted(rank, "dimension"));
  if (failed(requireScalar(*this, getConstantVal(), "constant_val")))
    return failure();
  std::optional<StringRef> mode =
      getMode() ? getConstantString(getMode()) : StringRef("constant");
  if (mode && *mode != "constant" && *mode != "reflect" && *mode != "replicate")
    return refuse(*this, "mil-pad-c3",
                  "'mode' is \"" + *mode +
                      "\"; it must be constant, reflect or replicate");

  SmallVector<int64_t> shape(x.getShape());
  std::optional<SmallVector<int64_t>> pad = getConstantInts(getPad());
  if (!pad) {
    int64_t padded = ShapedType::isDynamic(count) ? rank : count / 2;
    for (int64_t dim = rank - padded; dim < rank; ++dim)
      shape[dim] = ShapedType::kDynamic;
    return addResult(*this, types, shape, x.getElementType());
  }
  for (auto [index, entry] : llvm::enumerate(*pad)) {
    int64_t dim = rank - count / 2 + int64_t(index) / 2;
    int64_t extent = x.getDimSize(dim);
    if (entry < 0)
      return refuse(*this, "mil-pad-c2",
                    "'pad' is " + formatShape(*pad) +
                        "; to cut elements off, use slice_by_index");
    if (mode && *mode != "constant" && extent == 0 && entry > 0)
      return refuse(*this, "mil-pad-c4",
                    "'pad' adds " + counted(entry, "element") +
                        " to dimension " + Twine(dim) +
                        ", which has none that mode " + *mode +
                        " could repeat; use constant");
    shape[dim] = addExtents(shape[dim], entry);
  }
  return addResult(*this, types, shape, x.getElementType());
}

double ane::mil::rangeLength(Type elementType, double start, double end,
                             double step) {
  auto round = [&](double number) {
    if (isa<IntegerType>(elementType))
      return number;
    auto single = static_cast<float>(number);
    return elementType.isF16() ? roundToHalf(single) : single;
  };
  double length = std::ceil(round(round(end - start) / step));
  return length < 0 ? 0 : length;
}

LogicalResult Range1dOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(requireScalar(*this, getStart(), "start")) ||
      failed(requireScalar(*this, getEnd(), "end")) ||
      failed(requireScalar(*this, getStep(), "step")))
    return failure();
  auto read = [](Value value) -> std::optional<double> {
    if (std::optional<int64_t> number = getConstantInt(value))
      return static_cast<double>(*number);
    return getConstantFloat(value);
  };
  std::optional<double> start = read(getStart()), end = read(getEnd()),
                        step = read(getStep());
  if (step == 0.0)
    return refuse(*this, "mil-range_1d-c1",
                  "'step' is 0; the numbers would not reach 'end'");
  int64_t count = ShapedType::kDynamic;
  if (start && end && step) {
    double number =
        rangeLength(getElementTypeOrSelf(getStart()), *start, *end, *step);
    if (!std::isfinite(number))
      return refuse(*this, "mil-range_1d-c1",
                    llvm::formatv("'start' is {0}, 'end' {1} and 'step' {2}; "
                                  "the number of elements must be finite",
                                  *start, *end, *step)
                        .str());
    count = static_cast<int64_t>(std::min(number, 0x1p62));
  }
  return addResult(*this, types, count,
                   getElementTypeOrSelf(getStart().getType()));
}

LogicalResult TileOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  FailureOr<MaybeInts> reps = listInts(*this, getReps(), "reps", x.getRank());
  if (failed(reps))
    return failure();
  SmallVector<int64_t> shape(x.getRank(), ShapedType::kDynamic);
  if (*reps)
    for (auto [dim, repetitions] : llvm::enumerate(**reps)) {
      if (repetitions < 1)
        return refuse(*this, "mil-tile-c1",
                      "'reps' is " + formatShape(**reps) +
                          "; each entry must be at least 1");
      shape[dim] = multiplyExtents(x.getDimSize(dim), repetitions);
    }
  return addResult(*this, types, shape, x.getElementType());
}
