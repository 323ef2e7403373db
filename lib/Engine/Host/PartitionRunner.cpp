//===- PartitionRunner.cpp - Runs programs that were cut ------------------===//

#include "ane/Engine/PartitionRunner.h"
#include "Host/ContainerHash.h"
#include "ane/E5/Companion.h"
#include "ane/Support/FileError.h"
#include "ane/Support/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using object::PortDirection;

CpuSegment::~CpuSegment() = default;

namespace {

/// The content of a state before the first run.
NpyArray makeZeros(const HostPort &port) {
  NpyArray array;
  array.type = port.type;
  array.shape = port.shape;
  array.bytes.resize(array.numElements() * byteSize(port.type));
  return array;
}

/// A tensor as a port of the whole program. The checks of the descriptor have
/// bounded its extents.
Expected<HostPort> makePort(const e5::HostTensor &tensor, StringRef name,
                            PortDirection direction) {
  HostPort port;
  port.name = name.str();
  port.direction = direction;
  std::optional<ElementType> type = hostType(tensor.type);
  if (!type)
    return llvm::createStringError("tensor '" + tensor.name + "' is " +
                                   e5::typeName(tensor.type) +
                                   ", which no array of the host is");
  port.type = *type;
  port.limit = common(tensor.limit.value_or(exactIntegers), exactIntegers);
  port.isState = tensor.isState;
  port.shape.assign(tensor.shape.begin(), tensor.shape.end());
  port.exactShape = true;
  return port;
}

} // namespace

Expected<std::optional<e5::Descriptor>>
engine::readPartition(StringRef path, const RunnerOptions &options) {
  std::string file = options.descriptor;
  if (file.empty()) {
    file = e5::companionPath(path).str().str();
    if (!llvm::sys::fs::exists(file))
      return std::nullopt;
  }
  Expected<e5::Descriptor> read = e5::readE5(file);
  if (!read)
    return read.takeError();
  if (!read->isPartitioned())
    return std::nullopt;
  return std::move(*read);
}

PartitionRunner::PartitionRunner(StringRef file, e5::Descriptor descriptor)
    : file(file), descriptor(std::move(descriptor)),
      current(std::make_unique<std::atomic<size_t>>(0)) {
  tensors.resize(partition().tensors.size());
  sources.resize(partition().numInputs);
}

Expected<PartitionRunner> PartitionRunner::load(StringRef path,
                                                RunnerOptions options,
                                                e5::Descriptor descriptor,
                                                const CpuLoader &loadCpu) {
  if (options.descriptor.empty())
    options.descriptor = e5::companionPath(path).str().str();
  std::unique_ptr<llvm::MemoryBuffer> read;
  if (!options.contents) {
    auto container = readInputFile(path);
    if (!container)
      return container.takeError();
    read = std::move(*container);
    options.contents = read.get();
  }
  if (Error error =
          checkHash(*options.contents, path, descriptor, options.descriptor))
    return error;
  PartitionRunner runner(path, std::move(descriptor));
  runner.container = std::move(read);
  const e5::Partition &partition = runner.partition();
  runner.descriptorFile = options.descriptor;
  auto addPort = [&](size_t tensor, StringRef name,
                     PortDirection direction) -> Error {
    Expected<HostPort> port =
        makePort(partition.tensors[tensor], name, direction);
    if (!port)
      return makeFileError(options.descriptor, 0,
                           llvm::toString(port.takeError()));
    runner.hostPorts.push_back(std::move(*port));
    return Error::success();
  };
  for (size_t input : llvm::seq(partition.numInputs))
    if (Error error =
            addPort(input, partition.tensors[input].name, PortDirection::Input))
      return error;
  for (const e5::PartitionOutput &output : partition.outputs)
    if (Error error =
            addPort(output.tensor, output.name, PortDirection::Output))
      return error;
  runner.isSet.resize(runner.hostPorts.size());
  for (const e5::Stage &stage : partition.stages)
    if (Error error = runner.loadStage(stage, options, loadCpu))
      return error;
  // Segments have bounded what they read, and nothing else is needed.
  for (size_t input : llvm::seq(partition.numInputs))
    if (runner.hostPorts[input].isState && partition.isRead(input))
      runner.tensors[input] = makeZeros(runner.hostPorts[input]);
  return runner;
}

