//===- LowerConv.cpp - Convolutions and pools -----------------------------===//

#include "Coefficients.h"
#include "Lowering.h"
#include "ane/TaskDescriptor/KernelLayout.h"

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

LogicalResult Lowering::lower(ConvOp op) {
  if (!isAtHand(op.getKernel()) || (op.getBias() && !isAtHand(op.getBias())))
    return refuse(op, (b.target.name + "-const-c2").str(),
                  "kernel and bias must be constants, with their elements");
  if (llvm::any_of(op.getDilations(), [](int64_t step) { return step != 1; }))
    return op.emitError() << "conv: no task has a dilated kernel; run the pass "
                             "zin-legalize first";
  View x = viewOf(op.getX()), y = resultView(op.getResult());
  auto kernelType = cast<RankedTensorType>(op.getKernel().getType());
  ElementsAttr weights = elementsOf(op.getKernel());
  ElementsAttr bias = op.getBias() ? elementsOf(op.getBias()) : ElementsAttr();
  int64_t groups = op.getGroups(), cin = x.shape[C], cout = y.shape[C];

  KernelParams kernel;
  kernel.weights = weights;
  kernel.bias = bias;
  kernel.activation =
      isRelu(op.getActivationAttr()) ? NeuronAttr() : op.getActivationAttr();
  NEParams params;
  params.op = MACOp::mac;
  params.kernelless = false;
  params.window = {kernelType.getDimSize(H), kernelType.getDimSize(W)};
  llvm::copy(op.getStrides(), params.stride.begin());
  llvm::copy(op.getPadding(), params.padding.begin());
  params.relu = isRelu(op.getActivationAttr());
  if (FloatAttr scale = op.getScaleAttr())
    params.postScale = scale.getValueAsDouble();
  int64_t windowTaps = params.window[0] * params.window[1];

  // One input channel for each output channel: every NE works on its own.
  if (groups == cin && groups == cout) {
    kernel.outputs = cout;
    kernel.taps = windowTaps;
    kernel.channelwise = true;
    b.emitNE(Opcode::NEFUSED_CONV, UnitType::NEConv, params, x, y,
             b.makeKernel(kernel));
    return success();
  }

  params.unicast = 0;
  kernel.taps = cin / groups * windowTaps;
  bool small = std::max(x.shape[H], x.shape[W]) <= b.target.smallInput;
  unsigned cap = small ? b.target.ocgCapSmall : b.target.ocgCap;
  if (groups == 1) {
    // As many outputs a task as its coefficients may take.
    int64_t perTask = std::max<int64_t>(
        b.target.maxTaskCoefficientBytes / (kernel.taps * elementBytes), 1);
    for (int64_t begin = 0; begin < cout; begin += perTask) {
      int64_t count = std::min(perTask, cout - begin);
      kernel.outputs = count;
      kernel.weights =
          sliceElements(weights, begin * kernel.taps, count * kernel.taps);
      kernel.bias = bias ? sliceElements(bias, begin, count) : bias;
      kernel.ocgSize = td::chooseOcgSize(count, cap);
      b.emitNE(Opcode::NEFUSED_CONV, UnitType::NEConv, params, x,
               y.sliced(C, begin, count), b.makeKernel(kernel));
    }
    return success();
  }

  // A grouped kernel takes the group registers, so a batch is several tasks.
  kernel.outputs = cout / groups;
  kernel.groups = groups;
  kernel.ocgSize = td::chooseOcgSize(kernel.outputs, cap);
  params.grouped = true;
  FlatSymbolRefAttr symbol = b.makeKernel(kernel);
  auto grouped = [&](const View &view, int64_t batch) {
    View result = view.sliced(N, batch, 1);
    int64_t channels = view.shape[C] / groups;
    result.shape[N] = groups;
    result.shape[C] = channels;
    result.strides[N] = view.strides[C] * channels;
    return result;
  };
  for (int64_t batch = 0; batch < x.shape[N]; ++batch)
    b.emitNE(Opcode::NEFUSED_CONV, UnitType::NEConv, params, grouped(x, batch),
             grouped(y, batch), symbol);
  return success();
}

LogicalResult Lowering::lower(PoolOp op) {
  View x = viewOf(op.getX()), y = resultView(op.getResult());
  bool isMax = op.getKind() == PoolingType::Max;
  NEParams params;
  params.op = isMax ? MACOp::max : MACOp::mac;
  params.lowestPadding = isMax;
  llvm::copy(op.getWindow(), params.window.begin());
  llvm::copy(op.getStrides(), params.stride.begin());
  llvm::copy(op.getPadding().take_front(2), params.padding.begin());
  if (!isMax)
    params.postScale = 1.0 / (params.window[0] * params.window[1]);
  b.emitNE(Opcode::NEFUSED_POOL, UnitType::NEPool, params, x, y);
  return success();
}
