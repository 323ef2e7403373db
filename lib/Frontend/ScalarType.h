//===- ScalarType.h - How elements are spelled and stored -------*- C++ -*-===//

#ifndef ANE_LIB_FRONTEND_SCALARTYPE_H
#define ANE_LIB_FRONTEND_SCALARTYPE_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Frontend/Number.h"

namespace ane::frontend {

/// An element type of the mil dialect, sorted by how text writes its values.
struct ScalarType {
  enum Kind { Bool, Integer, Float, String };

  mlir::Type type;
  Kind kind = String;
  unsigned width = 0; ///< in bits, 0 for strings
  bool isSigned = false;
  FloatFormat format = FloatFormat::Fp64;

  ScalarType(mlir::Type elementType) : type(elementType) {
    if (mlir::isa<mil::StringType>(elementType))
      return;
    width = elementType.getIntOrFloatBitWidth();
    isSigned = elementType.isSignlessInteger();
    if (!mlir::isa<mlir::FloatType>(elementType)) {
      kind = isSigned && width == 1 ? Bool : Integer;
      return;
    }
    kind = Float;
    if (elementType.isF16())
      format = FloatFormat::Fp16;
    else if (elementType.isBF16())
      format = FloatFormat::Bf16;
    else if (elementType.isF32())
      format = FloatFormat::Fp32;
  }

  uint64_t mask() const { return ~uint64_t(0) >> (64 - width); }
};

} // namespace ane::frontend

#endif // ANE_LIB_FRONTEND_SCALARTYPE_H
