//===- Conv.cpp - Convolution ---------------------------------------------===//

#include "IndexSpace.h"
#include "OpTable.h"
#include "Sums/Panel.h"
#include "Sums/Taps.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "mlir/IR/Threading.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

namespace {

/// The extents of a convolution, transposed or not. Channels are those of one
/// group, planes the number of places in one channel.
struct Extents {
  int64_t batch, groups;
  int64_t inChannels, outChannels;
  int64_t inPlane, outPlane;
  int64_t kernel;

  int64_t depth() const { return inChannels * kernel; }
};

/// The inputs of one group at a run of output places, as columns: input channel
/// by input channel, and within one, kernel element by kernel element, which is
/// the order of a row of the weight. `tapsAt(place)` lists what meets there.
template <typename TapsFn>
Panel<double> gather(const Extents &extents, const double *channels,
                     int64_t position, int64_t places, TapsFn tapsAt) {
  Panel<double> panel(extents.depth());
  for (int64_t column = 0; column < places; ++column) {
    auto taps = tapsAt(position + column);
    for (int64_t channel = 0; channel < extents.inChannels; ++channel)
      for (Tap tap : taps)
        panel.at(channel * extents.kernel + tap.kernel, column) =
            channels[channel * extents.inPlane + tap.input];
  }
  return panel;
}

/// Computes one result from `x`, the rows of the weight, [groups * outChannels,
/// depth], and the bias, which may be null. Tasks are runs of places and of
/// output channels, so that one of the two suffices to occupy the threads.
template <typename TapsFn>
void convolve(MLIRContext *context, const Extents &extents, const Tensor &x,
              const double *weight, const Tensor *bias, Tensor &result,
              TapsFn tapsAt) {
  constexpr int64_t width = Panel<double>::width, rowsOfTask = 64;
  int64_t panels = panelCount<double>(extents.outPlane);
  int64_t parts = llvm::divideCeil(extents.outChannels, rowsOfTask);

  mlir::parallelFor(
      context, 0, extents.batch * extents.groups * panels * parts,
      [&](size_t task) {
        int64_t firstRow = task % parts * rowsOfTask;
        int64_t first = task / parts % panels * width;
        int64_t image = task / parts / panels; // of one group
        int64_t places = std::min(width, extents.outPlane - first);
        int64_t rows = std::min(rowsOfTask, extents.outChannels - firstRow);
        int64_t channel =
            image % extents.groups * extents.outChannels + firstRow;
        std::vector<double> sums =
            gather(extents,
                   x.floats().data() +
                       image * extents.inChannels * extents.inPlane,
                   first, places, tapsAt)
                .multiply(weight + channel * extents.depth(), rows);
        double *out =
            result.floats().data() + first +
            (image * extents.outChannels + firstRow) * extents.outPlane;
        for (int64_t row = 0; row < rows; ++row) {
          double offset = bias ? bias->floats()[channel + row] : 0;
          for (int64_t place = 0; place < places; ++place)
            out[row * extents.outPlane + place] =
                sums[row * width + place] + offset;
        }
      });
}

template <typename Op>
FailureOr<Tensor> convolveWith(Op op, const Tensor &x, const Tensor &weight,
                               const Tensor *bias, int64_t groups) {
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return failure();
  Tensor result = resultOf(op);
  Extents extents = {x.getDimSize(0),          groups,
                     x.getDimSize(1) / groups, weight.getDimSize(0) / groups,
                     inputSize(*window),       outputSize(*window),
                     kernelSize(*window)};
  convolve(op.getContext(), extents, x, weight.floats().data(), bias, result,
           [&](int64_t place) { return tapsAt(*window, place).inInput; });
  return result;
}

FailureOr<Tensor> conv(ConvOp op, Inputs<ConvOp> in) {
  return convolveWith(op, *in.getX(), *in.getWeight(), in.getBias(),
                      in.getInt("groups"));
}

FailureOr<Tensor> convQuantized(ConvQuantizedOp op,
                                Inputs<ConvQuantizedOp> in) {
  if (getConstantString(op.getQuantizationType()) != "linear")
    return report(op) << "a weight of quantization_type lut has no reference; "
                         "where its table lies is not documented";
  auto fp64 = Float64Type::get(op.getContext());
  Tensor weight = convert(*in.getWeight(), fp64);
  ArrayRef<double> scale = in.getQuantScale()->floats();
  ArrayRef<double> offset = in.getQuantBias()->floats();
  size_t perChannel =
      weight.getNumElements() / std::max<int64_t>(weight.getDimSize(0), 1);
  for (auto [i, element] : llvm::enumerate(weight.floats()))
    element = element * scale[scale.size() == 1 ? 0 : i / perChannel] +
              offset[offset.size() == 1 ? 0 : i / perChannel];
  std::optional<Tensor> bias;
  if (in.getBias())
    bias = convert(*in.getBias(), fp64);
  return convolveWith(op, *in.getX(), weight, bias ? &*bias : nullptr,
                      in.getInt("groups"));
}

/// Gathers, as a convolution does: at each place of the result, what reaches
/// it.
FailureOr<Tensor> convTranspose(ConvTransposeOp op,
                                Inputs<ConvTransposeOp> in) {
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return failure();
  Tensor result = resultOf(op);
  const Tensor &x = *in.getX(), &weight = *in.getWeight();
  int64_t groups = in.getInt("groups");
  Extents extents = {x.getDimSize(0),          groups,
                     x.getDimSize(1) / groups, weight.getDimSize(1),
                     outputSize(*window),      inputSize(*window),
                     kernelSize(*window)};
  // [groups, inChannels, outChannels, kernel] as [groups, outChannels,
  // inChannels, kernel].
  std::vector<double> rows;
  rows.reserve(weight.getNumElements());
  int64_t inStride = extents.outChannels * extents.kernel;
  Strides strides = {extents.inChannels * inStride, extents.kernel, inStride,
                     1};
  forEachIndex<1>(
      {groups, extents.outChannels, extents.inChannels, extents.kernel},
      {strides}, [&](const std::array<int64_t, 1> &at) {
        rows.push_back(weight.floats()[at[0]]);
      });
  convolve(op.getContext(), extents, x, rows.data(), in.getBias(), result,
           [&](int64_t place) { return transposedTapsAt(*window, place); });
  return result;
}

} // namespace

void ane::reference::registerConvOps(OpTable &table) {
  table.add<ConvOp>(conv);
  table.add<ConvQuantizedOp>(convQuantized);
  table.add<ConvTransposeOp>(convTranspose);
}
