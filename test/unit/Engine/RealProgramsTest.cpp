//===- RealProgramsTest.cpp - Real programs without a container -----------===//
//
// A file is the text at offset 0, first descriptor 157 words, and the
// coefficients at the next multiple of 64 bytes. All work on surfaces of
// 1600 x 2560 elements: BAR 4 is the result, 5 and 6 are operands, 3 is scratch
// and 1 the coefficients.
//
//===----------------------------------------------------------------------===//

#include "Fixtures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;
using llvm::support::endian::write16le;

namespace {

constexpr uint32_t width = 1600, height = 2560;
constexpr uint64_t rowBytes = width * 2; // a multiple of 64
constexpr uint64_t surfaceBytes = rowBytes * height;

struct Program {
  const char *name;          ///< of the file, without the extension
  double low, high;          ///< of the inputs
  double absolute, relative; ///< error that is allowed
  double (*function)(double, double);
};

/// The end of the text: follows the chain of descriptors.
uint64_t textSize(llvm::ArrayRef<uint8_t> file, uint32_t &tasks) {
  constexpr unsigned sizeWord = 1, nextWord = 7, firstWords = 157;
  uint64_t offset = 0;
  uint32_t words = firstWords;
  for (tasks = 1;; ++tasks) {
    const uint8_t *header = file.data() + offset;
    uint32_t next = read32le(header + 4 * nextWord);
    if (next == 0)
      return offset + 4 * words;
    words = (read32le(header + 4 * sizeWord) >> 16) + 1;
    offset = next;
  }
}

class RealProgram : public testing::TestWithParam<Program> {
protected:
  void SetUp() override {
    std::optional<std::string> path =
        testData("real/anec/" + std::string(GetParam().name) + ".bin");
    if (!path)
      GTEST_SKIP() << "ANE_TEST_DATA is not set";
    auto buffer = llvm::MemoryBuffer::getFile(*path);
    ASSERT_TRUE(bool(buffer)) << *path;
    file = std::move(*buffer);
  }

  /// Runs the program on inputs made from [low, high]; BAR 6 gets them in
  /// another order.
  void run() {
    auto bytes = llvm::arrayRefFromStringRef(file->getBuffer());
    uint32_t tasks;
    uint64_t size = textSize(bytes, tasks);
    uint64_t constants = llvm::alignTo(size, 64);
    std::vector<uint64_t> bars = {0,          1ull << 32, 0,         3ull << 32,
                                  4ull << 32, 5ull << 32, 6ull << 32};
    DeviceProgram program;
    program.text = {"program", 0, bytes.take_front(size), 0, 157, tasks, bars};
    program.sections = {{"constants", bars[1], bytes.size() - constants,
                         bytes.drop_front(constants), false, false},
                        {"scratch", bars[3], 4 * surfaceBytes, {}, true, true},
                        {"result", bars[4], surfaceBytes, {}, true, false},
                        {"first", bars[5], surfaceBytes, {}, false, false},
                        {"second", bars[6], surfaceBytes, {}, false, false}};
    auto created = Machine::create(program);
    ASSERT_TRUE(bool(created)) << llvm::toString(created.takeError());
    machine = std::move(*created);

    constexpr uint32_t count = width * height;
    const Program &parameter = GetParam();
    first.resize(count);
    second.resize(count);
    for (uint32_t i = 0; i < count; ++i) {
      double unit = (i * 7919ull % count) / double(count);
      first[i] =
          rounded(parameter.low + (parameter.high - parameter.low) * unit);
    }
    for (uint32_t i = 0; i < count; ++i)
      second[i] = first[(i * 31ull + 17) % count];
    for (uint32_t i = 0; i < count; ++i) {
      write16le(machine->memory(3).data() + 2 * i, halfBits(first[i]));
      write16le(machine->memory(4).data() + 2 * i, halfBits(second[i]));
    }
    machine->run();
  }

  double result(uint32_t i) {
    return load(packedLayout({}), machine->memory(2).slice(2ull * i, 64))
        .values[0];
  }

