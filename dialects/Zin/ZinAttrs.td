//===- ZinAttrs.td - Structured attributes --------------------------------===//

#ifndef ANE_ZIN_ATTRS_TD
#define ANE_ZIN_ATTRS_TD

include "Zin/ZinEnums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

/// A list of integers, printed as `[1, 2]`.
def Zin_Ints : ArrayRefParameter<"int64_t"> {
  let parser = "::ane::zin::parseInts($_parser)";
  let printer = "::ane::zin::printInts($_printer, $_self)";
}

// Parameters that are not printed when they have their usual value.
def Zin_False : DefaultValuedParameter<"bool", "false">;
class Zin_Int<string value>
    : DefaultValuedParameter<"int64_t", value>;
class Zin_Number<string type, string value>
    : DefaultValuedParameter<"::mlir::FloatAttr",
          "::mlir::FloatAttr::get(::mlir::" # type # "::get($_ctxt), " # value # ")">;

class Zin_Attr<string name, string attrMnemonic> : AttrDef<Zin_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Zin_NeuronAttr : Zin_Attr<"Neuron", "neuron"> {
  let summary = "an activation with its parameters";
  let description = [{
    | mode | `alpha` | `beta` |
    |---|---|---|
    | `prelu` | slope below zero | |
    | `thresholded_relu` | lowest number that passes | |
    | `clamped_relu` | lower bound | upper bound |
    | `sigmoid_hard` | slope of the line | its offset |

    Other modes have no parameters. `sin` counts x in turns, up to half a one;
    `sigmoid_high_precision` is the sigmoid of x * 8 / 11, and `custom_lut` the
    part of x * 2 / 5 that its gelu is, (1 + erf(x * 2 / 5 / sqrt(2))) / 2;
    `atan_part1` is atan(x) up to |x| = 1 and +-pi/4 beyond, `atan_part2` what
    is left to +-pi/4 and 0 beyond; `int` and `frac` are the parts of x, both of
    its sign.

    ```mlir
    #zin.neuron<relu>
    #zin.neuron<clamped_relu, 0.0 : f16, 6.0 : f16>
    ```
  }];
  let parameters = (ins EnumParameter<Zin_NonLinearMode>:$mode,
                        OptionalParameter<"::mlir::FloatAttr">:$alpha,
                        OptionalParameter<"::mlir::FloatAttr">:$beta);
  let assemblyFormat = "`<` $mode (`,` $alpha^)? (`,` $beta^)? `>`";
  let genVerifyDecl = 1;
}

def Zin_LayoutAttr : Zin_Attr<"Layout", "layout"> {
  let summary = "how a tensor lies in memory";
  let description = [{
    `shape` is [groups, depth, channels, rows, columns]; `strides` are the bytes
    between groups, depth slices, channels and rows. Columns are two bytes
    apart. Strides are multiples of 64 bytes, the step of the DMA registers. A
    stride of 0 repeats the same elements.

    With `interleave` n, which divides the channels, n of them lie side by side in
    each column: columns are 2 n bytes apart, and the bytes between channels are
    those between every n of them.

    ```mlir
    #zin.layout<[1, 1, 64, 1, 64], [8192, 8192, 512, 512], interleave = 4>
    ```
  }];
  let parameters = (ins Zin_Ints:$shape, Zin_Ints:$strides,
                        Zin_Int<"1">:$interleave);
  let assemblyFormat = [{
    `<` $shape `,` $strides (`,` `interleave` `=` $interleave^)? `>`
  }];
  let genVerifyDecl = 1;
}

def Zin_ViewAttr : Zin_Attr<"View", "view"> {
  let summary = "a strided part of a buffer";
  let description = [{
    From `offset` on, a multiple of 64 bytes. Many views have one layout, which
    is kept once.

    ```mlir
    #zin.view<@x + 0, [1, 1, 64, 8, 8], [32768, 32768, 512, 64]>
    #zin.view<@x + 0, [1, 1, 64, 1, 64], [8192, 8192, 512, 512], interleave = 4>
    ```
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$buffer, "int64_t":$offset,
                        "::ane::zin::LayoutAttr":$layout);
  let builders = [AttrBuilder<(ins
      "::mlir::FlatSymbolRefAttr":$buffer, "int64_t":$offset,
      "::llvm::ArrayRef<int64_t>":$shape, "::llvm::ArrayRef<int64_t>":$strides,
      "int64_t":$interleave), [{
    return $_get($_ctxt, buffer, offset,
                 LayoutAttr::get($_ctxt, shape, strides, interleave));
  }]>];
  // The layout is told as its parameters.
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<int64_t> getShape() const { return getLayout().getShape(); }
    ::llvm::ArrayRef<int64_t> getStrides() const {
      return getLayout().getStrides();
    }
    int64_t getInterleave() const { return getLayout().getInterleave(); }
    int64_t getGroups() const { return getShape()[0]; }
    int64_t getDepth() const { return getShape()[1]; }
    int64_t getChannels() const { return getShape()[2]; }
    int64_t getRows() const { return getShape()[3]; }
    int64_t getColumns() const { return getShape()[4]; }
    int64_t getGroupStride() const { return getStrides()[0]; }
    int64_t getDepthStride() const { return getStrides()[1]; }
    int64_t getPlaneStride() const { return getStrides()[2]; }
    int64_t getRowStride() const { return getStrides()[3]; }
    /// What channels that lie side by side count as: steps of the plane stride.
    int64_t getPlanes() const { return getChannels() / getInterleave(); }
    /// How many places the stride of a dimension leads to: planes for channels.
    int64_t getPlaces(unsigned dim) const {
      return dim == 2 ? getPlanes() : getShape()[dim];
    }
    /// Bytes from the start of a row to the end of its last element.
    int64_t getRowBytes() const;
  }];
}

