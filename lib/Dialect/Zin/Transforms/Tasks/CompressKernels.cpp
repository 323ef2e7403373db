//===- CompressKernels.cpp - Palettes and kernels without zeros -----------===//

#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/Transforms/KernelShape.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/TaskDescriptor/KernelStream.h"
#include "llvm/Support/Error.h"

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

class CompressKernels
    : public ane::zin::impl::CompressKernelsBase<CompressKernels> {
public:
  void runOnOperation() override {
    ProgramOp program = getOperation();
    mayHavePalettes = program->hasAttr(ZinDialect::palettizedAttrName);
    mayBeSparse = program->hasAttr(ZinDialect::sparseAttrName);
    findWindows(program);
    for (auto kernel : program.getOps<KernelOp>())
      compress(kernel);
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

  void compress(KernelOp kernel) {
    std::optional<td::KernelWindow> window =
        windows.lookup(kernel.getSymNameAttr());
    bool hasStrides = window && window->isStrided();
    if (!hasStrides && !mayHavePalettes && !mayBeSparse)
      return;
    std::optional<HalfElements> weights;
    if (kernel.getWeights())
      weights = HalfElements::get(*kernel.getWeights());
    if (!weights)
      return;
    auto layout = td::KernelLayout::create(kernelShapeOf(kernel));
    if (!layout) {
      // Code generation reports what has no layout.
      llvm::consumeError(layout.takeError());
      return;
    }
    bool canSkipZeros = window && td::canSkipZeros(*layout, *window);
    if (canSkipZeros && hasStrides) {
      kernel.setStorage(KernelStorage::sparse);
      ++numStrided;
      return;
    }
    if (!mayHavePalettes && !mayBeSparse)
      return;
    Form dense{KernelStorage::dense, layout->totalBytes()};
    Form best = dense;
    auto consider = [&](KernelStorage storage, uint64_t bytes) {
      if (bytes < best.bytes)
        best = {storage, bytes};
    };
    KernelCensus census(*weights);
    if (mayHavePalettes)
      for (auto [bits, storage] : {std::pair(4u, KernelStorage::palette4),
                                   std::pair(8u, KernelStorage::palette8)})
        if (census.numbers.bits() <= bits)
          consider(storage, td::packedPaletteBytes(*layout, bits));
    if (mayBeSparse && census.zeros * 2 >= census.count && canSkipZeros)
      consider(
          KernelStorage::sparse,
          td::packedSparseBytes(*layout, *window, census.count - census.zeros));
    if (best.storage == KernelStorage::dense)
      return;
    kernel.setStorage(best.storage);
    savedBytes += dense.bytes - best.bytes;
    ++(best.storage == KernelStorage::sparse ? numSparse : numPalettes);
  }

  bool mayHavePalettes = false;
  bool mayBeSparse = false;
  llvm::DenseMap<StringAttr, std::optional<td::KernelWindow>> windows;
};

} // namespace
