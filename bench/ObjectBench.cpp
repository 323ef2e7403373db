//===- ObjectBench.cpp - Copying a container through the object model -----===//
//
// Reads a large container and writes it again, in a process of its own so that
// its peak memory can be told, and lets cp copy the same file, in turns. Says
// how the speeds compare.
//
//===----------------------------------------------------------------------===//

#include "ane/Object/Layout.h"
#include "ane/Object/Reader.h"
#include "ane/Object/Writer.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <CLI/CLI.hpp>
#include <chrono>

using namespace ane;

namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned mebi = 1u << 20;

/// A container with one task and that many bytes of coefficients, in which no
/// page is like another.
llvm::Error makeContainer(uint64_t bytes, llvm::StringRef path) {
  object::ContainerSpec spec;
  spec.style = object::styleOf(object::Dialect::V9509);
  spec.notes = object::notesOf(object::Dialect::V9509);
  object::TensorLayout layout = *object::TensorLayout::packed(1, 64, 1, 1);
  spec.ports = {{"x", object::PortDirection::Input, layout, 0},
                {"y", object::PortDirection::Output, layout, 0}};
  spec.text.resize(0x274);
  spec.firstTaskWords = 157;
  spec.taskCount = 1;
  spec.constants = {
      object::Chunk::produced(bytes, [bytes](llvm::raw_ostream &os) {
        std::vector<uint64_t> block(mebi / sizeof(uint64_t));
        uint64_t state = 1;
        for (uint64_t done = 0; done < bytes; done += mebi) {
          for (uint64_t &word : block)
            word = state = state * 6364136223846793005 + 1442695040888963407;
          os.write(reinterpret_cast<const char *>(block.data()),
                   std::min<uint64_t>(mebi, bytes - done));
        }
      })};
  llvm::Expected<object::Object> object = object::layoutObject(std::move(spec));
  if (!object)
    return object.takeError();
  return object::writeObject(*object, path);
}

struct Run {
  double seconds = 0;
  uint64_t peakBytes = 0;
};

/// Runs a program to its end.
llvm::Expected<Run> execute(llvm::ArrayRef<llvm::StringRef> command) {
  std::string message;
  std::optional<llvm::sys::ProcessStatistics> statistics;
  auto start = Clock::now();
  int status =
      llvm::sys::ExecuteAndWait(command.front(), command, std::nullopt, {}, 0,
                                0, &message, nullptr, &statistics);
  Run run;
  run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (status != 0)
    return llvm::createStringError(command.front() + " failed: " + message);
  if (statistics)
    run.peakBytes = statistics->PeakMemory * 1024;
  return run;
}

llvm::Error copy(llvm::StringRef from, llvm::StringRef to) {
  llvm::Expected<object::Object> object = object::readObject(from);
  if (!object)
    return object.takeError();
  return object::writeObject(*object, to);
}

double medianSeconds(std::vector<Run> &runs) {
  llvm::sort(runs,
             [](const Run &a, const Run &b) { return a.seconds < b.seconds; });
  return runs[runs.size() / 2].seconds;
}

llvm::Error measure(llvm::StringRef self, uint64_t bytes, unsigned count) {
  llvm::SmallString<128> folder;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("ane-bench", folder))
    return llvm::errorCodeToError(code);
  auto path = [&](llvm::StringRef name) { return (folder + "/" + name).str(); };
  std::string from = path("a.hwx"), to = path("b.hwx"), other = path("c.hwx");
  llvm::ErrorOr<std::string> cp = llvm::sys::findProgramByName("cp");
  if (!cp)
    return llvm::createStringError("there is no cp");

  auto run = [&]() -> llvm::Error {
    if (llvm::Error error = makeContainer(bytes, from))
      return error;
    std::vector<Run> ours, theirs;
    for (unsigned i = 0; i < count; ++i) {
      // Neither writes over a file, which costs more than a new one.
      llvm::sys::fs::remove(to);
      llvm::sys::fs::remove(other);
      llvm::Expected<Run> copied = execute({*cp, from, other});
      if (!copied)
        return copied.takeError();
      theirs.push_back(*copied);
      llvm::Expected<Run> rewritten = execute({self, "--copy", from, to});
      if (!rewritten)
        return rewritten.takeError();
      ours.push_back(*rewritten);
    }
    uint64_t size = 0;
    if (std::error_code code = llvm::sys::fs::file_size(from, size))
      return llvm::errorCodeToError(code);
    double cpSeconds = medianSeconds(theirs), ourSeconds = medianSeconds(ours);
    uint64_t peak = 0;
    for (const Run &one : ours)
      peak = std::max(peak, one.peakBytes);
    auto rate = [&](double seconds) { return double(size) / mebi / seconds; };
    llvm::outs() << llvm::formatv(
        "container of {0:f1} MiB, median of {1} runs in turns\n"
        "cp              {2,8:f1} ms {3,8:f0} MiB/s\n"
        "read and write  {4,8:f1} ms {5,8:f0} MiB/s  {6:P0} of cp's speed\n"
        "peak memory     {7,8:f1} MiB, {8:f2} of the file\n",
        double(size) / mebi, count, cpSeconds * 1e3, rate(cpSeconds),
        ourSeconds * 1e3, rate(ourSeconds), cpSeconds / ourSeconds,
        double(peak) / mebi, double(peak) / double(size));
    return llvm::Error::success();
  };
  llvm::Error error = run();
  llvm::sys::fs::remove_directories(folder);
  return error;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  unsigned megabytes = 128, runs = 9;
  std::vector<std::string> paths;
  CLI::App app("Measures reading and writing a container against cp.");
  app.add_option("--mib", megabytes, "Coefficients of the container")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app.add_option("--runs", runs, "How often each is measured")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--copy", paths, "Only reads FROM and writes TO")
      ->type_name("FROM TO")
      ->expected(2);
  CLI11_PARSE(app, argc, argv);

  std::string self = llvm::sys::fs::getMainExecutable(
      argv[0], reinterpret_cast<void *>(&makeContainer));
  llvm::Error error = paths.empty()
                          ? measure(self, uint64_t(megabytes) * mebi, runs)
                          : copy(paths[0], paths[1]);
  if (!error)
    return 0;
  reportErrors(std::move(error), "ane-bench-object");
  return 1;
}
