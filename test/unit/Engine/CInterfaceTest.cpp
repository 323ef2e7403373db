//===- CInterfaceTest.cpp - Containers from C -----------------------------===//

#include "Kernels.h"
#include "ane/Engine/ane.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "gmock/gmock.h"
#include <cstring>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::HasSubstr;

namespace {

/// relu(x) of 3 elements.
class CInterface : public testing::Test {
protected:
  void SetUp() override {
    Model model;
    Extents extents{1, 1, 3, 1, 1};
    model.input("x", extents);
    model.output("y", extents);
    td::RegisterImage task = passTask(extents);
    task.set(Field::NonlinearMode, 1);
    model.readFirst(task, "x");
    model.write(task, "y");
    model.add(task);
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("ane", "hwx", path));
    program = write(model);
    ASSERT_TRUE(program);
  }
  ane_program *write(const Model &model) {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << model.container(td::Format::V10);
    EXPECT_FALSE(code);
    return ane_load(path.c_str(), nullptr);
  }
  void TearDown() override {
    ane_free(program);
    llvm::sys::fs::remove(path);
  }

  llvm::SmallString<128> path;
  ane_program *program = nullptr;
};

TEST_F(CInterface, DescribesPorts) {
  EXPECT_EQ(ane_api_version(), ANE_API_VERSION);
  ASSERT_EQ(ane_num_ports(program), 2u);
  ane_port port;
  ASSERT_EQ(ane_get_port(program, 0, &port), 0);
  EXPECT_STREQ(port.name, "x");
  EXPECT_EQ(port.is_input, 1);
  EXPECT_EQ(port.type, ANE_FP16);
  ASSERT_EQ(port.rank, 4u);
  EXPECT_THAT(llvm::ArrayRef(port.shape, 4), testing::ElementsAre(1, 3, 1, 1));
  EXPECT_EQ(port.bytes, 6u);
  ASSERT_EQ(ane_get_port(program, 1, &port), 0);
  EXPECT_STREQ(port.name, "y");
  EXPECT_EQ(port.is_input, 0);
}

TEST_F(CInterface, RunsManyTimes) {
  for (double factor : {1.0, 2.0, -3.0}) {
    uint16_t x[3] = {halfBits(factor), halfBits(-factor), halfBits(0)};
    uint16_t y[3] = {};
    ASSERT_EQ(ane_set_input(program, 0, x, sizeof(x)), 0);
    ASSERT_EQ(ane_run(program, 1), 0);
    ASSERT_EQ(ane_get_output(program, 1, y, sizeof(y)), 0);
    EXPECT_EQ(y[0], halfBits(factor > 0 ? factor : 0));
    EXPECT_EQ(y[1], halfBits(factor < 0 ? -factor : 0));
    EXPECT_EQ(y[2], 0);
  }
  EXPECT_STREQ(ane_last_error(program), "");
}

/// 4096 + 1 + 1 + 1 is 4100 in fp16, but in twelve bits each 1 is lost.
TEST_F(CInterface, ChoosesNumerics) {
  Model model;
  Extents in{1, 1, 4, 1, 1}, out{1, 1, 1, 1, 1};
  model.input("x", in);
  model.output("y", out);
  td::RegisterImage task = neuralTask(in, out);
  Coefficients ones;
  ones.taps = 4;
  ones.weights = {1, 1, 1, 1};
  addKernel(model, task, ones, 0);
  model.readFirst(task, "x");
  model.write(task, "y");
  model.add(task);
  ane_free(program);
  program = write(model);
  ASSERT_TRUE(program);
  uint16_t x[4] = {halfBits(4096), halfBits(1), halfBits(1), halfBits(1)};
  ASSERT_EQ(ane_set_input(program, 0, x, sizeof(x)), 0);
  auto sum = [&] {
    uint16_t y = 0;
    EXPECT_EQ(ane_run(program, 1), 0) << ane_last_error(program);
    EXPECT_EQ(ane_get_output(program, 1, &y, sizeof(y)), 0);
    return y;
  };
  EXPECT_EQ(sum(), halfBits(4100));
  ASSERT_EQ(ane_set_numerics(program, ANE_TILE4), 0);
  EXPECT_EQ(sum(), halfBits(4096));
  EXPECT_NE(ane_set_numerics(program, static_cast<ane_numerics>(2)), 0);
  EXPECT_STREQ(ane_last_error(program),
               "there are no numerics 2; there are 0 (documented) and 1 "
               "(tile4)");
  EXPECT_EQ(sum(), halfBits(4096));
  ASSERT_EQ(ane_set_numerics(program, ANE_DOCUMENTED), 0);
  EXPECT_EQ(sum(), halfBits(4100));
}

TEST_F(CInterface, SaysWhatIsWrong) {
  auto error = [&] { return std::string(ane_last_error(program)); };
  uint16_t array[4] = {};
  EXPECT_NE(ane_run(program, 1), 0);
  EXPECT_THAT(error(), HasSubstr("input 'x' (fp16 [1, 3, 1, 1]) is not given"));
  EXPECT_NE(ane_set_input(program, 0, array, 8), 0);
  EXPECT_EQ(error(), "the array of 'x' has 8 bytes, but the port 6: fp16 "
                     "[1, 3, 1, 1]");
  EXPECT_NE(ane_set_input(program, 1, array, 6), 0);
  EXPECT_EQ(error(), "port 1 ('y') is an output");
  EXPECT_NE(ane_get_output(program, 0, array, 6), 0);
  EXPECT_EQ(error(), "port 0 ('x') is an input");
  ane_port port;
  EXPECT_NE(ane_get_port(program, 2, &port), 0);
  EXPECT_EQ(error(), "there is no port 2; there are 2");
}

TEST_F(CInterface, LoadsAProcedure) {
  ane_program *named = ane_load_procedure(path.c_str(), "net", nullptr);
  ASSERT_TRUE(named);
  EXPECT_EQ(ane_num_ports(named), 2u);
  ane_free(named);
  char *message = nullptr;
  EXPECT_EQ(ane_load_procedure(path.c_str(), "other", &message), nullptr);
  ASSERT_TRUE(message);
  EXPECT_THAT(message,
              HasSubstr("there is no procedure 'other'; there is net"));
  ane_free_message(message);
}

TEST(CInterfaceLoad, SaysWhatIsWrong) {
  char *message = nullptr;
  EXPECT_EQ(ane_load("/nonexistent.hwx", &message), nullptr);
  ASSERT_TRUE(message);
  EXPECT_THAT(message, HasSubstr("/nonexistent.hwx"));
  ane_free_message(message);
  EXPECT_EQ(ane_load("/nonexistent.hwx", nullptr), nullptr);
  EXPECT_EQ(ane_load_procedure("/nonexistent.hwx", "net", nullptr), nullptr);
  ane_free(nullptr);
}

} // namespace
