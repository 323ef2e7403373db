//===- Runner.cpp - Runs a program on host tensors ------------------------===//

#include "ane/Engine/Runner.h"
#include "Host/ContainerHash.h"
#include "Host/HostTensor.h"
#include "ane/E5/Companion.h"
#include "ane/Object/Writer.h"
#include "ane/Support/FileError.h"
#include "ane/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using object::PortDirection;

namespace {

ElementType elementOf(object::ElementCode code) {
  switch (code) {
  case object::ElementCode::Int8:
    return ElementType::Int8;
  case object::ElementCode::UInt8:
    return ElementType::UInt8;
  default:
    return ElementType::Float16;
  }
}

/// The port as the container alone describes it.
HostPort hostPort(const DevicePort &device) {
  HostPort port;
  port.name = device.name;
  port.direction = device.direction;
  port.section = device.section;
  const object::TensorLayout &layout = device.layout;
  auto add = [&](uint32_t extent, uint64_t stride) {
    port.shape.push_back(extent);
    port.strides.push_back(stride);
  };
  add(layout.n, layout.batchStride);
  if (layout.d > 1)
    add(layout.d, layout.depthStride);
  port.type = port.surface = elementOf(layout.elementType);
  port.interleave = layout.interleave;
  port.channelAxis = port.shape.size();
  add(layout.c, layout.planeStride);
  add(layout.h, layout.rowStride);
  add(layout.w, layout.elementStride * layout.interleave);
  return port;
}

/// Turns what a descriptor says of a port of the file into what is true of the
/// loaded image: its address, and with `mayShrink` extents that the load made
/// smaller.
Error rebase(e5::Port &port, const DevicePort &device, bool mayShrink) {
  port.address = device.address;
  const object::TensorLayout &layout = device.layout;
  e5::EngineShape &engine = port.engine;
  // Innermost dimension first; up to rank 4 there is no depth.
  llvm::SmallVector<std::pair<uint64_t *, uint64_t>, 5> axes = {
      {&engine.width, layout.w},
      {&engine.height, layout.h},
      {&engine.channels, layout.c}};
  if (port.shape.size() > 4)
    axes.push_back({&engine.depth, layout.d});
  axes.push_back({&engine.batch, layout.n});
  for (auto [position, axis] : llvm::enumerate(axes)) {
    auto [described, extent] = axis;
    if (*described == extent)
      continue;
    size_t rank = port.shape.size();
    uint64_t *dimension =
        position < rank ? &port.shape[rank - 1 - position] : nullptr;
    if (!mayShrink || extent > *described || !dimension ||
        *dimension != *described)
      return llvm::createStringError(llvm::formatv(
          "port '{0}' has an extent of {1} here, but of {2} in the program",
          port.name, *described, extent));
    *described = *dimension = extent;
  }
  return Error::success();
}

/// Takes over what the dispatch descriptor says of a port.
Error describe(HostPort &port, const e5::Port &described, uint64_t bytes) {
  std::optional<ElementType> type = hostType(described.hostType);
  if (!type)
    return llvm::createStringError(
        "port '" + port.name + "' has host type " +
        e5::typeName(described.hostType) +
        "; only fp16, fp32, bool and integers of 8 to 32 bits are converted, "
        "convert it outside the program");
  port.type = *type;
  port.limit = common(described.limit.value_or(exactIntegers), exactIntegers);
  if (port.surface != ElementType::Float16 || port.interleave != 1)
    return llvm::createStringError(
        "port '" + port.name +
        "' has elements of 8 bits or channels side by side in the container, "
        "which no descriptor is known to describe; move it away to run without "
        "it");
  if (described.deviceType != e5::TensorDataType::Float16)
    return llvm::createStringError("port '" + port.name +
                                   "' is not fp16 in the surface");
  if (described.byteSize > bytes)
    return llvm::createStringError(
        llvm::formatv("port '{0}' has {1} bytes here, but {2} in the container",
                      port.name, described.byteSize, bytes));
  port.shape.assign(described.shape.begin(), described.shape.end());
  port.strides.assign(described.strides.begin(), described.strides.end());
  port.exactShape = true;
  return Error::success();
}

} // namespace

Runner::Runner(std::unique_ptr<LoadedProgram> program)
    : loaded(std::move(program)) {
  for (const DevicePort &port : loaded->ports())
    hostPorts.push_back(hostPort(port));
  isSet.resize(hostPorts.size());
}

