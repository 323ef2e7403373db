//===- Palettes.cpp - Kernels that are worth their palettes ---------------===//

#include "ane/TaskDescriptor/Palettes.h"
#include "ane/TaskDescriptor/KernelStream.h"
#include "ane/TaskDescriptor/OutputNumbers.h"

using namespace ane;

uint64_t td::leastPaletteBytes(llvm::StringRef weights, int64_t outputs,
                               uint64_t coefficients) {
  // Half of the lanes have an output.
  constexpr int64_t leastOutputs = numLanes / 2;
  uint64_t dense = coefficients * halfBytes;
  std::optional<OutputNumbers> numbers = OutputNumbers::get(weights, outputs);
  if (!numbers)
    return dense;
  std::vector<int64_t> reaches[std::size(paletteBits)];
  for (auto [reach, bits] : llvm::zip_equal(reaches, paletteBits))
    reach = numbers->reach(bits);
  uint64_t bits = 0;
  for (int64_t begin = 0, end; begin < outputs; begin = end) {
    end = std::min(begin + leastOutputs, outputs);
    unsigned perWeight = halfBytes * CHAR_BIT;
    for (auto [reach, needed] : llvm::zip_equal(reaches, paletteBits))
      if (reach[begin] >= end) {
        end = reach[begin];
        perWeight = needed;
        break;
      }
    bits += (end - begin) * perWeight;
  }
  return coefficients / outputs * bits / CHAR_BIT;
}
