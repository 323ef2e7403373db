//===- ZinToTasks.cpp - Turn procedures into programs of tasks ------------===//

#include "Coefficients.h"
#include "Lowering.h"
#include "ane/Conversion/Passes.h"
#include "ane/Support/Constraint.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ane {
#define GEN_PASS_DEF_CONVERTZINTOTASKS
#include "ane/Conversion/Passes.h.inc"
} // namespace ane

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

Lowering::Lowering(ProcedureOp procedure, ProgramOp program,
                   const TargetDescription &target)
    : procedure(procedure), b(program, target) {}

LogicalResult Lowering::run() {
  Block &block = procedure.getBody().front();
  auto returnOp = cast<zin::ReturnOp>(block.getTerminator());
  if (failed(checkMemory()))
    return failure();
  makePorts();
  assignOutputs(returnOp);
  assignParts(block);
  for (Operation &op : block) {
    b.setLocation(op.getLoc());
    if (!done.contains(&op) && failed(lowerLayer(&op)))
      return failure();
    for (Value result : op.getResults())
      for (const View &part : copies.lookup(result))
        if (View view = viewOf(result); !view.isSameAs(part))
          b.emitCopy(view, part);
    if (!b.getExcess().empty())
      return refuse(&op, b.target.rule("shape-c3"),
                    "a task of it has " + b.getExcess() +
                        "; take fewer elements at a time, or reshape them");
  }
  return finishOutputs(returnOp);
}

LogicalResult Lowering::lowerLayer(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ConvOp, MatMulOp, PoolOp, ElementWiseOp, ScaledElementWiseOp, GOCOp,
            NeuronOp, ReductionOp, SoftmaxOp, ReshapeOp, TransposeOp,
            InputViewOp, ConcatOp>([&](auto layer) { return lower(layer); })
      .Case<ConstantOp, zin::ReturnOp>([](auto) { return success(); })
      .Default([](Operation *other) {
        return other->emitError() << "no rule lowers this layer";
      });
}

LogicalResult Lowering::checkMemory(Operation *op, const Twine &what,
                                    Value value) {
  std::optional<int64_t> bytes = b.packedBytes(shapeOf(value));
  if (bytes && *bytes <= b.target.maxProgramBytes)
    return success();
  std::string size = bytes ? std::to_string(*bytes) : "more than 2^63";
  return refuse(op, b.target.rule("memory-c3"),
                what + " takes " + size +
                    " bytes, the limit of all that a program has in memory "
                    "is " +
                    Twine(b.target.maxProgramBytes) + "; split it");
}

LogicalResult Lowering::checkMemory() {
  for (BlockArgument argument : procedure.getArguments()) {
    auto name = procedure.getArgAttrDict(argument.getArgNumber())
                    .getAs<StringAttr>(ProcedureOp::portNameAttrName);
    if (failed(checkMemory(procedure, "input '" + name.getValue() + "'",
                           argument)))
      return failure();
  }
  for (Operation &op : procedure.getBody().front())
    // Of a constant only what tasks read lies in memory, equal rows once.
    if (!isa<ConstantOp>(op))
      for (Value result : op.getResults())
        if (failed(checkMemory(&op, "its result", result)))
          return failure();
  return success();
}

void Lowering::makePorts() {
  for (BlockArgument argument : procedure.getArguments())
    setView(argument,
            b.makePort(BufferKind::input,
                       procedure.getArgAttrDict(argument.getArgNumber()),
                       shapeOf(argument)));
  for (auto [index, type] : llvm::enumerate(procedure.getResultTypes()))
    outputs.push_back(b.makePort(BufferKind::output,
                                 procedure.getResultAttrDict(index),
                                 cast<RankedTensorType>(type).getShape()));
}

