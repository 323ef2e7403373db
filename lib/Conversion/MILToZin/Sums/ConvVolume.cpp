//===- ConvVolume.cpp - Convolution over three dimensions -----------------===//
//
// The engine has windows of rows and columns. A slice of the result along the
// depth is a convolution over two dimensions of as many slices of the input as
// the kernel is deep, side by side as channels; all slices of the result are a
// batch. So each element is one sum, rounded once.
//
// Where each channel has a kernel of its own, its slices lie side by side as
// channels already: they are a group of inputs, and those of the result the
// outputs of it, of which each has zeros for the slices that it does not see.
//
//===----------------------------------------------------------------------===//

#include "AlongDim.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Target/H13.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

Value constantOf(OpBuilder &builder, Location location, ArrayRef<int64_t> shape,
                 std::vector<uint16_t> bits) {
  return zin::ConstantOp::create(
      builder, location,
      cast<TypedAttr>(zin::makeHalfElements(
          halfType(builder.getContext(), shape), std::move(bits))));
}

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
  return constantOf(builder, location,
                    {shape[0], 1, shape[2] * shape[1], shape[3], shape[4]},
                    std::move(bits));
}

/// The kernel of groups of slices: [Cout * results, 1, slices, rows, columns]
/// from one for each channel, [Cout, 1, depth, rows, columns].
Value kernelOfSlices(OpBuilder &builder, Location location,
                     const zin::HalfElements &elements, ArrayRef<int64_t> shape,
                     const mil::Window &window) {
  int64_t plane = shape[3] * shape[4], slices = window.input[0],
          results = window.output[0], row = slices * plane;
  std::vector<uint16_t> bits(shape[0] * results * row, 0);
  for (int64_t output = 0; output < shape[0]; ++output)
    for (int64_t result = 0; result < results; ++result)
      for (int64_t tap = 0; tap < shape[2]; ++tap) {
        int64_t slice = result * window.stride[0] + tap * window.dilation[0] -
                        window.padBefore[0];
        if (slice < 0 || slice >= slices)
          continue;
        for (int64_t i = 0; i < plane; ++i)
          bits[(output * results + result) * row + slice * plane + i] =
              elements[(output * shape[2] + tap) * plane + i];
      }
  return constantOf(builder, location,
                    {shape[0] * results, 1, slices, shape[3], shape[4]},
                    std::move(bits));
}

/// Each number of a bias that is at hand `times` times.
Value repeatBias(OpBuilder &builder, Location location, Value bias,
                 int64_t times) {
  zin::HalfElements elements = *zin::halfElementsOf(bias);
  std::vector<uint16_t> bits;
  for (size_t i = 0; i < elements.size(); ++i)
    bits.insert(bits.end(), times, elements[i]);
  return constantOf(builder, location, {1, 1, int64_t(bits.size()), 1, 1},
                    std::move(bits));
}

/// Whether a kernel for each channel is worth its zeros: products with them,
/// and their bytes, take less time than memory moves the input for each tap
/// along the depth, and the result.
bool slicesAreChannels(ArrayRef<int64_t> shape, ArrayRef<int64_t> weightShape,
                       const mil::Window &window) {
  int64_t outputs = weightShape[0] * window.output[0];
  if (weightShape[1] != 1 || outputs > h13.maxChannels ||
      shape[1] * shape[2] > h13.maxChannels)
    return false;
  double weights = double(outputs) * shape[2] * weightShape[3] * weightShape[4],
         pixels = double(window.output[1]) * window.output[2],
         input = double(llvm::product_of(shape)),
         result = double(shape[0]) * outputs * pixels;
  double productBytes = weights * shape[0] * pixels / productsPerByte;
  return productBytes + weights * halfBytes <
         (weightShape[2] * input + result) * halfBytes;
}

DenseI64ArrayAttr planar(OpBuilder &builder, ArrayRef<int64_t> list) {
  return builder.getDenseI64ArrayAttr(list.drop_front());
}

/// A kernel for each channel, whose slices are channels.
Value convolveSlices(OpBuilder &builder, Location location, Value x,
                     const zin::HalfElements &elements,
                     ArrayRef<int64_t> weightShape, Value bias,
                     const mil::Window &window, int64_t groups) {
  ArrayRef<int64_t> shape = milShape(x);
  int64_t outputs = weightShape[0], results = window.output[0];
  x = reshapeTo(builder, location, x,
                {shape[0], 1, shape[1] * shape[2], shape[3], shape[4]});
  Value kernel =
      kernelOfSlices(builder, location, elements, weightShape, window);
  if (bias)
    bias = repeatBias(builder, location, bias, results);
  Value y = zin::ConvOp::create(
      builder, location,
      halfType(builder.getContext(), {shape[0], 1, outputs * results,
                                      window.output[1], window.output[2]}),
      x, kernel, bias, planar(builder, window.stride),
      planar(builder, window.padBefore), planar(builder, window.dilation),
      builder.getI64IntegerAttr(groups), zin::NeuronAttr());
  return reshapeTo(
      builder, location, y,
      {shape[0], outputs, results, window.output[1], window.output[2]});
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
  if (slicesAreChannels(shape, weightShape, window) &&
      (!bias || zin::isAtHand(bias)))
    return convolveSlices(builder, location, x, *elements, weightShape, bias,
                          window, groups);
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
  Value y = zin::ConvOp::create(
      builder, location,
      halfType(builder.getContext(),
               {results * batch, 1, outputs, rows, columns}),
      x, kernel, bias, planar(builder, window.stride),
      planar(builder, window.padBefore), planar(builder, window.dilation),
      builder.getI64IntegerAttr(groups), zin::NeuronAttr());
  y = reshapeTo(builder, location, y, {results, batch, outputs, rows, columns});
  return zin::transposeBy(builder, location, y, {1, 2, 0, 3, 4});
}
