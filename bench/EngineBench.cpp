//===- EngineBench.cpp - How fast the executor computes -------------------===//
//
// For each operation: the time of a library, and the time of the executor with
// either numerics, on the same operands in the same process, one after the
// other; the least wall time of several runs counts. Operations that memory
// bounds are compared with copying as many bytes as they read and write.
//
//===----------------------------------------------------------------------===//

#include "EnginePrograms.h"
#include "Libraries.h"
#include "ane/Support/Half.h"
#include "llvm/Support/FormatVariadic.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <thread>

using namespace ane;
using namespace ane::bench;

namespace {

/// Pseudo-random fp16 numbers in [-1, 1].
std::vector<float> random(uint64_t count, uint64_t seed) {
  std::vector<float> values(count);
  uint64_t state = seed;
  for (float &value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    double unit = static_cast<double>(state >> 40) / (1 << 23) - 1;
    value = static_cast<float>(halfToDouble(halfFromDouble(unit)));
  }
  return values;
}

/// Sleeps until all threads of this process do. Those of a library look for
/// more work, some for a tenth of a second, and keep a processor that long.
void waitForThreads() {
  constexpr std::chrono::milliseconds look(5);
  constexpr double idle = 0.02; // of the time of one processor
  constexpr unsigned mostLooks = 200;
  for (unsigned i = 0; i < mostLooks; ++i) {
    std::clock_t before = std::clock();
    std::this_thread::sleep_for(look);
    std::chrono::duration<double> computed(double(std::clock() - before) /
                                           CLOCKS_PER_SEC);
    if (computed < idle * look)
      return;
  }
}

/// The fastest of three runs in a row, while no thread of what ran before is
/// awake.
double secondsOf(const std::function<void()> &run) {
  constexpr unsigned runsInARow = 3;
  waitForThreads();
  double fastest = std::numeric_limits<double>::infinity();
  for (unsigned i = 0; i < runsInARow; ++i) {
    auto start = std::chrono::steady_clock::now();
    run();
    std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;
    fastest = std::min(fastest, seconds.count());
  }
  return fastest;
}

class Table {
public:
  Table(unsigned runs, unsigned threads) : runs(runs), threads(threads) {
    llvm::outs()
        << "| operation | against | ms | documented ms | speed | tile4 "
           "ms | times documented | error |\n"
           "|---|---|--:|--:|--:|--:|--:|--:|\n";
  }

  unsigned numThreads() const { return threads; }

  void row(llvm::StringRef name, llvm::StringRef against,
           const Operation &operation, Program &program, unsigned result) {
    double library = std::numeric_limits<double>::infinity();
    double documented = library, tile4 = library;
    for (unsigned i = 0; i < runs; ++i) {
      library = std::min(library, secondsOf(operation.run));
      tile4 = std::min(tile4, secondsOf([&] {
                         program.run(threads, engine::Numerics::Tile4);
                       }));
      documented =
          std::min(documented, secondsOf([&] {
                     program.run(threads, engine::Numerics::Documented);
                   }));
    }
    llvm::outs() << llvm::formatv(
        "| {0} | {1} | {2:f3} | {3:f3} | {4:f2} | {5:f2} | {6:f1} | {7} |\n",
        name, against, library * 1e3, documented * 1e3, library / documented,
        tile4 * 1e3, tile4 / documented,
        error(operation.result(), program.get(result)));
    llvm::outs().flush();
  }

private:
  /// The largest difference, of the largest result.
  static std::string error(llvm::ArrayRef<float> expected,
                           llvm::ArrayRef<float> actual) {
    if (expected.empty())
      return "";
    float largest = 0, difference = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      largest = std::max(largest, std::fabs(expected[i]));
      difference = std::max(difference, std::fabs(expected[i] - actual[i]));
    }
    return llvm::formatv("{0:e1}", difference / largest).str();
  }

  unsigned runs, threads;
};

/// [outputs, inputs] times [inputs, pixels].
void product(Table &table, llvm::StringRef name, uint32_t outputs,
             uint32_t inputs, uint32_t height, uint32_t width) {
  std::vector<float> x = random(uint64_t(inputs) * height * width, 1);
  std::vector<float> weights = random(uint64_t(outputs) * inputs, 2);
  Program program;
  unsigned source = program.tensor({inputs, height, width});
  unsigned target = program.tensor({outputs, height, width});
  program.convolve(source, target, {}, weights);
  program.set(source, x);
  program.finish();
  table.row(name, "OpenBLAS",
            matmul(outputs, height * width, inputs, weights, x), program,
            target);
}

