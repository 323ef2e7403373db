//===- PlaceTasks.h - What each task refers to, with places -----*- C++ -*-===//

#ifndef ANE_LIB_CODEGEN_PLACETASKS_H
#define ANE_LIB_CODEGEN_PLACETASKS_H

#include "Constants.h"
#include "MemoryOrder.h"
#include "TaskFollows.h"
#include "TaskGroups.h"

namespace ane::codegen {

struct PlacedBuffer {
  zin::BufferOp op;
  BufferPlace place;
};

/// The buffers of a program by their names, and the number of each. A table of
/// numbers has small entries, of which many may be empty.
class PlacedBuffers {
public:
  void reserve(size_t count) {
    list.reserve(count);
    numbers.reserve(count);
  }
  PlacedBuffer &add(zin::BufferOp op) {
    numbers.try_emplace(op.getSymNameAttr(), list.size());
    return list.emplace_back(PlacedBuffer{op, {}});
  }

  size_t size() const { return list.size(); }
  unsigned numberOf(mlir::StringAttr name) const { return numbers.at(name); }
  unsigned numberOf(zin::ViewAttr view) const {
    return numberOf(view.getBuffer().getAttr());
  }
  PlacedBuffer &at(mlir::StringAttr name) { return list[numberOf(name)]; }
  const PlacedBuffer &at(zin::ViewAttr view) const {
    return list[numberOf(view)];
  }

private:
  std::vector<PlacedBuffer> list;
  llvm::DenseMap<mlir::StringAttr, unsigned> numbers;
};

/// Follows the tasks of a program, and knows of each where its operands are and
/// which tasks in front of it have to do with them.
class TaskPlacer {
public:
  TaskPlacer(const ProgramParts &parts, const PlacedBuffers &buffers,
             llvm::ArrayRef<TaskNeighbours> neighbours,
             const ConstantPlacer &constants);

  /// Those of task `index`, until the next call. Tasks come in order; some may
  /// be left out.
  const TaskPlaces &place(zin::TaskOp task, int64_t index);

private:
  ViewPlace placeOf(zin::ViewAttr view) const {
    return {buffers.at(view).place, {}};
  }
  /// The verifier of tasks has seen that there is one.
  std::optional<zin::L2View> placeInL2(zin::TaskOp task, zin::Access::Role role,
                                       zin::ViewAttr view) const;
  void placeInL2(zin::TaskOp task, int64_t index, TaskPlaces &places);
  /// Who put a source of task `index` into L2.
  std::optional<L2Writer> writerOf(int64_t index, zin::ViewAttr view) const;
  /// Whether a task has to say that it waits for who wrote one of its sources.
  bool hasToBeNamed(zin::TaskOp task, zin::ViewAttr view,
                    const L2Writer &writer, bool follows) const;
  void nameWriters(zin::TaskOp task, TaskPlaces &places);
  void placeKernel(zin::TaskOp task, TaskPlaces &places) const;

  const PlacedBuffers &buffers;
  llvm::ArrayRef<TaskNeighbours> neighbours;
  const ConstantPlacer &constants;
  MemoryOrder order;
  /// The last task so far that writes each buffer with a computed kernel.
  llvm::DenseMap<mlir::StringAttr, std::optional<int64_t>> kernelWriters;
  /// Of each buffer the last task so far that puts it into L2.
  std::vector<std::optional<L2Writer>> l2Writers;
  /// The last task of the neural and of the planar engine that one has waited
  /// for: it is done, and so are those in front of it (verified).
  std::array<int64_t, 2> lastDone = {-1, -1};
  /// The last task, and in front of it those that follow each other up to it.
  std::vector<PlacedTask> before;
};

} // namespace ane::codegen

#endif // ANE_LIB_CODEGEN_PLACETASKS_H
