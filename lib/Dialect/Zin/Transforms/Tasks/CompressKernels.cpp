//===- CompressKernels.cpp - Palettes and kernels without zeros -----------===//

#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/Transforms/KernelShape.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/TaskDescriptor/KernelStream.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Parallel.h"

namespace ane::zin {
#define GEN_PASS_DEF_COMPRESSKERNELS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// A form of a kernel and the bytes it takes.
struct Form {
  KernelStorage storage = KernelStorage::dense;
  uint64_t bytes = 0;
};

/// A kernel that may have another form, and the best one.
struct Candidate {
  KernelOp kernel;
  std::optional<td::KernelWindow> window;
  HalfElements weights;
  td::KernelLayout layout;
  Form dense, best;
};

class CompressKernels
    : public ane::zin::impl::CompressKernelsBase<CompressKernels> {
public:
  void runOnOperation() override {
    ProgramOp program = getOperation();
    mayHavePalettes = program->hasAttr(ZinDialect::palettizedAttrName);
    mayBeSparse = program->hasAttr(ZinDialect::sparseAttrName);
    findWindows(program);
    std::vector<Candidate> candidates;
    for (auto kernel : program.getOps<KernelOp>())
      if (std::optional<Candidate> candidate = candidateFrom(kernel))
        candidates.push_back(std::move(*candidate));
    // To count different weights is to read them all.
    llvm::parallelForEach(candidates,
                          [&](Candidate &candidate) { choose(candidate); });
    for (const Candidate &candidate : candidates)
      compress(candidate);
  }

private:
  /// The window that the tasks of each kernel slide; nothing if they differ.
  void findWindows(ProgramOp program) {
    windows.clear();
    for (auto task : program.getOps<TaskOp>()) {
      if (!task.getKernelAttr() || !task.getNE())
        continue;
      td::KernelWindow window = kernelWindowOf(task);
      auto [found, isNew] =
          windows.insert({task.getKernelAttr().getAttr(), window});
      if (!isNew && found->second != window)
        found->second = std::nullopt;
    }
  }

  /// Nothing of a kernel that has one form only.
  std::optional<Candidate> candidateFrom(KernelOp kernel) {
    std::optional<td::KernelWindow> window =
        windows.lookup(kernel.getSymNameAttr());
    bool hasStrides = window && window->isStrided();
    if (!hasStrides && !mayHavePalettes && !mayBeSparse)
      return std::nullopt;
    std::optional<HalfElements> weights;
    if (kernel.getWeights())
      weights = HalfElements::get(*kernel.getWeights());
    if (!weights)
      return std::nullopt;
    auto layout = td::KernelLayout::create(kernelShapeOf(kernel));
    if (!layout) {
      // Code generation reports what has no layout.
      llvm::consumeError(layout.takeError());
      return std::nullopt;
    }
    Form dense{KernelStorage::dense, layout->totalBytes()};
    return Candidate{kernel, window, *weights, std::move(*layout),
                     dense,  dense};
  }

  void choose(Candidate &candidate) const {
    const std::optional<td::KernelWindow> &window = candidate.window;
    const td::KernelLayout &layout = candidate.layout;
    bool canSkipZeros = window && td::canSkipZeros(layout, *window);
    if (canSkipZeros && window->isStrided()) {
      candidate.best.storage = KernelStorage::sparse;
      return;
    }
    if (!mayHavePalettes && !mayBeSparse)
      return;
    auto consider = [&](KernelStorage storage, uint64_t bytes) {
      if (bytes < candidate.best.bytes)
        candidate.best = {storage, bytes};
    };
    KernelCensus census(candidate.weights);
    if (mayHavePalettes)
      for (auto [bits, storage] : {std::pair(4u, KernelStorage::palette4),
                                   std::pair(8u, KernelStorage::palette8)})
        if (census.numbers.bits() <= bits)
          consider(storage, td::packedPaletteBytes(layout, bits));
    if (mayBeSparse && census.hasManyZeros() && canSkipZeros)
      consider(
          KernelStorage::sparse,
          td::packedSparseBytes(layout, *window, census.count - census.zeros));
  }

  void compress(const Candidate &candidate) {
    const Form &best = candidate.best;
    if (best.storage == KernelStorage::dense)
      return;
    KernelOp(candidate.kernel).setStorage(best.storage);
    if (best.storage == KernelStorage::sparse &&
        candidate.window->isStrided()) {
      ++numStrided;
      return;
    }
    savedBytes += candidate.dense.bytes - best.bytes;
    ++(best.storage == KernelStorage::sparse ? numSparse : numPalettes);
  }

  bool mayHavePalettes = false;
  bool mayBeSparse = false;
  llvm::DenseMap<StringAttr, std::optional<td::KernelWindow>> windows;
};

} // namespace
