//===- ValueNames.cpp - The names of a function's values ------------------===//

#include "Export/ValueNames.h"
#include "Lexer.h"
#include "NameGenerator.h"

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

ValueNames::ValueNames(mil::FuncOp func) {
  Block &body = func.getBody().front();
  for (BlockArgument argument : body.getArguments()) {
    llvm::StringRef name = func.getParameterName(argument.getArgNumber());
    names[argument] = name;
    taken.insert(name);
  }

  SmallVector<OpResult> nameless;
  for (Operation &op : body) {
    for (OpResult result : op.getResults()) {
      llvm::StringRef name = mil::getResultName(result);
      if (isIdentifier(name) && taken.insert(name).second)
        names[result] = name;
      else
        nameless.push_back(result);
    }
  }

  NameGenerator generator;
  for (OpResult result : nameless) {
    Operation *op = result.getOwner();
    llvm::StringRef label = mil::getLabel(op).value_or("");
    llvm::StringRef base =
        isIdentifier(label) ? label : op->getName().stripDialect();
    llvm::StringRef name = saver.save(generator.make(
        base, [&](llvm::StringRef made) { return taken.contains(made); }));
    taken.insert(name);
    names[result] = name;
  }
}
