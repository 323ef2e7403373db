//===- ReturnValues.cpp - Other values of a function as its outputs -------===//

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/NearestName.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace ane::mil {
#define GEN_PASS_DEF_RETURNVALUES
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The values of a function by their names, in the order of the text.
using ValuesByName = llvm::MapVector<StringRef, Value>;

ValuesByName valuesOf(FuncOp func) {
  ValuesByName values;
  Block &body = func.getBody().front();
  for (BlockArgument argument : body.getArguments())
    values.insert({func.getParameterName(argument.getArgNumber()), argument});
  for (Operation &op : body)
    for (OpResult result : op.getResults())
      values.insert({getResultName(result), result});
  return values;
}

class ReturnValues : public mil::impl::ReturnValuesBase<ReturnValues> {
public:
  using ReturnValuesBase::ReturnValuesBase;

  void runOnOperation() override {
    if (values.empty())
      return markAllAnalysesPreserved();
    FuncOp func = getOperation();
    ValuesByName named = valuesOf(func);
    SmallVector<Value> returned;
    for (const std::string &name : values) {
      Value value = named.lookup(name);
      if (failed(check(name, value, named)))
        return signalPassFailure();
      returned.push_back(value);
    }
    Operation *end = func.getBody().front().getTerminator();
    end->setOperands(returned);
    // They say what holds for the outputs that were.
    func.setResAttrsAttr(nullptr);
    func.updateFunctionType();
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(func.getBody().front())))
      if (isOpTriviallyDead(&op)) {
        op.erase();
        ++numErased;
      }
  }

private:
  /// Whether a value can be returned. Reports at the function.
  LogicalResult check(StringRef name, Value value, const ValuesByName &named) {
    FuncOp func = getOperation();
    if (value && isa<RankedTensorType>(value.getType()))
      return success();
    InFlightDiagnostic error = func.emitError();
    error << "function '" << func.getName() << "' ";
    if (value)
      return error << "cannot return '" << name << "', which is "
                   << formatType(value.getType())
                   << "; only tensors are returned";
    NearestName nearest(name);
    for (const auto &[candidate, other] : named)
      nearest.consider(candidate);
    return error << "has no value '" << name << "' to return"
                 << nearest.suggestion();
  }
};

} // namespace
