//===- DescribeLayers.cpp - The words for each layer ----------------------===//
//
// Keys and values are those of docs/formats/net-plist.md, which has their
// evidence. What a layer has fused becomes a unit of its own again: a bias is a
// GOC after its convolution, an activation a Neuron.
//
//===----------------------------------------------------------------------===//

#include "Network/NetworkDescriber.h"
#include "ane/Support/Half.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;
using netplist::Array;
using netplist::Dict;
using netplist::makeDict;

namespace {

/// Dimensions of [batch, depth, channels, rows, columns].
constexpr const char *dimensionNames[] = {"Batch", "Depth", "Channel", "Height",
                                          "Width"};

/// An fp16 parameter is its bits as an integer.
int64_t bitsOf(FloatAttr number) {
  return number.getValue().bitcastToAPInt().getZExtValue();
}

FailureOr<Dict> neuronParams(Operation *op, NeuronAttr neuron) {
  switch (neuron.getMode()) {
  case NonLinearMode::relu:
    return Dict{{"Type", "ReLU"}};
  case NonLinearMode::clamped_relu:
    return Dict{{"ReluMax", bitsOf(neuron.getBeta())},
                {"ReluMin", bitsOf(neuron.getAlpha())},
                {"Type", "ClampedReLU"}};
  case NonLinearMode::prelu:
    return Dict{{"ReluOffset", 0},
                {"ReluSlope", bitsOf(neuron.getAlpha())},
                {"Type", "LeakyReLU"}};
  case NonLinearMode::sigmoid:
    return Dict{{"Type", "Sigmoid"}};
  case NonLinearMode::swish:
    return Dict{{"Type", "Swish"}};
  case NonLinearMode::tanh:
    return Dict{{"Type", "Tanh"}};
  case NonLinearMode::gelu:
    return Dict{{"Type", "GELU"}};
  case NonLinearMode::exp2:
    return Dict{{"Type", "Exp2"}};
  case NonLinearMode::log2:
    return Dict{{"Type", "Log2"}};
  case NonLinearMode::inv:
    return Dict{{"Type", "Inv"}};
  case NonLinearMode::sqrt:
    return Dict{{"Type", "Sqrt"}};
  case NonLinearMode::rsqrt:
    return Dict{{"Type", "Rsqrt"}};
  default:
    return op->emitError("the activation '")
           << stringifyNonLinearMode(neuron.getMode())
           << "' has no known name in a network description; --emit=zin "
              "writes it";
  }
}

/// What convolution and pooling share.
Dict windowParams(int64_t rows, int64_t columns, ArrayRef<int64_t> strides) {
  return {{"KernelDepth", 1},
          {"KernelHeight", rows},
          {"KernelWidth", columns},
          {"Step", Array{strides[1], strides[0], 1}}};
}
void addPadding(Dict &params, int64_t top, int64_t left, int64_t bottom,
                int64_t right, StringRef mode) {
  params.insert(params.end(), {{"PadBack", 0},
                               {"PadBot", bottom},
                               {"PadFront", 0},
                               {"PadLeft", left},
                               {"PadRight", right},
                               {"PadTop", top},
                               {"PaddingMode", mode.str()}});
}

} // namespace

LogicalResult NetworkDescriber::describeLayer(ConvOp op) {
  FailureOr<std::string> x = nameOf(op.getX());
  FailureOr<uint64_t> offset = store(op.getKernel());
  if (failed(x) || failed(offset))
    return failure();
  auto shape = cast<RankedTensorType>(op.getKernel().getType()).getShape();
  Dict params = windowParams(shape[H], shape[W], op.getStrides());
  auto result = cast<RankedTensorType>(op.getType()).getShape();
  ArrayRef<int64_t> dilations = op.getDilations();
  addPadding(params, op.getPadding()[0], op.getPadding()[1],
             op.getPaddingBehind(0), op.getPaddingBehind(1), "Zero");
  params.insert(params.end(), {{"KernelGroupReuse", false},
                               {"KernelIndex", 0},
                               {"KernelMode", "Dense"},
                               {"KernelMutable", false},
                               {"KernelOffset", int64_t(*offset)},
                               {"KernelType", "Float16"},
                               {"Type", "Conv"}});
  if (dilations[0] != 1 || dilations[1] != 1)
    params.insert(params.end(), {{"KernelDilationX", dilations[1]},
                                 {"KernelDilationY", dilations[0]}});
  std::string name =
      addUnit("Conv", {*x}, op.getType(), std::move(params), op.getGroups());
  if (Value bias = op.getBias()) {
    FailureOr<uint64_t> place = store(bias);
    if (failed(place))
      return failure();
    name = addUnit(
        "GOC", {name}, op.getType(),
        {{"BiasScaleGroupData", makeDict({{"BiasCount", result[C]},
                                          {"BiasIndex", 0},
                                          {"BiasOffset", int64_t(*place)},
                                          {"BiasType", "Float16"}})}});
  }
  return addEpilogue(op, name, op.getScaleAttr(), op.getActivationAttr());
}

