//===- NameAhead.cpp - Kernels named while passes go on -------------------===//

#include "ane/Codegen/NameAhead.h"
#include "NamedKernel.h"
#include "ane/Dialect/Zin/Transforms/KernelShape.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include <atomic>

using namespace mlir;
using namespace ane;
using namespace ane::codegen;

struct NameAhead::Kernel {
  zin::KernelOp::Properties properties;
  td::KernelWindow window;
  std::unique_ptr<NamedKernel> named;
};

/// Threads take one kernel after the other.
struct NameAhead::Batch {
  std::vector<Kernel> kernels;
  std::atomic<size_t> next = 0;

  /// Names one that nobody has begun; false if there is none left.
  bool nameNext() {
    size_t index = next++;
    if (index >= kernels.size())
      return false;
    kernels[index].named->name();
    return true;
  }
};

NameAhead::NameAhead() = default;

NameAhead::~NameAhead() {
  for (const std::unique_ptr<Batch> &batch : batches)
    batch->next = batch->kernels.size();
}

/// Bytes of the kernels of a program as they are in the IR.
static uint64_t weightBytes(zin::ProgramOp program) {
  uint64_t bytes = 0;
  for (auto kernel : program.getOps<zin::KernelOp>())
    if (std::optional<ElementsAttr> weights = kernel.getWeights())
      bytes = llvm::SaturatingMultiplyAdd<uint64_t>(weights->getNumElements(),
                                                    zin::elementBytes, bytes);
  return bytes;
}

void NameAhead::begin(zin::ProgramOp program) {
  if (weightBytes(program) < leastForThreads)
    return;
  llvm::DenseMap<StringAttr, zin::TaskOp> taskOf;
  for (auto task : program.getOps<zin::TaskOp>())
    if (FlatSymbolRefAttr kernel = task.getKernelAttr(); kernel && task.getNE())
      taskOf.try_emplace(kernel.getAttr(), task);
  ScopedDiagnosticHandler quiet(program.getContext(),
                                [](Diagnostic &) { return success(); });
  auto batch = std::make_unique<Batch>();
  std::vector<zin::KernelOp> ops;
  for (auto op : program.getOps<zin::KernelOp>()) {
    auto task = taskOf.find(op.getSymNameAttr());
    if (task == taskOf.end())
      continue;
    td::KernelWindow window = zin::kernelWindowOf(task->second);
    FailureOr<PackedKernel> packed = PackedKernel::create(op, window);
    if (failed(packed))
      continue;
    ops.push_back(op);
    batch->kernels.push_back(
        {op.getProperties(), window,
         std::make_unique<NamedKernel>(std::move(*packed))});
  }
  for (auto [op, kernel] : llvm::zip_equal(ops, batch->kernels))
    kernelOf[op] = &kernel;
  if (!thread)
    thread.emplace(llvm::hardware_concurrency(1));
  thread->async([batch = batch.get()] {
    while (batch->nameNext())
      ;
  });
  batches.push_back(std::move(batch));
}

void NameAhead::finish() {
  if (!thread)
    return;
  for (const std::unique_ptr<Batch> &batch : batches)
    llvm::parallelFor(std::min(batch->next.load(), batch->kernels.size()),
                      batch->kernels.size(),
                      [&](size_t) { batch->nameNext(); });
  thread->wait();
}

std::unique_ptr<NamedKernel> NameAhead::take(zin::KernelOp op,
                                             const td::KernelWindow &window) {
  Kernel *kernel = kernelOf.lookup(op);
  if (!kernel || kernel->window != window ||
      !(kernel->properties == op.getProperties()))
    return nullptr;
  return std::move(kernel->named);
}
