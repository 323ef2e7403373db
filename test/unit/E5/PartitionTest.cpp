//===- PartitionTest.cpp - Descriptors of programs that were cut ----------===//

#include "E5Testing.h"

using namespace ane::e5;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

/// A surface for a tensor: rows of 64 bytes.
Port portOf(const HostTensor &tensor, uint64_t address) {
  Port port;
  port.name = tensor.name;
  port.hostType = tensor.type;
  port.shape = tensor.shape;
  port.strides.assign(tensor.shape.size(), 2);
  if (port.strides.size() > 1)
    port.strides.front() = 0x40;
  port.engine = {tensor.shape.back(), 2, 1, 1, 1, 2, 0x40, 0x80, 0x80, 0x80};
  port.byteSize = 0x80;
  port.address = address;
  return port;
}

/// x goes through the engine, the processor, and with an integer input through
/// the engine again. An input goes out as it came, and what one segment made
/// twice.
Descriptor makePartitioned() {
  Descriptor model;
  model.buildInfo = {{"component", "ane-mlir"}};
  model.containerPath = "model.hwx";
  model.containerHash = std::string(64, 'c');
  model.compilerOptions = "--partition";
  Partition &partition = model.partition;
  partition.tensors = {
      {"x", TensorDataType::Float32, {2, 3}, {}},
      {"n", TensorDataType::Int32, {4}, ane::IntegerLimit{100}},
      {"a", TensorDataType::Float16, {2, 3}, {}},
      {"b", TensorDataType::Float16, {2, 2}, {}},
      {"flag", TensorDataType::Bool, {}, {}},
      {"c", TensorDataType::Float16, {2, 2}, {}}};
  partition.numInputs = 2;
  partition.outputs = {{"y", 5}, {"again", 5}, {"x", 0}, {"flag", 4}};
  Stage first;
  first.inputs = {0};
  first.outputs = {2};
  first.procedure = "main_0";
  first.inputPorts = {portOf(partition.tensors[0], 0x30004000)};
  first.outputPorts = {portOf(partition.tensors[2], 0x30008000)};
  Stage second;
  second.inputs = {2, 0};
  second.outputs = {3, 4};
  second.text = "program(1.3)\n{\n}";
  second.weights = std::string("\x01\0\x02\xff", 4);
  Stage third;
  third.inputs = {3, 1};
  third.outputs = {5};
  third.procedure = "main_2";
  third.inputPorts = {portOf(partition.tensors[3], 0x3000c000),
                      portOf(partition.tensors[1], 0x30010000)};
  third.outputPorts = {portOf(partition.tensors[5], 0x30014000)};
  partition.stages = {first, second, third};
  return model;
}

std::string writeError(void (*spoil)(Partition &)) {
  Descriptor model = makePartitioned();
  spoil(model.partition);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::Error error = writeE5(model, os);
  EXPECT_TRUE(bytes.empty());
  return error ? llvm::toString(std::move(error)) : "no error";
}

TEST(E5Partition, RoundTrip) {
  std::string bytes = write(makePartitioned());
  llvm::Expected<Descriptor> model = read(bytes);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  EXPECT_TRUE(*model == makePartitioned());
  EXPECT_EQ(write(*model), bytes);
}

TEST(E5Partition, SizeDoesNotDependOnTheShape) {
  Descriptor model = makePartitioned();
  size_t size = write(model).size();
  model.partition.tensors[3].shape = {1, 1};
  model.partition.stages[2].inputPorts[0].shape = {1, 1};
  model.partition.stages[2].inputPorts[0].address = 0;
  EXPECT_EQ(write(model).size(), size);
}

TEST(E5Partition, StagesAreDescriptorsOfTheirProcedures) {
  Descriptor model = makePartitioned();
  Descriptor stage = model.ofStage(model.partition.stages[2]);
  EXPECT_FALSE(stage.isPartitioned());
  EXPECT_EQ(stage.segments.front().procedure, "main_2");
  EXPECT_EQ(stage.containerHash, model.containerHash);
  ASSERT_EQ(stage.inputs.size(), 2u);
  EXPECT_EQ(stage.inputs[1].name, "n");
  EXPECT_EQ(stage.inputs[1].limit, ane::IntegerLimit{100});
  EXPECT_TRUE(*read(write(stage)) == stage);
}

