//===- LowerConv.cpp - Convolutions, matrix products, pools ---------------===//

#include "Lowering.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/TaskDescriptor/KernelLayout.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

namespace {

/// `count` elements from `begin` on; large constants are not copied.
ElementsAttr sliceElements(ElementsAttr elements, int64_t begin,
                           int64_t count) {
  auto type = RankedTensorType::get({count}, elements.getElementType());
  if (count == elements.getNumElements())
    return reshapeElements(elements, {count});
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    ArrayRef<char> data = resource.getRawHandle().getBlob()->getData();
    return DenseResourceElementsAttr::get(
        type, "slice",
        UnmanagedAsmResourceBlob::allocateWithAlign(
            data.slice(begin * elementBytes, count * elementBytes),
            alignof(uint16_t), nullptr, /*dataIsMutable=*/false));
  }
  std::optional<HalfElements> source = HalfElements::get(elements);
  std::vector<uint16_t> bits;
  bits.reserve(count);
  for (int64_t i = 0; i < count; ++i)
    bits.push_back((*source)[begin + i]);
  return makeHalfElements(type, std::move(bits));
}

/// An activation is relu, which the engine has, or a table in the kernel.
bool isRelu(NeuronAttr activation) {
  return activation && activation.getMode() == NonLinearMode::relu;
}

/// The largest power of two up to `value`.
unsigned floorPow2(int64_t value) {
  return 1u << llvm::Log2_64(std::max<int64_t>(value, 1));
}

/// The result restricted to some outputs, which lie along its channels, or
/// along its columns after a transposed write.
View sliceOutputs(const View &result, bool transposed, int64_t begin,
                  int64_t count) {
  return result.sliced(transposed ? W : C, begin, count);
}

} // namespace

/// Coefficients are laid out at compile time.
template <typename Layer>
LogicalResult Lowering::requireConstantKernel(Layer op) {
  auto isAtHand = [&](Value value) {
    return HalfElements::get(elementsOf(value)).has_value();
  };
  if (isAtHand(op.getKernel()) && (!op.getBias() || isAtHand(op.getBias())))
    return success();
  return refuse(op, (b.target.name + "-const-c2").str(),
                "kernel and bias must be constants, with their elements");
}

LogicalResult Lowering::lower(ConvOp op) {
  if (failed(requireConstantKernel(op)))
    return failure();
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
               sliceOutputs(y, false, begin, count), b.makeKernel(kernel));
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

LogicalResult Lowering::lower(MatMulOp op) {
  if (failed(requireConstantKernel(op)))
    return failure();
  View x = viewOf(op.getX()), y = resultView(op.getResult());
  auto kernelType = cast<RankedTensorType>(op.getKernel().getType());
  int64_t kernels = kernelType.getDimSize(C);
  int64_t outputs = kernelType.getDimSize(H), taps = kernelType.getDimSize(W);
  int64_t batch = y.shape[C], xBatch = x.shape[C];

  // [batch, 1, rows, 1, columns]: rows as channels.
  auto rowsAsChannels = [](const View &view) {
    View result = view;
    result.shape = {view.shape[C], 1, view.shape[H], 1, view.shape[W]};
    result.strides = {view.strides[C], view.strides[C], view.strides[H],
                      view.strides[H]};
    return result;
  };
  View source = rowsAsChannels(x);
  if (!op.getContractRows()) {
    View turned =
        b.makeScratch({xBatch, 1, source.shape[W], 1, source.shape[C]});
    b.emitTransposedCopy(source, turned);
    source = turned;
  }
  if (xBatch == 1 && batch > 1) {
    source.shape[N] = batch;
    source.strides[N] = 0;
  }

  KernelParams kernel;
  kernel.taps = taps;
  kernel.groups = kernels;
  kernel.activation =
      isRelu(op.getActivationAttr()) ? NeuronAttr() : op.getActivationAttr();
  NEParams params;
  params.op = MACOp::mac;
  params.kernelless = false;
  params.unicast = 0;
  params.relu = isRelu(op.getActivationAttr());
  params.grouped = kernels > 1;
  params.transposed = !op.getOutputsOnRows();
  ElementsAttr weights = elementsOf(op.getKernel());
  ElementsAttr bias = op.getBias() ? elementsOf(op.getBias()) : ElementsAttr();
  View result = rowsAsChannels(y);

  // Above 128 rows the rows of outputs get shorter with the contraction.
  constexpr int64_t manyRows = 128, longContraction = 32768;
  unsigned cap = b.target.ocgCap;
  if (source.shape[W] > manyRows)
    cap = std::min(cap, floorPow2(longContraction / taps));
  // Results are cut at multiples of a 64-byte step.
  int64_t step = b.target.rowAlignment / elementBytes;
  int64_t perTask = std::max(b.target.maxTaskCoefficientBytes /
                                 (taps * elementBytes) / step * step,
                             step);
  if (kernels > 1)
    perTask = outputs;
  for (int64_t begin = 0; begin < outputs; begin += perTask) {
    int64_t count = std::min(perTask, outputs - begin);
    kernel.outputs = count;
    kernel.weights = kernels > 1
                         ? weights
                         : sliceElements(weights, begin * taps, count * taps);
    if (bias) {
      kernel.bias = sliceElements(bias, begin, count);
      // Each matrix of a grouped kernel has the same addends.
      if (kernels > 1) {
        std::optional<HalfElements> one = HalfElements::get(bias);
        std::vector<uint16_t> all;
        all.reserve(kernels * outputs);
        for (int64_t i = 0; i < kernels * outputs; ++i)
          all.push_back((*one)[i % outputs]);
        kernel.bias = makeHalfElements(
            RankedTensorType::get({kernels * outputs}, bias.getElementType()),
            std::move(all));
      }
    }
    kernel.ocgSize = td::chooseOcgSize(count, cap);
    b.emitNE(Opcode::NEFUSED_CONV, UnitType::NEConv, params, source,
             sliceOutputs(result, params.transposed, begin, count),
             b.makeKernel(kernel));
  }
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
