//===- EmitCut.cpp - Writing a program that was cut -----------------------===//

#include "Output/Emit.h"
#include "Partition/CpuText.h"
#include "Partition/CutProgram.h"
#include "Verify/Verify.h"
#include "ane/E5/Companion.h"
#include "ane/Support/FileError.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ane;
using mil::Processor;

namespace {

/// Turns a cut into what the dispatch descriptor says of it.
class PartitionBuilder {
public:
  explicit PartitionBuilder(const mil::FunctionSegments &cut) : cut(cut) {}

  /// `procedures` describes those of the engine's segments, in order.
  FailureOr<e5::Partition> run(ArrayRef<e5::Descriptor> procedures);

private:
  void addTensors();
  void addEngineStage(const e5::Descriptor &procedure, e5::Stage &stage);
  LogicalResult addText(size_t index, e5::Stage &stage);

  const mil::FunctionSegments &cut;
  e5::Partition partition;
  llvm::DenseMap<Value, size_t> places;
};

void PartitionBuilder::addTensors() {
  mil::FuncOp func = cut.func;
  partition.numInputs = func.getNumArguments();
  for (const auto &[value, name] : cut.names) {
    places.insert({value, partition.tensors.size()});
    e5::HostTensor &tensor = partition.tensors.emplace_back();
    tensor.name = name;
    if (auto argument = dyn_cast<BlockArgument>(value))
      tensor.isState =
          func.getArgAttr(argument.getArgNumber(),
                          mil::MILDialect::stateAttrName) != nullptr;
    tensor.type = *hostTensorType(value.getType());
    for (int64_t extent : cast<RankedTensorType>(value.getType()).getShape())
      tensor.shape.push_back(extent);
  }
  auto terminator = cast<mil::ReturnOp>(func.getBody().front().getTerminator());
  for (unsigned index : mil::portsOf(terminator))
    partition.outputs.push_back({func.getOutputName(index).str(),
                                 places.lookup(terminator->getOperand(index))});
}

void PartitionBuilder::addEngineStage(const e5::Descriptor &procedure,
                                      e5::Stage &stage) {
  stage.procedure = procedure.segments.front().procedure;
  auto find = [&](llvm::ArrayRef<e5::Port> ports, size_t tensor) {
    return *llvm::find_if(ports, [&](const e5::Port &port) {
      return port.name == partition.tensors[tensor].name;
    });
  };
  for (size_t input : stage.inputs) {
    e5::Port port = find(procedure.inputs, input);
    // What the program takes must fit all that read it.
    std::optional<IntegerLimit> &limit = partition.tensors[input].limit;
    if (port.limit && input < partition.numInputs)
      limit = common(limit.value_or(*port.limit), *port.limit);
    port.limit.reset();
    stage.inputPorts.push_back(std::move(port));
  }
  for (size_t output : stage.outputs)
    stage.outputPorts.push_back(find(procedure.outputs, output));
}

LogicalResult PartitionBuilder::addText(size_t index, e5::Stage &stage) {
  OwningOpRef<ModuleOp> module =
      makeSegmentModule(cut, [&](size_t other) { return other == index; });
  return writeCpuText(*module, stage);
}

FailureOr<e5::Partition>
PartitionBuilder::run(ArrayRef<e5::Descriptor> procedures) {
  addTensors();
  for (auto [index, segment] : llvm::enumerate(cut.segments)) {
    e5::Stage &stage = partition.stages.emplace_back();
    for (Value input : segment.inputs)
      stage.inputs.push_back(places.lookup(input));
    for (Value output : segment.outputs)
      stage.outputs.push_back(places.lookup(output));
    if (segment.processor == Processor::Engine) {
      addEngineStage(procedures.front(), stage);
      procedures = procedures.drop_front();
    } else if (failed(addText(index, stage))) {
      return failure();
    }
  }
  return std::move(partition);
}

/// `3 ops`, `1 op`.
std::string count(size_t number, StringRef what) {
  return llvm::formatv("{0} {1}{2}", number, what, number == 1 ? "" : "s");
}

/// One line about who runs what.
void printSummary(const CutProgram &program, const e5::Partition &partition,
                  llvm::raw_ostream &os) {
  size_t segments[2] = {}, ops[2] = {};
  std::vector<bool> crosses(partition.tensors.size());
  for (auto [segment, stage] :
       llvm::zip_equal(program.cut.segments, partition.stages)) {
    bool isCpu = segment.processor == Processor::Cpu;
    ++segments[isCpu];
    ops[isCpu] += segment.ops.size();
    for (size_t input : stage.inputs)
      crosses[input] = input >= partition.numInputs;
  }
  uint64_t bytes = 0;
  for (auto [tensor, isCrossing] : llvm::zip_equal(partition.tensors, crosses))
    if (isCrossing)
      bytes += e5::byteSize(tensor.type) * llvm::product_of(tensor.shape);
  os << "partition: " << count(segments[0], "segment") << " on the engine with "
     << count(ops[0], "op") << ", " << segments[1] << " on the processor with "
     << count(ops[1], "op") << "; " << count(bytes, "byte")
     << " cross between them\n";
}

} // namespace

LogicalResult ane::emitCutProgram(CutProgram program, ModuleOp original,
                                  const CompileOptions &options,
                                  FilePlan &plan) {
  auto refuse = [&](const Twine &message) {
    reportErrors(makeFileError(options.input, 0, message), options.input);
    return failure();
  };
  const Phase &phase = getPhase(options.emit);
  if (phase.kind == PhaseKind::MIL)
    return emitIR(*makeSegmentModule(program.cut, [](size_t) { return true; }),
                  options);
  if (phase.hasOneProcedure())
    return refuse("the program was cut into segments; --emit=" + phase.name +
                  " has room for one procedure only");
  if (phase.kind == PhaseKind::TaskDescriptors)
    return emitTaskDescriptors(program.generated, options);
  if (phase.isIR()) {
    OwningOpRef<ModuleOp> module = makeEngineModule(program.cut);
    return failed(runPhases(*module, options)) ? failure()
                                               : emitIR(*module, options);
  }
  if (phase.beside == Phase::Beside::Descriptor &&
      !e5::hasCompanion(options.output))
    return refuse("the program was cut into segments, and those of the "
                  "processor go into the dispatch descriptor beside the "
                  "container; name a file with -o");
  FailureOr<object::Object> container = layout(program.generated, options);
  if (failed(container))
    return failure();
  std::vector<e5::Descriptor> procedures;
  for (e5::Descriptor &procedure : descriptorsOf(program.generated))
    procedures.push_back(describe(*container, std::move(procedure), options));
  FailureOr<e5::Partition> partition =
      PartitionBuilder(program.cut).run(procedures);
  if (failed(partition))
    return failure();
  e5::Descriptor descriptor;
  descriptor.function = program.cut.func.getName().str();
  descriptor.partition = std::move(*partition);
  if (failed(planDescriptors(descriptor, options, plan)))
    return failure();
  printSummary(program, descriptor.partition, messageStream(options));
  if (options.verify &&
      failed(verifyFiles(original, *container, {descriptor}, options)))
    return failure();
  return writeFiles(*container, {std::move(descriptor)}, options);
}
