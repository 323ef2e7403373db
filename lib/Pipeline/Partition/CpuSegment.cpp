//===- CpuSegment.cpp - Segments that the interpreter runs ----------------===//

#include "ane/Pipeline/CpuSegment.h"
#include "Partition/CutProgram.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Frontend/BlobStorage.h"
#include "ane/Pipeline/SourceProgram.h"
#include "ane/Reference/Conversions.h"
#include "ane/Reference/Interpreter.h"
#include "ane/Support/FileError.h"
#include "ane/Support/FormatShape.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace ane;
using llvm::Error;
using llvm::Expected;

namespace {

class InterpretedSegment : public engine::CpuSegment {
public:
  InterpretedSegment(std::unique_ptr<SourceProgram> program, StringRef name)
      : program(std::move(program)), name(name) {}

  Expected<std::vector<NpyArray>> run(llvm::ArrayRef<NpyArray> inputs) override;

private:
  std::unique_ptr<SourceProgram> program;
  std::string name;
};

/// An error about a text of which all that is wrong has been reported.
Error refusedText(StringRef name) {
  return makeFileError(name, 0,
                       "the text of this segment of the processor is refused; "
                       "compile the program again");
}

/// Whether values of the function are tensors of the partition.
Error checkTypes(const e5::Partition &partition, llvm::ArrayRef<size_t> tensors,
                 llvm::ArrayRef<Type> types, StringRef what, StringRef name) {
  if (tensors.size() != types.size())
    return makeFileError(name, 0,
                         "the function has " + Twine(types.size()) + " " +
                             what + ", the descriptor " +
                             Twine(tensors.size()));
  for (auto [index, type] : llvm::zip_equal(tensors, types)) {
    const e5::HostTensor &tensor = partition.tensors[index];
    if (hostTensorType(type) != tensor.type ||
        !llvm::equal(cast<RankedTensorType>(type).getShape(), tensor.shape))
      return makeFileError(name, 0,
                           "tensor '" + tensor.name + "' is " +
                               e5::typeName(tensor.type) + " " +
                               formatShape(SmallVector<int64_t>(
                                   tensor.shape.begin(), tensor.shape.end())) +
                               " in the descriptor, but the function has " +
                               mil::formatType(type));
    if (Error error = reference::Tensor::check(type))
      return makeFileError(name, 0,
                           "tensor '" + tensor.name + "', " +
                               llvm::toString(std::move(error)));
  }
  return Error::success();
}

/// Puts the weights of a stage in the place of references to them.
Error loadWeights(SourceProgram &program, const e5::Stage &stage,
                  StringRef name) {
  std::shared_ptr<const frontend::BlobFile> file;
  if (!stage.weights.empty()) {
    auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
        stage.weights.size(), name + "#weights",
        llvm::Align(frontend::blobAlignment));
    llvm::copy(stage.weights, buffer->getBufferStart());
    Expected<std::shared_ptr<const frontend::BlobFile>> created =
        frontend::BlobFile::create(std::move(buffer));
    if (!created)
      return created.takeError();
    file = std::move(*created);
  }
  PassManager pm(program.getModule().getContext());
  pm.addPass(mil::createLoadWeights(e5::cpuWeightsPath, file));
  return failed(pm.run(program.getModule())) ? refusedText(name)
                                             : Error::success();
}

} // namespace

Expected<std::unique_ptr<engine::CpuSegment>>
ane::loadCpuSegment(const e5::Partition &partition, const e5::Stage &stage,
                    StringRef name) {
  std::unique_ptr<SourceProgram> program = SourceProgram::parse(
      llvm::MemoryBuffer::getMemBufferCopy(stage.text, name));
  if (!program)
    return refusedText(name);
  mil::FuncOp func = program->getFunction();
  if (Error error = checkTypes(partition, stage.inputs, func.getArgumentTypes(),
                               "inputs", name))
    return error;
  if (Error error = checkTypes(partition, stage.outputs, func.getResultTypes(),
                               "outputs", name))
    return error;
  if (Error error = loadWeights(*program, stage, name))
    return error;
  return std::make_unique<InterpretedSegment>(std::move(program), name);
}

Expected<std::vector<NpyArray>>
InterpretedSegment::run(llvm::ArrayRef<NpyArray> inputs) {
  mil::FuncOp func = program->getFunction();
  SmallVector<reference::Tensor> tensors;
  // The host has integers without a sign as others of as many bits.
  auto convert = [](reference::Tensor tensor, Type element) {
    if (tensor.getElementType() != element)
      tensor = reference::convert(tensor, element);
    return tensor;
  };
  for (auto [input, type] : llvm::zip_equal(inputs, func.getArgumentTypes())) {
    Expected<reference::Tensor> tensor =
        reference::fromNpy(func.getContext(), input);
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(convert(std::move(*tensor), getElementTypeOrSelf(type)));
  }
  FailureOr<SmallVector<reference::Tensor>> results =
      reference::evaluate(func, std::move(tensors));
  if (failed(results))
    return makeFileError(name, 0, "this segment of the processor failed");
  std::vector<NpyArray> outputs;
  for (auto [result, type] : llvm::zip_equal(*results, func.getResultTypes())) {
    StringRef host = e5::typeName(*hostTensorType(type));
    outputs.push_back(reference::toNpy(
        convert(result, mil::dtypeFromName(func.getContext(), host))));
  }
  return outputs;
}
