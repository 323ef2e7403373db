//===- LinearOps.cpp - Matrix products ------------------------------------===//

#include "Inference.h"
#include "ShapeParams.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Support/Counted.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

LogicalResult LinearOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX()), weight = tensorType(getWeight());
  if (!x || !weight || x.getRank() < 1 || x.getRank() > 5 ||
      weight.getRank() != 2)
    return refuse(*this, "mil-linear-c1",
                  "'x' is " + formatType(getX().getType()) + " and 'weight' " +
                      formatType(getWeight().getType()) +
                      "; 'x' must have rank 1 to 5 and 'weight' rank 2");
  int64_t last = x.getShape().back();
  if (!ShapedType::isDynamic(last) && last != weight.getDimSize(1))
    return refuse(*this, "mil-linear-c2",
                  "the last extent of 'x' is " + Twine(last) +
                      ", that of 'weight' is " + Twine(weight.getDimSize(1)));
  if (getBias()) {
    auto bias = tensorType(getBias());
    if (!bias || bias.getRank() > 1 || !bias.hasStaticShape() ||
        (bias.getNumElements() != weight.getDimSize(0) &&
         bias.getNumElements() != 1))
      return refuse(*this, "mil-linear-c3",
                    "'bias' is " + formatType(getBias().getType()) +
                        "; it must have " +
                        counted(weight.getDimSize(0), "element") +
                        ", as 'weight' has rows");
  }
  SmallVector<int64_t> shape(x.getShape());
  shape.back() = weight.getDimSize(0);
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

LogicalResult MatmulOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX()), y = tensorType(getY());
  if (!x || !y || x.getRank() == 0 || y.getRank() == 0)
    return refuse(*this, "mil-matmul-c2",
                  "'x' is " + formatType(getX().getType()) + " and 'y' " +
                      formatType(getY().getType()) +
                      "; both must have at least one dimension");
  std::optional<bool> transposeX = getTransposeXOrDefault();
  std::optional<bool> transposeY = getTransposeYOrDefault();
  if (!transposeX || !transposeY)
    return keepDeclared(*this, types);

  // A vector is a row on the left and a column on the right.
  SmallVector<int64_t> xShape(x.getShape()), yShape(y.getShape());
  if (x.getRank() == 1)
    xShape.insert(xShape.begin(), 1);
  else if (*transposeX)
    std::swap(xShape[xShape.size() - 1], xShape[xShape.size() - 2]);
  if (y.getRank() == 1)
    yShape.push_back(1);
  else if (*transposeY)
    std::swap(yShape[yShape.size() - 1], yShape[yShape.size() - 2]);

  int64_t kx = xShape.back(), ky = yShape[yShape.size() - 2];
  if (!ShapedType::isDynamic(kx) && !ShapedType::isDynamic(ky) && kx != ky)
    return refuse(*this, "mil-matmul-c1",
                  "the contracted extents are " + Twine(kx) + " and " +
                      Twine(ky) + "; they must be equal");
  FailureOr<SmallVector<int64_t>> shape = broadcast(
      *this, ArrayRef(xShape).drop_back(2), ArrayRef(yShape).drop_back(2));
  if (failed(shape))
    return failure();
  if (x.getRank() > 1)
    shape->push_back(xShape[xShape.size() - 2]);
  if (y.getRank() > 1)
    shape->push_back(yShape.back());
  // Elements may be in a file still, and what moves a constant one of them
  // later: neither changes whose type the result has.
  bool isMixed = x.getElementType() != y.getElementType(),
       isXKnown = isMixed && isKnownAtCompileTime(getX());
  if (isMixed && isXKnown == isKnownAtCompileTime(getY()))
    return refuse(
        *this, "mil-matmul-c3",
        "'x' is " + dtypeName(x.getElementType()) + " and 'y' " +
            dtypeName(y.getElementType()) + ", and " +
            (isXKnown ? "both are constants" : "neither is a constant") +
            "; insert a cast");
  types.push_back(
      RankedTensorType::get(*shape, (isXKnown ? y : x).getElementType()));
  return success();
}

namespace {

/// An equation with its letters numbered in the order of their appearance:
/// "chw,whr->chr" is "012,213->013".
std::string numberLetters(StringRef equation) {
  std::string letters, numbered;
  for (char c : equation) {
    if (c == ' ')
      continue;
    if (!llvm::isAlpha(c)) {
      numbered += c;
      continue;
    }
    if (!StringRef(letters).contains(c))
      letters += c;
    numbered += static_cast<char>('0' + letters.find(c));
  }
  return numbered;
}

} // namespace

