//===- ReadPartition.cpp - Reads programs that were cut -------------------===//
//
// The block of such a program is a row of stages: a CpuInference, or Casts, an
// AneInference and Casts again. Operations name tensors of the host by their
// symbols; what every operation says of one must be the same.
//
//===----------------------------------------------------------------------===//

#include "E5File.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace ane::e5;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace fb = E5RT::fb;

namespace {

class PartitionReader {
public:
  PartitionReader(E5File &file, Descriptor &model)
      : file(file), model(model), partition(model.partition) {}

  Error read(const fb::Section *section, const fb::Block *block);

private:
  using Step = E5File::Step;
  using Operands = TableVector<fb::Operand>;

  Error readInputs(const fb::Section *section);
  Error readOutputs(const fb::Section *section);
  Expected<std::vector<Step>> readSteps(const fb::Block *block);
  Error readCpuStage(const Step &step);
  /// Reads the stage that `steps` start with and drops it from them.
  Error readEngineStage(llvm::ArrayRef<Step> &steps);
  Error readCast(const Step &step, bool isInput, uint32_t surface,
                 const fb::IOPort *place, Stage &stage);

  /// What an operation says of the tensor behind a symbol, which exists if it
  /// `isRead` and does not otherwise.
  Expected<size_t> findTensor(const Step &step, uint32_t symbol, bool isRead,
                              const Operands *operands, size_t operand);
  Expected<HostTensor> readTensor(const void *place, const Operands *operands,
                                  size_t operand);

  E5File &file;
  Descriptor &model;
  Partition &partition;
  std::map<uint32_t, size_t> tensors; ///< by symbol
  std::map<uint32_t, bool> surfaces;  ///< that exist, by symbol
};

} // namespace

Expected<HostTensor> PartitionReader::readTensor(const void *place,
                                                 const Operands *operands,
                                                 size_t operand) {
  const fb::TensorDescriptor *descriptor =
      operand < length(operands) ? operands->Get(operand)->descriptor()
                                 : nullptr;
  if (!descriptor)
    return file.fail(place,
                     "the frame does not describe operand " + Twine(operand));
  HostTensor tensor;
  tensor.type = TensorDataType(descriptor->storage_type());
  tensor.shape = numbers(descriptor->dim());
  return tensor;
}

Expected<size_t> PartitionReader::findTensor(const Step &step, uint32_t symbol,
                                             bool isRead,
                                             const Operands *operands,
                                             size_t operand) {
  Expected<HostTensor> described = readTensor(step.frame, operands, operand);
  if (!described)
    return described.takeError();
  auto [found, isNew] = tensors.try_emplace(symbol, partition.tensors.size());
  if (isNew == isRead)
    return file.fail(
        step.operation,
        "symbol " + Twine(symbol) +
            (isRead ? " is read before it is written" : " is written twice"));
  if (isNew) {
    Expected<std::string> name = file.readSymbol(step.operation, symbol);
    if (!name)
      return name.takeError();
    described->name = std::move(*name);
    partition.tensors.push_back(std::move(*described));
    return found->second;
  }
  const HostTensor &known = partition.tensors[found->second];
  if (known.type != described->type || known.shape != described->shape)
    return file.fail(step.frame, "two operations describe tensor '" +
                                     known.name + "' differently");
  return found->second;
}

Error PartitionReader::readInputs(const fb::Section *section) {
  size_t count = length(section->operands());
  if (count > length(section->aliases()))
    return file.fail(section, Twine(count) + " inputs, but " +
                                  Twine(length(section->aliases())) +
                                  " names of inputs and outputs");
  for (size_t i = 0; i < count; ++i) {
    const fb::AliasSymbol *alias = section->aliases()->Get(i);
    Expected<std::string> name =
        file.readString(alias, alias->name(), "AliasSymbol.name");
    if (!name)
      return name.takeError();
    Expected<HostTensor> tensor = readTensor(section, section->operands(), i);
    if (!tensor)
      return tensor.takeError();
    tensor->name = std::move(*name);
    if (!tensors.try_emplace(alias->symbol_index(), i).second)
      return file.fail(alias, "two inputs have symbol " +
                                  Twine(alias->symbol_index()));
    partition.tensors.push_back(std::move(*tensor));
  }
  partition.numInputs = count;
  return Error::success();
}

