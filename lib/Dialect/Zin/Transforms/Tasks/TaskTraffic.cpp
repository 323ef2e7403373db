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

namespace {

/// The rows of a view, or some of them.
struct Rows {
  struct Step {
    int64_t stride, count;
  };
  SmallVector<Step, numDims> steps; ///< from row to row, the shortest first
  int64_t bytes;                    ///< of a row

  explicit Rows(ViewAttr view) : bytes(view.getRowBytes()) {
    for (auto [dim, stride] : llvm::enumerate(view.getStrides()))
      if (view.getPlaces(dim) > 1 && stride > 0)
        steps.push_back({stride, view.getPlaces(dim)});
    llvm::sort(steps, [](Step a, Step b) { return a.stride < b.stride; });
  }

  int64_t longest() const { return steps.empty() ? -1 : steps.back().stride; }
  /// The bytes from the first row to behind the last.
  int64_t reach() const {
    int64_t reach = bytes;
    for (Step step : steps)
      reach += step.stride * (step.count - 1);
    return reach;
  }
};

/// Whether a row is found that starts in one of the others or the other way
/// round, which start `distance` behind them; in up to so many looks.
bool findCommon(Rows rows, Rows others, int64_t distance, unsigned &looks) {
  if (rows.longest() < others.longest()) {
    std::swap(rows, others);
    distance = -distance;
  }
  if (rows.steps.empty())
    return true;
  // The places along the longest step from which the rest may meet the others.
  Rows::Step step = rows.steps.pop_back_val();
  int64_t first = llvm::divideFloorSigned(distance - rows.reach(), step.stride),
          last = llvm::divideCeilSigned(distance + others.reach(), step.stride);
  for (int64_t place = std::max<int64_t>(first + 1, 0);
       place < std::min(last, step.count) && looks > 0; ++place) {
    --looks;
    if (findCommon(rows, others, distance - place * step.stride, looks))
      return true;
  }
  return false;
}

} // namespace

bool zin::doOverlap(ViewAttr a, ViewAttr b) {
  int64_t distance = b.getOffset() - a.getOffset();
  if (distance == 0)
    return true;
  // More take longer than it is worth to know.
  unsigned looks = 1 << 14;
  return mayOverlap(a, b) && findCommon(Rows(a), Rows(b), distance, looks);
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
