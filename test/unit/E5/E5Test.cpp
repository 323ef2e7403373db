//===- E5Test.cpp - The dispatch descriptor -------------------------------===//

#include "E5Testing.h"
#include "flatbuffers/reflection_generated.h"
#include "llvm/Support/Endian.h"

using namespace ane::e5;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

Port makePort(const char *name, llvm::ArrayRef<uint64_t> shape,
              llvm::ArrayRef<uint64_t> strides, uint64_t byteSize) {
  Port port;
  port.name = name;
  port.shape.assign(shape.begin(), shape.end());
  port.strides.assign(strides.begin(), strides.end());
  port.byteSize = byteSize;
  return port;
}

/// Two inputs of different rank and host type, one output.
Descriptor makeDescriptor() {
  Descriptor model;
  model.buildInfo = {{"component-ane-mlir", "0.1.0"}, {"target", "h13"}};
  model.containerPath = "model.hwx";
  model.containerHash = std::string(32, 'a') + std::string(32, '5');
  model.compilerOptions = "--target=h13";

  Port x = makePort("x", {1, 3, 40}, {0x180, 0x80, 2}, 0x180);
  x.hostType = TensorDataType::Float32;
  x.engine = {40, 1, 3, 1, 1, 2, 0x80, 0x80, 0x180, 0x180};
  x.address = 0x30004000;
  Port scalar = makePort("scalar", {}, {}, 0x40);
  scalar.address = 0x30008000;
  Port y = makePort("y", {3}, {0x40}, 0xc0);
  y.hostType = TensorDataType::Int32;
  y.address = 0x3000c000;
  model.inputs = {x, scalar};
  model.outputs = {y};
  model.setSingleSegment();
  return model;
}

/// x goes through two segments; the second also reads an output of the first.
Descriptor makeSegmented() {
  Descriptor model = makeDescriptor();
  model.outputs.push_back(makePort("z", {4}, {2}, 8));
  Port between = makePort("between", {2, 3}, {0x40, 2}, 0x80);
  between.address = 0x30010000;
  between.engine = {3, 2, 1, 1, 1, 2, 0x40, 0x80, 0x80, 0x80};
  model.intermediates = {between};
  PortRef x = {PortKind::Input, 0}, scalar = {PortKind::Input, 1};
  PortRef y = {PortKind::Output, 0}, z = {PortKind::Output, 1};
  PortRef middle = {PortKind::Intermediate, 0};
  model.segments = {{"net_0", {x, scalar}, {z, middle}},
                    {"net_1", {middle, z, x}, {y}}};
  return model;
}

//===----------------------------------------------------------------------===//
// Round trip
//===----------------------------------------------------------------------===//

TEST(E5, RoundTrip) {
  std::string bytes = write(makeDescriptor());
  llvm::Expected<Descriptor> model = read(bytes);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  EXPECT_TRUE(*model == makeDescriptor());
  EXPECT_EQ(write(*model), bytes);
}

TEST(E5, RoundTripOfSegments) {
  std::string bytes = write(makeSegmented());
  llvm::Expected<Descriptor> model = read(bytes);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  EXPECT_TRUE(*model == makeSegmented());
  EXPECT_EQ(write(*model), bytes);
}

TEST(E5, StridesOfTheHost) {
  Descriptor model = makeDescriptor();
  model.inputs[0].hostStrides.assign({768, 256, 4});
  llvm::Expected<Descriptor> found = read(write(model));
  ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
  EXPECT_THAT(found->inputs[0].hostStrides, ElementsAre(768, 256, 4));
  EXPECT_TRUE(*found == model);
  EXPECT_EQ(write(model).size(), write(makeDescriptor()).size());

  // Of a dense tensor they say nothing.
  model.inputs[0].hostStrides.assign({480, 160, 4});
  EXPECT_EQ(write(model), write(makeDescriptor()));
}

TEST(E5, RootHasTheDocumentedVtable) {
  std::string bytes = write(makeDescriptor());
  namespace endian = llvm::support::endian;
  uint32_t root = endian::read32le(bytes.data());
  ASSERT_LT(root + 20, bytes.size());
  uint32_t vtable = root - endian::read32le(&bytes[root]);
  EXPECT_EQ(bytes.substr(vtable, 12),
            std::string("\x0c\0\x14\0\x04\0\x08\0\x0c\0\x10\0", 12));
  // The fourth field, inline: format_version.
  EXPECT_EQ(endian::read32le(&bytes[root + 16]), 4u);
}

