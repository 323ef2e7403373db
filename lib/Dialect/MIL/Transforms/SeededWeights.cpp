//===- SeededWeights.cpp - Values for weights that are missing ------------===//

#include "SeededWeights.h"
#include "ane/Dialect/MIL/IR/OpSpec.h"
#include "ane/Frontend/BlobStorage.h"
#include "ane/Support/Half.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

constexpr uint64_t bitsPerByte = 8;

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

Interval intervalOf(RankedTensorType type) {
  if (type.getRank() < 2)
    return {5.0 / 64, 3.0 / 64};
  double fanIn = 1;
  for (int64_t extent : type.getShape().drop_front())
    fanIn *= static_cast<double>(extent);
  // A uniform distribution has a third of its squared reach as variance.
  return {0, std::sqrt(3 / std::max(fanIn, 1.0))};
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
  if (type.getWidth() > bitsPerByte)
    return 0;
  constexpr uint64_t smallRange = 16;
  return type.isUnsigned() ? random : random % smallRange - smallRange / 2;
}

void putBits(std::vector<char> &bytes, uint64_t place, uint64_t value,
             uint64_t width) {
  if (width % bitsPerByte == 0) {
    for (uint64_t byte = 0; byte < width / bitsPerByte; ++byte)
      bytes[place / bitsPerByte + byte] =
          static_cast<char>(value >> byte * bitsPerByte);
    return;
  }
  for (uint64_t bit = 0; bit < width; ++bit, ++place)
    bytes[place / bitsPerByte] |=
        static_cast<char>((value >> bit & 1) << place % bitsPerByte);
}

} // namespace

std::optional<uint64_t> ane::mil::seededSize(RankedTensorType type) {
  StringRef name = dtypeName(type.getElementType());
  for (auto code = uint32_t(frontend::BlobType::Float16);
       code <= uint32_t(frontend::BlobType::Float8E5M2); ++code) {
    auto blobType = static_cast<frontend::BlobType>(code);
    if (frontend::blobTypeName(blobType) == name)
      return llvm::divideCeil(uint64_t(type.getNumElements()) *
                                  frontend::blobTypeBits(blobType),
                              bitsPerByte);
  }
  return std::nullopt;
}

std::vector<char> ane::mil::makeSeededWeight(RankedTensorType type,
                                             StringRef path, uint64_t offset) {
  std::string identity =
      path.str() + '\n' + std::to_string(offset) + '\n' + formatType(type);
  Numbers numbers(llvm::xxh3_64bits(identity));
  Type element = type.getElementType();
  uint64_t width = element.getIntOrFloatBitWidth();
  uint64_t count = type.getNumElements();
  std::vector<char> bytes(llvm::divideCeil(count * width, bitsPerByte));
  auto integer = dyn_cast<IntegerType>(element);
  Interval interval = integer ? Interval() : intervalOf(type);
  const llvm::fltSemantics *semantics =
      integer ? nullptr : &cast<FloatType>(element).getFloatSemantics();
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t bits =
        integer
            ? integerBits(integer, numbers.bits(i))
            : roundTo(*semantics, interval.center + (2 * numbers.unit(i) - 1) *
                                                        interval.reach);
    putBits(bytes, i * width, bits, width);
  }
  return bytes;
}
