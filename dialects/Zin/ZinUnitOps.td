//===- ZinUnitOps.td - Layers ---------------------------------------------===//

#ifndef ANE_ZIN_UNIT_OPS_TD
#define ANE_ZIN_UNIT_OPS_TD

include "Zin/ZinAttrs.td"
include "Zin/ZinInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// A value of the unit level: [batch, depth, channels, rows, columns] of fp16.
def Zin_Tensor : Type<
    And<[TensorRankOf<[F16], [5]>.predicate, HasStaticShapePred,
         CPred<"!::llvm::is_contained("
               "::llvm::cast<::mlir::RankedTensorType>($_self).getShape(), 0)">]>,
    "static 5-D tensor of fp16 with elements", "::mlir::RankedTensorType">;

def Zin_F16Attr : FloatAttrBase<F16, "fp16 number">;

//===----------------------------------------------------------------------===//
// Procedures
//===----------------------------------------------------------------------===//

def Zin_ProcedureOp : Op<Zin_Dialect, "procedure",
    [FunctionOpInterface, IsolatedFromAbove,
     SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "a procedure as layers";
  let description = [{
    An argument has the attributes `zin.name`, the name of the port, and
    `zin.host_type`, the tensor type that the host passes: any rank, fp16, fp32,
    bool or integers. The type of an input of integers has the least and the
    largest number that may come in as its encoding, `[-300, 300]`; the
    least is 0 or minus the largest. Results have the same. `zin.state` marks an
    argument that holds a state. `zin.host_strides` says how the tensor of the
    host lies, in elements; without it, it is dense.

    ```mlir
    zin.procedure @main(%x: tensor<1x1x3x8x8xf16> {zin.host_type = tensor<1x3x8x8xf32>, zin.name = "x"}) -> (tensor<1x1x3x8x8xf16> {zin.host_type = tensor<1x3x8x8xf32>, zin.name = "y"}) {
      %y = zin.neuron <relu> %x : tensor<1x1x3x8x8xf16>
      zin.return %y : tensor<1x1x3x8x8xf16>
    }
    ```

    Constraints:
    * `zin-procedure-c1`: every argument and result has these attributes, and the
      strides of the host are positive and those of its tensor.
    * `zin-procedure-c2`: `zin.return` gives values of the result types.
    * `zin-procedure-c3`: no value has more than 2^48 elements.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral portNameAttrName = "zin.name";
    static constexpr ::llvm::StringLiteral hostTypeAttrName = "zin.host_type";
    static constexpr ::llvm::StringLiteral stateAttrName = "zin.state";
    /// Unit attribute of a result that is none of the program.
    static constexpr ::llvm::StringLiteral askedAttrName = "zin.asked";
    static constexpr ::llvm::StringLiteral hostStridesAttrName =
        "zin.host_strides";

    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
  }];
}

def Zin_ReturnOp : Op<Zin_Dialect, "return",
                      [Pure, ReturnLike, Terminator, HasParent<"ProcedureOp">]> {
  let summary = "the results of a procedure";
  let hasVerifier = 1;
  let arguments = (ins Variadic<Zin_Tensor>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, ::mlir::ValueRange());
  }]>];
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// A layer with one result that routes to the unit named `unit`.
class Zin_UnitOp<string opMnemonic, string unit, list<Trait> traits = []>
    : Op<Zin_Dialect, opMnemonic,
         !listconcat(traits, [Pure,
                              DeclareOpInterfaceMethods<Zin_UnitInterface>])> {
  let results = (outs Zin_Tensor:$result);
  let extraClassDefinition = [{
    ::ane::zin::UnitType $cppClass::getUnitType() {
      return ::ane::zin::UnitType::}] # unit # [{;
    }
  }];
}

