//===- Runner.cpp - Runs a program on host tensors ------------------------===//

#include "ane/Engine/Runner.h"
#include "HostTensor.h"
#include "ane/E5/Companion.h"
#include "ane/Object/Writer.h"
#include "ane/Support/FileError.h"
#include "ane/Support/OutputFile.h"
#include "ane/Support/Sha256.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using object::PortDirection;

namespace {

StringRef stringify(PortDirection direction) {
  return direction == PortDirection::Input ? "input" : "output";
}

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
  switch (described.hostType) {
  case e5::TensorDataType::Float16:
    port.type = ElementType::Float16;
    break;
  case e5::TensorDataType::Float32:
    port.type = ElementType::Float32;
    break;
  case e5::TensorDataType::Bool:
    port.type = ElementType::Bool;
    break;
  case e5::TensorDataType::Int8:
    port.type = ElementType::Int8;
    break;
  case e5::TensorDataType::UInt8:
    port.type = ElementType::UInt8;
    break;
  case e5::TensorDataType::Int16:
    port.type = ElementType::Int16;
    break;
  case e5::TensorDataType::Int32:
    port.type = ElementType::Int32;
    break;
  default:
    return llvm::createStringError(
        "port '" + port.name + "' has host type " +
        e5::typeName(described.hostType) +
        "; only fp16, fp32, bool and integers of 8 to 32 bits are converted, "
        "convert it outside the program");
  }
  port.limit =
      std::min(described.limit.value_or(largestInteger), largestInteger);
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

llvm::SmallVector<int64_t, 5> withoutOnes(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t, 5> result;
  llvm::copy_if(shape, std::back_inserter(result),
                [](int64_t extent) { return extent != 1; });
  return result;
}

std::string sha256(const llvm::MemoryBuffer &buffer) {
  Sha256 hash;
  hash.update(buffer.getBuffer());
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

/// Whether an array of one type may be given to a port of another. The ports
/// have no unsigned types above 8 bits.
bool typeFits(ElementType port, ElementType array) {
  return array == port ||
         (port == ElementType::Int16 && array == ElementType::UInt16) ||
         (port == ElementType::Int32 && array == ElementType::UInt32);
}

/// The first element whose top bit is set; -1 if there is none.
int64_t findTopBit(const NpyArray &array) {
  constexpr uint8_t topBit = 0x80;
  size_t size = byteSize(array.type);
  for (size_t end = size; end <= array.bytes.size(); end += size)
    if (array.bytes[end - 1] & topBit)
      return static_cast<int64_t>(end / size) - 1;
  return -1;
}

/// What numpy calls turn `array` into what the port takes; nothing if none do.
std::string conversion(const HostPort &port, const NpyArray &array,
                       bool shapeFits) {
  std::string calls;
  int64_t wanted = 1;
  for (int64_t extent : port.shape)
    wanted *= extent;
  if (array.numElements() != wanted)
    return calls;
  if (!shapeFits)
    calls = "reshape(" + formatShape(port.shape) + ")";
  if (array.type != port.type)
    calls += (calls.empty() ? "" : " and ") +
             ("astype('" + npyDescr(port.type) + "')").str();
  return "; convert it with numpy's " + calls;
}

} // namespace

Runner::Runner(std::unique_ptr<LoadedProgram> program)
    : loaded(std::move(program)) {
  for (const DevicePort &port : loaded->ports())
    hostPorts.push_back(hostPort(port));
  isSet.resize(hostPorts.size());
}

Expected<Runner> Runner::load(StringRef path, const RunnerOptions &options) {
  Expected<std::unique_ptr<LoadedProgram>> program =
      LoadedProgram::load(path, options);
  if (!program)
    return program.takeError();
  Runner runner(std::move(*program));
  std::string descriptorPath = options.descriptor;
  if (descriptorPath.empty()) {
    llvm::SmallString<128> beside = e5::companionPath(path);
    if (runner.loaded->image().all<object::ProgramDescriptor>().size() > 1)
      beside = e5::companionPath(
          path, functionOfProcedure(runner.loaded->procedure()));
    if (llvm::sys::fs::exists(beside))
      descriptorPath = beside.str().str();
  }
  if (!descriptorPath.empty())
    if (Error error = runner.readDescriptor(descriptorPath,
                                            !options.load.liveIns.empty()))
      return error;
  return runner;
}

Error Runner::readDescriptor(StringRef path, bool mayShrink) {
  Expected<e5::Descriptor> read = e5::readE5(path);
  if (!read)
    return read.takeError();
  descriptor = std::move(*read);
  std::string hash = sha256(*loaded->image().buffer);
  if (!StringRef(hash).equals_insensitive(descriptor->containerHash))
    return makeFileError(
        path, 0,
        "this descriptor belongs to another container: it gives SHA-256 " +
            StringRef(descriptor->containerHash).lower() + ", but " +
            loaded->fileName() + " has " + hash +
            "; compile again, or move the descriptor away to run without it");

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
                               stringify(port.direction) + " '" + port.name +
                               "'");
    uint64_t bytes = loaded->machine().memory(port.section).size();
    Error error = rebase(*found, device, mayShrink);
    if (!error)
      error = describe(port, *found, bytes);
    if (error)
      return makeFileError(path, 0, llvm::toString(std::move(error)));
  }
  return Error::success();
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
  llvm::SmallVector<StringRef, 8> names;
  for (const HostPort &port : hostPorts) {
    if (port.direction != direction)
      continue;
    if (port.name == name)
      return &port;
    names.push_back(port.name);
  }
  return makeFileError(loaded->fileName(), 0,
                       "there is no " + stringify(direction) + " '" + name +
                           "'; there is " +
                           (names.empty() ? "none" : llvm::join(names, ", ")));
}

Error Runner::setInput(StringRef name, const NpyArray &array,
                       StringRef source) {
  Expected<const HostPort *> found = findPort(name, PortDirection::Input);
  if (!found)
    return found.takeError();
  const HostPort &port = **found;
  bool shapeFits = port.exactShape
                       ? llvm::equal(array.shape, port.shape)
                       : withoutOnes(array.shape) == withoutOnes(port.shape);
  if (!typeFits(port.type, array.type) || !shapeFits)
    return makeFileError(source, 0,
                         "input '" + name + "' is " + milName(port.type) + " " +
                             formatShape(port.shape) + ", but the array is " +
                             milName(array.type) + " " +
                             formatShape(array.shape) +
                             conversion(port, array, shapeFits));

  if (array.type != port.type)
    if (int64_t beyond = findTopBit(array); beyond >= 0)
      return makeFileError(
          source, 0,
          llvm::formatv("element {0} of input '{1}' is no number of {2}; the "
                        "program is exact for integers up to {3}",
                        beyond, name, milName(port.type), port.limit));
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

Error Runner::checkInputs() const {
  for (auto [port, set] : llvm::zip_equal(hostPorts, isSet))
    if (port.isInput() && !set)
      return makeFileError(loaded->fileName(), 0,
                           "input '" + port.name + "' (" + milName(port.type) +
                               " " + formatShape(port.shape) +
                               ") is not given");
  return Error::success();
}

Error Runner::run(unsigned threads, Numerics numerics) {
  if (Error error = checkInputs())
    return error;
  loaded->machine().run(threads, numerics);
  return Error::success();
}

Error Runner::run(RunObserver &observer, unsigned threads, Numerics numerics) {
  if (Error error = checkInputs())
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
