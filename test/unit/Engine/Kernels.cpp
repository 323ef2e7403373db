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
      uint32_t row =
          coefficients.channelwise ? 1 : std::clamp(rest / 16, 1u, rowCap);
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

/// The weights of an input channel as the masks of a stride of 2 count them:
/// four phases, in each the taps by rows, `width` numbers for each tap.
static std::vector<double> inPhases(const Coefficients &coefficients,
                                    uint32_t group, uint32_t first,
                                    uint32_t row, uint32_t channel,
                                    uint32_t extent) {
  uint32_t width = coefficients.channelwise ? 2 : std::max(row, 4u);
  std::vector<double> numbers;
  for (uint32_t phase = 0; phase < 4; ++phase) {
    for (uint32_t y = phase / 2; y < extent + phase / 2; y += 2)
      for (uint32_t x = phase % 2; x < extent + phase % 2; x += 2)
        for (uint32_t i = 0; i < width; ++i)
          numbers.push_back(
              y < extent && x < extent && i < row
                  ? coefficients.weight(group, first + i,
                                        (channel * extent + y) * extent + x)
                  : 0);
    numbers.resize(llvm::alignTo(numbers.size(), 4));
  }
  return numbers;
}

std::vector<std::vector<uint8_t>>
test::packSparseLanes(const Coefficients &coefficients, uint32_t rowCap,
                      uint32_t extent) {
  std::vector<std::vector<uint8_t>> lanes(16);
  forEachPlane(coefficients, rowCap,
               [&](uint32_t index, uint32_t g, uint32_t first, uint32_t row) {
                 std::vector<uint8_t> &lane = lanes[index];
                 if (!coefficients.channelwise)
                   pad(lane);
                 appendBias(lane, coefficients, g, first, row);
                 std::vector<uint8_t> body;
                 for (uint32_t c = 0; c < coefficients.taps / (extent * extent);
                      ++c) {
                   std::vector<double> numbers =
                       inPhases(coefficients, g, first, row, c, extent);
                   for (size_t i = 0; i < numbers.size(); i += 8) {
                     std::vector<double> values;
                     uint8_t mask = 0;
                     for (size_t bit = 0; bit < 8; ++bit)
                       if (double value = numbers[i + bit]) {
                         mask |= 1 << bit;
                         values.push_back(value);
                       }
                     body.push_back(mask);
                     appendHalves(body, values);
                   }
                 }
                 for (unsigned shift : {0, 8, 16})
                   lane.push_back(body.size() >> shift);
                 lane.insert(lane.end(), body.begin(), body.end());
               });
  for (std::vector<uint8_t> &lane : lanes)
    pad(lane);
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
