//===- RunMil.cpp - Runs MIL text with the reference interpreter ----------===//

#include "RunOptions.h"
#include "ane/Dialect/MIL/IR/FlexibleShapes.h"
#include "ane/Dialect/MIL/Transforms/WeightFiles.h"
#include "ane/Pipeline/Phases.h"
#include "ane/Pipeline/SourceProgram.h"
#include "ane/Reference/Conversions.h"
#include "ane/Reference/Interpreter.h"
#include "ane/Support/FileError.h"
#include "ane/Support/FormatShape.h"
#include "ane/Support/Printable.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace ane;
using llvm::Error;
using llvm::Expected;

namespace {

/// Names of inputs, outputs or states of a function, in order.
using Names = SmallVector<StringRef>;

/// A parameter of a function. Its type is that of the tensor, also of a state.
struct Parameter {
  StringRef name;
  Type type;
};

/// The parameters that are states, or those that are inputs.
SmallVector<Parameter> parameters(mil::FuncOp func, bool areStates) {
  SmallVector<Parameter> result;
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes())) {
    auto state = dyn_cast<mil::StateType>(type);
    if (bool(state) == areStates)
      result.push_back(
          {func.getParameterName(index), state ? state.getTensorType() : type});
  }
  return result;
}

Names namesOf(ArrayRef<Parameter> parameters) {
  Names names;
  for (const Parameter &parameter : parameters)
    names.push_back(parameter.name);
  return names;
}

Names outputNames(mil::FuncOp func) {
  Names names;
  for (unsigned i = 0, e = func.getFunctionType().getNumResults(); i < e; ++i)
    names.push_back(func.getOutputName(i));
  return names;
}

