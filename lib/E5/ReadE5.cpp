//===- ReadE5.cpp - Reads dispatch descriptors ----------------------------===//

#include "CheckE5.h"
#include "E5File.h"
#include "ane/Support/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <utility>

using namespace ane;
using namespace ane::e5;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace fb = E5RT::fb;

namespace {

/// Turns a verified FlatBuffer into the model. Accessors of the generated code
/// are safe after the verifier; what they return may still be absent or make no
/// sense.
class E5Reader : E5File {
public:
  explicit E5Reader(llvm::MemoryBufferRef buffer) : E5File(buffer) {}

  Expected<Descriptor> read() {
    if (Error error = open())
      return error;
    if (Error error = readBuildInfo())
      return error;
    if (Error error = readFunction())
      return error;
    if (Error error = readInputEntries())
      return error;
    if (std::string problem = checkProgram(model); !problem.empty())
      return fail(root, problem);
    return std::move(model);
  }

private:
  /// A surface and where an inference has told its size.
  struct Surface {
    PortRef ref;
    const fb::IOPort *place = nullptr;
  };

  Error readBuildInfo() {
    if (!root->build_info() || !root->build_info()->entries())
      return Error::success();
    for (const fb::BuildInfoEntry *entry : *root->build_info()->entries()) {
      auto key = readString(entry, entry->key(), "BuildInfoEntry.key");
      if (!key)
        return key.takeError();
      auto value = readString(entry, entry->value(), "BuildInfoEntry.value");
      if (!value)
        return value.takeError();
      model.buildInfo.push_back({*key, *value});
    }
    return Error::success();
  }

  /// Moves what the build information says of inputs to these.
  Error readInputEntries() {
    for (const auto &[key, value] : model.buildInfo) {
      auto refuse = [&](const char *what) {
        return fail(root, Twine("the entry '") + key +
                              "' of the build information, '" + value +
                              "', is not " + what);
      };
      StringRef name = key;
      if (name.consume_front(inputLimitKey)) {
        std::optional<IntegerLimit> limit = parseLimit(value);
        if (!limit || !changeInput(name, [&](auto &input) {
              return !std::exchange(input.limit, limit);
            }))
          return refuse("the limit of one input, in decimal digits or behind "
                        "'0..'");
      } else if (name.consume_front(stateKey)) {
        bool isShared = value == sharedState;
        if ((value != zeroState && !isShared) ||
            !changeInput(name,
                         [](auto &input) {
                           return !std::exchange(input.isState, true);
                         }) ||
            (isShared && !share(name)))
          return refuse("the content of one input that holds a state, 'zeros' "
                        "or, if its surface is shared, 'shared'");
      }
    }
    llvm::erase_if(model.buildInfo, [](const auto &entry) {
      StringRef key = entry.first;
      return key.starts_with(inputLimitKey) || key.starts_with(stateKey);
    });
    return Error::success();
  }

  /// Whether there is an input of that name, and `change` of it succeeds.
  template <typename Change> bool changeInput(StringRef name, Change change) {
    for (Port &port : model.inputs)
      if (port.name == name)
        return change(port);
    for (HostTensor &tensor : model.partition.tensors)
      if (tensor.name == name)
        return change(tensor);
    return false;
  }

  /// Whether there is an input of that name, which is then shared.
  bool share(StringRef name) {
    for (Port &port : model.inputs)
      if (port.name == name)
        return port.isShared = true;
    return false;
  }

  Error readFunction() {
    const fb::Function *function = nullptr;
    const fb::Section *place = nullptr;
    for (size_t i = 0; i < length(root->sections()); ++i) {
      const fb::Section *section = root->sections()->Get(i);
      if (section->kind() != fb::SectionKind::Function)
        continue;
      if (function)
        return fail(section, "a second function; one is supported");
      if (!section->function())
        return fail(section, "a section of kind Function without a function");
      function = section->function();
      place = section;
    }
    if (!function)
      return fail(root, "no section holds a function");
    auto name = readString(function, function->name(), "Function.name");
    if (!name)
      return name.takeError();
    model.function = *name;
    auto path =
        readString(function, function->anehash_path(), "Function.anehash_path");
    if (!path)
      return path.takeError();
    model.containerPath = *path;
    if (length(function->blocks()) != 1)
      return fail(function,
                  "Function.blocks: " + Twine(length(function->blocks())) +
                      " blocks, expected 1");
    // Only a program that was cut says there what its outputs are.
    if (length(place->aliases()) != 0)
      return readPartition(*this, place, function->blocks()->Get(0), model);
    return readBlock(function->blocks()->Get(0));
  }