void convolution3x3(Table &table, llvm::StringRef name, uint32_t channels,
                    uint32_t size, bool channelwise) {
  std::vector<float> x = random(uint64_t(channels) * size * size, 3);
  std::vector<float> weights =
      random(uint64_t(channels) * (channelwise ? 1 : channels) * 9, 4);
  Program program;
  unsigned source = program.tensor({channels, size, size});
  unsigned target = program.tensor({channels, size, size});
  program.convolve(source, target, {3, channelwise}, weights);
  program.set(source, x);
  program.finish();
  table.row(name, "oneDNN",
            convolution(channels, size, channelwise, x, weights), program,
            target);
}

void sum(Table &table) {
  constexpr Shape shape = {512, 128, 128};
  constexpr uint64_t elements = 512 * 128 * 128;
  Program program;
  unsigned a = program.tensor(shape), b = program.tensor(shape),
           y = program.tensor(shape);
  program.add(a, b, y);
  program.set(a, random(elements, 5));
  program.set(b, random(elements, 6));
  program.finish();
  // Two tensors are read and one is written, where a copy reads one and writes
  // one.
  table.row("add 16 MB", "copying 24 MB",
            copy(elements * 3, table.numThreads()), program, y);
}

/// Knots of gelu and of 2^x, from real programs.
std::vector<uint16_t> geluRecord() {
  std::vector<uint16_t> record = {
      0xc466, 0x7c00, 0,      0x7c00, 0,      0x8e8a, 0x9230, 0x9757, 0x9bf0,
      0xa011, 0xa3bf, 0xa6ec, 0xa9bf, 0xac75, 0xae67, 0xb03d, 0xb11e, 0xb184,
      0xb104, 0xaecf, 0x922d, 0x3098, 0x357e, 0x389f, 0x3ab8, 0x3c78, 0x3d9a,
      0x3eb9, 0x3fd2, 0x4072, 0x40f8, 0x417c, 0x41fe, 0x427f, 0x4300, 0x4380,
      0x4400, 0,      0,      0x3c00, 0,      2,      1};
  return record;
}

std::vector<uint16_t> exp2Record() {
  std::vector<uint16_t> record = {0xce40, 0x4c00, 0, 0x7c00};
  for (int i = 0; i <= 32; ++i)
    record.push_back(halfFromDouble(std::exp2(i / 32.0)));
  record.insert(record.end(), {0, 0, 0, 0, 5, 0xa});
  return record;
}

void gelu(Table &table) {
  constexpr Shape shape = {128, 128, 128};
  constexpr uint64_t elements = 128 * 128 * 128;
  Program program;
  unsigned x = program.tensor(shape), y = program.tensor(shape);
  program.activate(x, y, geluRecord());
  program.set(x, random(elements, 7));
  program.finish();
  table.row("gelu 4 MB", "copying 4 MB", copy(elements * 2, table.numThreads()),
            program, y);
}

void softmaxOfRows(Table &table) {
  constexpr Shape shape = {8, 375, 375};
  std::vector<float> x = random(8 * 375 * 375, 8);
  Program program;
  unsigned source = program.tensor(shape), target = program.tensor(shape);
  program.softmax(source, target, exp2Record());
  program.set(source, x);
  program.finish();
  table.row("softmax 8 x 375 x 375", "oneDNN", softmax(8, 375, 375, x), program,
            target);
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Measures how fast the executor computes, against OpenBLAS, "
               "oneDNN and memcpy.",
               "ane-bench-engine");
  unsigned runs = 9, threads = 2;
  app.add_option("--runs", runs, "runs of which the fastest counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  std::string only;
  app.add_option("--only", only, "one operation")
      ->check(CLI::IsMember({"conv1x1", "conv3x3", "depthwise", "matmul", "add",
                             "softmax", "gelu"}));
  app.add_option("--threads", threads,
                 "threads of executor and copies; those of the libraries are "
                 "OPENBLAS_NUM_THREADS and OMP_NUM_THREADS")
      ->check(CLI::Range(1, 2))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  Table table(runs, threads);
  std::pair<const char *, std::function<void()>> operations[] = {
      {"conv1x1",
       [&] {
         product(table, "conv 1x1, 512 to 512, 32 x 32", 512, 512, 32, 32);
       }},
      {"conv3x3",
       [&] {
         convolution3x3(table, "conv 3x3, 256 to 256, 28 x 28", 256, 28, false);
       }},
      {"depthwise",
       [&] {
         convolution3x3(table, "depthwise 3x3, 512, 28 x 28", 512, 28, true);
       }},
      {"matmul",
       [&] { product(table, "matmul 512 x 2048 x 2048", 2048, 2048, 1, 512); }},
      {"add", [&] { sum(table); }},
      {"softmax", [&] { softmaxOfRows(table); }},
      {"gelu", [&] { gelu(table); }}};
  for (const auto &[name, measure] : operations)
    if (only.empty() || only == name)
      measure();
  return 0;
}