TEST(E5, SizeDoesNotDependOnTheShape) {
  size_t size = write(makeDescriptor()).size();
  std::mt19937_64 random;
  for (int round = 0; round < 200; ++round) {
    Descriptor model = makeDescriptor();
    for (std::vector<Port> *ports : {&model.inputs, &model.outputs})
      for (Port &port : *ports) {
        for (size_t axis = 0; axis < port.shape.size(); ++axis) {
          port.shape[axis] = 1 + random() % 100000;
          port.strides[axis] = random() % 100000;
        }
        port.byteSize = ~uint64_t(0);
        port.address = random() >> random() % 64;
        for (uint64_t *number :
             {&port.engine.width, &port.engine.channels,
              &port.engine.strideHeight, &port.engine.strideBatch})
          *number = random() >> random() % 64;
      }
    std::string bytes = write(model);
    ASSERT_EQ(bytes.size(), size) << "round " << round;
    EXPECT_TRUE(*read(bytes) == model) << "round " << round;
  }
}

TEST(E5, SizeFollowsTheSegments) {
  size_t sizes[3];
  for (size_t count : {1, 2, 3}) {
    Descriptor model;
    model.containerHash = std::string(64, '0');
    model.inputs = {makePort("x", {1}, {2}, 64)};
    model.outputs = {makePort("y", {1}, {2}, 64)};
    PortRef last = {PortKind::Input, 0};
    for (size_t i = 0; i + 1 < count; ++i) {
      model.intermediates.push_back(
          makePort(("t" + std::to_string(i)).c_str(), {1}, {2}, 64));
      PortRef next = {PortKind::Intermediate, i};
      model.segments.push_back({"net", {last}, {next}});
      last = next;
    }
    model.segments.push_back({"net", {last}, {{PortKind::Output, 0}}});
    sizes[count - 1] = write(model).size();
  }
  EXPECT_GT(sizes[1], sizes[0]);
  EXPECT_GT(sizes[2], sizes[1]);
}

TEST(E5, NameOfAnInputAndAnOutput) {
  Descriptor model = makeDescriptor();
  model.outputs[0].name = "x";
  llvm::Expected<Descriptor> reread = read(write(model));
  ASSERT_TRUE(bool(reread)) << llvm::toString(reread.takeError());
  EXPECT_TRUE(*reread == model);
}

/// A state, whose output may lie in the surface of its input.
Descriptor makeShared() {
  Descriptor model = makeDescriptor();
  model.inputs[0].isState = model.inputs[0].isShared = true;
  uint64_t address = model.outputs[0].address;
  model.outputs[0] = model.inputs[0];
  model.outputs[0].isState = model.outputs[0].isShared = false;
  model.outputs[0].limit.reset();
  model.outputs[0].address = address;
  return model;
}

TEST(E5, States) {
  for (bool isShared : {false, true}) {
    Descriptor model = makeShared();
    model.inputs[0].isShared = isShared;
    llvm::Expected<Descriptor> reread = read(write(model));
    ASSERT_TRUE(bool(reread)) << llvm::toString(reread.takeError());
    EXPECT_TRUE(*reread == model);
  }
}

TEST(E5, SmallestProgram) {
  Descriptor model;
  model.containerHash = std::string(64, '0');
  model.setSingleSegment();
  llvm::Expected<Descriptor> reread = read(write(model));
  ASSERT_TRUE(bool(reread)) << llvm::toString(reread.takeError());
  EXPECT_TRUE(*reread == model);
}

TEST(E5, Types) {
  EXPECT_EQ(typeName(TensorDataType::Float16), "fp16");
  EXPECT_EQ(byteSize(TensorDataType::Float32), 4u);
  EXPECT_EQ(byteSize(TensorDataType::Int4), 0u);
  EXPECT_EQ(typeName(TensorDataType(11)), "invalid");
  EXPECT_EQ(typeName(TensorDataType(-1)), "invalid");
}

//===----------------------------------------------------------------------===//
// Refusals of the writer
//===----------------------------------------------------------------------===//

std::string writeError(void (*spoil)(Descriptor &)) {
  Descriptor model = makeDescriptor();
  spoil(model);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::Error error = writeE5(model, os);
  EXPECT_TRUE(bytes.empty());
  return error ? llvm::toString(std::move(error)) : "no error";
}

