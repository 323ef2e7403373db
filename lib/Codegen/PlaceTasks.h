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

/// The buffers of a program by their names.
using PlacedBuffers = llvm::DenseMap<mlir::StringAttr, PlacedBuffer>;

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
  BufferPlace placeOf(zin::ViewAttr view) const {
    return buffers.at(view.getBuffer().getAttr()).place;
  }
  /// The verifier of tasks has seen that there is one.
  std::optional<zin::L2View> placeInL2(zin::TaskOp task, zin::Access::Role role,
                                       zin::ViewAttr view) const;
  void placeInL2(zin::TaskOp task, int64_t index, TaskPlaces &places);
  std::optional<L2Writer> writerOf(zin::TaskOp task, int64_t index,
                                   zin::ViewAttr view) const;
  void placeKernel(zin::TaskOp task, TaskPlaces &places) const;

  const PlacedBuffers &buffers;
  llvm::ArrayRef<TaskNeighbours> neighbours;
  const ConstantPlacer &constants;
  MemoryOrder order;
  /// The last task so far that writes each buffer with a computed kernel, and
  /// that puts a buffer into L2.
  llvm::DenseMap<mlir::StringAttr, std::optional<int64_t>> kernelWriters;
  llvm::DenseMap<mlir::StringAttr, std::pair<int64_t, L2Writer>> l2Writers;
  /// The last task, and in front of it those that follow each other up to it.
  std::vector<PlacedTask> before;
};

} // namespace ane::codegen

#endif // ANE_LIB_CODEGEN_PLACETASKS_H
