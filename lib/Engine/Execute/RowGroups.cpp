//===- RowGroups.cpp - Tasks that run row by row together -----------------===//

#include "Execute/RowGroups.h"
#include "Execute/Bands.h"
#include "Execute/NeuralStream.h"
#include "Execute/PlanarStream.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::engine;

namespace {

/// Results of fewer elements stay in a cache from task to task.
constexpr uint64_t leastElements = 1 << 16;
/// Elements of a result that are computed at a time.
constexpr uint64_t bandElements = 1 << 13;
/// Tasks are copied for each band, on the stack.
constexpr unsigned maxTasks = 8;

constexpr unsigned numAxes = 4;
constexpr uint32_t Extents::*rowExtents[numAxes] = {
    &Extents::height, &Extents::channels, &Extents::depth, &Extents::groups};
constexpr int64_t Strides::*rowStrides[numAxes] = {
    &Strides::row, &Strides::channel, &Strides::depth, &Strides::group};

/// The parts of a plan that say where an operand or the result lies.
struct Place {
  Extents *extents;
  Strides *strides;
  const uint8_t *origin;
};

Place placeOf(Operand &operand) {
  return {&operand.extents, &operand.source->strides, operand.source->origin};
}
Place placeOf(Result &result) {
  Destination &destination = result.destinations.front();
  return {&result.extents, &destination.strides, destination.origin};
}

llvm::SmallVector<Place, 3> placesOf(NeuralTask &task) {
  return {placeOf(task.source), placeOf(task.result)};
}
llvm::SmallVector<Place, 3> placesOf(PlanarTask &task) {
  llvm::SmallVector<Place, 3> places = {placeOf(task.first)};
  if (task.second)
    places.push_back(placeOf(*task.second));
  places.push_back(placeOf(task.result));
  return places;
}

bool canGroup(const NeuralTask &task) {
  return canStream(Instructions::AVX512, task) &&
         isApartOrInPlace(task.source, task.result);
}
bool canGroup(const PlanarTask &task) {
  return canStream(Instructions::AVX512, task) &&
         isApartOrInPlace(task.first, task.result) &&
         (!task.second || isApartOrInPlace(*task.second, task.result));
}

/// The extents that a task runs over.
Extents &extentsOf(NeuralTask &task) { return task.source.extents; }
Extents &extentsOf(PlanarTask &task) { return task.extents; }

/// A task by itself; nothing for one that cannot be in a group.
template <typename Task> std::optional<RowGroup> groupOf(const Task &given) {
  if (!canGroup(given))
    return std::nullopt;
  RowGroup group;
  RowTask row{given, {}};
  Task &task = std::get<Task>(row.plan);
  Extents &extents = extentsOf(task);
  if (extents.elements() < leastElements)
    return std::nullopt;
  group.width = extents.width;

  llvm::SmallVector<Place, 3> places = placesOf(task);
  const Strides &target = *places.back().strides;
  llvm::SmallVector<unsigned, numAxes> axes;
  for (unsigned axis = 0; axis < numAxes; ++axis)
    if (extents.*rowExtents[axis] > 1)
      axes.push_back(axis);
  llvm::sort(axes, [&](unsigned a, unsigned b) {
    return std::pair(std::abs(target.*rowStrides[a]), a) <
           std::pair(std::abs(target.*rowStrides[b]), b);
  });
  if (axes.empty())
    return std::nullopt;
  for (unsigned axis : axes)
    group.counts.push_back(extents.*rowExtents[axis]);

  for (const Place &place : places) {
    RowAccess access;
    access.origin = place.origin;
    access.bytes = place.extents->width * place.strides->elementBytes();
    access.isWritten = &place == &places.back();
    for (unsigned axis : axes)
      access.steps.push_back(place.extents->*rowExtents[axis] == 1
                                 ? 0
                                 : place.strides->*rowStrides[axis]);
    row.accesses.push_back(access);
  }
  // From here on the task is one of some rows along the first axis.
  for (auto [place, access] : llvm::zip_equal(places, row.accesses)) {
    *place.extents = {1, 1, 1, access.steps.front() ? 2u : 1u,
                      place.extents->width};
    place.strides->row = access.steps.front();
  }
  extents = {1, 1, 1, 1, static_cast<uint32_t>(group.width)};
  group.tasks.push_back(std::move(row));
  return group;
}

ByteSpan spanOf(const RowAccess &access, llvm::ArrayRef<uint32_t> counts) {
  ByteSpan span = {access.origin, access.origin + access.bytes};
  for (auto [step, count] : llvm::zip_equal(access.steps, counts))
    span.extend(step * (int64_t(count) - 1));
  return span;
}

/// Whether rows of different numbers share no byte.
bool areIndependent(const RowAccess &a, const RowAccess &b,
                    llvm::ArrayRef<uint32_t> counts) {
  if (!spanOf(a, counts).meets(spanOf(b, counts)))
    return true;
  if (a.origin != b.origin || a.steps != b.steps)
    return false;
  int64_t reach = std::max(a.bytes, b.bytes);
  for (auto [step, count] : llvm::zip_equal(a.steps, counts)) {
    if (std::abs(step) < reach)
      return false;
    reach = std::abs(step) * count;
  }
  return true;
}

bool mayJoin(const RowGroup &group, const RowGroup &next) {
  if (group.tasks.size() == maxTasks || group.counts != next.counts ||
      group.width != next.width)
    return false;
  for (const RowTask &task : group.tasks)
    for (const RowAccess &before : task.accesses)
      for (const RowAccess &after : next.tasks.front().accesses)
        if ((before.isWritten || after.isWritten) &&
            !areIndependent(before, after, group.counts))
          return false;
  return true;
}

void setRows(NeuralTask &task, llvm::ArrayRef<const uint8_t *> origins,
             uint32_t rows) {
  task.source.source->origin = origins.front();
  task.result.destinations.front().origin =
      const_cast<uint8_t *>(origins.back());
  task.source.extents.height = task.result.extents.height = rows;
}

void setRows(PlanarTask &task, llvm::ArrayRef<const uint8_t *> origins,
             uint32_t rows) {
  auto set = [&](Operand &operand, const uint8_t *origin) {
    operand.source->origin = origin;
    operand.extents.height = operand.source->strides.row ? rows : 1;
  };
  set(task.first, origins.front());
  if (task.second)
    set(*task.second, origins[1]);
  task.result.destinations.front().origin =
      const_cast<uint8_t *>(origins.back());
  task.result.extents.height = task.extents.height = rows;
}

/// All tasks on rows [first, first + rows) along the first axis, `outer` along
/// the others.
void executeBand(Instructions instructions, const RowGroup &group,
                 llvm::MutableArrayRef<TaskPlan> plans, uint64_t outer,
                 uint32_t first, uint32_t rows) {
  for (auto [plan, task] : llvm::zip_equal(plans, group.tasks)) {
    llvm::SmallVector<const uint8_t *, 3> origins;
    for (const RowAccess &access : task.accesses) {
      int64_t offset = first * access.steps.front();
      uint64_t index = outer;
      for (auto [step, count] :
           llvm::drop_begin(llvm::zip_equal(access.steps, group.counts))) {
        offset += step * int64_t(index % count);
        index /= count;
      }
      origins.push_back(access.origin + offset);
    }
    std::visit(
        [&](auto &part) {
          setRows(part, origins, rows);
          stream(instructions, part);
        },
        plan);
  }
}

} // namespace