  std::unique_ptr<llvm::MemoryBuffer> file;
  std::unique_ptr<Machine> machine;
  std::vector<double> first, second;
};

TEST_P(RealProgram, ComputesItsFunction) {
  run();
  ASSERT_TRUE(machine);
  const Program &parameter = GetParam();
  double worst = 0, worstRelative = 0;
  unsigned failures = 0;
  for (uint32_t i = 0; i < first.size(); ++i) {
    double expected = parameter.function(first[i], second[i]);
    double error = std::abs(result(i) - expected);
    worst = std::max(worst, error);
    if (std::abs(expected) > 1e-3)
      worstRelative = std::max(worstRelative, error / std::abs(expected));
    if (!(error <=
          parameter.absolute + parameter.relative * std::abs(expected)) &&
        failures++ < 3)
      ADD_FAILURE() << "f(" << first[i] << ", " << second[i] << ") is "
                    << result(i) << ", expected " << expected;
  }
  EXPECT_LE(failures, 3u);
  RecordProperty("worstAbsolute", std::to_string(worst));
  RecordProperty("worstRelative", std::to_string(worstRelative));
}

constexpr double halfUlp = 0x1p-11;
/// Half of the smallest fp16.
constexpr double tiny = 0x1p-25;

double selu(double x) {
  return 1.0507 * (x > 0 ? x : 1.67326 * (std::exp(x) - 1));
}
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

INSTANTIATE_TEST_SUITE_P(
    All, RealProgram,
    testing::Values(
        Program{"activation/relu", -5, 5, 0, 0,
                [](double x, double) { return std::max(x, 0.0); }},
        Program{"activation/leakyrelu", -5, 5, tiny, halfUlp,
                [](double x, double) { return x > 0 ? x : 0.0100021362 * x; }},
        Program{"activation/rrelu", -5, 5, tiny, halfUlp,
                [](double x, double) { return x > 0 ? x : 0.2291259766 * x; }},
        Program{"activation/relu6", -3, 9, 0, 0,
                [](double x, double) { return std::clamp(x, 0.0, 6.0); }},
        Program{"activation/selu", -9, 5, 0.012, 0.001,
                [](double x, double) { return selu(x); }},
        // The table of sigmoid minus 1/2 is the better one near 0.
        Program{"unary/sigmoid", -12, 12, 0.001, 0,
                [](double x, double) { return sigmoid(x); }},
        Program{"activation/silu", -12, 12, 0.006, 0.001,
                [](double x, double) { return x * sigmoid(x); }},
        Program{"binary/add", -5, 5, 0, halfUlp,
                [](double x, double y) { return x + y; }},
        Program{"binary/sub", -5, 5, 0, halfUlp,
                [](double x, double y) { return x - y; }},
        Program{"binary/mul", -5, 5, 1e-7, halfUlp,
                [](double x, double y) { return x * y; }},
        Program{"binary/min", -5, 5, 0, 0,
                [](double x, double y) { return std::min(x, y); }},
        Program{"binary/ave", -5, 5, 1e-7, halfUlp,
                [](double x, double y) { return (x + y) / 2; }},
        Program{"unary/abs", -5, 5, 0, 0,
                [](double x, double) { return std::abs(x); }},
        Program{"unary/ceil", -5, 5, 0, 0,
                [](double x, double) { return std::ceil(x); }},
        Program{"unary/sign", -5, 5, 0, 0,
                [](double x, double) { return double((x > 0) - (x < 0)); }},
        Program{"unary/square", -5, 5, 1e-7, halfUlp,
                [](double x, double) { return x * x; }},
        Program{"unary/cube", -5, 5, 1e-6, 2 * halfUlp,
                [](double x, double) { return x * x * x; }},
        // The factor log2(e) is rounded to fp16.
        Program{"unary/exp", -8, 11, 1e-6, 0.003,
                [](double x, double) { return std::exp(x); }},
        Program{"unary/exp2", -8, 15, 1e-6, 0.0012,
                [](double x, double) { return std::exp2(x); }},
        Program{"unary/log2", 0.001, 100, 0.0035, 0.001,
                [](double x, double) { return std::log2(x); }},
        Program{"unary/log", 0.001, 100, 0.0035, 0.001,
                [](double x, double) { return std::log(x); }},
        Program{"unary/sqrt", 0, 1000, 1e-6, 0.0016,
                [](double x, double) { return std::sqrt(x); }},
        // AccBias is 1e-4.
        Program{"unary/inv", 0.001, 1000, 1e-6, 0.0013,
                [](double x, double) { return 1 / (x + 1e-4); }}),
    [](const auto &info) {
      return llvm::StringRef(info.param.name).split('/').second.str();
    });

class RealSoftmin : public RealProgram {};

TEST_P(RealSoftmin, NormalisesRows) {
  run();
  ASSERT_TRUE(machine);
  double worst = 0;
  for (uint32_t h = 0; h < height; ++h) {
    llvm::ArrayRef row(first.data() + h * width, width);
    double least = *std::min_element(row.begin(), row.end()), sum = 0;
    for (double x : row)
      sum += std::exp(least - x);
    for (uint32_t w = 0; w < width; ++w) {
      double expected = std::exp(least - row[w]) / sum;
      double error = std::abs(result(h * width + w) - expected);
      worst = std::max(worst, error / (expected + 1e-4));
    }
  }
  EXPECT_LE(worst, 0.005);
  RecordProperty("worstRelative", std::to_string(worst));
}

INSTANTIATE_TEST_SUITE_P(All, RealSoftmin,
                         testing::Values(Program{"activation/softmin", -5, 5, 0,
                                                 0, nullptr}),
                         [](const auto &) { return "softmin"; });

} // namespace
