//===- CheckParameters.cpp - Parameters that are not known, or wrong ------===//

#include "Constants/Parameters.h"
#include "ane/Dialect/MIL/IR/Choice.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/Transforms/FoldLimits.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/FormatVariadic.h"

namespace ane::mil {
#define GEN_PASS_DEF_CHECKPARAMETERS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

static bool isAtHand(Value value) {
  ElementsAttr elements = getConstantElements(value);
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(elements);
  return resource ? resource.getRawHandle().getBlob() != nullptr
                  : bool(elements);
}

std::optional<UnknownParameter>
ane::mil::findUnknownParameter(Operation *operation) {
  auto op = dyn_cast<MILOp>(operation);
  if (!op)
    return std::nullopt;
  unsigned opset = getOpset(operation);
  for (auto [index, arg] : llvm::enumerate(op.getOpSpec().args))
    if (arg.isConstantIn(opset))
      for (Value value : op.getInput(index))
        if (!isAtHand(value))
          return UnknownParameter{arg.name, value};
  return std::nullopt;
}

/// The first op on constants alone that a value is computed from and that was
/// not folded. Null where the value comes from elsewhere.
static Operation *findUnfolded(Value value) {
  SmallVector<Value> pending = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!pending.empty()) {
    Operation *maker = pending.pop_back_val().getDefiningOp();
    if (!maker || isa<ConstOp>(maker) || !seen.insert(maker).second)
      continue;
    if (llvm::all_of(maker->getOperands(), getConstantElements))
      return maker;
    llvm::append_range(pending, maker->getOperands());
  }
  return nullptr;
}

/// What is said of an op that was not folded.
static std::string reasonOf(Operation *op) {
  StringRef name = getResultName(op->getResult(0));
  std::string from =
      (", but is computed from " +
       (name.empty() ? "the result of " + op->getName().stripDialect().str()
                     : "'" + name.str() + "'") +
       ", ");
  if (isTooLargeToFold(op))
    return from + llvm::formatv("{0}; what is computed at compile time has up "
                                "to {1} elements",
                                formatType(op->getResult(0).getType()),
                                mostFoldedElements)
                      .str();
  if (isTooMuchToFold(op))
    return from + llvm::formatv("which takes about {0:e1} operations; the "
                                "limit at compile time is {1:e1}",
                                foldingWork(op), double(mostFoldingWork))
                      .str();
  return from + "which is not computed at compile time";
}

namespace {

class CheckParameters : public mil::impl::CheckParametersBase<CheckParameters> {
public:
  using CheckParametersBase::CheckParametersBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    for (Operation &op : getOperation().getBody().front()) {
      if (failed(requireKnownIndices(&op)))
        signalPassFailure();
      std::optional<UnknownParameter> unknown = findUnknownParameter(&op);
      // A constant without elements is not loaded, which is refused later on.
      if (!unknown || unknown->value.getDefiningOp<ConstOp>())
        continue;
      Operation *unfolded = findUnfolded(unknown->value);
      (void)refuse(&op, "mil-sig-c1",
                   "input '" + unknown->name +
                       "' must be known at compile time" +
                       (unfolded ? reasonOf(unfolded) : std::string()) +
                       ": give it as a constant");
      signalPassFailure();
    }
  }
};

} // namespace
