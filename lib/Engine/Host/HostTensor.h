//===- HostTensor.h - Between arrays of the host and surfaces ---*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_HOST_HOSTTENSOR_H
#define ANE_LIB_ENGINE_HOST_HOSTTENSOR_H

#include "ane/Engine/Runner.h"

namespace ane::engine {

/// Stores a dense row-major array of the type and shape of a port in its
/// surface. Refuses an integer beyond the limit of the port.
llvm::Error storeTensor(const HostPort &port, const uint8_t *array,
                        uint8_t *surface);

/// The other way round.
void loadTensor(const HostPort &port, const uint8_t *surface, uint8_t *array);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_HOST_HOSTTENSOR_H