TEST(E5Partition, RefusesToWrite) {
  EXPECT_EQ(writeError([](Partition &p) { p.tensors[2].name = "x"; }),
            "two tensors are named 'x'");
  EXPECT_EQ(writeError([](Partition &p) { p.outputs[1].name = "y"; }),
            "two outputs are named 'y'");
  EXPECT_EQ(writeError([](Partition &p) { p.outputs[1].tensor = 6; }),
            "output 'again' is a tensor that does not exist");
  EXPECT_EQ(writeError([](Partition &p) {
              p.tensors[1].isState = true;
              p.tensors[1].limit = {};
              p.stages[2].inputs[1] = 0;
              p.stages[2].inputPorts[1] = p.stages[0].inputPorts[0];
              p.outputs[2].tensor = 1;
            }),
            "output 'x' is a state that no segment reads");
  EXPECT_EQ(writeError([](Partition &p) { p.outputs.clear(); }),
            "the program has no output");
  EXPECT_EQ(writeError([](Partition &p) { p.numInputs = 7; }),
            "more inputs than tensors");
  EXPECT_EQ(writeError([](Partition &p) { p.tensors[3].limit = {1}; }),
            "tensor 'b' has a limit or holds a state, but is no input");
  EXPECT_EQ(writeError(
                [](Partition &p) { p.tensors[0].type = TensorDataType::Int4; }),
            "tensor 'x': element type 7 (int4) is not one of whole bytes");
  EXPECT_EQ(writeError([](Partition &p) { p.tensors[4].shape.assign(6, 1); }),
            "tensor 'flag': rank 6, the most is 5");
  EXPECT_EQ(writeError([](Partition &p) { p.tensors[4].shape = {0}; }),
            "tensor 'flag': a dimension of 0");
  EXPECT_EQ(writeError([](Partition &p) {
              p.tensors[4].shape = {uint64_t(1) << 62, 2};
            }),
            "tensor 'flag': it has 2^63 bytes or more");
  EXPECT_EQ(
      writeError([](Partition &p) { std::swap(p.stages[0], p.stages[1]); }),
      "segment 0: reads a tensor that nothing before it writes");
  EXPECT_EQ(writeError([](Partition &p) { p.stages[1].outputs = {4, 3}; }),
            "segment 1: writes tensors out of order");
  EXPECT_EQ(writeError([](Partition &p) { p.stages[1].outputs = {3, 3}; }),
            "segment 1: writes tensors out of order");
  EXPECT_EQ(writeError([](Partition &p) { p.stages[1].outputs.clear(); }),
            "segment 1: writes nothing");
  EXPECT_EQ(writeError([](Partition &p) { p.stages[2].outputs.push_back(6); }),
            "segment 2: writes tensors out of order");
  EXPECT_EQ(writeError([](Partition &p) {
              p.tensors.push_back({"d", TensorDataType::Float16, {}, {}});
            }),
            "a tensor that no segment writes");
  EXPECT_EQ(writeError([](Partition &p) { p.stages[0].text = "program"; }),
            "segment 0: procedure 'main_0' has MIL text or weights");
  EXPECT_EQ(writeError([](Partition &p) { p.stages[1].text.clear(); }),
            "segment 1: neither a procedure nor MIL text");
  EXPECT_EQ(writeError([](Partition &p) { p.stages[0].inputPorts.clear(); }),
            "segment 0: 0 surfaces for 1 tensors");
  EXPECT_EQ(
      writeError([](Partition &p) { p.stages[0].inputPorts[0].name = "w"; }),
      "segment 0: surface 'w' has another name, type or shape than tensor 'x'");
  EXPECT_EQ(
      writeError([](Partition &p) { p.stages[0].inputPorts[0].byteSize = 1; }),
      "segment 0: tensor 'x': shape [2, 3] with strides [64, 2] needs 70 "
      "bytes, but the surface has 1");
  EXPECT_EQ(writeError([](Partition &p) {
              p.stages.erase(p.stages.begin());
              p.stages.pop_back();
              p.stages[0].inputs = {0};
              p.stages[0].outputs = {2, 3, 4, 5};
            }),
            "no segment runs on the engine");
  EXPECT_EQ(
      writeError([](Partition &p) { p.stages[1].weights.resize(1ull << 31); }),
      "what runs on the processor has " +
          std::to_string((1ull << 31) +
                         makePartitioned().partition.stages[1].text.size()) +
          " bytes of text and weights, and a descriptor holds at most "
          "2013265905 of them; look large tables up outside of the program");
  Descriptor both = makePartitioned();
  both.inputs = {both.partition.stages[0].inputPorts[0]};
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  EXPECT_EQ(llvm::toString(writeE5(both, os)),
            "a program that was cut has ports or segments of one that was not");
}

