//===- WidthSlices.cpp - Columns that begin within a row ------------------===//

#include "Output/WidthSlices.h"

using namespace mlir;
using namespace ane;

bool ane::slicesColumns(zin::TaskOp task, const SymbolTable &symbols) {
  auto isWithin = [&](std::optional<zin::ViewAttr> view) {
    if (!view)
      return false;
    auto buffer = symbols.lookup<zin::BufferOp>(view->getBuffer().getAttr());
    int64_t row = buffer.getLayout().getRowStride();
    for (int64_t stride : view->getStrides())
      if (stride > 0)
        row = std::min(row, stride);
    return buffer.getKind() == zin::BufferKind::input && row > 0 &&
           view->getOffset() % row != 0;
  };
  return isWithin(task.getSource1()) || isWithin(task.getSource2());
}

void ane::warnOfWidthSlices(ModuleOp module) {
  for (auto program : module.getOps<zin::ProgramOp>()) {
    SymbolTable symbols(program);
    for (auto task : program.getOps<zin::TaskOp>())
      if (slicesColumns(task, symbols)) {
        task.emitWarning()
            << "function '" << program.getSymName()
            << "' takes columns of an input from within its rows, first here; "
               "the engine makes magnitudes from 4096 on infinite there: scale "
               "them, or make the part an input of its own";
        break;
      }
  }
}
