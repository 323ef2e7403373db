//===- ChannelAffine.h - Batch norm as gain and offset ----------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_IR_CHANNELAFFINE_H
#define ANE_DIALECT_MIL_IR_CHANNELAFFINE_H

#include "ane/Dialect/MIL/IR/MIL.h"

namespace ane::mil {

/// y = x * scale + bias, per channel.
struct ChannelAffine {
  llvm::SmallVector<double> scale;
  llvm::SmallVector<double> bias;
};

/// A batch norm as gain and offset, computed in double:
/// scale = gamma / sqrt(variance + epsilon), bias = beta - mean * scale.
/// Nothing if a parameter is not a constant at hand, or the number of channels
/// is not known.
std::optional<ChannelAffine> getChannelAffine(BatchNormOp op);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_CHANNELAFFINE_H
