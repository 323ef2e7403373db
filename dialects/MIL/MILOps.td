//===- MILOps.td - All ops of the dialect ---------------------------------===//

#ifndef ANE_MIL_OPS_TD
#define ANE_MIL_OPS_TD

include "MIL/MILActivationOps.td"
include "MIL/MILBufferOps.td"
include "MIL/MILControlFlowOps.td"
include "MIL/MILConvOps.td"
include "MIL/MILElementwiseOps.td"
include "MIL/MILImageOps.td"
include "MIL/MILIndexingOps.td"
include "MIL/MILLinearOps.td"
include "MIL/MILListOps.td"
include "MIL/MILNormalizationOps.td"
include "MIL/MILPoolOps.td"
include "MIL/MILProgramOps.td"
include "MIL/MILQuantizationOps.td"
include "MIL/MILRandomOps.td"
include "MIL/MILRecurrentOps.td"
include "MIL/MILReductionOps.td"
include "MIL/MILStateOps.td"
include "MIL/MILTensorOps.td"
include "MIL/MILTransformOps.td"
include "MIL/MILUnaryOps.td"

#endif // ANE_MIL_OPS_TD
