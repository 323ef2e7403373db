//===- MILOps.td - All ops of the dialect ---------------------------------===//

#ifndef ANE_MIL_OPS_TD
#define ANE_MIL_OPS_TD

include "MIL/MILActivationOps.td"
include "MIL/MILConvOps.td"
include "MIL/MILElementwiseOps.td"
include "MIL/MILLinearOps.td"
include "MIL/MILNormalizationOps.td"
include "MIL/MILPoolOps.td"
include "MIL/MILProgramOps.td"
include "MIL/MILReductionOps.td"
include "MIL/MILTensorOps.td"

#endif // ANE_MIL_OPS_TD
