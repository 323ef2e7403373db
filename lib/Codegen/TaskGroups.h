//===- TaskGroups.h - What tasks share in the engine ------------*- C++ -*-===//

#ifndef ANE_LIB_CODEGEN_TASKGROUPS_H
#define ANE_LIB_CODEGEN_TASKGROUPS_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"

namespace ane {

/// What a descriptor says of the tasks around it.
struct TaskNeighbours {
  bool savesResult = false, restoresSource = false;
  /// The first and the last of a group.
  bool opens = false, closes = false;
  /// Not of the first of a program: what the result waits for.
  bool isFirst = false, waits = false, planarBefore = false;
  bool linksIn = false, linksOut = false;
  /// The task behind it may be issued together with it.
  bool nextOverlaps = false;

  /// With `replaces` the result waits for the engines before in any case; see
  /// codegen::replaces.
  void write(td::RegisterImage &image, bool replaces) const;
};

/// Tasks between which something stays in L2 are a group that must not be
/// interrupted; an image ends one. What a result may overlap: the first task of
/// a program knows nothing, tasks inside a group and those behind an image have
/// nothing to wait for, others follow those of the engines before: verified.
///
/// A planar task whose result stays in L2 is linked to a planar one behind it,
/// also over a copy by the neural engine that stays there, too: verified. That
/// an image ends the links, as it ends a group, is assigned.
///
/// `images` says of each task whether its result has an image; see findImages.
std::vector<TaskNeighbours> findNeighbours(llvm::ArrayRef<zin::TaskOp> tasks,
                                           llvm::ArrayRef<bool> images);

} // namespace ane

#endif // ANE_LIB_CODEGEN_TASKGROUPS_H
