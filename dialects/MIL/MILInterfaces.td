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

#endif // ANE_MIL_INTERFACES_TD
