//===- MILDialect.td - Apple's model intermediate language ----------------===//

#ifndef ANE_MIL_DIALECT_TD
#define ANE_MIL_DIALECT_TD

include "mlir/IR/OpBase.td"

def MIL_Dialect : Dialect {
  let name = "mil";
  let summary = "Apple's model intermediate language, one op per MIL op";
  let description = [{
    The front-end dialect holds a MIL program as its text says it: the same
    ops in the same order with the same names, constants as ops, optional inputs
    absent where the text leaves them out. Printing an imported program gives
    the text back.

    A program is a `builtin.module` with the attributes `mil.version` (the
    version in `program(1.0)`) and `mil.build_info`. Each function is a
    `mil.func` with the opset in its signature; the version of an op follows
    from it, unless the op has an attribute `mil.opset` of its own.

    Tensors are builtin ranked tensors. `int32` is `i32`, `uint8` is `ui8`,
    `bool` is `i1`, `string` is `!mil.string`; an unknown dimension `?` is a
    dynamic one. A `tensor_buffer` is one with a `#mil.buffer_layout`.
    docs/Dialects/RationaleMIL.md tells why.
  }];
  let cppNamespace = "::ane::mil";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = [];
  let extraClassDeclaration = [{
    /// Attributes of the module that holds a program.
    static constexpr ::llvm::StringLiteral versionAttrName = "mil.version";
    static constexpr ::llvm::StringLiteral buildInfoAttrName = "mil.build_info";
    /// Attribute of a function argument: the parameter's name in the text.
    static constexpr ::llvm::StringLiteral argNameAttrName = "mil.name";
    /// Attribute of a function argument or result: the type of the host's
    /// tensor, where the value's is that of its surface.
    static constexpr ::llvm::StringLiteral hostTypeAttrName = "mil.host_type";
    /// Attribute of a function argument or result: the layout of what was a
    /// `tensor_buffer`.
    static constexpr ::llvm::StringLiteral layoutAttrName = "mil.layout";
    /// Unit attribute of a function argument: the value before the run of what
    /// was a state.
    static constexpr ::llvm::StringLiteral stateAttrName = "mil.state";
    /// Unit attribute of a function result: no result of the program, but a value
    /// inside of it that somebody asks for. It is computed as without that.
    static constexpr ::llvm::StringLiteral askedAttrName = "mil.asked";
    /// Attribute of an op, a function or the module: what else its attribute
    /// list holds in the text, as a dictionary.
    static constexpr ::llvm::StringLiteral textAttrsAttrName = "text_attrs";
    static constexpr ::llvm::StringLiteral programAttrsAttrName =
        "mil.text_attrs";
    /// Attribute of an op or a constant: the opset that the text names at the op
    /// itself, `relu<ios17>(...)`. The op is of that version.
    static constexpr ::llvm::StringLiteral opsetAttrName = "mil.opset";
    /// Unit attribute of a constant that the text writes inside the op that
    /// uses it, `gelu(mode = string("EXACT"), ...)`.
    static constexpr ::llvm::StringLiteral inlineAttrName = "mil.inline";
    /// Unit attribute of an identity: its result is to be a copy.
    static constexpr ::llvm::StringLiteral copiedAttrName = "mil.copied";
    /// Unit attributes of a function some of whose weights were stored as
    /// indices into a palette, or without their zeros, before they were folded.
    static constexpr ::llvm::StringLiteral palettizedAttrName =
        "mil.palettized";
    static constexpr ::llvm::StringLiteral sparseAttrName = "mil.sparse";
    /// Attribute of a recurrent layer that `mil-unroll-recurrent` left, and of a
    /// loop that `mil-flatten-blocks` left: the steps or turns that are written
    /// out at most.
    static constexpr ::llvm::StringLiteral unrollLimitAttrName =
        "mil.unroll_limit";
    /// Attribute of a function that is a part of another one: `engine` or
    /// `cpu`, who runs it.
    static constexpr ::llvm::StringLiteral segmentAttrName = "mil.segment";

    // One for each family of ops.
    void registerActivationOps();
    void registerBufferOps();
    void registerControlFlowOps();
    void registerConvOps();
    void registerElementwiseOps();
    void registerImageOps();
    void registerIndexingOps();
    void registerLinearOps();
    void registerListOps();
    void registerNormalizationOps();
    void registerPoolOps();
    void registerProgramOps();
    void registerQuantizationOps();
    void registerRandomOps();
    void registerRecurrentOps();
    void registerReductionOps();
    void registerStateOps();
    void registerTensorOps();
    void registerTransformOps();
    void registerUnaryOps();
    void registerTypes();
    void registerAttributes();
  }];
}

#endif // ANE_MIL_DIALECT_TD