Error PartitionReader::readOutputs(const fb::Section *section) {
  for (size_t i = partition.numInputs; i < section->aliases()->size(); ++i) {
    const fb::AliasSymbol *alias = section->aliases()->Get(i);
    Expected<std::string> name =
        file.readString(alias, alias->name(), "AliasSymbol.name");
    if (!name)
      return name.takeError();
    auto tensor = tensors.find(alias->symbol_index());
    if (tensor == tensors.end())
      return file.fail(alias, "output '" + *name + "' has symbol " +
                                  Twine(alias->symbol_index()) +
                                  ", which nothing writes");
    partition.outputs.push_back({std::move(*name), tensor->second});
  }
  return Error::success();
}

Expected<std::vector<E5File::Step>>
PartitionReader::readSteps(const fb::Block *block) {
  std::vector<Step> steps;
  for (size_t i = 0; i < length(block->operations()); ++i) {
    const fb::Operation *operation = block->operations()->Get(i);
    if (operation->op_type() != fb::OpType::Cast &&
        operation->op_type() != fb::OpType::AneInference &&
        operation->op_type() != fb::OpType::CpuInference)
      return file.fail(operation,
                       "operation " + Twine(i) + ": op_type " +
                           Twine(int32_t(operation->op_type())) +
                           " is neither Cast (0), AneInference (1) nor "
                           "CpuInference (3)");
    Expected<Step> step = file.readStep(operation);
    if (!step)
      return step.takeError();
    // Vectors of a FlatBuffer may overlap.
    if (Error error = file.spend(operation,
                                 length(operation->inputs()) +
                                     length(operation->outputs()),
                                 "the operands"))
      return error;
    steps.push_back(*step);
  }
  return steps;
}

Error PartitionReader::readCpuStage(const Step &step) {
  const fb::CpuInferenceAttrs *attrs = step.attrs->attrs_as_CpuInferenceAttrs();
  if (!attrs)
    return file.fail(step.attrs, "the attributes of a CpuInference are of "
                                 "another kind");
  Stage stage;
  Expected<std::string> text =
      file.readString(attrs, attrs->text(), "CpuInferenceAttrs.text");
  if (!text)
    return text.takeError();
  stage.text = std::move(*text);
  if (const flatbuffers::Vector<uint8_t> *weights = attrs->weights()) {
    if (Error error = file.spend(attrs, weights->size(), "the weights"))
      return error;
    stage.weights.assign(weights->begin(), weights->end());
  }
  const Operands *operands = step.frame->operands();
  size_t operand = 0;
  for (size_t i = 0; i < length(step.operation->inputs()); ++i) {
    Expected<size_t> tensor = findTensor(step, step.operation->inputs()->Get(i),
                                         /*isRead=*/true, operands, operand++);
    if (!tensor)
      return tensor.takeError();
    stage.inputs.push_back(*tensor);
  }
  for (size_t i = 0; i < length(step.operation->outputs()); ++i) {
    Expected<size_t> tensor =
        findTensor(step, step.operation->outputs()->Get(i),
                   /*isRead=*/false, operands, operand++);
    if (!tensor)
      return tensor.takeError();
    stage.outputs.push_back(*tensor);
  }
  if (operand != length(operands))
    return file.fail(step.frame, "the frame of a CpuInference has " +
                                     Twine(length(operands)) +
                                     " operands for " + Twine(operand) +
                                     " tensors");
  partition.stages.push_back(std::move(stage));
  return Error::success();
}

