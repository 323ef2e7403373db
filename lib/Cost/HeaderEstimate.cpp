//===- HeaderEstimate.cpp - The estimate that a header carries ------------===//

#include "ane/Cost/Cost.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;

uint64_t cost::estimateForHeader(const td::TaskSummary &summary) {
  // 100 bytes take 3 cycles.
  constexpr uint64_t bytes = 100, cyclesOfBytes = 3, unit = 1024;
  uint64_t moved = 0, operands = 0;
  for (const td::Stream &stream : summary.streams) {
    if (!stream.inMemory())
      continue;
    moved = llvm::SaturatingAdd(moved, stream.lineBytes);
    operands += stream.role != td::Stream::Coefficients;
  }
  uint64_t units =
      llvm::SaturatingMultiply(moved, cyclesOfBytes) / (bytes * unit);
  auto isPixel = [](const td::Dimensions &extents) {
    return extents.rows == 1 && extents.columns == 1;
  };
  if (!isPixel(summary.input) || !isPixel(summary.result))
    return units;
  td::Dimensions result = summary.result;
  uint64_t accesses =
      llvm::SaturatingMultiply(result.elements(), operands * operands);
  return std::max(units, accesses / unit);
}
