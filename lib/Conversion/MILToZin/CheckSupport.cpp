//===- CheckSupport.cpp - What the target can run -------------------------===//
//
// One function an op family. Each refusal names the constraint, the value and
// the limit; docs/constraints.md has a line for every id.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "ane/Dialect/MIL/IR/ChannelAffine.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <climits>
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;
using mil::refuse;

namespace {

int64_t product(ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t(1),
                         std::multiplies<>());
}

bool isConstant(Value value) { return bool(mil::getConstantElements(value)); }

/// Whether a constant has its elements: they can lie in a weight file that
/// nobody loaded, or be left out of the text of the IR.
bool isAtHand(mil::ConstOp op) {
  auto elements = dyn_cast<ElementsAttr>(op.getValue());
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(elements);
  if (!resource)
    return bool(elements);
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob || !isa<FloatType>(elements.getElementType()))
    return bool(blob);
  uint64_t bits = uint64_t(elements.getNumElements()) *
                  elements.getElementType().getIntOrFloatBitWidth();
  return blob->getData().size() == bits / CHAR_BIT;
}

class SupportChecker {
public:
  SupportChecker(MLIRContext *context, const TargetDescription &target)
      : target(target), lowered(getLoweredOps(context)) {}

  LogicalResult check(mil::FuncOp func) {
    // Values that were refused. What is computed from them is not looked at:
    // one mistake gets one report.
    llvm::DenseSet<Value> refused;
    for (BlockArgument argument : func.getArguments())
      if (failed(checkType(
              func,
              "input '" + func.getParameterName(argument.getArgNumber()) + "'",
              argument.getType())))
        refused.insert(argument);
    bool legal = refused.empty();
    for (Operation &op : func.getBody().front()) {
      bool follows = llvm::any_of(op.getOperands(), [&](Value operand) {
        return refused.contains(operand);
      });
      if (!follows && succeeded(check(&op)))
        continue;
      legal = false;
      refused.insert_range(op.getResults());
    }
    return success(legal);
  }

private:
  LogicalResult check(Operation *op) {
    // A constant is looked at where it is used.
    if (isa<mil::ConstOp>(op))
      return success();
    if (!lowered.contains(op->getName()))
      return refuse(op, id("op-c1"),
                    "no layer of the engine expresses this op; write it with "
                    "others, or leave it outside the program");
    if (auto result = dyn_cast<mil::ReturnOp>(op))
      for (auto [index, operand] : llvm::enumerate(result.getOperands()))
        if (failed(checkType(op,
                             "output '" +
                                 result->getParentOfType<mil::FuncOp>()
                                     .getOutputName(index) +
                                 "'",
                             operand.getType())))
          return failure();
    for (Type type : op->getResultTypes())
      if (failed(checkType(op, "the result", type)))
        return failure();
    if (failed(checkConstants(op)))
      return failure();
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](mil::SliceByIndexOp slice) {
          return requireConstants(
              op, {{"begin", slice.getBegin()}, {"end", slice.getEnd()}});
        })
        .Case([&](mil::SliceBySizeOp slice) {
          return requireConstants(
              op, {{"begin", slice.getBegin()}, {"size", slice.getSize()}});
        })
        .Case([&](mil::GatherOp gather) { return checkOp(gather); })
        .Case([&](mil::TileOp tile) {
          return requireConstants(op, {{"reps", tile.getReps()}});
        })
        .Case([&](mil::PadOp pad) {
          return requireConstants(op, {{"pad", pad.getPad()}});
        })
        .Case<mil::ConvOp, mil::MaxPoolOp, mil::AvgPoolOp, mil::LinearOp,
              mil::MatmulOp, mil::CastOp, mil::BatchNormOp, mil::ReshapeOp>(
            [&](auto typed) { return checkOp(typed); })
        .Default(success());
  }

  /// Element type, rank and extents of a computed value.
  LogicalResult checkType(Operation *op, const Twine &what, Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    Type element = tensor ? tensor.getElementType() : Type();
    if (!element || (!element.isF16() && !element.isF32()))
      return refuse(op, id("type-c1"),
                    what + " is " + mil::formatType(type) +
                        "; the engine computes on tensors of fp16, which fp16 "
                        "and fp32 values become");
    if (!tensor.hasStaticShape())
      return refuse(op, id("shape-c4"),
                    what + " is " + mil::formatType(type) +
                        "; every dimension must be known: bind the inputs with "
                        "--shape");
    if (tensor.getRank() > target.maxRank)
      return refuse(op, id("shape-c1"),
                    what + " has rank " + Twine(tensor.getRank()) +
                        "; the engine has " + Twine(target.maxRank) +
                        " dimensions");
    Shape5 shape = alignShape(tensor.getShape(), tensor.getRank());
    const int64_t limits[] = {target.maxBatch, target.maxDepth,
                              target.maxChannels, target.maxHeight,
                              target.maxWidth};
    for (unsigned dim = 0; dim < zin::numDims; ++dim) {
      if (shape[dim] == 0)
        return refuse(op, id("shape-c2"),
                      what + " is " + mil::formatType(type) +
                          "; a dimension of extent 0 has nothing to compute");
      if (shape[dim] > limits[dim])
        return refuse(op, id("shape-c3"),
                      what + " is " + mil::formatType(type) +
                          "; its dimension " + zin::stringifyDim(dim) + " is " +
                          Twine(shape[dim]) + ", the limit " +
                          Twine(limits[dim]) +
                          "; reshape it or split the tensor");
    }
    return success();
  }

  LogicalResult requireConstant(Operation *op, Value value, StringRef name) {
    if (!value || isConstant(value))
      return success();
    return refuse(op, id("const-c2"),
                  "'" + name +
                      "' is not a constant; it must be known at compile time");
  }

  LogicalResult requireConstants(Operation *op,
                                 ArrayRef<std::pair<StringRef, Value>> inputs) {
    for (auto [name, value] : inputs)
      if (failed(requireConstant(op, value, name)))
        return failure();
    return success();
  }

  LogicalResult requireHalf(Operation *op, StringRef what,
                            std::optional<double> tooLarge) {
    if (!tooLarge)
      return success();
    return refuse(op, id("const-c1"),
                  what + llvm::formatv(" is {0:e6}, beyond 65504, the largest "
                                       "fp16; the engine has nothing wider",
                                       *tooLarge)
                             .str());
  }

  /// What an op must know at compile time, and numbers that fp16 cannot hold.
  LogicalResult checkConstants(Operation *op) {
    for (Value operand : op->getOperands())
      if (auto constant = operand.getDefiningOp<mil::ConstOp>();
          constant && !isAtHand(constant))
        return refuse(op, id("const-c2"),
                      "the elements of a constant operand are not at hand; run "
                      "the pass mil-load-weights first, and do not elide "
                      "constants");
    if (auto milOp = dyn_cast<mil::MILOp>(op))
      for (auto [index, arg] : llvm::enumerate(milOp.getOpSpec().args))
        for (Value value : milOp.getInput(index))
          if (arg.isConstantIn(mil::getOpset(op)) &&
              failed(requireConstant(op, value, arg.name)))
            return failure();
    // A bound that is infinite in fp16 is none.
    if (isa<mil::ClipOp>(op))
      return success();
    for (Value operand : op->getOperands())
      if (failed(requireHalf(op, "an element of a constant operand",
                             findHalfOverflow(operand))))
        return failure();
    return success();
  }

  /// Padding and number of spatial dimensions of a window.
  LogicalResult checkWindow(Operation *op, const mil::Window &window) {
    if (window.kernel.size() > 2)
      return refuse(op, id("window-c1"),
                    "the window has " + Twine(window.kernel.size()) +
                        " spatial dimensions; the engine has 2");
    for (int64_t padding : window.padBefore)
      if (padding > target.maxPadding)
        return refuse(op, id("window-c2"),
                      "the padding in front is " + Twine(padding) +
                          ", the limit " + Twine(target.maxPadding) +
                          "; pad in a separate op");
    return success();
  }

  LogicalResult checkOp(mil::ConvOp op) {
    if (failed(requireConstant(op, op.getWeight(), "weight")) ||
        failed(requireConstant(op, op.getBias(), "bias")))
      return failure();
    FailureOr<mil::Window> window = mil::getWindow(op);
    if (failed(window) || failed(checkWindow(op, *window)))
      return failure();
    size_t last = window->kernel.size() - 1;
    auto reach = [&](size_t dim) {
      return (window->kernel[dim] - 1) * window->dilation[dim] + 1;
    };
    int64_t width = reach(last), height = last == 0 ? 1 : reach(0);
    if (width > target.maxKernelWidth || height > target.maxKernelHeight)
      return refuse(op, id("conv-c1"),
                    "the kernel covers " + Twine(height) + " x " +
                        Twine(width) +
                        " inputs, dilation included; the limit "
                        "is " +
                        Twine(target.maxKernelHeight) + " x " +
                        Twine(target.maxKernelWidth) +
                        " in fp16; split the kernel into sums of smaller ones");
    int64_t groups = *mil::getIntOr(op.getGroups(), 1);
    // A channel-wise kernel is not grouped on the engine.
    bool channelwise = groups == milShape(op.getX())[1] &&
                       groups == milShape(op.getWeight())[0];
    if (groups > target.maxGroups && !channelwise)
      return refuse(op, id("conv-c2"),
                    "there are " + Twine(groups) + " groups, the limit is " +
                        Twine(target.maxGroups));
    return success();
  }

  template <typename PoolOp> LogicalResult checkPool(PoolOp op) {
    FailureOr<mil::Window> window = mil::getWindow(op);
    if (failed(window) || failed(checkWindow(op, *window)))
      return failure();
    for (int64_t extent : window->kernel)
      if (extent > target.maxPoolWindow)
        return refuse(op, id("pool-c1"),
                      "the window has extent " + Twine(extent) +
                          ", the limit is " + Twine(target.maxPoolWindow) +
                          "; reduce whole dimensions with reduce_mean, or pool "
                          "in two steps");
    return success();
  }
  LogicalResult checkOp(mil::MaxPoolOp op) { return checkPool(op); }
  LogicalResult checkOp(mil::AvgPoolOp op) { return checkPool(op); }

  /// Rows and batch of the computed matrix.
  LogicalResult checkMatrix(Operation *op, int64_t batch, int64_t kept) {
    if (kept > target.maxWidth)
      return refuse(op, id("matmul-c2"),
                    "the computed matrix has " + Twine(kept) +
                        " rows outside the contraction, the limit is " +
                        Twine(target.maxWidth) + "; split the product");
    if (batch > target.maxGroups)
      return refuse(op, id("matmul-c3"),
                    "there is a batch of " + Twine(batch) +
                        " matrices, the limit is " + Twine(target.maxGroups) +
                        "; split the product");
    return success();
  }

  LogicalResult checkOp(mil::LinearOp op) {
    return checkMatrix(op, 1, product(milShape(op.getX()).drop_back()));
  }

  LogicalResult checkOp(mil::MatmulOp op) {
    bool constantOnRight = isConstant(op.getY());
    if (!constantOnRight && !isConstant(op.getX()))
      return refuse(op, id("matmul-c1"),
                    "both operands are computed at run time; one must be a "
                    "constant");
    ArrayRef<int64_t> x = milShape(constantOnRight ? op.getX() : op.getY());
    ArrayRef<int64_t> c = milShape(constantOnRight ? op.getY() : op.getX());
    bool transposed = *mil::getBoolOr(
        constantOnRight ? op.getTransposeX() : op.getTransposeY(), false);
    bool keptIsLast = constantOnRight == transposed;
    int64_t kept = x.size() < 2 ? 1 : keptIsLast ? x.back() : x[x.size() - 2];

    ArrayRef<int64_t> xBatch =
        x.size() > 2 ? x.drop_back(2) : ArrayRef<int64_t>();
    ArrayRef<int64_t> cBatch =
        c.size() > 2 ? c.drop_back(2) : ArrayRef<int64_t>();
    int64_t batch = product(xBatch);
    if (product(cBatch) == 1 && constantOnRight && !keptIsLast)
      return checkMatrix(op, 1, kept * batch);
    // The constant can be repeated, the computed matrices cannot.
    if (product(cBatch) > 1 && batch > 1) {
      ArrayRef<int64_t> result = milShape(op.getResult());
      ArrayRef<int64_t> both = result.drop_back(
          (milShape(op.getX()).size() > 1) + (milShape(op.getY()).size() > 1));
      if (product(both) != batch)
        return refuse(op, id("matmul-c4"),
                      "the computed operand " +
                          mil::formatType(constantOnRight
                                              ? op.getX().getType()
                                              : op.getY().getType()) +
                          " broadcasts to a larger batch; give it the whole "
                          "batch, or one matrix");
    }
    return checkMatrix(op, std::max(batch, product(cBatch)), kept);
  }

  LogicalResult checkOp(mil::GatherOp op) {
    if (failed(requireConstant(op, op.getIndices(), "indices")))
      return failure();
    int64_t batch = mil::getIntOr(op.getBatchDims(), 0).value_or(0);
    if (batch != 0)
      return refuse(op, id("gather-c1"),
                    "'batch_dims' is " + Twine(batch) +
                        "; indices that differ from batch to batch need one "
                        "gather each");
    int64_t rank = milShape(op.getX()).size();
    int64_t axis = mil::getIntOr(op.getAxis(), 0).value_or(0);
    int64_t extent = milShape(op.getX())[axis < 0 ? axis + rank : axis];
    SmallVector<int64_t> indices = *mil::getConstantInts(op.getIndices());
    for (int64_t index : indices)
      if (index < -extent || index >= extent)
        return refuse(op, id("gather-c2"),
                      "index " + Twine(index) + " is outside [" +
                          Twine(-extent) + ", " + Twine(extent) + ")");
    return success();
  }

  LogicalResult checkOp(mil::CastOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getX().getType());
    Type element = type ? type.getElementType() : Type();
    if (element && (element.isF16() || element.isF32()))
      return success();
    return refuse(op, id("cast-c1"),
                  "'x' is " + mil::formatType(op.getX().getType()) +
                      "; the engine casts between fp16 and fp32 only");
  }

  LogicalResult checkOp(mil::BatchNormOp op) {
    mil::ChannelAffine affine = *mil::getChannelAffine(op);
    for (ArrayRef<double> factors :
         {ArrayRef(affine.scale), ArrayRef(affine.bias)})
      if (failed(requireHalf(op, "a factor or addend that the parameters give",
                             findHalfOverflow(factors))))
        return failure();
    return success();
  }

  LogicalResult checkOp(mil::ReshapeOp op) {
    if (mil::getConstantInts(op.getShape()))
      return success();
    return refuse(
        op, id("const-c2"),
        "'shape' is not a constant; it must be known at compile time");
  }

  std::string id(StringRef constraint) const {
    return (target.name + "-" + constraint).str();
  }

  const TargetDescription &target;
  llvm::DenseSet<OperationName> lowered;
};

} // namespace

LogicalResult ane::checkMILSupport(ModuleOp program,
                                   const TargetDescription &target) {
  SupportChecker checker(program.getContext(), target);
  bool legal = true;
  for (auto func : program.getOps<mil::FuncOp>())
    legal &= succeeded(checker.check(func));
  return success(legal);
}
