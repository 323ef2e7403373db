//===- Quantization.cpp - Compressed and quantized tensors ----------------===//

#include "IndexSpace.h"
#include "OpTable.h"
#include "ane/Support/Constraint.h"
#include <cmath>

using namespace ane;
using namespace ane::mil;
using namespace ane::reference;
using llvm::ArrayRef;
using llvm::FailureOr;
using llvm::SmallVector;

namespace {

double numberAt(const Tensor &tensor, int64_t index) {
  return tensor.isFloat() ? tensor.floats()[index] : tensor.ints()[index];
}

//===----------------------------------------------------------------------===//
// Scales and zero points along an axis
//===----------------------------------------------------------------------===//

/// Scale and zero point of each element of a tensor.
class Affine {
public:
  /// `zeroPoint` and `axis` may be null.
  Affine(const Tensor &data, const Tensor *scale, const Tensor *zeroPoint,
         const Tensor *axis)
      : scales(scale), zeroPoints(zeroPoint) {
    if (!axis || data.getRank() == 0)
      return;
    AxisSplit split(data.getShape(), axis->ints().front());
    extent = split.extent;
    inner = split.inner;
  }
  double scale(int64_t index) const { return at(*scales, index); }
  double zeroPoint(int64_t index) const {
    return zeroPoints ? at(*zeroPoints, index) : 0;
  }

private:
  double at(const Tensor &values, int64_t index) const {
    return numberAt(values, values.getRank() == 0 ? 0 : index / inner % extent);
  }