LogicalResult NetworkDescriber::describeLayer(MatMulOp op) {
  FailureOr<std::string> x = nameOf(op.getX());
  FailureOr<std::string> kernel = nameOf(op.getKernel());
  if (failed(x) || failed(kernel))
    return failure();
  std::string name = addUnit(stringifyUnitType(MatMulOp::getUnitType()),
                             {*x, *kernel}, op.getType(),
                             {{"ContractRows", op.getContractRows()},
                              {"OutputsOnRows", op.getOutputsOnRows()}});
  if (Value bias = op.getBias()) {
    netplist::Shape shape = shapeOf(bias.getType());
    if (op.getOutputsOnRows())
      std::swap(shape.height, shape.width);
    FailureOr<std::string> constant = addConstant(bias, shape);
    if (failed(constant))
      return failure();
    name = addUnit("ElementWise", {name, *constant}, op.getType(),
                   {{"Type", "Add"}});
  }
  return addEpilogue(op, name, op.getScaleAttr(), op.getActivationAttr());
}

LogicalResult NetworkDescriber::addEpilogue(Operation *op, std::string name,
                                            FloatAttr scale,
                                            NeuronAttr activation) {
  Type type = op->getResult(0).getType();
  if (scale)
    name = addGOC(name, type, scale, {});
  if (activation) {
    FailureOr<Dict> params = neuronParams(op, activation);
    if (failed(params))
      return failure();
    name = addUnit("Neuron", {name}, type, std::move(*params));
  }
  values[op->getResult(0)] = std::move(name);
  return success();
}

std::string NetworkDescriber::addGOC(const std::string &bottom, Type type,
                                     FloatAttr scale, FloatAttr bias) {
  return addUnit("GOC", {bottom}, type,
                 {{"BiasScalar", bias ? bitsOf(bias) : 0},
                  {"ScaleScalar", scale ? bitsOf(scale) : halfOne}});
}

LogicalResult NetworkDescriber::describeLayer(NeuronOp op) {
  FailureOr<std::string> x = nameOf(op.getX());
  if (failed(x))
    return failure();
  std::string name = *x;
  // The bias comes before the scale.
  if (op.getBiasAttr())
    name = addGOC(name, op.getType(), {}, op.getBiasAttr());
  return addEpilogue(op, name, op.getScaleAttr(), op.getFunctionAttr());
}

LogicalResult NetworkDescriber::describeLayer(ElementWiseOp op) {
  return addLayer(op, {op.getX(), op.getY()},
                  {{"Type", stringifyEWType(op.getKind()).str()}});
}

LogicalResult NetworkDescriber::describeLayer(ScaledElementWiseOp op) {
  FailureOr<std::string> x = nameOf(op.getX()), y = nameOf(op.getY());
  if (failed(x) || failed(y))
    return failure();
  std::string scaled = addGOC(*x, op.getX().getType(), op.getScaleAttr(), {});
  std::string joined = addUnit("ElementWise", {scaled, *y}, op.getType(),
                               {{"Type", stringifyEWType(op.getKind()).str()}});
  values[op.getResult()] = addGOC(joined, op.getType(), {}, op.getBiasAttr());
  return success();
}

LogicalResult NetworkDescriber::describeLayer(GOCOp op) {
  FailureOr<std::string> x = nameOf(op.getX());
  if (failed(x))
    return failure();
  values[op.getResult()] =
      addGOC(*x, op.getType(), op.getScaleAttr(), op.getBiasAttr());
  return success();
}

LogicalResult NetworkDescriber::describeLayer(PoolOp op) {
  ArrayRef<int64_t> window = op.getWindow(), padding = op.getPadding();
  bool isMax = op.getKind() == PoolingType::Max;
  Dict params = windowParams(window[0], window[1], op.getStrides());
  addPadding(params, padding[0], padding[1], padding[2], padding[3],
             isMax ? "Negative" : "Zero");
  params.emplace_back("Type", stringifyPoolingType(op.getKind()).str());
  if (!isMax)
    params.emplace_back("AverageCountExcludePadding", op.getExcludePadding());
  return addLayer(op, op.getX(), std::move(params));
}

