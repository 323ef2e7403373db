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

/// The extents of a convolution. Channels are those of one group, planes the
/// number of places in one channel.
struct Extents {
  int64_t batch, groups;
  int64_t inChannels, outChannels;
  int64_t inPlane, outPlane;
  int64_t kernel;

  int64_t depth() const { return inChannels * kernel; }
};

/// The inputs of one group at a run of output places, as columns: input channel
/// by input channel, and within one, kernel element by kernel element, which is
/// the order of a row of the weight.
Panel<double> gather(const Extents &extents, const Window &window,
                     const double *channels, int64_t position, int64_t places) {
  Panel<double> panel(extents.depth());
  for (int64_t column = 0; column < places; ++column) {
    Taps taps = tapsAt(window, position + column);
    for (int64_t channel = 0; channel < extents.inChannels; ++channel)
      for (Tap tap : taps.inInput)
        panel.at(channel * extents.kernel + tap.kernel, column) =
            channels[channel * extents.inPlane + tap.input];
  }
  return panel;
}

/// Computes one result from `x`, the rows of the weight, [groups * outChannels,
/// depth], and the bias, which may be null. Tasks are runs of places and of
/// output channels, so that one of the two suffices to occupy the threads.
void convolve(MLIRContext *context, const Extents &extents,
              const Window &window, const Tensor &x, const double *weight,
              const Tensor *bias, Tensor &result) {
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
            gather(extents, window,
                   x.floats().data() +
                       image * extents.inChannels * extents.inPlane,
                   first, places)
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
  convolve(op.getContext(), extents, *window, x, weight.floats().data(), bias,
           result);
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

/// Adds what the inputs of one group give at a run of places, `sums`, to the
/// plane of one output channel.
void scatter(const Window &window, int64_t first, int64_t places,
             const double *sums, MutableArrayRef<double *> planes) {
  int64_t kernel = kernelSize(window);
  for (int64_t column = 0; column < places; ++column)
    for (Tap tap : tapsAt(window, first + column).inInput)
      for (auto [channel, plane] : llvm::enumerate(planes))
        plane[tap.input] +=
            sums[(channel * kernel + tap.kernel) * Panel<double>::width +
                 column];
}

/// Scatters: each place of the input is multiplied by the whole kernel, and the
/// products are added up where they come to lie. A gather would multiply by
/// zeros all elements of the kernel that are no whole steps away, of which a
/// kernel of large steps has some hundred for each that counts. The window is
/// that of the convolution that goes the other way, so its output is the input.
FailureOr<Tensor> convTranspose(ConvTransposeOp op,
                                Inputs<ConvTransposeOp> in) {
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return failure();
  constexpr int64_t width = Panel<double>::width, rowsOfTask = 64;
  Tensor result = resultOf(op);
  const Tensor &x = *in.getX(), &weight = *in.getWeight(), *bias = in.getBias();
  int64_t groups = in.getInt("groups");
  int64_t inChannels = x.getDimSize(1) / groups,
          outChannels = weight.getDimSize(1);
  int64_t inPlane = outputSize(*window), outPlane = inputSize(*window),
          kernel = kernelSize(*window);
  // [groups, inChannels, outChannels, kernel] as [groups, outChannels, kernel,
  // inChannels].
  std::vector<double> rows;
  rows.reserve(weight.getNumElements());
  int64_t inStride = outChannels * kernel;
  Strides strides = {inChannels * inStride, kernel, 1, inStride};
  forEachIndex<1>({groups, outChannels, kernel, inChannels}, {strides},
                  [&](const std::array<int64_t, 1> &at) {
                    rows.push_back(weight.floats()[at[0]]);
                  });
  int64_t channelsOfTask =
      std::min<int64_t>(llvm::divideCeil(rowsOfTask, kernel), outChannels);
  int64_t parts = llvm::divideCeil(outChannels, channelsOfTask);
  mlir::parallelFor(
      op.getContext(), 0, x.getDimSize(0) * groups * parts, [&](size_t task) {
        int64_t image = task / parts; // of one group
        int64_t from = task % parts * channelsOfTask;
        int64_t channel = image % groups * outChannels + from;
        SmallVector<double *> planes;
        for (int64_t i = 0; i < std::min(channelsOfTask, outChannels - from);
             ++i) {
          planes.push_back(result.floats().data() +
                           (image * outChannels + from + i) * outPlane);
          std::fill_n(planes.back(), outPlane,
                      bias ? bias->floats()[channel + i] : 0);
        }
        for (int64_t first = 0; first < inPlane; first += width) {
          int64_t places = std::min(width, inPlane - first);
          Panel<double> panel(inChannels);
          for (int64_t k = 0; k < inChannels; ++k)
            for (int64_t column = 0; column < places; ++column)
              panel.at(k, column) =
                  x.floats()[(image * inChannels + k) * inPlane + first +
                             column];
          std::vector<double> sums =
              panel.multiply(rows.data() + channel * kernel * inChannels,
                             planes.size() * kernel);
          scatter(*window, first, places, sums.data(), planes);
        }
      });
  return result;
}

} // namespace

void ane::reference::registerConvOps(OpTable &table) {
  table.add<ConvOp>(conv);
  table.add<ConvQuantizedOp>(convQuantized);
  table.add<ConvTransposeOp>(convTranspose);
}
