//===- CheckDecomposed.cpp - What mil-decompose leaves as too large -------===//

#include "Check/CheckSupport.h"
#include "ane/Dialect/MIL/IR/Activation.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/CropBoxes.h"
#include "ane/Dialect/MIL/IR/Random.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "ane/Support/Counted.h"
#include "ane/Support/Half.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

LogicalResult SupportChecker::refuseUnknown(Operation *op) {
  if (isa<mil::ClassifyOp>(op))
    return refuse(
        op, id("op-c1"),
        "a container gives back tensors, no label and dictionary; "
        "return the probabilities (--return), of which the largest says the "
        "class");
  // That may be why.
  if (failed(checkResults(op)))
    return failure();
  return refuse(op, id("op-c1"),
                Twine("no layer of the engine expresses this op; ") +
                    (mil::isRandom(op)
                         ? "make its result an input of the program"
                         : "write it with others, or leave it to the "
                           "processor with --partition"));
}

LogicalResult SupportChecker::checkOp(mil::PowOp op) {
  if (!holdsIntegers(op.getX()))
    return refuseUnknown(op);
  return refuse(op, id("int-c1"),
                "powers of integers are products, so 'y' must be known at "
                "compile time and have elements from 0 to 11; cast both to "
                "fp16 before it");
}

LogicalResult SupportChecker::checkDivisor(Operation *op, Value divisor) {
  auto numbers = mil::getConstantNumbers(divisor);
  if (!numbers)
    return success();
  auto small = llvm::find_if(*numbers, mil::isSmallDivisor);
  if (small == numbers->end())
    return success();
  return refuse(op, id("divide-c1"),
                llvm::formatv("'y' has an element of {0:e6}, the limit is "
                              "{1:e6}: by less, all fp16 numbers but 0 pass "
                              "65504; leave the op outside the program",
                              *small, mil::leastDivisor)
                    .str());
}

LogicalResult SupportChecker::checkOp(mil::RealDivOp op) {
  return checkDivisor(op, op.getY());
}

LogicalResult SupportChecker::checkOp(mil::FloorDivOp op) {
  return checkDivisor(op, op.getY());
}

LogicalResult SupportChecker::checkOp(mil::ModOp op) {
  return checkDivisor(op, op.getY());
}

LogicalResult SupportChecker::checkOp(mil::ReduceLogSumOp op) {
  return refuseLogarithm(op);
}

LogicalResult SupportChecker::checkOp(mil::ReduceLogSumExpOp op) {
  return refuseLogarithm(op);
}

LogicalResult SupportChecker::refuseLogarithm(Operation *op) {
  if (!holdsIntegers(op->getOperand(0)))
    return refuseUnknown(op);
  return refuse(op, id("int-c1"), notOnIntegers);
}

bool SupportChecker::refuseCounted(mil::FuncOp func, const Uncut &uncut) {
  for (Operation &op : func.getBody().front())
    if (op.getLoc() == uncut.location &&
        op.getName().stripDialect() == uncut.op)
      return failed(llvm::TypeSwitch<Operation *, LogicalResult>(&op)
                        .Case<mil::TopkOp, mil::ArgsortOp, mil::ReduceArgmaxOp,
                              mil::ReduceArgminOp>(
                            [&](auto typed) { return checkOp(typed); })
                        .Default(success()));
  return false;
}

/// A dimension of a value, counted from the front, and its extent.
static std::optional<std::pair<int64_t, int64_t>>
axisOf(Value value, std::optional<int64_t> dim) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || !dim)
    return std::nullopt;
  int64_t axis = mil::fromFront(*dim, type.getRank());
  return std::pair(axis, type.getDimSize(axis));
}

/// `result` has the elements that are asked for along a dimension of `x`.
LogicalResult SupportChecker::refuseSort(Operation *op, Value x, Value result,
                                         std::optional<int64_t> dim) {
  auto source = axisOf(x, dim), target = axisOf(result, dim);
  if (!source || !target)
    return refuseUnknown(op);
  auto [axis, extent] = *source;
  int64_t count = target->second;
  if (extent > largestExactInteger)
    return refuse(op, id("sort-c1"),
                  "dimension " + Twine(axis) + " has " + Twine(extent) +
                      " elements, the limit of a sort is " +
                      Twine(largestExactInteger) +
                      ", up to which fp16 counts; take the best of parts "
                      "first");
  if (count > mil::mostTaken)
    return refuse(
        op, id("sort-c1"),
        Twine(count) + " of " + Twine(extent) + " elements need " +
            Twine(cast<RankedTensorType>(x.getType()).getNumElements() *
                  extent) +
            " comparisons, the limit is " + Twine(mil::mostAllPairs) +
            "; take up to " + Twine(mil::mostTaken) +
            ", or fewer rows at a time");
  return refuseUnknown(op);
}

