//===- RunnerTest.cpp - Programs on host tensors --------------------------===//

#include "ane/Engine/Runner.h"
#include "../AttachLoadTables.h"
#include "RunnerFixture.h"
#include "ane/Object/Reader.h"
#include "ane/Object/Writer.h"
#include "llvm/Support/Endian.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::HasSubstr;

namespace {

TEST_F(RunnerTest, ContainerAloneTakesHalves) {
  auto runner = Runner::load(path("m.hwx"));
  ASSERT_TRUE(bool(runner)) << text(runner.takeError());
  ASSERT_EQ(runner->ports().size(), 2u);
  EXPECT_EQ(runner->ports()[0].type, ElementType::Float16);
  EXPECT_THAT(runner->ports()[0].shape, testing::ElementsAre(2, 3, 1, 2));

  EXPECT_THAT(text(runner->run()),
              HasSubstr("m.hwx:0:0: error: input 'x' (fp16 [2, 3, 1, 2]) is "
                        "not given"));
  std::vector<uint16_t> bits = {0x3c00, 0xbc00, 0x4000, 0xc000, 0x0001, 0x8001,
                                0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x3800, 0x0000};
  // Extents of 1 need not be there.
  ASSERT_FALSE(bool(runner->setInput(
      "x", npy(ElementType::Float16, {2, 3, 2}, bits), "x.npy")));
  ASSERT_FALSE(bool(runner->run(1)));
  NpyArray y = llvm::cantFail(runner->output("y"));
  EXPECT_THAT(y.shape, testing::ElementsAre(2, 3, 1, 2));
  for (uint16_t &value : bits)
    value = value & 0x8000 ? 0 : value;
  EXPECT_EQ(std::memcmp(y.bytes.data(), bits.data(), y.bytes.size()), 0);
}

TEST_F(RunnerTest, DescriptorCasts) {
  writeDescriptor(descriptor());
  auto runner = Runner::load(path("m.hwx"));
  ASSERT_TRUE(bool(runner)) << text(runner.takeError());
  EXPECT_EQ(runner->ports()[0].type, ElementType::Float32);
  EXPECT_THAT(runner->ports()[0].shape, testing::ElementsAre(2, 3, 2));
  // 2049 lies between 2048 and 2050; 65520 does not fit fp16.
  std::vector<float> values = {1,    -1, 2049, 2051, 65519, 65520,
                               0.1f, 3,  4,    5,    6,     7};
  ASSERT_FALSE(bool(runner->setInput(
      "x", npy(ElementType::Float32, {2, 3, 2}, values), "x.npy")));
  ASSERT_FALSE(bool(runner->run()));
  NpyArray y = llvm::cantFail(runner->output("y"));
  EXPECT_EQ(y.type, ElementType::Float32);
  EXPECT_THAT(y.shape, testing::ElementsAre(2, 3, 2));
  std::vector<float> result(12);
  std::memcpy(result.data(), y.bytes.data(), y.bytes.size());
  EXPECT_THAT(result, testing::ElementsAre(1, 0, 2048, 2052, 65504, INFINITY,
                                           0.0999755859375f, 3, 4, 5, 6, 7));
}

/// The program is relu; its input takes up to 700 here.
TEST_F(RunnerTest, Integers) {
  e5::Descriptor integers = descriptor();
  integers.inputs[0].hostType = e5::TensorDataType::Int16;
  integers.inputs[0].limit = {700};
  integers.outputs[0].hostType = e5::TensorDataType::Int8;
  writeDescriptor(integers);
  auto runner = Runner::load(path("m.hwx"));
  ASSERT_TRUE(bool(runner)) << text(runner.takeError());
  EXPECT_EQ(runner->ports()[0].type, ElementType::Int16);
  EXPECT_EQ(runner->ports()[0].limit, IntegerLimit{700});
  std::vector<int16_t> values = {0, 1, -1, 127, 128, 700, -700, 5, 6, 7, 8, 9};
  auto set = [&](ElementType type) {
    return runner->setInput("x", npy(type, {2, 3, 2}, values), "x.npy");
  };
  ASSERT_FALSE(bool(set(ElementType::Int16)));
  ASSERT_FALSE(bool(runner->run()));
  NpyArray y = llvm::cantFail(runner->output("y"));
  EXPECT_EQ(y.type, ElementType::Int8);
  std::vector<int8_t> result(12);
  std::memcpy(result.data(), y.bytes.data(), y.bytes.size());
  // 128 and 700 are more than int8 has.
  EXPECT_THAT(result,
              testing::ElementsAre(0, 1, 0, 127, 127, 127, 0, 5, 6, 7, 8, 9));

  values[10] = 701;
  EXPECT_EQ(text(set(ElementType::Int16)),
            "x.npy:0:0: error: element 10 of input 'x' is 701; the program is "
            "exact for integers from -700 to 700: give numbers in that range, "
            "or compute on them as fp16");
  EXPECT_THAT(text(runner->run()), HasSubstr("input 'x' (int16 [2, 3, 2]) is "
                                             "not given"));
  // An unsigned array has the same bits up to 32767.
  values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  EXPECT_FALSE(bool(set(ElementType::UInt16)));
  values[3] = -1;
  EXPECT_THAT(text(set(ElementType::UInt16)),
              HasSubstr("element 3 of input 'x' is 65535; the program is "
                        "exact for integers from -700 to 700"));
}

TEST_F(RunnerTest, RefusesOtherTensors) {
  writeDescriptor(descriptor());
  auto runner = llvm::cantFail(Runner::load(path("m.hwx")));
  EXPECT_EQ(
      text(runner.setInput(
          "x", npy(ElementType::Float16, {2, 3, 2}, std::vector<uint16_t>(12)),
          "a.npy")),
      "a.npy:0:0: error: input 'x' is fp32 [2, 3, 2], but the array is "
      "fp16 [2, 3, 2]; convert it with numpy's astype('<f4')");
  EXPECT_EQ(
      text(runner.setInput(
          "x", npy(ElementType::Float32, {2, 3, 1, 2}, std::vector<float>(12)),
          "a.npy")),
      "a.npy:0:0: error: input 'x' is fp32 [2, 3, 2], but the array is "
      "fp32 [2, 3, 1, 2]; convert it with numpy's reshape([2, 3, 2])");
  EXPECT_THAT(text(runner.setInput(
                  "z", npy<float>(ElementType::Float32, {}, {1}), "a.npy")),
              HasSubstr("m.hwx:0:0: error: there is no input 'z'; there is x"));
  EXPECT_THAT(text(runner.output("x").takeError()),
              HasSubstr("there is no output 'x'; there is y"));
}

TEST_F(RunnerTest, RefusesOtherDescriptors) {
  auto message = [&](auto change) {
    e5::Descriptor changed = descriptor();
    change(changed);
    writeDescriptor(changed);
    return text(Runner::load(path("m.hwx")).takeError());
  };
  EXPECT_THAT(message([](e5::Descriptor &d) { d.containerHash[0] ^= 1; }),
              HasSubstr("m.e5:0:0: error: this descriptor belongs to another "
                        "container"));
  EXPECT_THAT(message([](e5::Descriptor &d) { d.inputs[0].name = "w"; }),
              HasSubstr("does not have the container's input 'x'"));
  EXPECT_THAT(message([](e5::Descriptor &d) {
                d.inputs[0].hostType = e5::TensorDataType::E4M3;
              }),
              HasSubstr("only fp16, fp32, bool and integers of 8 to 32 bits "
                        "are converted"));
  EXPECT_THAT(
      message([](e5::Descriptor &d) { d.outputs[0].byteSize = 0x10000; }),
      HasSubstr("has 65536 bytes here, but 384 in the container"));
  RunnerOptions options;
  options.descriptor = path("none.e5");
  EXPECT_THAT(text(Runner::load(path("m.hwx"), options).takeError()),
              HasSubstr("none.e5:0:0: error: cannot read the file"));
  EXPECT_THAT(text(Runner::load(path("none.hwx")).takeError()),
              HasSubstr("none.hwx:0:0: error: cannot read the file"));
}

/// The image computes the same bytes, with the descriptor that is written
/// beside it and without.
TEST_F(RunnerTest, LoadedImageComputesTheSame) {
  writeDescriptor(descriptor());
  NpyArray x = npy(ElementType::Float32, {2, 3, 2},
                   std::vector<float>{1, -1, 2, -2, 3, 4, 5, -6, 7, 8, 9, 10});
  auto compute = [&](llvm::StringRef name, const NpyArray &input) {
    auto runner = llvm::cantFail(Runner::load(path(name)));
    EXPECT_FALSE(bool(runner.setInput("x", input, "x.npy")));
    EXPECT_FALSE(bool(runner.run()));
    EXPECT_FALSE(bool(runner.writeImage(path(("of-" + name).str()))));
    return llvm::cantFail(runner.output("y"));
  };
  NpyArray y = compute("m.hwx", x);
  NpyArray again = compute("of-m.hwx", x);
  EXPECT_EQ(y.bytes, again.bytes);
  EXPECT_EQ(y.shape, again.shape);
  auto image = e5::readE5(path("of-m.e5"));
  ASSERT_TRUE(bool(image)) << text(image.takeError());
  EXPECT_EQ(image->containerPath, "of-m.hwx");
  EXPECT_EQ(image->inputs[0].address, loader::defaultLoadAddress);
  // An image of an image is that image.
  auto bytes = [&](llvm::StringRef name) {
    return (*llvm::MemoryBuffer::getFile(path(name)))->getBuffer().str();
  };
  EXPECT_EQ(bytes("of-m.hwx"), bytes("of-of-m.hwx"));
  EXPECT_NE(bytes("of-m.hwx"), container);
}

/// One container serves several widths: those of x, y and the task follow the
/// parameter.
TEST_F(RunnerTest, LiveInParameterMakesTheTensorSmaller) {
  auto object = llvm::cantFail(object::readObject(
      llvm::MemoryBuffer::getMemBufferCopy(container, "m.hwx")));
  loader::LoadTables tables;
  loader::LiveIn width = {};
  width.axis = uint32_t(loader::Axis::W);
  width.start = 1;
  width.step = 1;
  width.stop = 2;
  tables.liveIns = {width};
  loader::LiveInField output = {};
  output.place = loader::LiveInField::Place::Extent;
  output.index = 1;
  output.registerIndex = width.axis;
  output.factor = 1;
  tables.fields = {output};
  for (td::Field field : {td::Field::Win, td::Field::Wout}) {
    const td::FieldInfo &info = td::fieldInfo(field);
    loader::LiveInField place = {};
    place.bitOffset = info.lsb;
    place.bitWidth = info.width;
    place.registerIndex = (td::blockInfo(info.block).address + info.offset) / 4;
    place.factor = 1;
    tables.fields.push_back(place);
  }
  attachLoadTables(object, tables);
  container.clear();
  llvm::raw_string_ostream os(container);
  ASSERT_FALSE(bool(object::writeObject(object, os)));
  write(path("m.hwx"), container);
  writeDescriptor(descriptor());

  RunnerOptions options;
  options.load.liveIns = {{"x", 'w', 1}};
  auto runner = Runner::load(path("m.hwx"), options);
  ASSERT_TRUE(bool(runner)) << text(runner.takeError());
  EXPECT_THAT(runner->ports()[0].shape, testing::ElementsAre(2, 3, 1));
  ASSERT_FALSE(
      bool(runner->setInput("x",
                            npy(ElementType::Float32, {2, 3, 1},
                                std::vector<float>{1, -1, 2, -2, 3, 4}),
                            "x.npy")));
  ASSERT_FALSE(bool(runner->run()));
  NpyArray y = llvm::cantFail(runner->output("y"));
  EXPECT_THAT(y.shape, testing::ElementsAre(2, 3, 1));
  std::vector<float> values(6);
  std::memcpy(values.data(), y.bytes.data(), y.bytes.size());
  EXPECT_THAT(values, testing::ElementsAre(1, 0, 2, 0, 3, 4));

  options.load.liveIns[0].value = 3;
  EXPECT_THAT(text(Runner::load(path("m.hwx"), options).takeError()),
              HasSubstr("3 is not among its values 1, 2, ... up to 2"));
}

/// Several procedures: one has to be named.
TEST_F(RunnerTest, ChoosesAProcedure) {
  auto load = [&](llvm::StringRef procedure, llvm::StringRef second) {
    auto object = llvm::cantFail(object::readObject(
        llvm::MemoryBuffer::getMemBufferCopy(container, "m.hwx")));
    object::LoadCommand copy;
    for (const object::LoadCommand &command : object.commands)
      if (std::holds_alternative<object::ProgramDescriptor>(command.body))
        copy = command;
    std::get<object::ProgramDescriptor>(copy.body).procedure = second.str();
    object.commands.push_back(std::move(copy));
    ProgramOptions options;
    options.procedure = procedure.str();
    auto program = LoadedProgram::create(std::move(object), "m.hwx", options);
    return program ? ("runs " + (*program)->procedure()).str()
                   : text(program.takeError());
  };
  EXPECT_EQ(load("", "second"),
            "m.hwx:0:0: error: the container has 2 procedures; name one, with "
            "--procedure or in C with ane_load_procedure: net, second");
  EXPECT_EQ(load("net", "second"), "runs net");
  EXPECT_EQ(load("third", "second"),
            "m.hwx:0:0: error: there is no procedure 'third'; there is net, "
            "second");
  EXPECT_EQ(load("net", "net"),
            "m.hwx:0:0: error: the container has two procedures 'net'");
}

TEST_F(RunnerTest, PortsOfDepthAndRankZero) {
  Model deep;
  Extents extents{1, 3, 2, 1, 1};
  deep.input("x", extents);
  deep.output("y", extents);
  td::RegisterImage task = planarTask(td::TaskType::OneSource, extents);
  task.set(Field::PEBias, 0x3c00);
  deep.readFirst(task, "x");
  deep.write(task, "y");
  deep.add(task);
  write(path("deep.hwx"), deep.container(td::Format::V10));
  auto runner = Runner::load(path("deep.hwx"));
  ASSERT_TRUE(bool(runner)) << text(runner.takeError());
  EXPECT_THAT(runner->ports()[0].shape, testing::ElementsAre(1, 3, 2, 1, 1));
  std::vector<uint16_t> bits = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600};
  ASSERT_FALSE(bool(
      runner->setInput("x", npy(ElementType::Float16, {3, 2}, bits), "x.npy")));
  ASSERT_FALSE(bool(runner->run()));
  NpyArray y = llvm::cantFail(runner->output("y"));
  bits = {0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700};
  EXPECT_EQ(std::memcmp(y.bytes.data(), bits.data(), 12), 0);
}

