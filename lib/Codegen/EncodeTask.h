//===- EncodeTask.h - A task as a register image ----------------*- C++ -*-===//
//
// Registers are formulas of the task's views and configuration. Verified on the
// decoded programs of Apple's compiler: copies, activations, dense, grouped and
// channel-wise convolutions, element-wise operations, reductions.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CODEGEN_ENCODETASK_H
#define ANE_LIB_CODEGEN_ENCODETASK_H

#include "MemoryOrder.h"
#include "PackedKernel.h"
#include "ane/Dialect/Zin/IR/L2Place.h"
#include "ane/Target/Target.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"

namespace ane::codegen {

/// Where a buffer lies: a base address register and an offset from it.
struct BufferPlace {
  unsigned bar = 0;
  int64_t offset = 0;
};

/// Where a view's buffer lies, and where the view is in L2.
struct ViewPlace : BufferPlace {
  std::optional<zin::L2View> l2;
};

/// Who put a source into L2.
struct L2Writer {
  /// By its place in the program.
  int64_t task = 0;
  bool isPlanar = false;
  /// It is the task before.
  bool isBefore = false;
  /// It read the value from memory and kept it.
  bool isReader = false;
  /// It has to be waited for, and nothing else says so.
  bool isNamed = false;
};

/// How a task goes on from the one before; see mayFollow.
struct Following {
  /// The source that the task before wrote, at most one of them.
  bool source1 = false, source2 = false;
  /// It replaces what a task in front of that one may still read.
  bool meetsOlder = false;

  explicit operator bool() const { return source1 || source2; }
};

/// A kernel and its offset in the constant section.
struct PlacedKernel {
  const PackedKernel *kernel = nullptr;
  int64_t offset = 0;
};

/// What a task refers to, with places.
struct TaskPlaces {
  ViewPlace source1;
  ViewPlace source2;
  /// Of the sources that are in L2.
  std::optional<L2Writer> writer1, writer2;
  ViewPlace result;
  /// The result stays in L2 and has an image in memory, and so has source 1.
  bool savesResult = false, restoresSource = false;
  /// How far waiting place by place for the task before is enough.
  Following following;
  /// The result waits for the task before; see replaces.
  bool replaces = false;
  MemoryWaits waits;
  PlacedKernel kernel;
  /// Of a kernel that is computed.
  BufferPlace kernelView;
  /// The task that writes it, by its place in the program, if one does.
  std::optional<int64_t> kernelWriter;
};

/// Whether a task says which one wrote its sources. One that fetches names all:
/// what it fetches passes through L2 beside what others left there.
bool namesWriters(zin::TaskOp task);

/// Reports at the task what its registers cannot hold.
llvm::FailureOr<td::TaskDescriptor> encodeTask(zin::TaskOp task,
                                               const TaskPlaces &places,
                                               const TargetDescription &target);

} // namespace ane::codegen

#endif // ANE_LIB_CODEGEN_ENCODETASK_H