  const Tensor *scales;
  const Tensor *zeroPoints;
  int64_t extent = 1, inner = 1;
};

Tensor dequantizeWith(Tensor result, const Tensor &data, const Affine &affine) {
  for (int64_t i = 0, e = data.getNumElements(); i < e; ++i)
    result.floats()[i] =
        affine.scale(i) * (numberAt(data, i) - affine.zeroPoint(i));
  return result;
}

Tensor affineDequantize(ConstexprAffineDequantizeOp op,
                        Inputs<ConstexprAffineDequantizeOp> in) {
  const Tensor &data = *in.getQuantizedData();
  return dequantizeWith(
      resultOf(op), data,
      Affine(data, in.getScale(), in.getZeroPoint(), in.getAxis()));
}

Tensor dequantize(DequantizeOp op, Inputs<DequantizeOp> in) {
  const Tensor &data = *in.getInput();
  return dequantizeWith(
      resultOf(op), data,
      Affine(data, in.getScale(), in.getZeroPoint(), in.getAxis()));
}

Tensor quantize(QuantizeOp op, Inputs<QuantizeOp> in) {
  Tensor result = resultOf(op);
  Affine affine(*in.getInput(), in.getScale(), in.getZeroPoint(), in.getAxis());
  bool isUnsigned = result.getElementType().isUnsignedInteger();
  double lowest = isUnsigned ? 0 : INT8_MIN;
  double highest = isUnsigned ? UINT8_MAX : INT8_MAX;
  for (auto [i, x] : llvm::enumerate(in.getInput()->floats())) {
    double value = std::nearbyint(x / affine.scale(i)) + affine.zeroPoint(i);
    // NaN has no integer; 0 is assigned, as for a cast.
    if (!std::isnan(value))
      result.ints()[i] =
          static_cast<int64_t>(std::clamp(value, lowest, highest));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Blocks, streams of bits and masks
//===----------------------------------------------------------------------===//

/// Numbers the blocks that a tensor falls into, in row-major order.
class Blocks {
public:
  /// `counts` says how many blocks there are along each dimension of `places`.
  Blocks(ArrayRef<int64_t> places, ArrayRef<int64_t> counts)
      : strides(rowMajorStrides(counts)) {
    for (auto [extent, count] : llvm::zip_equal(places, counts)) {
      extents.push_back(extent);
      sizes.push_back(count == 0 ? 1 : extent / count);
    }
  }
  /// The block of the place that is `index`-th in row-major order.
  int64_t operator()(int64_t index) const {
    int64_t block = 0;
    for (size_t dim = extents.size(); dim-- > 0;) {
      block += index % extents[dim] / sizes[dim] * strides[dim];
      index /= extents[dim];
    }
    return block;
  }

private:
  SmallVector<int64_t, 6> extents, sizes;
  Strides strides;
};

/// Entry `index` of a stream of numbers of `width` bits, 1 to 8, that starts at
/// the least significant bit of the first byte.
int64_t streamed(ArrayRef<int64_t> bytes, int64_t index, int64_t width) {
  int64_t bit = index * width, byte = bit / 8, shift = bit % 8;
  int64_t window = bytes[byte];
  if (shift + width > 8)
    window |= bytes[byte + 1] << 8;
  return window >> shift & ((1 << width) - 1);
}

/// That a mask has as many ones as there are elements for them: constraint
/// `mil-sparse-c4`.
llvm::LogicalResult checkOnes(mlir::Operation *op, int64_t ones,
                              int64_t elements) {
  if (ones == elements)
    return llvm::success();
  return report(op) << "the mask has " << ones << " ones, but there are "
                    << elements
                    << " nonzero elements; give one for each of the ones"
                    << ConstraintId("mil-sparse-c4");
}

//===----------------------------------------------------------------------===//
// Palettes
//===----------------------------------------------------------------------===//

/// A palette whose indices, or their mask, have the shape `places`.
class Palette {
public:
  Palette(ArrayRef<int64_t> places, const Tensor &lut, const Tensor *axis)
      : blocks(places, lut.getShape().drop_back(2)),
        entries(lut.getShape().drop_back().back()),
        length(lut.getShape().back()) {
    if (axis)
      inner = AxisSplit(places, axis->ints().front()).inner;
  }
  /// Calls `fn(to, from)` with where in the weight each element goes that
  /// `index` at a place stands for, and where in `lut` it is.
  template <typename Fn> void expand(int64_t place, int64_t index, Fn fn) {
    for (int64_t v = 0; v < length; ++v)
      fn((place / inner * length + v) * inner + place % inner,
         (blocks(place) * entries + index) * length + v);
  }

private:
  Blocks blocks;
  int64_t entries, length;
  int64_t inner = 1;
};

Tensor lutToDense(ConstexprLutToDenseOp op, Inputs<ConstexprLutToDenseOp> in) {
  Tensor result = resultOf(op);
  ArrayRef<int64_t> indices = in.getIndices()->ints();
  withPayload(result, [&](auto payload) {
    using T = decltype(payload);
    ArrayRef<T> lut = in.getLut()->template values<T>();
    llvm::MutableArrayRef<T> out = result.template values<T>();
    if (in.getShape()) {
      int64_t width = llvm::Log2_64(lut.size());
      for (auto [i, element] : llvm::enumerate(out))
        element = lut[streamed(indices, i, width)];
      return;
    }
    Palette palette(in.getIndices()->getShape(), *in.getLut(),
                    in.getVectorAxis());
    for (auto [place, index] : llvm::enumerate(indices))
      palette.expand(place, index,
                     [&](int64_t to, int64_t from) { out[to] = lut[from]; });
  });
  return result;
}

FailureOr<SmallVector<Tensor>> lutToSparse(ConstexprLutToSparseOp op,
                                           Inputs<ConstexprLutToSparseOp> in) {
  Tensor mask = resultOf(op, 0), nonzero = resultOf(op, 1);
  ArrayRef<int64_t> indices = in.getIndicesNonzeroData()->ints();
  ArrayRef<int64_t> places = in.getIndicesMask()->ints();
  if (failed(checkOnes(op, llvm::count(places, 1), indices.size())))
    return llvm::failure();
  // Where each element of the weight lies in `lut`.
  std::vector<int64_t> source(mask.getNumElements());
  Palette palette(in.getIndicesMask()->getShape(), *in.getLut(),
                  in.getVectorAxis());
  const int64_t *next = indices.data();
  for (auto [place, isSet] : llvm::enumerate(places))
    if (isSet)
      palette.expand(place, *next++, [&](int64_t to, int64_t from) {
        mask.ints()[to] = 1;
        source[to] = from;
      });
  withPayload(nonzero, [&](auto payload) {
    using T = decltype(payload);
    T *out = nonzero.template values<T>().data();
    for (auto [to, isSet] : llvm::enumerate(mask.ints()))
      if (isSet)
        *out++ = in.getLut()->template values<T>()[source[to]];
  });
  SmallVector<Tensor> results;
  results.push_back(std::move(mask));
  results.push_back(std::move(nonzero));
  return results;
}

//===----------------------------------------------------------------------===//
// Sparse weights and blocks
//===----------------------------------------------------------------------===//

FailureOr<Tensor> sparseToDense(ConstexprSparseToDenseOp op,
                                Inputs<ConstexprSparseToDenseOp> in) {
  Tensor result = resultOf(op);
  ArrayRef<int64_t> mask = in.getMask()->ints();
  bool isStream = in.getShape() != nullptr;
  auto isSet = [&](int64_t place) {
    return isStream ? streamed(mask, place, 1) : mask[place];
  };
  int64_t ones = 0;
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
    ones += isSet(i);
  if (failed(checkOnes(op, ones, in.getNonzeroData()->getNumElements())))
    return llvm::failure();
  withPayload(result, [&](auto payload) {
    using T = decltype(payload);
    const T *next = in.getNonzeroData()->template values<T>().data();
    for (auto [place, element] : llvm::enumerate(result.template values<T>()))
      if (isSet(place))
        element = *next++;
  });
  return result;
}

/// scale * (value - offset) of one block; an absent offset is 0.
double shiftScale(double value, int64_t block, const Tensor &scale,
                  const Tensor *offset) {
  return scale.floats()[block] *
         (value - (offset ? numberAt(*offset, block) : 0));
}

Tensor blockwise(ConstexprBlockwiseShiftScaleOp op,
                 Inputs<ConstexprBlockwiseShiftScaleOp> in) {
  Tensor result = resultOf(op);
  Blocks blocks(in.getData()->getShape(), in.getScale()->getShape());
  for (auto [i, element] : llvm::enumerate(result.floats()))
    element = shiftScale(numberAt(*in.getData(), i), blocks(i), *in.getScale(),
                         in.getOffset());
  return result;
}

FailureOr<SmallVector<Tensor>>
sparseBlockwise(ConstexprSparseBlockwiseShiftScaleOp op,
                Inputs<ConstexprSparseBlockwiseShiftScaleOp> in) {
  Tensor nonzero = resultOf(op, 1);
  ArrayRef<int64_t> mask = in.getDataMask()->ints();
  if (failed(checkOnes(op, llvm::count(mask, 1), nonzero.getNumElements())))
    return llvm::failure();
  Blocks blocks(in.getDataMask()->getShape(), in.getScale()->getShape());
  int64_t next = 0;
  for (auto [place, isSet] : llvm::enumerate(mask))
    if (isSet) {
      nonzero.floats()[next] =
          shiftScale(numberAt(*in.getNonzeroData(), next), blocks(place),
                     *in.getScale(), in.getOffset());
      ++next;
    }
  SmallVector<Tensor> results;
  results.push_back(*in.getDataMask());
  results.push_back(std::move(nonzero));
  return results;
}

Tensor widen(ConstexprCastOp op, Inputs<ConstexprCastOp> in) {
  return convert(*in.getSourceVal(), resultOf(op).getElementType());
}

} // namespace

void ane::reference::registerQuantizationOps(OpTable &table) {
  table.add<ConstexprAffineDequantizeOp>(affineDequantize);
  table.add<ConstexprBlockwiseShiftScaleOp>(blockwise);
  table.add<ConstexprCastOp>(widen);
  table.add<ConstexprLutToDenseOp>(lutToDense);
  table.add<ConstexprLutToSparseOp>(lutToSparse);
  table.add<ConstexprSparseBlockwiseShiftScaleOp>(sparseBlockwise);
  table.add<ConstexprSparseToDenseOp>(sparseToDense);
  table.add<DequantizeOp>(dequantize);
  table.add<QuantizeOp>(quantize);
}