/// Bytes in a surface stay as they are; the engine counts them as integers.
TEST_F(RunnerTest, PortsOfBytes) {
  for (bool isSigned : {false, true}) {
    Model model;
    Extents extents{1, 1, 2, 2, 3};
    model.input("x", extents);
    model.output("y", extents);
    object::TensorLayout &layout = model.ports[0].layout;
    layout.elementType =
        isSigned ? object::ElementCode::Int8 : object::ElementCode::UInt8;
    layout.elementStride = 1;
    td::RegisterImage task = planarTask(td::TaskType::OneSource, extents);
    task.set(Field::PEBias, 0x3c00);
    model.readFirst(task, "x");
    readBytes(task, isSigned);
    model.write(task, "y");
    model.add(task);
    write(path("bytes.hwx"), model.container(td::Format::V7));
    auto runner = Runner::load(path("bytes.hwx"));
    ASSERT_TRUE(bool(runner)) << text(runner.takeError());
    const HostPort &x = runner->ports()[0];
    ElementType type = isSigned ? ElementType::Int8 : ElementType::UInt8;
    EXPECT_EQ(x.type, type);
    EXPECT_EQ(x.surface, type);
    std::vector<uint8_t> values = {0, 1, 2,   127, 128, 129,
                                   3, 4, 255, 254, 5,   6};
    ASSERT_FALSE(
        bool(runner->setInput("x", npy(type, {1, 2, 2, 3}, values), "x.npy")));
    ASSERT_FALSE(bool(runner->run()));
    NpyArray y = llvm::cantFail(runner->output("y"));
    std::vector<uint16_t> expected;
    for (uint8_t value : values)
      expected.push_back(halfBits(1 + (isSigned ? int8_t(value) : value)));
    EXPECT_EQ(std::memcmp(y.bytes.data(), expected.data(), 24), 0);
  }
}

