//===- ValueNames.cpp - The names of a function's values ------------------===//

#include "ValueNames.h"
#include "Lexer.h"
#include "Names.h"

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
      StringAttr name = mil::getResultName(result);
      if (name && isIdentifier(name) && taken.insert(name.getValue()).second)
        names[result] = name.getValue();
      else
        nameless.push_back(result);
    }
  }

  NameGenerator generator;
  for (OpResult result : nameless) {
    Operation *op = result.getOwner();
    auto label = op->getAttrOfType<StringAttr>("label");
    llvm::StringRef base = label && isIdentifier(label)
                               ? label.getValue()
                               : op->getName().stripDialect();
    llvm::StringRef name = saver.save(generator.make(
        base, [&](llvm::StringRef made) { return taken.contains(made); }));
    taken.insert(name);
    names[result] = name;
  }
}
