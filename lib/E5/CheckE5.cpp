//===- CheckE5.cpp - What a dispatch descriptor must satisfy --------------===//

#include "CheckE5.h"
#include "ane/Support/CheckedProduct.h"
#include "flatbuffers/base.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <array>

using namespace ane::e5;
using llvm::StringRef;

namespace {

struct TypeInfo {
  StringRef name;
  unsigned bytes;
};

// In the order of TensorDataType.
constexpr TypeInfo typeInfos[] = {
    {"invalid", 0}, {"fp16", 2},  {"fp32", 4},  {"int8", 1},
    {"uint8", 1},   {"int16", 2}, {"int32", 4}, {"int4", 0},
    {"bool", 1},    {"e4m3", 1},  {"e5m2", 1},
};

const TypeInfo &info(TensorDataType type) {
  auto index = llvm::to_underlying(type);
  bool known = index >= 0 && size_t(index) < std::size(typeInfos);
  return typeInfos[known ? index : 0];
}

/// Where the last element ends, or nothing if that passes 64 bits.
std::optional<uint64_t> endOf(const Port &port) {
  std::optional<uint64_t> end = byteSize(port.deviceType);
  for (auto [length, stride] : llvm::zip_equal(port.shape, port.strides)) {
    auto steps = llvm::checkedMulUnsigned<uint64_t>(length - 1, stride);
    end = end && steps ? llvm::checkedAddUnsigned(*end, *steps) : std::nullopt;
  }
  return end;
}

bool hasNul(StringRef text) { return text.contains('\0'); }

const std::vector<Port> &portsOf(const Descriptor &descriptor, PortKind kind) {
  switch (kind) {
  case PortKind::Input:
    return descriptor.inputs;
  case PortKind::Output:
    return descriptor.outputs;
  case PortKind::Intermediate:
    break;
  }
  return descriptor.intermediates;
}

/// Which ports have been written, and which read, while the segments are gone
/// through in order.
class SegmentChecker {
public:
  explicit SegmentChecker(const Descriptor &descriptor)
      : descriptor(descriptor) {
    for (PortKind kind :
         {PortKind::Input, PortKind::Output, PortKind::Intermediate})
      states[size_t(kind)].resize(portsOf(descriptor, kind).size());
    for (State &state : states[size_t(PortKind::Input)])
      state.written = true;
  }

  std::string check() {
    if (descriptor.segments.empty())
      return "no segment; a program has at least one";
    for (auto [index, segment] : llvm::enumerate(descriptor.segments)) {
      std::string place = ("segment " + llvm::Twine(index) + ": ").str();
      if (segment.procedure.empty())
        return place + "the procedure has no name";
      if (hasNul(segment.procedure))
        return place + "the name of the procedure contains a NUL";
      for (const PortRef &ref : segment.inputs)
        if (std::string problem = read(ref); !problem.empty())
          return place + problem;
      for (const PortRef &ref : segment.outputs)
        if (std::string problem = write(ref); !problem.empty())
          return place + problem;
    }
    return checkUse();
  }

private:
  struct State {
    bool written = false, read = false;
  };

  /// The state of a port that exists, or null.
  State *find(const PortRef &ref) {
    std::vector<State> &list = states[size_t(ref.kind)];
    return ref.index < list.size() ? &list[ref.index] : nullptr;
  }
  std::string name(const PortRef &ref) const {
    return "'" + portsOf(descriptor, ref.kind)[ref.index].name + "'";
  }

  std::string read(const PortRef &ref) {
    State *state = find(ref);
    if (!state)
      return "reads a port that does not exist";
    if (!state->written)
      return "reads " + name(ref) + ", which no segment before it writes";
    state->read = true;
    return {};
  }

  std::string write(const PortRef &ref) {
    State *state = find(ref);
    if (!state)
      return "writes a port that does not exist";
    if (ref.kind == PortKind::Input)
      return "writes " + name(ref) + ", which is an input";
    if (state->written)
      return "writes " + name(ref) + ", which is written already";
    state->written = true;
    return {};
  }

  /// Every port must be used, so that a descriptor says where each one is.
  std::string checkUse() {
    for (auto [index, state] : llvm::enumerate(states[size_t(PortKind::Input)]))
      if (!state.read)
        return "no segment reads input " + name({PortKind::Input, index});
    for (PortKind kind : {PortKind::Output, PortKind::Intermediate})
      for (auto [index, state] : llvm::enumerate(states[size_t(kind)]))
        if (!state.written)
          return "no segment writes " + name({kind, index});
    return {};
  }

  const Descriptor &descriptor;
  std::array<std::vector<State>, 3> states;
};

} // namespace

void Descriptor::setSingleSegment(std::string procedure) {
  Segment segment;
  segment.procedure = std::move(procedure);
  for (size_t index : llvm::seq(inputs.size()))
    segment.inputs.push_back({PortKind::Input, index});
  for (size_t index : llvm::seq(outputs.size()))
    segment.outputs.push_back({PortKind::Output, index});
  intermediates.clear();
  segments.clear();
  segments.push_back(std::move(segment));
}

const Port &Descriptor::port(const PortRef &ref) const {
  return portsOf(*this, ref.kind)[ref.index];
}

StringRef ane::e5::typeName(TensorDataType type) { return info(type).name; }
unsigned ane::e5::byteSize(TensorDataType type) { return info(type).bytes; }