LogicalResult EinsumOp::inferTypes(SmallVectorImpl<Type> &types) {
  OperandRange values = getValues();
  auto x = values.size() == 2 ? tensorType(values[0]) : RankedTensorType();
  auto y = x ? tensorType(values[1]) : RankedTensorType();
  bool isFloat =
      x && (x.getElementType().isF16() || x.getElementType().isF32());
  if (!isFloat || !y || y.getElementType() != x.getElementType() ||
      y.getRank() != x.getRank() || x.getRank() < 3 || x.getRank() > 4) {
    std::string list;
    for (Value value : values)
      list += (list.empty() ? "" : ", ") + formatType(value.getType());
    return refuse(*this, "mil-einsum-c1",
                  "the values are (" + list +
                      "); there must be two of one rank, 3 or 4, and of one "
                      "type, fp16 or fp32");
  }
  StringRef equation = getConstantString(getEquation()).value_or("");
  bool hasBatch = x.getRank() == 4;
  if (numberLetters(equation) !=
      (hasBatch ? "0123,0324->0124" : "012,213->013"))
    return refuse(*this, "mil-einsum-c2",
                  "'equation' is \"" + equation + "\"; for values of rank " +
                      Twine(x.getRank()) + " it must be \"" +
                      (hasBatch ? "nchw,nwhu->nchu" : "chw,whr->chr") +
                      "\", in any letters; permute the values to fit");
  // Both as [n, c, h, w] and [n, w, h, u].
  ArrayRef<int64_t> left = x.getShape(), right = y.getShape();
  size_t first = hasBatch;
  if (!agree(left[first + 2], right[first]))
    return refuse(*this, "mil-einsum-c3",
                  "the contracted extents are " + Twine(left[first + 2]) +
                      " and " + Twine(right[first]) + "; they must be equal");
  SmallVector<int64_t> leftBatch(left.take_front(first));
  SmallVector<int64_t> rightBatch(right.take_front(first));
  leftBatch.push_back(left[first + 1]);
  rightBatch.push_back(right[first + 1]);
  FailureOr<SmallVector<int64_t>> shape =
      broadcast(*this, leftBatch, rightBatch);
  if (failed(shape))
    return failure();
  shape->insert(shape->begin() + first, left[first]);
  shape->push_back(right[first + 2]);
  types.push_back(RankedTensorType::get(*shape, x.getElementType()));
  return success();
}

LogicalResult
ScaledDotProductAttentionOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto query = tensorType(getQuery()), key = tensorType(getKey()),
       value = tensorType(getValue());
  std::string given = "'query' is " + formatType(getQuery().getType()) +
                      ", 'key' " + formatType(getKey().getType()) +
                      ", 'value' " + formatType(getValue().getType());
  if (!query || !key || !value || query.getRank() < 3 ||
      key.getRank() != query.getRank() || value.getRank() != query.getRank())
    return refuse(*this, "mil-scaled_dot_product_attention-c1",
                  given + "; they must have the same rank, at least 3");
  int64_t rank = query.getRank();
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    if (!agree(query.getDimSize(dim), key.getDimSize(dim)) ||
        !agree(query.getDimSize(dim), value.getDimSize(dim)) ||
        !agree(key.getDimSize(dim), value.getDimSize(dim)))
      return refuse(*this, "mil-scaled_dot_product_attention-c2",
                    given + "; all dimensions before the last two must be "
                            "equal");
  if (!agree(query.getDimSize(rank - 1), key.getDimSize(rank - 1)))
    return refuse(*this, "mil-scaled_dot_product_attention-c3",
                  given + "; the last extents of query and key must be equal");
  if (!agree(key.getDimSize(rank - 2), value.getDimSize(rank - 2)))
    return refuse(*this, "mil-scaled_dot_product_attention-c4",
                  given + "; key and value must have the same number of rows");
  if (getAttnMask()) {
    auto mask = tensorType(getAttnMask());
    SmallVector<int64_t> scores(query.getShape().drop_back());
    scores.push_back(key.getDimSize(rank - 2));
    bool fits = mask && mask.getRank() <= rank;
    for (int64_t i = 0; fits && i < mask.getRank(); ++i) {
      int64_t extent = mask.getDimSize(i);
      fits = extent == 1 || agree(extent, scores[rank - mask.getRank() + i]);
    }
    if (!fits)
      return refuse(*this, "mil-scaled_dot_product_attention-c5",
                    "'attn_mask' is " + formatType(getAttnMask().getType()) +
                        "; it must broadcast to the scores, " +
                        formatType(query.clone(scores)));
  }
  SmallVector<int64_t> shape(query.getShape().drop_back());
  shape.push_back(value.getShape().back());
  types.push_back(RankedTensorType::get(shape, query.getElementType()));
  return success();
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILLinearOps.cpp.inc"

void MILDialect::registerLinearOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILLinearOps.cpp.inc"
      >();
}
