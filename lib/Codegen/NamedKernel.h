//===- NamedKernel.h - Kernels named by their bytes -------------*- C++ -*-===//

#ifndef ANE_LIB_CODEGEN_NAMEDKERNEL_H
#define ANE_LIB_CODEGEN_NAMEDKERNEL_H

#include "PackedKernel.h"
#include <string>

namespace ane::codegen {

/// Kernels of fewer bytes are packed sooner than threads have begun. Assigned.
constexpr uint64_t leastForThreads = 1 << 20;

/// A kernel and its name, which is a hash of its bytes.
struct NamedKernel {
  explicit NamedKernel(PackedKernel packed) : packed(std::move(packed)) {}

  /// Makes its bytes and the name: the longest part of generating code for a
  /// large network. Kernels may do so at the same time. Nothing where that is
  /// done.
  void name();
  bool isDone() const { return !symbol.empty() || !problem.empty(); }

  PackedKernel packed;
  /// `packed` in pieces.
  llvm::SmallVector<object::Chunk, td::numLanes> chunks;
  std::string symbol;
  std::string problem; ///< why it has no bytes or no name
};

} // namespace ane::codegen

#endif // ANE_LIB_CODEGEN_NAMEDKERNEL_H
