//===- Patches.cpp - What windows see, as slices --------------------------===//

#include "Decompose/Patches.h"

using namespace mlir;
using namespace ane::mil;

SmallVector<int64_t> ane::mil::paddingOf(const Window &window) {
  SmallVector<int64_t> padding;
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    padding.push_back(window.padBefore[i]);
    padding.push_back(window.reachBehind(i));
  }
  return padding;
}

Value ane::mil::padded(Replacer &r, Value x, const Window &window) {
  SmallVector<int64_t> padding = paddingOf(window);
  bool pads = llvm::any_of(padding, [](int64_t count) { return count > 0; });
  return pads ? r.pad(x, padding) : x;
}

SmallVector<Value> ane::mil::patchesOf(Replacer &r, Value x,
                                       const Window &window) {
  SmallVector<Value> patches = {padded(r, x, window)};
  for (size_t dim = 0; dim < window.kernel.size(); ++dim) {
    SmallVector<Value> next;
    for (Value patch : patches)
      for (int64_t tap = 0; tap < window.kernel[dim]; ++tap)
        next.push_back(r.slice(patch, int64_t(dim) + 2,
                               tap * window.dilation[dim], window.output[dim],
                               window.stride[dim]));
    patches = std::move(next);
  }
  return patches;
}
