//===- MutationTest.cpp - Damaged programs through the front end ----------===//
//
// Cuts programs off and changes bytes of them, at points that are the same in
// every run, and imports what is left. It must be refused with errors at places
// in its text, or be a program that is exported and imported again.
//
//===----------------------------------------------------------------------===//

#include "../TestData.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Frontend/Export.h"
#include "ane/Frontend/Import.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace ane;

namespace {

/// The MIL files of a folder and of its folders, sorted.
std::vector<std::string> findPrograms(const llvm::Twine &folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (llvm::sys::path::extension(it->path()) == ".mil")
      paths.push_back(it->path());
  EXPECT_FALSE(error) << error.message();
  llvm::sort(paths);
  return paths;
}

class Importer {
public:
  Importer() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<mil::MILDialect>();
  }

  /// Imports a text, exports and imports again what that gives. The name of
  /// what went wrong, or empty.
  std::string check(llvm::StringRef text) {
    OwningOpRef<ModuleOp> module = import(text);
    if (!problem.empty() || !module)
      return std::exchange(problem, "");
    std::string exported;
    llvm::raw_string_ostream os(exported);
    if (failed(frontend::exportMIL(*module, os)))
      return "not exported";
    bool again = bool(import(exported));
    return again ? std::exchange(problem, "") : "not imported again";
  }

private:
  OwningOpRef<ModuleOp> import(llvm::StringRef text) {
    size_t lines = text.count('\n') + 1, errors = 0;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
      if (!place || place.getLine() == 0 || place.getLine() > lines ||
          place.getColumn() == 0)
        problem = "no place in the text: " + diagnostic.str();
      errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
      return success();
    });
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBuffer(text, "input.mil",
                                         /*RequiresNullTerminator=*/false),
        llvm::SMLoc());
    OwningOpRef<ModuleOp> module = frontend::importMIL(sources, &context);
    if (bool(module) == (errors != 0))
      problem = module ? "accepted with errors" : "refused without an error";
    return module;
  }

  MLIRContext context;
  std::string problem;
};

/// Damages a file at `points` places: one half cuts it off there, the other
/// changes one byte.
void checkDamaged(const std::string &path, unsigned points) {
  SCOPED_TRACE(path);
  auto buffer = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(buffer) << buffer.getError().message();
  llvm::StringRef text = (*buffer)->getBuffer();
  if (text.empty())
    return;
  Importer importer;
  // No distribution: what those give is up to the standard library.
  std::mt19937 random(text.size());
  for (unsigned i = 0; i < points; ++i) {
    size_t position = random() % text.size();
    std::string damaged = text.str();
    if (i % 2 == 0)
      damaged.resize(position);
    else
      damaged[position] ^= 1 + random() % 255;
    EXPECT_EQ(importer.check(damaged), "")
        << "point " << i << ", byte " << position;
  }
}

TEST(Mutation, OwnPrograms) {
  std::vector<std::string> paths = findPrograms(ANE_SOURCE_DIR "/test/fuzz");
  llvm::append_range(paths,
                     findPrograms(ANE_SOURCE_DIR "/test/Frontend/Inputs"));
  ASSERT_GE(paths.size(), 10u);
  for (const std::string &path : paths)
    checkDamaged(path, 1000);
}

TEST(Mutation, RealPrograms) {
  std::optional<std::string> folder = testData("real/mil");
  if (!folder)
    GTEST_SKIP() << "ANE_TEST_DATA is not set";
  std::vector<std::string> paths = findPrograms(*folder);
  ASSERT_GE(paths.size(), 100u);
  for (const std::string &path : paths)
    checkDamaged(path, 200);
}

} // namespace
