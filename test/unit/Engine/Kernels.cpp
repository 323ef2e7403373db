//===- Kernels.cpp - Coefficient lanes for tests --------------------------===//

#include "Kernels.h"
#include "Tables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

Coefficients test::randomCoefficients(uint32_t groups, uint32_t channels,
                                      uint32_t taps, bool bias, unsigned seed) {
  Coefficients result;
  result.groups = groups;
  result.channels = channels;
  result.taps = taps;
  result.weights =
      randomArray({groups, 1, channels, 1, taps}, seed, -1, 1).values;
  if (bias)
    result.bias =
        randomArray({groups, 1, channels, 1, 1}, seed + 1, -1, 1).values;
  return result;
}

static void pad(std::vector<uint8_t> &lane) {
  lane.resize(llvm::alignTo(lane.size(), 64));
}

/// Calls `body(lane, group, first channel, channels)` for every plane.
template <typename Body>
static void forEachPlane(const Coefficients &coefficients, uint32_t rowCap,
                         Body body) {
  for (uint32_t g = 0; g < coefficients.groups; ++g) {
    uint32_t start = 0;
    while (start < coefficients.channels) {
      uint32_t rest = coefficients.channels - start;
      uint32_t row = 1;
      if (!coefficients.channelwise)
        while (row * 2 <= rowCap && row * 2 * 16 <= rest)
          row *= 2;
      for (uint32_t lane = 0; lane < 16 && lane * row < rest; ++lane)
        body(lane, g, start + lane * row, row);
      start += std::min(rest, 16 * row);
    }
  }
}

static void appendBias(std::vector<uint8_t> &lane,
                       const Coefficients &coefficients, uint32_t group,
                       uint32_t first, uint32_t row) {
  if (!coefficients.bias.empty())
    for (uint32_t i = 0; i < row; ++i)
      appendHalves(lane, coefficients.biasOf(group, first + i));
}

std::vector<std::vector<uint8_t>>
test::packSparseLanes(const Coefficients &coefficients, uint32_t rowCap) {
  std::vector<std::vector<uint8_t>> lanes(16);
  forEachPlane(coefficients, rowCap,
               [&](uint32_t index, uint32_t g, uint32_t first, uint32_t row) {
                 std::vector<uint8_t> &lane = lanes[index];
                 appendBias(lane, coefficients, g, first, row);
                 std::vector<uint8_t> body;
                 for (uint32_t k = 0; k < coefficients.taps; ++k) {
                   std::vector<double> values;
                   uint8_t mask = 0;
                   for (uint32_t i = 0; i < row; ++i)
                     if (double value = coefficients.weight(g, first + i, k)) {
                       mask |= 1 << i;
                       values.push_back(value);
                     }
                   body.insert(body.end(), {0, mask});
                   appendHalves(body, values);
                   body.resize(body.size() + row / 2 - 2);
                 }
                 lane.insert(lane.end(),
                             {uint8_t(body.size()), uint8_t(body.size() >> 8)});
                 lane.insert(lane.end(), body.begin(), body.end());
                 pad(lane);
               });
  std::erase_if(lanes,
                [](const std::vector<uint8_t> &lane) { return lane.empty(); });
  return lanes;
}

std::vector<std::vector<uint8_t>>
test::packLanes(const Coefficients &coefficients, uint32_t rowCap) {
  std::vector<std::vector<uint8_t>> lanes(16);
  forEachPlane(coefficients, rowCap,
               [&](uint32_t lane, uint32_t g, uint32_t first, uint32_t row) {
                 appendBias(lanes[lane], coefficients, g, first, row);
                 std::vector<double> plane;
                 for (uint32_t k = 0; k < coefficients.taps; ++k)
                   for (uint32_t i = 0; i < row; ++i)
                     plane.push_back(coefficients.weight(g, first + i, k));
                 appendHalves(lanes[lane], plane);
                 if (coefficients.groups > 1)
                   pad(lanes[lane]);
               });
  size_t size = 0;
  for (std::vector<uint8_t> &lane : lanes) {
    pad(lane);
    size = std::max(size, lane.size());
  }
  std::erase_if(lanes,
                [](const std::vector<uint8_t> &lane) { return lane.empty(); });
  for (std::vector<uint8_t> &lane : lanes) {
    lane.resize(size);
    if (coefficients.table) {
      std::vector<uint8_t> planes = std::move(lane);
      lane.clear();
      appendTable(lane, *coefficients.table);
      llvm::append_range(lane, planes);
    }
  }
  return lanes;
}

void test::addKernel(Model &model, td::RegisterImage &image,
                     const Coefficients &coefficients, unsigned ocgSize) {
  std::vector<std::vector<uint8_t>> lanes =
      packLanes(coefficients, 1u << ocgSize);
  image.set(Field::OCGSize, ocgSize);
  image.set(Field::BiasMode, !coefficients.bias.empty());
  if (coefficients.table)
    image.set(Field::NonlinearMode, 2);
  size_t size = lanes.front().size();
  setLanes(image, lanes.size(), size, size, model.constants.size());
  for (const std::vector<uint8_t> &lane : lanes)
    model.constants.insert(model.constants.end(), lane.begin(), lane.end());
}

void test::setGeometry(td::RegisterImage &image, const Geometry &geometry) {
  image.set(Field::Kh, geometry.kernelHeight);
  image.set(Field::Kw, geometry.kernelWidth);
  image.set(Field::Sy, geometry.strideY);
  image.set(Field::Sx, geometry.strideX);
  image.set(Field::Py, geometry.top);
  image.set(Field::Px, geometry.left);
}

Array test::convolve(const Array &input, const Coefficients &coefficients,
                     const Geometry &geometry, const Extents &output,
                     bool shared) {
  Array result(output);
  const Extents &in = input.extents;
  forEach(output,
          [&](uint32_t g, uint32_t d, uint32_t o, uint32_t y, uint32_t x) {
            uint32_t kernelGroup = shared ? 0 : g;
            double sum = coefficients.biasOf(kernelGroup, o);
            uint32_t tap = 0;
            uint32_t firstChannel = coefficients.channelwise ? o : 0;
            uint32_t channels = coefficients.channelwise ? 1 : in.channels;
            for (uint32_t c = firstChannel; c < firstChannel + channels; ++c)
              for (uint32_t ky = 0; ky < geometry.kernelHeight; ++ky)
                for (uint32_t kx = 0; kx < geometry.kernelWidth; ++kx, ++tap) {
                  // Before the first row or column, these wrap around.
                  uint32_t iy = y * geometry.strideY + ky - geometry.top;
                  uint32_t ix = x * geometry.strideX + kx - geometry.left;
                  if (iy < in.height && ix < in.width)
                    sum += input.at(g, d, c, iy, ix) *
                           coefficients.weight(kernelGroup, o, tap);
                }
            result.at(g, d, o, y, x) = sum;
          });
  return result;
}