bool Lowering::writesThrough(Operation *layer, const View &view) const {
  if (isa<ConvOp, PoolOp, ElementWiseOp, ScaledElementWiseOp, GOCOp, NeuronOp,
          TransposeOp, InputViewOp>(layer))
    return true;
  if (auto concat = dyn_cast<ConcatOp>(layer); concat && joinsDirectly(concat))
    return true;
  if (isa<MatMulOp>(layer))
    return bool(batchOf(view));
  return isa<ReductionOp, SoftmaxOp, ConcatOp, ReshapeOp>(layer) &&
         view.linearPitch();
}

/// Whether a layer moves no element, or none but whole rows.
static bool isMove(Operation *layer) {
  auto turn = dyn_cast_or_null<TransposeOp>(layer);
  return isa_and_nonnull<ReshapeOp>(layer) ||
         (turn && turn.getPermutation()[W] == W);
}

void Lowering::assignOutputs(zin::ReturnOp op) {
  for (auto [value, output] : llvm::zip_equal(op.getOperands(), outputs)) {
    // An output surface can only be written, so a value that somebody reads
    // must have another place.
    View view = output;
    Value current = value;
    while (current.getDefiningOp() && current.hasOneUse()) {
      // A port can have gaps between its planes where the program says so.
      if (!view.linearPitch() && !writesThrough(current.getDefiningOp(), view))
        break;
      assigned[current] = view;
      Operation *move = current.getDefiningOp();
      if (!isMove(move))
        break;
      std::optional<View> before = viewInFront(move, view);
      // Rows that others go on in may be written, too, if they can be told
      // afterwards.
      std::optional<View> behind;
      if (before)
        behind = viewBehind(move, *before);
      if (!behind || !behind->isSameAs(view))
        break;
      current = move->getOperand(0);
      view = *before;
    }
  }
}

/// Whether nothing but a layer of this kind reads what one makes.
static bool isMoveOn(Operation *move) {
  return move->hasOneUse() && isMove(*move->user_begin());
}

void Lowering::assignParts(Block &block) {
  // Users first: a concatenation may be a part of another, and a product reads
  // no operand turned that becomes its kernel.
  for (Operation &op : llvm::reverse(block)) {
    if (isMove(&op) && !isMoveOn(&op))
      followMoves(&op);
    if (auto concat = dyn_cast<ConcatOp>(op))
      assignConcat(concat);
    else if (auto reshape = dyn_cast<ReshapeOp>(op))
      assignReshape(reshape);
    else if (auto product = dyn_cast<MatMulOp>(op))
      exchangeOperands(product);
  }
}

bool Lowering::isOutputBuffer(ViewAttr buffer) const {
  return llvm::any_of(outputs,
                      [&](const View &view) { return view.buffer == buffer; });
}

void Lowering::assignConcat(ConcatOp op) {
  if (!joinsDirectly(op))
    return;
  b.setLocation(op.getLoc());
  auto known = assigned.find(op.getResult());
  View y = known == assigned.end() ? b.makeScratch(shapeOf(op.getResult()))
                                   : known->second;
  assigned[op.getResult()] = y;
  bool isOutput = isOutputBuffer(y.buffer);
  auto staysInL2 = [&](ArrayRef<int64_t> shape) {
    return elementBytes * llvm::product_of(shape) <= b.target.wholeL2Bytes();
  };
  bool staysNear = !isOutput && staysInL2(y.shape);
  for (auto [value, part] :
       llvm::zip_equal(op.getValues(), partsOf(op, y, op.getAxis()))) {
    Operation *layer = value.getDefiningOp();
    if (!layer)
      continue;
    // What others read as well is worth a place of its own in L2, and a copy
    // from there; of what is too large, zin-tile-rows keeps blocks of rows. In
    // L2, what lies together is read sooner than what takes turns. A copy of
    // one value is there so that L2 need not keep the value until others read
    // it.
    bool isCopy = op.getValues().size() == 1;
    bool inBlocks = shapeOf(value)[H] > 1 && !staysInL2(shapeOf(value));
    bool isWorthIt = op.getInterleave() ? !staysNear && value.hasOneUse()
                                        : (staysNear && !isCopy) ||
                                              value.hasOneUse() || inBlocks;
    if (isWorthIt && writesThrough(layer, part))
      assigned.try_emplace(value, part);
    // A part need not stay in L2 until all others are there.
    else if (!staysNear && !op.getInterleave())
      copies[value].push_back(part);
  }
}

