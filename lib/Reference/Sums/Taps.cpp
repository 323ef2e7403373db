//===- Taps.cpp - What a sliding window reads -----------------------------===//

#include "Sums/Taps.h"
#include "IndexSpace.h"
#include "llvm/Support/MathExtras.h"

using namespace ane::reference;
using ane::mil::Window;

Taps ane::reference::tapsAt(const Window &window, int64_t position) {
  Strides inputStrides = rowMajorStrides(window.input);
  Strides kernelStrides = rowMajorStrides(window.kernel);
  Taps taps;
  taps.numInPaddedInput = 1;
  // The part of the kernel that lies in the input is a box: its first element
  // and its extents.
  Tap first = {0, 0};
  Strides extents(window.input.size()), inputSteps(window.input.size());
  for (size_t dim = window.input.size(); dim-- > 0;) {
    int64_t dilation = window.dilation[dim], kernel = window.kernel[dim];
    // Where the kernel's first element lies; in front of the input if negative.
    int64_t start = position % window.output[dim] * window.stride[dim] -
                    window.padBefore[dim];
    position /= window.output[dim];
    // How many elements of the kernel lie in front of a place in the input.
    auto numBefore = [&](int64_t end) {
      int64_t distance = std::max<int64_t>(end - start, 0);
      return std::min<int64_t>(llvm::divideCeil(distance, dilation), kernel);
    };
    int64_t skipped = numBefore(0);
    extents[dim] = numBefore(window.input[dim]) - skipped;
    first.kernel += skipped * kernelStrides[dim];
    first.input += (start + skipped * dilation) * inputStrides[dim];
    inputSteps[dim] = dilation * inputStrides[dim];
    taps.numInPaddedInput *=
        numBefore(window.input[dim] + window.padAfter[dim]);
  }
  forEachIndex<2>(extents, {kernelStrides, inputSteps},
                  [&](const std::array<int64_t, 2> &at) {
                    taps.inInput.push_back(
                        {first.kernel + at[0], first.input + at[1]});
                  });
  return taps;
}

int64_t ane::reference::outputSize(const Window &window) {
  return llvm::product_of(window.output);
}
int64_t ane::reference::kernelSize(const Window &window) {
  return llvm::product_of(window.kernel);
}
int64_t ane::reference::inputSize(const Window &window) {
  return llvm::product_of(window.input);
}
