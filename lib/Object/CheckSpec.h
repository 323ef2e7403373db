//===- CheckSpec.h - Checks of the emission model ---------------*- C++ -*-===//

#ifndef ANE_LIB_OBJECT_CHECKSPEC_H
#define ANE_LIB_OBJECT_CHECKSPEC_H

#include "ane/Object/Builder.h"

namespace ane::object {

/// The name of a port with the suffix that outputs get.
std::string fullName(const PortSpec &port);

/// The same with the procedure in front, where there are several.
std::string containerName(const ContainerSpec &spec, const PortSpec &port);

/// All procedures, the first one too.
std::vector<ProcedureSpec> procedures(const ContainerSpec &spec);

/// Bytes of a port's surface, and of it up to the end of the last element. 0 if
/// they do not fit 64 bits, which checkSpec refuses.
uint64_t surfaceBytes(const PortSpec &port);
uint64_t exactBytes(const PortSpec &port);

/// Refuses what no container can express, before anything is laid out.
llvm::Error checkSpec(const ContainerSpec &spec);

} // namespace ane::object

#endif // ANE_LIB_OBJECT_CHECKSPEC_H
