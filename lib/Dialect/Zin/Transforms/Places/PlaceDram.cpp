//===- PlaceDram.cpp - Places of scratch buffers --------------------------===//

#include "ane/Dialect/Zin/Transforms/Images.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Target/H13.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace ane::zin {
#define GEN_PASS_DEF_PLACEDRAM
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane::zin;

namespace {

/// Buffers start where rows may.
constexpr uint64_t bufferAlignment = ane::h13.rowAlignment;

struct LiveRange {
  BufferOp buffer;
  size_t first;
  size_t last;
};

/// A placed buffer that a later one must not overlap.
struct Placed {
  uint64_t begin;
  uint64_t end;
  size_t last;
};

class PlaceDram : public ane::zin::impl::PlaceDramBase<PlaceDram> {
public:
  void runOnOperation() override {
    ProgramOp program = getOperation();
    SmallVector<LiveRange> ranges =
        findLiveRanges(program, getAnalysis<SymbolTable>());
    markAnalysesPreserved<SymbolTable>();
    Builder builder(&getContext());

    SmallVector<Placed> alive; // by address
    uint64_t total = 0;
    for (LiveRange &range : ranges) {
      llvm::erase_if(
          alive, [&](const Placed &other) { return other.last < range.first; });
      uint64_t size = llvm::alignTo(range.buffer.getBytes(), bufferAlignment);
      uint64_t begin = 0;
      auto *position = alive.begin();
      for (; position != alive.end() && position->begin < begin + size;
           ++position)
        begin = position->end;
      alive.insert(position, {begin, begin + size, range.last});
      range.buffer.setOffsetAttr(builder.getI64IntegerAttr(begin));
      total = std::max(total, begin + size);
    }
    program.setScratchBytesAttr(builder.getI64IntegerAttr(total));
    scratchBytes += total;
  }

private:
  /// The scratch buffers in the order of their first use.
  static SmallVector<LiveRange> findLiveRanges(ProgramOp program,
                                               const SymbolTable &symbols) {
    llvm::MapVector<StringAttr, LiveRange> ranges;
    SmallVector<TaskOp> tasks(program.getOps<TaskOp>());
    SmallVector<bool> images = findImages(tasks);
    for (auto [index, task] : llvm::enumerate(tasks)) {
      auto touch = [&](ViewAttr view) {
        auto buffer = symbols.lookup<BufferOp>(view.getBuffer().getAttr());
        if (!buffer || buffer.getKind() != BufferKind::scratch)
          return;
        ranges
            .try_emplace(view.getBuffer().getAttr(),
                         LiveRange{buffer, index, index})
            .first->second.last = index;
      };
      bool restores = index > 0 && images[index - 1];
      for (const Access &access : task.getAccesses())
        if (access.residence != Residence::resident ||
            (access.role == Access::Source1 && restores) ||
            (access.role == Access::Result && images[index]))
          touch(access.view);
    }
    SmallVector<LiveRange> list;
    for (auto &entry : ranges)
      list.push_back(entry.second);
    return list;
  }
};

} // namespace
