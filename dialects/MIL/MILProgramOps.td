//===- MILProgramOps.td - Functions and constants -------------------------===//

#ifndef ANE_MIL_PROGRAM_OPS_TD
#define ANE_MIL_PROGRAM_OPS_TD

include "MIL/MILOpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

def MIL_FuncOp : Op<MIL_Dialect, "func",
    [AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove,
     SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "a function of a program";
  let description = [{
    `opset` decides the version of each op inside. `text_attrs` holds the
    function's attributes, of which `FlexibleShapeInformation` is one. The names
    of the results are those of the ops that make them.

    ```mlir
    mil.func @main(%x: tensor<1x3xf16> {mil.name = "x"}) -> tensor<1x3xf16>
        attributes {opset = "ios16"} {
      %y = mil.relu(x = %x) {label = "y"}
          : (tensor<1x3xf16>) -> tensor<1x3xf16>
      mil.return %y : tensor<1x3xf16>
    }
    ```

    Constraints:
    * `mil-func-c1`, `mil-func-c2`: the opset is known, parameters have names.
    * `mil-func-c3`: the types of the outputs are those of the signature.
    * `mil-func-c4`: no output is a state.
    * `mil-func-c5`: a parameter is a state from ios18 on only.
    * `mil-flexible-c1`, `mil-flexible-c2`: `FlexibleShapeInformation` is a tuple
      of `DefaultShapes`, `RangeDims` and `EnumeratedShapes`, each once.
    * `mil-flexible-c3` to `mil-flexible-c5`: they list inputs, each once, with
      shapes and ranges that the inputs can have.
    * `mil-flexible-c6`, `mil-flexible-c7`: defaults are among the others.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       StrAttr:$opset,
                       OptionalAttr<DictionaryAttr>:$text_attrs,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name,
                                 "::mlir::FunctionType":$type,
                                 "::llvm::StringRef":$opset)>];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    /// The name of a parameter in the text.
    ::llvm::StringRef getParameterName(unsigned index);
    /// The name of a returned value in the text.
    ::llvm::StringRef getOutputName(unsigned index);
    /// Makes the function type agree with the block arguments and the return.
    void updateFunctionType();
  }];
}

def MIL_ReturnOp : Op<MIL_Dialect, "return",
                      [Pure, ReturnLike, Terminator, HasParent<"FuncOp">]> {
  let summary = "the outputs of a function";
  let description = [{
    Stands at the end of a `mil.func`; text has the names in its place,
    `} -> (y, z);`.

    ```mlir
    mil.func @main(%x: tensor<4xi32> {mil.name = "x"})
        -> (tensor<4xi32>, tensor<4xi32>) attributes {opset = "ios15"} {
      %y = mil.abs(x = %x) {label = "y"} : (tensor<4xi32>) -> tensor<4xi32>
      %z = mil.sign(x = %x) {label = "z"} : (tensor<4xi32>) -> tensor<4xi32>
      mil.return %y, %z : tensor<4xi32>, tensor<4xi32>
    }
    ```
  }];
  let arguments = (ins Variadic<MIL_Value>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, ::mlir::ValueRange());
  }]>];
  let hasVerifier = 1;
}

def MIL_ConstOp : Op<MIL_Dialect, "const", [Pure, ConstantLike]> {
  let summary = "a value known at compile time";
  let description = [{
    The value is an elements attribute, a reference into a weight file, or a
    literal of list, tuple or dict type.

    ```mlir
    %0 = mil.const dense<[1, 1]> : tensor<2xi32> {label = "strides_0"}
    %1 = mil.const #mil.blob_file<"@model_path/weights/weight.bin", 64>
        : tensor<640x512xf16>
    ```

    ```mil
    func main<ios16>(tensor<fp16, [4, 512]> x) {
      tensor<int32, [2]> shape = const()[name = string("shape"),
          val = tensor<int32, [2]>([32, 64])];
      tensor<fp16, [32, 64]> y = reshape(shape = shape, x = x);
    } -> (y);
    ```

    Constraints:
    * `mil-const-c1`: the type of the value is the result type.
  }];
  let arguments = (ins AnyAttr:$value, MIL_Label:$label,
                       MIL_ResultNames:$result_names,
                       OptionalAttr<DictionaryAttr>:$text_attrs);
  let results = (outs MIL_Value:$result);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif // ANE_MIL_PROGRAM_OPS_TD
