//===- TaskTraffic.cpp - Bytes that tasks move ----------------------------===//

#include "Tasks/TaskTraffic.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/TaskDescriptor/KernelLayout.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

int64_t zin::bytesOf(ViewAttr view) {
  return elementBytes * llvm::product_of(view.getShape());
}

ByteRange::ByteRange(ViewAttr view)
    : begin(view.getOffset()), end(begin + view.getRowBytes()) {
  for (auto [dim, stride] : llvm::enumerate(view.getStrides()))
    end += (view.getPlaces(dim) - 1) * stride;
}

/// The distance of the rows of a view, 0 if it has one.
static int64_t rowPitch(ViewAttr view) {
  int64_t pitch = 0;
  for (auto [dim, stride] : llvm::enumerate(view.getStrides()))
    if (view.getPlaces(dim) > 1 && (pitch == 0 || stride < pitch))
      pitch = stride;
  return pitch;
}

bool zin::mayOverlap(ViewAttr a, ViewAttr b) {
  ByteRange x(a), y(b);
  if (!x.overlaps(y))
    return false;
  int64_t pitch = rowPitch(a);
  if (pitch == 0 || rowPitch(b) != pitch)
    return true;
  int64_t first = x.begin % pitch, second = y.begin % pitch;
  return first < second + b.getRowBytes() && second < first + a.getRowBytes();
}

int64_t zin::kernelBytesOf(TaskOp task, SymbolTable &symbols) {
  if (!task.getKernel())
    return 0;
  auto kernel = symbols.lookup<KernelOp>(task.getKernelAttr().getAttr());
  return kernel.getWeights()
             ? kernel.getWeights()->getNumElements() * elementBytes
             : 0;
}

int64_t zin::passesOf(TaskOp task, SymbolTable &symbols) {
  NEConfigAttr config = task.getNE();
  if (!config || !task.getKernel() || config.getUnicast() ||
      config.getOp() != MACOp::mac)
    return 1;
  auto kernel = symbols.lookup<KernelOp>(task.getKernelAttr().getAttr());
  if (!kernel.getWeights() || kernel.getChannelwise())
    return 1;
  return td::passesOfLane(kernel.getOutputs(), kernel.getOcgSize()).count;
}