TEST(E5, RefusesToWrite) {
  EXPECT_EQ(writeError([](Descriptor &m) { m.containerHash = "abc"; }),
            "the container's hash 'abc' is not of 64 hexadecimal digits");
  EXPECT_EQ(writeError([](Descriptor &m) { m.function.clear(); }),
            "the function has no name");
  EXPECT_EQ(
      writeError([](Descriptor &m) { m.function = "Op1_Cast__op_attrs"; }),
      "the name of the function, 'Op1_Cast__op_attrs', is such as the "
      "sections of an operation have");
  EXPECT_EQ(writeError([](Descriptor &m) { m.segments[0].procedure.clear(); }),
            "segment 0: the procedure has no name");
  EXPECT_EQ(writeError([](Descriptor &m) { m.inputs[1].name = "x"; }),
            "two inputs are named 'x'");
  EXPECT_EQ(writeError([](Descriptor &m) { m.outputs[0].name = ""; }),
            "a tensor without a name");
  EXPECT_EQ(writeError([](Descriptor &m) {
              m.inputs[0].hostType = TensorDataType::Int4;
            }),
            "tensor 'x': element type 7 (int4) is not one of whole bytes");
  EXPECT_EQ(writeError([](Descriptor &m) { m.inputs[0].strides.pop_back(); }),
            "tensor 'x': rank 3, but 2 strides");
  EXPECT_EQ(
      writeError([](Descriptor &m) { m.inputs[0].hostStrides.assign(2, 4); }),
      "tensor 'x': rank 3, but 2 strides on the host");
  EXPECT_EQ(writeError([](Descriptor &m) {
              m.inputs[0].shape.assign(6, 1);
              m.inputs[0].strides.assign(6, 2);
            }),
            "tensor 'x': rank 6, the most is 5");
  EXPECT_EQ(writeError([](Descriptor &m) { m.inputs[0].shape[1] = 0; }),
            "tensor 'x': a dimension of 0");
  EXPECT_EQ(writeError([](Descriptor &m) { m.inputs[0].byteSize = 0x14f; }),
            "tensor 'x': shape [1, 3, 40] with strides [384, 128, 2] needs 336 "
            "bytes, but the surface has 335");
  EXPECT_EQ(writeError([](Descriptor &m) { m.inputs[0].shape[1] = ~0ull; }),
            "tensor 'x': shape [1, 18446744073709551615, 40] with strides "
            "[384, 128, 2] needs more than 2^64 bytes, but the surface has "
            "384");
  // Elements that lie over each other.
  EXPECT_EQ(writeError([](Descriptor &m) {
              m.inputs[0].shape[1] = 1ull << 40;
              m.inputs[0].strides.assign(3, 0);
            }),
            "tensor 'x': shape [1, 1099511627776, 40] with strides [0, 0, 0] "
            "needs 87960930222080 bytes, but the surface has 384");
  EXPECT_EQ(writeError([](Descriptor &m) {
              m.inputs[0].shape.assign(3, 1ull << 40);
              m.inputs[0].strides.assign(3, 0);
            }),
            "tensor 'x': shape [1099511627776, 1099511627776, 1099511627776] "
            "with strides [0, 0, 0] needs more than 2^64 bytes, but the "
            "surface has 384");
  EXPECT_EQ(writeError([](Descriptor &m) { m.inputs[0].name = {'a', 0}; }),
            "the name of a tensor contains a NUL");
  EXPECT_EQ(writeError([](Descriptor &m) { m.buildInfo[0].first = {'a', 0}; }),
            "a string contains a NUL");
}

TEST(E5, RefusesToWriteWhatCannotBeShared) {
  EXPECT_EQ(writeError([](Descriptor &m) { m.inputs[0].isShared = true; }),
            "input 'x' is shared, but holds no state");
  constexpr llvm::StringLiteral message =
      "state 'x' is shared, but no output of its name has such a surface";
  EXPECT_EQ(writeError([](Descriptor &m) {
              m = makeShared();
              m.outputs[0].name = "other";
            }),
            message);
  EXPECT_EQ(writeError([](Descriptor &m) {
              m = makeShared();
              m.outputs[0].byteSize *= 2;
            }),
            message);
}

