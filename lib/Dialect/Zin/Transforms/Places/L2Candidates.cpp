//===- L2Candidates.cpp - What could stay in the scratchpad ---------------===//

#include "Places/L2Candidates.h"
#include "Places/ExchangeRows.h"
#include "Tasks/TaskTraffic.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "llvm/ADT/MapVector.h"
#include <utility>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

using Use = L2Candidate::Use;

/// Reads that are so many tasks apart, or fewer, are close to each other.
/// Assigned.
constexpr size_t nearTasks = 24;

/// By what part of it a layout may take more than the one of its own that a
/// candidate gives up for a partner. Assigned.
constexpr int64_t growthDenominator = 8;

/// Whether a view has every row of the buffer, once.
bool hasAllRows(ViewAttr buffer, ViewAttr view) {
  if (view.getColumns() != buffer.getColumns() ||
      view.getOffset() != buffer.getOffset())
    return false;
  SmallVector<std::pair<int64_t, int64_t>, numL2Strides> dims;
  int64_t rows = llvm::product_of(buffer.getShape().drop_back());
  for (auto [stride, extent] :
       llvm::zip(view.getStrides(), view.getShape().drop_back()))
    if (extent > 1)
      dims.push_back({stride, extent});
  llvm::sort(dims);
  int64_t next = buffer.getRowStride();
  for (auto [stride, extent] : dims) {
    if (stride != next)
      return false;
    next *= extent;
  }
  return next == rows * buffer.getRowStride();
}

class CandidateFinder {
public:
  CandidateFinder(MutableArrayRef<TaskOp> tasks, ArrayRef<int64_t> passes,
                  SymbolTable &symbols, const TargetDescription &target,
                  size_t maxTasks)
      : tasks(tasks), passes(passes), symbols(symbols), target(target),
        maxTasks(maxTasks) {}

  L2Candidates find() {
    findCandidates();
    findPartners();
    size_t numBuffers = candidates.size();
    llvm::move(reads, std::back_inserter(candidates));
    return {std::move(candidates), numBuffers};
  }

private:
  int64_t readBytes(const Use &use) {
    int64_t times = use.role == Access::Source1 ? passes[use.task] : 1;
    return bytesOf(use.view) * times;
  }

  void findCandidates() {
    llvm::MapVector<StringAttr, SmallVector<Use>> uses;
    uses.reserve(tasks.size());
    for (auto [index, task] : llvm::enumerate(tasks))
      for (const Access &access : task.getAccesses())
        uses[access.buffer()].push_back(
            {access.view, unsigned(index), access.role});
    for (auto &[name, list] : uses) {
      auto buffer = symbols.lookup<BufferOp>(name);
      // In L2 each channel has columns of its own.
      if (buffer.getLayout().getInterleave() != 1)
        continue;
      if (buffer.getKind() == BufferKind::scratch)
        add(candidates, chooseWritten(buffer, list));
      else if (buffer.getKind() != BufferKind::output)
        add(candidates, chooseFetched(buffer, list));
      if (buffer.getKind() != BufferKind::output)
        chooseReads(buffer, list);
    }
  }

  /// Uses of `own` all have all of it, those of a buffer what they say.
  void add(std::deque<L2Candidate> &list, L2Candidate candidate,
           ViewAttr own = {}) {
    if (candidate.saving <= 0)
      return;
    candidate.first = candidate.uses.front().task;
    candidate.last = candidate.uses.back().task;
    if (candidate.last - candidate.first >= maxTasks)
      return;
    L2Accesses all;
    bool isLarge = bytesOf(candidate.buffer.getLayout()) > mostBytesSeen;
    for (const Use &use : candidate.uses) {
      ViewAttr view = own ? own : use.view;
      all.views.push_back(view);
      if (isLarge && view.getChannels() > view.getRows() &&
          canExchangeRows(tasks[use.task], symbols))
        all.exchangeable.push_back(view);
      NEConfigAttr config = tasks[use.task].getNE();
      bool isResult = use.role == Access::Result;
      all.isWeighed |= config && !isResult && !config.getKernelless();
      all.isMultiplied |=
          use.role == Access::Source1 && tasks[use.task].getKernelView();
      all.isProduct |= isResult && bool(tasks[use.task].getKernelView());
      PEConfigAttr planar = tasks[use.task].getPE();
      all.isPlanar |= bool(planar);
      all.isVector |= planar && isResult && planar.getVectorResult();
      all.isExchanged |= config && isResult && config.getTransposed();
    }
    ViewAttr whole = own ? own : candidate.buffer.getLayout();
    candidate.layout = chooseL2Layout(whole, all);
    candidate.tight = candidate.layout.bytes > mostBytesSeen
                          ? tightL2Layout(whole, all)
                          : candidate.layout;
    if (candidate.tight.bytes > target.l2Bytes)
      return;
    list.push_back(std::move(candidate));
  }

