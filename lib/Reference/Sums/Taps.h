//===- Taps.h - What a sliding window reads ---------------------*- C++ -*-===//

#ifndef ANE_LIB_REFERENCE_SUMS_TAPS_H
#define ANE_LIB_REFERENCE_SUMS_TAPS_H

#include "ane/Dialect/MIL/IR/Window.h"

namespace ane::reference {

/// An element of the kernel and the element of the input that it meets, as
/// positions in their row-major spatial dimensions.
struct Tap {
  int64_t kernel;
  int64_t input;
};

/// A window at one place of its output.
struct Taps {
  /// The elements that it reads, in row-major order; those in the padding and
  /// beyond are left out.
  llvm::SmallVector<Tap, 32> inInput;
  /// How many elements of the kernel lie in the input or its padding. A double,
  /// since padding may be large and the number only divides.
  double numInPaddedInput;
};

/// The taps at the `position`-th place of the row-major output.
Taps tapsAt(const mil::Window &window, int64_t position);

/// How many places the output has, and how many elements kernel and input.
int64_t outputSize(const mil::Window &window);
int64_t kernelSize(const mil::Window &window);
int64_t inputSize(const mil::Window &window);

} // namespace ane::reference

#endif // ANE_LIB_REFERENCE_SUMS_TAPS_H
