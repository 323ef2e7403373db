//===- MILTypes.td - Types that builtin MLIR does not have ----------------===//

#ifndef ANE_MIL_TYPES_TD
#define ANE_MIL_TYPES_TD

include "MIL/MILDialect.td"
include "mlir/IR/AttrTypeBase.td"

class MIL_Type<string name, string typeMnemonic> : TypeDef<MIL_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def MIL_StringType : MIL_Type<"String", "string"> {
  let summary = "a character string, element type of `tensor<!mil.string>`";
}

def MIL_ListType : MIL_Type<"List", "list"> {
  let summary = "a list of values of one type";
  let description = [{
    `list<T, n>` of the text; the length is `?` where it is unknown.

    ```mlir
    !mil.list<tensor<2xi32>, 4>
    !mil.list<tensor<2xi32>, ?>
    ```
  }];
  let parameters = (ins "::mlir::Type":$elementType, "int64_t":$length);
  let hasCustomAssemblyFormat = 1;
}

def MIL_DictType : MIL_Type<"Dict", "dict"> {
  let summary = "a dictionary";
  let description = "`dict<K, V>` of the text.";
  let parameters = (ins "::mlir::Type":$keyType, "::mlir::Type":$valueType);
  let assemblyFormat = "`<` $keyType `,` $valueType `>`";
}

def MIL_StateType : MIL_Type<"State", "state"> {
  let summary = "a buffer that keeps its value between runs";
  let description = "`state<tensor<...>>` of the text.";
  let parameters = (ins "::mlir::Type":$tensorType);
  let assemblyFormat = "`<` $tensorType `>`";
}

/// What the inputs and results of MIL ops are.
def MIL_Value : AnyTypeOf<[AnyRankedTensor, MIL_ListType, MIL_DictType,
                           MIL_StateType, AnyTuple],
                          "tensor, list, tuple, dict or state">;

#endif // ANE_MIL_TYPES_TD
