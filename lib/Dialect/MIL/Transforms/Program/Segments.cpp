//===- Segments.cpp - Cutting functions into segments ---------------------===//

#include "ane/Dialect/MIL/Transforms/Partition.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

llvm::DenseSet<Operation *> mil::findConstants(FuncOp func) {
  llvm::DenseSet<Operation *> constants;
  for (Operation &op : func.getBody().front())
    if (isa<ConstOp>(op) ||
        (isa<MILOp>(op) && isMemoryEffectFree(&op) && op.getNumResults() > 0 &&
         op.getNumOperands() > 0 &&
         llvm::all_of(op.getOperands(), [&](Value operand) {
           return constants.contains(operand.getDefiningOp());
         })))
      constants.insert(&op);
  return constants;
}

bool FunctionSegments::hasEngineSegment() const {
  return llvm::any_of(segments, [](const Segment &segment) {
    return segment.processor == Processor::Engine;
  });
}

namespace {

/// Whether an op changes no element.
bool isMover(Operation *op) {
  return op->hasTrait<MovesElements>() || isa<CastOp, ConcatOp, StackOp>(op);
}

/// Whether a value has integers of more than one bit.
bool hasIntegers(Value value) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(value));
  return integer && integer.getWidth() > 1;
}

/// Whether all that an op makes are integers, of integers.
bool isIndexing(Operation *op, const llvm::DenseSet<Operation *> &constants) {
  return llvm::all_of(op->getResults(), hasIntegers) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return hasIntegers(operand) ||
                  constants.contains(operand.getDefiningOp());
         });
}

/// Whether a value can be handed from segment to segment, as far as its shape
/// says: a tensor of numbers of known extents, of as many as the host has.
bool canCross(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getRank() <= mostHostDims &&
         type.getElementType().isIntOrFloat();
}

class Cutter {
public:
  Cutter(FuncOp func, const FallenOps &fallen, size_t maxPorts)
      : func(func), maxPorts(maxPorts), constants(findConstants(func)) {
    for (const auto &[op, reason] : fallen)
      if (!constants.contains(op))
        onCpu.insert(op);
    findNeeded();
  }

  FunctionSegments run();

private:
  using Levels = llvm::DenseMap<Operation *, unsigned>;

  /// The ops that an output needs, in the order of the function.
  void findNeeded();
  /// The place of each op in the row of segments that starts with one of
  /// `first`; ops that integers draw to the processor go to `drawn`.
  Levels placeOps(Processor first, FallenOps &drawn) const;
  /// Brings makers of what cannot cross to their readers.
  void sink(Levels &levels) const;
  static Processor processorAt(unsigned level, Processor first) {
    bool same = level % 2 == 0;
    return same == (first == Processor::Engine) ? Processor::Engine
                                                : Processor::Cpu;
  }
  unsigned levelFor(Operation *op, Processor processor, Processor first,
                    const Levels &levels) const;
  /// The better of the two rows.
  SmallVector<Segment> makeSegments(FallenOps &drawn) const;
  SmallVector<Segment> makeSegments(Processor first, FallenOps &drawn) const;
  SmallVector<Segment> splitByPorts(ArrayRef<Segment> row) const;
  /// Adds integers of the engine that the processor alone reads.
  void findIndices(ArrayRef<Segment> segments, FallenOps &drawn) const;
  /// Adds ops of the engine between a maker and a reader of what cannot cross.
  static void findBetween(ArrayRef<Segment> segments, FallenOps &drawn);
  size_t countWithinPorts(ArrayRef<Operation *> ops) const;
  void connect(FunctionSegments &cut);
  void nameValues(FunctionSegments &cut);
  bool isConstant(Value value) const {
    return constants.contains(value.getDefiningOp());
  }

  FuncOp func;
  size_t maxPorts;
  llvm::DenseSet<Operation *> constants, onCpu, isNeeded;
  /// The same in the order of the function.
  SmallVector<Operation *> needed;
};

void Cutter::findNeeded() {
  for (Operation &op : llvm::reverse(func.getBody().front())) {
    if (!isa<ReturnOp>(op) &&
        llvm::none_of(op.getUsers(),
                      [&](Operation *user) { return isNeeded.contains(user); }))
      continue;
    isNeeded.insert(&op);
    if (!isa<ReturnOp>(op) && !constants.contains(&op))
      needed.push_back(&op);
  }
  std::reverse(needed.begin(), needed.end());
}

