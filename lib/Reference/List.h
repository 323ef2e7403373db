//===- List.h - Lists of tensors --------------------------------*- C++ -*-===//

#ifndef ANE_LIB_REFERENCE_LIST_H
#define ANE_LIB_REFERENCE_LIST_H

#include "ane/Reference/Interpreter.h"

namespace ane::reference {

/// A list. Its elements are shared with the lists it was made from, so that
/// writing one copies no tensors.
struct List {
  /// The longest there may be (assigned).
  static constexpr int64_t maxLength = int64_t(1) << 20;

  mil::ListType type;
  /// Null is a tensor of zeros.
  std::vector<std::shared_ptr<const Tensor>> elements;
};

/// What a value can be while a function runs.
using Datum = std::variant<Tensor, List, std::string, Dictionary>;

/// Whether an op makes, reads or writes a list.
bool isListOp(mlir::Operation *op);

/// Evaluates such an op. `list` is its list, empty for `make_list`; `operands`
/// has its tensors, with null in the place of others. Reports at the op.
llvm::FailureOr<Datum> evaluateListOp(mlir::Operation *op, List list,
                                      llvm::ArrayRef<const Tensor *> operands);

} // namespace ane::reference

#endif // ANE_LIB_REFERENCE_LIST_H
