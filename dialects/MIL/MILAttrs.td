//===- MILAttrs.td - Values that builtin attributes cannot hold -----------===//

#ifndef ANE_MIL_ATTRS_TD
#define ANE_MIL_ATTRS_TD

include "MIL/MILDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/TensorEncoding.td"

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

def MIL_BufferLayoutAttr
    : MIL_Attr<"BufferLayout", "buffer_layout",
               [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "how a `tensor_buffer` lies in memory";
  let description = [{
    The encoding of a tensor that is a `tensor_buffer` of the text. Strides count
    elements. A dimension with a factor f holds f neighbours side by side, in
    front of what lies inside it; its stride leads from one such group to the
    next. With factors of 1 that is a plain strided tensor.

    ```mlir
    tensor<1x1x128x64xf16,
        #mil.buffer_layout<[8192, 8192, 64, 1], interleave_factors = [1, 1, 1, 1]>>
    ```

    Constraints:
    * `mil-buffer-c1`: the tensor has known extents and a rank of at least 1, as
      many strides and as many factors.
    * `mil-buffer-c2`: strides and factors are positive, factors at most 255.
    * `mil-buffer-c3`: no two elements lie in one place; the last one is within
      2^48 elements.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$strides,
                    ArrayRefParameter<"int64_t">:$interleaveFactors);
  let assemblyFormat = [{
    `<` `[` $strides `]` `,` `interleave_factors` `=` `[` $interleaveFactors `]`
    `>`
  }];
}

#endif // ANE_MIL_ATTRS_TD
