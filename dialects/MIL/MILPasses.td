//===- MILPasses.td - Passes on the MIL dialect ---------------------------===//
//
// One pass, one file of lib/Dialect/MIL/Transforms, one flag of ane-opt, one
// test of test/Dialect/MIL, all of the same name.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_MIL_PASSES_TD
#define ANE_MIL_PASSES_TD

include "mlir/Pass/PassBase.td"

def LoadWeights : Pass<"mil-load-weights", "::mlir::ModuleOp"> {
  let summary = "Put the bytes of weight files in the place of references";
  let description = [{
    Each constant whose value is a `#mil.blob_file` gets a `dense_resource` that
    points into the weight file. A file is mapped once, read-only, and stays
    mapped as long as a value points into it; nothing is copied. Elements
    narrower than a byte stay packed as they are in the file, from the least
    significant bit of each byte on.

    `@model_path` at the start of a path stands for the option `model-path`, or
    without it for the folder of the file that the op's location names.

    The file, the metadata record, element type and size are checked. A refusal
    is reported at the constant and names the file, the offset, the value found
    and the one wanted.
  }];
  let options = [
    Option<"modelPath", "model-path", "std::string", "\"\"",
           "Folder that @model_path stands for">,
  ];
  let statistics = [
    Statistic<"numFiles", "files", "Weight files mapped">,
    Statistic<"numWeights", "weights", "Constants loaded">,
    Statistic<"numBytes", "bytes", "Bytes that constants point to">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def SpecializeShapes : Pass<"mil-specialize-shapes", "::mlir::ModuleOp"> {
  let summary = "Give the inputs of dynamic functions known shapes";
  let description = [{
    Binds the unknown extents of inputs and infers the type of every op again,
    in order. Afterwards nothing in a function is dynamic, and its attribute
    `FlexibleShapeInformation` is gone.

    Refused are: a shape that contradicts the known extents, or that the ranges
    or enumerated shapes of `FlexibleShapeInformation` exclude; an input that
    stays unknown; the name of an input that does not exist; an op whose result
    depends on more than shapes.
  }];
  let options = [
    ListOption<"shapes", "shape", "std::string",
               "Shape of an input, such as x=1x129x4; x= for a scalar">,
  ];
  let statistics = [
    Statistic<"numInputs", "inputs", "Inputs that got a shape">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def FoldConstants : Pass<"mil-fold-constants", "::ane::mil::FuncOp"> {
  let summary = "Evaluate ops whose inputs are all constant";
  let description = [{
    An op on constants becomes a constant of the same name, computed by the
    reference interpreter: in wide precision and rounded once to its element
    type. Weights that a program reshapes or casts reach the ops that read them
    as constants this way.
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Ops evaluated">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def FoldBatchNorm : Pass<"mil-fold-batch-norm", "::ane::mil::FuncOp"> {
  let summary = "Fold batch norms into the convolutions before them";
  let description = [{
    A batch norm multiplies every channel by a constant and adds another. Behind
    a convolution with constant weights that nobody else reads, the factors go
    into the weights and the addends into the bias. Both are computed in double
    and rounded once to the element type of the weights.
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Batch norms folded">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

#endif // ANE_MIL_PASSES_TD