/// The descriptor beside a container, if there is one: that of the procedure's
/// function where there are several procedures, or that of all of them if the
/// program was cut.
static Expected<std::optional<e5::Descriptor>>
readBeside(StringRef path, const LoadedProgram &program,
           std::string &descriptorPath) {
  bool several = program.image().all<object::ProgramDescriptor>().size() > 1;
  StringRef procedure = program.procedure();
  StringRef function = e5::functionOfProcedure(procedure);
  auto read = [&](StringRef file) -> Expected<std::optional<e5::Descriptor>> {
    if (!llvm::sys::fs::exists(file))
      return std::nullopt;
    descriptorPath = file.str();
    Expected<e5::Descriptor> descriptor = e5::readE5(file);
    if (!descriptor)
      return descriptor.takeError();
    return std::move(*descriptor);
  };
  if (several) {
    // Some containers call procedures as their functions.
    for (StringRef name : {function, procedure}) {
      auto own = read(e5::companionPath(path, name));
      if (!own || (*own && (*own)->segments.size() == 1 &&
                   (*own)->segments.front().procedure == procedure))
        return own;
    }
    // What is wrong with that of the function is told later.
    auto own = read(e5::companionPath(path, function));
    if (!own || *own)
      return own;
  }
  auto shared = read(e5::companionPath(path));
  if (shared && *shared && several && !(*shared)->isPartitioned())
    return std::nullopt;
  return shared;
}

Expected<Runner> Runner::load(StringRef path, const RunnerOptions &options) {
  Expected<std::unique_ptr<LoadedProgram>> program =
      LoadedProgram::load(path, options);
  if (!program)
    return program.takeError();
  Runner runner(std::move(*program));
  std::string descriptorPath = options.descriptor;
  std::optional<e5::Descriptor> read;
  if (descriptorPath.empty()) {
    Expected<std::optional<e5::Descriptor>> beside =
        readBeside(path, *runner.loaded, descriptorPath);
    if (!beside)
      return beside.takeError();
    read = std::move(*beside);
  } else {
    Expected<e5::Descriptor> named = e5::readE5(descriptorPath);
    if (!named)
      return named.takeError();
    read = std::move(*named);
  }
  Error error = read ? runner.useStage(*read, descriptorPath, options)
                     : runner.shareByName();
  if (error)
    return error;
  return runner;
}

/// Without a descriptor: an output of the name of an input is what a state
/// becomes, and what the program does not write of it is as it was.
Error Runner::shareByName() {
  auto isSameSurface = [&](const DevicePort &input, const DevicePort &output) {
    return input.direction == object::PortDirection::Input &&
           output.direction == object::PortDirection::Output &&
           input.name == output.name && input.layout == output.layout;
  };
  llvm::SmallVector<StringRef> shared;
  for (const DevicePort &input : loaded->ports())
    if (llvm::any_of(loaded->ports(), [&](const DevicePort &output) {
          return isSameSurface(input, output);
        }))
      shared.push_back(input.name);
  return shared.empty() ? Error::success() : loaded->share(shared);
}

Expected<Runner> Runner::load(StringRef path, const RunnerOptions &options,
                              e5::Descriptor descriptor) {
  Expected<std::unique_ptr<LoadedProgram>> program =
      LoadedProgram::load(path, options);
  if (!program)
    return program.takeError();
  Runner runner(std::move(*program));
  if (Error error =
          runner.useDescriptor(std::move(descriptor), options.descriptor,
                               !options.load.liveIns.empty()))
    return error;
  return runner;
}

Error Runner::useStage(const e5::Descriptor &read, StringRef path,
                       const RunnerOptions &options) {
  bool mayShrink = !options.load.liveIns.empty();
  if (Error error =
          checkHash(*loaded->image().buffer, loaded->fileName(), read, path))
    return error;
  if (!read.isPartitioned())
    return useDescriptor(read, path, mayShrink);
  if (options.procedure.empty())
    return makeFileError(
        path, 0,
        llvm::formatv("the program was cut into {0} segments, of which the "
                      "engine does not run all; choose one of its procedures, "
                      "or run it with ane-run",
                      read.partition.stages.size()));
  for (const e5::Stage &stage : read.partition.stages)
    if (stage.procedure == loaded->procedure())
      return useDescriptor(read.ofStage(stage), path, mayShrink);
  return makeFileError(path, 0,
                       "the descriptor has no segment of procedure '" +
                           loaded->procedure() + "'");
}