unsigned Cutter::levelFor(Operation *op, Processor processor, Processor first,
                          const Levels &levels) const {
  unsigned level = 0;
  for (Value operand : op->getOperands())
    if (auto found = levels.find(operand.getDefiningOp());
        found != levels.end())
      level = std::max(level, found->second);
  return processorAt(level, first) == processor ? level : level + 1;
}

Cutter::Levels Cutter::placeOps(Processor first, FallenOps &drawn) const {
  Levels levels;
  for (Operation *op : needed) {
    Processor processor =
        onCpu.contains(op) ? Processor::Cpu : Processor::Engine;
    unsigned level = levelFor(op, processor, first, levels);
    if (processor == Processor::Engine) {
      auto crosses = [&](Value operand) {
        auto found = levels.find(operand.getDefiningOp());
        return found != levels.end() && found->second != level &&
               hasIntegers(operand);
      };
      if (llvm::any_of(op->getOperands(), crosses)) {
        drawn.insert({op, "it takes integers that another segment makes, whose "
                          "size the engine cannot rely on"});
        level = levelFor(op, Processor::Cpu, first, levels);
      }
    }
    levels[op] = level;
  }
  sink(levels);
  return levels;
}

void Cutter::sink(Levels &levels) const {
  for (Operation *op : llvm::reverse(needed)) {
    if (llvm::all_of(op->getResults(), canCross))
      continue;
    std::optional<unsigned> earliest;
    for (Operation *user : op->getUsers())
      if (auto reader = levels.find(user); reader != levels.end())
        earliest = std::min(earliest.value_or(reader->second), reader->second);
    // All of them are of the processor, as is what they read.
    unsigned &level = levels[op];
    if (earliest && *earliest % 2 == level % 2)
      level = std::max(level, *earliest);
  }
}

SmallVector<Segment> Cutter::makeSegments(Processor first,
                                          FallenOps &drawn) const {
  Levels levels = placeOps(first, drawn);
  SmallVector<Segment> row;
  for (Operation *op : needed) {
    unsigned level = levels[op];
    while (row.size() <= level)
      row.push_back({processorAt(row.size(), first), {}, {}, {}});
    row[level].ops.push_back(op);
  }
  llvm::erase_if(row,
                 [](const Segment &segment) { return segment.ops.empty(); });
  return row;
}

SmallVector<Segment> Cutter::makeSegments(FallenOps &drawn) const {
  FallenOps drawnAfterCpu = drawn;
  SmallVector<Segment> row = makeSegments(Processor::Engine, drawn);
  SmallVector<Segment> other = makeSegments(Processor::Cpu, drawnAfterCpu);
  if (row.size() < other.size() ||
      (row.size() == other.size() && drawn.size() <= drawnAfterCpu.size()))
    return row;
  drawn = std::move(drawnAfterCpu);
  return other;
}

/// How many of the ops of a segment, from the first on, can be one of their
/// own: the most that are within the limit. If none are, the fewest: a refusal
/// names them then.
size_t Cutter::countWithinPorts(ArrayRef<Operation *> ops) const {
  llvm::DenseSet<Operation *> own(ops.begin(), ops.end());
  llvm::DenseSet<Value> inputs;
  /// Results that are read behind the ops seen so far: uses by the other ops of
  /// the segment, and whether there are others.
  struct Readers {
    size_t own = 0;
    bool others = false;
  };
  llvm::DenseMap<Value, Readers> outputs;
  size_t numCrossingIntegers = 0, most = 0, fewest = 0;
  for (auto [index, op] : llvm::enumerate(ops)) {
    for (Value operand : op->getOperands()) {
      auto made = outputs.find(operand);
      if (made == outputs.end()) {
        if (!isConstant(operand) && !own.contains(operand.getDefiningOp()))
          inputs.insert(operand);
        continue;
      }
      if (--made->second.own > 0)
        continue;
      numCrossingIntegers -= hasIntegers(operand);
      if (!made->second.others)
        outputs.erase(made);
    }
    for (Value result : op->getResults()) {
      Readers readers;
      for (Operation *user : result.getUsers()) {
        readers.own += own.contains(user);
        readers.others |= isNeeded.contains(user) && !own.contains(user);
      }
      if (readers.own > 0 || readers.others)
        outputs.insert({result, readers});
      numCrossingIntegers += readers.own > 0 && hasIntegers(result);
    }
    if (numCrossingIntegers > 0)
      continue;
    if (fewest == 0)
      fewest = index + 1;
    if (inputs.size() + outputs.size() <= maxPorts)
      most = index + 1;
  }
  return most > 0 ? most : fewest;
}

