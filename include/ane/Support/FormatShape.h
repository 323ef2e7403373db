//===- FormatShape.h - Shapes in messages -----------------------*- C++ -*-===//

#ifndef ANE_SUPPORT_FORMATSHAPE_H
#define ANE_SUPPORT_FORMATSHAPE_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>

namespace ane {

/// `[1, 3, 8]`, as messages print a shape or another list of numbers.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

} // namespace ane

#endif // ANE_SUPPORT_FORMATSHAPE_H
