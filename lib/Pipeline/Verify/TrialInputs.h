//===- TrialInputs.h - Inputs that a program is tried on --------*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_VERIFY_TRIALINPUTS_H
#define ANE_LIB_PIPELINE_VERIFY_TRIALINPUTS_H

#include "ane/Engine/HostPort.h"
#include "ane/Pipeline/InputRange.h"
#include "ane/Reference/Interpreter.h"

namespace ane {

/// Inputs, and what the reference makes of them.
struct Trial {
  std::vector<NpyArray> inputs; ///< one for each input port, in order
  llvm::SmallVector<reference::Tensor> parameters; ///< the same
  llvm::SmallVector<reference::Tensor> outputs;
};

/// Draws inputs in the domain of a program, the same in every run.
///
/// Floats lie in [-1, 1), and fp16 holds them exactly. Where the reference
/// makes NaN or infinities of those, as of the root of a negative number, (0,
/// 1) and [1, 2) are tried; the range is taken with the fewest. Those of inputs
/// with a range of their own lie there, rounded to fp16. Bools are true
/// or false. Integers are 1 or 2, a length or an index that most programs take;
/// where the reference refuses those, all are 1, and then all are 0. None
/// reaches the limit of its port or, as an index of a gather or scatter, the
/// extent that it chooses in.
///
/// Fails, after a report at the function, if the reference takes none of them.
llvm::FailureOr<Trial> drawTrial(mil::FuncOp func,
                                 llvm::ArrayRef<engine::HostPort> ports,
                                 llvm::ArrayRef<InputRange> ranges);

/// Runs a container, or its parts, on those inputs.
template <typename AnyRunner>
llvm::Error runTrial(AnyRunner &runner, llvm::ArrayRef<engine::HostPort> ports,
                     const Trial &trial) {
  auto array = trial.inputs.begin();
  for (const engine::HostPort &port : ports)
    if (port.isInput())
      if (llvm::Error error = runner.setInput(port.name, *array++, "verify"))
        return error;
  return runner.run();
}

} // namespace ane

#endif // ANE_LIB_PIPELINE_VERIFY_TRIALINPUTS_H