SmallVector<Segment> Cutter::splitByPorts(ArrayRef<Segment> row) const {
  SmallVector<Segment> result;
  for (const Segment &segment : row) {
    if (maxPorts == 0 || segment.processor == Processor::Cpu) {
      result.push_back(segment);
      continue;
    }
    ArrayRef<Operation *> rest = segment.ops;
    while (!rest.empty()) {
      size_t count = countWithinPorts(rest);
      result.push_back({Processor::Engine,
                        SmallVector<Operation *>(rest.take_front(count)),
                        {},
                        {}});
      rest = rest.drop_front(count);
    }
  }
  return result;
}

void Cutter::findIndices(ArrayRef<Segment> segments, FallenOps &drawn) const {
  llvm::DenseSet<Operation *> read;
  for (const Segment &segment : segments)
    if (segment.processor == Processor::Cpu)
      read.insert_range(segment.ops);
  for (const Segment &segment : segments) {
    if (segment.processor == Processor::Cpu)
      continue;
    for (Operation *op : llvm::reverse(segment.ops))
      if (isIndexing(op, constants) &&
          llvm::all_of(op->getUsers(), [&](Operation *user) {
            return read.contains(user) || !isNeeded.contains(user);
          })) {
        drawn.insert({op, "the processor alone reads its integers, which are "
                          "as large there as their type allows"});
        read.insert(op);
      }
  }
}

/// The segment that each op is in.
llvm::DenseMap<Operation *, size_t> homesOf(ArrayRef<Segment> segments) {
  llvm::DenseMap<Operation *, size_t> homes;
  for (auto [index, segment] : llvm::enumerate(segments))
    for (Operation *op : segment.ops)
      homes[op] = index;
  return homes;
}

void Cutter::findBetween(ArrayRef<Segment> segments, FallenOps &drawn) {
  llvm::DenseMap<Operation *, size_t> home = homesOf(segments);
  auto draw = [&](Operation *reader, size_t maker, Value value) {
    llvm::SetVector<Operation *> before;
    before.insert(reader);
    for (size_t i = 0; i < before.size(); ++i)
      for (Value operand : before[i]->getOperands()) {
        Operation *op = operand.getDefiningOp();
        auto found = home.find(op);
        if (found == home.end() || found->second <= maker)
          continue;
        before.insert(op);
        if (segments[found->second].processor == Processor::Engine)
          drawn.insert({op, "it stands between ops that share a " +
                                formatType(value.getType()) +
                                ", which no segment can hand over"});
      }
  };
  for (auto [index, segment] : llvm::enumerate(segments))
    for (Operation *op : segment.ops)
      for (Value operand : op->getOperands()) {
        auto maker = home.find(operand.getDefiningOp());
        if (maker != home.end() && maker->second != index && !canCross(operand))
          draw(op, maker->second, operand);
      }
}

FunctionSegments Cutter::run() {
  FunctionSegments cut;
  cut.func = func;
  FallenOps fallen;
  while (true) {
    cut.drawn = fallen;
    cut.segments = splitByPorts(makeSegments(cut.drawn));
    size_t before = fallen.size();
    for (const Segment &segment : cut.segments)
      if (segment.processor == Processor::Engine &&
          llvm::all_of(segment.ops, isMover))
        for (Operation *op : segment.ops)
          fallen.insert({op, "its segment of the engine would only move "
                             "elements, which is not worth a dispatch"});
    findIndices(cut.segments, fallen);
    findBetween(cut.segments, fallen);
    if (fallen.size() == before)
      break;
    for (const auto &[op, reason] : fallen)
      onCpu.insert(op);
  }
  connect(cut);
  nameValues(cut);
  return cut;
}

/// Finds what crosses between segments.
void Cutter::connect(FunctionSegments &cut) {
  llvm::DenseMap<Operation *, size_t> home = homesOf(cut.segments);
  Operation *terminator = func.getBody().front().getTerminator();
  for (auto [index, segment] : llvm::enumerate(cut.segments)) {
    llvm::SetVector<Value> taken;
    for (Operation *op : segment.ops)
      for (Value operand : op->getOperands()) {
        if (isConstant(operand))
          continue;
        auto maker = home.find(operand.getDefiningOp());
        if (maker == home.end() || maker->second != index)
          taken.insert(operand);
      }
    segment.inputs = taken.takeVector();
    for (Operation *op : segment.ops)
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) {
              auto reader = home.find(user);
              return user == terminator ||
                     (reader != home.end() && reader->second != index);
            }))
          segment.outputs.push_back(result);
  }
  // Parameters first, then results in the order of the function.
  llvm::DenseMap<Value, unsigned> order;
  for (Value parameter : func.getBody().getArguments())
    order.insert({parameter, order.size()});
  for (Segment &segment : cut.segments)
    for (Value output : segment.outputs)
      order.insert({output, order.size()});
  for (Segment &segment : cut.segments)
    llvm::sort(segment.inputs,
               [&](Value a, Value b) { return order[a] < order[b]; });

  for (Value output : terminator->getOperands()) {
    if (!isConstant(output))
      continue;
    auto *home = llvm::find_if(cut.segments, [](const Segment &segment) {
      return segment.processor == Processor::Cpu;
    });
    if (home == cut.segments.end()) {
      home = &cut.segments.emplace_back();
      home->processor = Processor::Cpu;
    }
    if (!llvm::is_contained(home->outputs, output))
      home->outputs.push_back(output);
  }
}

