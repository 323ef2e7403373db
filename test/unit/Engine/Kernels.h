//===- Kernels.h - Coefficient lanes for tests ------------------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_ENGINE_KERNELS_H
#define ANE_TEST_UNIT_ENGINE_KERNELS_H

#include "Fixtures.h"
#include "ane/TaskDescriptor/Lut.h"

namespace ane::engine::test {

/// Coefficients by group, output channel of the group, and tap in the order
/// input channel, kernel row, kernel column.
struct Coefficients {
  uint32_t groups = 1, channels = 1, taps = 1;
  bool channelwise = false;
  std::vector<double> weights;
  std::vector<double> bias; ///< by group and channel, or empty
  std::optional<td::LutRecord> table;

  double weight(uint32_t g, uint32_t o, uint32_t k) const {
    return weights[(size_t(g) * channels + o) * taps + k];
  }
  double biasOf(uint32_t g, uint32_t o) const {
    return bias.empty() ? 0 : bias[size_t(g) * channels + o];
  }
};

/// Pseudo-random coefficients, multiples of 1/64 in [-1, 1].
Coefficients randomCoefficients(uint32_t groups, uint32_t channels,
                                uint32_t taps, bool bias, unsigned seed);

/// The lanes, all of the same size, as the encoding rules of real programs
/// describe them. `rowCap` is 2^OCGSize.
std::vector<std::vector<uint8_t>> packLanes(const Coefficients &coefficients,
                                            uint32_t rowCap);

/// The lanes with zeros left out, each of the size it needs, for windows of
/// `extent` rows and columns and strides of 2.
std::vector<std::vector<uint8_t>>
packSparseLanes(const Coefficients &coefficients, uint32_t rowCap,
                uint32_t extent = 1);

/// Appends the lanes to the constants of a model and enables them in a task,
/// with OCGSize, BiasMode and NonlinearMode as the coefficients need them.
void addKernel(Model &model, td::RegisterImage &image,
               const Coefficients &coefficients, unsigned ocgSize);

/// Geometry of a convolution or pooling.
struct Geometry {
  uint32_t kernelHeight = 1, kernelWidth = 1;
  uint32_t strideY = 1, strideX = 1;
  uint32_t top = 0, left = 0;
};
void setGeometry(td::RegisterImage &image, const Geometry &geometry);

/// The convolution, in double. `shared` uses group 0 of the coefficients for
/// all groups of the input.
Array convolve(const Array &input, const Coefficients &coefficients,
               const Geometry &geometry, const Extents &output,
               bool shared = false);

} // namespace ane::engine::test

#endif // ANE_TEST_UNIT_ENGINE_KERNELS_H