LogicalResult SupportChecker::checkOp(mil::TopkOp op) {
  if (failed(checkResults(op)))
    return failure();
  return refuseSort(op, op.getX(), op.getValues(), op.getAxisOrDefault());
}

LogicalResult SupportChecker::checkOp(mil::ArgsortOp op) {
  return refuseSort(op, op.getX(), op.getX(), op.getAxisOrDefault());
}

/// Each element along the axis has a number of its own.
LogicalResult SupportChecker::refuseCount(Operation *op, Value x,
                                          std::optional<int64_t> dim) {
  auto counted = axisOf(x, dim);
  if (!counted || counted->second <= largestExactInteger)
    return refuseUnknown(op);
  auto [axis, extent] = *counted;
  return refuse(op, id("place-c1"),
                "dimension " + Twine(axis) + " has " + Twine(extent) +
                    " elements, the limit is " + Twine(largestExactInteger) +
                    ", up to which fp16 counts; take parts of it, or leave the "
                    "op outside the program");
}

LogicalResult SupportChecker::checkPlaces(Operation *op, Value x,
                                          std::optional<int64_t> dim) {
  auto counted = axisOf(x, dim);
  if (counted && counted->second <= largestExactInteger)
    return success();
  return refuseCount(op, x, dim);
}

LogicalResult SupportChecker::checkOp(mil::ReduceArgmaxOp op) {
  return checkPlaces(op, op.getX(), op.getAxisOrDefault());
}

LogicalResult SupportChecker::checkOp(mil::ReduceArgminOp op) {
  return checkPlaces(op, op.getX(), op.getAxisOrDefault());
}

LogicalResult SupportChecker::checkOp(mil::OneHotOp op) {
  return refuseCount(op, op.getResult(), op.getAxisOrDefault());
}

/// Every sample is a sum of elements of an image, with weights.
LogicalResult SupportChecker::refuseSamples(Operation *op, Value x,
                                            Value result) {
  auto from = dyn_cast<RankedTensorType>(x.getType()),
       to = dyn_cast<RankedTensorType>(result.getType());
  if (!from || !to || !from.hasStaticShape() || !to.hasStaticShape())
    return refuseUnknown(op);
  mil::Sampling sampling = {to.getDimSize(0), from.getDimSize(1),
                            from.getDimSize(2), from.getDimSize(3),
                            to.getDimSize(2) * to.getDimSize(3)};
  if (sampling.numbers() <= mil::mostAllWeights)
    return refuseUnknown(op);
  bool isBySides = sampling.isBySides();
  int64_t each =
      isBySides ? sampling.channels * sampling.summed() : sampling.elements();
  return refuse(op, id("sample-c1"),
                Twine(sampling.samples) + " samples of " + Twine(each) +
                    (isBySides ? " sums each, in " : " elements each, in ") +
                    counted(sampling.images, "image") + ", need " +
                    Twine(sampling.numbers()) +
                    (isBySides ? " products" : " weights") + ", the limit is " +
                    Twine(mil::mostAllWeights) +
                    "; resize the image or cut it in parts");
}

LogicalResult SupportChecker::checkOp(mil::ResampleOp op) {
  return refuseSamples(op, op.getX(), op.getResult());
}

LogicalResult SupportChecker::checkOp(mil::AffineOp op) {
  return refuseSamples(op, op.getX(), op.getResult());
}

