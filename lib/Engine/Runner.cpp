//===- Runner.cpp - Runs a program on host tensors ------------------------===//

#include "ane/Engine/Runner.h"
#include "HalfConversion.h"
#include "ane/E5/E5.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

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
  add(layout.c, layout.planeStride);
  add(layout.h, layout.rowStride);
  add(layout.w, layout.elementStride);
  return port;
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
  default:
    return llvm::createStringError(
        "port '" + port.name + "' has host type " +
        e5::typeName(described.hostType) +
        "; only fp16 and fp32 are converted, convert it outside the program");
  }
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

/// Calls `row` with the byte offset in the surface, the index of the first
/// element in the array and the number of elements, for runs of elements along
/// the innermost dimension.
template <typename Row> void forEachRow(const HostPort &port, Row row) {
  if (llvm::is_contained(port.shape, 0))
    return;
  llvm::SmallVector<int64_t, 5> index(port.shape.size(), 0);
  int64_t length = port.shape.empty() ? 1 : port.shape.back();
  int64_t first = 0;
  while (true) {
    int64_t offset = 0;
    for (auto [position, stride] : llvm::zip_equal(index, port.strides))
      offset += position * stride;
    row(offset, first, length);
    first += length;
    // Count through the outer dimensions.
    int64_t axis = int64_t(port.shape.size()) - 2;
    for (; axis >= 0; --axis) {
      if (++index[axis] < port.shape[axis])
        break;
      index[axis] = 0;
    }
    if (axis < 0)
      return;
  }
}

int64_t innerStride(const HostPort &port) {
  return port.strides.empty() ? 2 : port.strides.back();
}

/// A row of the surface as fp16 side by side.
void gather(const uint8_t *surface, int64_t stride, uint8_t *row,
            int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::copy_n(surface + i * stride, 2, row + 2 * i);
}
void scatter(const uint8_t *row, uint8_t *surface, int64_t stride,
             int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::copy_n(row + 2 * i, 2, surface + i * stride);
}

std::string sha256(const llvm::MemoryBuffer &buffer) {
  llvm::SHA256 hash;
  hash.update(buffer.getBuffer());
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
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

Expected<Runner> Runner::load(StringRef path, StringRef descriptorPath) {
  Expected<std::unique_ptr<LoadedProgram>> program = LoadedProgram::load(path);
  if (!program)
    return program.takeError();
  Runner runner(std::move(*program));
  llvm::SmallString<128> beside(path);
  llvm::sys::path::replace_extension(beside, "e5");
  if (descriptorPath.empty() && llvm::sys::fs::exists(beside))
    descriptorPath = beside;
  if (!descriptorPath.empty())
    if (Error error = runner.readDescriptor(descriptorPath))
      return error;
  return runner;
}

Error Runner::readDescriptor(StringRef path) {
  Expected<e5::Descriptor> descriptor = e5::readE5(path);
  if (!descriptor)
    return descriptor.takeError();
  std::string hash = sha256(*loaded->container().buffer);
  if (!StringRef(hash).equals_insensitive(descriptor->containerHash))
    return makeFileError(
        path, 0,
        "this descriptor belongs to another container: it gives SHA-256 " +
            StringRef(descriptor->containerHash).lower() + ", but " +
            loaded->fileName() + " has " + hash +
            "; compile again, or move the descriptor away to run without it");

  size_t described = descriptor->inputs.size() + descriptor->outputs.size();
  if (described != hostPorts.size())
    return makeFileError(path, 0,
                         llvm::formatv("the descriptor has {0} ports, the "
                                       "container {1}",
                                       described, hostPorts.size()));
  for (HostPort &port : hostPorts) {
    const auto &candidates =
        port.isInput() ? descriptor->inputs : descriptor->outputs;
    auto found = llvm::find_if(
        candidates, [&](const e5::Port &p) { return p.name == port.name; });
    if (found == candidates.end())
      return makeFileError(path, 0,
                           "the descriptor does not have the container's " +
                               stringify(port.direction) + " '" + port.name +
                               "'");
    uint64_t bytes = loaded->machine().memory(port.section).size();
    if (Error error = describe(port, *found, bytes))
      return makeFileError(path, 0, llvm::toString(std::move(error)));
  }
  return Error::success();
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
  if (array.type != port.type || !shapeFits)
    return makeFileError(source, 0,
                         "input '" + name + "' is " + milName(port.type) + " " +
                             formatShape(port.shape) + ", but the array is " +
                             milName(array.type) + " " +
                             formatShape(array.shape) +
                             conversion(port, array, shapeFits));

  uint8_t *surface = loaded->machine().memory(port.section).data();
  int64_t stride = innerStride(port);
  std::vector<uint8_t> half;
  std::vector<float> wide;
  forEachRow(port, [&](int64_t offset, int64_t first, int64_t count) {
    const uint8_t *row = array.bytes.data() + first * byteSize(port.type);
    if (port.type == ElementType::Float32) {
      wide.resize(count);
      half.resize(2 * count);
      std::memcpy(wide.data(), row, count * sizeof(float));
      floatToHalf(wide.data(), half.data(), count);
      row = half.data();
    }
    scatter(row, surface + offset, stride, count);
  });
  isSet[&port - hostPorts.data()] = true;
  return Error::success();
}

Error Runner::run(unsigned threads) {
  for (auto [port, set] : llvm::zip_equal(hostPorts, isSet))
    if (port.isInput() && !set)
      return makeFileError(loaded->fileName(), 0,
                           "input '" + port.name + "' (" + milName(port.type) +
                               " " + formatShape(port.shape) +
                               ") is not given");
  loaded->machine().run(threads);
  return Error::success();
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

  const uint8_t *surface = loaded->machine().memory(port.section).data();
  int64_t stride = innerStride(port);
  std::vector<uint8_t> half;
  std::vector<float> wide;
  forEachRow(port, [&](int64_t offset, int64_t first, int64_t count) {
    uint8_t *row = array.bytes.data() + first * byteSize(port.type);
    if (port.type == ElementType::Float16)
      return gather(surface + offset, stride, row, count);
    wide.resize(count);
    half.resize(2 * count);
    gather(surface + offset, stride, half.data(), count);
    halfToFloat(half.data(), wide.data(), count);
    std::memcpy(row, wide.data(), count * sizeof(float));
  });
  return array;
}