  /// A buffer with the elements of a view.
  ViewAttr packedLike(ViewAttr view) const {
    int64_t pitch = target.rowPitch(view.getColumns());
    return ViewAttr::get(view.getContext(), view.getBuffer(), 0,
                         view.getShape(), packedStrides(view.getShape(), pitch),
                         /*interleave=*/1);
  }

  /// Of a candidate that a task is the last to have, and one that it is the
  /// first to have, where the task may write the second over the first.
  void findPartners() {
    llvm::DenseMap<size_t, size_t> written;
    for (auto [index, candidate] : llvm::enumerate(candidates))
      if (candidate.uses.front().role == Access::Result)
        written[candidate.uses.front().task] = index;
    for (auto [index, candidate] : llvm::enumerate(candidates)) {
      auto found = written.find(candidate.uses.back().task);
      if (found == written.end() || found->second == index ||
          !mayOverwrite(candidate, candidates[found->second]))
        continue;
      candidate.partners.push_back(found->second);
      candidates[found->second].partners.push_back(index);
    }
    SmallVector<bool> isDone(candidates.size());
    for (size_t index : llvm::seq<size_t>(0, candidates.size()))
      if (!isDone[index] && !candidates[index].partners.empty())
        agreeOnLayout(index, isDone);
  }

  /// Partners, and theirs, have the layout that takes most, which keeps rows
  /// apart for all of them. One that would take much more has no partners.
  void agreeOnLayout(size_t start, SmallVectorImpl<bool> &isDone) {
    SmallVector<size_t> group = {start};
    isDone[start] = true;
    for (size_t i = 0; i < group.size(); ++i)
      for (size_t partner : candidates[group[i]].partners)
        if (!std::exchange(isDone[partner], true))
          group.push_back(partner);
    auto takesLess = [&](size_t a, size_t b) {
      return candidates[a].layout.bytes < candidates[b].layout.bytes;
    };
    L2Layout layout = candidates[*llvm::max_element(group, takesLess)].layout;
    for (size_t index : group) {
      L2Candidate &candidate = candidates[index];
      if (candidate.layout.bytes * growthDenominator >=
              layout.bytes * (growthDenominator - 1) &&
          isLayoutOf(candidate, layout))
        candidate.layout = layout;
    }
    for (size_t index : group)
      llvm::erase_if(candidates[index].partners, [&](size_t partner) {
        return candidates[partner].layout.strides !=
               candidates[index].layout.strides;
      });
  }

  /// Whether all uses of a candidate can be told in a layout.
  static bool isLayoutOf(const L2Candidate &candidate, const L2Layout &layout) {
    return llvm::all_of(candidate.uses, [&](const Use &use) {
      return viewInL2(BufferOp(candidate.buffer).getLayout(), use.view, 0,
                      layout.strides);
    });
  }

  bool mayOverwrite(const L2Candidate &old, const L2Candidate &young) {
    size_t last = old.uses.back().task;
    TaskOp task = tasks[last];
    if (!hasLayoutOf(young, young.uses.front().view))
      return false;
    for (const Use &use : old.uses)
      if (use.task == last && (use.fetches || !hasLayoutOf(old, use.view) ||
                               !canOverwrite(task, use.view)))
        return false;
    return true;
  }

  /// Whether a view is all of its buffer.
  static bool hasLayoutOf(const L2Candidate &candidate, ViewAttr view) {
    ViewAttr layout = BufferOp(candidate.buffer).getLayout();
    return view.getOffset() == layout.getOffset() &&
           view.getShape() == layout.getShape() &&
           view.getStrides() == layout.getStrides();
  }

