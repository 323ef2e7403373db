//===- SparseOrder.h - Taps of a zero-skipping kernel -----------*- C++ -*-===//

#ifndef ANE_LIB_TASKDESCRIPTOR_SPARSEORDER_H
#define ANE_LIB_TASKDESCRIPTOR_SPARSEORDER_H

#include "ane/TaskDescriptor/KernelStream.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace ane::td {

/// What a bit of a mask stands for.
struct SparsePlace {
  uint32_t tap;     ///< of the window, rows first
  uint32_t channel; ///< of the plane
};

/// The masks of one input channel.
class SparseOrder {
public:
  SparseOrder(const KernelWindow &window, const KernelShape &shape,
              uint32_t planeChannels);

  /// Places by bit, nothing where no coefficient can be. Whole bytes.
  llvm::ArrayRef<std::optional<SparsePlace>> places() const { return bits; }
  uint64_t maskBytes() const { return bits.size() / 8; }
  /// Taps of the window.
  uint32_t taps() const { return windowTaps; }

private:
  llvm::SmallVector<std::optional<SparsePlace>, 128> bits;
  uint32_t windowTaps;
};

} // namespace ane::td

#endif // ANE_LIB_TASKDESCRIPTOR_SPARSEORDER_H
