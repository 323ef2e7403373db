//===- ConversionPasses.td - Passes between the levels --------------------===//

#ifndef ANE_CONVERSION_PASSES_TD
#define ANE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertMILToZin : Pass<"convert-mil-to-zin", "::mlir::ModuleOp"> {
  let summary = "Turn MIL functions into procedures of engine layers";
  let description = [{
    Every value becomes [batch, depth, channels, rows, columns] of fp16, with
    the dimensions of a MIL tensor aligned at the last one. First each op is
    checked against the target: element types, extents, window sizes, what must
    be constant. All refusals of a function are reported, each at its op with
    the violated constraint, then the pass fails. What passed the check is
    converted by patterns, one a MIL op.

    A function that computes in fp32 is converted with one warning, or refused
    with `strict-precision`.

    The mean of `layer_norm` and `instance_norm` is rounded to fp16 before it is
    subtracted, as real programs do it (verified). What it leaves is up to half a
    step of the mean. Few numbers often differ by little more than that. In norms
    of up to `refine-means-up-to` numbers the mean of the differences, which is
    small, is subtracted as well, in two tasks more (the default is assigned):

    ```
    x - mean(x)  ->  (x - mean(x)) - mean(x - mean(x))
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"", "Target to check against">,
    Option<"strictPrecision", "strict-precision", "bool", "false",
           "Refuse a function that computes in fp32">,
    Option<"refineMeansUpTo", "refine-means-up-to", "int64_t", "16",
           "The most numbers of a norm that subtracts what a rounded mean "
           "leaves">,
  ];
  let statistics = [
    Statistic<"numLayers", "layers", "Layers of all procedures">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def ConvertZinToTasks : Pass<"convert-zin-to-tasks", "::mlir::ModuleOp"> {
  let summary = "Turn procedures of layers into programs of tasks";
  let description = [{
    Gives every value a layout in a buffer and every layer the tasks that
    compute it, operands and results in DRAM. Layers that only rearrange
    elements become views where the layout allows it, copies where not. A layer
    writes its result where a concatenation puts it, or where transposes and
    reshapes behind it want it, as the heads of an attention side by side in
    rows. Where columns are cut, joined or put in turn inside a step of the DMA,
    channels lie along columns in between, if that wastes little: rows stay rows,
    of which `zin-tile-rows` takes blocks.

    Layers that share weights share a kernel, but for a few numbers, which are
    equal by chance, and weights of a file that are one number, which may stand
    for others to come (`docs/patching.md`).

    An engine has memory for 64 KiB of coefficients (verified), so layers with
    more in a lane are several tasks, each with as many outputs, channels or
    groups as there is room for: `lib/Conversion/ZinToTasks/SplitWeights.h`. They
    follow each other, and read the same columns of the same images. Coefficients
    of outputs of up to 128 pixels go by and take no room (verified).

    A task has one palette, and a weight of a program with palettes may have one
    for each few outputs. Parts of the outputs whose coefficients are at most 16
    or 256 numbers are tasks then, where these together take less time than tasks
    of fp16: idle lanes, descriptors and a source that comes again count against
    fewer bytes (`lib/Conversion/ZinToTasks/PaletteParts.h`). So 16 numbers for
    each 8 outputs are indices of 4 bits in tasks of 8 outputs where these have
    few pixels, of 8 bits in tasks of 128 otherwise. Outputs along rows begin at
    steps of memory, or lie along channels and are turned when all are there.
    `zin-compress-kernels` makes palettes of them.

    Computed matrices are kernels of products: each lane has a row, or 8 or 4 that
    lie side by side (verified), written so or copied:
    `lib/Conversion/ZinToTasks/KernelRows.h`.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"", "Target to lower for">,
  ];
  let statistics = [
    Statistic<"numTasks", "tasks", "Tasks emitted">,
    Statistic<"numCopies", "copies", "Tasks that only move data">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

#endif // ANE_CONVERSION_PASSES_TD
