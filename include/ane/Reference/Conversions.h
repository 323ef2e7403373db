//===- Conversions.h - Tensors from and to attributes and arrays -*- C++
//-*-===//

#ifndef ANE_REFERENCE_CONVERSIONS_H
#define ANE_REFERENCE_CONVERSIONS_H

#include "ane/Reference/Tensor.h"
#include "ane/Support/Npy.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace ane::reference {

/// The elements of a dense attribute, or of a resource: little-endian elements
/// in row-major order, one byte for a bool. Fails for other kinds of attribute,
/// for a resource whose bytes are absent or do not fit the shape, and for a
/// type that a Tensor cannot hold, among them those below one byte.
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

/// bf16, which NumPy does not have, becomes fp32.
NpyArray toNpy(const Tensor &tensor);

} // namespace ane::reference

#endif // ANE_REFERENCE_CONVERSIONS_H
