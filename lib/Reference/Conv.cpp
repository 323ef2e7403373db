//===- Conv.cpp - Convolution ---------------------------------------------===//

#include "OpTable.h"
#include "Panel.h"
#include "Taps.h"
#include "mlir/IR/Threading.h"

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

namespace {

/// The inputs of one group at a run of output places, as columns: input channel
/// by input channel, and within one, kernel element by kernel element, which is
/// the order of a row of the weight.
Panel<double> gather(const Window &window, ArrayRef<double> channels,
                     int64_t numChannels, int64_t position, int64_t places) {
  int64_t taps = kernelSize(window), plane = inputSize(window);
  Panel<double> panel(numChannels * taps);
  for (int64_t column = 0; column < places; ++column) {
    Taps at = tapsAt(window, position + column);
    for (int64_t channel = 0; channel < numChannels; ++channel)
      for (Tap tap : at.inInput)
        panel.at(channel * taps + tap.kernel, column) =
            channels[channel * plane + tap.input];
  }
  return panel;
}

FailureOr<Tensor> conv(ConvOp op, Inputs<ConvOp> in) {
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return failure();
  Tensor result = resultOf(op);
  int64_t groups = intOr(in.getGroups(), 1);
  int64_t batch = in.getX()->getDimSize(0);
  int64_t inChannels = in.getX()->getDimSize(1) / groups;
  int64_t outChannels = in.getWeight()->getDimSize(0) / groups;
  int64_t inPlane = inputSize(*window), outPlane = outputSize(*window);
  int64_t depth = inChannels * kernelSize(*window);
  const double *weight = in.getWeight()->floats().data();
  int64_t panels = panelCount<double>(outPlane);

  auto convolvePanel = [&](size_t task) {
    int64_t first = task % panels * Panel<double>::width;
    int64_t group = task / panels % groups, n = task / panels / groups;
    int64_t places = std::min(Panel<double>::width, outPlane - first);
    ArrayRef<double> channels = in.getX()->floats().slice(
        (n * groups + group) * inChannels * inPlane, inChannels * inPlane);
    std::vector<double> sums =
        gather(*window, channels, inChannels, first, places)
            .multiply(weight + group * outChannels * depth, outChannels);
    double *out = result.floats().data() +
                  (n * groups + group) * outChannels * outPlane + first;
    for (int64_t channel = 0; channel < outChannels; ++channel) {
      double bias = in.getBias()
                        ? in.getBias()->floats()[group * outChannels + channel]
                        : 0;
      for (int64_t place = 0; place < places; ++place)
        out[channel * outPlane + place] =
            sums[channel * Panel<double>::width + place] + bias;
    }
  };
  mlir::parallelFor(op.getContext(), 0, batch * groups * panels, convolvePanel);
  return result;
}

} // namespace

void ane::reference::registerConvOps(OpTable &table) {
  table.add<ConvOp>(conv);
}
