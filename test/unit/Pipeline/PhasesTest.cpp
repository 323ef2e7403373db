//===- PhasesTest.cpp - The table of phases -------------------------------===//

#include "ane/Pipeline/Phases.h"
#include "gtest/gtest.h"

using namespace ane;

namespace {

TEST(PhasesTest, KindsFindTheirPhase) {
  for (const Phase &phase : allPhases())
    EXPECT_EQ(&getPhase(phase.kind), &phase);
}

/// Whoever runs the passes of all phases stops at the first of code.
TEST(PhasesTest, CodeComesLast) {
  bool isCode = false;
  for (const Phase &phase : allPhases()) {
    EXPECT_TRUE(!isCode || phase.isCode()) << phase.name.str();
    EXPECT_EQ(phase.isIR(), phase.addPasses != nullptr) << phase.name.str();
    isCode = phase.isCode();
  }
}

} // namespace
