//===- ConstraintTest.cpp - Which rule a refusal rests on -----------------===//

#include "ane/Support/Constraint.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace ane;

namespace {

/// The text of a diagnostic, and the id that goes along.
class ConstraintTest : public testing::Test {
protected:
  ConstraintTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          text = diagnostic.str();
          constraint = constraintOf(diagnostic).str();
        }) {}

  Location here() { return UnknownLoc::get(&context); }

  MLIRContext context;
  ScopedDiagnosticHandler handler;
  std::string text, constraint;
};

TEST_F(ConstraintTest, GoesAlong) {
  emitError(here()) << "extent " << 30 << ConstraintId("h13-pool-c1");
  EXPECT_EQ(text, "extent 30 [h13-pool-c1]");
  EXPECT_EQ(constraint, "h13-pool-c1");
}

/// The id outlives what it was made of.
TEST_F(ConstraintTest, OutlivesItsText) {
  InFlightDiagnostic error = emitError(here()) << "extent";
  error << ConstraintId("h13-" + std::string("pool-c1"));
  error.report();
  EXPECT_EQ(text, "extent [h13-pool-c1]");
  EXPECT_EQ(constraint, "h13-pool-c1");
}

/// Text that looks like one is none.
TEST_F(ConstraintTest, IsNoText) {
  emitError(here()) << "'a [h13-precision-c1]' is wrong";
  EXPECT_EQ(constraint, "");
}

} // namespace