std::vector<RowGroup> engine::findRowGroups(llvm::ArrayRef<TaskPlan> plans) {
  std::vector<RowGroup> groups;
  bool isOpen = false;
  for (auto [index, plan] : llvm::enumerate(plans)) {
    std::optional<RowGroup> next =
        std::visit([](const auto &task) { return groupOf(task); }, plan);
    if (!next) {
      isOpen = false;
      continue;
    }
    next->begin = index;
    next->end = index + 1;
    if (isOpen && mayJoin(groups.back(), *next)) {
      groups.back().tasks.push_back(std::move(next->tasks.front()));
      groups.back().end = next->end;
      continue;
    }
    groups.push_back(std::move(*next));
    isOpen = true;
  }
  llvm::erase_if(groups,
                 [](const RowGroup &group) { return group.tasks.size() < 2; });
  return groups;
}

bool engine::execute(Execution &execution, const RowGroup &group) {
  if (execution.instructions == Instructions::Portable)
    return false;
  uint64_t inner = group.counts.front(), outer = 1;
  for (uint32_t count : llvm::drop_begin(group.counts))
    outer *= count;
  uint64_t rows = std::clamp<uint64_t>(bandElements / group.width, 1, inner);
  uint64_t bands = llvm::divideCeil(inner, rows);
  execution.workers.forEach(
      bands * outer, 1, [&](uint64_t begin, uint64_t end) {
        llvm::SmallVector<TaskPlan, maxTasks> plans;
        for (const RowTask &task : group.tasks)
          plans.push_back(task.plan);
        for (uint64_t band = begin; band < end; ++band) {
          uint64_t first = band % bands * rows;
          executeBand(execution.instructions, group, plans, band / bands, first,
                      std::min(rows, inner - first));
        }
      });
  execution.chain = Tensor();
  return true;
}
