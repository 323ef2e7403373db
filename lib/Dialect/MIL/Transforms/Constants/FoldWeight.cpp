//===- FoldWeight.cpp - Stored weights as the numbers they stand for ------===//
//
// What the reference interpreter does as well, but element by element from
// bytes to bytes: nothing of a weight is held wide.
//
//===----------------------------------------------------------------------===//

#include "Constants/StoredElements.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Support/Half.h"
#include "ane/Support/StridedCopy.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include <climits>
#include <cstring>
#include <type_traits>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

using Elements = std::optional<SmallVector<ElementsAttr>>;

//===----------------------------------------------------------------------===//
// Integers of up to eight bits
//===----------------------------------------------------------------------===//

/// Integers of 1 to 8 bits that follow one another in bytes.
class Codes {
public:
  Codes(ArrayRef<char> bytes, unsigned bits)
      : bytes(bytes), bits(bits), mask((1u << bits) - 1) {}

  unsigned operator[](size_t index) const {
    size_t bit = index * bits, byte = bit / CHAR_BIT;
    unsigned shift = bit % CHAR_BIT;
    unsigned window = uint8_t(bytes[byte]);
    if (shift + bits > CHAR_BIT)
      window |= unsigned(uint8_t(bytes[byte + 1])) << CHAR_BIT;
    return window >> shift & mask;
  }

private:
  ArrayRef<char> bytes;
  unsigned bits, mask;
};

/// The codes of a constant, and how many bits of each count: an attribute has a
/// byte for what a resource packs.
struct Quantized {
  Codes codes;
  unsigned width;
  bool isSigned;

  static std::optional<Quantized> get(Value constant) {
    std::optional<StoredElements> stored = StoredElements::get(constant);
    auto type =
        stored ? dyn_cast<IntegerType>(stored->type.getElementType()) : nullptr;
    if (!type || type.getWidth() > CHAR_BIT)
      return std::nullopt;
    return Quantized{Codes(stored->bytes, stored->bits), type.getWidth(),
                     !type.isUnsigned()};
  }

  unsigned codeAt(size_t index) const {
    return codes[index] & ((1u << width) - 1);
  }
  int64_t numberOf(unsigned code) const {
    return isSigned ? llvm::SignExtend64(code, width) : int64_t(code);
  }
  size_t numCodes() const { return size_t(1) << width; }
};

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Calls `fn(first, count, block)` for runs of elements side by side of one
/// block, in order. `blocks` says how many blocks there are along each
/// dimension; blocks are numbered row-major.
template <typename Fn>
void forEachRun(ArrayRef<int64_t> shape, ArrayRef<int64_t> blocks, Fn fn) {
  SmallVector<int64_t> distances = rowMajorStrides(blocks);
  // What lies behind the last dimension that has several blocks is one run.
  size_t outer = shape.size();
  int64_t inner = 1;
  while (outer > 0 && blocks[outer - 1] == 1)
    inner *= shape[--outer];
  int64_t total = llvm::product_of(shape);
  if (outer == 0)
    return fn(0, total, 0);
  --outer;
  int64_t extent = shape[outer] / blocks[outer], count = extent * inner;
  SmallVector<int64_t> index(outer + 1, 0);
  for (int64_t first = 0; first < total; first += count) {
    int64_t block = index[outer] * distances[outer];
    for (size_t dim = 0; dim < outer; ++dim)
      block += index[dim] / (shape[dim] / blocks[dim]) * distances[dim];
    fn(first, count, block);
    for (size_t dim = outer + 1; dim-- > 0;) {
      if (++index[dim] < (dim == outer ? blocks[dim] : shape[dim]))
        break;
      index[dim] = 0;
    }
  }
}

struct Run {
  int64_t first, count, block;
};

/// The same runs, none so long that threads would wait for the last one.
std::vector<Run> runsOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> blocks) {
  constexpr int64_t most = 1 << 18;
  std::vector<Run> runs;
  forEachRun(shape, blocks, [&](int64_t first, int64_t count, int64_t block) {
    for (int64_t begin = 0; begin < count; begin += most)
      runs.push_back({first + begin, std::min(most, count - begin), block});
  });
  return runs;
}

