//===- PerOutput.h - Layers with coefficients, output by output -*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_PEROUTPUT_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_PEROUTPUT_H

#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Support/Coefficients.h"
#include "ane/Support/Half.h"
#include <cmath>

namespace ane::zin {

/// The dimension along which a layer's outputs lie.
inline unsigned outputDim(ConvOp) { return C; }
inline unsigned outputDim(MatMulOp op) { return op.getOutputsOnRows() ? H : W; }

template <typename Layer> int64_t outputsOf(Layer layer) {
  return shapeOf(layer.getResult())[outputDim(layer)];
}

/// Coefficients of one output; those of the next one follow.
inline int64_t tapsOf(ConvOp op) {
  llvm::ArrayRef<int64_t> shape = shapeOf(op.getKernel());
  return shape[C] * shape[H] * shape[W];
}
inline int64_t tapsOf(MatMulOp op) { return shapeOf(op.getKernel())[W]; }

/// What the sums of a layer, or the operand of an activation, are multiplied
/// by.
template <typename Layer> double scaleOf(Layer layer) {
  return layer.getScale() ? layer.getScale()->convertToDouble() : 1;
}

/// Denormal numbers count as 0 in a product, 2^-14 at most. Scales of what a
/// layer reads that are up to this keep what is lost below 2^-11. Assigned.
constexpr double largestScale = 8;

/// Whether a layer may take a scale of what it reads.
inline bool isFoldableScale(double scale) {
  return isCoefficient(scale) && std::fabs(scale) <= largestScale;
}

/// The same for all of these, which are the bits of fp16.
inline bool areFoldableScales(llvm::ArrayRef<uint16_t> scales) {
  return llvm::all_of(scales, [](uint16_t bits) {
    return isFoldableScale(halfToDouble(bits));
  });
}

/// Whether what one scale makes infinite would stay finite if it were one with
/// the next: infinities of a constant table come about by such a scale.
inline bool hidesInfinity(double scale, double next) {
  return std::fabs(scale) > 1 && std::fabs(next) < 1;
}

/// The shape of a layer's bias operand.
inline llvm::SmallVector<int64_t> biasShape(ConvOp, int64_t outputs) {
  return {1, 1, outputs, 1, 1};
}
inline llvm::SmallVector<int64_t> biasShape(MatMulOp, int64_t outputs) {
  return {1, 1, 1, 1, outputs};
}

/// One number for each index of a dimension; empty if the value is no constant,
/// or one that differs along another dimension.
inline std::vector<uint16_t> numbersAlong(mlir::Value value, unsigned dim,
                                          int64_t extent) {
  auto op = value.getDefiningOp<ConstantOp>();
  if (!op)
    return {};
  llvm::ArrayRef<int64_t> shape = shapeOf(value);
  for (unsigned other = 0; other < numDims; ++other)
    if (other != dim && shape[other] != 1)
      return {};
  std::optional<HalfElements> elements = HalfElements::get(op.getElements());
  if (!elements)
    return {};
  std::vector<uint16_t> bits;
  bits.reserve(extent);
  for (int64_t i = 0; i < extent; ++i)
    bits.push_back((*elements)[shape[dim] == 1 ? 0 : i]);
  return bits;
}

/// One number for each output, from the constant operand of an element-wise
/// layer; empty if there are none.
template <typename Layer>
std::vector<uint16_t> perOutput(mlir::Value constant, Layer layer) {
  return numbersAlong(constant, outputDim(layer), outputsOf(layer));
}

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_PEROUTPUT_H
