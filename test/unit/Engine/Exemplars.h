//===- Exemplars.h - What the decoded real programs compute -----*- C++ -*-===//
//
// Register words that Apple's compiler wrote for small programs, each with the
// mathematics of the program it was given. Operands and coefficients are made
// here, by the packing rules; tasks that are not known are replaced by ours.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TEST_UNIT_ENGINE_EXEMPLARS_H
#define ANE_TEST_UNIT_ENGINE_EXEMPLARS_H

#include "RealCase.h"
#include <functional>

namespace ane::engine::test {

/// Results next to what they should be. Without a tolerance they must be the
/// fp16 numbers nearest to what is expected.
struct Outcome {
  std::vector<double> actual, expected;
  double absolute = 0, relative = 0;

  Outcome() = default;
  Outcome(const Array &actual, const Array &expected, double absolute = 0,
          double relative = 0)
      : actual(actual.values), expected(expected.values), absolute(absolute),
        relative(relative) {}

  bool isExact() const { return absolute == 0 && relative == 0; }
  /// Of all elements, the largest difference to what is expected, relative to
  /// it where it is larger than 1.
  double worstError() const;
};

struct Exemplar {
  std::string name; ///< of the task file
  std::string op;   ///< what it computes, in the words of docs/engine.md
  std::function<Outcome(RealCase &)> run;
};

// By the file that makes them.
std::vector<Exemplar> elementwiseExemplars();
std::vector<Exemplar> convExemplars();
std::vector<Exemplar> productExemplars();
std::vector<Exemplar> reductionExemplars();

/// Expects an outcome to be within its tolerance, and docs/engine.md to have a
/// row with the program, the description (the cells between) and the error.
void expectOutcome(llvm::StringRef program, llvm::StringRef description,
                   const Outcome &outcome);

/// A number as the document writes it.
std::string numberText(double value);

/// The programs that have a row in docs/engine.md.
std::vector<std::string> documentedPrograms();

/// Whether docs/engine.md has these words.
bool isDocumented(llvm::StringRef words);

/// For test reports.
inline void PrintTo(const Exemplar &exemplar, std::ostream *os) {
  *os << exemplar.name;
}

} // namespace ane::engine::test

#endif // ANE_TEST_UNIT_ENGINE_EXEMPLARS_H
