//===- H13.h - The engine of A14 and M1 -------------------------*- C++ -*-===//

#ifndef ANE_LIB_TARGET_H13_H
#define ANE_LIB_TARGET_H13_H

#include "ane/Target/Target.h"

namespace ane {
extern const TargetDescription h13;
} // namespace ane

#endif // ANE_LIB_TARGET_H13_H
