//===- Partition.cpp - Functions as segments of two processors ------------===//

#include "ane/Dialect/MIL/Transforms/Partition.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"

namespace ane::mil {
#define GEN_PASS_DEF_PARTITION
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

class Partition : public mil::impl::PartitionBase<Partition> {
public:
  using PartitionBase::PartitionBase;

  void runOnOperation() override {
    for (auto func : llvm::to_vector(getOperation().getOps<FuncOp>()))
      if (failed(cut(func)))
        return signalPassFailure();
  }

private:
  LogicalResult cut(FuncOp func) {
    FallenOps fallen;
    auto ops = func.getBody().front().without_terminator();
    for (Operation &op : ops)
      if (llvm::is_contained(cpu, op.getName().stripDialect()))
        fallen.insert({&op, "by name"});
    if (fallen.empty() && maxPorts == 0)
      return success();
    for (Operation &op : ops)
      if (!canBeInSegment(&op))
        return op.emitError() << "an op with blocks or a state cannot be in a "
                                 "segment; run mil-states-to-values first";
    FunctionSegments segments = cutFunction(func, fallen, maxPorts);
    if (segments.segments.size() == 1 && segments.hasEngineSegment())
      return success();
    for (auto [index, segment] : llvm::enumerate(segments.segments)) {
      bool isCpu = segment.processor == Processor::Cpu;
      makeSegmentFunction(segments, segment,
                          (func.getName() + "_" + Twine(index)).str(),
                          getOperation());
      ++(isCpu ? numCpuSegments : numEngineSegments);
      numCpuOps += isCpu ? segment.ops.size() : 0;
      numCrossing += segment.outputs.size();
    }
    func.erase();
    return success();
  }
};

} // namespace