LogicalResult NetworkDescriber::describeLayer(ReductionOp op) {
  Array dimensions;
  for (int64_t axis : op.getAxes())
    dimensions.push_back(dimensionNames[axis]);
  FailureOr<std::string> x = nameOf(op.getX());
  if (failed(x))
    return failure();
  std::string name = *x;
  if (op.getSquare())
    name = addUnit("ElementWise", {name, name}, op.getX().getType(),
                   {{"Type", stringifyEWType(EWType::Mult).str()}});
  name = addUnit("Reduction", {name}, op.getType(),
                 {{"Dimension", std::move(dimensions)},
                  {"Type", stringifyReductionType(op.getKind()).str()}});
  if (op.getScaleAttr() || op.getEpsilonAttr())
    name = addGOC(name, op.getType(), op.getScaleAttr(), op.getEpsilonAttr());
  NeuronAttr post;
  if (op.getPost().value_or(PEPost::none) != PEPost::none)
    post = NeuronAttr::get(op.getContext(),
                           *op.getPost() == PEPost::rsqrt ? NonLinearMode::rsqrt
                                                          : NonLinearMode::inv,
                           {}, {});
  return addEpilogue(op, name, {}, post);
}

LogicalResult NetworkDescriber::describeLayer(SoftmaxOp op) {
  if (op.getScale())
    return op.emitError() << "softmax: a network description has no word for "
                             "its scale; describe the layers before the pass "
                             "zin-scale-softmax";
  return addLayer(op, op.getX(), {{"Dimension", dimensionNames[op.getAxis()]}});
}

LogicalResult NetworkDescriber::describeLayer(ReshapeOp op) {
  netplist::Shape shape = shapeOf(op.getType());
  Dict params = {{"ReshapedBatch", int64_t(shape.batch)},
                 {"ReshapedChannel", int64_t(shape.channels)},
                 {"ReshapedHeight", int64_t(shape.height)},
                 {"ReshapedWidth", int64_t(shape.width)}};
  if (shape.depth != 1)
    params.emplace_back("ReshapedDepth", int64_t(shape.depth));
  return addLayer(op, op.getX(), std::move(params));
}

/// A view is along one dimension, so there are as many as dimensions change.
LogicalResult NetworkDescriber::describeLayer(InputViewOp op) {
  FailureOr<std::string> name = nameOf(op.getX());
  if (failed(name))
    return failure();
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(op.getX().getType()).getShape());
  auto result = cast<RankedTensorType>(op.getType());
  std::string last = *name;
  for (Dim axis : {N, D, C, H, W}) {
    if (shape[axis] == result.getShape()[axis])
      continue;
    shape[axis] = result.getShape()[axis];
    last = addView(last, axis, op.getBegin()[axis], op.getStrides()[axis],
                   RankedTensorType::get(shape, result.getElementType()));
  }
  values[op.getResult()] =
      last == *name ? addView(last, W, 0, 1, result) : last;
  return success();
}

std::string NetworkDescriber::addView(const std::string &bottom, int axis,
                                      int64_t begin, int64_t stride,
                                      RankedTensorType type) {
  Dict params = {{"Dimension", dimensionNames[axis]},
                 {"Offset", begin},
                 {"Size", type.getShape()[axis]}};
  if (stride != 1)
    params.emplace_back("Step", stride);
  return addUnit("InputView", {bottom}, type, std::move(params));
}

LogicalResult NetworkDescriber::describeLayer(ConcatOp op) {
  Dict params = {{"Dimension", dimensionNames[op.getAxis()]}};
  if (op.getInterleave())
    params.emplace_back("Interleave", true);
  return addLayer(op, op.getValues(), std::move(params));
}

LogicalResult NetworkDescriber::describeLayer(TransposeOp op) {
  Array moves;
  for (auto [to, from] : llvm::enumerate(op.getPermutation()))
    if (int64_t(to) != from)
      moves.push_back(
          makeDict({{"TransposeDestinationDimension", dimensionNames[to]},
                    {"TransposeSourceDimension", dimensionNames[from]}}));
  return addLayer(op, op.getX(), {{"TransposeDimensions", std::move(moves)}});
}

LogicalResult NetworkDescriber::describeLayer(zin::ReturnOp op) {
  for (auto [index, value] : llvm::enumerate(op.getOperands())) {
    FailureOr<std::string> bottom = nameOf(value);
    if (failed(bottom))
      return failure();
    // An output is of a unit, so an input or a constant passes through one.
    if (isa<BlockArgument>(value) || value.getDefiningOp<ConstantOp>())
      bottom =
          addView(*bottom, W, 0, 1, cast<RankedTensorType>(value.getType()));
    netplist::Output output;
    output.name = portName(procedure.getResultAttrDict(index)).str();
    output.bottom = *bottom;
    netplist::ProcedureOutput entry;
    entry.name = output.name;
    entry.unit = output.bottom;
    entry.operation = operationName;
    network.outputs.push_back(std::move(output));
    main.outputs.push_back(std::move(entry));
  }
  return success();
}
