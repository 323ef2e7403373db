//===- MILAttrs.td - Values that builtin attributes cannot hold -----------===//

#ifndef ANE_MIL_ATTRS_TD
#define ANE_MIL_ATTRS_TD

include "MIL/MILDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

class MIL_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<MIL_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def MIL_BlobFileAttr : MIL_Attr<"BlobFile", "blob_file", [TypedAttrInterface]> {
  let summary = "a tensor value in a weight file";
  let description = [{
    `tensor<...>(BLOBFILE(path = ..., offset = ...))` of the text. The offset is
    that of the blob's metadata record. `mil-load-weights` replaces the
    reference by the mapped bytes.

    ```mlir
    #mil.blob_file<"@model_path/weights/weight.bin", 64> : tensor<640x512xf16>
    ```
  }];
  let parameters = (ins AttributeSelfTypeParameter<"">:$type,
                    StringRefParameter<"path">:$path, "uint64_t":$offset);
  let assemblyFormat = "`<` $path `,` $offset `>`";
}

def MIL_TupleAttr : MIL_Attr<"Tuple", "tuple"> {
  let summary = "a tuple literal `(a, b)`";
  let parameters = (ins "::mlir::ArrayAttr":$elements);
  let assemblyFormat = "`<` $elements `>`";
}

def MIL_DictAttr : MIL_Attr<"Dict", "dict"> {
  let summary = "a dictionary literal `{{k, v}, {k, v}}`: keys and values in turn";
  let parameters = (ins "::mlir::ArrayAttr":$keysAndValues);
  let assemblyFormat = "`<` $keysAndValues `>`";
}

def MIL_LiteralAttr : MIL_Attr<"Literal", "literal", [TypedAttrInterface]> {
  let summary = "a typed value that is no tensor";
  let description = [{
    A value of list, tuple or dict type, as it stands in attribute lists. The
    content nests: `[...]` is an array, `(...)` a `#mil.tuple`, `{...}` a
    `#mil.dict`; leaves are strings, integers, floats and booleans.
  }];
  let parameters = (ins AttributeSelfTypeParameter<"">:$type,
                    "::mlir::Attribute":$content);
  let assemblyFormat = "`<` $content `>`";
}

#endif // ANE_MIL_ATTRS_TD