def Zin_ConstantOp : Op<Zin_Dialect, "constant",
    [Pure, ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "values known at compile time";
  let description = [{
    ```mlir
    %w = zin.constant dense<[[[[[1.000000e+00]], [[-5.000000e-01]]]]]> : tensor<1x1x2x1x1xf16>
    ```
  }];
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Zin_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let extraClassDeclaration = [{
    ::mlir::ElementsAttr getElements() {
      return ::llvm::cast<::mlir::ElementsAttr>(getValue());
    }
  }];
}

def Zin_ConvOp : Zin_UnitOp<"conv", "Conv"> {
  let summary = "convolution with constant kernel";
  let description = [{
    `x` is [N, 1, Cin, H, W], `kernel` [Cout, 1, Cin / groups, Kh, Kw], `bias`
    [1, 1, Cout, 1, 1]. Lists are in the order rows, columns; `padding` is
    [top, left] and may differ from what the result leaves at bottom and right.
    `scale` multiplies sum and bias before the activation.

    ```mlir
    %y = zin.conv %x, %w bias %b {activation = #zin.neuron<relu>, dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x1x3x8x8xf16>, tensor<16x1x3x3x3xf16>, tensor<1x1x16x1x1xf16>) -> tensor<1x1x16x4x4xf16>
    ```

    Constraints:
    * `zin-conv-c1`: operands have these shapes, and groups divide the channels.
  }];
  let arguments = (ins Zin_Tensor:$x, Zin_Tensor:$kernel,
                       Optional<Zin_Tensor>:$bias,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding,
                       DenseI64ArrayAttr:$dilations, I64Attr:$groups,
                       OptionalAttr<Zin_NeuronAttr>:$activation,
                       OptionalAttr<Zin_F16Attr>:$scale);
  let assemblyFormat = [{
    $x `,` $kernel (`bias` $bias^)? attr-dict `:` functional-type(operands, $result)
  }];
  // Layers are made without a scale; zin-fuse-epilogue sets it.
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$x,
        "::mlir::Value":$kernel, "::mlir::Value":$bias,
        "::mlir::DenseI64ArrayAttr":$strides,
        "::mlir::DenseI64ArrayAttr":$padding,
        "::mlir::DenseI64ArrayAttr":$dilations, "::mlir::IntegerAttr":$groups,
        "NeuronAttr":$activation), [{
      build($_builder, $_state, result, x, kernel, bias, strides, padding,
            dilations, groups, activation, ::mlir::FloatAttr());
    }]>,
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$x,
        "::mlir::Value":$kernel, "::mlir::Value":$bias,
        "::llvm::ArrayRef<int64_t>":$strides,
        "::llvm::ArrayRef<int64_t>":$padding,
        "::llvm::ArrayRef<int64_t>":$dilations, "uint64_t":$groups,
        "NeuronAttr":$activation), [{
      build($_builder, $_state, result, x, kernel, bias, strides, padding,
            dilations, groups, activation, ::mlir::FloatAttr());
    }]>,
    // Each channel times its own number, and plus one if there is a bias.
    OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$scales,
        "::mlir::Value":$bias), [{
      build($_builder, $_state, x.getType(), x, scales, bias, {1, 1}, {0, 0},
            {1, 1}, shapeOf(x)[C], NeuronAttr());
    }]>];
  let extraClassDeclaration = [{
    /// Of a kernel with dilated rows, tasks can take every n-th row of input and
    /// result, so that it is not dilated to them: n, or 1 where they cannot, or
    /// for columns. Axes are rows, columns.
    int64_t getPhases(unsigned axis);
    /// What the result leaves of the last window beside the input, below or to
    /// the right. Axes are rows, columns.
    int64_t getPaddingBehind(unsigned axis);
    /// The distance of elements along an axis of the kernel that a task has.
    int64_t getTaskDilation(unsigned axis) {
      return getDilations()[axis] / getPhases(axis);
    }
    /// Whether that is more than 1, for which there is no register.
    bool isDilatedInTasks() {
      return getTaskDilation(0) != 1 || getTaskDilation(1) != 1;
    }
  }];
  let hasVerifier = 1;
}

