//===- CompileTest.cpp - Options that no command line gives ---------------===//

#include "ane/Pipeline/Compile.h"
#include "gmock/gmock.h"
#include <fstream>

using namespace ane;
using testing::HasSubstr;

namespace {

class CompileTest : public testing::Test {
protected:
  void SetUp() override {
    options.input = folder + "program.mil";
    options.output = folder + "program.hwx";
    std::ofstream(options.input) << R"(program(1.3)
{
  func main<ios18>(tensor<fp16, [2]> x) {
    tensor<fp16, [2]> y = relu(x = x);
  } -> (y);
}
)";
  }

  /// What is said of a program that does not compile.
  std::string errorOf(const CompileOptions &given) {
    testing::internal::CaptureStderr();
    EXPECT_TRUE(failed(compile(given)));
    return testing::internal::GetCapturedStderr();
  }

  std::string folder = testing::TempDir();
  CompileOptions options;
};

TEST_F(CompileTest, UnknownTarget) {
  options.phases.target = "h99";
  EXPECT_THAT(errorOf(options), HasSubstr("'h99'"));
  options.partition = true;
  EXPECT_THAT(errorOf(options), HasSubstr("'h99'"));
}

/// No pass is left that asks for it.
TEST_F(CompileTest, UnknownTargetOfTasks) {
  options.emit = PhaseKind::Tasks;
  options.output = folder + "tasks.mlir";
  ASSERT_TRUE(succeeded(compile(options)));
  options.input = options.output;
  options.emit = PhaseKind::Container;
  options.output = folder + "program.hwx";
  options.phases.target = "h99";
  EXPECT_THAT(errorOf(options), HasSubstr("'h99'"));
}

} // namespace
