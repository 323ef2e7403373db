//===- InterleavedKernels.cpp - Computed kernels of many outputs ----------===//
//
// A matrix that nothing but products reads as a kernel is written as they read
// it: rows side by side. Verified for the planar engine and, with channels and
// columns exchanged, for the neural engine. Of others products have a copy.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

/// Rows of a value that lie side by side in the kernels of all products that
/// read it, `rows` being the dimension that they are; 1 if anything else reads
/// it or they differ.
int64_t Lowering::interleaveOf(Value value, unsigned rows) const {
  int64_t all = 0;
  for (OpOperand &use : value.getUses()) {
    int64_t each = interleaveOf(use, rows);
    if (each == 1 || (all && each != all))
      return 1;
    all = each;
  }
  return std::max(all, int64_t(1));
}

int64_t Lowering::interleaveOf(OpOperand &use, unsigned rows) const {
  ArrayRef<int64_t> shape = shapeOf(use.get());
  Operation *layer = use.getOwner();
  if (auto product = dyn_cast<MatMulOp>(layer))
    return use.getOperandNumber() == 1 && rows == H &&
                   !readsRowsOnce(product) && !sumsOnPlanes(product)
               ? ane::interleaveOf(b.target, shape[H], shape[W])
               : 1;
  if (auto transpose = dyn_cast<TransposeOp>(layer)) {
    ArrayRef<int64_t> order = transpose.getPermutation();
    return order[W] == W ? interleaveOf(transpose.getResult(),
                                        llvm::find(order, rows) - order.begin())
                         : 1;
  }
  if (auto part = dyn_cast<InputViewOp>(layer)) {
    int64_t offset = part.getBegin()[W] * elementBytes;
    int64_t inside = interleaveOf(part.getResult(), rows);
    return part.getStrides()[rows] == 1 && part.getStrides()[W] == 1 &&
                   offset % b.target.rowAlignment == 0 &&
                   part.getBegin()[rows] % inside == 0
               ? inside
               : 1;
  }
  // Rows that are cut into parts of their columns, as heads of an attention.
  auto reshape = dyn_cast<ReshapeOp>(layer);
  if (reshape && rows == H &&
      splitsColumns(shape, shapeOf(reshape.getResult())))
    return interleaveOf(reshape.getResult(), C);
  return 1;
}

/// Whether [1, 1, 1, rows, columns] become [1, 1, rows, parts, columns], parts
/// being steps of the DMA.
bool Lowering::splitsColumns(ArrayRef<int64_t> from,
                             ArrayRef<int64_t> to) const {
  return llvm::all_equal(from.take_front(H)) && from[N] == 1 && to[N] == 1 &&
         to[D] == 1 && to[C] == from[H] &&
         to[W] * elementBytes % b.target.rowAlignment == 0;
}

/// Where a layer that writes the rows of a matrix as channels writes them.
View Lowering::matrixView(Value value) {
  int64_t interleave = assigned.contains(value) ? 1 : interleaveOf(value, H);
  if (interleave == 1)
    return resultView(value);
  View view = b.makeInterleaved(shapeOf(value), H, interleave);
  setView(value, view);
  return view;
}

/// The kernel of a task, [matrices, 1, outputs of a lane, lanes, taps]. `rows`
/// are [matrices, 1, 1, rows, taps] from `first` on.
static View kernelOf(const View &rows, int64_t first, const KernelRows &task) {
  View kernel = rows.sliced(H, task.begin - first, task.count);
  kernel.shape[C] = task.interleave;
  kernel.shape[H] = task.count / task.interleave;
  kernel.interleaved = C;
  return kernel;
}

/// The kernels of all matrices. With `interleaves` they are copied to where
/// rows lie side by side, if they do not already.
SmallVector<Lowering::ComputedKernel>
Lowering::computedKernels(const View &all, bool interleaves) {
  View matrices = all.swapped(N, C);
  SmallVector<ComputedKernel> kernels;
  bool isThere = all.interleave > 1;
  bool near = isNear(all);
  for (const KernelRows &alike : kernelRows(b.target, matrices.shape[H],
                                            matrices.shape[W], interleaves)) {
    View rows = matrices.sliced(H, alike.begin, alike.count);
    // What would have to go to memory for this alone goes there by a copy.
    if (interleaves && !isThere && (alike.interleave > 1 || near)) {
      View source = rows.swapped(C, H);
      View &copied = interleavedCopies[source.attr()];
      if (!copied.buffer) {
        copied = b.makeInterleaved(source.shape, C, alike.interleave);
        b.emitInterleavedCopy(source, copied, near);
      }
      rows = copied.swapped(C, H);
    }
    KernelRows task = alike;
    for (; task.begin < alike.end(); task.begin += task.count) {
      task.count = std::min(alike.perTask(b.target), alike.end() - task.begin);
      kernels.push_back({task, kernelOf(rows, alike.begin, task)});
    }
  }
  return kernels;
}

/// Whether L2 is expected to hold the matrices of a kernel that tasks make,
/// from then until a product needs them. Assigned.
bool Lowering::isNear(const View &kernels) const {
  std::optional<int64_t> bytes = b.scratchBytes(kernels);
  return bytes && *bytes <= b.target.wholeL2Bytes() / 2;
}
