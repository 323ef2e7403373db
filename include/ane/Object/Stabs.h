//===- Stabs.h - Types and shapes in symbol names ---------------*- C++ -*-===//
//
// Symbols of type N_LSYM define element types, those of type N_GSYM the shapes
// of ports, both in the text of their name.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_OBJECT_STABS_H
#define ANE_OBJECT_STABS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace ane::object {

/// `float16:t5=r1;2;0`: a name, a type number, and what it is.
struct TypeStab {
  std::string name;
  unsigned number = 0;
  std::string definition; ///< `r1;2;0`; may be empty

  static std::optional<TypeStab> parse(llvm::StringRef text);
  std::string str() const;
};

/// `x:t11=ar1;0;1;12=s1536n:ar1;0;3;13=s512c:ar1;0;8;14=s64h:ar1;0;8;15=s2w:5`:
/// an array per axis, outermost first, and the number of the element type. The
/// array is type `number`, its axes are the types that follow.
struct ShapeStab {
  struct Axis {
    uint32_t extent = 0;
    uint64_t stride = 0; ///< bytes
    char name = 0;       ///< n, d, c, h or w

    bool operator==(const Axis &) const = default;
  };

  std::string name;
  unsigned number = 0;
  llvm::SmallVector<Axis, 5> axes;
  uint32_t elementType = 0;

  /// Nothing for a text that str() does not write.
  static std::optional<ShapeStab> parse(llvm::StringRef text);
  std::string str() const;
};

} // namespace ane::object

#endif // ANE_OBJECT_STABS_H