def Zin_MatMulOp : Zin_UnitOp<"matmul", "ConstMatrixMatrixMult"> {
  let summary = "matrix product";
  let description = [{
    The last two dimensions of `x` are a matrix, the others a batch of B.
    `kernel` is [1, 1, B or 1, Cout, K]: a row holds the coefficients of one
    output. `bias` is [1, 1, 1, 1, Cout] and constant, as is the kernel then and
    with an activation other than relu; otherwise it may be computed.

    The contracted dimension of `x` is its columns, or its rows with
    `contract_rows`. The outputs lie along the columns of the result, or along
    its rows with `outputs_on_rows`. `scale` multiplies sum and bias before the
    activation.

    ```mlir
    %y = zin.matmul %x, %w bias %b : (tensor<1x1x2x8x64xf16>, tensor<1x1x1x32x64xf16>, tensor<1x1x1x1x32xf16>) -> tensor<1x1x2x8x32xf16>
    ```

    Constraints:
    * `zin-matmul-c1`: operands have these shapes.
  }];
  let arguments = (ins Zin_Tensor:$x, Zin_Tensor:$kernel,
                       Optional<Zin_Tensor>:$bias, UnitAttr:$contract_rows,
                       UnitAttr:$outputs_on_rows,
                       OptionalAttr<Zin_NeuronAttr>:$activation,
                       OptionalAttr<Zin_F16Attr>:$scale);
  let assemblyFormat = [{
    $x `,` $kernel (`bias` $bias^)? attr-dict `:` functional-type(operands, $result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$x,
        "::mlir::Value":$kernel, "::mlir::Value":$bias,
        "::mlir::UnitAttr":$contractRows, "::mlir::UnitAttr":$outputsOnRows,
        "NeuronAttr":$activation), [{
      build($_builder, $_state, result, x, kernel, bias, contractRows,
            outputsOnRows, activation, ::mlir::FloatAttr());
    }]>,
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$x,
        "::mlir::Value":$kernel, "::mlir::Value":$bias, "bool":$contractRows,
        "bool":$outputsOnRows, "NeuronAttr":$activation), [{
      build($_builder, $_state, result, x, kernel, bias, contractRows,
            outputsOnRows, activation, ::mlir::FloatAttr());
    }]>];
  let hasVerifier = 1;
}