  Error readBlock(const fb::Block *block) {
    std::vector<Step> steps;
    for (size_t i = 0; i < length(block->operations()); ++i) {
      const fb::Operation *operation = block->operations()->Get(i);
      if (operation->op_type() != fb::OpType::Cast &&
          operation->op_type() != fb::OpType::AneInference)
        return fail(operation, "operation " + Twine(i) + ": op_type " +
                                   Twine(int32_t(operation->op_type())) +
                                   " is neither Cast (0) nor AneInference (1)");
      Expected<Step> step = readStep(operation);
      if (!step)
        return step.takeError();
      steps.push_back(*step);
    }
    auto isInference = [](const Step &step) {
      return step.operation->op_type() == fb::OpType::AneInference;
    };
    llvm::ArrayRef<Step> rest = steps;
    llvm::ArrayRef<Step> inputs = rest.take_until(isInference);
    rest = rest.drop_front(inputs.size());
    llvm::ArrayRef<Step> inferences = rest.take_while(isInference);
    llvm::ArrayRef<Step> outputs = rest.drop_front(inferences.size());
    if (inferences.empty())
      return fail(block, "none of " + Twine(steps.size()) +
                             " operations is an AneInference");
    for (const Step &step : outputs)
      if (isInference(step))
        return fail(step.operation, "an AneInference after a Cast that "
                                    "follows an AneInference");
    for (const Step &step : inputs)
      if (Error error = readCast(step, PortKind::Input))
        return error;
    for (const Step &step : outputs)
      if (Error error = readCast(step, PortKind::Output))
        return error;
    for (const Step &step : inferences)
      if (Error error = readInference(step))
        return error;
    for (const auto &[symbol, surface] : surfaces)
      if (!surface.place)
        return fail(block, "no AneInference has the surface of tensor '" +
                               model.port(surface.ref).name + "'");
    return checkPorts(block);
  }

  /// What a Cast says of a port can be held against its surface only when the
  /// inferences have said how large that is.
  Error checkPorts(const fb::Block *block) {
    for (const std::vector<Port> *ports :
         {&model.inputs, &model.outputs, &model.intermediates})
      for (const Port &port : *ports)
        if (std::string problem = checkPort(port); !problem.empty())
          return fail(block, problem);
    return Error::success();
  }

  Error readInference(const Step &step) {
    Expected<std::string> procedure =
        readInferenceAttrs(*this, step.attrs, model, model.segments.empty());
    if (!procedure)
      return procedure.takeError();
    Segment segment;
    segment.procedure = std::move(*procedure);
    if (Error error = readSurfaces(step, segment))
      return error;
    model.segments.push_back(std::move(segment));
    return Error::success();
  }

  /// Reads which surfaces an inference has, and what it says of them.
  Error readSurfaces(const Step &step, Segment &segment) {
    const fb::Operation *operation = step.operation;
    const TableVector<fb::IOPort> *ports = step.frame->ports();
    const TableVector<fb::Operand> *operands = step.frame->operands();
    size_t numInputs = length(operation->inputs());
    size_t count = numInputs + length(operation->outputs());
    if (length(ports) != count)
      return fail(step.frame, "Section.ports: " + Twine(length(ports)) +
                                  " surfaces for " + Twine(count) +
                                  " inputs and outputs");
    // Vectors of a FlatBuffer may overlap like its strings.
    if (Error error = spend(operation, count, "the surfaces"))
      return error;
    size_t operand = 0;
    for (size_t i = 0; i < count; ++i) {
      bool isInput = i < numInputs;
      uint32_t symbol = isInput ? operation->inputs()->Get(i)
                                : operation->outputs()->Get(i - numInputs);
      const fb::IOPort *surface = ports->Get(i);
      auto [found, isNew] = surfaces.try_emplace(symbol);
      Surface &entry = found->second;
      if (isNew) {
        if (isInput)
          return fail(operation, "the surface of symbol " + Twine(symbol) +
                                     " is read before it is written");
        auto name = readSymbol(operation, symbol);
        if (!name)
          return name.takeError();
        entry.ref = {PortKind::Intermediate, model.intermediates.size()};
        model.intermediates.emplace_back().name = std::move(*name);
      }
      Port &port = portOf(entry.ref);
      if (entry.ref.kind == PortKind::Intermediate) {
        if (operand >= length(operands) ||
            !operands->Get(operand)->descriptor())
          return fail(step.frame, "the frame of an AneInference does not "
                                  "describe intermediate '" +
                                      port.name + "'");
        Port described = port;
        readSurfaceTensor(operands->Get(operand++)->descriptor(), described);
        described.hostType = described.deviceType;
        if (isNew)
          port = described;
        else if (port != described)
          return fail(step.frame, "two AneInferences describe intermediate '" +
                                      port.name + "' differently");
      }
      if (Error error = readPort(surface, entry, port))
        return error;
      (isInput ? segment.inputs : segment.outputs).push_back(entry.ref);
    }
    if (operand != length(operands))
      return fail(step.frame, "the frame of an AneInference has " +
                                  Twine(length(operands)) + " operands for " +
                                  Twine(operand) + " intermediates");
    return Error::success();
  }

