//===- RunMil.cpp - Runs MIL text with the reference interpreter ----------===//

#include "RunOptions.h"
#include "ane/Pipeline/Phases.h"
#include "ane/Pipeline/SourceProgram.h"
#include "ane/Reference/Conversions.h"
#include "ane/Reference/Interpreter.h"
#include "ane/Support/FileError.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ane;
using llvm::Error;
using llvm::Expected;

namespace {

/// Input or output names of a function, in order.
using Names = SmallVector<StringRef>;

Names inputNames(mil::FuncOp func) {
  Names names;
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
    names.push_back(func.getParameterName(i));
  return names;
}

Names outputNames(mil::FuncOp func) {
  Names names;
  for (unsigned i = 0, e = func.getFunctionType().getNumResults(); i < e; ++i)
    names.push_back(func.getOutputName(i));
  return names;
}

void listPorts(mil::FuncOp func) {
  auto list = [](StringRef kind, const Names &names, TypeRange types) {
    for (auto [name, type] : llvm::zip_equal(names, types))
      llvm::outs() << kind << ' ' << name << ' ' << mil::formatType(type)
                   << '\n';
  };
  list("input ", inputNames(func), func.getArgumentTypes());
  list("output", outputNames(func), func.getFunctionType().getResults());
}

/// Refuses a file for a tensor that does not exist.
Error checkNames(llvm::ArrayRef<TensorFile> files, const Names &names,
                 StringRef kind, const RunOptions &options) {
  Error errors = Error::success();
  for (const TensorFile &file : files)
    if (!llvm::is_contained(names, file.name))
      errors = llvm::joinErrors(
          std::move(errors),
          makeFileError(
              options.model, 0,
              "there is no " + kind + " '" + file.name + "'; there is " +
                  (names.empty() ? "none" : llvm::join(names, ", "))));
  return errors;
}

/// Reads the array for a parameter and compares it with the parameter's type.
Expected<NpyArray> readInput(mil::FuncOp func, unsigned index,
                             const RunOptions &options) {
  StringRef name = func.getParameterName(index);
  std::string wanted = mil::formatType(func.getArgumentTypes()[index]);
  auto file = llvm::find_if(options.inputs, [&](const TensorFile &candidate) {
    return candidate.name == name;
  });
  if (file == options.inputs.end())
    return makeFileError(options.model, 0,
                         "input '" + name + "' (" + wanted +
                             ") is not given; add --input " + name + "=" +
                             name + ".npy");
  Expected<NpyArray> array = readNpy(file->path);
  if (!array)
    return array.takeError();
  auto type = dyn_cast<RankedTensorType>(func.getArgumentTypes()[index]);
  if (!type ||
      mil::dtypeFromName(func.getContext(), milName(array->type)) !=
          type.getElementType() ||
      failed(verifyCompatibleShape(type.getShape(), array->shape)))
    return makeFileError(file->path, 0,
                         "input '" + name + "' is " + wanted +
                             ", but the array is " + milName(array->type) +
                             " " + formatShape(array->shape));
  return array;
}

/// `name=1x129x4`, as `--shape` takes it.
std::string shapeFlag(StringRef name, llvm::ArrayRef<int64_t> shape) {
  return (name + "=").str() +
         llvm::join(llvm::map_range(
                        shape, [](int64_t n) { return std::to_string(n); }),
                    "x");
}

/// Binds shapes and loads weights. Inputs decide unknown extents, but where the
/// user states the shape of one, all are bound before any op is evaluated.
LogicalResult prepare(SourceProgram &program, llvm::ArrayRef<NpyArray> inputs,
                      const RunOptions &options) {
  PhaseOptions phases;
  phases.modelPath = options.modelPath;
  phases.shapes = options.shapes;
  if (!phases.shapes.empty())
    for (auto [name, input] :
         llvm::zip_equal(inputNames(program.getFunction()), inputs))
      if (llvm::none_of(options.shapes, [&](StringRef shape) {
            return shape.split('=').first == name;
          }))
        phases.shapes.push_back(shapeFlag(name, input.shape));
  PassManager pm(program.getModule().getContext());
  addReferencePasses(pm, phases);
  return pm.run(program.getModule());
}

} // namespace

LogicalResult ane::runMil(const RunOptions &options) {
  auto fail = [&](Error error) {
    reportErrors(std::move(error), options.model);
    return failure();
  };
  std::unique_ptr<SourceProgram> program =
      SourceProgram::load(options.model, options.function);
  if (!program)
    return failure();
  mil::FuncOp func = program->getFunction();
  if (options.list) {
    listPorts(func);
    return success();
  }
  Names outputs = outputNames(func);
  if (Error error = llvm::joinErrors(
          checkNames(options.inputs, inputNames(func), "input", options),
          checkNames(options.outputs, outputs, "output", options)))
    return fail(std::move(error));

  SmallVector<NpyArray> arrays;
  SmallVector<reference::Tensor> inputs;
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i) {
    Expected<NpyArray> array = readInput(func, i, options);
    if (!array)
      return fail(array.takeError());
    Expected<reference::Tensor> tensor =
        reference::fromNpy(func.getContext(), *array);
    if (!tensor)
      return fail(tensor.takeError());
    arrays.push_back(std::move(*array));
    inputs.push_back(std::move(*tensor));
  }
  if (failed(prepare(*program, arrays, options)))
    return failure();
  FailureOr<SmallVector<reference::Tensor>> results =
      reference::evaluate(func, std::move(inputs));
  if (failed(results))
    return failure();
  std::vector<NpyFile> files;
  for (const TensorFile &file : options.outputs) {
    size_t index = llvm::find(outputs, file.name) - outputs.begin();
    files.push_back({file.path, reference::toNpy((*results)[index])});
  }
  if (Error error = writeNpyFiles(files))
    return fail(std::move(error));
  return success();
}
