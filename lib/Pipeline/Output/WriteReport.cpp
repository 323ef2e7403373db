//===- WriteReport.cpp - Costs of a program by its statements -------------===//

#include "Output/WriteReport.h"
#include "Output/WidthSlices.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Object/Format.h"
#include "ane/Support/FileError.h"
#include "ane/Support/OutputFile.h"
#include "ane/TaskDescriptor/Convert.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ane;

void ReportWriter::lookAtLayers(ModuleOp module,
                                llvm::ArrayRef<InputRange> inputs) {
  module.walk([&](zin::ProcedureOp procedure) {
    llvm::append_range(hazards, findRangeHazards(procedure, inputs));
  });
}

/// The elements of each input and constant operand of a program that tasks
/// fetch, each element once at most.
static llvm::MapVector<Operation *, int64_t>
fetchedElements(zin::ProgramOp program, const SymbolTable &symbols) {
  llvm::MapVector<Operation *, int64_t> fetched;
  for (auto task : program.getOps<zin::TaskOp>())
    for (const zin::Access &access : task.getAccesses()) {
      auto buffer = symbols.lookup<zin::BufferOp>(access.buffer());
      if ((buffer.getKind() != zin::BufferKind::input &&
           buffer.getKind() != zin::BufferKind::constant) ||
          access.residence == zin::Residence::resident)
        continue;
      int64_t &elements = fetched[buffer];
      elements = std::min(
          elements + ShapedType::getNumElements(access.view.getShape()),
          ShapedType::getNumElements(buffer.getLayout().getShape()));
    }
  return fetched;
}

report::Report ReportWriter::make(ModuleOp module,
                                  const GeneratedProgram &generated,
                                  const CompileOptions &options) const {
  report::Program program;
  program.title = llvm::sys::path::filename(options.input).str();
  program.images = td::effectiveImages(generated.tasks);
  program.constantBytes = object::totalSize(generated.container.constants);
  for (const RangeHazard &hazard : hazards)
    program.hazards.push_back(
        {hazard.kind, hazard.detail, statements.originOf(hazard.location)});
  SmallVector<Location> locations;
  for (auto zinProgram : module.getOps<zin::ProgramOp>()) {
    SymbolTable symbols(zinProgram);
    InputLayouts inputs = layoutsOfInputs(zinProgram);
    for (auto [op, elements] : fetchedElements(zinProgram, symbols)) {
      auto buffer = cast<zin::BufferOp>(op);
      uint64_t bytes = elements * zin::elementBytes;
      if (buffer.getKind() == zin::BufferKind::input)
        program.inputBytes += bytes;
      else
        program.constantBytes -= buffer.getBytes() - bytes;
    }
    report::Procedure &procedure = program.procedures.emplace_back();
    procedure.name = zinProgram.getSymName().str();
    for (auto task : zinProgram.getOps<zin::TaskOp>()) {
      ++procedure.numTasks;
      locations.push_back(task.getLoc());
      report::Origin origin = statements.originOf(task.getLoc());
      if (slicesColumns(task, inputs) &&
          (program.origins.empty() || !(program.origins.back() == origin)))
        program.hazards.push_back(
            {"width-slice",
             "columns of an input that begin within a row are fetched as 16 "
             "times the value; from 4096 on they are infinite",
             origin});
      program.origins.push_back(std::move(origin));
    }
  }
  program.opsWithoutTask = statements.withoutTask(locations);
  for (const object::PortSpec &port : generated.container.ports) {
    const object::TensorLayout &layout = port.layout;
    if (port.direction == object::PortDirection::Output)
      program.outputBytes += uint64_t(layout.n) * layout.d * layout.c *
                             layout.h * layout.w * zin::elementBytes;
  }
  program.scratchBytes = generated.container.scratchBytes;
  program.scratchBar = object::BarScratch;
  return report::makeReport(std::move(program),
                            *findTarget(options.phases.target));
}

LogicalResult ane::writeReport(const report::Report &report,
                               const CompileOptions &options,
                               llvm::function_ref<LogicalResult()> emit) {
  StringRef path = options.report;
  auto print = path.ends_with(".json")   ? report::printJson
               : path.ends_with(".html") ? report::printHtml
                                         : report::printText;
  bool isReported = false;
  llvm::Error error = writeOutputFile(
      path,
      [&](llvm::raw_ostream &os) {
        print(os, report);
        return llvm::Error::success();
      },
      [&]() -> llvm::Error {
        if (succeeded(emit()))
          return llvm::Error::success();
        isReported = true;
        return llvm::createStringError("nothing was emitted");
      });
  if (!error)
    return success();
  if (isReported)
    llvm::consumeError(std::move(error));
  else
    reportErrors(std::move(error), options.input);
  return failure();
}
