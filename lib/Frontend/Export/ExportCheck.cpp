//===- ExportCheck.cpp - What MIL text can say ----------------------------===//

#include "Export/ExportCheck.h"
#include "Export/TextPrinter.h"
#include "Lexer.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

llvm::StringRef frontend::getVersion(ModuleOp module) {
  auto version =
      module->getAttrOfType<StringAttr>(mil::MILDialect::versionAttrName);
  return version ? version.getValue() : "1.3";
}

bool frontend::isKnownVersion(llvm::StringRef version) {
  constexpr size_t maxDigits = 4;
  // `1` is another spelling of 1.0.
  if (version == "1")
    return true;
  return version.consume_front("1.") && !version.empty() &&
         version.size() <= maxDigits && llvm::all_of(version, llvm::isDigit);
}

bool frontend::hasBareScalars(llvm::StringRef version) {
  unsigned minor = 0;
  version.split('.').second.getAsInteger(10, minor);
  return minor >= 3;
}

namespace {

LogicalResult checkAttributes(Operation *op, DictionaryAttr attributes) {
  if (!attributes)
    return success();
  for (NamedAttribute attribute : attributes)
    if (!isIdentifier(attribute.getName()) ||
        !isPrintable(attribute.getValue()))
      return op->emitError()
             << "MIL text cannot say the attribute " << attribute.getName();
  return success();
}

LogicalResult checkOp(Operation *op) {
  if (auto constant = dyn_cast<mil::ConstOp>(op)) {
    auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
    if (resource && !resource.getRawHandle().getBlob())
      return op->emitError("the elements of this constant are not in the IR: "
                           "ane-opt leaves them "
                           "out on standard output; write bytecode or a file");
    if (!isPrintable(constant.getValue()))
      return op->emitError("MIL text cannot say the value of this constant");
  } else if (!isa<mil::MILOp>(op)) {
    return op->emitError() << "'" << op->getName() << "' is no op of MIL text";
  }
  for (Type type : op->getResultTypes())
    if (!isPrintable(type))
      return op->emitError() << "MIL text cannot say the type " << type;
  return checkAttributes(op, op->getAttrOfType<DictionaryAttr>(
                                 mil::MILDialect::textAttrsAttrName));
}

LogicalResult checkFunction(mil::FuncOp func) {
  if (!isIdentifier(func.getName()))
    return func->emitError()
           << "'" << func.getName() << "' is no name in MIL text";
  Block &body = func.getBody().front();
  llvm::DenseSet<llvm::StringRef> names;
  for (BlockArgument parameter : body.getArguments()) {
    llvm::StringRef name = func.getParameterName(parameter.getArgNumber());
    if (!isIdentifier(name) || !names.insert(name).second)
      return func->emitError() << "'" << name
                               << "' cannot name a parameter in MIL text, or "
                                  "names two";
    if (!isPrintable(parameter.getType()))
      return func->emitError()
             << "MIL text cannot say the type " << parameter.getType();
  }
  if (body.getTerminator()->getNumOperands() == 0)
    return func->emitError("a function in MIL text has at least one output");
  bool valid = succeeded(checkAttributes(func, func.getTextAttrsAttr()));
  for (Operation &op : body.without_terminator())
    valid &= succeeded(checkOp(&op));
  return success(valid);
}

} // namespace

LogicalResult frontend::checkExportable(ModuleOp module) {
  if (!isKnownVersion(getVersion(module)))
    return module->emitError()
           << "version '" << getVersion(module) << "' of MIL text is not known";
  Attribute info = module->getAttr(mil::MILDialect::buildInfoAttrName);
  if (info && !isPrintable(info))
    return module->emitError("MIL text cannot say the build info");
  bool valid = succeeded(
      checkAttributes(module, module->getAttrOfType<DictionaryAttr>(
                                  mil::MILDialect::programAttrsAttrName)));
  for (Operation &op : *module.getBody()) {
    if (auto func = dyn_cast<mil::FuncOp>(op))
      valid &= succeeded(checkFunction(func));
    else
      valid &= succeeded(op.emitError() << "'" << op.getName()
                                        << "' is no function of MIL text");
  }
  return success(valid);
}
