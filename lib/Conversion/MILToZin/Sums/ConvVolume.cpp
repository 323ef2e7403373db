//===- ConvVolume.cpp - Convolution over three dimensions -----------------===//
//
// The engine has windows of rows and columns. A slice of the result along the
// depth is a convolution over two dimensions of as many slices of the input as
// the kernel is deep, side by side as channels; all slices of the result are a
// batch. So each element is one sum, rounded once.
//
//===----------------------------------------------------------------------===//

#include "AlongDim.h"
#include "ane/Dialect/Zin/IR/Views.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// [Cout, Cin / groups, depth, rows, columns] with the depth in front of the
/// input channels, as [Cout, 1, depth * Cin / groups, rows, columns].
Value flattenKernel(OpBuilder &builder, Location location,
                    const zin::HalfElements &elements,
                    ArrayRef<int64_t> shape) {
  int64_t plane = shape[3] * shape[4];
  std::vector<uint16_t> bits;
  bits.reserve(elements.size());
  for (int64_t output = 0; output < shape[0]; ++output)
    for (int64_t depth = 0; depth < shape[2]; ++depth)
      for (int64_t input = 0; input < shape[1]; ++input)
        for (int64_t i = 0; i < plane; ++i)
          bits.push_back(
              elements[((output * shape[1] + input) * shape[2] + depth) *
                           plane +
                       i]);
  RankedTensorType type =
      halfType(builder.getContext(),
               {shape[0], 1, shape[2] * shape[1], shape[3], shape[4]});
  return zin::ConstantOp::create(
      builder, location,
      cast<TypedAttr>(zin::makeHalfElements(type, std::move(bits))));
}

} // namespace

Value ane::lowering::convolveVolume(OpBuilder &builder, Location location,
                                    Value x, Value weight, Value bias,
                                    const mil::Window &window, int64_t groups) {
  ArrayRef<int64_t> weightShape = milShape(weight);
  std::optional<zin::HalfElements> elements =
      zin::HalfElements::get(halfConstant(weight, weightShape));
  if (!elements)
    return {};
  ArrayRef<int64_t> shape = milShape(x);
  int64_t batch = shape[0], channels = shape[1];
  int64_t depth = window.kernel[0], results = window.output[0];
  // [depth, batch, channels, rows, columns], padded.
  x = zin::transposeBy(builder, location, x, {2, 0, 1, 3, 4});
  int64_t behind = window.reachBehind(0);
  SmallVector<Value> padded;
  if (window.padBefore[0] > 0)
    padded.push_back(
        splatLike(builder, location, x, zin::N, window.padBefore[0], 0));
  padded.push_back(x);
  if (behind > 0)
    padded.push_back(splatLike(builder, location, x, zin::N, behind, 0));
  x = zin::concatAlong(builder, location, padded, zin::N);

  Shape5 grouped = {results * batch, groups, channels / groups, shape[3],
                    shape[4]};
  SmallVector<Value> taps;
  for (int64_t tap = 0; tap < depth; ++tap) {
    SmallVector<int64_t> indices;
    for (int64_t i = 0; i < results; ++i)
      indices.push_back(tap * window.dilation[0] + i * window.stride[0]);
    taps.push_back(reshapeTo(builder, location,
                             takeAlong(builder, location, x, zin::N, indices),
                             grouped));
  }
  x = reshapeTo(builder, location,
                zin::concatAlong(builder, location, taps, zin::C),
                {results * batch, 1, depth * channels, shape[3], shape[4]});

  Value kernel = flattenKernel(builder, location, *elements, weightShape);
  int64_t outputs = weightShape[0], rows = window.output[1],
          columns = window.output[2];
  auto planar = [&](ArrayRef<int64_t> list) {
    return builder.getDenseI64ArrayAttr(list.drop_front());
  };
  Value y = zin::ConvOp::create(
      builder, location,
      halfType(builder.getContext(),
               {results * batch, 1, outputs, rows, columns}),
      x, kernel, bias, planar(window.stride), planar(window.padBefore),
      planar(window.dilation), builder.getI64IntegerAttr(groups),
      zin::NeuronAttr());
  y = reshapeTo(builder, location, y, {results, batch, outputs, rows, columns});
  return zin::transposeBy(builder, location, y, {1, 2, 0, 3, 4});
}
