//===- HostileTest.cpp - Programs that must be refused --------------------===//

#include "Kernels.h"
#include "Tables.h"
#include "ane/Object/Reader.h"
#include "ane/Object/Writer.h"
#include "llvm/Support/Endian.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::HasSubstr;
using testing::MatchesRegex;

namespace {

const Extents extents{1, 1, 4, 3, 8};

/// A program of one dense task from x to y, changed before it is loaded.
template <typename Change> std::string refused(Change change) {
  Model model;
  model.input("x", extents);
  model.output("y", extents);
  td::RegisterImage task = neuralTask(extents, extents);
  model.readFirst(task, "x");
  model.write(task, "y");
  addKernel(model, task, randomCoefficients(1, 4, 4, false, 1), 0);
  change(model, task);
  model.add(task);
  return refusal(model);
}

void scaled(td::RegisterImage &task, Field field, int64_t value) {
  llvm::cantFail(task.setScaled(field, value));
}

TEST(Hostile, TheProgramItselfIsFine) {
  EXPECT_EQ(refused([](auto &, auto &) {}), "");
}

TEST(Hostile, BarsThatHoldNothing) {
  EXPECT_THAT(
      refused([](auto &, auto &task) { task.set(Field::RBase0, 31); }),
      HasSubstr("Header[8].RBase0 (bits 4:0 of register 0x00020) is 0x1f: this "
                "BAR holds 0x0, which lies in no section"));
  // The text is no memory of tasks.
  EXPECT_THAT(refused([](auto &, auto &task) { task.set(Field::RBase0, 0); }),
              HasSubstr("which lies in no section"));
  EXPECT_THAT(refused([](auto &, auto &task) { task.set(Field::RBE0, 0); }),
              HasSubstr("source 1 lies in memory, so it needs a BAR"));
  EXPECT_THAT(refused([](auto &, auto &task) { task.set(Field::KBE0, 0); }),
              HasSubstr("uses no kernel BAR"));
  EXPECT_THAT(refused([](auto &, auto &task) { task.set(Field::KBase0, 20); }),
              HasSubstr("Header[9].KBase0 (bits 4:0 of register 0x00024) is "
                        "0x14: this BAR holds 0x0"));
}

TEST(Hostile, AccessesOutsideTheSection) {
  // x and y take 4 planes of 3 rows of 64 bytes.
  EXPECT_THAT(
      refused([](auto &, auto &task) { scaled(task, Field::Src1Base, 64); }),
      MatchesRegex(".*error: task 0: TileDMASrc.BaseAddr.Addr \\(bits 31:6 of "
                   "register 0x[0-9a-f]{5}\\) is 0x1: source 1 \\(BAR 5\\) "
                   "reaches address 0x[0-9a-f]+300, outside the 768 bytes of "
                   "section __FVMLIB,__const of input 'x' at 0x[0-9a-f]+000: "
                   "from byte 64 to byte 784 of it; its extents are 1 groups, "
                   "1 deep, 4 channels, 3 x 8\n*"));
  EXPECT_THAT(refused([](auto &, auto &task) {
                scaled(task, Field::Src1RowStride, -64);
              }),
              MatchesRegex(".*source 1 \\(BAR 5\\) reaches address "
                           "0x[0-9a-f]+f80, outside .*: from byte -128 to "
                           "byte .*"));
  EXPECT_EQ(refused([](auto &, auto &task) {
              scaled(task, Field::Src1Base, 128);
              scaled(task, Field::Src1RowStride, -64);
            }),
            "");
  EXPECT_THAT(refused([](auto &, auto &task) {
                task.set(Field::DstPlaneStride,
                         td::fieldInfo(Field::DstPlaneStride).mask() >> 1);
              }),
              MatchesRegex(".*TileDMADst.BaseAddr.Addr .* the result \\(BAR "
                           "4\\) reaches address 0x[0-9a-f]+300, outside the "
                           "768 bytes of section .* of output 'y' .*: from "
                           "byte 0 to byte 6442450896 of it.*"));
  EXPECT_THAT(refused([](auto &, auto &task) { task.set(Field::Cout, 5); }),
              HasSubstr("error: task 0: "));
  EXPECT_THAT(refused([](Model &model, auto &task) {
                task.set(Field::WBase, model.bar("x"));
              }),
              HasSubstr("which tasks must not write"));
  EXPECT_THAT(refused([](Model &model, auto &task) {
                task.set(Field::WBase, 1);
                model.constants.resize(1024);
              }),
              HasSubstr("which tasks must not write"));
}

TEST(Hostile, AccessesOutsideTheScratchpad) {
  EXPECT_EQ(refused([](auto &, auto &task) {
              setL2Result(task, 0x1fffd0, 0x10, 0);
              scaled(task, Field::L2ResultChannelStride, 0);
            }),
            "");
  EXPECT_THAT(
      refused([](auto &, auto &task) { setL2Result(task, 0x1ffff0, 0x10, 0); }),
      MatchesRegex(".*L2.ResultBase.Addr \\(bits .*\\) is 0x1ffff: the result "
                   "in L2 reaches address 0x200000, outside the 0x200000 bytes "
                   "of L2: from 0x1ffff0 to 0x2000.*its extents are .*"));
}

TEST(Hostile, AbsurdExtents) {
  for (Field field :
       {Field::NumGroups, Field::Din, Field::Cin, Field::Hin, Field::Win,
        Field::Dout, Field::Cout, Field::Hout, Field::Wout})
    EXPECT_THAT(refused([&](auto &, auto &task) { task.set(field, 0); }),
                testing::AllOf(HasSubstr(td::fieldInfo(field).fullName()),
                               HasSubstr(" is 0x0: a dimension of a task is 1 "
                                         "or more")));
  // Strides of 0 keep every access in the section.
  auto flatten = [](td::RegisterImage &task) {
    for (Field field :
         {Field::Src1RowStride, Field::Src1PlaneStride, Field::Src1DepthStride,
          Field::Src1GroupStride, Field::DstRowStride, Field::DstPlaneStride,
          Field::DstDepthStride, Field::DstGroupStride})
      task.set(field, 0);
  };
  EXPECT_THAT(refused([&](auto &, auto &task) {
                flatten(task);
                for (Field field :
                     {Field::NumGroups, Field::Din, Field::Dout, Field::Cin,
                      Field::Cout, Field::Hin, Field::Hout})
                  task.set(field, td::fieldInfo(field).mask());
              }),
              HasSubstr("more than the 16777216 that its place can hold"));
  // Small operands, but a padded input of 2^34 elements.
  EXPECT_THAT(refused([&](auto &, auto &task) {
                flatten(task);
                task.set(Field::Sx, 3);
                task.set(Field::Sy, 3);
                task.set(Field::Hout, 32767);
                task.set(Field::Wout, 32767);
              }),
              HasSubstr("Common.OutDim.Hout (bits 30:16 of register 0x00014) "
                        "is 0x7fff: padding makes 98299 x 98299 of the 3 x 8 "
                        "of the input, 38650773604 elements; up to 67108864 "
                        "are executed, so the result must be smaller"));
  // The source comes first, which has no place for so many elements.
  EXPECT_THAT(refused([&](auto &, auto &task) {
                flatten(task);
                for (Field field :
                     {Field::Cin, Field::Hin, Field::Cout, Field::Hout})
                  task.set(field, td::fieldInfo(field).mask());
                task.set(Field::Sy, 3);
              }),
              HasSubstr("source 1 has 34358427656 elements"));
}

TEST(Hostile, KernelsThatDoNotFitTheirLanes) {
  EXPECT_THAT(refused([](auto &, auto &task) { task.set(Field::Kw, 31); }),
              HasSubstr("1 groups, 4 channels and 124 taps does not fit the "
                        "256 bytes of the 4 enabled coefficient lanes"));
  EXPECT_THAT(refused([](auto &, auto &task) {
                task.set(Field::Cin, 131071);
                task.set(Field::Cout, 131071);
                task.set(Field::Kw, 31);
                task.set(Field::Kh, 31);
              }),
              HasSubstr("error: task 0: "));
  EXPECT_THAT(
      refused([](auto &, auto &task) { task.set(Field::CoeffEn, 0, 2); }),
      HasSubstr("the task needs 4 coefficient lanes from lane 0 on, "
                "but 2 are enabled"));
  EXPECT_THAT(refused([](auto &, auto &task) {
                for (unsigned lane = 0; lane < 4; ++lane)
                  task.set(Field::CoeffBase, 4 - lane, lane);
              }),
              HasSubstr("KernelDMASrc.CoeffBaseAddr[0].Addr"));
  EXPECT_THAT(
      refused([](auto &, auto &task) { task.set(Field::NonlinearMode, 2); }),
      HasSubstr("KernelDMASrc.CoeffBfrSize[0].MemBfrSize"));
  // Many channels whose coefficients the lanes claim to have.
  EXPECT_THAT(refused([](auto &, auto &task) {
                task.set(Field::NumGroups, 8191);
                task.set(Field::Cout, 131071);
                for (unsigned lane = 0; lane < 4; ++lane)
                  task.set(Field::CoeffSize, (1u << 26) - 1, lane);
              }),
              HasSubstr("error: task 0: "));
}

TEST(Hostile, TablesThatDiffer) {
  EXPECT_THAT(refused([](Model &model, auto &task) {
                Coefficients coefficients =
                    randomCoefficients(1, 4, 4, false, 1);
                coefficients.table = sigmoidTable();
                model.constants.clear();
                addKernel(model, task, coefficients, 0);
                model.constants[model.constants.size() - 128] ^= 1;
              }),
              HasSubstr("different activation tables"));
}

TEST(Hostile, OrderOfTasks) {
  auto message = [](std::initializer_list<std::initializer_list<Field>> flags) {
    Model model;
    model.input("x", extents);
    model.output("y", extents);
    for (std::initializer_list<Field> set : flags) {
      td::RegisterImage task = planarTask(td::TaskType::OneSource, extents);
      model.readFirst(task, "x");
      model.write(task, "y");
      for (Field field : set)
        task.set(field, 1);
      model.add(task);
    }
    return refusal(model);
  };
  // Two groups, one of two tasks.
  EXPECT_EQ(message({{Field::SPL},
                     {Field::TSE, Field::TSR},
                     {Field::SPL, Field::TSE, Field::TSR},
                     {}}),
            "");
  EXPECT_THAT(message({{Field::SPL}, {Field::SPL}}),
              HasSubstr("task 1: Header[6].SPL (bits 11:11 of register "
                        "0x00018) is 0x1: the group of tasks before is still "
                        "open"));
  EXPECT_THAT(message({{Field::TSE, Field::TSR}}),
              HasSubstr("no group of tasks is open"));
  EXPECT_THAT(message({{Field::SPL, Field::TSE}}),
              HasSubstr("Header[6].TSR (bits 12:12 of register 0x00018) is "
                        "0x0: it equals TSE"));
  EXPECT_THAT(message({{Field::SPL}}), HasSubstr("is still open"));
  // TDE waits for the task whose id is DTID: here 1.
  EXPECT_EQ(message({{}, {}, {Field::TDE, Field::DTID}}), "");
  EXPECT_THAT(message({{}, {Field::TDE, Field::DTID}}),
              HasSubstr("task 1: Header[10].DTID (bits 15:0 of register "
                        "0x00028) is 0x1: it waits for a task that does not "
                        "come before"));
}

TEST(Hostile, MoreMemoryThanThereIs) {
  td::TaskDescriptor task = makeTask(neuralTask(extents, extents));
  td::EncodedProgram encoded =
      llvm::cantFail(td::encodeProgram(task, td::Format::V7));
  DeviceProgram program;
  program.text = {"test", 0, encoded.text, 0, encoded.firstTaskWords, 1, {}};
  auto message = [&](uint64_t address, uint64_t size) {
    program.sections = {{"big", address, size, {}, true, true},
                        {"small", 0x1000, 0x1000, {}, true, true}};
    return llvm::toString(Machine::create(program).takeError());
  };
  EXPECT_EQ(message(0x10000, uint64_t(64) << 30),
            "test:0:0: error: the sections up to small take 68719480832 bytes "
            "of device memory, more than the 68719476736 that are provided");
  EXPECT_THAT(message(UINT64_MAX, 2),
              HasSubstr("passes the device address space of 42 bits"));
  EXPECT_THAT(message(0x10000, UINT64_MAX),
              HasSubstr("passes the device address space of 42 bits"));
  EXPECT_THAT(message(0, 0x2000),
              HasSubstr("sections big and small overlap at device address "
                        "0x1000"));
}

TEST(Hostile, Relocations) {
  Model model;
  model.input("x", extents);
  model.output("y", extents);
  td::RegisterImage task = neuralTask(extents, extents);
  model.readFirst(task, "x");
  model.write(task, "y");
  addKernel(model, task, randomCoefficients(1, 4, 4, false, 1), 0);
  model.add(task);

  for (td::Format format : {td::Format::V7, td::Format::V10}) {
    auto message = [&](auto change) -> std::string {
      object::Object object = llvm::cantFail(
          object::readObject(llvm::MemoryBuffer::getMemBufferCopy(
              model.container(format), "test.hwx")));
      for (object::LoadCommand &command : object.commands)
        if (auto *segment = std::get_if<object::Segment>(&command.body))
          for (object::Section &section : segment->sections)
            if (!section.relocations.empty())
              change(section.relocations);
      auto program = LoadedProgram::create(std::move(object), "test.hwx");
      return program ? "" : llvm::toString(program.takeError());
    };
    using List = std::vector<object::Relocation>;
    EXPECT_EQ(message([](List &) {}), "");
    EXPECT_THAT(message([](List &list) { list[0].address += 4; }),
                HasSubstr("is not a lane base or slot"));
    EXPECT_THAT(message([](List &list) { list[0].address = 8; }),
                HasSubstr("is not a lane base or slot"));
    EXPECT_THAT(message([](List &list) { list.push_back(list[0]); }),
                HasSubstr("or is relocated twice"));
    EXPECT_THAT(message([](List &list) { list[0].lengthLog2 ^= 1; }),
                HasSubstr("a lane base has 4 and a slot 8"));
    EXPECT_THAT(message([](List &list) { list[0].isExtern = true; }),
                HasSubstr("only relocations against sections"));
    EXPECT_THAT(
        message([](List &list) { list[0].pcRelative = !list[0].pcRelative; }),
        HasSubstr("relative bit"));
    EXPECT_THAT(message([](List &list) { list[0].target = 99; }),
                HasSubstr("there is no section 99"));
    // A lane in another section than the kernel BAR's leaves it.
    EXPECT_THAT(message([](List &list) { list[0].target = 1; }),
                HasSubstr("cannot be reached from kernel BAR 1"));
    if (format == td::Format::V10) {
      EXPECT_THAT(message([](List &list) { list.pop_back(); }),
                  HasSubstr("it is not resolved"));
    }
  }
}

/// Single wrong bytes in text, program descriptor and relocations are refused
/// or harmless.
TEST(Hostile, DamagedFilesDoNoHarm) {
  Model model;
  model.input("x", extents);
  model.output("y", extents);
  model.scratchBytes = 0x4000;
  td::RegisterImage task = neuralTask(extents, extents);
  model.readFirst(task, "x");
  setResult(task, object::BarScratch, packedLayout(extents));
  addKernel(model, task, randomCoefficients(1, 4, 4, false, 1), 0);
  model.add(task);
  td::RegisterImage square = planarTask(td::TaskType::TwoSources, extents);
  setSource(square, object::BarScratch, packedLayout(extents));
  setSecondSource(square, object::BarScratch, packedLayout(extents));
  model.write(square, "y");
  model.add(square);

  for (td::Format format : {td::Format::V7, td::Format::V10}) {
    std::string file = model.container(format);
    unsigned ran = 0, refusals = 0;
    uint32_t state = 7;
    for (size_t offset = 0; offset < file.size(); ++offset) {
      // All of text and the descriptors of the first page; zeros are padding.
      bool isText = offset >= 0x4000 && offset < 0x4800;
      bool isCommand = offset < 0x4000 && file[offset] != 0;
      if (!isText && !isCommand)
        continue;
      state = state * 1664525 + 1013904223;
      std::string damaged = file;
      damaged[offset] ^= 1u << (state >> 29);
      auto program = loadBytes(damaged);
      if (!program) {
        EXPECT_THAT(llvm::toString(program.takeError()),
                    testing::StartsWith("test.hwx:0:"));
        ++refusals;
        continue;
      }
      llvm::consumeError((*program)->machine().run(1));
      ++ran;
    }
    EXPECT_GT(refusals, 100u);
    EXPECT_GT(ran, 100u);
  }
}

} // namespace
