//===- MILListOps.td - Lists and dictionaries -----------------------------===//

#ifndef ANE_MIL_LIST_OPS_TD
#define ANE_MIL_LIST_OPS_TD

include "MIL/MILOpBase.td"

def MIL_MakeListOp : MIL_Op<"make_list",
    [MIL_OptIn<"init_length", "int32", "int32", "1">,
     MIL_OptConstIn<"dynamic_length", "true", "bool">,
     MIL_VariadicIn<"elem_shape", "any">,
     MIL_OptConstIn<"dtype", "fp32", "string">],
    []> {
  let summary = "a list of tensors of zeros";
  let description = [{
    The list has `init_length` elements of shape `elem_shape` and type `dtype`.
    With `dynamic_length` it grows when something is written behind its end, and
    its type has the length `?`. Each entry of `elem_shape` is an extent; a
    string names one that is not known. That the elements are zeros is assigned:
    a program writes an element before it reads it.

    ```mil
    func main<ios15>(tensor<fp32, [2]> x) {
      list<tensor<fp32, [2]>, 4> ls = make_list(dtype = string("fp32"),
          dynamic_length = bool(false), elem_shape = (int32(2)),
          init_length = int32(4));
      list<tensor<fp32, [2]>, 4> one = list_write(index = int32(0), ls = ls,
          value = x);
    } -> (one);
    ```

    Constraints:
    * `mil-make_list-c1`: an entry of `elem_shape` is an int32 scalar, at least
      0, or a string.
    * `mil-make_list-c2`: `dtype` is fp16, fp32, int32 or bool.
    * `mil-make_list-c3`: `init_length` is a scalar, at least 0.
  }];
}

def MIL_ListLengthOp : MIL_Op<"list_length",
    [MIL_In<"ls", "list">],
    []> {
  let summary = "the number of elements of a list";
  let description = [{
    An int32 scalar. Of a list of unknown length it is what the list has grown
    to.

    ```mil
    func main<ios15>(list<tensor<fp32, [8]>, ?> ls) {
      int32 n = list_length(ls = ls);
    } -> (n);
    ```
  }];
}

def MIL_ListWriteOp : MIL_Op<"list_write",
    [MIL_In<"ls", "list">, MIL_In<"index", "int32">, MIL_In<"value">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool>]> {
  let summary = "a list with one element replaced";
  let description = [{
    A list of unknown length grows to hold `index`; elements in between are
    zeros.

    ```mil
    func main<ios15>(list<tensor<fp32, [1, 16]>, ?> ls, int32 step,
        tensor<fp32, [1, 16]> hidden) {
      list<tensor<fp32, [1, 16]>, ?> next = list_write(index = step, ls = ls,
          value = hidden);
    } -> (next);
    ```

    Constraints:
    * `mil-tensor_list-c1`: the elements of the list are tensors.
    * `mil-tensor_list-c2`: `index` is a scalar, `indices` a vector.
    * `mil-tensor_list-c3`: an index that is known is at least 0 and less than a length
      that is known.
    * `mil-tensor_list-c4`: what is written has the type of the elements.
  }];
}

def MIL_ListReadOp : MIL_Op<"list_read",
    [MIL_In<"ls", "list">, MIL_In<"index", "int32">],
    []> {
  let summary = "an element of a list";
  let description = [{
    ```mil
    func main<ios15>(list<tensor<fp16, [4, 4]>, 10> ls) {
      tensor<fp16, [4, 4]> last = list_read(index = int32(9), ls = ls);
    } -> (last);
    ```

    Constraints:
    * `mil-tensor_list-c1`, `mil-tensor_list-c2`, `mil-tensor_list-c3`.
  }];
}

def MIL_ListGatherOp : MIL_Op<"list_gather",
    [MIL_In<"ls", "list">, MIL_In<"indices", "int32">],
    []> {
  let summary = "elements of a list, stacked";
  let description = [{
    result[i] = ls[indices[i]], of shape [number of indices, *element].

    ```mil
    func main<ios15>(list<tensor<fp32, [3, 5]>, ?> ls) {
      tensor<fp32, [2, 3, 5]> y = list_gather(
          indices = tensor<int32, [2]>([0, 2]), ls = ls);
    } -> (y);
    ```

    Constraints:
    * `mil-tensor_list-c1`, `mil-tensor_list-c2`, `mil-tensor_list-c3`.
  }];
}

def MIL_ListScatterOp : MIL_Op<"list_scatter",
    [MIL_In<"ls", "list">, MIL_In<"indices", "int32">, MIL_In<"value">],
    [MIL_TypeVar<"T", MIL_FloatInt32Bool>]> {
  let summary = "a list with several elements replaced";
  let description = [{
    Element indices[i] becomes value[i], in order, so the last of equal indices
    decides. `value` is [number of indices, *element]. A list of unknown length
    grows as with `list_write`.

    ```mil
    func main<ios15>(list<tensor<fp16, [6]>, 8> ls, tensor<fp16, [3, 6]> rows) {
      list<tensor<fp16, [6]>, 8> y = list_scatter(
          indices = tensor<int32, [3]>([0, 1, 7]), ls = ls, value = rows);
    } -> (y);
    ```

    Constraints:
    * `mil-tensor_list-c1`, `mil-tensor_list-c2`, `mil-tensor_list-c3`, `mil-tensor_list-c4`.
  }];
}

def MIL_ClassifyOp : MIL_Op<"classify",
    [MIL_In<"probabilities", "fp32">, MIL_ConstIn<"classes", "list">],
    []> {
  let summary = "the likeliest class, and the probability of each";
  let description = [{
    The results are the label of the largest probability and a dictionary from
    label to probability. It stands at the end of a classifier.

    ```mil
    func main<ios15>(tensor<fp32, [3]> p) {
      string label, dict<string, fp32> table =
          classify(classes = list<string, 3>(["cat", "dog", "bird"]),
              probabilities = p);
    } -> (label, table);
    ```

    Constraints:
    * `mil-classify-c1`: `classes` is a list of strings or of int64.
    * `mil-classify-c2`: there are as many classes as probabilities.
  }];
  let results = (outs MIL_Value:$label_of_largest, MIL_Value:$probabilities_by_label);
}


#endif // ANE_MIL_LIST_OPS_TD
