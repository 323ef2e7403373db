//===- Tensor.h - Values of the reference interpreter -----------*- C++ -*-===//

#ifndef ANE_REFERENCE_TENSOR_H
#define ANE_REFERENCE_TENSOR_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"
#include <variant>
#include <vector>

namespace ane::reference {

/// A dense tensor whose elements are held wide: those of a floating-point type
/// as doubles, those of an integer type and of bool as 64-bit integers. Two
/// payload types instead of a dozen keep each op's function to a few lines, and
/// doubles let a sum read its terms without widening them one by one. The price
/// is four bytes of memory for each byte of fp16. It is bounded: the
/// interpreter widens a constant only while an op reads it and drops every
/// value after its last use, so a model of any size needs room for its largest
/// weight and its live activations.
///
/// Between ops each element is exactly a value of the element type. An op's
/// function may leave wider ones; `roundToElementType` then rounds once.
class Tensor {
public:
  /// Beyond this a tensor is refused: 8 GiB of payload.
  static constexpr int64_t maxElements = int64_t(1) << 30;

  /// Whether a value of `type` can be held: a ranked tensor of known shape, at
  /// most `maxElements` elements, and an element type fp16, bf16, fp32, fp64,
  /// bool or an integer type of MIL. The error says what is amiss.
  static llvm::Error check(mlir::Type type);

  /// Zeros. `type` must pass `check`; how it lies in memory does not matter.
  explicit Tensor(mlir::RankedTensorType type);

  mlir::RankedTensorType getType() const { return type; }
  mlir::Type getElementType() const { return type.getElementType(); }
  llvm::ArrayRef<int64_t> getShape() const { return type.getShape(); }
  int64_t getRank() const { return type.getRank(); }
  int64_t getDimSize(int64_t dim) const { return type.getDimSize(dim); }
  int64_t getNumElements() const;

  /// The payload in row-major order; T is double for a floating-point type and
  /// int64_t for any other. An unsigned 64-bit element is held as the signed
  /// one of the same bits.
  template <typename T> llvm::ArrayRef<T> values() const {
    return std::get<std::vector<T>>(payload);
  }
  template <typename T> llvm::MutableArrayRef<T> values() {
    return std::get<std::vector<T>>(payload);
  }

  bool isFloat() const { return mlir::isa<mlir::FloatType>(getElementType()); }
  llvm::ArrayRef<double> floats() const { return values<double>(); }
  llvm::MutableArrayRef<double> floats() { return values<double>(); }
  llvm::ArrayRef<int64_t> ints() const { return values<int64_t>(); }
  llvm::MutableArrayRef<int64_t> ints() { return values<int64_t>(); }

  /// Rounds each element to its type: floating point to nearest, ties to even,
  /// overflow to infinity; integers to their low bits; bools to whether they
  /// differ from 0.
  void roundToElementType();

  /// The same elements in row-major order with another shape of as many.
  Tensor reshaped(llvm::ArrayRef<int64_t> shape) const;

private:
  mlir::RankedTensorType type;
  std::variant<std::vector<double>, std::vector<int64_t>> payload;
};

/// Calls `fn(T())` with the payload type of a tensor, double or int64_t.
template <typename Fn> auto withPayload(const Tensor &tensor, Fn fn) {
  return tensor.isFloat() ? fn(double()) : fn(int64_t());
}

/// The elements as another type:
/// * to floating point: rounded once;
/// * from floating point to integer: truncated towards zero; what lies outside
///   goes to the nearest value of the type, NaN to 0 (assigned: MIL does not
///   say; it is what the Arm conversion instructions do);
/// * to bool: whether it differs from 0;
/// * from integer to integer: the low bits, as in NumPy.
///
/// `elementType` must be one that `Tensor::check` admits.
Tensor convert(const Tensor &tensor, mlir::Type elementType);

} // namespace ane::reference

#endif // ANE_REFERENCE_TENSOR_H
