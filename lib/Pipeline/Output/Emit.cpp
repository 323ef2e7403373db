//===- Emit.cpp - Writing what a phase produced ---------------------------===//

#include "Output/Emit.h"
#include "Output/DumpPhases.h"
#include "ProgramOptions.h"
#include "ane/Dialect/MIL/Transforms/WeightFiles.h"
#include "ane/E5/Companion.h"
#include "ane/InitAll.h"
#include "ane/Object/Layout.h"
#include "ane/Object/Writer.h"
#include "ane/Support/BackgroundHashingStream.h"
#include "ane/Support/Constraint.h"
#include "ane/Support/FileError.h"
#include "ane/Support/OutputFile.h"
#include "ane/Support/Version.h"
#include "ane/Target/Target.h"
#include "ane/TaskDescriptor/Disassembler.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ane;

namespace {

/// Lines of the container's banner: what made it, for what, and how.
std::vector<std::string> bannerLines(const CompileOptions &options) {
  std::vector<std::string> lines = {"ANEC v1",
                                    "ane-mlir v" + std::string(version)};
  std::vector<std::string> stated = object::bannerOf(containerDialect(options));
  lines.insert(lines.end(), stated.begin(), stated.end());
  if (stated.empty())
    lines.push_back("\t-t " + options.phases.target);
  std::vector<std::string> given = optionLines(options);
  lines.insert(lines.end(), given.begin(), given.end());
  return lines;
}

/// Keys and values of the descriptor's build information.
std::vector<std::pair<std::string, std::string>>
buildInfo(const CompileOptions &options) {
  return {
      {"component", "ane-mlir"},
      {"component-version", version},
      {"input-file", llvm::sys::path::filename(options.input).str()},
      {"on-device-compilation", "false"},
      {"target", options.phases.target},
      {"task-descriptor-format", td::stringifyFormat(options.format).str()}};
}

/// IR as bytecode into a file that is named `.mlirbc`, otherwise as text.
llvm::Error writeIR(ModuleOp module, const CompileOptions &options,
                    llvm::raw_ostream &os) {
  if (!StringRef(options.output).ends_with(".mlirbc")) {
    OpPrintingFlags flags =
        options.elideConstants ? debugPrintingFlags() : OpPrintingFlags();
    flags.enableDebugInfo(options.printLocations);
    module.print(os, flags);
    os << '\n';
    return llvm::Error::success();
  }
  if (failed(writeBytecodeToFile(module, os)))
    return makeFileError(options.output, 0, "cannot write bytecode");
  return llvm::Error::success();
}

/// Tells the descriptor where the container puts its surfaces.
void addAddresses(const object::Object &container, e5::Descriptor &descriptor) {
  const std::string &procedure = descriptor.segments.front().procedure;
  auto find = [&](e5::Port &port, const std::string &symbol) {
    for (const auto *operand : container.all<object::OperandDescriptor>())
      if (operand->symbol == symbol && operand->procedure == procedure)
        for (const object::Port *candidate : container.all<object::Port>())
          if (candidate->name == operand->port)
            port.address = candidate->address;
  };
  for (e5::Port &port : descriptor.inputs)
    find(port, port.name);
  for (e5::Port &port : descriptor.outputs)
    find(port, port.name + object::outputSuffix);
}

} // namespace

object::Dialect ane::containerDialect(const CompileOptions &options) {
  return options.container.value_or(options.format == td::Format::V7
                                        ? object::Dialect::V421
                                        : object::Dialect::V9509);
}

