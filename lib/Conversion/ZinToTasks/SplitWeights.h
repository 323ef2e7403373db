//===- SplitWeights.h - Coefficients that one task holds --------*- C++ -*-===//
//
// Each of 16 engines has memory for the coefficients of its lane, so a layer
// with more of them is several tasks. Each computes as many outputs as there is
// room for, the last one the rest: 1 + K * N / 2^19 tasks for the product with
// a matrix of K x N, one of which turns the left matrix. Verified for products
// and convolutions with one tap, without a bias.
//
// Coefficients that are used once are not kept there: outputs of few pixels are
// all accumulated while the coefficients go by, in one task. Verified for one
// row of up to 128 pixels, and 128 MiB, and for 8 rows of 8; a row of 144 and
// 16 rows of 16 are several tasks. Other shapes, and strides, are assigned.
//
// Beyond that, assigned: a bias takes the room of a tap, and masks of kernels
// without zeros theirs; where a lane has several rows of outputs that are
// accumulated at a time, tasks have a multiple of them; outputs of which one
// takes more than the memory of its engine are streamed, as many as a task
// streams at most.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_ZINTOTASKS_SPLITWEIGHTS_H
#define ANE_LIB_CONVERSION_ZINTOTASKS_SPLITWEIGHTS_H

#include "TaskBuilder.h"

namespace ane::tasks {

using Extents = std::array<int64_t, zin::numDims>;

/// What another size of tasks, or a copy of their results, has to save: a tenth
/// of the cycles. Where a value comes to lie is not known yet. Assigned.
constexpr int64_t leastGain = 10;

/// What a layer with coefficients reads and writes, of one group, whatever
/// number of outputs each of its tasks has.
struct TaskExtents {
  Extents source, result;
};

/// Cycles in which all of a value is accessed in L2: rows of a channel, or the
/// channels of a line, at a time, as far as they lie in different banks.
int64_t accessCycles(const TargetDescription &target, const Extents &extents);

/// The OCGSize for all of `kernel.outputs` in one task: Apple's (see
/// td::chooseOcgSize), but of outputs that would take several passes, and more
/// pixels than coefficients stream by for, one with which products, reads of
/// the source in each pass and coefficients take clearly less time, if there is
/// one (assigned). A pass that is not full takes as long as one that is.
unsigned ocgSizeOf(const TargetDescription &target, const KernelParams &kernel,
                   const NEParams &params, const TaskExtents &task,
                   unsigned ocgCap);

/// The outputs of a task for a layer of `kernel.outputs`, a multiple of `step`,
/// each of `pixels` in a task. The engine accumulates up to `ocgCap` outputs of
/// a lane at a time.
int64_t outputsPerTask(const TargetDescription &target,
                       const KernelParams &kernel, const NEParams &params,
                       const TaskExtents &task, int64_t pixels, int64_t step,
                       unsigned ocgCap);

/// The channels of a task with a kernel for each channel.
int64_t channelsPerTask(const TargetDescription &target,
                        const KernelParams &kernel, const NEParams &params);

/// The groups of a task with `kernel.outputs` outputs in each; 0 if one group
/// takes more than a task has room for.
int64_t groupsPerTask(const TargetDescription &target,
                      const KernelParams &kernel, const NEParams &params,
                      const TaskExtents &task, unsigned ocgCap);

} // namespace ane::tasks

#endif // ANE_LIB_CONVERSION_ZINTOTASKS_SPLITWEIGHTS_H
