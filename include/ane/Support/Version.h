//===- Version.h - The version of this project ------------------*- C++ -*-===//

#ifndef ANE_SUPPORT_VERSION_H
#define ANE_SUPPORT_VERSION_H

namespace ane {

/// As in the top CMakeLists.txt.
inline constexpr const char *version = ANE_VERSION;

} // namespace ane

#endif // ANE_SUPPORT_VERSION_H
