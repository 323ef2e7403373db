//===- FlexibleShapes.h - Shapes that a dynamic input may take --*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_IR_FLEXIBLESHAPES_H
#define ANE_DIALECT_MIL_IR_FLEXIBLESHAPES_H

#include "ane/Dialect/MIL/IR/MIL.h"

namespace ane::mil {

/// The attribute of a function that lists the shapes of its dynamic inputs.
inline constexpr llvm::StringLiteral flexibleShapesName =
    "FlexibleShapeInformation";

/// An input and its shape.
using NamedShape = std::pair<llvm::StringRef, llvm::SmallVector<int64_t>>;

/// The entry of that name, or null.
const NamedShape *findShape(llvm::ArrayRef<NamedShape> shapes,
                            llvm::StringRef name);

/// Content of the function attribute `FlexibleShapeInformation`.
///
/// `DefaultShapes` gives each dynamic input the shape it has if nobody asks for
/// another. `RangeDims` gives each dimension of an input its lowest and highest
/// extent, both included, the highest -1 for no bound (documented).
/// `EnumeratedShapes` lists sets of shapes for all inputs together, each under
/// a key.
struct FlexibleShapes {
  struct InputRange {
    llvm::StringRef name;
    llvm::SmallVector<std::pair<int64_t, int64_t>> extents;
  };

  struct ShapeSet {
    llvm::StringRef key;
    llvm::SmallVector<NamedShape> shapes;
  };

  llvm::SmallVector<NamedShape> defaults;
  llvm::SmallVector<InputRange> ranges;
  llvm::SmallVector<ShapeSet> enumerated;

  /// Reads the attribute of a function. An absent one gives no limits; one of
  /// another structure is reported. Constraints `mil-flexible-c1` and
  /// `mil-flexible-c2`.
  static llvm::FailureOr<FlexibleShapes> readFrom(FuncOp func);

  /// Reports what does not fit the inputs of the function, or itself.
  /// Constraints `mil-flexible-c3` to `mil-flexible-c7`.
  llvm::LogicalResult verify(FuncOp func) const;

  /// Reports, at the function, shapes that are not among those listed.
  llvm::LogicalResult check(FuncOp func,
                            llvm::ArrayRef<NamedShape> shapes) const;

private:
  /// Why shapes are not among those listed; nothing if they are.
  std::optional<std::string>
  findExclusion(FuncOp func, llvm::ArrayRef<NamedShape> shapes) const;
};

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_FLEXIBLESHAPES_H
