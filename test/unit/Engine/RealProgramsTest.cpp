//===- RealProgramsTest.cpp - Real programs without a container -----------===//
//
// A file is the text at offset 0, first descriptor 157 words, and the
// coefficients at the next multiple of 64 bytes. All work on surfaces of
// 2560 x 1600 elements, in the order of BARs that the container builder has,
// too: BAR 4 is the result, 5 and 6 are operands.
//
//===----------------------------------------------------------------------===//

#include "../TestData.h"
#include "Exemplars.h"
#include "ane/Engine/Watch.h"
#include "ane/Object/Layout.h"
#include "ane/Object/Writer.h"
#include "ane/Support/Half.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
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
  const char *op;
  double (*function)(double, double);
};

/// For test reports.
void PrintTo(const Program &program, std::ostream *os) { *os << program.name; }

/// Words of the first descriptor of every file.
constexpr unsigned firstWords = 157;

/// The end of the text: follows the chain of descriptors.
uint64_t textSize(llvm::ArrayRef<uint8_t> file, uint32_t &tasks) {
  constexpr unsigned sizeWord = 1, nextWord = 7;
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

/// The program in a container: what there is to load a real one with.
std::string containerOf(llvm::ArrayRef<uint8_t> file) {
  object::ContainerSpec spec;
  Extents extents{1, 1, 1, height, width};
  for (const char *name : {"result", "first", "second"})
    spec.ports.push_back({name,
                          llvm::StringRef(name) == "result"
                              ? object::PortDirection::Output
                              : object::PortDirection::Input,
                          packedLayout(extents), 0});
  spec.scratchBytes = 4 * surfaceBytes;
  uint64_t size = textSize(file, spec.taskCount);
  spec.text.assign(file.begin(), file.begin() + size);
  spec.firstTaskWords = firstWords;
  std::vector<uint8_t> constants =
      file.drop_front(llvm::alignTo(size, 64)).vec();
  spec.constants.push_back(object::Chunk::bytes(constants));
  return fileOf(spec);
}

/// The results of a program whose inputs are numbers in [low, high], the second
/// one those of the first in another order.
class RealProgram : public testing::TestWithParam<Program> {
protected:
  void SetUp() override {
    std::optional<std::string> path =
        testData("real/anec/" + std::string(GetParam().name) + ".bin");
    if (!path)
      GTEST_SKIP() << "ANE_TEST_DATA is not set";
    auto file = llvm::MemoryBuffer::getFile(*path);
    ASSERT_TRUE(bool(file)) << *path;
    auto program = loadBytes(
        containerOf(llvm::arrayRefFromStringRef((*file)->getBuffer())));
    ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
    for (const Finding &finding : checkProgram(**program))
      ADD_FAILURE() << "task " << finding.task << ": " << finding.message;
    Machine &machine = (*program)->machine();
    auto surface = [&](llvm::StringRef name) {
      return machine.memory(
          llvm::find_if((*program)->ports(), [&](const DevicePort &port) {
            return port.name == name;
          })->section);
    };

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
    // Rows are whole, so the elements of a surface lie side by side.
    for (auto [name, values] :
         {std::pair("first", &first), std::pair("second", &second)}) {
      llvm::MutableArrayRef<uint8_t> bytes = surface(name);
      for (uint32_t i = 0; i < count; ++i)
        write16le(bytes.data() + 2 * i, halfBits((*values)[i]));
    }
    llvm::cantFail(machine.run());
    llvm::ArrayRef<uint8_t> bytes = surface("result");
    for (uint32_t i = 0; i < count; ++i)
      outcome.actual.push_back(halfToDouble(read16le(bytes.data() + 2 * i)));
    outcome.absolute = parameter.absolute;
    outcome.relative = parameter.relative;
  }

  void expectDocumented() {
    const Program &p = GetParam();
    expectOutcome(std::string(p.name) + ".bin",
                  llvm::formatv("{0} | {1}x{2} | {3} numbers in [{4}, {5}]",
                                p.op, height, width, first.size(),
                                numberText(p.low), numberText(p.high))
                      .str(),
                  outcome);
  }

  std::vector<double> first, second;
  Outcome outcome;
};

TEST_P(RealProgram, ComputesItsFunction) {
  for (auto [x, y] : llvm::zip(first, second))
    outcome.expected.push_back(GetParam().function(x, y));
  expectDocumented();
}

double selu(double x) {
  return 1.0507 * (x > 0 ? x : 1.67326 * (std::exp(x) - 1));
}
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

INSTANTIATE_TEST_SUITE_P(
    All, RealProgram,
    testing::Values(
        Program{"activation/relu", -5, 5, 0, 0, "max(x, 0)",
                [](double x, double) { return std::max(x, 0.0); }},
        Program{"activation/leakyrelu", -5, 5, 0, 0, "x > 0 ? x : 0.01 x",
                [](double x, double) { return x > 0 ? x : rounded(0.01) * x; }},
        Program{
            "activation/rrelu", -5, 5, 0, 0, "x > 0 ? x : 0.229126 x",
            [](double x, double) { return x > 0 ? x : rounded(0.229126) * x; }},
        Program{"activation/relu6", -3, 9, 0, 0, "min(max(x, 0), 6)",
                [](double x, double) { return std::clamp(x, 0.0, 6.0); }},
        Program{"activation/selu", -9, 5, 0.012, 0.001,
                "1.0507 (x > 0 ? x : 1.67326 (exp(x) - 1))",
                [](double x, double) { return selu(x); }},
        // The table of sigmoid minus 1/2 is the better one near 0.
        Program{"unary/sigmoid", -12, 12, 0.001, 0, "1 / (1 + exp(-x))",
                [](double x, double) { return sigmoid(x); }},
        Program{"activation/silu", -12, 12, 0.006, 0.001, "x / (1 + exp(-x))",
                [](double x, double) { return x * sigmoid(x); }},
        Program{"binary/add", -5, 5, 0, 0, "x + y",
                [](double x, double y) { return x + y; }},
        Program{"binary/sub", -5, 5, 0, 0, "x - y",
                [](double x, double y) { return x - y; }},
        Program{"binary/mul", -5, 5, 0, 0, "x * y",
                [](double x, double y) { return x * y; }},
        Program{"binary/min", -5, 5, 0, 0, "min(x, y)",
                [](double x, double y) { return std::min(x, y); }},
        Program{"binary/ave", -5, 5, 0, 0, "(x + y) / 2",
                [](double x, double y) { return (x + y) / 2; }},
        Program{"unary/abs", -5, 5, 0, 0, "abs(x)",
                [](double x, double) { return std::abs(x); }},
        Program{"unary/ceil", -5, 5, 0, 0, "ceil(x)",
                [](double x, double) { return std::ceil(x); }},
        Program{"unary/sign", -5, 5, 0, 0, "sign(x)",
                [](double x, double) { return double((x > 0) - (x < 0)); }},
        Program{"unary/square", -5, 5, 0, 0, "x * x",
                [](double x, double) { return x * x; }},
        Program{"unary/cube", -5, 5, 0, 0, "(x * x) * x, x * x rounded",
                [](double x, double) { return rounded(x * x) * x; }},
        // The factor log2(e) is rounded to fp16.
        Program{"unary/exp", -8, 11, 1e-6, 0.003, "exp(x)",
                [](double x, double) { return std::exp(x); }},
        Program{"unary/exp2", -8, 15, 1e-6, 0.0012, "2^x",
                [](double x, double) { return std::exp2(x); }},
        Program{"unary/log2", 0.001, 100, 0.0035, 0.001, "log2(x)",
                [](double x, double) { return std::log2(x); }},
        Program{"unary/log", 0.001, 100, 0.0035, 0.001, "log(x)",
                [](double x, double) { return std::log(x); }},
        Program{"unary/sqrt", 0, 1000, 1e-6, 0.0016, "sqrt(x)",
                [](double x, double) { return std::sqrt(x); }},
        // AccBias is 1e-4.
        Program{"unary/inv", 0.001, 1000, 1e-6, 0.0013, "1 / (x + 1e-4)",
                [](double x, double) { return 1 / (x + 1e-4); }}),
    [](const auto &info) {
      return llvm::StringRef(info.param.name).split('/').second.str();
    });

class RealSoftmin : public RealProgram {};

TEST_P(RealSoftmin, NormalisesRows) {
  for (uint32_t h = 0; h < height; ++h) {
    llvm::ArrayRef row(first.data() + h * width, width);
    double least = *std::min_element(row.begin(), row.end()), sum = 0;
    for (double x : row)
      sum += std::exp(least - x);
    for (double x : row)
      outcome.expected.push_back(std::exp(least - x) / sum);
  }
  expectDocumented();
}

INSTANTIATE_TEST_SUITE_P(All, RealSoftmin,
                         testing::Values(Program{
                             "activation/softmin", -5, 5, 5e-7, 0.005,
                             "exp(-x) / sum of exp(-x) over W", nullptr}),
                         [](const auto &) { return "softmin"; });

} // namespace