/// What a layer that moves no element makes of the view it reads, if it is one.
std::optional<View> Lowering::viewBehind(Operation *move, const View &view) {
  if (auto turn = dyn_cast<TransposeOp>(move))
    return view.permuted(turn.getPermutation());
  return aliasReshape(view, shapeOf(move->getResult(0)));
}

/// What it reads where this is what it makes of it.
std::optional<View> Lowering::viewInFront(Operation *move, const View &view) {
  if (auto turn = dyn_cast<TransposeOp>(move))
    return view.permutedBack(turn.getPermutation());
  return aliasReshape(view, shapeOf(move->getOperand(0)));
}

void Lowering::followMoves(Operation *last) {
  SmallVector<Operation *> row = {last};
  Value written = last->getOperand(0);
  for (; written.hasOneUse() && isMove(written.getDefiningOp());
       written = row.back()->getOperand(0))
    row.push_back(written.getDefiningOp());
  std::optional<View> view = b.packedView(shapeOf(written));
  for (Operation *move : llvm::reverse(row)) {
    if (view)
      view = viewBehind(move, *view);
    moves[move] = {written, view.has_value()};
  }
}

void Lowering::assignReshape(ReshapeOp op) {
  auto [written, areTold] = moves.lookup(op);
  Operation *layer = written.getDefiningOp();
  if (!layer || isa<InputViewOp>(layer) || !written.hasOneUse() ||
      assigned.contains(written))
    return;
  auto known = assigned.find(op.getResult());
  bool isOutput =
      known != assigned.end() && isOutputBuffer(known->second.buffer);
  // What lies as it was computed may be told from there, too.
  if (!isOutput && areTold)
    return;
  View y = known != assigned.end() ? known->second
                                   : b.packedView(shapeOf(op.getResult()));
  // The layers through which it is written, last first.
  SmallVector<Operation *> through;
  std::optional<View> before = y;
  for (Value at = op.getResult(); before && at != written;
       at = through.back()->getOperand(0)) {
    through.push_back(at.getDefiningOp());
    before = viewInFront(through.back(), *before);
  }
  if (!before || !writesThrough(layer, *before))
    return;
  std::optional<View> behind = before;
  for (Operation *move : llvm::reverse(through))
    if (behind)
      behind = viewBehind(move, *behind);
  if (!behind || !behind->isSameAs(y))
    return;
  if (known == assigned.end()) {
    b.setLocation(op.getLoc());
    before->buffer = b.makeScratch(shapeOf(op.getResult())).buffer;
  }
  assigned[written] = *before;
}

LogicalResult Lowering::finishOutputs(zin::ReturnOp op) {
  for (auto [index, output] : llvm::enumerate(outputs)) {
    Value value = op.getOperand(index);
    View view = viewOf(value);
    if (view.isSameAs(output))
      continue;
    b.setLocation(value.getLoc());
    auto joined = value.getDefiningOp<ConcatOp>();
    if (!joined || !updateState(joined, index))
      b.emitCopy(view, output);
  }
  return success();
}

