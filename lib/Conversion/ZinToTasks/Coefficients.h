//===- Coefficients.h - Kernels of convolutions and products ----*- C++ -*-===//

#ifndef ANE_LIB_CONVERSION_ZINTOTASKS_COEFFICIENTS_H
#define ANE_LIB_CONVERSION_ZINTOTASKS_COEFFICIENTS_H

#include "ane/Dialect/Zin/IR/Zin.h"

namespace ane::tasks {

/// `count` elements from `begin` on, repeated so often; large constants are not
/// copied where that is once.
mlir::ElementsAttr sliceElements(mlir::ElementsAttr elements, int64_t begin,
                                 int64_t count, int64_t times);

/// An activation is relu, which the engine has, or a table in the kernel.
bool isRelu(zin::NeuronAttr activation);

} // namespace ane::tasks

#endif // ANE_LIB_CONVERSION_ZINTOTASKS_COEFFICIENTS_H
