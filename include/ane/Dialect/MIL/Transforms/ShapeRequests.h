//===- ShapeRequests.h - Shapes that a user asks for ------------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_SHAPEREQUESTS_H
#define ANE_DIALECT_MIL_TRANSFORMS_SHAPEREQUESTS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace ane::mil {

/// What is wrong with the form of a request for the shape of an input, such as
/// `x=1x129x4`; nothing if it is right.
std::string checkShapeRequest(llvm::StringRef text);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_TRANSFORMS_SHAPEREQUESTS_H
