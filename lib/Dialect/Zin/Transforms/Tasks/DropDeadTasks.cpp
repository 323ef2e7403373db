//===- DropDeadTasks.cpp - Tasks whose results nobody needs ---------------===//

#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace ane::zin {
#define GEN_PASS_DEF_DROPDEADTASKS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane::zin;

namespace {

class DropDeadTasks : public ane::zin::impl::DropDeadTasksBase<DropDeadTasks> {
public:
  void runOnOperation() override {
    Block &body = getOperation().getBody().front();
    llvm::DenseSet<StringAttr> needed;
    for (auto buffer : body.getOps<BufferOp>())
      if (buffer.getKind() == BufferKind::output)
        needed.insert(buffer.getSymNameAttr());
    size_t dropped = 0;
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body))) {
      auto task = dyn_cast<TaskOp>(op);
      if (!task)
        continue;
      if (!needed.contains(task.getResult().getBuffer().getAttr())) {
        task.erase();
        ++dropped;
        continue;
      }
      for (const Access &access : task.getAccesses())
        needed.insert(access.buffer());
      if (FlatSymbolRefAttr kernel = task.getKernelAttr())
        needed.insert(kernel.getAttr());
    }
    numDropped += dropped;
    if (dropped == 0)
      return markAllAnalysesPreserved();
    for (Operation &op : llvm::make_early_inc_range(body)) {
      auto buffer = dyn_cast<BufferOp>(op);
      bool isPort = buffer && (buffer.getKind() == BufferKind::input ||
                               buffer.getKind() == BufferKind::output);
      auto symbol = dyn_cast<SymbolOpInterface>(op);
      if (symbol && !isPort && !needed.contains(symbol.getNameAttr()))
        op.erase();
    }
  }
};

} // namespace
