//===- SeededWeights.cpp - Values for weights that are missing ------------===//

#include "Constants/SeededWeights.h"
#include "ane/Dialect/MIL/IR/OpSpec.h"
#include "ane/Frontend/BlobStorage.h"
#include "ane/Support/Half.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/xxhash.h"
#include <climits>
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Signed integers are one of this many around 0.
constexpr uint64_t smallRange = 16;

/// Numbers that follow from a seed, in any order: SplitMix64 of an index.
class Numbers {
public:
  explicit Numbers(uint64_t seed) : seed(seed) {}
  uint64_t bits(uint64_t index) const {
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  double unit(uint64_t index) const {
    constexpr int precision = 53;
    return static_cast<double>(bits(index) >> (64 - precision)) * 0x1p-53;
  }

private:
  uint64_t seed;
};

/// The values of a floating-point weight lie in [center - reach, center +
/// reach).
struct Interval {
  double center, reach;
};

double fanInOf(RankedTensorType type) {
  double fanIn = 1;
  for (int64_t extent : type.getShape().drop_front())
    fanIn *= static_cast<double>(extent);
  return std::max(fanIn, 1.0);
}

/// How far the integers of a type are from 0, as a standard deviation.
double spreadOf(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || integer.getWidth() > CHAR_BIT)
    return 1;
  return (integer.isUnsigned() ? std::exp2(integer.getWidth())
                               : smallRange / 2.0) /
         std::sqrt(3);
}

Interval intervalOf(RankedTensorType type, const SeededUse &use) {
  if (type.getRank() < 2)
    return {5.0 / 64, 3.0 / 64};
  if (use.scaled) {
    double scale = 1 / (std::sqrt(fanInOf(use.scaled)) *
                        spreadOf(use.scaled.getElementType()));
    return {scale, scale / 2};
  }
  // A uniform distribution has a third of its squared reach as variance.
  return {0, std::sqrt(3 / fanInOf(type))};
}

uint64_t roundTo(const llvm::fltSemantics &semantics, double value) {
  // Nearly all weights are one of these, and there are many.
  if (&semantics == &llvm::APFloat::IEEEhalf())
    return halfFromDouble(value);
  if (&semantics == &llvm::APFloat::IEEEsingle())
    return llvm::bit_cast<uint32_t>(static_cast<float>(value));
  llvm::APFloat rounded(value);
  bool losesInfo;
  rounded.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return rounded.bitcastToAPInt().getZExtValue();
}

/// The bit pattern of an integer element, of which the low `width` bits count.
uint64_t integerBits(IntegerType type, uint64_t random) {
  if (type.getWidth() > CHAR_BIT)
    return 0;
  return type.isUnsigned() ? random : random % smallRange - smallRange / 2;
}

void putBits(std::vector<char> &bytes, uint64_t place, uint64_t value,
             uint64_t width) {
  if (width % CHAR_BIT == 0) {
    for (uint64_t byte = 0; byte < width / CHAR_BIT; ++byte)
      bytes[place / CHAR_BIT + byte] =
          static_cast<char>(value >> byte * CHAR_BIT);
    return;
  }
  if (CHAR_BIT % width == 0) {
    bytes[place / CHAR_BIT] |=
        static_cast<char>((value & ((1u << width) - 1)) << place % CHAR_BIT);
    return;
  }
  for (uint64_t bit = 0; bit < width; ++bit, ++place)
    bytes[place / CHAR_BIT] |=
        static_cast<char>((value >> bit & 1) << place % CHAR_BIT);
}

/// Sets `ones` of the first `places` bits, each choice as likely as any other.
void putMask(std::vector<char> &bytes, SeededUse::Mask mask,
             const Numbers &numbers) {
  uint64_t left = mask.ones;
  for (uint64_t i = 0; i < mask.places && left != 0; ++i) {
    bool isOne =
        numbers.unit(i) * static_cast<double>(mask.places - i) < double(left);
    putBits(bytes, i, isOne, 1);
    left -= isOne;
  }
}