FailureOr<FilePlan> ane::planFiles(const CompileOptions &options) {
  struct Output {
    std::string path;
    StringRef option;
  };
  SmallVector<Output> outputs = {{options.output, "-o"}};
  auto refuse = [&](llvm::StringRef path, const char *message) {
    return reported(makeFileError(path, 0, message), options.input);
  };
  Phase::Beside beside = getPhase(options.emit).beside;
  if (beside == Phase::Beside::Descriptor && e5::hasCompanion(options.output) &&
      !options.output.empty()) {
    outputs.push_back({e5::companionPath(options.output).str().str(), "-o"});
    if (isSamePlace(outputs.front().path, outputs.back().path))
      return refuse(options.output,
                    "this is the name of the dispatch descriptor beside the "
                    "container; name the container *.hwx, or use --emit=e5");
  }
  if (beside == Phase::Beside::Weights && e5::hasCompanion(options.output)) {
    outputs.push_back({netWeightsPath(options).str().str(), "-o"});
    for (const std::string &other : {options.output, options.input})
      if (isSamePlace(outputs.back().path, other))
        return refuse(outputs.back().path,
                      "the file of weights would replace the input or the "
                      "description; name the description *.plist with -o");
  }
  // Both may be standard output, where a plan finds nothing wrong.
  if (!options.report.empty()) {
    for (const Output &other : outputs)
      if (isSamePlace(options.report, other.path))
        return refuse(options.report,
                      "report and output would go to the same place; name "
                      "another file with --report=");
    outputs.push_back({options.report, "--report="});
  }
  if (!options.watch.crashReproducer.empty())
    outputs.push_back({options.watch.crashReproducer, "--crash-reproducer"});
  for (const Phase &phase : allPhases())
    if (std::string path = dumpPath(phase, options); !path.empty())
      outputs.push_back({std::move(path), "--dump-phases"});

  FilePlan plan;
  plan.addInput(options.input, "the input");
  for (const auto &[path, option] : outputs)
    if (llvm::Error error = plan.addOutput(path, option))
      return reported(std::move(error), options.input);
  return plan;
}

LogicalResult ane::planWeights(ModuleOp module, const CompileOptions &options,
                               FilePlan &plan) {
  return reported(mil::addWeightFiles(module, options.phases.modelPath, plan),
                  options.input);
}

LogicalResult ane::planDescriptors(ArrayRef<e5::Descriptor> descriptors,
                                   const CompileOptions &options,
                                   FilePlan &plan) {
  if (getPhase(options.emit).beside != Phase::Beside::Descriptor ||
      !e5::hasCompanion(options.output))
    return success();
  SmallVector<std::string> functions;
  for (const e5::Descriptor &descriptor : descriptors) {
    if (descriptors.size() > 1)
      functions.push_back(descriptor.function);
    for (const e5::Stage &stage : descriptor.partition.stages)
      if (stage.isEngine())
        functions.push_back(e5::functionOfProcedure(stage.procedure).str());
  }
  for (const std::string &function : functions) {
    // That of a function in IR may be anything.
    if (llvm::sys::path::filename(function) != function)
      return reported(
          makeFileError(options.input, 0,
                        "the name of function '" + function +
                            "' cannot be part of that of its dispatch "
                            "descriptor; rename it"),
          options.input);
    if (llvm::Error error =
            plan.addOutput(e5::companionPath(options.output, function), "-o"))
      return reported(std::move(error), options.input);
  }
  return success();
}

llvm::raw_ostream &ane::messageStream(const CompileOptions &options) {
  return options.output == "-" ? llvm::errs() : llvm::outs();
}

LogicalResult ane::emitIR(ModuleOp module, const CompileOptions &options) {
  return reported(writeOutputFile(options.output,
                                  [&](llvm::raw_ostream &os) {
                                    return writeIR(module, options, os);
                                  }),
                  options.input);
}

LogicalResult ane::emitTaskDescriptors(const GeneratedProgram &program,
                                       const CompileOptions &options) {
  return reported(writeOutputFile(options.output,
                                  [&](llvm::raw_ostream &os) {
                                    for (auto [index, task] :
                                         llvm::enumerate(program.tasks))
                                      td::printTask(os, task, index);
                                    return llvm::Error::success();
                                  }),
                  options.input);
}

