//===- PlaceL2.cpp - What stays in the scratchpad -------------------------===//

#include "Places/ExchangeRows.h"
#include "Places/L2Attempt.h"
#include "Tasks/TaskTraffic.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Target/Target.h"
#include "llvm/ADT/DenseSet.h"

namespace ane::zin {
#define GEN_PASS_DEF_PLACEL2
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

class Placer {
public:
  Placer(ProgramOp program, SymbolTable &symbols,
         const TargetDescription &target)
      : program(program), symbols(symbols), target(target),
        tasks(program.getOps<TaskOp>()) {}

  unsigned numPlaced = 0;
  int64_t savedBytes = 0;

  /// Decides and writes the decision into the program.
  void run(int64_t tileBytes, size_t maxTasks) {
    SmallVector<int64_t> passes;
    for (TaskOp task : tasks)
      passes.push_back(passesOf(task, symbols));
    L2Candidates found =
        findL2Candidates(tasks, passes, symbols, target, maxTasks);
    size_t numBuffers = found.numBuffers;
    L2Attempt best =
        findPlaces({tasks, passes, std::move(found), target, tileBytes});
    std::deque<L2Candidate> &candidates = best.all();
    L2Places &places = best.places();
    places.streamWholeTiles();
    write(candidates, places, numBuffers);
    exchangeRowsInL2(tasks, symbols, target);
    numPlaced = places.placed().size();
    for (size_t index : places.placed())
      savedBytes += candidates[index].saving;
  }

private:
  /// Again with what had room in pieces alone first, if something did, and then
  /// with the others in other orders.
  L2Attempt findPlaces(L2Attempt best) {
    llvm::DenseSet<size_t> urgent;
    best.place(L2Order::Area, urgent);
    // Most programs need no other attempt.
    for (L2Order by : {L2Order::Area, L2Order::Bytes, L2Order::Saving}) {
      if (best.isComplete())
        return best;
      if (by == L2Order::Area && best.squeezedOut().empty())
        continue;
      urgent.insert_range(best.squeezedOut());
      L2Attempt other = best.again();
      other.place(by, urgent);
      best.takeBetter(other);
    }
    return best;
  }

  /// The first candidates have a place as buffers, those behind them at their
  /// tasks.
  void write(std::deque<L2Candidate> &candidates, const L2Places &found,
             size_t numBuffers) {
    MLIRContext *context = program.getContext();
    llvm::DenseMap<size_t, L2PlaceAttr> places;
    for (size_t index : found.placed()) {
      L2Candidate &candidate = candidates[index];
      auto place =
          L2PlaceAttr::get(context, candidate.base, candidate.layout.strides);
      if (index < numBuffers)
        candidate.buffer.setL2Attr(place);
      else
        for (const L2Candidate::Use &use : candidate.uses)
          places[use.task] = place;
    }
    for (auto [index, task] : llvm::enumerate(tasks)) {
      L2Use use = found.useOf(index);
      bool streams = use.source1 == Residence::streamed &&
                     use.source2 == Residence::streamed &&
                     use.result == Residence::streamed;
      if (streams && use.bytes == target.l2Bytes)
        continue;
      task.setL2Attr(L2Attr::get(context, use.source1, use.source2, use.result,
                                 use.begin, use.bytes, places.lookup(index)));
    }
  }

  ProgramOp program;
  SymbolTable &symbols;
  const TargetDescription &target;
  SmallVector<TaskOp> tasks;
};

class PlaceL2 : public ane::zin::impl::PlaceL2Base<PlaceL2> {
public:
  using PlaceL2Base::PlaceL2Base;

  void runOnOperation() override {
    const TargetDescription *description =
        findTargetFor(getOperation(), target);
    if (!description)
      return signalPassFailure();
    Placer placer(getOperation(), getAnalysis<SymbolTable>(), *description);
    markAnalysesPreserved<SymbolTable>();
    placer.run(tileBytes, maxTasks);
    numPlaced += placer.numPlaced;
    savedBytes += placer.savedBytes;
  }
};

} // namespace
