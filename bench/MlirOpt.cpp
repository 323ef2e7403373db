//===- MlirOpt.cpp - How long mlir-opt parses -----------------------------===//

#include "MlirOpt.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace ane;

namespace {

/// The wall time of the line `0.0226 ( 75.8%)  Parser` of a timing report.
llvm::Expected<double> readTiming(llvm::StringRef report) {
  llvm::SmallVector<llvm::StringRef> lines;
  report.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    double seconds;
    if (line.trim().ends_with("Parser") &&
        !line.trim()
             .take_until([](char c) { return c == ' '; })
             .getAsDouble(seconds))
      return seconds;
  }
  return llvm::createStringError("mlir-opt-22 told no time:\n" + report.str());
}

} // namespace

llvm::Expected<double> bench::timeMlirOpt(llvm::StringRef genericIR,
                                          unsigned runs) {
  auto program = llvm::sys::findProgramByName("mlir-opt-22");
  if (!program)
    return llvm::createStringError(program.getError(),
                                   "cannot find mlir-opt-22");
  llvm::SmallString<128> input, report;
  for (auto *path : {&input, &report})
    if (std::error_code error =
            llvm::sys::fs::createTemporaryFile("ane-bench", "mlir", *path))
      return llvm::createStringError(error, "cannot make a temporary file");
  llvm::FileRemover removeInput(input), removeReport(report);
  {
    std::error_code error;
    llvm::raw_fd_ostream os(input, error);
    os << genericIR;
  }

  double least = std::numeric_limits<double>::infinity();
  for (unsigned i = 0; i < runs; ++i) {
    llvm::StringRef arguments[] = {*program,
                                   "--allow-unregistered-dialect",
                                   "--mlir-timing",
                                   input,
                                   "-o",
                                   "/dev/null"};
    std::optional<llvm::StringRef> redirects[] = {std::nullopt, std::nullopt,
                                                  report.str()};
    if (llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt,
                                  redirects) != 0)
      return llvm::createStringError("mlir-opt-22 failed");
    auto text = llvm::MemoryBuffer::getFile(report);
    if (!text)
      return llvm::createStringError(text.getError(), "cannot read the timing");
    llvm::Expected<double> seconds = readTiming((*text)->getBuffer());
    if (!seconds)
      return seconds.takeError();
    least = std::min(least, *seconds);
  }
  return least;
}