/// Boxes become constant matrices, two each.
LogicalResult SupportChecker::checkOp(mil::CropResizeOp op) {
  Value boxes = op.getBoxes() ? op.getBoxes() : op.getRoi();
  for (auto [value, name] :
       {std::pair(op.getBoxes(), "boxes"), std::pair(op.getRoi(), "roi"),
        std::pair(op.getBoxIndices(), "box_indices")})
    if (value && !mil::getConstantElements(value))
      return refuse(op, id("crop-c1"),
                    Twine("'") + name +
                        "' is computed; boxes must be known at compile time: "
                        "give them as constants, or crop outside the program");
  int64_t count = cast<RankedTensorType>(boxes.getType()).getDimSize(0);
  if (count > mil::mostBoxes)
    return refuse(op, id("crop-c1"),
                  "there are " + Twine(count) + " boxes, the limit is " +
                      Twine(mil::mostBoxes) + "; crop some of them at a time");
  auto numbers = mil::getConstantNumbers(boxes),
       indices = mil::getConstantNumbers(op.getBoxIndices());
  if (!numbers)
    return refuseUnknown(op);
  if (mil::mirrorsOutside(op))
    if (auto number = llvm::find_if_not(
            *numbers, [](double each) { return std::isfinite(each); });
        number != numbers->end())
      return refuse(
          op, id("crop-c1"),
          llvm::formatv("'roi' has an element of {0}, where no mirror image of "
                        "'x' is, which up to ios15 lies around it; use a "
                        "finite one",
                        *number)
              .str());
  auto images = mil::imagesOfBoxes(op, {*numbers, count},
                                   indices ? ArrayRef<double>(*indices)
                                           : ArrayRef<double>());
  if (images)
    if (std::string lost =
            mil::findBoxWithoutImage(*images, milShape(op.getX()).front());
        !lost.empty())
      return refuse(op, id("crop-c1"), lost + "; name one of them");
  return refuseUnknown(op);
}

/// It is a product with a mask.
LogicalResult SupportChecker::checkOp(mil::BandPartOp op) {
  ArrayRef<int64_t> matrix = milShape(op.getX()).take_back(2);
  if (failed(checkResults(op)) ||
      failed(checkMatrix(op, llvm::product_of(matrix))))
    return failure();
  return refuseUnknown(op);
}

/// It is a convolution with ones, channel by channel.
LogicalResult SupportChecker::checkOp(mil::L2PoolOp op) {
  FailureOr<mil::Window> window = mil::getWindow(op);
  if (failed(checkResults(op)) ||
      (succeeded(window) &&
       failed(checkMatrix(op, milShape(op.getX())[1] *
                                  llvm::product_of(window->kernel)))))
    return failure();
  return refuseUnknown(op);
}

/// It is a gather of places that are made of constants, one for each element.
LogicalResult SupportChecker::checkOp(mil::ReverseSequenceOp op) {
  if (failed(checkResults(op)) ||
      failed(checkMatrix(op, llvm::product_of(milShape(op.getX())))))
    return failure();
  return refuseUnknown(op);
}

/// The weight becomes what its integers stand for.
LogicalResult SupportChecker::checkOp(mil::ConvQuantizedOp op) {
  if (mil::getConstantString(op.getQuantizationType()) != "linear")
    return refuse(op, id("conv-c3"),
                  "where a table of 'quantization_type' \"lut\" lies is not "
                  "documented; use conv with the weight of a "
                  "constexpr_lut_to_dense");
  return refuse(op, id("conv-c3"),
                "'weight' is computed; it must be known at compile time: give "
                "it as a constant, or cast it to fp16 for conv");
}

LogicalResult
SupportChecker::refuseRecurrent(Operation *op,
                                ArrayRef<NamedValue> activations) {
  for (auto [name, value] : activations)
    if (value && mil::getConstantString(value) == mil::disputedActivation)
      return refuse(op, id("recurrent-c1"),
                    "'" + name +
                        "' is \"scaled_tanh\", documented as 1.7159 * "
                        "tanh(2 / 3 * x) and measured as tanh(x); write "
                        "\"tanh\" if that is meant, or the steps themselves");
  return refuseUnknown(op);
}

LogicalResult SupportChecker::checkOp(mil::GruOp op) {
  return refuseRecurrent(op,
                         {{"recurrent_activation", op.getRecurrentActivation()},
                          {"activation", op.getActivation()}});
}

LogicalResult SupportChecker::checkOp(mil::LstmOp op) {
  return refuseRecurrent(op,
                         {{"recurrent_activation", op.getRecurrentActivation()},
                          {"cell_activation", op.getCellActivation()},
                          {"activation", op.getActivation()}});
}

LogicalResult SupportChecker::checkOp(mil::RnnOp op) {
  return refuseRecurrent(op, {{"activation", op.getActivation()}});
}

LogicalResult SupportChecker::checkOp(mil::WhileLoopOp op) {
  if (failed(checkResults(op)))
    return failure();
  if (auto limit =
          op->getAttrOfType<IntegerAttr>(mil::MILDialect::unrollLimitAttrName))
    return refuse(op, id("unroll-c2"),
                  "the loop goes on after " + Twine(limit.getInt()) +
                      " turns, the limit of those written out; raise it with "
                      "--unroll-limit, or leave the loop outside the program");
  return refuse(op, id("loop-c1"),
                "whether the loop goes on depends on computed values; let it "
                "turn as often as constants say, or leave it outside the "
                "program");
}
