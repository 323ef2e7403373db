//===- Phases.h - The compiler's phases as a list ---------------*- C++ -*-===//
//
// What `--emit` accepts, the help text and the order of passes all come from
// the one list behind these functions.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_PIPELINE_PHASES_H
#define ANE_PIPELINE_PHASES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
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
  std::vector<std::string> shapes;
  /// Give inputs without a shape the default that the program states.
  bool defaultShapes = false;
  /// Make one function for each set of shapes that the program lists.
  bool enumeratedShapes = false;
  /// Weights of files that do not exist get stand-in values, with a warning.
  bool seedMissingWeights = false;
  /// Weights whose records name another type are read by their size, with a
  /// warning.
  bool weightsBySize = false;
  /// Refuse what computes in fp32; otherwise fp16 takes its place, with a
  /// warning.
  bool strictPrecision = false;
  /// Compute sigmoid, silu and gelu by closer tables than those that the engine
  /// has of them.
  bool refineSigmoid = true;
  /// Which of layer_norm and instance_norm subtract what a rounded mean leaves:
  /// those of few numbers, none or all.
  enum class Means { Automatic, Rounded, Refined } means = Means::Automatic;
  /// Steps of the longest recurrent layer, and turns of the longest loop, that
  /// is written out.
  int64_t unrollLimit = defaultUnrollLimit;
};

/// As `--means` spells it.
llvm::StringRef stringifyMeans(PhaseOptions::Means means);
std::optional<PhaseOptions::Means> parseMeans(llvm::StringRef text);

/// A level of the program and how it is reached from the one before.
struct Phase {
  /// The word for `--emit`.
  llvm::StringLiteral name;
  /// What is emitted, for the help text.
  llvm::StringLiteral description;
  /// Adds the passes that lead here. Null for a phase behind the IR, whose
  /// output code generation makes.
  void (*addPasses)(mlir::OpPassManager &, const PhaseOptions &);
  /// Whether these passes change the IR; otherwise what is emitted is another
  /// spelling of the phase before.
  bool changesIR = false;
};

/// In order. Those with passes come first.
llvm::ArrayRef<Phase> allPhases();

/// The phase of that name, or null.
const Phase *findPhase(llvm::StringRef name);

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