FailureOr<object::Object> ane::layout(GeneratedProgram &program,
                                      const CompileOptions &options) {
  object::Dialect dialect = containerDialect(options);
  program.container.style = object::styleOf(dialect);
  uint64_t coefficients = object::totalSize(program.container.constants);
  const TargetDescription *target = findTarget(options.phases.target);
  if (!program.container.style.kernelSegments &&
      coefficients > uint64_t(target->maxKernelSectionBytes))
    return emitError(*program.location)
           << "the coefficients take " << coefficients
           << " bytes, the limit of a constant section is "
           << target->maxKernelSectionBytes
           << ", and this container has one; --container=v9.509 has as many as "
              "it needs"
           << ConstraintId(target->rule("memory-c2"));
  program.container.notes = object::notesOf(dialect);
  program.container.banner = bannerLines(options);
  if (dialect == object::Dialect::V9509) {
    auto rename = [](e5::Descriptor &descriptor) {
      std::string name = descriptor.function + "_ane";
      for (e5::Segment &segment : descriptor.segments)
        segment.procedure = name;
      return name;
    };
    program.container.procedure = rename(program.descriptor);
    for (auto [procedure, descriptor] : llvm::zip_equal(
             program.container.otherProcedures, program.otherDescriptors))
      procedure.name = rename(descriptor);
  }
  llvm::Expected<object::Object> container =
      object::layoutObject(std::move(program.container));
  if (container)
    return std::move(*container);
  reportErrors(container.takeError(), options.input);
  return failure();
}

e5::Descriptor ane::describe(const object::Object &container,
                             e5::Descriptor descriptor,
                             const CompileOptions &options) {
  auto info = buildInfo(options);
  llvm::append_range(info, descriptor.buildInfo);
  descriptor.buildInfo = std::move(info);
  // Those of a program that was cut come from its procedures.
  if (!descriptor.isPartitioned())
    addAddresses(container, descriptor);
  return descriptor;
}

LogicalResult ane::writeFiles(const object::Object &container,
                              std::vector<e5::Descriptor> descriptors,
                              const CompileOptions &options) {
  for (e5::Descriptor &descriptor : descriptors)
    descriptor = describe(container, std::move(descriptor), options);
  if (options.emit != PhaseKind::Descriptor) {
    auto write = [&](llvm::raw_ostream &os) {
      return object::writeObject(container, os);
    };
    bool several = descriptors.size() > 1;
    return reported(
        several ? e5::writeWithCompanions(options.output, write,
                                          std::move(descriptors))
                : e5::writeWithCompanion(options.output, write,
                                         std::move(descriptors.front())),
        options.input);
  }
  if (descriptors.size() > 1)
    // What --enumerated-shapes makes has names that --function does not know.
    return reported(
        makeFileError(
            options.input, 0,
            "the program has " + llvm::Twine(descriptors.size()) +
                " functions, each with a descriptor of its own; choose one "
                "with " +
                (options.phases.enumeratedShapes
                     ? "--shape in the place of --enumerated-shapes"
                     : "--function") +
                ", or use --emit=hwx"),
        options.input);
  e5::Descriptor &descriptor = descriptors.front();
  BackgroundHashingStream hashing(llvm::nulls());
  if (llvm::Error error = object::writeObject(container, hashing))
    return reported(std::move(error), options.input);
  llvm::SmallString<128> path(options.output);
  llvm::sys::path::replace_extension(path, "hwx");
  descriptor.containerPath = llvm::sys::path::filename(path).str();
  descriptor.containerHash = hashing.hexDigest();
  return reported(e5::writeE5(descriptor, options.output), options.input);
}

std::vector<e5::Descriptor>
ane::descriptorsOf(const GeneratedProgram &program) {
  std::vector<e5::Descriptor> descriptors = {program.descriptor};
  llvm::append_range(descriptors, program.otherDescriptors);
  return descriptors;
}
