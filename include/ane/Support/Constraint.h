//===- Constraint.h - Which rule a refusal rests on -------------*- C++ -*-===//
//
// A refusal ends in the id of a rule of docs/constraints.md. The id goes along
// as data too, so that who handles a diagnostic decides by it and not by text.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_CONSTRAINT_H
#define ANE_SUPPORT_CONSTRAINT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include <string>

namespace ane {

/// The id of a constraint, for the end of a diagnostic:
/// `emitError() << "..." << ConstraintId("mil-conv-c3")`.
struct ConstraintId {
  explicit ConstraintId(llvm::StringRef id) : id(id.str()) {}

  std::string id;
};

/// Adds ` [mil-conv-c3]` to the text, and the id as data. By value, or else
/// the template of MLIR for ranges is the better match.
inline mlir::Diagnostic &operator<<(mlir::Diagnostic &diagnostic,
                                    ConstraintId constraint) {
  diagnostic.getMetadata().emplace_back(mlir::StringAttr::get(
      diagnostic.getLocation().getContext(), constraint.id));
  return diagnostic << " [" << constraint.id << "]";
}

/// Reports what is wrong with an op: `conv: message [mil-conv-c3]`.
inline llvm::LogicalResult refuse(mlir::Operation *op,
                                  llvm::StringRef constraint,
                                  const llvm::Twine &message) {
  return op->emitError() << op->getName().stripDialect() << ": " << message
                         << ConstraintId(constraint);
}

/// The id of the constraint that a diagnostic rests on; empty if it names none.
inline llvm::StringRef constraintOf(const mlir::Diagnostic &diagnostic) {
  // The accessor of metadata has no form that is const.
  for (const mlir::DiagnosticArgument &argument :
       const_cast<mlir::Diagnostic &>(diagnostic).getMetadata())
    if (argument.getKind() ==
        mlir::DiagnosticArgument::DiagnosticArgumentKind::Attribute)
      if (auto id = llvm::dyn_cast<mlir::StringAttr>(argument.getAsAttribute()))
        return id.getValue();
  return "";
}

} // namespace ane

#endif // ANE_SUPPORT_CONSTRAINT_H
