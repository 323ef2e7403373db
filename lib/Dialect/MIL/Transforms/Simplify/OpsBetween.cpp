//===- OpsBetween.cpp - The ops between a value and others ----------------===//

#include "Simplify/OpsBetween.h"
#include "Replacer.h"
#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace ane;

bool mil::isReshape(Operation *op) {
  return op && op->hasTrait<Reshapes>() && staticType(op->getOperand(0)) &&
         staticType(op->getResult(0));
}

llvm::SetVector<Operation *>
mil::opsBetween(Operation *entry,
                llvm::function_ref<bool(Operation *)> goesAlong,
                llvm::function_ref<bool(Operation *)> isExit) {
  llvm::SetVector<Operation *> reached;
  SmallVector<Operation *> work = {entry};
  while (!work.empty())
    for (Operation *user : work.pop_back_val()->getUsers())
      if (user->getBlock() == entry->getBlock() && !isExit(user) &&
          goesAlong(user) && reached.insert(user))
        work.push_back(user);
  // In an order in which users come behind.
  auto sorted = reached.takeVector();
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  // Those that an exit can be reached from.
  llvm::DenseSet<Operation *> leads;
  for (Operation *op : llvm::reverse(sorted))
    if (llvm::any_of(op->getUsers(), [&](Operation *user) {
          return isExit(user) || leads.contains(user);
        }))
      leads.insert(op);
  llvm::SetVector<Operation *> ops;
  for (Operation *op : sorted)
    if (leads.contains(op))
      ops.insert(op);
  return ops;
}

bool mil::cancelFromEntries(Block &body,
                            llvm::function_ref<bool(Operation *)> isEntry,
                            llvm::function_ref<bool(Operation *)> cancel) {
  bool changed = false;
  // What is no entry stays in front of the ops behind it.
  Operation *before = nullptr;
  for (Operation *op = &body.front(); op;) {
    if (!isEntry(op))
      before = op;
    else if (cancel(op)) {
      changed = true;
      op = before ? before->getNextNode() : &body.front();
      continue;
    }
    op = op->getNextNode();
  }
  return changed;
}
