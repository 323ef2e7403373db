//===- StoredElements.h - Constants as they are stored ----------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_CONSTANTS_STOREDELEMENTS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_CONSTANTS_STOREDELEMENTS_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ane::mil {

/// The elements of a constant as its attribute or resource has them:
/// little-endian, row-major, each of so many bits. Those narrower than a byte
/// follow one another from the least significant bit of each byte on.
struct StoredElements {
  mlir::RankedTensorType type;
  llvm::ArrayRef<char> bytes;
  unsigned bits;

  /// Nothing for what is no constant of numbers at hand, for one of which an
  /// attribute has only one element for all or single bits, and for bools.
  static std::optional<StoredElements> get(mlir::Value constant);

  /// How many bytes an element has; nothing if that is no whole number.
  std::optional<size_t> elementBytes() const;
};

/// Whether `makeStored` can make constants of a type: of static shape, with
/// some elements, these of whole bytes, and no bools.
bool canMakeStored(mlir::Type type);

/// A constant of which `fill` writes all bytes as they are to be stored.
mlir::ElementsAttr
makeStored(mlir::RankedTensorType type,
           llvm::function_ref<void(llvm::MutableArrayRef<char>)> fill);

/// The results of an op that moves elements of constants or gives them another
/// shape, made from their bytes; nothing for any other op, or where one of its
/// constants is not stored so that this can be done.
std::optional<llvm::SmallVector<mlir::ElementsAttr>>
foldMove(mlir::Operation *op);

/// The same for an op of the `constexpr_` family, on constants, and for a cast
/// of them from one floating-point type to another.
std::optional<llvm::SmallVector<mlir::ElementsAttr>>
foldWeight(mlir::Operation *op);

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_CONSTANTS_STOREDELEMENTS_H