/// An element of the result, rounded once.
template <typename T> T roundTo(double value);
template <> uint16_t roundTo<uint16_t>(double value) {
  return halfFromDouble(value);
}
template <> float roundTo<float>(double value) {
  return static_cast<float>(value);
}

/// Calls `fn(T())` with what stores a number of this type, fp16 or fp32.
template <typename Fn> ElementsAttr withFloat(Type type, Fn fn) {
  return type.isF16() ? fn(uint16_t()) : fn(float());
}

/// Numbers by block; absent ones are 0.
class Numbers {
public:
  static std::optional<Numbers> get(Value constant) {
    Numbers numbers;
    if (!constant)
      return numbers;
    ElementsAttr elements = getConstantElements(constant);
    if (!elements)
      return std::nullopt;
    if (isa<FloatType>(elements.getElementType())) {
      numbers.values = getConstantFloats(elements);
      if (!numbers.values)
        return std::nullopt;
      return numbers;
    }
    // Those narrower than a byte are read as codes.
    std::optional<Quantized> codes = Quantized::get(constant);
    if (!codes)
      return std::nullopt;
    numbers.values.emplace();
    for (int64_t i = 0, e = elements.getNumElements(); i < e; ++i)
      numbers.values->push_back(codes->numberOf(codes->codeAt(i)));
    return numbers;
  }

  /// One for all blocks where there is only one.
  double operator[](int64_t block) const {
    if (!values)
      return 0;
    return (*values)[values->size() == 1 ? 0 : block];
  }

private:
  std::optional<SmallVector<double>> values;
};

/// scale * (data - offset), each by block.
Elements scaleBlocks(RankedTensorType type, Value data, Value scale,
                     Value offset, ArrayRef<int64_t> blocks) {
  std::optional<Quantized> codes = Quantized::get(data);
  std::optional<Numbers> scales = Numbers::get(scale);
  std::optional<Numbers> offsets = Numbers::get(offset);
  if (!codes || !scales || !offsets)
    return std::nullopt;
  ElementsAttr result = withFloat(type.getElementType(), [&](auto storage) {
    using T = decltype(storage);
    return makeStored(type, [&](MutableArrayRef<char> bytes) {
      SmallVector<T> table(codes->numCodes());
      forEachRun(type.getShape(), blocks,
                 [&](int64_t first, int64_t count, int64_t block) {
                   auto valueOf = [&](unsigned code) {
                     return roundTo<T>(
                         (*scales)[block] *
                         (codes->numberOf(code) - (*offsets)[block]));
                   };
                   char *to = bytes.data() + first * sizeof(T);
                   auto write = [&](T value) {
                     std::memcpy(to, &value, sizeof(T));
                     to += sizeof(T);
                   };
                   // A table is worth it where most codes come several times.
                   if (size_t(count) < 2 * table.size()) {
                     for (int64_t i = 0; i < count; ++i)
                       write(valueOf(codes->codeAt(first + i)));
                     return;
                   }
                   for (auto [code, value] : llvm::enumerate(table))
                     value = valueOf(code);
                   for (int64_t i = 0; i < count; ++i)
                     write(table[codes->codeAt(first + i)]);
                 });
    });
  });
  return SmallVector<ElementsAttr>{result};
}

Elements foldBlockwise(ConstexprBlockwiseShiftScaleOp op) {
  auto scale = cast<RankedTensorType>(op.getScale().getType());
  return scaleBlocks(cast<RankedTensorType>(op.getType()), op.getData(),
                     op.getScale(), op.getOffset(), scale.getShape());
}

Elements foldAffine(ConstexprAffineDequantizeOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<int64_t> blocks(type.getRank(), 1);
  bool isVector = llvm::any_of(
      ArrayRef<Value>{op.getScale(), op.getZeroPoint()}, [](Value value) {
        return cast<RankedTensorType>(value.getType()).getRank() == 1;
      });
  if (isVector) {
    std::optional<int64_t> axis = getConstantInt(op.getAxis());
    if (!axis)
      return std::nullopt;
    int64_t dim = fromFront(*axis, type.getRank());
    blocks[dim] = type.getDimSize(dim);
  }
  return scaleBlocks(type, op.getQuantizedData(), op.getScale(),
                     op.getZeroPoint(), blocks);
}

