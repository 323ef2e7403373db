//===- LowerElementwise.cpp - Functions of elements -----------------------===//

#include "Coefficients.h"
#include "Lowering.h"
#include "ane/Dialect/Zin/IR/RoundingOffset.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Support/Half.h"

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

/// The operation of a pair.
static PEParams pair(EWType kind) {
  PEParams params;
  switch (kind) {
  case EWType::Add:
    params.op = PEOp::add;
    break;
  case EWType::Sub:
    params.op = PEOp::add;
    params.negate2 = true;
    break;
  case EWType::Mult:
    params.op = PEOp::mul;
    break;
  case EWType::Max:
    params.op = PEOp::max;
    break;
  case EWType::Min:
    params.op = PEOp::min;
    break;
  }
  return params;
}

/// The layer as a relu that does nothing else, if it is one.
static NeuronOp plainRelu(Operation *layer) {
  auto relu = dyn_cast_or_null<NeuronOp>(layer);
  return relu && relu.isPlain() && isRelu(relu.getFunction()) ? relu : nullptr;
}

/// The layer that alone reads a value.
static Operation *onlyUser(Value value) {
  return value.hasOneUse() ? *value.user_begin() : nullptr;
}

/// Whether nothing but pairs reads a relu, each of which may have it as a flag
/// of source 2: those of which the other operand has no such flag.
bool Lowering::isOfSources(NeuronOp relu) const {
  return plainRelu(relu) &&
         llvm::all_of(relu->getUsers(), [&](Operation *user) {
           auto pair = dyn_cast<ElementWiseOp>(user);
           // How a relu and a negation meet is not known.
           if (!pair || pair.getKind() == EWType::Sub ||
               pair.getX() == pair.getY())
             return false;
           Value other =
               pair.getX() == relu.getResult() ? pair.getY() : pair.getX();
           return !ofReader(other);
         });
}

NeuronOp Lowering::ofReader(Value value) const {
  auto neuron = value.getDefiningOp<NeuronOp>();
  return neuron && ofReaders.contains(neuron) ? neuron : nullptr;
}

/// Whether the task that turns the elements of an activation, which nothing
/// else reads, may apply it. Verified for a table and one row.
bool Lowering::isOfTranspose(NeuronOp op) const {
  auto turn = dyn_cast_or_null<TransposeOp>(onlyUser(op.getResult()));
  return turn && turn.getPermutation()[W] != W && !isOfProduct(turn) &&
         !op.getBiasAttr() && op.getFunction().getMode() != NonLinearMode::abs;
}

Value Lowering::takeRelu(Value value, PEParams &params) {
  NeuronOp relu = plainRelu(onlyUser(value));
  if (!relu)
    return value;
  params.relu = true;
  take(relu);
  return relu.getResult();
}

Value Lowering::takeEpilogue(Value value, PEParams &params) {
  auto product = dyn_cast_or_null<GOCOp>(onlyUser(value));
  // What rounds to integers is rounded before anything scales it.
  if (product && product.getBias().isZero() && params.scale == 1 &&
      !roundsToIntegers(APFloat(params.bias))) {
    params.scale = product.getScale().convertToDouble();
    take(product);
    value = product.getResult();
  }
  return takeRelu(value, params);
}

/// What a product with ones repeats to the extents of the ones, if it is one.
static Value repeatedBy(ElementWiseOp op) {
  if (op.getKind() != EWType::Mult)
    return {};
  for (auto [x, ones] :
       {std::pair(op.getX(), op.getY()), std::pair(op.getY(), op.getX())}) {
    auto constant = ones.getDefiningOp<ConstantOp>();
    auto elements = constant
                        ? dyn_cast<DenseElementsAttr>(constant.getElements())
                        : DenseElementsAttr();
    if (elements && elements.isSplat() &&
        elements.getSplatValue<APFloat>().isExactlyValue(1.0))
      return x;
  }
  return {};
}

/// Whether a value comes from memory and all that reads it is a layer and the
/// relu that is part of its task.
static bool isParameterOf(ElementWiseOp op, Value value, Value relu) {
  return isa<BlockArgument>(value) &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           return user == op || (relu && user == relu.getDefiningOp());
         });
}

/// A task fetches each of its sources. Of one row that is both, some channels
/// at a time are copied to L2 and read twice there; blocks of several rows have
/// such copies anyway (`zin-tile-rows`).
void Lowering::emitOfOne(const PEParams &params, const View &x,
                         const View &result) {
  int64_t channels = x.shape[C];
  // Assigned: for little Apple's compiler reads twice.
  constexpr int64_t leastTasks = 4;
  bool isNear = x.shape[H] == 1 && elementBytes * llvm::product_of(x.shape) >
                                       leastTasks * b.target.taskBytes();
  if (isNear)
    channels = std::clamp<int64_t>(b.target.largeL2Bytes() / 2 * channels /
                                       zin::bytesInL2(x.shape, b.target),
                                   1, channels);
  for (int64_t begin = 0; begin < x.shape[C]; begin += channels) {
    int64_t count = std::min(channels, x.shape[C] - begin);
    View part = x.sliced(C, begin, count);
    if (isNear) {
      View near = b.makeScratch(part.shape);
      b.emitCopy(part, near);
      part = near;
    }
    b.emitPE(Opcode::PEFUSED_ELEMENTWISE, UnitType::PEElementWise, params, part,
             &part, result.sliced(C, begin, count));
  }
}

