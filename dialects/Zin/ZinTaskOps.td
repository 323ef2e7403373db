//===- ZinTaskOps.td - Programs, buffers, kernels, tasks ------------------===//

#ifndef ANE_ZIN_TASK_OPS_TD
#define ANE_ZIN_TASK_OPS_TD

include "Zin/ZinUnitOps.td"

def Zin_ProgramOp : Op<Zin_Dialect, "program",
    !listconcat([IsolatedFromAbove, Symbol, SymbolTable],
                GraphRegionNoTerminator.traits)> {
  let summary = "a procedure as tasks";
  let description = [{
    Buffers, kernels and tasks; tasks run in the order they stand.
    `zin-place-dram` sets `scratch_bytes` and the places of scratch buffers.

    ```mlir
    zin.program @main {
      zin.buffer <input> @input 256 bytes <@input + 0, [1, 1, 1, 4, 6], [256, 256, 256, 64]> {host_type = tensor<1x1x4x6xf16>, port = "x"}
      zin.buffer <output> @output 256 bytes <@output + 0, [1, 1, 1, 4, 6], [256, 256, 256, 64]> {host_type = tensor<1x1x4x6xf16>, port = "y"}
      zin.kernel @kernel {channelwise, groups = 1 : i64, ocg_size = 0 : i64, outputs = 1 : i64, taps = 1 : i64, weights = dense<2.000000e+00> : tensor<1xf16>}
      zin.task <NEFUSED_CONV> on <NEConv> reads <@input + 0, [1, 1, 1, 4, 6], [256, 256, 256, 64]> writes <@output + 0, [1, 1, 1, 4, 6], [256, 256, 256, 64]> computes #zin.ne<op = mac, window = [1, 1], stride = [1, 1], padding = [0, 0]> with @kernel
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<I64Attr>:$scratch_bytes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
}

def Zin_BufferOp : Op<Zin_Dialect, "buffer",
                      [Symbol, HasParent<"ProgramOp">]> {
  let summary = "a surface in device memory";
  let description = [{
    `layout` is the whole surface as a view of itself. Inputs and outputs have
    the name of their port and the host's tensor type, and `host_strides`, in
    elements, where the host's tensor is not dense; `state` marks inputs that
    hold a state, and `shared` those of them whose surface is that of the
    output of the same port, set by `zin-share-states`. Constants have a value,
    whose shape is that of the layout. `offset` is the place of a scratch buffer
    in its section, set by `zin-place-dram`; `l2` is its place in the
    scratchpad, set by `zin-place-l2`.

    Constraints:
    * `zin-buffer-c1`: inputs and outputs have a port and a host type, constants a
      value, others neither; only those have interleaved channels. Strides of the
      host are those of its tensor.
    * `zin-buffer-c2`: what is shared is a state.
    * `zin-buffer-c4`: the layout lies in the bytes; the rows of a constant fill
      them.
    * `zin-buffer-c5`: some task writes each output, but for a state on its own
      surface; code generation reports this.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Zin_BufferKindAttr:$kind,
                       I64Attr:$bytes, Zin_ViewAttr:$layout,
                       OptionalAttr<StrAttr>:$port,
                       OptionalAttr<TypeAttr>:$host_type, UnitAttr:$state,
                       UnitAttr:$shared,
                       OptionalAttr<ElementsAttr>:$value,
                       OptionalAttr<I64Attr>:$offset,
                       OptionalAttr<Zin_L2PlaceAttr>:$l2,
                       OptionalAttr<DenseI64ArrayAttr>:$host_strides);
  let assemblyFormat = [{
    $kind $sym_name $bytes `bytes` $layout attr-dict
  }];
  let hasVerifier = 1;
}

def Zin_KernelOp : Op<Zin_Dialect, "kernel", [Symbol, HasParent<"ProgramOp">]> {
  let summary = "coefficients of a task";
  let description = [{
    `weights` is [groups * outputs, taps] in any shape with that many elements:
    outputs of group 0 first, taps from the outermost input dimension inwards.
    `bias` has one element an output. `activation` is the table that ends every
    lane. A kernel with a table alone has no weights. `storage` is how the weights
    are written; it changes no number.

    Constraints:
    * `zin-kernel-c1`: there are weights or a table, and as many weights and bias
      elements as outputs, taps and groups say.
    * `zin-kernel-c2`: weights and bias are fp16 and their bytes are at hand; code
      generation reports this.
    * `zin-kernel-c3`: a palette has room for all different weights, and a kernel
      without zeros has strides of 1 or of 2 in both directions and up to 32
      outputs side by side in each lane; code generation reports this.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<ElementsAttr>:$weights,
                       OptionalAttr<ElementsAttr>:$bias,
                       OptionalAttr<Zin_NeuronAttr>:$activation,
                       I64Attr:$outputs, I64Attr:$taps, I64Attr:$groups,
                       I64Attr:$ocg_size, UnitAttr:$channelwise,
                       OptionalAttr<Zin_KernelStorageAttr>:$storage);
  let assemblyFormat = "$sym_name attr-dict";
  let hasVerifier = 1;
}

def Zin_TaskOp : Op<Zin_Dialect, "task",
    [HasParent<"ProgramOp">,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "one task descriptor";
  let description = [{
    Reads `source1` and, for two-operand tasks of the planar engine, `source2`;
    writes `result`. `config` says what happens in between, `kernel` names the
    coefficients; coefficients that are computed lie at `kernel_view` instead,
    a row for each lane, the taps along the columns, and a channel for each of the
    outputs that a lane has: output o is channel o mod n of row o / n of n that lie
    side by side. The shape of `result` is that of the surface written: after a
    transposed write or with a vector result, channels and columns have changed
    places. `l2` says what of this is in the scratchpad, whose buffers have a
    place there then; without it everything streams through all of it.
    `co_issued` says that the task may be issued together with the one before it,
    set by `zin-pair-engines`.

    Constraints:
    * `zin-task-c1`: the configuration is that of an engine, and a neural engine
      task has one source. Only it has a kernel, constant or computed, and a
      computed one has as many rows as there are lanes at most, and a power of two
      of interleaved channels where it has all.
    * `zin-task-c2`: the kernel exists, and views lie inside their buffers.
    * `zin-task-c3`: extents fit the dimension registers.
    * `zin-task-c4`: every value fits its register; code generation reports this.
    * `zin-task-c5`: what is in the scratchpad has a place there in which the
      view can be told.
    * `zin-task-c6`: with interleaved channels are computed kernels and results
      that stream to memory, no vector results.
    * `zin-task-c7`: what is issued together are tasks of the two engines, and only
      two.
  }];
  let arguments = (ins Zin_OpcodeAttr:$opcode, Zin_UnitTypeAttr:$unit,
                       Zin_ViewAttr:$source1, OptionalAttr<Zin_ViewAttr>:$source2,
                       Zin_ViewAttr:$result, AnyAttr:$config,
                       OptionalAttr<FlatSymbolRefAttr>:$kernel,
                       OptionalAttr<Zin_ViewAttr>:$kernel_view,
                       OptionalAttr<Zin_L2Attr>:$l2, UnitAttr:$co_issued);
  let assemblyFormat = [{
    $opcode `on` $unit `reads` $source1 (`and` $source2^)? `writes` $result
    `computes` $config (`with` $kernel^)? (`weighs` $kernel_view^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    NEConfigAttr getNE() { return ::llvm::dyn_cast<NEConfigAttr>(getConfig()); }
    PEConfigAttr getPE() { return ::llvm::dyn_cast<PEConfigAttr>(getConfig()); }
    /// What the task reads, a computed kernel last, and then what it writes.
    ::llvm::SmallVector<Access, 4> getAccesses();
  }];
}

#endif // ANE_ZIN_TASK_OPS_TD