void listPorts(mil::FuncOp func) {
  auto print = [](StringRef kind, StringRef name, Type type) {
    llvm::outs() << kind << ' ' << escapeUnprintable(name) << ' '
                 << mil::formatType(type) << '\n';
  };
  for (const Parameter &input : parameters(func, /*areStates=*/false))
    print("input ", input.name, input.type);
  for (const Parameter &state : parameters(func, /*areStates=*/true))
    print("state ", state.name, state.type);
  for (auto [name, type] :
       llvm::zip_equal(outputNames(func), func.getFunctionType().getResults()))
    print("output", name, type);
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

/// Reads an array and compares it with the type of its parameter. `kind` is
/// what the parameter is.
Expected<NpyArray> readArray(StringRef kind, const Parameter &parameter,
                             const std::string &path) {
  Expected<NpyArray> array = readNpy(path);
  if (!array)
    return array.takeError();
  auto type = dyn_cast<RankedTensorType>(parameter.type);
  std::optional<ElementType> wanted =
      type ? elementTypeCalled(mil::dtypeName(type.getElementType()))
           : std::nullopt;
  bool shapeFits =
      type && succeeded(verifyCompatibleShape(type.getShape(), array->shape));
  if (!wanted || array->type != *wanted || !shapeFits) {
    std::string wayOut;
    if (wanted && (shapeFits || type.hasStaticShape()))
      wayOut = describeConversion(*array, *wanted,
                                  shapeFits ? ArrayRef<int64_t>(array->shape)
                                            : type.getShape(),
                                  shapeFits);
    return makeFileError(path, 0,
                         kind + " '" + parameter.name + "' is " +
                             mil::formatType(parameter.type) +
                             ", but the array is " + milName(array->type) +
                             " " + formatShape(array->shape) + wayOut);
  }
  return array;
}

/// The same as the interpreter takes it; the array stays in `array`.
Expected<reference::Tensor> readTensor(StringRef kind,
                                       const Parameter &parameter,
                                       const std::string &path,
                                       MLIRContext *context, NpyArray &array) {
  Expected<NpyArray> read = readArray(kind, parameter, path);
  if (!read)
    return read.takeError();
  array = std::move(*read);
  return reference::fromNpy(context, array);
}

const TensorFile *findFile(llvm::ArrayRef<TensorFile> files, StringRef name) {
  const TensorFile *file =
      llvm::find_if(files, [&](const TensorFile &candidate) {
        return candidate.name == name;
      });
  return file == files.end() ? nullptr : file;
}

/// Puts what the user gives for the states in the place of zeros.
Error readStates(mil::FuncOp func, reference::States &states,
                 const RunOptions &options) {
  for (auto [parameter, state] :
       llvm::zip_equal(parameters(func, /*areStates=*/true), states)) {
    const TensorFile *file = findFile(options.states, parameter.name);
    if (!file)
      continue;
    NpyArray array;
    Expected<reference::Tensor> tensor =
        readTensor("state", parameter, file->path, func.getContext(), array);
    if (!tensor)
      return tensor.takeError();
    state = std::move(*tensor);
  }
  return Error::success();
}

/// `name=1x129x4`, as `--shape` takes it.
std::string shapeFlag(StringRef name, llvm::ArrayRef<int64_t> shape) {
  return (name + "=").str() +
         llvm::join(llvm::map_range(
                        shape, [](int64_t n) { return std::to_string(n); }),
                    "x");
}

/// Binds shapes and loads weights. Inputs decide unknown extents, within what
/// the program allows, but where the user states the shape of one, all are
/// bound before any op is evaluated.
LogicalResult prepare(SourceProgram &program, llvm::ArrayRef<NpyArray> inputs,
                      const RunOptions &options) {
  PhaseOptions phases;
  phases.modelPath = options.modelPath;
  phases.shapes = options.shapes;
  phases.missingWeights = options.missingWeights;
  phases.weightTypes = options.weightTypes;
  mil::FuncOp func = program.getFunction();
  SmallVector<mil::NamedShape> given;
  for (auto [name, input] :
       llvm::zip_equal(namesOf(parameters(func, /*areStates=*/false)), inputs))
    given.push_back({name, llvm::to_vector(input.shape)});
  if (phases.shapes.empty()) {
    FailureOr<mil::FlexibleShapes> flexible =
        mil::FlexibleShapes::readFrom(func);
    if (failed(flexible) || failed(flexible->check(func, given)))
      return failure();
  } else {
    for (const auto &[name, shape] : given)
      if (llvm::none_of(options.shapes, [&, name = name](StringRef flag) {
            return flag.split('=').first == name;
          }))
        phases.shapes.push_back(shapeFlag(name, shape));
  }
  PassManager pm(program.getModule().getContext());
  addReferencePasses(pm, phases);
  return pm.run(program.getModule());
}

/// Prepares the program and evaluates it, telling how far it is.
FailureOr<SmallVector<reference::Output>>
run(SourceProgram &program, llvm::ArrayRef<NpyArray> arrays,
    SmallVector<reference::Tensor> inputs, reference::States &states,
    const RunOptions &options) {
  std::atomic<size_t> numDone = 0, numOps = 0;
  auto progress = showProgress([&] {
    size_t ops = numOps;
    return ops ? llvm::formatv("op {0} of {1}", numDone.load(), ops).str()
               : std::string("preparing");
  });
  // What is reported has lines of its own.
  ScopedDiagnosticHandler handler(program.getModule().getContext(),
                                  [&](Diagnostic &) {
                                    progress.reset();
                                    return failure();
                                  });
  if (failed(prepare(program, arrays, options)))
    return failure();
  mil::FuncOp func = program.getFunction();
  numOps = llvm::count_if(func.getBody().front().without_terminator(),
                          [](Operation &op) { return !isa<mil::ConstOp>(op); });
  return reference::evaluateOutputs(func, std::move(inputs), states, &numDone);
}

/// Prints the outputs that are no tensors, which a classifier has: a label, and
/// the probability of each class. They have no file.
void printOutputs(const Names &names, ArrayRef<reference::Output> outputs) {
  auto key = [](const reference::Label &label) {
    const auto *text = std::get_if<std::string>(&label);
    return text ? *text : std::to_string(std::get<int64_t>(label));
  };
  for (auto [name, output] : llvm::zip_equal(names, outputs)) {
    if (std::holds_alternative<reference::Tensor>(output))
      continue;
    llvm::outs() << escapeUnprintable(name) << ": ";
    llvm::json::OStream json(llvm::outs());
    if (const auto *text = std::get_if<std::string>(&output))
      json.value(llvm::json::fixUTF8(*text));
    else
      json.object([&] {
        for (const auto &[label, probability] :
             std::get<reference::Dictionary>(output).entries)
          json.attribute(llvm::json::fixUTF8(key(label)), probability);
      });
    llvm::outs() << '\n';
  }
}

/// That a file is asked for tensors alone.
Error checkFiles(mil::FuncOp func, const Names &names,
                 const RunOptions &options) {
  for (const TensorFile &file : options.outputs) {
    size_t index = llvm::find(names, file.name) - names.begin();
    Type type = func.getResultTypes()[index];
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || isa<mil::StringType>(tensor.getElementType()))
      return makeFileError(options.model, 0,
                           "output '" + file.name + "' is " +
                               mil::formatType(type) +
                               ", which no .npy file can hold; it is printed "
                               "where no file is asked for");
  }
  return Error::success();
}

} // namespace

