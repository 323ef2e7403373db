//===- ExchangeRows.cpp - Channels for rows in the scratchpad -------------===//
//
// L2 is accessed at all rows of a channel together, as far as these lie in
// different banks, one channel after the other. So a few rows of many channels
// take as long as many rows. What does not tell rows from channels may have one
// for the other.
//
//===----------------------------------------------------------------------===//

#include "Places/ExchangeRows.h"
#include "ane/Dialect/Zin/IR/L2Place.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

/// Accesses that are worth to be saved. Apple's compiler leaves a softmax of 64
/// channels of 8 x 8 pixels as it is (verified), which would save 112.
/// Assigned.
static constexpr int64_t leastSaved = 256;

ViewAttr zin::withChannelsAsRows(ViewAttr view) {
  SmallVector<int64_t> shape(view.getShape()), strides(view.getStrides());
  std::swap(shape[C], shape[H]);
  std::swap(strides[C], strides[H]);
  return ViewAttr::get(view.getContext(), view.getBuffer(), view.getOffset(),
                       shape, strides, view.getInterleave());
}

bool zin::canExchangeRows(TaskOp task, const SymbolTable &symbols) {
  ViewAttr result = task.getResult();
  auto second = task.getSource2();
  if (result.getGroups() * result.getDepth() != 1 || task.getKernelView() ||
      !canOverwrite(task, task.getSource1()) ||
      (second && !canOverwrite(task, *second)))
    return false;
  if (PEConfigAttr config = task.getPE())
    return config.getBroadcast1() == 0 && config.getBroadcast2() == 0;
  if (!task.getKernel())
    return true;
  auto kernel = symbols.lookup<KernelOp>(task.getKernelAttr().getAttr());
  return !kernel.getWeights() && !kernel.getBias();
}

/// Accesses to so many channels of so many rows that are one unit wide.
static int64_t accessesTo(int64_t channels, int64_t rows, const L2View &place) {
  bool isLine = rows == 1;
  return (isLine ? 1 : channels) *
         bankTurns(isLine ? channels : rows,
                   std::abs(place.strides[isLine ? C : H]));
}

void zin::exchangeRowsInL2(ArrayRef<TaskOp> tasks, const SymbolTable &symbols,
                           const TargetDescription &target) {
  for (TaskOp task : tasks) {
    // What lies there by itself has strides of its own.
    L2Attr l2 = task.getL2Attr();
    if (!l2 || l2.getPlace() || !canExchangeRows(task, symbols))
      continue;
    int64_t channels = task.getResult().getChannels();
    int64_t rows = task.getResult().getRows();
    if (channels > target.maxHeight || rows > target.maxChannels)
      continue;
    int64_t units = llvm::divideCeil(
        task.getResult().getColumns() * elementBytes, l2Granule);
    int64_t saved = 0;
    bool hasResident = false;
    bool isThere = llvm::all_of(task.getAccesses(), [&](const Access &access) {
      // Rows of a tile follow those of the task.
      if (access.residence == Residence::streamed)
        return true;
      if (access.residence != Residence::resident)
        return false;
      hasResident = true;
      auto buffer = symbols.lookup<BufferOp>(access.buffer());
      std::optional<L2View> place = viewInL2(task, access, buffer);
      if (!place)
        return false;
      L2View exchanged = *place;
      std::swap(exchanged.strides[C], exchanged.strides[H]);
      saved += units * (accessesTo(channels, rows, *place) -
                        accessesTo(rows, channels, exchanged));
      return true;
    });
    if (!isThere || !hasResident || saved < leastSaved)
      continue;
    task.setSource1Attr(withChannelsAsRows(task.getSource1()));
    if (std::optional<ViewAttr> second = task.getSource2())
      task.setSource2Attr(withChannelsAsRows(*second));
    task.setResultAttr(withChannelsAsRows(task.getResult()));
  }
}
