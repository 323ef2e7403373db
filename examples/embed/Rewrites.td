//===- Rewrites.td - Patterns over ops of the mil dialect -----------------===//

include "MIL/MILActivationOps.td"
include "mlir/IR/PatternBase.td"

/// Clips at 6 what the program leaves unbounded. The name of the result stays,
/// since an output of the program is called by it.
def ClipRelu : Pat<(MIL_ReluOp $x, $label, $result_names),
                   (MIL_Relu6Op $x, $label, $result_names)>;