/// Prints inputs, states and outputs of each function, with the shapes that the
/// user gives.
static LogicalResult list(SourceProgram &program, const RunOptions &options) {
  ModuleOp module = program.getModule();
  PhaseOptions phases;
  phases.shapes = options.shapes;
  PassManager pm(module.getContext());
  getPhase(PhaseKind::MIL).addPasses(pm, phases);
  if (failed(pm.run(module)))
    return failure();
  auto functions = llvm::to_vector(module.getOps<mil::FuncOp>());
  for (mil::FuncOp func : functions) {
    if (functions.size() > 1)
      llvm::outs() << "function " << escapeUnprintable(func.getSymName())
                   << '\n';
    listPorts(func);
  }
  return success();
}

/// Refuses every file that is for no input, output or state.
static Error checkAllNames(mil::FuncOp func, const RunOptions &options) {
  Error errors = Error::success();
  auto check = [&](llvm::ArrayRef<TensorFile> given, const Names &known,
                   StringRef kind) {
    errors = llvm::joinErrors(std::move(errors),
                              checkNames(given, known, kind, options));
  };
  Names states = namesOf(parameters(func, /*areStates=*/true));
  check(options.inputs, namesOf(parameters(func, /*areStates=*/false)),
        "input");
  check(options.outputs, outputNames(func), "output");
  check(options.states, states, "state");
  check(options.statesAfter, states, "state");
  return errors;
}

/// The inputs in the order of the parameters, as they are in files and as the
/// interpreter takes them.
static Error readInputs(mil::FuncOp func, const RunOptions &options,
                        SmallVector<NpyArray> &arrays,
                        SmallVector<reference::Tensor> &tensors) {
  for (const Parameter &input : parameters(func, /*areStates=*/false)) {
    const TensorFile *file = findFile(options.inputs, input.name);
    if (!file)
      return makeMissingInput(options, input.name, mil::formatType(input.type));
    Expected<reference::Tensor> tensor = readTensor(
        "input", input, file->path, func.getContext(), arrays.emplace_back());
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(std::move(*tensor));
  }
  return Error::success();
}

/// Writes the files that are asked for, all or none.
static Error writeResults(const RunOptions &options, const Names &outputs,
                          ArrayRef<reference::Output> results,
                          const Names &stateNames,
                          const reference::States &states) {
  std::vector<NpyFile> files;
  for (const TensorFile &file : options.outputs) {
    size_t index = llvm::find(outputs, file.name) - outputs.begin();
    files.push_back({file.path, reference::toNpy(std::get<reference::Tensor>(
                                    results[index]))});
  }
  for (const TensorFile &file : options.statesAfter) {
    size_t index = llvm::find(stateNames, file.name) - stateNames.begin();
    files.push_back({file.path, reference::toNpy(states[index])});
  }
  return writeNpyFiles(files);
}

LogicalResult ane::runMil(const RunOptions &options, FilePlan &plan) {
  auto fail = [&](Error error) {
    reportErrors(std::move(error), options.model);
    return failure();
  };
  std::unique_ptr<SourceProgram> program = SourceProgram::load(
      options.model, options.function, /*allowSeveral=*/options.list);
  if (!program)
    return failure();
  if (options.list)
    return list(*program, options);
  mil::FuncOp func = program->getFunction();
  if (Error error = checkAllNames(func, options))
    return fail(std::move(error));
  Names outputs = outputNames(func),
        stateNames = namesOf(parameters(func, /*areStates=*/true));
  if (Error error = checkFiles(func, outputs, options))
    return fail(std::move(error));
  if (Error error =
          mil::addWeightFiles(program->getModule(), options.modelPath, plan))
    return fail(std::move(error));

  SmallVector<NpyArray> arrays;
  SmallVector<reference::Tensor> inputs;
  if (Error error = readInputs(func, options, arrays, inputs))
    return fail(std::move(error));
  FailureOr<reference::States> states = reference::makeStates(func);
  if (failed(states))
    return failure();
  if (Error error = readStates(func, *states, options))
    return fail(std::move(error));
  FailureOr<SmallVector<reference::Output>> results =
      run(*program, arrays, std::move(inputs), *states, options);
  if (failed(results))
    return failure();
  if (Error error =
          writeResults(options, outputs, *results, stateNames, *states))
    return fail(std::move(error));
  printOutputs(outputs, *results);
  return success();
}
