//===- Products.cpp - What all matrix products share ----------------------===//

#include "Products.h"
#include "Coefficients.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

int64_t tasks::columnsPerTask(const TargetDescription &target, int64_t room,
                              int64_t channels, int64_t columns) {
  int64_t step = target.rowStep(), most = columns;
  if (target.l2ChannelBytes(columns) * channels > room)
    most = std::max<int64_t>(room / (channels * elementBytes * step), 1) * step;
  most = std::min(most, target.maxWidth);
  // No run is much shorter than the others. Channels of an odd number of steps
  // meet least often in a bank of L2.
  int64_t runs = llvm::divideCeil(columns, most);
  int64_t steps = llvm::divideCeil(columns, runs * step);
  bool goBy = steps * step <= target.accumulatedPixels;
  if (runs > 1 && steps % 2 == 0 && !goBy && (steps + 1) * step <= most)
    ++steps;
  return steps * step;
}

int64_t tasks::turnedRoom(const TargetDescription &target, int64_t rows,
                          int64_t columns) {
  int64_t room = productRoom(target), row = columns * elementBytes;
  int64_t most = std::min(rows, target.maxExchangedChannels(columns));
  int64_t run = room / (row + target.neStreamBytes);
  return room - std::min(most, run) * target.neStreamBytes;
}

NEParams tasks::productParams(MatMulOp op) {
  NEParams params;
  params.op = MACOp::mac;
  params.kernelless = false;
  params.unicast = 0;
  params.relu = isRelu(op.getActivationAttr());
  if (FloatAttr scale = op.getScaleAttr())
    params.postScale = scale.getValueAsDouble();
  return params;
}
