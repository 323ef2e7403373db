//===- CheckPartition.cpp - What a partition must satisfy -----------------===//

#include "CheckE5.h"
#include "ane/Support/CheckedProduct.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace ane::e5;
using llvm::StringRef;
using llvm::Twine;

namespace {

bool hasNul(StringRef text) { return text.contains('\0'); }

/// Whether the bytes of a tensor can be counted.
bool isCountable(const HostTensor &tensor) {
  std::optional<uint64_t> bytes =
      ane::checkedProduct<uint64_t>(byteSize(tensor.type), tensor.shape);
  return bytes && *bytes <= uint64_t(INT64_MAX);
}

std::string checkTensor(const HostTensor &tensor) {
  if (tensor.name.empty())
    return "a tensor without a name";
  if (hasNul(tensor.name))
    return "the name of a tensor contains a NUL";
  std::string place = "tensor '" + tensor.name + "': ";
  if (byteSize(tensor.type) == 0)
    return (place + "element type " + Twine(llvm::to_underlying(tensor.type)) +
            " (" + typeName(tensor.type) + ") is not one of whole bytes")
        .str();
  if (tensor.shape.size() > maxRank)
    return (place + "rank " + Twine(tensor.shape.size()) + ", the most is " +
            Twine(maxRank))
        .str();
  if (llvm::is_contained(tensor.shape, 0))
    return place + "a dimension of 0";
  return isCountable(tensor) ? "" : place + "it has 2^63 bytes or more";
}

class PartitionChecker {
public:
  explicit PartitionChecker(const Partition &partition)
      : partition(partition), written(partition.numInputs) {}

  std::string check();

private:
  std::string checkStage(const Stage &stage);
  std::string checkPorts(const std::vector<Port> &ports,
                         const std::vector<size_t> &tensors);

  const Partition &partition;
  size_t written;
};

std::string PartitionChecker::checkPorts(const std::vector<Port> &ports,
                                         const std::vector<size_t> &tensors) {
  if (ports.size() != tensors.size())
    return (Twine(ports.size()) + " surfaces for " + Twine(tensors.size()) +
            " tensors")
        .str();
  for (auto [port, index] : llvm::zip_equal(ports, tensors)) {
    if (std::string problem = checkPort(port); !problem.empty())
      return problem;
    const HostTensor &tensor = partition.tensors[index];
    if (port.name != tensor.name || port.hostType != tensor.type ||
        port.shape != tensor.shape)
      return "surface '" + port.name +
             "' has another name, type or shape than tensor '" + tensor.name +
             "'";
    if (port.limit || port.isState)
      return "surface '" + port.name +
             "' has a limit or state that is the program's to have";
  }
  return {};
}

std::string PartitionChecker::checkStage(const Stage &stage) {
  for (size_t input : stage.inputs)
    if (input >= written)
      return "reads a tensor that nothing before it writes";
  if (stage.outputs.empty())
    return "writes nothing";
  for (size_t output : stage.outputs)
    if (output != written++ || output >= partition.tensors.size())
      return "writes tensors out of order";
  if (stage.isEngine()) {
    if (hasNul(stage.procedure))
      return "the name of the procedure contains a NUL";
    if (!stage.text.empty() || !stage.weights.empty())
      return "procedure '" + stage.procedure + "' has MIL text or weights";
    std::string problem = checkPorts(stage.inputPorts, stage.inputs);
    return problem.empty() ? checkPorts(stage.outputPorts, stage.outputs)
                           : problem;
  }
  if (stage.text.empty())
    return "neither a procedure nor MIL text";
  if (hasNul(stage.text))
    return "the MIL text contains a NUL";
  if (!stage.inputPorts.empty() || !stage.outputPorts.empty())
    return "MIL text has surfaces";
  return {};
}

std::string PartitionChecker::check() {
  if (partition.numInputs > partition.tensors.size())
    return "more inputs than tensors";
  if (std::string problem = checkNames(partition.tensors, "tensors");
      !problem.empty())
    return problem;
  if (std::string problem = checkNames(partition.outputs, "outputs");
      !problem.empty())
    return problem;
  for (auto [index, tensor] : llvm::enumerate(partition.tensors)) {
    if (std::string problem = checkTensor(tensor); !problem.empty())
      return problem;
    if ((tensor.limit || tensor.isState) && index >= partition.numInputs)
      return "tensor '" + tensor.name +
             "' has a limit or holds a state, but is no input";
  }
  for (auto [index, stage] : llvm::enumerate(partition.stages))
    if (std::string problem = checkStage(stage); !problem.empty())
      return ("segment " + Twine(index) + ": " + problem).str();
  if (llvm::none_of(partition.stages,
                    [](const Stage &stage) { return stage.isEngine(); }))
    return "no segment runs on the engine";
  if (written != partition.tensors.size())
    return "a tensor that no segment writes";
  if (partition.outputs.empty())
    return "the program has no output";
  for (const PartitionOutput &output : partition.outputs) {
    if (output.name.empty() || hasNul(output.name))
      return "an output without a name, or with a NUL in it";
    if (output.tensor >= partition.tensors.size())
      return "output '" + output.name + "' is a tensor that does not exist";
    if (partition.tensors[output.tensor].isState &&
        !partition.isRead(output.tensor))
      return "output '" + output.name + "' is a state that no segment reads";
  }
  return {};
}

} // namespace

std::string ane::e5::checkPartition(const Descriptor &descriptor) {
  if (!descriptor.inputs.empty() || !descriptor.outputs.empty() ||
      !descriptor.intermediates.empty() || !descriptor.segments.empty())
    return "a program that was cut has ports or segments of one that was not";
  return PartitionChecker(descriptor.partition).check();
}

bool Partition::isRead(size_t tensor) const {
  return llvm::any_of(stages, [tensor](const Stage &stage) {
    return llvm::is_contained(stage.inputs, tensor);
  });
}

Descriptor Descriptor::ofStage(const Stage &stage) const {
  Descriptor result;
  result.buildInfo = buildInfo;
  result.function = function;
  result.containerPath = containerPath;
  result.containerHash = containerHash;
  result.compilerOptions = compilerOptions;
  result.inputs = stage.inputPorts;
  result.outputs = stage.outputPorts;
  for (auto [port, tensor] : llvm::zip_equal(result.inputs, stage.inputs))
    port.limit = partition.tensors[tensor].limit;
  result.setSingleSegment(stage.procedure);
  return result;
}