Error Runner::useDescriptor(e5::Descriptor read, StringRef path,
                            bool mayShrink) {
  descriptor = std::move(read);
  if (descriptor->segments.size() != 1)
    return makeFileError(
        path, 0,
        llvm::formatv("the descriptor has {0} segments; only a program of one "
                      "can be run",
                      descriptor->segments.size()));
  if (StringRef procedure = descriptor->segments.front().procedure;
      procedure != loaded->procedure())
    return makeFileError(path, 0,
                         "the descriptor is of procedure '" + procedure +
                             "', but '" + loaded->procedure() + "' runs");
  size_t described = descriptor->inputs.size() + descriptor->outputs.size();
  if (described != hostPorts.size())
    return makeFileError(path, 0,
                         llvm::formatv("the descriptor has {0} ports, the "
                                       "container {1}",
                                       described, hostPorts.size()));
  for (auto [port, device] : llvm::zip_equal(hostPorts, loaded->ports())) {
    auto &candidates =
        port.isInput() ? descriptor->inputs : descriptor->outputs;
    auto found = llvm::find_if(
        candidates, [&](const e5::Port &p) { return p.name == port.name; });
    if (found == candidates.end())
      return makeFileError(path, 0,
                           "the descriptor does not have the container's " +
                               directionName(port.direction) + " '" +
                               port.name + "'");
    uint64_t bytes = loaded->machine().memory(port.section).size();
    Error error = rebase(*found, device, mayShrink);
    if (!error)
      error = describe(port, *found, bytes);
    if (error)
      return makeFileError(path, 0, llvm::toString(std::move(error)));
    port.isState = found->isState;
  }
  llvm::SmallVector<StringRef> shared;
  for (const e5::Port &input : descriptor->inputs)
    if (input.isShared)
      shared.push_back(input.name);
  return shared.empty() ? Error::success() : loaded->share(shared);
}

Error Runner::writeImage(StringRef path) const {
  auto write = [&](llvm::raw_ostream &os) {
    return object::writeObject(loaded->image(), os);
  };
  if (!descriptor)
    return writeOutputFile(path, write);
  bool several = loaded->image().all<object::ProgramDescriptor>().size() > 1;
  return several ? e5::writeWithCompanions(path, write, {*descriptor})
                 : e5::writeWithCompanion(path, write, *descriptor);
}

Expected<const HostPort *> Runner::findPort(StringRef name,
                                            PortDirection direction) {
  return engine::findPort(hostPorts, name, direction, loaded->fileName());
}

Error Runner::setInput(StringRef name, const NpyArray &array,
                       StringRef source) {
  Expected<const HostPort *> found = findPort(name, PortDirection::Input);
  if (!found)
    return found.takeError();
  const HostPort &port = **found;
  if (Error error = checkArray(port, array, source))
    return error;
  Error error = setInput(port, array.bytes.data());
  return error ? makeFileError(source, 0, llvm::toString(std::move(error)))
               : Error::success();
}

Error Runner::setInput(const HostPort &port, const void *array) {
  Error error = storeTensor(port, static_cast<const uint8_t *>(array),
                            loaded->machine().memory(port.section).data());
  isSet[&port - hostPorts.data()] = !error;
  return error;
}

Error Runner::run(unsigned threads, Numerics numerics) {
  if (Error error = checkInputs(hostPorts, isSet, loaded->fileName()))
    return error;
  return loaded->machine().run(threads, numerics);
}

Error Runner::run(RunObserver &observer, unsigned threads, Numerics numerics) {
  if (Error error = checkInputs(hostPorts, isSet, loaded->fileName()))
    return error;
  return loaded->machine().run(observer, threads, numerics);
}

Expected<NpyArray> Runner::output(StringRef name) {
  Expected<const HostPort *> found = findPort(name, PortDirection::Output);
  if (!found)
    return found.takeError();
  const HostPort &port = **found;
  NpyArray array;
  array.type = port.type;
  array.shape = port.shape;
  array.bytes.resize(array.numElements() * byteSize(port.type));

  getOutput(port, array.bytes.data());
  return array;
}

void Runner::getOutput(const HostPort &port, void *array) {
  loadTensor(port, loaded->machine().memory(port.section).data(),
             static_cast<uint8_t *>(array));
}
