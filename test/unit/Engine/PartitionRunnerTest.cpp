//===- PartitionRunnerTest.cpp - Programs that were cut -------------------===//

#include "ane/Engine/PartitionRunner.h"
#include "RunnerFixture.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::HasSubstr;

namespace {

/// An interpreter of a text that is the number to multiply with.
class FakeSegment : public CpuSegment {
public:
  explicit FakeSegment(float factor) : factor(factor) {}

  llvm::Expected<std::vector<NpyArray>>
  run(llvm::ArrayRef<NpyArray> inputs) override {
    NpyArray result = inputs.front();
    for (size_t i = 0; i < result.bytes.size(); i += sizeof(float)) {
      float value;
      std::memcpy(&value, &result.bytes[i], sizeof(value));
      value *= factor;
      std::memcpy(&result.bytes[i], &value, sizeof(value));
    }
    return std::vector<NpyArray>{result};
  }

private:
  float factor;
};

llvm::Expected<std::unique_ptr<CpuSegment>>
loadFake(const e5::Partition &, const e5::Stage &stage, llvm::StringRef name) {
  if (!name.ends_with("m.e5#segment1"))
    return llvm::createStringError("a segment of another name");
  return std::make_unique<FakeSegment>(std::stof(stage.text));
}

/// y = relu(x) on the engine, z = -2 y beside it.
class PartitionRunnerTest : public RunnerTest {
protected:
  e5::Descriptor partitioned() const {
    e5::Descriptor result = descriptor();
    e5::Stage engine, cpu;
    engine.inputs = {0};
    engine.outputs = cpu.inputs = {1};
    engine.procedure = result.segments.front().procedure;
    engine.inputPorts = std::exchange(result.inputs, {});
    engine.outputPorts = std::exchange(result.outputs, {});
    cpu.outputs = {2};
    cpu.text = "-2";
    for (const char *name : {"x", "y", "z"})
      result.partition.tensors.push_back(
          {name, e5::TensorDataType::Float32, {2, 3, 2}, {}});
    result.partition.numInputs = 1;
    result.partition.outputs = {{"z", 2}, {"half", 1}, {"x", 0}};
    result.partition.stages = {engine, cpu};
    result.segments.clear();
    return result;
  }
};

TEST_F(PartitionRunnerTest, RunsSegmentAfterSegment) {
  writeDescriptor(partitioned());
  auto read = readPartition(path("m.hwx"), {});
  ASSERT_TRUE(read && *read);
  auto runner =
      PartitionRunner::load(path("m.hwx"), {}, std::move(**read), loadFake);
  ASSERT_TRUE(bool(runner)) << text(runner.takeError());
  ASSERT_EQ(runner->ports().size(), 4u);
  EXPECT_EQ(runner->ports()[2].name, "half");
  EXPECT_FALSE(runner->ports()[2].isInput());
  EXPECT_NE(runner->engineStage(0), nullptr);
  EXPECT_EQ(runner->engineStage(1), nullptr);
  EXPECT_THAT(text(runner->run()),
              HasSubstr("input 'x' (fp32 [2, 3, 2]) is not given"));
  EXPECT_THAT(
      text(runner->setInput(
          "x", npy(ElementType::Float32, {3}, std::vector<float>(3)), "x.npy")),
      HasSubstr("x.npy:0:0: error: input 'x' is fp32 [2, 3, 2], but"));
  EXPECT_THAT(text(runner->output("y").takeError()),
              HasSubstr("there is no output 'y'; there is z, half, x"));

  std::vector<float> values = {1, -1, 2049, 0, 5, 6, 7, 8, -9, 10, 11, 12};
  ASSERT_FALSE(bool(runner->setInput(
      "x", npy(ElementType::Float32, {2, 3, 2}, values), "x.npy")));
  ASSERT_FALSE(bool(runner->run(1)));
  auto numbers = [&](llvm::StringRef name) {
    NpyArray array = llvm::cantFail(runner->output(name));
    std::vector<float> result(array.numElements());
    std::memcpy(result.data(), array.bytes.data(), array.bytes.size());
    return result;
  };
  EXPECT_THAT(numbers("z"), testing::ElementsAre(-2, 0, -4096, 0, -10, -12, -14,
                                                 -16, 0, -20, -22, -24));
  EXPECT_THAT(numbers("half"),
              testing::ElementsAre(1, 0, 2048, 0, 5, 6, 7, 8, 0, 10, 11, 12));
  EXPECT_EQ(numbers("x"), values);
}

TEST_F(PartitionRunnerTest, OneProcedureAlone) {
  writeDescriptor(partitioned());
  auto whole = Runner::load(path("m.hwx"));
  ASSERT_FALSE(bool(whole));
  EXPECT_THAT(text(whole.takeError()),
              HasSubstr("m.e5:0:0: error: the program was cut into 2 segments, "
                        "of which the engine does not run all; choose one of "
                        "its procedures, or run it with ane-run"));
  RunnerOptions options;
  options.procedure = partitioned().partition.stages[0].procedure;
  auto runner = Runner::load(path("m.hwx"), options);
  ASSERT_TRUE(bool(runner)) << text(runner.takeError());
  EXPECT_EQ(runner->ports()[0].type, ElementType::Float32);
}

TEST_F(PartitionRunnerTest, Refuses) {
  auto message = [&](void (*spoil)(e5::Descriptor &)) {
    e5::Descriptor changed = partitioned();
    spoil(changed);
    auto runner =
        PartitionRunner::load(path("m.hwx"), {}, std::move(changed), loadFake);
    return runner ? "no error" : text(runner.takeError());
  };
  EXPECT_EQ(message([](e5::Descriptor &) {}), "no error");
  EXPECT_THAT(message([](e5::Descriptor &d) { d.containerHash[0] ^= 1; }),
              HasSubstr("belongs to another container"));
  EXPECT_THAT(message([](e5::Descriptor &d) {
                d.partition.stages[0].procedure = "other";
              }),
              HasSubstr("there is no procedure 'other'"));
  EXPECT_THAT(message([](e5::Descriptor &d) {
                d.partition.stages[0].inputPorts[0].byteSize = 0x10000;
              }),
              HasSubstr("has 65536 bytes here, but 384 in the container"));
  EXPECT_THAT(message([](e5::Descriptor &d) {
                d.partition.tensors[2].type = e5::TensorDataType::E4M3;
              }),
              HasSubstr("tensor 'z' is e4m3, which no array of the host is"));
}

} // namespace