def Zin_ElementWiseOp : Zin_UnitOp<"elementwise", "ElementWise",
                                   [Zin_Elementwise]> {
  let summary = "element-wise operation on two operands that broadcast";
  let description = [{
    ```mlir
    %y = zin.elementwise <Mult> %x, %gates : (tensor<1x1x3x8x8xf16>, tensor<1x1x3x1x1xf16>) -> tensor<1x1x3x8x8xf16>
    ```

    Constraints:
    * `zin-elementwise-c1`: extents are equal or one of them is 1, and the result
      has the larger.
  }];
  let arguments = (ins Zin_EWTypeAttr:$kind, Zin_Tensor:$x, Zin_Tensor:$y);
  let assemblyFormat = [{
    $kind $x `,` $y attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Zin_ScaledElementWiseOp : Zin_UnitOp<"scaled_elementwise", "ElementWise",
                                         [Zin_Elementwise]> {
  let summary = "((x * scale) kind y) + bias, rounded once";
  let description = [{
    ```mlir
    %y = zin.scaled_elementwise <Add> %x, %rest scale 4.534375e+01 bias 1.536000e+03 : (tensor<1x1x3x8x8xf16>, tensor<1x1x3x8x8xf16>) -> tensor<1x1x3x8x8xf16>
    ```

    Constraints:
    * `zin-elementwise-c1`: extents are equal or one of them is 1, and the result
      has the larger.
  }];
  let arguments = (ins Zin_EWTypeAttr:$kind, Zin_Tensor:$x, Zin_Tensor:$y,
                       Zin_F16Attr:$scale, Zin_F16Attr:$bias);
  let assemblyFormat = [{
    $kind $x `,` $y `scale` $scale `bias` $bias attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Zin_GOCOp : Zin_UnitOp<"goc", "GOC",
                           [SameOperandsAndResultType, Zin_Elementwise]> {
  let summary = "gain and offset: x * scale + bias";
  let description = [{
    ```mlir
    %y = zin.goc %x scale 5.000000e-01 bias 1.000000e+00 : tensor<1x1x3x8x8xf16>
    ```
  }];
  let arguments = (ins Zin_Tensor:$x, Zin_F16Attr:$scale, Zin_F16Attr:$bias);
  let assemblyFormat = [{
    $x `scale` $scale `bias` $bias attr-dict `:` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "double":$scale,
                                 "double":$bias)>];
}

def Zin_NeuronOp : Zin_UnitOp<"neuron", "Neuron",
                              [SameOperandsAndResultType, Zin_Elementwise]> {
  let summary = "activation of (x + bias) * scale";
  let description = [{
    Without `scale` and `bias` of `x` itself.

    ```mlir
    %y = zin.neuron <exp2> %x {scale = 1.442380e+00 : f16} : tensor<1x1x3x8x8xf16>
    ```
  }];
  let arguments = (ins Zin_Tensor:$x, Zin_NeuronAttr:$function,
                       OptionalAttr<Zin_F16Attr>:$scale,
                       OptionalAttr<Zin_F16Attr>:$bias);
  let assemblyFormat = "$function $x attr-dict `:` type($result)";
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "NeuronAttr":$function,
                                 CArg<"::mlir::FloatAttr", "{}">:$scale,
                                 CArg<"::mlir::FloatAttr", "{}">:$bias)>];
  let extraClassDeclaration = [{
    /// Whether the activation is that of `x` itself.
    bool isPlain() { return !getScaleAttr() && !getBiasAttr(); }
  }];
}

def Zin_PoolOp : Zin_UnitOp<"pool", "Pooling"> {
  let summary = "reduction of windows";
  let description = [{
    Lists are in the order rows, columns; `padding` is [top, left, bottom,
    right]. The divisor of an average counts the elements of the window that lie
    in the padded input, or in the input alone with `exclude_padding`.

    ```mlir
    %y = zin.pool <Max> %x {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>, window = array<i64: 2, 2>} : (tensor<1x1x3x8x8xf16>) -> tensor<1x1x3x4x4xf16>
    ```

    Constraints:
    * `zin-pool-c1`: lists have these lengths, windows and strides are positive,
      and only rows and columns change.
  }];
  let arguments = (ins Zin_PoolingTypeAttr:$kind, Zin_Tensor:$x,
                       DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$padding, UnitAttr:$exclude_padding);
  let assemblyFormat = "$kind $x attr-dict `:` functional-type($x, $result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// How many elements of each window count for the divisor, along rows (0) or
    /// columns (1).
    ::llvm::SmallVector<int64_t> getCounts(unsigned i);
    /// Whether all windows have the divisor of a whole one.
    bool hasOneDivisor();
  }];
}

def Zin_ReductionOp : Zin_UnitOp<"reduction", "Reduction"> {
  let summary = "reduction over dimensions, which keep extent 1";
  let description = [{
    With `square` of the squares of elements, which are summed before anything
    is rounded. `post` is 1 / y or 1 / sqrt(y) of the result y * `scale` +
    `epsilon`.

    ```mlir
    %y = zin.reduction <Avg> %x over [3, 4] : (tensor<1x1x3x8x8xf16>) -> tensor<1x1x3x1x1xf16>
    ```

    Constraints:
    * `zin-reduction-c1`: axes are in 0 to 4 and the result has extent 1 there,
      the extent of `x` elsewhere.
  }];
  let arguments = (ins Zin_ReductionTypeAttr:$kind, Zin_Tensor:$x,
                       DenseI64ArrayAttr:$axes, UnitAttr:$square,
                       OptionalAttr<Zin_PEPostAttr>:$post,
                       OptionalAttr<Zin_F16Attr>:$epsilon,
                       OptionalAttr<Zin_F16Attr>:$scale);
  let assemblyFormat =
      "$kind $x `over` $axes attr-dict `:` functional-type($x, $result)";
  let hasVerifier = 1;
}

def Zin_SoftmaxOp : Zin_UnitOp<"softmax", "Softmax",
                               [SameOperandsAndResultType]> {
  let summary = "softmax along one dimension";
  let description = [{
    `scale` multiplies the results before they are rounded.

    ```mlir
    %y = zin.softmax %x over 4 : tensor<1x1x3x8x8xf16>
    ```

    Constraints:
    * `zin-softmax-c1`: the axis is in 0 to 4.
  }];
  let arguments = (ins Zin_Tensor:$x, I64Attr:$axis,
                       OptionalAttr<Zin_F16Attr>:$scale);
  let assemblyFormat = "$x `over` $axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Zin_ReshapeOp : Zin_UnitOp<"reshape", "Reshape", [Zin_MovesElements]> {
  let summary = "the same elements in row-major order with another shape";
  let description = [{
    ```mlir
    %y = zin.reshape %x : (tensor<1x1x3x8x8xf16>) -> tensor<1x1x1x3x64xf16>
    ```

    Constraints:
    * `zin-reshape-c1`: the number of elements stays.
  }];
  let arguments = (ins Zin_Tensor:$x);
  let assemblyFormat = "$x attr-dict `:` functional-type($x, $result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Zin_TransposeOp : Zin_UnitOp<"transpose", "Transpose",
                                 [Zin_MovesElements]> {
  let summary = "dimensions in another order";
  let description = [{
    Dimension i of the result is dimension `permutation[i]` of `x`.

    ```mlir
    %y = zin.transpose %x to [0, 1, 3, 2, 4] : (tensor<1x1x3x8x6xf16>) -> tensor<1x1x8x3x6xf16>
    ```

    Constraints:
    * `zin-transpose-c1`: the permutation has each of 0 to 4 once, and the
      extents follow it.
  }];
  let arguments = (ins Zin_Tensor:$x, DenseI64ArrayAttr:$permutation);
  let assemblyFormat =
      "$x `to` $permutation attr-dict `:` functional-type($x, $result)";
  let hasVerifier = 1;
}

def Zin_InputViewOp : Zin_UnitOp<"input_view", "InputView",
                                 [Zin_MovesElements]> {
  let summary = "a strided part of a value";
  let description = [{
    ```mlir
    %y = zin.input_view %x from [0, 0, 0, 1, 0] by [1, 1, 1, 2, 1] : (tensor<1x1x3x8x8xf16>) -> tensor<1x1x3x4x8xf16>
    ```

    Constraints:
    * `zin-input_view-c1`: there are 5 begins and 5 strides, and the last element
      lies in `x`.
  }];
  let arguments = (ins Zin_Tensor:$x, DenseI64ArrayAttr:$begin,
                       DenseI64ArrayAttr:$strides);
  let assemblyFormat = [{
    $x `from` $begin `by` $strides attr-dict `:` functional-type($x, $result)
  }];
  let hasVerifier = 1;
}

def Zin_ConcatOp : Zin_UnitOp<"concat", "Concat", [Zin_MovesElements]> {
  let summary = "values joined along a dimension";
  let description = [{
    With `interleave` the values alternate element by element. One value alone is
    copied.

    ```mlir
    %y = zin.concat %a, %b along 2 : (tensor<1x1x3x8x8xf16>, tensor<1x1x1x8x8xf16>) -> tensor<1x1x4x8x8xf16>
    ```

    Constraints:
    * `zin-concat-c1`: the values agree in all dimensions but `axis`, in that one
      too with `interleave`, and their extents add up to that of the result.
  }];
  let arguments = (ins Variadic<Zin_Tensor>:$values, I64Attr:$axis,
                       UnitAttr:$interleave);
  let assemblyFormat = [{
    $values `along` $axis attr-dict `:` functional-type($values, $result)
  }];
  let hasVerifier = 1;
}

#endif // ANE_ZIN_UNIT_OPS_TD