llvm::SmallVector<uint64_t, 5>
ane::e5::denseStrides(llvm::ArrayRef<uint64_t> shape, TensorDataType type) {
  llvm::SmallVector<uint64_t, 5> strides(shape.size());
  uint64_t stride = byteSize(type);
  for (size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

std::string ane::e5::checkPort(const Port &port) {
  std::string problem;
  llvm::raw_string_ostream os(problem);
  if (port.name.empty())
    return "a tensor without a name";
  if (hasNul(port.name))
    return "the name of a tensor contains a NUL";
  os << "tensor '" << port.name << "': ";
  for (TensorDataType type : {port.hostType, port.deviceType})
    if (byteSize(type) == 0) {
      os << "element type " << llvm::to_underlying(type) << " ("
         << typeName(type) << ") is not one of whole bytes";
      return problem;
    }
  if (port.shape.size() > maxRank) {
    os << "rank " << port.shape.size() << ", the most is " << maxRank;
    return problem;
  }
  if (port.shape.size() != port.strides.size()) {
    os << "rank " << port.shape.size() << ", but " << port.strides.size()
       << " strides";
    return problem;
  }
  if (!port.hostStrides.empty() &&
      port.hostStrides.size() != port.shape.size()) {
    os << "rank " << port.shape.size() << ", but " << port.hostStrides.size()
       << " strides on the host";
    return problem;
  }
  if (llvm::is_contained(port.shape, 0)) {
    os << "a dimension of 0";
    return problem;
  }
  // With strides that lay elements over each other, a few bytes would do for
  // more of them than a host can hold.
  std::optional<uint64_t> bytes = endOf(port);
  std::optional<uint64_t> elements =
      checkedProduct<uint64_t>(byteSize(port.deviceType), port.shape);
  if (bytes)
    bytes = elements ? std::max(bytes, elements) : std::nullopt;
  if (bytes && *bytes <= port.byteSize)
    return {};
  os << "shape [";
  llvm::interleaveComma(port.shape, os);
  os << "] with strides [";
  llvm::interleaveComma(port.strides, os);
  os << "] needs " << (bytes ? llvm::utostr(*bytes) : "more than 2^64")
     << " bytes, but the surface has " << port.byteSize;
  return problem;
}

/// That a surface which is that of an output is of a state and as large.
static std::string checkShared(const Descriptor &descriptor) {
  for (const Port &input : descriptor.inputs) {
    if (!input.isShared)
      continue;
    if (!input.isState)
      return "input '" + input.name + "' is shared, but holds no state";
    auto output = llvm::find_if(descriptor.outputs, [&](const Port &port) {
      return port.name == input.name;
    });
    if (output == descriptor.outputs.end() ||
        output->hostType != input.hostType ||
        output->deviceType != input.deviceType ||
        output->shape != input.shape || output->strides != input.strides ||
        output->engine != input.engine || output->byteSize != input.byteSize)
      return "state '" + input.name +
             "' is shared, but no output of its name has such a surface";
  }
  return {};
}

std::string ane::e5::checkProgram(const Descriptor &descriptor) {
  StringRef hash = descriptor.containerHash;
  if (hash.size() != 64 || !llvm::all_of(hash, llvm::isHexDigit))
    return ("the container's hash '" + hash +
            "' is not of 64 hexadecimal digits")
        .str();
  if (hasNul(descriptor.function) || hasNul(descriptor.containerPath) ||
      hasNul(descriptor.compilerOptions) ||
      llvm::any_of(descriptor.buildInfo, [](const auto &entry) {
        return hasNul(entry.first) || hasNul(entry.second);
      }))
    return "a string contains a NUL";
  StringRef function = descriptor.function;
  if (function.empty())
    return "the function has no name";
  if (function.ends_with(argFrameSuffix) || function.ends_with(attrsSuffix))
    return ("the name of the function, '" + function +
            "', is such as the sections of an operation have")
        .str();
  if (descriptor.isPartitioned())
    return checkPartition(descriptor);
  if (std::string problem = checkNames(descriptor.inputs, "inputs");
      !problem.empty())
    return problem;
  if (std::string problem = checkNames(descriptor.outputs, "outputs");
      !problem.empty())
    return problem;
  if (std::string problem =
          checkNames(descriptor.intermediates, "intermediates");
      !problem.empty())
    return problem;
  for (const Port &port : descriptor.intermediates)
    if (port.hostType != port.deviceType)
      return "intermediate '" + port.name +
             "' has a type on the host, which it does not reach";
  if (std::string problem = checkShared(descriptor); !problem.empty())
    return problem;
  return SegmentChecker(descriptor).check();
}

/// That a FlatBuffer can hold what the processor runs.
static std::string checkSize(const Partition &partition) {
  // A part of it is left to the rest of the descriptor (assigned).
  constexpr uint64_t most = FLATBUFFERS_MAX_BUFFER_SIZE / 16 * 15;
  uint64_t bytes = 0;
  for (const Stage &stage : partition.stages)
    bytes += stage.text.size() + stage.weights.size();
  if (bytes <= most)
    return {};
  return ("what runs on the processor has " + llvm::Twine(bytes) +
          " bytes of text and weights, and a descriptor holds at most " +
          llvm::Twine(most) +
          " of them; look large tables up outside of the program")
      .str();
}

std::string ane::e5::checkDescriptor(const Descriptor &descriptor) {
  std::string problem = checkProgram(descriptor);
  if (problem.empty())
    problem = checkSize(descriptor.partition);
  for (const std::vector<Port> *ports :
       {&descriptor.inputs, &descriptor.outputs, &descriptor.intermediates})
    for (const Port &port : *ports)
      if (problem.empty())
        problem = checkPort(port);
  return problem;
}
