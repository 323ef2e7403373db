//===- Conversions.h - Tensors of attributes and arrays ---------*- C++ -*-===//

#ifndef ANE_REFERENCE_CONVERSIONS_H
#define ANE_REFERENCE_CONVERSIONS_H

#include "ane/Reference/Tensor.h"
#include "ane/Support/Npy.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace ane::reference {

/// The elements of a dense attribute, or of a resource: little-endian elements
/// in row-major order, one byte for a bool; integers narrower than a byte are
/// packed in a resource, from the least significant bit of each byte on. Fails
/// for other kinds of attribute, for a resource whose bytes are absent or do
/// not fit the shape, and for a type that a Tensor cannot hold.
llvm::Expected<Tensor> fromElementsAttr(mlir::ElementsAttr attr);

/// A dense attribute for a tensor of up to 1024 elements, a resource on the
/// heap for a larger one: a dense attribute is hashed and lives as long as its
/// context. `name` is the key of the resource; the context makes it unique.
mlir::ElementsAttr toElementsAttr(const Tensor &tensor,
                                  llvm::StringRef name = "reference");

/// Fails for an array whose bytes do not fit its shape or that has more than
/// Tensor::maxElements elements.
llvm::Expected<Tensor> fromNpy(mlir::MLIRContext *context,
                               const NpyArray &array);

/// What NumPy does not have becomes wider: bf16 fp32, an integer narrower than
/// a byte one of 8 bits.
NpyArray toNpy(const Tensor &tensor);

} // namespace ane::reference

#endif // ANE_REFERENCE_CONVERSIONS_H
