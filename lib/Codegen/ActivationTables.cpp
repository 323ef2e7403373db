//===- ActivationTables.cpp - Table records of activations ----------------===//

#include "ActivationTables.h"
#include "TableRecords.h"

using namespace ane;
using namespace ane::codegen;
using namespace ane::td;
using zin::NonLinearMode;

namespace {

uint16_t bitsOf(mlir::FloatAttr value) {
  return value.getValue().bitcastToAPInt().getZExtValue();
}

} // namespace

std::optional<LutRecord> codegen::makeActivationTable(zin::NeuronAttr neuron) {
  switch (neuron.getMode()) {
  case NonLinearMode::sigmoid:
    return sigmoidTable();
  case NonLinearMode::sigmoid_high_precision:
    return closeSigmoidTable();
  case NonLinearMode::custom_lut:
    return geluShareTable();
  case NonLinearMode::tanh:
    return tanhTable();
  case NonLinearMode::gelu:
    return geluTable();
  case NonLinearMode::swish:
    return swishTable();
  case NonLinearMode::erf:
    return erfTable();
  case NonLinearMode::sin:
    return sinTable();
  case NonLinearMode::atan_part1:
    return atanPart1Table();
  case NonLinearMode::atan_part2:
    return atanPart2Table();
  case NonLinearMode::exp2:
    return exp2Table();
  case NonLinearMode::log2:
    return log2Table();
  case NonLinearMode::sqrt:
    return sqrtTable();
  case NonLinearMode::rsqrt:
    return rsqrtTable();
  case NonLinearMode::inv:
    return reciprocalTable();
  case NonLinearMode::prelu:
    return leakyReluTable(bitsOf(neuron.getAlpha()));
  case NonLinearMode::abs: {
    constexpr uint16_t minusOne = 0xbc00;
    return leakyReluTable(minusOne);
  }
  case NonLinearMode::clamped_relu:
    return clampTable(bitsOf(neuron.getAlpha()), bitsOf(neuron.getBeta()));
  case NonLinearMode::sigmoid_hard:
    return hardSigmoidTable(bitsOf(neuron.getAlpha()),
                            bitsOf(neuron.getBeta()));
  case NonLinearMode::thresholded_relu:
    return thresholdedReluTable(bitsOf(neuron.getAlpha()));
  case NonLinearMode::sign:
    return signTable();
  case NonLinearMode::greater_than_zero:
    return stepTable(/*absolute=*/false, 0, halfOne);
  case NonLinearMode::less_than_equal_zero:
    return stepTable(/*absolute=*/false, halfOne, 0);
  case NonLinearMode::equal_zero:
    return stepTable(/*absolute=*/true, halfOne, 0);
  case NonLinearMode::not_equal_zero:
    return stepTable(/*absolute=*/true, 0, halfOne);
  case NonLinearMode::Int:
    return truncationTable();
  case NonLinearMode::frac:
    return fractionTable();
  default:
    return std::nullopt;
  }
}

bool codegen::negatesExponent(const LutRecord &record) {
  uint16_t index = record.mode & LutMode::indexMask;
  return index == LutMode::Reciprocal || index == LutMode::RSqrt;
}