/// Six channels, four of which share the columns of a plane.
TEST_F(RunnerTest, PortsOfInterleavedChannels) {
  Model model;
  Extents extents{1, 1, 6, 2, 3};
  model.input("x", extents);
  model.output("y", extents);
  td::RegisterImage task = planarTask(td::TaskType::OneSource, extents);
  task.set(Field::PEBias, 0x3c00);
  model.readFirst(task, "x");
  model.write(task, "y");
  for (Field field : {Field::Src1Interleave, Field::SourceDMAInterleave,
                      Field::DstInterleave, Field::ResultDMAInterleave})
    task.set(field, 4);
  model.add(task);
  auto object =
      llvm::cantFail(object::readObject(llvm::MemoryBuffer::getMemBufferCopy(
          model.container(td::Format::V7), "four.hwx")));
  for (object::LoadCommand &command : object.commands)
    if (auto *operand = std::get_if<object::OperandDescriptor>(&command.body))
      operand->layout.interleave = 4;
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  ASSERT_FALSE(bool(object::writeObject(object, os)));
  write(path("four.hwx"), bytes);
  auto runner = Runner::load(path("four.hwx"));
  ASSERT_TRUE(bool(runner)) << text(runner.takeError());
  std::vector<uint16_t> values, expected;
  for (unsigned i = 0; i < 36; ++i) {
    values.push_back(halfBits(i));
    expected.push_back(halfBits(i + 1));
  }
  ASSERT_FALSE(bool(runner->setInput(
      "x", npy(ElementType::Float16, {1, 6, 2, 3}, values), "x.npy")));
  // Channel 5, row 1, column 2: the second of the second plane.
  llvm::ArrayRef<uint8_t> surface =
      runner->program().machine().memory(runner->ports()[0].section);
  uint64_t place = 2 * 64 + 64 + 2 * 4 * 2 + 2;
  EXPECT_EQ(llvm::support::endian::read16le(&surface[place]), values[35]);
  ASSERT_FALSE(bool(runner->run()));
  NpyArray y = llvm::cantFail(runner->output("y"));
  EXPECT_THAT(y.shape, testing::ElementsAre(1, 6, 2, 3));
  EXPECT_EQ(std::memcmp(y.bytes.data(), expected.data(), 72), 0);
}

} // namespace