  /// An intermediate value is written to L2 and read there. Coefficients come
  /// from memory, so what is read as such is written there, too.
  L2Candidate chooseWritten(BufferOp buffer, ArrayRef<Use> list) {
    L2Candidate candidate;
    candidate.buffer = buffer;
    if (list.front().role != Access::Result)
      return candidate;
    for (const Use &use : list) {
      if (use.role == Access::Kernel) {
        candidate.staysInMemory = true;
        continue;
      }
      candidate.uses.push_back(use);
    }
    for (const Use &use : candidate.uses)
      if (use.role != Access::Result)
        candidate.saving += readBytes(use);
      else if (!candidate.staysInMemory)
        candidate.saving += bytesOf(use.view);
    return candidate;
  }

  /// What comes from memory is fetched once, as a whole, and kept for the tasks
  /// after. Only a first source can be kept; readers before stream it.
  L2Candidate chooseFetched(BufferOp buffer, ArrayRef<Use> list) {
    const Use *keeper = llvm::find_if(list, [&](const Use &use) {
      return use.role == Access::Source1 &&
             hasAllRows(buffer.getLayout(), use.view);
    });
    return keptFrom(buffer, list.drop_front(keeper - list.begin()));
  }

  /// The first use fetches what all others read, if there is one.
  L2Candidate keptFrom(BufferOp buffer, ArrayRef<Use> list) {
    L2Candidate candidate;
    candidate.buffer = buffer;
    candidate.staysInMemory = candidate.isFetched = true;
    if (list.empty())
      return candidate;
    const Use &keeper = list.front();
    candidate.uses.push_back(keeper);
    candidate.uses.back().fetches = true;
    candidate.saving = readBytes(keeper) - bytesOf(keeper.view);
    for (const Use &use : list.drop_front())
      if (use.task > keeper.task && use.role != Access::Kernel) {
        candidate.uses.push_back(use);
        candidate.saving += readBytes(use);
      }
    return candidate;
  }

  /// A view of the same elements in the same order, whatever the strides of
  /// single ones are.
  static ViewAttr elementsOf(ViewAttr view) {
    SmallVector<int64_t> strides(view.getStrides());
    for (auto [stride, extent] : llvm::zip(strides, view.getShape()))
      if (extent == 1)
        stride = 0;
    return ViewAttr::get(view.getContext(), view.getBuffer(), view.getOffset(),
                         view.getShape(), strides, view.getInterleave());
  }

  /// Reads of the same as a first source that follow each other closely, with
  /// no write between them.
  void chooseReads(BufferOp buffer, ArrayRef<Use> list) {
    int64_t times = 0;
    for (const Use &use : list)
      if (use.role == Access::Source1)
        times += passes[use.task];
    if (times < 2)
      return;
    llvm::MapVector<ViewAttr, SmallVector<Use>> open;
    auto close = [&](SmallVectorImpl<Use> &uses) {
      add(reads, keptFrom(buffer, uses), packedLike(uses.front().view));
      uses.clear();
    };
    auto closeAll = [&] {
      for (auto &[view, uses] : open)
        if (!uses.empty())
          close(uses);
      open.clear();
    };
    for (const Use &use : list) {
      if (use.role == Access::Result)
        closeAll();
      if (use.role != Access::Source1)
        continue;
      SmallVector<Use> &uses = open[elementsOf(use.view)];
      if (!uses.empty() && use.task - uses.back().task > nearTasks)
        close(uses);
      uses.push_back(use);
    }
    closeAll();
  }

  MutableArrayRef<TaskOp> tasks;
  ArrayRef<int64_t> passes;
  SymbolTable &symbols;
  const TargetDescription &target;
  size_t maxTasks;
  std::deque<L2Candidate> candidates, reads;
};

} // namespace

L2Candidates zin::findL2Candidates(MutableArrayRef<TaskOp> tasks,
                                   ArrayRef<int64_t> passes,
                                   SymbolTable &symbols,
                                   const TargetDescription &target,
                                   size_t maxTasks) {
  return CandidateFinder(tasks, passes, symbols, target, maxTasks).find();
}