TEST(E5Partition, SurvivesTruncation) {
  std::string bytes = write(makePartitioned());
  // The last bytes pad a string.
  for (size_t length = 0; length + 4 <= bytes.size(); ++length) {
    llvm::Expected<Descriptor> model =
        read(llvm::StringRef(bytes).take_front(length));
    ASSERT_FALSE(bool(model)) << length;
    EXPECT_THAT(llvm::toString(model.takeError()), StartsWith("test.e5:0:"));
  }
}

TEST(E5Partition, SurvivesEveryByte) {
  spoilEveryByte(write(makePartitioned()));
}

TEST(E5Partition, SurvivesMutations) { spoilWords(write(makePartitioned())); }

//===----------------------------------------------------------------------===//
// The schema in the hands of flatc
//===----------------------------------------------------------------------===//

class FlatcPartition : public FlatcTest {
protected:
  void SetUp() override { start(makePartitioned()); }
};

TEST_F(FlatcPartition, GivesTheSameBytesBack) {
  EXPECT_TRUE(toBinary(json) == write(makePartitioned()));
}

TEST_F(FlatcPartition, RefusesOtherChains) {
  EXPECT_THAT(
      errorAfter("\"op_type\": \"CpuInference\"", "\"op_type\": \"JitCall\""),
      HasSubstr("operation 3: op_type 11 is neither Cast (0), AneInference "
                "(1) nor CpuInference (3)"));
  EXPECT_THAT(
      errorAfter("\"op_type\": \"CpuInference\"", "\"op_type\": \"Cast\""),
      HasSubstr("an AneInference of 2 inputs and 1 outputs after 3 Casts"));
  EXPECT_THAT(
      errorAfter("\"op_type\": \"AneInference\"", "\"op_type\": \"Cast\""),
      HasSubstr("a Cast that no AneInference follows"));
  EXPECT_THAT(errorAfter("\"op_type\": \"AneInference\"",
                         "\"op_type\": \"CpuInference\""),
              HasSubstr("a Cast that no AneInference follows"));
  EXPECT_THAT(errorAfter("\"operands\": [", "\"operands\": [ {},"),
              HasSubstr("an AneInference stands between Casts of one tensor "
                        "each"));
  EXPECT_THAT(errorAfter("\"attrs_section\": \"Op3_CpuInference__op_attrs\"",
                         "\"attrs_section\": \"Op0_Cast__op_attrs\""),
              HasSubstr("the attributes of a CpuInference are of another "
                        "kind"));
}

TEST_F(FlatcPartition, RefusesInconsistentTensors) {
  // The shape of x as the processor reads it.
  EXPECT_THAT(
      errorAfter("\"storage_type\": \"Bool\"", "\"storage_type\": \"Int4\""),
      HasSubstr("tensor 'flag': element type 7 (int4) is not one of "
                "whole bytes"));
  EXPECT_THAT(errorAfter("\"storage_type\": \"Float32\"",
                         "\"storage_type\": \"Int32\""),
              HasSubstr("tensor 'x'"));
  EXPECT_THAT(errorAfter("\"text\": \"program(1.3)\\n{\\n}\",", ""),
              HasSubstr("CpuInferenceAttrs.text is missing"));
  EXPECT_THAT(
      errorAfter("\"procedure_name\": \"main_2\"", "\"procedure_name\": \"\""),
      HasSubstr("the procedure has no name"));
  EXPECT_THAT(errorAfter("\"anehash\": \"cc", "\"anehash\": \"dd"),
              HasSubstr("two AneInferences differ in container or options"));
}

TEST_F(FlatcPartition, RefusesWrongSymbols) {
  // Symbols follow the 8 operations: x is 8, n 9, a 10, b 11, flag 12, c 13.
  EXPECT_THAT(errorAfter("\"symbol_index\": 13", "\"symbol_index\": 99"),
              HasSubstr("output 'y' has symbol 99, which nothing writes"));
  EXPECT_THAT(errorAfter("\"symbol_index\": 9", "\"symbol_index\": 8"),
              HasSubstr("two inputs have symbol 8"));
  EXPECT_THAT(
      errorAfter("\"key\": \"input-limit:n\"", "\"key\": \"input-limit:m\""),
      HasSubstr("is not the limit of one input"));
  EXPECT_THAT(
      errorAfter("\"key\": \"input-limit:n\"", "\"key\": \"input-limit:a\""),
      HasSubstr("tensor 'a' has a limit or holds a state, but is no input"));
}

} // namespace
