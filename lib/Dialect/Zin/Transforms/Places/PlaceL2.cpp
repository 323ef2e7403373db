//===- PlaceL2.cpp - What stays in the scratchpad -------------------------===//

#include "Places/ExchangeRows.h"
#include "Places/L2Places.h"
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
  void run(int64_t tileBytes) {
    SmallVector<int64_t> passes;
    for (TaskOp task : tasks)
      passes.push_back(passesOf(task, symbols));
    L2Candidates found = findL2Candidates(tasks, passes, symbols, target);
    candidates = std::move(found.buffers);
    L2Places places(tasks, passes, candidates, target, tileBytes);
    placeFrom(0, places);
    llvm::DenseSet<Operation *> isThere;
    for (size_t index : places.placed())
      isThere.insert(candidates[index].buffer);
    size_t numBuffers = candidates.size();
    for (L2Candidate &candidate : found.reads)
      if (!isThere.contains(candidate.buffer))
        candidates.push_back(std::move(candidate));
    placeFrom(numBuffers, places);
    places.streamWholeTiles();
    write(places, numBuffers);
    exchangeRowsInL2(tasks, symbols, target);
    numPlaced = places.placed().size();
    for (size_t index : places.placed())
      savedBytes += candidates[index].saving;
  }

private:
  /// Places candidates from one on. What saves most for the bytes and tasks
  /// that it takes comes first.
  void placeFrom(size_t first, L2Places &places) const {
    // What is compared lies together: a long program has many candidates.
    struct Rank {
      double saving, area;
      int64_t bytes;
      size_t index;
    };
    SmallVector<Rank> order;
    order.reserve(candidates.size() - first);
    for (size_t index : llvm::seq(first, candidates.size())) {
      const L2Candidate &candidate = candidates[index];
      order.push_back({double(candidate.saving), candidate.area(),
                       candidate.layout.bytes, index});
    }
    llvm::sort(order, [](const Rank &x, const Rank &y) {
      return std::tuple(y.saving * x.area, x.bytes, x.index) <
             std::tuple(x.saving * y.area, y.bytes, y.index);
    });
    for (const Rank &rank : order)
      places.place(rank.index);
  }

  /// The first candidates have a place as buffers, those behind them at their
  /// tasks.
  void write(const L2Places &found, size_t numBuffers) {
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
  std::deque<L2Candidate> candidates;
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
    placer.run(tileBytes);
    numPlaced += placer.numPlaced;
    savedBytes += placer.savedBytes;
  }
};

} // namespace
