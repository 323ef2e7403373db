//===- Phases.h - The compiler's phases as a table --------------*- C++ -*-===//
//
// What `--emit` accepts, the help text, what a phase writes and the order of
// passes all come from the one table behind these functions.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_PIPELINE_PHASES_H
#define ANE_PIPELINE_PHASES_H

#include "ane/Pipeline/Choices.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace ane {

/// Steps of the longest recurrent layer, and turns of the longest loop, that is
/// written out, unless told otherwise. Assigned: a step takes about ten tasks.
constexpr int64_t defaultUnrollLimit = 1024;

/// What the phases need to know.
struct PhaseOptions {
  std::string target = "h13";
  std::string modelPath;
  /// What functions return in the place of their outputs, by name.
  std::vector<std::string> returns;
  std::vector<std::string> shapes;
  /// Give inputs without a shape the default that the program states.
  bool defaultShapes = false;
  /// Make one function for each set of shapes that the program lists.
  bool enumeratedShapes = false;
  MissingWeights missingWeights = MissingWeights::Error;
  WeightTypes weightTypes = WeightTypes::Strict;
  Precision precision = Precision::Engine;
  SigmoidTables sigmoid = SigmoidTables::Refined;
  Means means = Means::Automatic;
  /// Steps of the longest recurrent layer, and turns of the longest loop, that
  /// is written out.
  int64_t unrollLimit = defaultUnrollLimit;

  /// For a program whose outputs and shapes are those that are asked for.
  void takeAsBound() {
    returns.clear();
    shapes.clear();
    defaultShapes = enumeratedShapes = false;
  }
};

/// The phases in their order.
enum class PhaseKind {
  MIL,
  Zin,
  NetPlist,
  Tasks,
  TaskDescriptors,
  Container,
  Descriptor,
  Firmware
};

/// A level of the program and how it is reached from the one before.
struct Phase {
  /// What the output of a phase is.
  enum class Form {
    /// IR that the passes of the phase lead to.
    IR,
    /// Another spelling of the IR of the phase before.
    Spelling,
    /// Made by code generation from the last IR.
    Code
  };
  /// How many procedures the output has room for.
  enum class Procedures { One, Several };
  /// What is written beside the output, where that is a file.
  enum class Beside { Nothing, Weights, Descriptor };

  PhaseKind kind;
  /// The word for `--emit`.
  llvm::StringLiteral name;
  /// What is emitted, for the help text.
  llvm::StringLiteral description;
  Form form;
  Procedures procedures;
  Beside beside;
  /// Of its file of `--dump-phases`; empty for none, where another phase has
  /// the same in its file or it is the output itself.
  llvm::StringLiteral dumpExtension;
  /// Adds the passes that lead here. Null where the form is not IR.
  void (*addPasses)(mlir::OpPassManager &, const PhaseOptions &) = nullptr;

  bool isIR() const { return form == Form::IR; }
  bool isCode() const { return form == Form::Code; }
  bool hasOneProcedure() const { return procedures == Procedures::One; }
};

/// In order. Those that code generation makes come last.
llvm::ArrayRef<Phase> allPhases();

/// The row of a phase.
const Phase &getPhase(PhaseKind kind);

/// The phase that a module has reached, by the ops in it: functions of MIL,
/// procedures of layers or programs of tasks. Null if there are none of these
/// or of several kinds.
const Phase *phaseOf(mlir::ModuleOp module);

/// Adds the passes that make a program ready for the reference interpreter and
/// leave it as it was written otherwise: they bind shapes and load weights.
void addReferencePasses(mlir::OpPassManager &pm, const PhaseOptions &options);

/// Adds the passes of the first phases that give a program the form in which it
/// is cut: one block of ops on tensors, without what constants decide. It is
/// as the text has it otherwise, for the interpreter runs parts of it.
void addCutPasses(mlir::OpPassManager &pm, const PhaseOptions &options);

} // namespace ane

#endif // ANE_PIPELINE_PHASES_H