TEST(E5, RefusesToWriteSegments) {
  auto errorOf = [](void (*spoil)(Descriptor &)) {
    Descriptor model = makeSegmented();
    spoil(model);
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    return llvm::toString(writeE5(model, os));
  };
  EXPECT_EQ(errorOf([](Descriptor &m) { m.segments.clear(); }),
            "no segment; a program has at least one");
  EXPECT_EQ(
      errorOf([](Descriptor &m) { std::swap(m.segments[0], m.segments[1]); }),
      "segment 0: reads 'between', which no segment before it writes");
  EXPECT_EQ(errorOf([](Descriptor &m) { m.segments[1].outputs.clear(); }),
            "no segment writes 'y'");
  EXPECT_EQ(errorOf([](Descriptor &m) {
              m.segments[1].outputs.push_back({PortKind::Output, 1});
            }),
            "segment 1: writes 'z', which is written already");
  EXPECT_EQ(errorOf([](Descriptor &m) {
              m.segments[1].outputs.push_back({PortKind::Input, 0});
            }),
            "segment 1: writes 'x', which is an input");
  EXPECT_EQ(errorOf([](Descriptor &m) { m.segments[0].inputs.pop_back(); }),
            "no segment reads input 'scalar'");
  EXPECT_EQ(errorOf([](Descriptor &m) {
              m.segments[0].inputs.push_back({PortKind::Intermediate, 1});
            }),
            "segment 0: reads a port that does not exist");
  EXPECT_EQ(errorOf([](Descriptor &m) {
              m.intermediates[0].hostType = TensorDataType::Float32;
            }),
            "intermediate 'between' has a type on the host, which it does not "
            "reach");
}

//===----------------------------------------------------------------------===//
// The schema in the hands of flatc
//===----------------------------------------------------------------------===//

class Flatc : public FlatcTest {
protected:
  void SetUp() override { start(makeDescriptor()); }
};

TEST_F(Flatc, JsonGivesTheModelBack) {
  llvm::Expected<Descriptor> model = read(toBinary(json));
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  EXPECT_TRUE(*model == makeDescriptor());
}

TEST_F(Flatc, GivesTheSameBytesBack) {
  EXPECT_TRUE(toBinary(json) == write(makeDescriptor()));
  std::string segmented = write(makeSegmented());
  EXPECT_TRUE(toBinary(toJson(segmented)) == segmented);
}

TEST_F(Flatc, CountsTheDocumentedElements) {
  run({"-b", "--schema", "-o", directory.str(), SCHEMA});
  std::string bytes = load("E5.bfbs");
  const reflection::Schema *schema = reflection::GetSchema(bytes.data());
  EXPECT_EQ(schema->objects()->size(), 23u);
  // The type of the union is among them.
  EXPECT_EQ(schema->enums()->size(), 4u);
  std::vector<std::string> unions;
  for (const reflection::Enum *candidate : *schema->enums())
    if (candidate->is_union())
      unions.push_back(candidate->name()->str());
  EXPECT_THAT(unions, ElementsAre("E5RT.fb.OpAttrs"));
  EXPECT_EQ(schema->root_table()->name()->str(), "E5RT.fb.E5Program");
}

TEST_F(Flatc, ShowsTheOperationChain) {
  std::vector<std::string> names;
  llvm::StringRef rest = json;
  while (true) {
    rest = rest.split("\"op_type\": \"").second;
    if (rest.empty())
      break;
    names.push_back(rest.split('"').first.str());
  }
  EXPECT_THAT(names, ElementsAre("Cast", "Cast", "AneInference", "Cast"));
  EXPECT_THAT(json, HasSubstr("\"Op0_Cast\""));
  EXPECT_THAT(json, HasSubstr("\"Op2_AneInference\""));
  EXPECT_THAT(json, HasSubstr("\"Op3_Cast__op_attrs\""));
}

TEST_F(Flatc, RefusesOtherVersions) {
  EXPECT_THAT(errorAfter("\"format_version\": 4", "\"format_version\": 5"),
              HasSubstr("error: format_version 5, expected 4"));
}

TEST_F(Flatc, RefusesBrokenSections) {
  EXPECT_THAT(errorAfter("\"name\": \"Op1_Cast__arg_frame\"",
                         "\"name\": \"Op0_Cast__arg_frame\""),
              HasSubstr("two sections are named 'Op0_Cast__arg_frame'"));
  EXPECT_THAT(errorAfter("\"name\": \"Op1_Cast__arg_frame\",", ""),
              HasSubstr("Section.name is missing"));
  EXPECT_THAT(errorAfter("\"arg_frame\": \"Op1_Cast__arg_frame\"",
                         "\"arg_frame\": \"elsewhere\""),
              HasSubstr("Operation.arg_frame: no section is named "
                        "'elsewhere'"));
  EXPECT_THAT(errorAfter("\"arg_frame\": \"Op1_Cast__arg_frame\"",
                         "\"arg_frame\": \"Op1_Cast__op_attrs\""),
              HasSubstr("section 'Op1_Cast__op_attrs': kind 1, expected 0"));
  EXPECT_THAT(errorAfter("\"kind\": \"Function\"", "\"kind\": \"ArgFrame\""),
              HasSubstr("no section holds a function"));
}

