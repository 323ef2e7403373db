//===- AskEngine.cpp - Values inside of a program -------------------------===//

#include "Verify/AskEngine.h"
#include "DiagnosticLog.h"
#include "Generate.h"
#include "Output/Emit.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Engine/Runner.h"
#include "ane/Reference/Conversions.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ane;
using reference::Tensor;

/// A program of the function alone that gives more values back.
static OwningOpRef<ModuleOp> withOutputs(mil::FuncOp func,
                                         ArrayRef<Value> values) {
  IRMapping mapping;
  OwningOpRef<ModuleOp> module =
      cast<ModuleOp>(func->getParentOp()->clone(mapping));
  for (auto other : llvm::make_early_inc_range(module->getOps<mil::FuncOp>())) {
    if (other.getName() != func.getName()) {
      other.erase();
      continue;
    }
    Operation *end = other.getBody().front().getTerminator();
    Builder builder(func.getContext());
    NamedAttribute asked = builder.getNamedAttr(mil::MILDialect::askedAttrName,
                                                builder.getUnitAttr());
    for (Value value : values) {
      Value own = mapping.lookup(value);
      if (llvm::is_contained(end->getOperands(), own))
        continue;
      (void)other.insertResult(other.getNumResults(), own.getType(),
                               builder.getDictionaryAttr(asked));
      end->insertOperands(end->getNumOperands(), own);
    }
  }
  return module;
}

/// Writes a container, and tells the name of its procedure.
static FailureOr<std::string> compileInto(ModuleOp module,
                                          const CompileOptions &options) {
  if (failed(runPhases(module, options)))
    return failure();
  FailureOr<GeneratedProgram> generated = generate(module, options);
  if (failed(generated))
    return failure();
  FailureOr<object::Object> container = layout(*generated, options);
  if (failed(container))
    return failure();
  std::vector<e5::Descriptor> descriptors = descriptorsOf(*generated);
  std::string procedure = descriptors.front().segments.front().procedure;
  if (failed(writeFiles(*container, std::move(descriptors), options)))
    return failure();
  return procedure;
}

/// Runs a container and reads those values.
static llvm::Expected<NamedTensors>
runContainer(const std::string &path, const std::string &procedure,
             ArrayRef<Value> values, ArrayRef<engine::HostPort> ports,
             const Trial &trial) {
  engine::RunnerOptions options;
  options.procedure = procedure;
  llvm::Expected<engine::Runner> runner = engine::Runner::load(path, options);
  if (!runner)
    return runner.takeError();
  if (llvm::Error error = runTrial(*runner, ports, trial))
    return error;
  NamedTensors tensors;
  for (Value value : values) {
    StringRef name = mil::getResultName(cast<OpResult>(value));
    llvm::Expected<NpyArray> made = runner->output(name);
    if (!made)
      return made.takeError();
    llvm::Expected<Tensor> tensor =
        reference::fromNpy(value.getContext(), *made);
    if (!tensor)
      return tensor.takeError();
    tensors.try_emplace(
        name, reference::convert(*tensor, getElementTypeOrSelf(value)));
  }
  return tensors;
}

NamedTensors ane::askEngine(mil::FuncOp func, ArrayRef<Value> values,
                            ArrayRef<engine::HostPort> ports,
                            const Trial &trial, StringRef folder,
                            const CompileOptions &options) {
  CompileOptions own = options;
  own.emit = PhaseKind::Container;
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "values.hwx");
  own.output = path.str().str();
  own.report.clear();
  own.watch = {};
  own.phases.takeAsBound();

  DiagnosticLog log(func.getContext());
  OwningOpRef<ModuleOp> module = withOutputs(func, values);
  FailureOr<std::string> procedure = compileInto(*module, own);
  if (failed(procedure))
    return {};
  llvm::Expected<NamedTensors> tensors =
      runContainer(own.output, *procedure, values, ports, trial);
  if (!tensors) {
    llvm::consumeError(tensors.takeError());
    return {};
  }
  return std::move(*tensors);
}
