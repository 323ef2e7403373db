//===- PlaceTasks.cpp - What each task refers to, with places -------------===//

#include "PlaceTasks.h"

using namespace mlir;
using namespace ane;
using namespace ane::codegen;
using namespace ane::zin;

TaskPlacer::TaskPlacer(const ProgramParts &parts, const PlacedBuffers &buffers,
                       ArrayRef<TaskNeighbours> neighbours,
                       const ConstantPlacer &constants)
    : buffers(buffers), neighbours(neighbours), constants(constants),
      order(parts.buffers), l2Writers(buffers.size()) {
  for (TaskOp task : parts.tasks)
    if (std::optional<ViewAttr> kernel = task.getKernelView())
      kernelWriters.try_emplace(kernel->getBuffer().getAttr());
}

/// Whether a task has a source of the same buffer, and that in L2.
static bool finds(TaskOp task, ViewAttr view) {
  return llvm::any_of(task.getAccesses(), [&](const Access &access) {
    return access.role != Access::Result &&
           access.residence == Residence::resident &&
           access.view.getBuffer() == view.getBuffer();
  });
}

std::optional<L2Writer> TaskPlacer::writerOf(int64_t index,
                                             ViewAttr view) const {
  std::optional<L2Writer> writer = l2Writers[buffers.numberOf(view)];
  if (writer)
    writer->isBefore = writer->task + 1 == index;
  return writer;
}

bool TaskPlacer::hasToBeNamed(TaskOp task, ViewAttr view,
                              const L2Writer &writer, bool follows) const {
  if (writer.task <= lastDone[writer.isPlanar])
    return false;
  TaskOp last = before.back().task;
  bool isReadBefore = !writer.isBefore && finds(last, view);
  if (follows)
    return !writer.isBefore && !isReadBefore;
  // The neural engine does one after the other: what the task before fetched or
  // found is there.
  bool isHad = isReadBefore || (writer.isBefore && writer.isReader);
  return !isHad || !task.getNE() || !last.getNE();
}

void TaskPlacer::nameWriters(TaskOp task, TaskPlaces &places) {
  bool follows(places.following);
  if (places.writer1)
    places.writer1->isNamed =
        hasToBeNamed(task, task.getSource1(), *places.writer1, follows);
  if (places.writer2)
    places.writer2->isNamed =
        hasToBeNamed(task, *task.getSource2(), *places.writer2, follows);
  if (!namesWriters(task))
    return;
  for (const std::optional<L2Writer> &writer : {places.writer1, places.writer2})
    if (writer && writer->isNamed)
      lastDone[writer->isPlanar] =
          std::max(lastDone[writer->isPlanar], writer->task);
}

std::optional<L2View> TaskPlacer::placeInL2(TaskOp task, Access::Role role,
                                            ViewAttr view) const {
  return viewInL2(task, {role, view, Residence::resident}, buffers.at(view).op);
}

void TaskPlacer::placeInL2(TaskOp task, int64_t index, TaskPlaces &places) {
  L2Attr l2 = task.getL2Attr();
  if (!l2)
    return;
  if (l2.getSource1() != Residence::streamed)
    places.source1.l2 = placeInL2(task, Access::Source1, task.getSource1());
  if (l2.getSource1() == Residence::resident)
    places.writer1 = writerOf(index, task.getSource1());
  if (l2.getSource2() != Residence::streamed && task.getSource2()) {
    places.source2.l2 = placeInL2(task, Access::Source2, *task.getSource2());
    places.writer2 = writerOf(index, *task.getSource2());
  }
  auto note = [&](ViewAttr view, bool isReader) {
    l2Writers[buffers.numberOf(view)] = L2Writer{
        .task = index, .isPlanar = bool(task.getPE()), .isReader = isReader};
  };
  if (l2.getResult() != Residence::streamed) {
    places.result.l2 = placeInL2(task, Access::Result, task.getResult());
    note(task.getResult(), /*isReader=*/false);
  }
  if (l2.getSource1() == Residence::kept)
    note(task.getSource1(), /*isReader=*/true);
}

void TaskPlacer::placeKernel(TaskOp task, TaskPlaces &places) const {
  if (FlatSymbolRefAttr kernel = task.getKernelAttr())
    places.kernel = constants.kernel(kernel.getAttr());
  if (std::optional<ViewAttr> kernel = task.getKernelView()) {
    places.kernelView = placeOf(*kernel);
    places.kernelWriter = kernelWriters.at(kernel->getBuffer().getAttr());
  }
}

const TaskPlaces &TaskPlacer::place(TaskOp task, int64_t index) {
  PlacedTask placed = {task, {}};
  TaskPlaces &places = placed.places;
  places.source1 = placeOf(task.getSource1());
  if (task.getSource2())
    places.source2 = placeOf(*task.getSource2());
  places.result = placeOf(task.getResult());
  places.savesResult = neighbours[index].savesResult;
  places.restoresSource = neighbours[index].restoresSource;
  places.waits = order.next(task, places.savesResult, places.restoresSource);
  placeInL2(task, index, places);
  places.following = mayFollow(placed, before);
  nameWriters(task, places);
  places.replaces = !before.empty() && replaces(placed, before.back());
  placeKernel(task, places);
  if (auto writer = kernelWriters.find(task.getResult().getBuffer().getAttr());
      writer != kernelWriters.end())
    writer->second = index;
  if (!places.following || places.following.meetsOlder)
    before.clear();
  before.push_back(std::move(placed));
  return before.back().places;
}