void Cutter::nameValues(FunctionSegments &cut) {
  llvm::StringSet<> taken;
  auto add = [&](Value value, StringRef wanted) {
    std::string name = wanted.str();
    for (unsigned count = 1; name.empty() || !taken.insert(name).second;
         ++count)
      name = ((wanted.empty() ? "value" : wanted) + "_" + Twine(count)).str();
    cut.names.insert({value, std::move(name)});
  };
  for (BlockArgument parameter : func.getBody().getArguments())
    add(parameter, func.getParameterName(parameter.getArgNumber()));
  for (Segment &segment : cut.segments)
    for (Value output : segment.outputs) {
      add(output, getResultName(cast<OpResult>(output)));
    }
}

/// Gives a result its name, and the other results of the op theirs.
void setResultName(OpResult result, StringRef name) {
  Operation *op = result.getOwner();
  SmallVector<std::string> names;
  for (OpResult other : op->getResults())
    names.push_back((other == result ? name : getResultName(other)).str());
  setResultNames(op, names);
}

} // namespace

FunctionSegments mil::cutFunction(FuncOp func, const FallenOps &fallen,
                                  size_t maxPorts) {
  return Cutter(func, fallen, maxPorts).run();
}

bool mil::canBeInSegment(Operation *op) {
  return isa<MILOp, ConstOp>(op) &&
         !isa<ReadStateOp, WriteStateOp, CoremlUpdateStateOp>(op);
}

FuncOp mil::makeSegmentFunction(const FunctionSegments &cut,
                                const Segment &segment, StringRef name,
                                ModuleOp module) {
  FuncOp source = cut.func;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto typesOf = [](ArrayRef<Value> values) {
    return llvm::map_to_vector(values, [](Value v) { return v.getType(); });
  };
  auto func = FuncOp::create(builder, source.getLoc(), name,
                             builder.getFunctionType(typesOf(segment.inputs),
                                                     typesOf(segment.outputs)),
                             source.getOpset());
  for (StringRef attribute : {StringRef(MILDialect::palettizedAttrName),
                              StringRef(MILDialect::sparseAttrName)})
    if (source->hasAttr(attribute))
      func->setAttr(attribute, builder.getUnitAttr());

  func->setAttr(MILDialect::segmentAttrName,
                builder.getStringAttr(
                    segment.processor == Processor::Cpu ? "cpu" : "engine"));

  Block &body = func.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);
  IRMapping mapping;
  for (auto [index, input] : llvm::enumerate(segment.inputs)) {
    mapping.map(input, body.addArgument(input.getType(), input.getLoc()));
    func.setArgAttr(index, MILDialect::argNameAttrName,
                    builder.getStringAttr(cut.names.lookup(input)));
  }
  // Constants are not among the ops; what they are computed from neither.
  llvm::SetVector<Operation *> wanted(segment.ops.begin(), segment.ops.end());
  auto want = [&](Value value) {
    if (Operation *maker = value.getDefiningOp();
        maker && !mapping.contains(value))
      wanted.insert(maker);
  };
  llvm::for_each(segment.outputs, want);
  for (unsigned i = 0; i < wanted.size(); ++i)
    llvm::for_each(wanted[i]->getOperands(), want);
  SmallVector<Operation *> ops = wanted.takeVector();
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ops)
    builder.clone(*op, mapping);
  SmallVector<Value> results;
  for (Value output : segment.outputs) {
    auto result = cast<OpResult>(mapping.lookup(output));
    if (cut.names.lookup(output) != getResultName(result))
      setResultName(result, cut.names.lookup(output));
    results.push_back(result);
  }
  ReturnOp::create(builder, source.getBody().front().getTerminator()->getLoc(),
                   results);
  return func;
}