def Zin_NEConfigAttr : Zin_Attr<"NEConfig", "ne"> {
  let summary = "what a task of the neural engine computes";
  let description = [{
    For each output channel: the operation `op` over the taps of the window,
    then `(sum + acc_bias) * post_scale`, then the activation: relu, the table
    of the kernel, or none.

    * `window` is [kernel rows, kernel columns], `stride` and `padding` (top,
      left) likewise; padding below and to the right follows from the result.
    * `groups` splits the channels; a task without a grouped kernel has the
      batch there, with `reuse` if it has a kernel.
    * `unicast` is the number of input channels an output channel reads, or 0
      if it reads all of its group.
    * `kernelless` tasks have 1 for every coefficient.
    * `lowest_padding` pads with the lowest number instead of 0.
    * `transposed` writes channels and columns of the result in each other's
      place.
  }];
  let parameters = (ins
      EnumParameter<Zin_MACOp>:$op,
      Zin_Ints:$window,
      Zin_Ints:$stride,
      Zin_Ints:$padding,
      Zin_Int<"1">:$groups, Zin_Int<"0">:$unicast, Zin_False:$reuse,
      Zin_False:$kernelless, Zin_False:$lowestPadding, Zin_False:$relu,
      Zin_False:$transposed, Zin_Number<"Float16Type", "0.0">:$accBias,
      Zin_Number<"Float16Type", "1.0">:$postScale);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Zin_PEConfigAttr : Zin_Attr<"PEConfig", "pe"> {
  let summary = "what a task of the planar engine computes";
  let description = [{
    Without a reduction: `((pre_scale * ±a) op ±b + bias) * scale`, then relu or
    the absolute value; with `relu2` what is negative of b counts as 0. With one:
    the reduction of the columns, and of rows and depth if there is one group and
    more than one row, times `final_scale`, plus `epsilon`, then the post function.

    `broadcast1` and `broadcast2` say along which of columns, rows, depth and
    channels an operand has one element for all (bits 0 to 3). `vector_result`
    stores the channels of the result along its columns; operands with `vector1`
    and `vector2` were stored so.
  }];
  let parameters = (ins
      EnumParameter<Zin_PEOp>:$op, EnumParameter<Zin_PEReduce>:$reduce,
      EnumParameter<Zin_PEPost>:$post,
      Zin_False:$negate1, Zin_False:$negate2, Zin_False:$relu2,
      Zin_False:$relu, Zin_False:$abs,
      Zin_Int<"0">:$broadcast1, Zin_Int<"0">:$broadcast2, Zin_False:$vector1,
      Zin_False:$vector2, Zin_False:$vectorResult,
      Zin_Number<"Float16Type", "1.0">:$preScale,
      Zin_Number<"Float16Type", "1.0">:$scale,
      Zin_Number<"Float16Type", "0.0">:$bias,
      Zin_Number<"Float16Type", "0.0">:$epsilon,
      Zin_Number<"Float32Type", "1.0">:$finalScale);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Zin_L2PlaceAttr : Zin_Attr<"L2Place", "l2_place"> {
  let summary = "the place of a buffer in the scratchpad";
  let description = [{
    `base` and `strides` are bytes: between groups, depth slices, channels and
    rows of the buffer's layout, or of a view that lies there by itself. They
    need not be in the order of memory: a tile has rows of all channels.
  }];
  let parameters = (ins "int64_t":$base, Zin_Ints:$strides);
  let assemblyFormat = "`<` $base `,` $strides `>`";
  let genVerifyDecl = 1;
}

def Zin_Streamed : EnumParameter<Zin_Residence> {
  let defaultValue = "::ane::zin::Residence::streamed";
}

def Zin_L2Attr : Zin_Attr<"L2", "l2"> {
  let summary = "how a task uses the scratchpad";
  let description = [{
    Where operands and result are: `streamed` from or to memory, which is not
    printed; `resident` in L2 alone; `kept`, in memory and in L2: fetched and
    kept for later tasks, or stored and kept. Second sources are not kept.
    `place` is where the first source lies if its buffer has no place in L2: a
    view that some tasks read, one after the other, of which the first fetches
    it.

    What streams does so through tiles that lie in the `bytes` bytes from
    `begin` on.
  }];
  let parameters = (ins Zin_Streamed:$source1, Zin_Streamed:$source2,
                        Zin_Streamed:$result, "int64_t":$begin,
                        "int64_t":$bytes,
                        OptionalParameter<"::ane::zin::L2PlaceAttr">:$place);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // ANE_ZIN_ATTRS_TD
