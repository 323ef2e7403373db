//===- HalfElements.h - fp16 constants as bit patterns ----------*- C++ -*-===//

#ifndef ANE_DIALECT_ZIN_IR_HALFELEMENTS_H
#define ANE_DIALECT_ZIN_IR_HALFELEMENTS_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Endian.h"
#include <optional>
#include <vector>

namespace ane::zin {

/// Read access to the elements of a constant fp16 tensor in row-major order.
/// Looks at the attribute's storage or at the mapped bytes of a resource, and
/// copies neither.
class HalfElements {
public:
  /// Nothing if the attribute is no fp16 tensor or its resource is missing.
  static std::optional<HalfElements> get(mlir::ElementsAttr elements);

  size_t size() const { return count; }
  uint16_t operator[](size_t index) const {
    return llvm::support::endian::read16le(data +
                                           (splat ? 0 : index * halfBytes));
  }

  /// The elements as they are stored, little-endian; one for all of them where
  /// they are all the same and the attribute says so.
  llvm::StringRef bytes() const {
    return {data, (splat ? 1 : count) * halfBytes};
  }

  /// Whether all elements are the same number.
  bool isUniform() const {
    llvm::StringRef all = bytes();
    return all.drop_front(halfBytes) == all.drop_back(halfBytes);
  }

private:
  const char *data = nullptr;
  size_t count = 0;
  bool splat = false;
};

/// The elements of a value that is a constant; nothing of others, or of none.
std::optional<HalfElements> halfElementsOf(mlir::Value value);

/// Whether a value is a constant of which the elements can be read.
bool isAtHand(mlir::Value value);

/// An fp16 constant from bit patterns: a resource, so that large ones are not
/// uniqued, or a plain attribute for a handful of elements.
mlir::ElementsAttr makeHalfElements(mlir::RankedTensorType type,
                                    std::vector<uint16_t> bits);

/// Elements of `type` that follow one another in a constant from `begin` on.
/// Those of a resource are not copied: resources live as long as the context.
mlir::ElementsAttr sliceElements(mlir::ElementsAttr elements,
                                 mlir::RankedTensorType type, int64_t begin);

/// The same elements with another shape of as many elements, without a copy.
mlir::ElementsAttr reshapeElements(mlir::ElementsAttr elements,
                                   llvm::ArrayRef<int64_t> shape);

} // namespace ane::zin

#endif // ANE_DIALECT_ZIN_IR_HALFELEMENTS_H