Error PartitionRunner::loadStage(const e5::Stage &stage,
                                 const RunnerOptions &options,
                                 const CpuLoader &loadCpu) {
  LoadedStage loaded;
  if (stage.isEngine()) {
    RunnerOptions own = options;
    own.procedure = stage.procedure;
    own.namesProcedure = true;
    Expected<Runner> runner =
        Runner::load(file, own, descriptor.ofStage(stage));
    if (!runner)
      return runner.takeError();
    loaded.engine = std::make_unique<Runner>(std::move(*runner));
  } else {
    std::string name =
        llvm::formatv("{0}#segment{1}", options.descriptor, stages.size());
    Expected<std::unique_ptr<CpuSegment>> segment =
        loadCpu(partition(), stage, name);
    if (!segment)
      return segment.takeError();
    loaded.cpu = std::move(*segment);
  }
  stages.push_back(std::move(loaded));
  return Error::success();
}

Expected<const HostPort *> PartitionRunner::findPort(StringRef name,
                                                     PortDirection direction) {
  return engine::findPort(hostPorts, name, direction, file);
}

Error PartitionRunner::setInput(StringRef name, const NpyArray &array,
                                StringRef source) {
  Expected<const HostPort *> port = findPort(name, PortDirection::Input);
  if (!port)
    return port.takeError();
  if (Error error = checkArray(**port, array, source))
    return error;
  // Inputs come first, in the order of the tensors.
  size_t index = *port - hostPorts.data();
  tensors[index] = array;
  // Unsigned integers that were let in are signed ones of the same bits.
  tensors[index].type = (*port)->type;
  sources[index] = source.str();
  isSet[index] = true;
  return Error::success();
}

Error PartitionRunner::runEngine(const e5::Stage &stage, Runner &runner,
                                 unsigned threads, Numerics numerics) {
  for (size_t input : stage.inputs)
    if (Error error = runner.setInput(
            partition().tensors[input].name, tensors[input],
            input < sources.size() ? sources[input] : descriptorFile))
      return error;
  if (Error error = runner.run(threads, numerics))
    return error;
  for (size_t output : stage.outputs) {
    Expected<NpyArray> array = runner.output(partition().tensors[output].name);
    if (!array)
      return array.takeError();
    tensors[output] = std::move(*array);
  }
  return Error::success();
}

Error PartitionRunner::runCpu(const e5::Stage &stage, CpuSegment &segment) {
  std::vector<NpyArray> inputs;
  inputs.reserve(stage.inputs.size());
  for (size_t input : stage.inputs)
    inputs.push_back(tensors[input]);
  Expected<std::vector<NpyArray>> outputs = segment.run(inputs);
  if (!outputs)
    return outputs.takeError();
  for (auto [output, array] : llvm::zip_equal(stage.outputs, *outputs))
    tensors[output] = std::move(array);
  return Error::success();
}

Error PartitionRunner::run(unsigned threads, Numerics numerics) {
  if (Error error = checkInputs(hostPorts, isSet, file))
    return error;
  for (auto [index, stage, loaded] :
       llvm::enumerate(partition().stages, stages)) {
    current->store(index, std::memory_order_relaxed);
    if (Error error = loaded.engine
                          ? runEngine(stage, *loaded.engine, threads, numerics)
                          : runCpu(stage, *loaded.cpu))
      return error;
  }
  return Error::success();
}

Expected<NpyArray> PartitionRunner::output(StringRef name) {
  Expected<const HostPort *> port = findPort(name, PortDirection::Output);
  if (!port)
    return port.takeError();
  size_t index = *port - hostPorts.data() - partition().numInputs;
  return tensors[partition().outputs[index].tensor];
}
