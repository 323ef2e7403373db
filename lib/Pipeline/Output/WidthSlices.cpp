//===- WidthSlices.cpp - Columns that begin within a row ------------------===//

#include "Output/WidthSlices.h"

using namespace mlir;
using namespace ane;

InputLayouts ane::layoutsOfInputs(zin::ProgramOp program) {
  InputLayouts layouts;
  for (auto buffer : program.getOps<zin::BufferOp>())
    if (buffer.getKind() == zin::BufferKind::input)
      layouts.insert({buffer.getSymNameAttr(), buffer.getLayout()});
  return layouts;
}

bool ane::slicesColumns(zin::TaskOp task, const InputLayouts &inputs) {
  return llvm::any_of(task.getAccesses(), [&](const zin::Access &access) {
    auto input = inputs.find(access.buffer());
    // What is found in L2 another task has fetched.
    if (input == inputs.end() || access.residence == zin::Residence::resident)
      return false;
    int64_t row = input->second.getRowStride();
    for (int64_t stride : access.view.getStrides())
      if (stride > 0)
        row = std::min(row, stride);
    return row > 0 && access.view.getOffset() % row != 0;
  });
}

void ane::warnOfWidthSlices(ModuleOp module) {
  for (auto program : module.getOps<zin::ProgramOp>()) {
    InputLayouts inputs = layoutsOfInputs(program);
    for (auto task : program.getOps<zin::TaskOp>())
      if (slicesColumns(task, inputs)) {
        task.emitWarning()
            << "function '" << program.getSymName()
            << "' takes columns of an input from within its rows, first here; "
               "the engine makes magnitudes from 4096 on infinite there: scale "
               "them, or make the part an input of its own";
        break;
      }
  }
}
