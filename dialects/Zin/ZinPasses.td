//===- ZinPasses.td - Passes on layers and tasks --------------------------===//

#ifndef ANE_ZIN_PASSES_TD
#define ANE_ZIN_PASSES_TD

include "mlir/Pass/PassBase.td"

def FuseEpilogue : Pass<"zin-fuse-epilogue", "::ane::zin::ProcedureOp"> {
  let summary = "Fuse bias and activation into convolutions and products";
  let description = [{
    The neural engine adds a bias and applies an activation before it rounds a
    result once. A constant per-channel addend behind a convolution or a matrix
    product becomes its bias, an activation behind it becomes its activation,
    if nobody else reads the value in between. Activations move in front of
    reshapes for that, and two clamps in a row become one.
  }];
  let statistics = [
    Statistic<"numBiases", "biases", "Addends fused as bias">,
    Statistic<"numActivations", "activations", "Activations fused">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def Legalize : Pass<"zin-legalize", "::ane::zin::ProcedureOp"> {
  let summary = "Rewrite layers the engine has no form for";
  let description = [{
    * A kernel beyond 29 rows or 13 columns, dilation included, becomes several,
      whose results are added up.
    * More than 16 rows or columns of padding in front of a convolution become
      zeros in front of its input.
    * A dilated kernel becomes a larger one with zeros between its elements:
      there is no dilation register.
    * A stride above the two bits of the stride register becomes its largest
      factor below and a view of every n-th result.
    * An average whose divisor is not the same for all windows becomes a sum of
      each window times a constant map.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"", "Target to rewrite for">,
  ];
  let statistics = [
    Statistic<"numRewritten", "rewritten", "Layers rewritten">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def PlaceDram : Pass<"zin-place-dram", "::ane::zin::ProgramOp"> {
  let summary = "Give scratch buffers their places in one section";
  let description = [{
    All scratch buffers lie in one section. A buffer takes the first gap that no
    buffer alive at the same time occupies; it is alive from the task that first
    writes it to the task that last reads it.
  }];
  let statistics = [
    Statistic<"scratchBytes", "scratch-bytes", "Bytes of the scratch section">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

#endif // ANE_ZIN_PASSES_TD
