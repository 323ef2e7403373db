//===- Stabs.h - Shapes in symbol names -------------------------*- C++ -*-===//

#ifndef ANE_OBJECT_STABS_H
#define ANE_OBJECT_STABS_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace ane::object {

/// The name of a symbol of type N_GSYM, the shape of a port:
/// `x:t11=ar1;0;1;12=s1536n:ar1;0;3;13=s512c:ar1;0;8;14=s64h:ar1;0;8;15=s2w:5`:
/// an array per axis, outermost first, and the number of the element type. The
/// array is type `number`, its axes are the types that follow.
struct ShapeStab {
  struct Axis {
    uint32_t extent = 0;
    uint64_t stride = 0; ///< bytes
    char name = 0;       ///< n, d, c, h or w
  };

  std::string name;
  unsigned number = 0;
  llvm::SmallVector<Axis, 5> axes;
  uint32_t elementType = 0;

  std::string str() const;
};

} // namespace ane::object

#endif // ANE_OBJECT_STABS_H
