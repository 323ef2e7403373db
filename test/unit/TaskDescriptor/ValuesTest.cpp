//===- ValuesTest.cpp - Named values and what they say --------------------===//

#include "ane/TaskDescriptor/Values.h"
#include "ane/TaskDescriptor/Disassembler.h"
#include "ane/TaskDescriptor/Summary.h"
#include "gtest/gtest.h"

using namespace ane::td;

namespace {

/// The words that Apple's compiler writes, out of named values.
TEST(Values, MakeTheWordsOfRealTasks) {
  RegisterImage image;
  setValue<Field::MACOpMode>(image, MACOpMode::Pass);
  setValue<Field::NonlinearMode>(image, NonlinearMode::ReLU);
  image.set(Field::KernelMode, 1);
  EXPECT_EQ(image.word(Block::NE, 1), 0x00111c0cu);
  setValue<Field::NonlinearMode>(image, NonlinearMode::Table);
  EXPECT_EQ(image.word(Block::NE, 1), 0x00121c0cu);
  setValue<Field::PEOpMode>(image, PEOpMode::Min);
  image.set(Field::PETwoSource, 1);
  EXPECT_EQ(image.word(Block::PE, 0), 0x0008000cu);
  setValue<Field::LogEvents>(image, LogEvent::Always | LogEvent::First |
                                        LogEvent::Last);
  EXPECT_EQ(image.word(Block::Header, 2), 0x42au);
  setValue<Field::DebugLogEvents>(
      image, DebugLogEvent::Computes | DebugLogEvent::KeepsExponent |
                 DebugLogEvent::Edge | DebugLogEvent::Last);
  EXPECT_EQ(image.word(Block::Header, 4), 0xfff86au);
  EXPECT_EQ(valueOf<Field::SourceType>(image), Residence::Streamed);
  EXPECT_EQ(bits(MemoryFormat::Half), image.get(Field::Src1MemFmt));
  EXPECT_EQ(bits(Truncation::Half), image.get(Field::DstTruncate));
  EXPECT_EQ(bits(L2Format::Half), image.get(Field::ResultDMAFmt));
  EXPECT_EQ(bits(BinaryPoint::Half), image.get(Field::BinaryPoint));
  EXPECT_EQ(bits(ResultCacheHint::Final), image.get(Field::DstCacheHint));
}

TEST(Values, HaveNames) {
  const ValueSetInfo &types = *valueSetOf(fieldInfo(Field::TaskType));
  EXPECT_EQ(types.name, "TaskType");
  EXPECT_EQ(types.nameOf(5), "Reduction");
  EXPECT_EQ(types.nameOf(1), "");
  const ValueSetInfo &events = *valueSetOf(fieldInfo(Field::LogEvents));
  EXPECT_EQ(events.nameOf(0x42a), "First | Last | Always");
  EXPECT_EQ(events.nameOf(0x401), "Always | 0x1");
  EXPECT_EQ(events.nameOf(0x1), "");
  EXPECT_EQ(valueSetOf(fieldInfo(Field::Win)), nullptr);
}

TEST(Values, AreShownByTheDisassembler) {
  TaskDescriptor task;
  setValue<Field::TaskType>(task.image, TaskType::OneSource);
  task.image.setWord(Block::PE, 0, 0x80000000);
  std::string text;
  llvm::raw_string_ostream os(text);
  printTask(os, task, 3);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "task 3: PE scale: 1x1x1 -> 1x1x1");
  EXPECT_NE(text.find("    Cfg.TaskType                             2 "
                      "OneSource         engine and number of sources\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("    ChCfg.InFmt                              2 Half"),
            std::string::npos);
  EXPECT_NE(text.find("    register 0x08800                         0x80000000"
                      "  bits of no known field\n"),
            std::string::npos);
}

/// A task of each kind.
struct Kind {
  Operation operation;
  const char *text;
  void (*make)(RegisterImage &);
};

class Summaries : public testing::TestWithParam<Kind> {};

TEST_P(Summaries, NameTheOperation) {
  RegisterImage image;
  for (Field field : {Field::Cin, Field::Cout})
    image.set(field, 8);
  for (Field field : {Field::Hin, Field::Hout})
    image.set(field, 4);
  for (Field field : {Field::Win, Field::Wout})
    image.set(field, 6);
  GetParam().make(image);
  TaskSummary summary = summarize(image);
  EXPECT_EQ(summary.operation, GetParam().operation);
  EXPECT_EQ(summary.text(), GetParam().text);
}

void planar(RegisterImage &image, TaskType type, PEOpMode op) {
  setValue<Field::TaskType>(image, type);
  setValue<Field::PEOpMode>(image, op);
}
void neural(RegisterImage &image, MACOpMode op, bool kernelless) {
  setValue<Field::MACOpMode>(image, op);
  image.set(Field::KernelMode, kernelless);
}

INSTANTIATE_TEST_SUITE_P(
    All, Summaries,
    testing::Values(
        Kind{Operation::Conv, "NE conv 3x5 + bias, relu: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               image.set(Field::Kh, 3);
               image.set(Field::Kw, 5);
               image.set(Field::BiasMode, 1);
               setValue<Field::NonlinearMode>(image, NonlinearMode::ReLU);
             }},
        Kind{Operation::DepthwiseConv, "NE depthwise conv: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) { image.set(Field::UnicastEn, 1); }},
        Kind{Operation::MatMul, "NE matmul, LUT: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               image.set(Field::RuntimeKernel, 1);
               setValue<Field::NonlinearMode>(image, NonlinearMode::Table);
             }},
        Kind{Operation::PoolSum, "NE pool sum 2x2: 8x4x6 -> 8x2x3",
             [](RegisterImage &image) {
               neural(image, MACOpMode::MAC, true);
               image.set(Field::UnicastEn, 1);
               image.set(Field::Kh, 2);
               image.set(Field::Kw, 2);
               image.set(Field::Hout, 2);
               image.set(Field::Wout, 3);
             }},
        Kind{Operation::PoolMax, "NE pool max: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               neural(image, MACOpMode::Max, true);
               image.set(Field::UnicastEn, 1);
             }},
        Kind{Operation::ChannelSum, "NE channel sum: 8x4x6 -> 1x4x6",
             [](RegisterImage &image) {
               neural(image, MACOpMode::MAC, true);
               image.set(Field::Cout, 1);
             }},
        Kind{Operation::ChannelMax, "NE channel max: 8x4x6 -> 1x4x6",
             [](RegisterImage &image) {
               neural(image, MACOpMode::Max, true);
               image.set(Field::UnicastEn, 1);
               image.set(Field::UnicastCin, 8);
               image.set(Field::Cout, 1);
             }},
        Kind{Operation::Multiply, "NE multiply: 8x4x6 -> 4x4x6",
             [](RegisterImage &image) {
               neural(image, MACOpMode::Multiply, true);
               image.set(Field::UnicastEn, 1);
               image.set(Field::UnicastCin, 2);
               image.set(Field::Cout, 4);
             }},
        Kind{Operation::DepthwiseConv, "NE depthwise conv 1x3: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               image.set(Field::UnicastEn, 1);
               image.set(Field::Kw, 3);
               image.set(Field::Sx, 2);
               image.set(Field::Ox, 2);
               image.set(Field::Wout, 3);
             }},
        Kind{Operation::Transpose, "NE transpose: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               neural(image, MACOpMode::Pass, true);
               image.set(Field::TransposedWrite, 1);
             }},
        Kind{Operation::Relu, "NE relu: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               neural(image, MACOpMode::Pass, true);
               setValue<Field::NonlinearMode>(image, NonlinearMode::ReLU);
             }},
        Kind{Operation::Copy, "NE copy: 2x3d x 8x4x6 -> 2x3d x 8x4x6",
             [](RegisterImage &image) {
               neural(image, MACOpMode::Pass, true);
               image.set(Field::NumGroups, 2);
               image.set(Field::Din, 3);
               image.set(Field::Dout, 3);
             }},
        // Cin is no concern of a pass.
        Kind{Operation::Copy, "NE copy: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               neural(image, MACOpMode::Pass, true);
               image.set(Field::Cin, 1);
             }},
        Kind{Operation::Scale, "NE scale, relu: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               neural(image, MACOpMode::Pass, true);
               image.set(Field::PostScale, 0x4000);
               setValue<Field::NonlinearMode>(image, NonlinearMode::ReLU);
             }},
        Kind{Operation::Scale, "NE relu, scale: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               neural(image, MACOpMode::Pass, true);
               image.set(Field::AccBias, 0x4000);
               image.set(Field::InputReLU, 1);
             }},
        Kind{Operation::Relu, "NE relu: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               neural(image, MACOpMode::Pass, true);
               image.set(Field::InputReLU, 1);
             }},
        Kind{Operation::DepthwiseConv, "NE depthwise conv: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               image.set(Field::RuntimeKernel, 1);
               image.set(Field::UnicastEn, 1);
             }},
        Kind{Operation::Unknown, "NE unknown operation: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) { image.set(Field::MACOpMode, 7); }},
        Kind{Operation::Subtract, "PE subtract, relu: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               planar(image, TaskType::TwoSources, PEOpMode::Add);
               image.set(Field::PESrc2Negate, 1);
               image.set(Field::PERelu, 1);
             }},
        Kind{Operation::Subtract, "PE subtract: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               planar(image, TaskType::TwoSources, PEOpMode::Add);
               image.set(Field::PEPreScale, 0xbc00);
             }},
        Kind{Operation::Subtract, "PE subtract: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               planar(image, TaskType::TwoSources, PEOpMode::Add);
               image.set(Field::PESrc1Negate, 1);
             }},
        Kind{Operation::Add, "PE add: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               planar(image, TaskType::TwoSources, PEOpMode::Add);
               image.set(Field::PESrc1Negate, 1);
               image.set(Field::PESrc2Negate, 1);
             }},
        Kind{Operation::Absolute, "PE subtract, absolute: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               planar(image, TaskType::TwoSources, PEOpMode::Add);
               image.set(Field::PESrc2Negate, 1);
               image.set(Field::PEAbs, 1);
             }},
        Kind{Operation::ReduceMax, "PE absolute, reduce max: 8x4x6 -> 8x1x1",
             [](RegisterImage &image) {
               planar(image, TaskType::Reduction, PEOpMode::Add);
               setValue<Field::PEPoolMode>(image, PEPoolMode::Max);
               image.set(Field::PEAbs, 1);
             }},
        Kind{Operation::ReduceSum,
             "PE square of sum, reduce sum: 8x4x6 -> 8x1x1",
             [](RegisterImage &image) {
               planar(image, TaskType::Reduction, PEOpMode::SquareOfSum);
             }},
        Kind{Operation::Maximum, "PE maximum: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               planar(image, TaskType::TwoSources, PEOpMode::Max);
             }},
        Kind{Operation::Scale, "PE scale: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               planar(image, TaskType::OneSource, PEOpMode::Add);
             }},
        Kind{Operation::Affine, "PE affine: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) {
               planar(image, TaskType::VectorPair, PEOpMode::Add);
             }},
        Kind{Operation::ReduceMax, "PE reduce max: 8x4x6 -> 8x1x1",
             [](RegisterImage &image) {
               planar(image, TaskType::Reduction, PEOpMode::Add);
               setValue<Field::PEPoolMode>(image, PEPoolMode::Max);
             }},
        Kind{Operation::ReduceSum,
             "PE square of sum, reduce sum, reciprocal square root: 8x1x6 -> "
             "8x1x1",
             [](RegisterImage &image) {
               planar(image, TaskType::ReductionOfTwo, PEOpMode::SquareOfSum);
               setValue<Field::PEPostFunction>(
                   image, PEPostFunction::ReciprocalSquareRoot);
               image.set(Field::Hin, 1);
               image.set(Field::Hout, 1);
             }},
        Kind{Operation::Unknown, "PE unknown operation: 8x4x6 -> 8x4x6",
             [](RegisterImage &image) { image.set(Field::TaskType, 1); }}));