LogicalResult Lowering::lower(ElementWiseOp op) {
  if (takeDifference(op))
    return success();
  PEParams params = pair(op.getKind());
  Value first = op.getX(), second = op.getY();
  if (ofReader(first))
    std::swap(first, second);
  NeuronOp relu = ofReader(second);
  params.relu2 = bool(relu);
  Value repeated = repeatedBy(op);
  View result = resultView(takeEpilogue(op.getResult(), params));
  if (repeated && !relu) {
    params.op = PEOp::add;
    b.emitPE(Opcode::PEFUSED_ELEMENTWISE, UnitType::PEElementWise, params,
             viewOf(repeated), nullptr, result);
    return success();
  }
  if (relu) {
    b.addLocation(relu.getLoc());
    second = relu.getX();
  }
  View x = viewOf(first);
  if (first == second &&
      isParameterOf(op, first, relu ? relu.getResult() : Value())) {
    emitOfOne(params, x, result);
    return success();
  }
  View y = viewOf(second);
  b.emitPE(Opcode::PEFUSED_ELEMENTWISE, UnitType::PEElementWise, params, x, &y,
           result);
  return success();
}

LogicalResult Lowering::lower(ScaledElementWiseOp op) {
  View x = viewOf(op.getX()), y = viewOf(op.getY());
  PEParams params = pair(op.getKind());
  params.preScale = op.getScale().convertToDouble();
  params.bias = op.getBias().convertToDouble();
  View result = resultView(takeEpilogue(op.getResult(), params));
  b.emitPE(Opcode::PEFUSED_ELEMENTWISE, UnitType::PEElementWise, params, x, &y,
           result);
  return success();
}

/// x * scale + bias. The engine adds a bias before it scales, as one real
/// program shows: (x + bias / scale) * scale is that where fp16 holds the
/// quotient. With a negative scale a result of 0 would become -0. Otherwise the
/// factor of source 1, in front of the bias, is the scale; in tasks of one
/// source it is inferred.
static PEParams affine(double scale, double bias) {
  PEParams params;
  double before = bias / scale;
  bool isExact = isHalf(before) && before * scale == bias && scale > 0;
  if (bias == 0 || isExact) {
    params.scale = scale;
    params.bias = bias == 0 ? bias : before;
  } else {
    params.preScale = scale;
    params.bias = bias;
  }
  return params;
}

/// What two layers do in one: (x + bias) * scale, as the engine adds and
/// scales, or x * scale + bias; nothing if they are others. Neither is rounded
/// in between.
static std::optional<PEParams> affineOf(GOCOp first, GOCOp second) {
  auto isZero = [](GOCOp op) { return op.getBias().isZero(); };
  auto isOne = [](GOCOp op) { return op.getScale().isExactlyValue(1.0); };
  if (roundsToIntegers(first.getBias()) || roundsToIntegers(second.getBias()))
    return std::nullopt;
  if (isOne(first) && isZero(second)) {
    PEParams params;
    params.bias = first.getBias().convertToDouble();
    params.scale = second.getScale().convertToDouble();
    return params;
  }
  if (isZero(first) && isOne(second))
    return affine(first.getScale().convertToDouble(),
                  second.getBias().convertToDouble());
  return std::nullopt;
}

LogicalResult Lowering::lower(GOCOp op) {
  PEParams params =
      affine(op.getScale().convertToDouble(), op.getBias().convertToDouble());
  GOCOp last = op;
  if (op->hasOneUse())
    if (auto next = dyn_cast<GOCOp>(*op->user_begin()))
      if (std::optional<PEParams> both = affineOf(op, next)) {
        params = *both;
        last = next;
        take(next);
      }
  View y = resultView(takeEpilogue(last.getResult(), params));
  b.emitPE(Opcode::PEFUSED_GOC, UnitType::PEGOC, params, viewOf(op.getX()),
           nullptr, y);
  return success();
}

/// What a task of the neural engine does to each element for a layer, with the
/// table that it needs in so many lanes, or in all.
NEParams Lowering::passOf(NeuronOp op, int64_t lanes,
                          FlatSymbolRefAttr &table) {
  NEParams params;
  if (FloatAttr scale = op.getScaleAttr())
    params.postScale = scale.getValueAsDouble();
  if (FloatAttr bias = op.getBiasAttr()) {
    // The form in which a bias of the accumulator is verified: a sum of one.
    params.op = MACOp::mac;
    params.accBias = bias.getValueAsDouble();
  }
  params.relu = isRelu(op.getFunction());
  if (!params.relu) {
    KernelParams kernel;
    kernel.activation = op.getFunction();
    kernel.outputs = lanes;
    table = b.makeKernel(kernel);
  }
  return params;
}

LogicalResult Lowering::lower(NeuronOp op) {
  if (isOfSources(op) || isOfTranspose(op)) {
    ofReaders.insert(op);
    return success();
  }
  View x = viewOf(op.getX()), y = resultView(op.getResult());
  NonLinearMode mode = op.getFunction().getMode();
  if (mode == NonLinearMode::abs && op.isPlain()) {
    PEParams params;
    params.abs = true;
    b.emitPE(Opcode::PEFUSED_ELEMENTWISE, UnitType::PEElementWise, params, x,
             nullptr, y);
    return success();
  }
  FlatSymbolRefAttr table;
  NEParams params = passOf(op, x.shape[C], table);
  b.emitNE(Opcode::NEFUSED_BYPASS, UnitType::NEBypass, params, x, y, table);
  return success();
}