TEST_F(Flatc, RefusesOtherChains) {
  EXPECT_THAT(errorAfter("\"op_type\": \"Cast\"", "\"op_type\": \"Barrier\""),
              HasSubstr("operation 0: op_type 10 is neither Cast (0) nor "
                        "AneInference (1)"));
  EXPECT_THAT(
      errorAfter("\"op_type\": \"Cast\"", "\"op_type\": \"AneInference\""),
      HasSubstr("an AneInference after a Cast that follows an AneInference"));
  EXPECT_THAT(
      errorAfter("\"op_type\": \"AneInference\"", "\"op_type\": \"Cast\""),
      HasSubstr("none of 4 operations is an AneInference"));
  EXPECT_THAT(errorAfter("\"attrs_section\": \"Op0_Cast__op_attrs\"",
                         "\"attrs_section\": \"Op2_AneInference__op_attrs\""),
              HasSubstr("the attributes of a Cast are of another kind"));
}

TEST_F(Flatc, RefusesInconsistentCasts) {
  EXPECT_THAT(
      errorAfter("\"src_dtype\": \"Float32\"", "\"src_dtype\": \"Float16\""),
      HasSubstr("tensor 'x': the types of the Cast are not those of "
                "its operands"));
  EXPECT_THAT(errorAfter("\"name\": \"scalar\"", "\"name\": \"other\""),
              HasSubstr("the surface in the place of tensor 'scalar' has "
                        "another name"));
}

TEST_F(Flatc, RefusesInconsistentSegments) {
  json = toJson(write(makeSegmented()));
  EXPECT_THAT(errorAfter("\"compiler_options\": \"--target=h13\"",
                         "\"compiler_options\": \"\""),
              HasSubstr("two AneInferences differ in container or options"));
  // The surface of x in the second segment.
  EXPECT_THAT(errorAfter("\"byte_size\": 384", "\"byte_size\": 385", 1),
              HasSubstr("two AneInferences give tensor 'x' another size or "
                        "address"));
  // The intermediate as its reader describes it.
  EXPECT_THAT(errorAfter("\"sequence_length\": 1,\n            "
                         "\"stride_width\": 2,\n            "
                         "\"stride_height\": 64",
                         "\"sequence_length\": 2,\n            "
                         "\"stride_width\": 2,\n            "
                         "\"stride_height\": 64",
                         1),
              HasSubstr("two AneInferences describe intermediate 'between' "
                        "differently"));
}

TEST_F(Flatc, RefusesBadTensors) {
  EXPECT_THAT(
      errorAfter("\"storage_type\": \"Float32\"", "\"storage_type\": 99"),
      HasSubstr("the types of the Cast are not those"));
  EXPECT_THAT(errorAfter("\"byte_size\": 384", "\"byte_size\": 300"),
              HasSubstr("needs 336 bytes, but the surface has 300"));
  EXPECT_THAT(errorAfter("\"anehash\": \"aa", "\"anehash\": \"g"),
              HasSubstr("is not of 64 hexadecimal digits"));
  EXPECT_THAT(errorAfter("\"procedure_name\": \"net\",", ""),
              HasSubstr("AneInferenceAttrs.procedure_name is missing"));
}

//===----------------------------------------------------------------------===//
// Hostile bytes
//===----------------------------------------------------------------------===//

TEST(E5, RefusesOtherFiles) {
  EXPECT_EQ(errorOf(""), "test.e5:0:0: error: not a dispatch descriptor: its 0 "
                         "bytes are no FlatBuffer of the schema");
  EXPECT_THAT(errorOf(std::string(4096, '\xff')),
              HasSubstr("no FlatBuffer of the schema"));
  llvm::Expected<Descriptor> missing = readE5("/nonexistent.e5");
  ASSERT_FALSE(bool(missing));
  EXPECT_THAT(llvm::toString(missing.takeError()),
              StartsWith("/nonexistent.e5:0:0: error: cannot read the file"));
}

TEST(E5, SurvivesTruncation) {
  std::string bytes = write(makeSegmented());
  // The last bytes pad a string.
  for (size_t length = 0; length + 4 <= bytes.size(); ++length)
    EXPECT_THAT(errorOf(llvm::StringRef(bytes).take_front(length)),
                StartsWith("test.e5:0:"));
}

TEST(E5, SurvivesEveryByte) {
  for (const Descriptor &model : {makeDescriptor(), makeSegmented()})
    spoilEveryByte(write(model));
}

TEST(E5, SurvivesMutations) { spoilWords(write(makeSegmented())); }

} // namespace
