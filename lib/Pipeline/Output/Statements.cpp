//===- Statements.cpp - What a program says, where ------------------------===//

#include "Output/Statements.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ane;

using Fate = report::OpWithoutTask::Fate;

namespace {

/// `model.mil:4:38`; the folder says nothing that a reader of the report does
/// not know.
std::string placeText(FileLineColLoc location) {
  return (llvm::sys::path::filename(location.getFilename().getValue()) + ":" +
          Twine(location.getLine()) + ":" + Twine(location.getColumn()))
      .str();
}

/// Whether an op changes no element.
bool movesOnly(Operation *op) {
  return op->hasTrait<mil::MovesElements>() ||
         isa<mil::CastOp, mil::ConcatOp, mil::IdentityOp, mil::ReadStateOp,
             mil::ReshapeLikeOp, mil::StackOp, mil::TensorBufferToTensorOp,
             mil::TensorToTensorBufferOp>(op);
}

/// What is known of ops from what they read and who reads them.
class Uses {
public:
  explicit Uses(ModuleOp module) {
    SmallVector<Operation *> ops;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      ops.push_back(op);
      auto isKnown = [&](Value value) {
        return known.contains(value.getDefiningOp());
      };
      if (isa<mil::MILOp, mil::ConstOp>(op) &&
          llvm::all_of(op->getOperands(), isKnown))
        known.insert(op);
    });
    // Readers stand behind what they read.
    for (Operation *op : llvm::reverse(ops)) {
      auto isRead = [&](Operation *user) { return read.contains(user); };
      if (!isMemoryEffectFree(op) || op->getNumResults() == 0 ||
          llvm::any_of(op->getUsers(), isRead))
        read.insert(op);
    }
  }

  Fate fateOf(Operation *op) const {
    return known.contains(op)   ? Fate::Known
           : !read.contains(op) ? Fate::Unread
           : movesOnly(op)      ? Fate::InPlace
                                : Fate::Unnamed;
  }

private:
  llvm::DenseSet<Operation *> known, read;
};

} // namespace

Statements::Statements(ModuleOp module) {
  Uses uses(module);
  module.walk<WalkOrder::PreOrder>([&](mil::MILOp op) {
    auto place = dyn_cast<FileLineColLoc>(op->getLoc());
    if (!place || op->getNumResults() == 0 ||
        isa<mil::ConstOp>(op.getOperation()) || mil::isConstexpr(op) ||
        !places.try_emplace(place, statements.size()).second)
      return;
    statements.push_back(
        {place,
         {op->getName().stripDialect().str(),
          mil::getResultName(op->getResult(0)).str(), placeText(place)},
         uses.fateOf(op)});
  });
  // What no statement computes is copied from where it enters or leaves.
  auto addBorder = [&](Location location, StringRef what, StringRef name) {
    if (auto place = dyn_cast<FileLineColLoc>(location))
      borders.try_emplace(
          location,
          report::Origin{what.str(), name.str(), placeText(place), {}});
  };
  module.walk([&](mil::FuncOp func) {
    for (BlockArgument argument : func.getArguments())
      addBorder(argument.getLoc(),
                isa<mil::StateType>(argument.getType()) ? "state" : "input",
                func.getParameterName(argument.getArgNumber()));
    addBorder(func.getBody().front().getTerminator()->getLoc(), "return", "");
  });
}

const Statements::Statement *Statements::find(Location location) const {
  auto known = places.find(location);
  return known == places.end() ? nullptr : &statements[known->second];
}

report::Origin Statements::originOf(Location location) const {
  report::Origin found;
  bool isBorder = false;
  location->walk([&](Location part) {
    if (const Statement *statement = find(part)) {
      found = statement->origin;
      return WalkResult::interrupt();
    }
    if (auto border = borders.find(part);
        border != borders.end() && !isBorder) {
      found = border->second;
      isBorder = true;
    } else if (auto place = dyn_cast<FileLineColLoc>(part);
               place && found.place.empty()) {
      found.place = placeText(place);
    }
    return WalkResult::advance();
  });
  return found;
}

std::vector<report::OpWithoutTask>
Statements::withoutTask(ArrayRef<Location> tasks) const {
  std::vector<bool> names(statements.size());
  std::vector<std::vector<size_t>> tasksOf(statements.size());
  for (auto [task, location] : llvm::enumerate(tasks)) {
    bool isNamed = false;
    location->walk([&](Location part) {
      const Statement *statement = find(part);
      if (!statement)
        return WalkResult::advance();
      size_t place = statement - statements.data();
      if (!isNamed)
        names[place] = isNamed = true;
      else
        tasksOf[place].push_back(task);
      return WalkResult::advance();
    });
  }
  std::vector<report::OpWithoutTask> without;
  for (auto [place, statement] : llvm::enumerate(statements))
    if (!names[place])
      without.push_back({statement.origin,
                         tasksOf[place].empty() ? statement.fate : Fate::Shared,
                         std::move(tasksOf[place])});
  return without;
}
