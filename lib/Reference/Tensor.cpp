//===- Tensor.cpp - Values of the reference interpreter -------------------===//

#include "ane/Reference/Tensor.h"
#include "Storage.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Support/CheckedProduct.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace ane::reference;

llvm::Error Tensor::check(Type type) {
  auto refuse = [&](const Twine &reason) {
    return llvm::createStringError(mil::formatType(type) + ": " + reason);
  };
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return refuse("not a tensor");
  if (!withStorage(tensor.getElementType(), [](auto) {}))
    return refuse("elements of type " +
                  mil::dtypeName(tensor.getElementType()) +
                  " have no reference");
  if (!tensor.hasStaticShape())
    return refuse("the shape is not known; give inputs of known shape");
  std::optional<int64_t> count =
      ane::checkedProduct<int64_t>(1, tensor.getShape());
  if (!count || *count > maxElements)
    return refuse("more than the " + Twine(maxElements) +
                  " elements that the reference holds");
  return llvm::Error::success();
}

Tensor::Tensor(RankedTensorType type) : type(mil::withoutLayout(type)) {
  if (isFloat())
    payload = std::vector<double>(type.getNumElements());
  else
    payload = std::vector<int64_t>(type.getNumElements());
}

int64_t Tensor::getNumElements() const {
  return std::visit([](const auto &values) { return int64_t(values.size()); },
                    payload);
}

void Tensor::roundToElementType() {
  withStorage(getElementType(), [&](auto storage) {
    using T = decltype(storage);
    using Payload = PayloadOf<T>;
    for (Payload &value : values<Payload>())
      value = static_cast<Payload>(static_cast<T>(value));
  });
}

Tensor Tensor::reshaped(ArrayRef<int64_t> shape) const {
  Tensor result = *this;
  result.type = type.clone(shape);
  assert(result.type.getNumElements() == getNumElements());
  return result;
}

namespace {

/// Truncates towards zero and saturates.
template <typename T> int64_t toInteger(double value) {
  if (std::isnan(value))
    return 0;
  if constexpr (isNarrowInt<T>) {
    return std::clamp(toInteger<int16_t>(value), T::lowest, T::highest);
  } else {
    constexpr T lowest = std::numeric_limits<T>::min();
    constexpr T highest = std::numeric_limits<T>::max();
    if (value <= static_cast<double>(lowest))
      return lowest;
    if (value >= static_cast<double>(highest))
      return highest;
    return static_cast<T>(value);
  }
}
template <> int64_t toInteger<bool>(double value) { return value != 0; }

} // namespace

Tensor ane::reference::convert(const Tensor &tensor, Type elementType) {
  Tensor result(tensor.getType().clone(elementType));
  if (tensor.isFloat() && result.isFloat()) {
    llvm::copy(tensor.floats(), result.floats().begin());
  } else if (tensor.isFloat()) {
    withStorage(elementType, [&](auto storage) {
      using T = decltype(storage);
      if constexpr (std::is_integral_v<T> || isNarrowInt<T>)
        llvm::transform(tensor.floats(), result.ints().begin(), toInteger<T>);
    });
  } else if (result.isFloat()) {
    bool isUnsigned = tensor.getElementType().isUnsignedInteger();
    llvm::transform(tensor.ints(), result.floats().begin(),
                    [&](int64_t value) -> double {
                      if (isUnsigned)
                        return static_cast<uint64_t>(value);
                      return value;
                    });
  } else {
    llvm::copy(tensor.ints(), result.ints().begin());
  }
  // An integer becomes a bool by conversion, not by its lowest bit, as the
  // conversion of C++ has it.
  result.roundToElementType();
  return result;
}
