//===- KernelShape.h - Kernels as their layout counts them ------*- C++ -*-===//

#ifndef ANE_DIALECT_ZIN_TRANSFORMS_KERNELSHAPE_H
#define ANE_DIALECT_ZIN_TRANSFORMS_KERNELSHAPE_H

#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/TaskDescriptor/KernelStream.h"
#include "ane/TaskDescriptor/Palettes.h"

namespace ane::zin {

/// What decides where the coefficients of a kernel with weights lie.
td::KernelShape kernelShapeOf(KernelOp kernel);

/// A window of rows and columns that a neural task slides.
td::KernelWindow kernelWindowOf(llvm::ArrayRef<int64_t> window,
                                llvm::ArrayRef<int64_t> stride);
td::KernelWindow kernelWindowOf(TaskOp task);

/// What the weights of a kernel are like.
struct KernelCensus {
  td::DifferentNumbers numbers;
  uint64_t zeros = 0;
  uint64_t count = 0;

  explicit KernelCensus(const HalfElements &weights) : count(weights.size()) {
    for (size_t i = 0; i < count; ++i) {
      uint16_t bits = weights[i];
      zeros += bits == 0;
      numbers.add(bits);
    }
  }

  /// Whether the form without zeros may be worth it.
  bool hasManyZeros() const { return zeros * 2 >= count; }
};

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_TRANSFORMS_KERNELSHAPE_H
