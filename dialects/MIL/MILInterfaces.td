//===- MILInterfaces.td - What every MIL op can tell about itself ---------===//

#ifndef ANE_MIL_INTERFACES_TD
#define ANE_MIL_INTERFACES_TD

include "mlir/IR/OpBase.td"

def MIL_OpInterface : OpInterface<"MILOp"> {
  let cppNamespace = "::ane::mil";
  let description = [{
    A MIL op with named inputs. The signature table drives parser, printer and
    verifier alike; inference gives the result types that follow from the
    operand types and the constant operands.
  }];
  let methods = [
    StaticInterfaceMethod<
      "The names, kinds and element types of the inputs.",
      "const ::ane::mil::OpSpec &", "getOpSpec">,
    StaticInterfaceMethod<[{
        Sets what an op carries beside its operands, before it is created:
        `label` (may be absent), `result_names` (may be none) and how many operands
        each input has.
      }],
      "void", "initProperties",
      (ins "::mlir::OperationState &":$state, "::std::optional<::llvm::StringRef>":$label,
           "::llvm::ArrayRef<std::string>":$resultNames,
           "::llvm::ArrayRef<int32_t>":$operandCounts),
      [{}], [{
        auto &properties =
            state.getOrAddProperties<typename ConcreteOp::Properties>();
        properties.setLabel(label);
        properties.setResultNames(resultNames);
        if constexpr (ConcreteOp::template hasTrait<
                          ::mlir::OpTrait::AttrSizedOperandSegments>())
          ::llvm::copy(operandCounts, properties.operandSegmentSizes.begin());
      }]>,
    InterfaceMethod<
      "What the text says of the op under `name`, if anything.",
      "::std::optional<::llvm::StringRef>", "getLabel", (ins),
      [{ return $_op.getLabel(); }]>,
    InterfaceMethod<
      "Sets what `getLabel` returns.",
      "void", "setLabel", (ins "::std::optional<::llvm::StringRef>":$label),
      [{ $_op.setLabel(label); }]>,
    InterfaceMethod<
      "The names of the results; none where the label says it.",
      "::llvm::ArrayRef<std::string>", "getResultNames", (ins),
      [{ return $_op.getResultNames(); }]>,
    InterfaceMethod<
      "Sets what `getResultNames` returns.",
      "void", "setResultNames", (ins "::llvm::ArrayRef<std::string>":$names),
      [{ $_op.setResultNames(names); }]>,
    InterfaceMethod<
      "The operands bound to an input; empty where the input is absent.",
      "::mlir::OperandRange", "getInput", (ins "unsigned":$index),
      [{}], [{ return $_op.getODSOperands(index); }]>,
    InterfaceMethod<[{
        Appends the type of every result. Fails after reporting the violated
        constraint; where the operands do not determine a type, the declared one
        is given back.
      }],
      "::llvm::LogicalResult", "inferTypes",
      (ins "::llvm::SmallVectorImpl<::mlir::Type> &":$types)>,
  ];
}

//===----------------------------------------------------------------------===//
// What ops promise of their elements
//===----------------------------------------------------------------------===//

class MIL_ElementTrait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::ane::mil";
}

/// Each element of the result is computed from those at its place of the
/// operands, which broadcast as in NumPy or are scalars.
def MIL_Elementwise : MIL_ElementTrait<"Elementwise">;

/// Of an op with Elementwise: what it has behind its first operand does not
/// broadcast, but has a parameter for each channel, which is dimension 1.
def MIL_ChannelParameters : MIL_ElementTrait<"ChannelParameters">;

/// Each element of each result is one of the first operand, unchanged. The
/// others say which, and are no data: what gathers by indices is not among
/// these ops. Nor is what takes elements of several operands, as `concat`.
def MIL_MovesElements : MIL_ElementTrait<"MovesElements">;

/// Of an op with MovesElements: the result has all elements of the first operand
/// in their order, in another shape. `reshape_like` is not among these ops: it
/// needs the shapes of others of its operands, too, so that who gives values
/// other shapes cannot treat it as the rest.
def MIL_Reshapes : MIL_ElementTrait<"Reshapes">;

def MIL_ReductionInterface : OpInterface<"Reduction"> {
  let cppNamespace = "::ane::mil";
  let description = [{
    One number for each place of the dimensions that `axes` do not name. They
    vanish, or with `keep_dims` stay with extent 1.
  }];
  let methods = [
    InterfaceMethod<"What is reduced.", "::mlir::Value", "getX", (ins),
                    [{ return $_op.getX(); }]>,
    InterfaceMethod<"The dimensions; null for all of them.", "::mlir::Value",
                    "getAxes", (ins), [{ return $_op.getAxes(); }]>,
    InterfaceMethod<"Sets what `getAxes` returns.", "void", "setAxes",
                    (ins "::mlir::Value":$axes),
                    [{ $_op.getAxesMutable().assign(axes); }]>,
    InterfaceMethod<
      "Whether the dimensions stay; nothing where that is computed.",
      "::std::optional<bool>", "getKeepDimsOrDefault", (ins),
      [{ return $_op.getKeepDimsOrDefault(); }]>,
  ];
}

#endif // ANE_MIL_INTERFACES_TD
