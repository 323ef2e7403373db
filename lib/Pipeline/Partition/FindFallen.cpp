//===- FindFallen.cpp - Which ops the engine does not run -----------------===//

#include "Partition/FindFallen.h"
#include "DiagnosticLog.h"
#include "ane/Conversion/MILToZin.h"
#include "ane/Dialect/MIL/Transforms/UncutRows.h"

using namespace mlir;
using namespace ane;

/// The type, or one of short rows where mil-split-long-rows may cut them, and
/// of few where mil-fold-long-columns may fold them. Of the ops on them those
/// fall out that it has no rule for.
static Type withShortRows(Type type, const TargetDescription &target) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  // A surface of parts or planes has one dimension more.
  if (!tensor || !tensor.hasStaticShape() || tensor.getRank() == 0 ||
      tensor.getRank() >= target.maxRank)
    return type;
  SmallVector<int64_t> shape(tensor.getShape());
  if (shape.back() > target.maxWidth &&
      mil::canCutRows(tensor, target.maxWidth))
    shape.back() = target.maxWidth;
  if (int64_t *rows = shape.size() > 1 ? shape.end() - 2 : nullptr;
      rows && *rows > target.maxHeight &&
      mil::canFoldColumns(*rows, target.maxHeight))
    *rows = target.maxHeight;
  return tensor.clone(shape);
}

Location ane::segmentLocation(mil::FuncOp func, size_t index) {
  return NameLoc::get(
      StringAttr::get(func.getContext(), "segment " + Twine(index)),
      func.getLoc());
}

FallenFinder::FallenFinder(mil::FuncOp func, const TargetDescription &target)
    : func(func), target(target), constants(mil::findConstants(func)) {
  for (Operation &op : func.getBody().front().without_terminator())
    opsAt[op.getLoc()].push_back(&op);
}

void FallenFinder::addByType() {
  DiagnosticLog log(func.getContext());
  // A value is looked at once, with the op that makes it or the first reader.
  llvm::DenseMap<Value, std::string> reasons;
  auto reasonOf = [&](Operation *op, Value value) -> StringRef {
    auto [entry, isNew] = reasons.try_emplace(value);
    auto parameter = dyn_cast<BlockArgument>(value);
    std::string what =
        parameter
            ? "input '" +
                  func.getParameterName(parameter.getArgNumber()).str() + "'"
            : "the result";
    size_t said = log.diagnostics().size();
    if (isNew && failed(checkEngineType(
                     op, what, withShortRows(value.getType(), target), target)))
      entry->second = log.diagnostics()[said].str();
    return entry->second;
  };
  for (Operation &op : func.getBody().front().without_terminator()) {
    if (constants.contains(&op))
      continue;
    for (Value value : op.getResults())
      if (StringRef reason = reasonOf(&op, value); !reason.empty())
        add(&op, reason);
    for (Value value : op.getOperands())
      if (!constants.contains(value.getDefiningOp()))
        if (StringRef reason = reasonOf(&op, value); !reason.empty())
          add(&op, value.getDefiningOp()
                       ? "it reads what falls out: " + reason.str()
                       : reason.str());
  }
}

bool FallenFinder::add(Operation *op, StringRef reason) {
  if (!constants.contains(op))
    return fallen.insert({op, reason.str()}).second;
  bool isNew = false;
  SmallVector<Operation *> rest = {op};
  llvm::DenseSet<Operation *> seen = {op};
  while (!rest.empty())
    for (Operation *user : rest.pop_back_val()->getUsers()) {
      if (isa<mil::ReturnOp>(user) || !seen.insert(user).second)
        continue;
      if (constants.contains(user))
        rest.push_back(user);
      else
        isNew |= fallen.insert({user, reason.str()}).second;
    }
  return isNew;
}

bool FallenFinder::add(const Diagnostic &diagnostic,
                       const mil::FunctionSegments *segments) {
  std::string reason = diagnostic.str();
  bool isNew = false, isKnown = false;
  diagnostic.getLocation()->walk([&](Location part) {
    auto found = opsAt.find(part);
    if (found == opsAt.end())
      return WalkResult::advance();
    isKnown = true;
    for (Operation *op : found->second)
      isNew |= add(op, reason);
    return WalkResult::advance();
  });
  if (isKnown || !segments)
    return isNew;
  for (auto [index, segment] : llvm::enumerate(segments->segments))
    if (diagnostic.getLocation() == segmentLocation(segments->func, index))
      for (Operation *op : segment.ops)
        isNew |= add(op, reason);
  return isNew;
}

bool FallenFinder::add(ArrayRef<Diagnostic> diagnostics,
                       const mil::FunctionSegments *segments) {
  bool isNew = false;
  for (const Diagnostic &diagnostic : diagnostics)
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      isNew |= add(diagnostic, segments);
  return isNew;
}
