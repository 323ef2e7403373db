//===- Products.h - What all matrix products share --------------*- C++ -*-===//

#ifndef ANE_LIB_CONVERSION_ZINTOTASKS_PRODUCTS_H
#define ANE_LIB_CONVERSION_ZINTOTASKS_PRODUCTS_H

#include "TaskBuilder.h"

namespace ane::tasks {

/// Columns of a [K, columns] operand for a task: as many as a task has, and of
/// which `room` bytes of L2 hold one row.
int64_t columnsPerTask(const TargetDescription &target, int64_t room,
                       int64_t channels, int64_t columns);

/// Calls `fn(begin, count)` for runs of such columns.
template <typename Fn>
void forColumns(const TargetDescription &target, int64_t room, int64_t channels,
                int64_t columns, Fn fn) {
  int64_t perTask = columnsPerTask(target, room, channels, columns);
  for (int64_t begin = 0; begin < columns; begin += perTask)
    fn(begin, std::min(perTask, columns - begin));
}

/// `productRoom` beside the rows that stream there while they are turned: as
/// many as one exchange takes, or those of one run of rows where it has fewer.
int64_t turnedRoom(const TargetDescription &target, int64_t rows,
                   int64_t columns);

/// The neural engine set up for a product, whatever its kernels.
NEParams productParams(zin::MatMulOp op);

} // namespace ane::tasks

#endif // ANE_LIB_CONVERSION_ZINTOTASKS_PRODUCTS_H
