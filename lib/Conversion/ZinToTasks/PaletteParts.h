//===- PaletteParts.h - Outputs whose coefficients fit palettes -*- C++ -*-===//
//
// A task has one palette, so a weight with a palette for each few outputs has
// one in tasks of such outputs alone: indices of 4 bits for those of one group,
// of 8 bits for those of several. More tasks take more descriptors and reads of
// what all of them read, and few outputs leave lanes idle. The parts are those
// which together take the fewest cycles: of products, accesses to L2 and
// transfers those that take longest, and what a task takes in any case.
//
// Outputs that lie along rows begin at steps of memory, of which a palette may
// be a part alone. Then results lie along channels first, in L2, and a copy
// turns them, if that takes a tenth less.
//
// What the DMA moves while something else takes longer counts a tenth of its
// cycles, so that coefficients stay small where that costs next to nothing, up
// to a 64th of the cycles (assigned).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_ZINTOTASKS_PALETTEPARTS_H
#define ANE_LIB_CONVERSION_ZINTOTASKS_PALETTEPARTS_H

#include "SplitWeights.h"

namespace ane::tasks {

/// Outputs of one task.
struct OutputPart {
  int64_t begin, count;
};

/// All outputs of a layer.
struct OutputParts {
  llvm::SmallVector<OutputPart> parts;
  /// They begin anywhere, so that results lie apart until all are there.
  bool isApart = false;
};

/// The outputs of a layer that are to be dealt to tasks.
struct PartedLayer {
  /// Of all outputs, without its weights.
  const KernelParams &kernel;
  const NEParams &params;
  /// What a run of the parts reads and writes.
  TaskExtents task;
  /// What has to stay in L2 between them; it comes again for each where it is
  /// too large. A part of a value does if that leaves room for others.
  Extents kept;
  bool isPart;
  /// Parts begin at multiples of this, or anywhere where results are copied
  /// afterwards, in so many cycles.
  int64_t step;
  std::optional<int64_t> copyCycles;
  unsigned ocgCap;
  /// The outputs of a task whatever coefficients they have.
  int64_t perTask;
};

/// All parts but the last with `perTask` outputs.
OutputParts equalParts(int64_t outputs, int64_t perTask);

/// The same, or other parts if their coefficients, of which those of the first
/// output begin at `begin`, fit palettes. `mayBeSparse` are zeros that may be
/// left out instead, `tasks` those of the program in front.
OutputParts paletteParts(const TargetDescription &target,
                         const PartedLayer &layer, mlir::ElementsAttr weights,
                         int64_t begin, bool mayBeSparse, int64_t tasks);

} // namespace ane::tasks

#endif // ANE_LIB_CONVERSION_ZINTOTASKS_PALETTEPARTS_H