  /// Holds a surface of an inference against its port, or completes that.
  Error readPort(const fb::IOPort *surface, Surface &entry, Port &port) {
    if (!surface->name() || StringRef(surface->name()->data(),
                                      surface->name()->size()) != port.name)
      return fail(surface, "the surface in the place of tensor '" + port.name +
                               "' has another name");
    bool isFirst = !std::exchange(entry.place, surface);
    if (isFirst) {
      port.byteSize = surface->byte_size();
      port.address = surface->aperture_va();
    }
    if (port.byteSize != surface->byte_size() ||
        port.address != surface->aperture_va())
      return fail(surface, "two AneInferences give tensor '" + port.name +
                               "' another size or address");
    return Error::success();
  }

  /// Reads one port from its cast.
  Error readCast(const Step &step, PortKind kind) {
    const fb::Operation *operation = step.operation;
    if (length(operation->inputs()) != 1 || length(operation->outputs()) != 1)
      return fail(operation, "a Cast of " + Twine(length(operation->inputs())) +
                                 " to " + Twine(length(operation->outputs())) +
                                 " tensors, expected 1 to 1");
    uint32_t host = operation->inputs()->Get(0);
    uint32_t device = operation->outputs()->Get(0);
    const TableVector<fb::Operand> *operands = step.frame->operands();
    if (length(operands) != 2)
      return fail(step.frame, "the frame of a Cast has " +
                                  Twine(length(operands)) +
                                  " operands, expected 2");
    const auto *hostTensor = operands->Get(0)->descriptor();
    const auto *deviceTensor = operands->Get(1)->descriptor();
    bool isInput = kind == PortKind::Input;
    if (!isInput) {
      std::swap(host, device);
      std::swap(hostTensor, deviceTensor);
    }
    if (!hostTensor || !deviceTensor)
      return fail(step.frame, "Operand.descriptor is missing");

    Port port;
    auto name = readSymbol(operation, host);
    if (!name)
      return name.takeError();
    port.name = std::move(*name);
    port.hostType = TensorDataType(hostTensor->storage_type());
    readSurfaceTensor(deviceTensor, port);
    port.hostStrides = numbers(hostTensor->stride());
    if (port.hostStrides.size() != port.shape.size() ||
        port.hostStrides == denseStrides(port.shape, port.hostType))
      port.hostStrides.clear();
    if (Error error = checkCastTypes(*this, step.attrs, port, isInput))
      return error;
    if (numbers(hostTensor->dim()) != port.shape)
      return fail(deviceTensor, "tensor '" + port.name +
                                    "': host and surface differ in shape");
    std::vector<Port> &ports = isInput ? model.inputs : model.outputs;
    Surface entry;
    entry.ref = {kind, ports.size()};
    if (!surfaces.try_emplace(device, entry).second)
      return fail(operation,
                  "two Casts have the surface of symbol " + Twine(device));
    ports.push_back(std::move(port));
    return Error::success();
  }

  Port &portOf(const PortRef &ref) {
    return const_cast<Port &>(std::as_const(model).port(ref));
  }

  std::map<uint32_t, Surface> surfaces; ///< by symbol
  Descriptor model;
};

} // namespace

Expected<Descriptor> ane::e5::readE5(llvm::MemoryBufferRef buffer) {
  return E5Reader(buffer).read();
}

Expected<Descriptor> ane::e5::readE5(StringRef path) {
  auto buffer = readInputFile(path);
  if (!buffer)
    return buffer.takeError();
  return readE5((*buffer)->getMemBufferRef());
}
