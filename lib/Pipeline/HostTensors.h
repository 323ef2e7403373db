//===- HostTensors.h - What crosses between segments ------------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_HOSTTENSORS_H
#define ANE_LIB_PIPELINE_HOSTTENSORS_H

#include "ane/E5/E5.h"
#include "mlir/IR/Types.h"

namespace ane {

/// The type of a tensor that a dispatch descriptor can hold, which is nothing
/// for others: another element type, unknown extents, none, or rank above 5.
std::optional<e5::TensorDataType> hostTensorType(mlir::Type type);

} // namespace ane

#endif // ANE_LIB_PIPELINE_HOSTTENSORS_H