/// Copies what was joined of parts of a state, in their places, and of what is
/// new from there to where the state is to lie: most of it lies there already.
bool Lowering::updateState(ConcatOp joined, unsigned result) {
  Attribute port =
      procedure.getResultAttrDict(result).get(ProcedureOp::portNameAttrName);
  auto state = llvm::find_if(procedure.getArguments(), [&](Value argument) {
    DictionaryAttr attrs =
        procedure.getArgAttrDict(cast<BlockArgument>(argument).getArgNumber());
    return attrs.contains(ProcedureOp::stateAttrName) &&
           attrs.get(ProcedureOp::portNameAttrName) == port;
  });
  if (state == procedure.getArguments().end() || !joinsDirectly(joined) ||
      joined.getInterleave())
    return false;
  SmallVector<View> places = partsOf(joined, outputs[result], joined.getAxis());
  bool isUpdate = false;
  for (auto [part, place] : llvm::zip_equal(joined.getValues(), places)) {
    View there = place;
    there.buffer = viewOf(*state).buffer;
    isUpdate |= viewOf(part).isSameAs(there);
  }
  if (isUpdate)
    for (auto [part, place] : llvm::zip_equal(joined.getValues(), places))
      b.emitCopy(viewOf(part), place);
  return isUpdate;
}

View Lowering::viewOf(Value value) {
  auto known = views.find(value);
  if (known != views.end())
    return *known->second;
  View view = makeConstantView(elementsOf(value), shapeOf(value));
  setView(value, view);
  return view;
}

View Lowering::makeConstantView(ElementsAttr elements,
                                ArrayRef<int64_t> shape) {
  // Rows of one number are all the same row.
  auto dense = dyn_cast<DenseElementsAttr>(elements);
  if (!dense || !dense.isSplat())
    return b.makeConstant(elements, shape);
  SmallVector<int64_t> row = {1, 1, 1, 1, shape[W]};
  View view = b.makeConstant(
      dense.resizeSplat(RankedTensorType::get(row, dense.getElementType())),
      row);
  llvm::copy(shape, view.shape.begin());
  view.strides.fill(0);
  return view;
}

View Lowering::resultView(Value value) {
  auto output = assigned.find(value);
  View view =
      output == assigned.end() ? b.makeScratch(shapeOf(value)) : output->second;
  setView(value, view);
  return view;
}

ElementsAttr Lowering::elementsOf(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant ? constant.getElements() : ElementsAttr();
}

ElementsAttr Lowering::sliceOf(ElementsAttr elements, int64_t begin,
                               int64_t count, int64_t times) {
  ElementsAttr &slice = slices[{elements, begin, count, times}];
  if (!slice)
    slice = sliceElements(elements, begin, count, times);
  return slice;
}

bool Lowering::isPart(const View &view) const {
  std::optional<int64_t> all = b.scratchBytes(view);
  return all && *all > b.packedBytes(view.shape);
}

OutputParts Lowering::partsOf(const PartedLayer &layer, ElementsAttr weights,
                              int64_t begin) {
  if (!procedure->hasAttr(ZinDialect::palettizedAttrName))
    return equalParts(layer.kernel.outputs, layer.perTask);
  return paletteParts(b.target, layer, weights, begin,
                      procedure->hasAttr(ZinDialect::sparseAttrName),
                      b.taskCount());
}

namespace {

class ConvertZinToTasks
    : public ane::impl::ConvertZinToTasksBase<ConvertZinToTasks> {
public:
  using ConvertZinToTasksBase::ConvertZinToTasksBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const TargetDescription *description = findTargetFor(module, target);
    if (!description)
      return signalPassFailure();
    for (auto procedure :
         llvm::make_early_inc_range(module.getOps<ProcedureOp>())) {
      OpBuilder builder(procedure);
      auto program = ProgramOp::create(builder, procedure.getLoc(),
                                       procedure.getSymName(), IntegerAttr());
      for (StringRef hint :
           {ZinDialect::palettizedAttrName, ZinDialect::sparseAttrName})
        if (Attribute value = procedure->getAttr(hint))
          program->setAttr(hint, value);
      Lowering lowering(procedure, program, *description);
      if (failed(lowering.run()))
        return signalPassFailure();
      numTasks += lowering.builder().taskCount();
      numCopies += lowering.builder().copyCount();
      procedure.erase();
    }
  }
};

} // namespace
