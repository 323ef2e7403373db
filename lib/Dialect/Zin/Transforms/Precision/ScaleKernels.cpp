//===- ScaleKernels.cpp - Keep small coefficients from becoming 0 ---------===//

#include "PerOutput.h"
#include "Precision/ScaledConstants.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Support/Half.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include <cmath>

namespace ane::zin {
#define GEN_PASS_DEF_SCALEKERNELS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The least exponent of a normal fp16 number.
constexpr int leastExponent = -14;

/// What an output may lose of its coefficients: as squares, 2^-20 of all of
/// them. A thousandth of their length, two roundings of fp16. Assigned.
constexpr int mostLossExponent = -20;

/// Coefficients are not made larger than this, so that sums, which are infinite
/// from 32768 on, do not become larger than those of other kernels. Assigned.
constexpr double largestScaled = 1;

/// Fewer coefficients are looked through sooner than threads have begun.
/// Assigned.
constexpr size_t leastForThreads = 1 << 19;

constexpr int16_t magnitudeBits = 0x7fff, leastNormal = 0x0400;

/// Calls a function with a row of fp16, one part of `partBytes` after the
/// other, for as long as it returns true.
template <size_t partBytes, typename Function>
void forParts(StringRef row, Function function) {
  while (!row.empty() && function(row.take_front(partBytes)))
    row = row.drop_front(std::min(partBytes, row.size()));
}

int16_t magnitudeAt(StringRef bytes, size_t i) {
  return llvm::support::endian::read16le(bytes.data() + i) & magnitudeBits;
}

/// The largest magnitude, as bits, and how many numbers are denormal. Of most
/// kernels this is all that has to be known of each coefficient.
struct Outline {
  uint16_t largest = 0;
  unsigned denormals = 0;
};

Outline outlineOf(StringRef row) {
  // A count of so many bytes fits the 16 bits that a number takes in a vector.
  constexpr size_t mostBytes = 1 << 15;
  Outline outline;
  forParts<mostBytes>(row, [&](StringRef part) {
    int16_t largest = 0, denormals = 0;
    for (size_t i = 0; i < part.size(); i += halfBytes) {
      int16_t magnitude = magnitudeAt(part, i);
      largest = std::max(largest, magnitude);
      denormals += magnitude != 0 && magnitude < leastNormal;
    }
    outline.largest = std::max(outline.largest, uint16_t(largest));
    outline.denormals += denormals;
    return true;
  });
  return outline;
}

/// Whether a row, of numbers up to 1/2, loses too much with those below
/// 2^exponent, which is 2^-14 at most. The least fp16 is 2^-24, and squares are
/// counted in its square, so that sums are exact and may go in any order.
bool losesTooMuch(StringRef row, int exponent) {
  constexpr int unitExponent = -24;
  // What the bits of a denormal say is how many units it is.
  uint32_t bound = exponent < unitExponent ? 0 : 1 << (exponent - unitExponent);
  // The squares of so many denormals fit 32 bits, as others do 64.
  constexpr size_t mostBytes = halfBytes << 8;
  uint64_t lost = 0, all = 0;
  forParts<mostBytes>(row, [&](StringRef part) {
    uint32_t squares = 0;
    for (size_t i = 0; i < part.size(); i += halfBytes) {
      uint32_t units = magnitudeAt(part, i);
      squares += units < bound ? units * units : 0;
    }
    lost += squares;
    return true;
  });
  auto isEnough = [&] { return all >> -mostLossExponent >= lost; };
  // Of most rows a few numbers are enough.
  forParts<mostBytes>(row, [&](StringRef part) {
    uint64_t squares = 0;
    for (size_t i = 0; i < part.size(); i += halfBytes) {
      auto units = uint32_t(int32_t(finiteHalfToFloat(magnitudeAt(part, i)) *
                                    float(1 << -unitExponent)));
      squares += uint64_t(units) * units;
    }
    all = llvm::SaturatingAdd(all, squares);
    return !isEnough();
  });
  return !isEnough();
}

/// A kernel that is looked at on a thread of its own.
struct Kernel {
  SmallVector<Operation *, 1> layers; ///< that have it
  HalfElements elements;
  size_t taps; ///< of each output
  /// Powers of 2 that it should be multiplied by, if that helps.
  int exponent = 0;
};

/// The least power that keeps what every output needs; 0 if none is needed, or
/// none is enough.
int chooseExponent(const Kernel &kernel) {
  StringRef bytes = kernel.elements.bytes();
  // A splat has one number for all.
  size_t rowBytes = std::min(bytes.size(), kernel.taps * halfBytes);
  double largest = 0;
  SmallVector<StringRef> suspects; ///< outputs that may lose too much
  for (size_t begin = 0; begin < bytes.size(); begin += rowBytes) {
    StringRef row = bytes.substr(begin, rowBytes);
    Outline outline = outlineOf(row);
    double most = halfToDouble(outline.largest);
    largest = std::max(largest, most);
    double bound = outline.denormals * std::ldexp(1.0, 2 * leastExponent);
    if (bound > std::ldexp(most * most, mostLossExponent))
      suspects.push_back(row);
  }
  if (suspects.empty() || largest == 0 || !std::isfinite(largest))
    return 0;
  int allowed = std::floor(std::log2(largestScaled / largest));
  if (allowed < 1)
    return 0;
  int needed = 0;
  for (StringRef row : suspects)
    while (needed <= allowed && losesTooMuch(row, leastExponent - needed))
      ++needed;
  return needed <= allowed ? needed : 0;
}

/// A number times 2^exponent, if fp16 holds it and it is not denormal.
std::optional<uint16_t> scaled(double number, int exponent) {
  double result = std::ldexp(number, exponent);
  uint16_t bits = halfFromDouble(result);
  bool isKept = halfToDouble(bits) == result &&
                (result == 0 || std::ilogb(result) >= leastExponent);
  return isKept ? std::optional(bits) : std::nullopt;
}

class ScaleKernels : public ane::zin::impl::ScaleKernelsBase<ScaleKernels> {
public:
  void runOnOperation() override {
    constants = {};
    indices.clear();
    std::vector<Kernel> kernels;
    size_t total = 0;
    for (Operation &layer : getOperation().getBody().front()) {
      if (auto conv = dyn_cast<ConvOp>(layer))
        add(kernels, conv);
      else if (auto product = dyn_cast<MatMulOp>(layer))
        add(kernels, product);
    }
    for (const Kernel &kernel : kernels)
      total += kernel.elements.size();
    auto choose = [](Kernel &kernel) {
      kernel.exponent = chooseExponent(kernel);
    };
    if (total >= leastForThreads)
      llvm::parallelForEach(kernels, choose);
    else
      llvm::for_each(kernels, choose);
    for (const Kernel &kernel : kernels) {
      if (kernel.exponent == 0)
        continue;
      for (Operation *layer : kernel.layers)
        if (auto conv = dyn_cast<ConvOp>(layer))
          scale(conv, kernel);
        else
          scale(cast<MatMulOp>(layer), kernel);
    }
  }

private:
  template <typename Layer> void add(std::vector<Kernel> &kernels, Layer op) {
    auto constant = op.getKernel().template getDefiningOp<ConstantOp>();
    if (!constant)
      return;
    size_t taps = tapsOf(op);
    auto [known, isNew] = indices.try_emplace({constant, taps}, kernels.size());
    if (!isNew)
      kernels[known->second].layers.push_back(op);
    else if (auto elements = HalfElements::get(constant.getElements()))
      kernels.push_back({{op}, *elements, taps});
    else
      indices.erase(known);
  }

  /// Kernel and bias times 2^n, the scale behind their sums times 2^-n.
  template <typename Layer> void scale(Layer layer, const Kernel &kernel) {
    std::optional<uint16_t> behind = scaled(scaleOf(layer), -kernel.exponent);
    if (!behind)
      return;
    OpBuilder builder(layer);
    // No coefficient becomes larger than 1.
    double factor = std::ldexp(1.0, kernel.exponent);
    Value weights =
        constants.times(builder, layer.getLoc(), layer.getKernel(), factor);
    if (layer.getBias()) {
      Value bias =
          constants.times(builder, layer.getLoc(), layer.getBias(), factor);
      if (!bias)
        return;
      layer.getBiasMutable().assign(bias);
    }
    layer.getKernelMutable().assign(weights);
    layer.setScaleAttr(builder.getF16FloatAttr(halfToDouble(*behind)));
    ++numScaled;
  }

  ScaledConstants constants;
  /// Where a constant is among the kernels, by the taps of an output.
  llvm::DenseMap<std::pair<Operation *, size_t>, size_t> indices;
};

} // namespace