/// Floating-point numbers of one type as those of another.
Elements foldCast(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  ElementsAttr elements = getConstantElements(op->getOperand(0));
  if (!elements || elements.getElementType().isBF16() ||
      !isa<FloatType>(elements.getElementType()) ||
      !(type.getElementType().isF16() || type.getElementType().isF32()))
    return std::nullopt;
  bool isComplete = false;
  ElementsAttr result = withFloat(type.getElementType(), [&](auto storage) {
    using T = decltype(storage);
    return makeStored(type, [&](MutableArrayRef<char> bytes) {
      char *to = bytes.data();
      isComplete = forEachFloatRun(elements, [&](ArrayRef<double> values) {
        for (double element : values) {
          T value = roundTo<T>(element);
          std::memcpy(to, &value, sizeof(T));
          to += sizeof(T);
        }
      });
    });
  });
  if (!isComplete)
    return std::nullopt;
  return SmallVector<ElementsAttr>{result};
}

//===----------------------------------------------------------------------===//
// Palettes and masks
//===----------------------------------------------------------------------===//

Elements foldPalette(ConstexprLutToDenseOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  std::optional<StoredElements> lut = StoredElements::get(op.getLut());
  std::optional<StoredElements> indices = StoredElements::get(op.getIndices());
  std::optional<size_t> size = lut ? lut->elementBytes() : std::nullopt;
  if (!size || !indices)
    return std::nullopt;
  ArrayRef<int64_t> tables = lut->type.getShape();
  unsigned width = indices->type.getElementTypeBitWidth();
  SmallVector<int64_t> blocks(type.getRank(), 1);
  if (op.getShape()) {
    // A stream for one table, whose length tells the width.
    width = llvm::Log2_64(tables.front());
    indices->bits = width;
  } else {
    // An entry of several elements is left to the interpreter.
    if (tables.back() != 1)
      return std::nullopt;
    blocks.assign(tables.begin(), tables.end() - 2);
  }
  Codes codes(indices->bytes, indices->bits);
  unsigned mask = (1u << width) - 1;
  return SmallVector<ElementsAttr>{
      makeStored(type, [&](MutableArrayRef<char> bytes) {
        auto fill = [&](const Run &run) {
          const char *table = lut->bytes.data() + (run.block << width) * *size;
          auto copy = [&](auto size) {
            char *to = bytes.data() + run.first * size;
            for (int64_t i = run.first; i < run.first + run.count; ++i) {
              std::memcpy(to, table + (codes[i] & mask) * size, size);
              to += size;
            }
          };
          // With a number that the compiler knows no copy is a call.
          if (*size == halfBytes)
            copy(std::integral_constant<size_t, halfBytes>());
          else
            copy(*size);
        };
        llvm::parallelForEach(runsOf(type.getShape(), blocks), fill);
      })};
}

Elements foldSparse(ConstexprSparseToDenseOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  std::optional<StoredElements> nonzero =
      StoredElements::get(op.getNonzeroData());
  std::optional<StoredElements> mask = StoredElements::get(op.getMask());
  std::optional<size_t> size = nonzero ? nonzero->elementBytes() : std::nullopt;
  if (!size || !mask)
    return std::nullopt;
  Codes isSet(mask->bytes, op.getShape() ? 1 : mask->bits);
  int64_t ones = 0, places = type.getNumElements();
  for (int64_t i = 0; i < places; ++i)
    ones += isSet[i] & 1;
  // The interpreter says what is wrong.
  if (ones != nonzero->type.getNumElements())
    return std::nullopt;
  return SmallVector<ElementsAttr>{
      makeStored(type, [&](MutableArrayRef<char> bytes) {
        const char *next = nonzero->bytes.data();
        char *to = bytes.data();
        for (int64_t i = 0; i < places; ++i, to += *size) {
          if (!(isSet[i] & 1)) {
            std::memset(to, 0, *size);
            continue;
          }
          std::memcpy(to, next, *size);
          next += *size;
        }
      })};
}

} // namespace

Elements mil::foldWeight(Operation *op) {
  if (!llvm::all_of(op->getResultTypes(), canMakeStored))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Elements>(op)
      .Case(foldAffine)
      .Case(foldBlockwise)
      .Case(foldPalette)
      .Case(foldSparse)
      .Case<CastOp, ConstexprCastOp>(foldCast)
      .Default([](Operation *) { return std::nullopt; });
}
