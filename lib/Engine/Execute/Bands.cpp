//===- Bands.cpp - Tasks in parts that caches hold ------------------------===//

#include "Execute/Bands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::engine;

namespace {

/// Elements that a band should have.
constexpr uint64_t bandElements = 1 << 14;

/// The axes from innermost to outermost.
struct Axis {
  uint32_t Extents::*extent;
  int64_t Strides::*stride;
};
constexpr Axis axes[] = {{&Extents::width, &Strides::column},
                         {&Extents::height, &Strides::row},
                         {&Extents::channels, &Strides::channel},
                         {&Extents::depth, &Strides::depth},
                         {&Extents::groups, &Strides::group}};
constexpr unsigned channelAxis = 2;

/// What a task reads or writes: pointers into it.
struct View {
  Extents *extents;
  Strides *strides;
  const uint8_t **source = nullptr;
  uint8_t **target = nullptr;

  const uint8_t *origin() const { return source ? *source : *target; }
  void advance(int64_t bytes) {
    if (source)
      *source += bytes;
    else
      *target += bytes;
  }
  bool isBroadcast(const Axis &axis) const {
    return extents->*axis.extent == 1;
  }
};

bool addSource(llvm::SmallVectorImpl<View> &views, Operand &operand) {
  if (!operand.source || operand.copy)
    return false;
  views.push_back({&operand.extents, &operand.source->strides,
                   &operand.source->origin, nullptr});
  return true;
}

void addResult(llvm::SmallVectorImpl<View> &views, Result &result) {
  for (Destination &destination : result.destinations)
    views.push_back(
        {&result.extents, &destination.strides, nullptr, &destination.origin});
}

/// Whether to look at a task more closely: a kernel is large to copy.
bool maySplit(const NeuralTask &task) { return !task.kernel; }
bool maySplit(const PlanarTask &) { return true; }

/// The operands and results of a task; nothing for one that cannot be split.
llvm::SmallVector<View, 6> viewsOf(NeuralTask &task) {
  llvm::SmallVector<View, 6> views;
  bool splits = task.accumulation == Accumulation::Pass && !task.kernel &&
                task.window == Window() &&
                task.source.extents == task.result.extents &&
                !task.result.chained();
  if (splits && addSource(views, task.source))
    addResult(views, task.result);
  return views;
}

llvm::SmallVector<View, 6> viewsOf(PlanarTask &task) {
  llvm::SmallVector<View, 6> views;
  bool splits = !task.result.chained() && addSource(views, task.first) &&
                (!task.second || addSource(views, *task.second)) &&
                (!task.pairFactor || addSource(views, *task.pairFactor));
  if (!splits)
    return {};
  addResult(views, task.result);
  return views;
}

/// The extents that a task runs over.
Extents &extentsOf(NeuralTask &task) { return task.source.extents; }
Extents &extentsOf(PlanarTask &task) { return task.extents; }

/// Whether results depend on all elements along an axis.
bool isReduced(const NeuralTask &, unsigned) { return false; }
bool isReduced(const PlanarTask &task, unsigned axis) {
  constexpr bool Reduction::*reduced[] = {&Reduction::width, &Reduction::height,
                                          nullptr, &Reduction::depth, nullptr};
  return task.reduction && reduced[axis] && *task.reduction.*reduced[axis];
}

ByteSpan spanOf(const View &view) {
  const Strides &strides = *view.strides;
  ByteSpan span = {view.origin(),
                   view.origin() + strides.elementBytes() * strides.interleave};
  for (const Axis &axis : axes) {
    int64_t steps = view.extents->*axis.extent - 1;
    if (&axis == &axes[channelAxis])
      steps /= strides.interleave;
    span.extend(strides.*axis.stride * steps);
  }
  return span;
}

/// Whether each element of one lies where the same one of the other does.
bool isSamePlace(const View &a, const View &b) {
  if (a.origin() != b.origin() || *a.extents != *b.extents ||
      a.strides->element != b.strides->element ||
      a.strides->interleave != b.strides->interleave)
    return false;
  return llvm::all_of(axes, [&](const Axis &axis) {
    return a.extents->*axis.extent == 1 ||
           a.strides->*axis.stride == b.strides->*axis.stride;
  });
}

/// Whether results lie apart from each other and from all operands, but for
/// those in whose place they are where that is allowed.
bool isApart(llvm::ArrayRef<View> views, bool allowsInPlace) {
  for (const View &result : views) {
    if (!result.target)
      continue;
    if (!isDisjoint(*result.strides, *result.extents))
      return false;
    ByteSpan span = spanOf(result);
    for (const View &other : views) {
      if (&other == &result ||
          (allowsInPlace && other.source && isSamePlace(other, result)))
        continue;
      if (span.meets(spanOf(other)))
        return false;
    }
  }
  return true;
}

/// The different extents of a task and its views.
template <typename Task>
llvm::SmallPtrSet<Extents *, 8> allExtents(Task &task,
                                           llvm::ArrayRef<View> views) {
  llvm::SmallPtrSet<Extents *, 8> all = {&extentsOf(task)};
  for (const View &view : views)
    all.insert(view.extents);
  return all;
}

/// Rows that are groups lie closer together than channels: takes them in the
/// order of memory. Nothing depends on which axis is which.
template <typename Task>
void orderRows(Task &task, llvm::ArrayRef<View> views) {
  const Strides &strides = *views.back().strides;
  if (std::abs(strides.group) >= std::abs(strides.channel) ||
      llvm::any_of(views, [](const View &view) {
        return view.strides->interleave != 1;
      }))
    return;
  for (const View &view : views)
    std::swap(view.strides->group, view.strides->channel);
  for (Extents *extents : allExtents(task, views))
    std::swap(extents->groups, extents->channels);
}

/// Makes rows longer where the next axis goes on where a row ends.
template <typename Task> void joinRows(Task &task, llvm::ArrayRef<View> views) {
  Extents &extents = extentsOf(task);
  if (isReduced(task, 0))
    return;
  for (const Axis &axis : llvm::drop_begin(axes)) {
    uint32_t extent = extents.*axis.extent;
    uint64_t width = extents.width;
    bool joins = llvm::all_of(views, [&](const View &view) {
      if (view.strides->interleave != 1)
        return false;
      if (view.extents->width == 1 && width != 1)
        return view.isBroadcast(axis);
      return view.extents->*axis.extent == extent &&
             view.strides->*axis.stride ==
                 view.strides->column * static_cast<int64_t>(width);
    });
    if (extent == 1)
      continue;
    if (!joins || width * extent > UINT32_MAX)
      return;
    for (Extents *each : allExtents(task, views)) {
      each->width *= each->*axis.extent;
      each->*axis.extent = 1;
    }
  }
}

/// The axis to split: the outermost that is long enough for bands of the size
/// wanted, or else the longest.
template <typename Task>
const Axis *splitAxis(Task &task, llvm::ArrayRef<View> views) {
  const Extents &extents = extentsOf(task);
  uint64_t bands = llvm::divideCeil(extents.elements(), bandElements);
  const Axis *best = nullptr;
  for (unsigned index = std::size(axes); index-- > 0;) {
    const Axis &axis = axes[index];
    if (isReduced(task, index))
      continue;
    if (index == channelAxis && llvm::any_of(views, [](const View &view) {
          return view.strides->interleave != 1;
        }))
      continue;
    if (extents.*axis.extent >= bands)
      return &axis;
    if (!best || extents.*axis.extent > extents.*best->extent)
      best = &axis;
  }
  return best;
}

template <typename Task>
bool splitTask(
    Execution &execution, const Task &task,
    llvm::function_ref<void(Execution &, const Task &)> executeBand) {
  if (!maySplit(task))
    return false;
  Task whole = task;
  llvm::SmallVector<View, 6> views = viewsOf(whole);
  if (views.empty() || !isApart(views, /*allowsInPlace=*/true))
    return false;
  orderRows(whole, views);
  joinRows(whole, views);
  const Axis *axis = splitAxis(whole, views);
  uint64_t extent = extentsOf(whole).*axis->extent;
  uint64_t elements = extentsOf(whole).elements();
  uint64_t step =
      std::clamp<uint64_t>(bandElements * extent / elements, 1, extent);
  uint64_t bands = (extent + step - 1) / step;
  execution.workers.forEach(bands, 1, [&](uint64_t begin, uint64_t end) {
    Execution serial{
        Workers(1), execution.numerics, {}, execution.instructions};
    for (uint64_t band = begin; band < end; ++band) {
      Task part = whole;
      uint32_t first = band * step;
      uint32_t count = std::min(step, extent - first);
      llvm::SmallPtrSet<Extents *, 8> changed = {&extentsOf(part)};
      for (View &view : viewsOf(part)) {
        if (view.isBroadcast(*axis))
          continue;
        view.advance(first * (view.strides->*axis->stride));
        changed.insert(view.extents);
      }
      for (Extents *extents : changed)
        extents->*axis->extent = count;
      executeBand(serial, part);
    }
  });
  execution.chain = Tensor();
  return true;
}

} // namespace

bool engine::executeInBands(
    Execution &execution, const NeuralTask &task,
    llvm::function_ref<void(Execution &, const NeuralTask &)> executeBand) {
  return splitTask(execution, task, executeBand);
}

bool engine::executeInBands(
    Execution &execution, const PlanarTask &task,
    llvm::function_ref<void(Execution &, const PlanarTask &)> executeBand) {
  return splitTask(execution, task, executeBand);
}

static bool liesApart(Operand &operand, Result &result, bool allowsInPlace) {
  llvm::SmallVector<View, 4> views;
  if (!addSource(views, operand))
    return false;
  addResult(views, result);
  return isApart(views, allowsInPlace);
}

bool engine::isApart(Operand operand, Result result) {
  return liesApart(operand, result, /*allowsInPlace=*/false);
}

bool engine::isApartOrInPlace(Operand operand, Result result) {
  return liesApart(operand, result, /*allowsInPlace=*/true);
}