TEST(Summary, CountsTheBytesOfEachStream) {
  RegisterImage image;
  planar(image, TaskType::TwoSources, PEOpMode::Multiply);
  image.set(Field::NumGroups, 2);
  image.set(Field::Cin, 8);
  image.set(Field::Hin, 4);
  image.set(Field::Win, 6);
  image.set(Field::Cout, 8);
  image.set(Field::Hout, 4);
  image.set(Field::Wout, 6);
  image.set(Field::Src2BroadcastW, 1);
  image.set(Field::Src2BroadcastH, 1);
  setValue<Field::Src2Fmt>(image, ElementFormat::Half);
  setValue<Field::InFmt>(image, ElementFormat::UInt8);
  image.set(Field::RBE0, 1);
  image.set(Field::RBase0, 6);
  llvm::cantFail(image.setScaled(Field::Src1Base, 0x4000));
  setValue<Field::ResultType>(image, Residence::Chained);
  image.set(Field::ExeCycles, 480);
  image.set(Field::NextPointer, 0x300);
  image.set(Field::NextSize, 125);
  TaskSummary summary = summarize(image);
  ASSERT_EQ(summary.streams.size(), 3u);
  EXPECT_EQ(summary.streams[0].bytes, 2u * 8 * 4 * 6);
  EXPECT_TRUE(summary.streams[0].inMemory());
  EXPECT_EQ(summary.streams[0].bar, 6u);
  EXPECT_EQ(summary.streams[0].offset, 0x4000u);
  EXPECT_EQ(summary.streams[1].bytes, 2u * 8 * 2);
  EXPECT_EQ(summary.streams[1].residence, Residence::InL2);
  EXPECT_EQ(summary.streams[1].bar, std::nullopt);
  EXPECT_EQ(summary.streams[2].bytes, 2u * 8 * 4 * 6 * 2);
  EXPECT_EQ(summary.streams[2].residence, Residence::Chained);
  EXPECT_EQ(summary.activeEngines, 0u);
  EXPECT_EQ(summary.exeCycles, 480u);
  EXPECT_EQ(summary.next, 0x300u);
  EXPECT_EQ(summary.nextWords, 126u);
}

} // namespace
