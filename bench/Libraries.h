//===- Libraries.h - What the executor is compared with ---------*- C++ -*-===//
//
// Each function prepares an operation and yields what runs it; preparation,
// such as bringing weights into the form that the library likes, is not
// measured.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_BENCH_LIBRARIES_H
#define ANE_BENCH_LIBRARIES_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <functional>
#include <vector>

namespace ane::bench {

struct Operation {
  std::function<void()> run;
  std::function<std::vector<float>()> result;
};

/// [m, k] times [k, n], with OpenBLAS.
Operation matmul(uint32_t m, uint32_t n, uint32_t k, llvm::ArrayRef<float> a,
                 llvm::ArrayRef<float> b);

/// A 3x3 convolution of [channels, size, size] with padding, with oneDNN.
Operation convolution(uint32_t channels, uint32_t size, bool channelwise,
                      llvm::ArrayRef<float> x, llvm::ArrayRef<float> weights);

/// Over the last axis, with oneDNN.
Operation softmax(uint32_t channels, uint32_t rows, uint32_t columns,
                  llvm::ArrayRef<float> x);

/// Copies `bytes` bytes, each of up to two threads its part: what memory allows
/// an operation that reads and writes that much.
Operation copy(uint64_t bytes, unsigned threads);

} // namespace ane::bench

#endif // ANE_BENCH_LIBRARIES_H