Error PartitionReader::readCast(const Step &step, bool isInput,
                                uint32_t surface, const fb::IOPort *place,
                                Stage &stage) {
  const fb::Operation *operation = step.operation;
  const Operands *operands = step.frame->operands();
  if (operation->op_type() != fb::OpType::Cast ||
      length(operation->inputs()) != 1 || length(operation->outputs()) != 1 ||
      length(operands) != 2)
    return file.fail(operation, "an AneInference stands between Casts of one "
                                "tensor each, one for each of its surfaces");
  uint32_t host = operation->inputs()->Get(0);
  uint32_t device = operation->outputs()->Get(0);
  size_t hostOperand = 0, deviceOperand = 1;
  if (!isInput) {
    std::swap(host, device);
    std::swap(hostOperand, deviceOperand);
  }
  if (device != surface)
    return file.fail(operation, "a Cast has the surface of symbol " +
                                    Twine(device) + ", the AneInference has " +
                                    Twine(surface) + " there");
  if (!surfaces.try_emplace(surface, true).second)
    return file.fail(operation,
                     "two Casts have the surface of symbol " + Twine(surface));
  Expected<size_t> tensor =
      findTensor(step, host, isInput, operands, hostOperand);
  if (!tensor)
    return tensor.takeError();
  const fb::TensorDescriptor *descriptor =
      operands->Get(deviceOperand)->descriptor();
  if (!descriptor || !place->name())
    return file.fail(step.frame, "a surface without descriptor or name");
  const HostTensor &known = partition.tensors[*tensor];
  Port port;
  port.name = known.name;
  if (StringRef(place->name()->data(), place->name()->size()) != port.name)
    return file.fail(place, "the surface in the place of tensor '" + port.name +
                                "' has another name");
  port.hostType = known.type;
  readSurfaceTensor(descriptor, port);
  port.byteSize = place->byte_size();
  port.address = place->aperture_va();
  if (Error error = checkCastTypes(file, step.attrs, port, isInput))
    return error;
  (isInput ? stage.inputs : stage.outputs).push_back(*tensor);
  (isInput ? stage.inputPorts : stage.outputPorts).push_back(std::move(port));
  return Error::success();
}

Error PartitionReader::readEngineStage(llvm::ArrayRef<Step> &steps) {
  llvm::ArrayRef<Step> inputs = steps.take_while(
      [](const Step &step) { return step.type() == fb::OpType::Cast; });
  llvm::ArrayRef<Step> rest = steps.drop_front(inputs.size());
  if (rest.empty() || rest.front().type() != fb::OpType::AneInference)
    return file.fail(steps.front().operation,
                     "a Cast that no AneInference follows");
  const Step &inference = rest.front();
  const fb::Operation *operation = inference.operation;
  size_t numInputs = length(operation->inputs());
  size_t numOutputs = length(operation->outputs());
  rest = rest.drop_front();
  if (inputs.size() != numInputs || rest.size() < numOutputs)
    return file.fail(operation, "an AneInference of " + Twine(numInputs) +
                                    " inputs and " + Twine(numOutputs) +
                                    " outputs after " + Twine(inputs.size()) +
                                    " Casts and before " + Twine(rest.size()) +
                                    " operations");
  const TableVector<fb::IOPort> *places = inference.frame->ports();
  if (length(places) != numInputs + numOutputs ||
      length(inference.frame->operands()) != 0)
    return file.fail(inference.frame,
                     "Section.ports: " + Twine(length(places)) +
                         " surfaces for " + Twine(numInputs + numOutputs) +
                         " inputs and outputs, and operands "
                         "that Casts describe");
  bool isFirst = llvm::none_of(
      partition.stages, [](const Stage &stage) { return stage.isEngine(); });
  Stage stage;
  Expected<std::string> procedure =
      readInferenceAttrs(file, inference.attrs, model, isFirst);
  if (!procedure)
    return procedure.takeError();
  if (procedure->empty())
    return file.fail(inference.attrs, "the procedure has no name");
  stage.procedure = std::move(*procedure);
  for (size_t i = 0; i < numInputs; ++i)
    if (Error error =
            readCast(inputs[i], /*isInput=*/true, operation->inputs()->Get(i),
                     places->Get(i), stage))
      return error;
  for (size_t i = 0; i < numOutputs; ++i)
    if (Error error =
            readCast(rest[i], /*isInput=*/false, operation->outputs()->Get(i),
                     places->Get(numInputs + i), stage))
      return error;
  partition.stages.push_back(std::move(stage));
  steps = rest.drop_front(numOutputs);
  return Error::success();
}

Error PartitionReader::read(const fb::Section *section,
                            const fb::Block *block) {
  if (Error error = readInputs(section))
    return error;
  Expected<std::vector<Step>> steps = readSteps(block);
  if (!steps)
    return steps.takeError();
  for (llvm::ArrayRef<Step> rest = *steps; !rest.empty();) {
    if (rest.front().type() != fb::OpType::CpuInference) {
      if (Error error = readEngineStage(rest))
        return error;
      continue;
    }
    if (Error error = readCpuStage(rest.front()))
      return error;
    rest = rest.drop_front();
  }
  if (partition.stages.empty())
    return file.fail(block, "there is no operation");
  return readOutputs(section);
}

Error ane::e5::readPartition(E5File &file, const fb::Section *section,
                             const fb::Block *block, Descriptor &model) {
  return PartitionReader(file, model).read(section, block);
}