uint64_t countOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

} // namespace

SeededUse SeededUse::of(ConstOp op) {
  SeededUse use;
  Value value = op;
  auto isMask = [&](Value mask, Value nonzero, Value dense) {
    auto isKnown = [](Value x) {
      return cast<RankedTensorType>(x.getType()).hasStaticShape();
    };
    if (mask == value && isKnown(nonzero) && isKnown(dense))
      use.mask = Mask{countOf(dense), countOf(nonzero)};
  };
  for (Operation *user : op->getUsers()) {
    if (auto sparse = dyn_cast<ConstexprSparseToDenseOp>(user)) {
      // A stream of bytes has places for more.
      isMask(sparse.getMask(), sparse.getNonzeroData(), sparse.getResult());
    } else if (auto palette = dyn_cast<ConstexprLutToSparseOp>(user)) {
      isMask(palette.getIndicesMask(), palette.getIndicesNonzeroData(), value);
    } else if (auto line =
                   dyn_cast<ConstexprSparseBlockwiseShiftScaleOp>(user)) {
      isMask(line.getDataMask(), line.getNonzeroData(), value);
      if (line.getScale() == value)
        use.scaled = RankedTensorType::get(
            cast<RankedTensorType>(line.getDataMask().getType()).getShape(),
            cast<RankedTensorType>(line.getNonzeroData().getType())
                .getElementType());
    } else if (auto line = dyn_cast<ConstexprBlockwiseShiftScaleOp>(user)) {
      if (line.getScale() == value)
        use.scaled = cast<RankedTensorType>(line.getData().getType());
    }
  }
  return use;
}

std::optional<uint64_t> ane::mil::seededSize(RankedTensorType type) {
  StringRef name = dtypeName(type.getElementType());
  for (auto code = uint32_t(frontend::BlobType::Float16);
       code <= uint32_t(frontend::BlobType::Float8E5M2); ++code) {
    auto blobType = static_cast<frontend::BlobType>(code);
    if (frontend::blobTypeName(blobType) == name)
      return llvm::divideCeil(uint64_t(type.getNumElements()) *
                                  frontend::blobTypeBits(blobType),
                              CHAR_BIT);
  }
  return std::nullopt;
}

std::vector<char> ane::mil::makeSeededWeight(RankedTensorType type,
                                             StringRef path, uint64_t offset,
                                             const SeededUse &use) {
  std::string identity =
      path.str() + '\n' + std::to_string(offset) + '\n' + formatType(type);
  Numbers numbers(llvm::xxh3_64bits(identity));
  Type element = type.getElementType();
  uint64_t width = element.getIntOrFloatBitWidth();
  uint64_t count = type.getNumElements();
  std::vector<char> bytes(llvm::divideCeil(count * width, CHAR_BIT));
  if (use.mask && use.mask->places <= bytes.size() * CHAR_BIT) {
    putMask(bytes, *use.mask, numbers);
    return bytes;
  }
  auto integer = dyn_cast<IntegerType>(element);
  Interval interval = integer ? Interval() : intervalOf(type, use);
  const llvm::fltSemantics *semantics =
      integer ? nullptr : &cast<FloatType>(element).getFloatSemantics();
  auto bitsOf = [&](uint64_t i) {
    return integer ? integerBits(integer, numbers.bits(i))
                   : roundTo(*semantics,
                             interval.center +
                                 (2 * numbers.unit(i) - 1) * interval.reach);
  };
  // Parts begin at whole bytes, whatever the width.
  constexpr uint64_t perPart = 1 << 16;
  llvm::parallelFor(0, llvm::divideCeil(count, perPart), [&](uint64_t part) {
    for (uint64_t i = part * perPart; i < std::min(count, (part + 1) * perPart);
         ++i)
      putBits(bytes, i * width, bitsOf(i), width);
  });
  return bytes;
}
