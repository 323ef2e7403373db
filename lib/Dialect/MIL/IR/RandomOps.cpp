//===- RandomOps.cpp - Random tensors -------------------------------------===//

#include "Inference.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Limits.h"
#include "ane/Dialect/MIL/IR/Random.h"
#include "ane/Support/FormatShape.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Constraint `mil-random-c2` of one input, if it is there.
LogicalResult checkScalar(Operation *op, StringRef name, Value input) {
  if (!input || tensorType(input).getRank() == 0)
    return success();
  return refuse(op, "mil-random-c2",
                "'" + name + "' is " + formatType(input.getType()) +
                    "; it must be a scalar");
}

std::string format(double value) { return llvm::formatv("{0}", value).str(); }

/// The type of a tensor of `shape`. `parameter` has its element type; where
/// that is absent, the declared one stays. Constraint `mil-random-c1`.
FailureOr<Type> ofShape(Operation *op, Value shape, Value parameter) {
  RankedTensorType vector = tensorType(shape);
  if (vector.getRank() != 1)
    return refuse(op, "mil-random-c1",
                  "'shape' is " + formatType(vector) + "; it must be a vector");
  auto declared = tensorType(op->getResult(0));
  Type element = parameter  ? tensorType(parameter).getElementType()
                 : declared ? declared.getElementType()
                            : Float32Type::get(op->getContext());
  std::optional<SmallVector<int64_t>> extents = getConstantInts(shape);
  if (!extents) {
    if (ShapedType::isDynamic(vector.getDimSize(0)))
      return op->getResult(0).getType();
    extents.emplace(vector.getDimSize(0), ShapedType::kDynamic);
  } else if (llvm::any_of(*extents, [](int64_t n) { return n < 0; }) ||
             !hasSaneSize(*extents)) {
    return refuse(op, "mil-random-c1",
                  "'shape' is " + formatShape(*extents) +
                      "; extents are 0 to 2^31 - 1, elements at most 2^48");
  }
  return RankedTensorType::get(*extents, element);
}

/// As above for an op with two parameters, either of which may be absent.
LogicalResult infer(Operation *op, Value shape, Value parameter, Value other,
                    SmallVectorImpl<Type> &types) {
  FailureOr<Type> type = ofShape(op, shape, parameter ? parameter : other);
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

} // namespace

LogicalResult RandomBernoulliOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(checkScalar(*this, "prob", getProb())) ||
      failed(checkScalar(*this, "seed", getSeed())))
    return failure();
  std::optional<double> probability = getProbOrDefault();
  // Written so that NaN is refused.
  if (probability && !(*probability >= 0 && *probability <= 1))
    return refuse(*this, "mil-random_bernoulli-c1",
                  "'prob' is " + format(*probability) +
                      "; a probability lies in [0, 1]");
  return infer(*this, getShape(), getProb(), {}, types);
}

LogicalResult RandomCategoricalOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(checkScalar(*this, "mode", getMode())) ||
      failed(checkScalar(*this, "size", getSize())) ||
      failed(checkScalar(*this, "seed", getSeed())))
    return failure();
  RankedTensorType x = tensorType(getX());
  if (x.getRank() == 0)
    return refuse(*this, "mil-random_categorical-c1",
                  "'x' is " + formatType(x) +
                      "; its last dimension must hold the classes");
  std::optional<StringRef> mode = getConstantString(getMode());
  if (mode && *mode != "logits" && *mode != "probs")
    return refuse(*this, "mil-random_categorical-c2",
                  "'mode' is \"" + *mode + "\"; it must be logits or probs");
  int64_t size = getSizeOrDefault().value_or(ShapedType::kDynamic);
  if (size < 1 && !ShapedType::isDynamic(size))
    return refuse(*this, "mil-random_categorical-c3",
                  "'size' is " + Twine(size) + "; it must be at least 1");
  SmallVector<int64_t> shape(x.getShape());
  shape.back() = size;
  auto declared = tensorType(getResult());
  Type element = declared && declared.getElementType() == x.getElementType()
                     ? x.getElementType()
                     : IntegerType::get(getContext(), 32);
  types.push_back(RankedTensorType::get(shape, element));
  return success();
}

LogicalResult RandomNormalOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(checkScalar(*this, "mean", getMean())) ||
      failed(checkScalar(*this, "stddev", getStddev())) ||
      failed(checkScalar(*this, "seed", getSeed())))
    return failure();
  std::optional<double> deviation = getStddevOrDefault();
  if (deviation && !(*deviation >= 0))
    return refuse(*this, "mil-random_normal-c1",
                  "'stddev' is " + format(*deviation) +
                      "; it must not be negative");
  return infer(*this, getShape(), getMean(), getStddev(), types);
}

LogicalResult RandomUniformOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (failed(checkScalar(*this, "low", getLow())) ||
      failed(checkScalar(*this, "high", getHigh())) ||
      failed(checkScalar(*this, "seed", getSeed())))
    return failure();
  std::optional<double> low = getLowOrDefault(), high = getHighOrDefault();
  if (low && high && !(*low <= *high))
    return refuse(*this, "mil-random_uniform-c1",
                  "'low' is " + format(*low) + " and 'high' " + format(*high) +
                      "; low must not be above high");
  return infer(*this, getShape(), getLow(), getHigh(), types);
}

bool ane::mil::isRandom(Operation *op) {
  return isa<RandomBernoulliOp, RandomCategoricalOp, RandomNormalOp,
             RandomUniformOp>(op);
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILRandomOps.cpp.inc"

void MILDialect::registerRandomOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILRandomOps.cpp.inc"
      >();
}
