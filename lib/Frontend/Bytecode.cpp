//===- Bytecode.cpp - Bytecode that nobody vouches for --------------------===//

#include "ane/Frontend/Bytecode.h"
#include "ane/Support/FileError.h"
#include "ane/Support/Printable.h"
#include "ane/Support/SourceDiagnostic.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/SourceMgr.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

namespace {

/// Far more than the reader needs, which takes about a second for 100 MiB, and
/// a few times the size of the file.
constexpr uint64_t leastSeconds = 3, bytesPerSecond = 1 << 20;
constexpr uint64_t leastMemory = uint64_t(4) << 30, memoryPerByte = 32;

constexpr bool hasLimitedMemory =
#if LLVM_ADDRESS_SANITIZER_BUILD || LLVM_MEMORY_SANITIZER_BUILD ||             \
    LLVM_THREAD_SANITIZER_BUILD
    // Their shadows take more addresses than any limit.
    false;
#else
    true;
#endif

void limit(decltype(RLIMIT_CPU) resource, uint64_t value) {
  // At the hard limit of time the system kills, at the other it says why.
  rlimit limits = {value, value + 1};
  // Where even this cannot be set, the reader runs without.
  (void)setrlimit(resource, &limits);
}

/// How the process that reads ends, if nothing ends it.
enum Verdict : int { Readable = 0, Refused = 1 };

/// Reads, with all that is said of it on standard error, which is `output`.
/// Ends the process.
[[noreturn]] void readAndEnd(llvm::MemoryBufferRef buffer,
                             const DialectRegistry &registry,
                             BytecodeReading reading, int output) {
  // A signal is for the parent to tell.
  for (int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP})
    ::signal(signal, SIG_DFL);
  (void)dup2(output, STDERR_FILENO);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, leastSeconds + buffer.getBufferSize() / bytesPerSecond);
  if (hasLimitedMemory)
    limit(RLIMIT_DATA, leastMemory + buffer.getBufferSize() * memoryPerByte);
  {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.allowUnregisteredDialects(reading.allowsUnregisteredDialects);
    context.printOpOnDiagnostic(false);
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBuffer(buffer,
                                         /*RequiresNullTerminator=*/false),
        llvm::SMLoc());
    quoteExcerpts(sources);
    SourceMgrDiagnosticHandler handler(sources, &context);
    auto module = parseSourceFile<ModuleOp>(
        sources, ParserConfig(&context, reading.verifies));
    // Memory may be in disorder after a refusal.
    if (!module)
      _exit(Refused);
    OpPrintingFlags flags;
    // With 0 the text of a resource is not even made.
    flags.elideLargeElementsAttrs().elideLargeResourceString(0);
    flags.enableDebugInfo();
    module->print(llvm::nulls(), flags);
  }
  // With the handlers of the end of a process.
  exit(Readable);
}

/// What arrives until nobody writes any more, up to some length.
std::string readAll(int input) {
  constexpr size_t maxLength = 1 << 16;
  std::string text, part(4096, '\0');
  while (true) {
    ssize_t length =
        llvm::sys::RetryAfterSignal(-1, read, input, part.data(), part.size());
    if (length <= 0)
      break;
    text.append(part, 0, std::min<size_t>(length, maxLength - text.size()));
  }
  return text;
}

/// What is wrong with bytecode whose reader ended like this and said `text`;
/// empty where that is all there is to say, or nothing is wrong.
std::string complaint(int status, llvm::StringRef text) {
  constexpr const char *prefix = "the bytecode is damaged: MLIR's reader ";
  constexpr const char *suffix = "; write it again";
  std::string problem;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    problem = "does not come to an end of it";
  else if (WIFSIGNALED(status))
    problem = std::string("ended with '") + strsignal(WTERMSIG(status)) + "'";
  else if (WEXITSTATUS(status) == Refused && !text.contains("error: "))
    problem = "refuses it without a reason";
  else if (WEXITSTATUS(status) != Readable && WEXITSTATUS(status) != Refused)
    problem = "ended with status " + std::to_string(WEXITSTATUS(status));
  return problem.empty() ? problem : prefix + problem + suffix;
}

} // namespace

LogicalResult frontend::checkBytecode(llvm::MemoryBufferRef buffer,
                                      const DialectRegistry &registry,
                                      BytecodeReading reading) {
  if (!isBytecode(buffer))
    return success();
  auto fail = [&](const llvm::Twine &message) {
    return reported(makeFileError(buffer.getBufferIdentifier(), 0, message),
                    buffer.getBufferIdentifier());
  };
  int ends[2];
  if (pipe(ends) != 0)
    return fail("cannot make a pipe to read the bytecode: " +
                llvm::sys::StrError());
  // The other process has a copy of what was printed and is not yet written.
  llvm::outs().flush();
  pid_t child = fork();
  if (child == 0)
    readAndEnd(buffer, registry, reading, ends[1]);
  close(ends[1]);
  std::string text = child < 0 ? "" : readAll(ends[0]);
  close(ends[0]);
  if (child < 0)
    return fail("cannot start a process to read the bytecode in: " +
                llvm::sys::StrError());
  int status = 0;
  if (llvm::sys::RetryAfterSignal(-1, waitpid, child, &status, 0) < 0)
    return fail("lost the process that reads the bytecode: " +
                llvm::sys::StrError());
  if (std::string wrong = complaint(status, text); !wrong.empty())
    return fail(wrong);
  if (WEXITSTATUS(status) == Readable)
    return success();
  for (llvm::StringRef line : llvm::split(llvm::StringRef(text).rtrim(), '\n'))
    llvm::errs() << escapeUnprintable(line) << '\n';
  // Places of the program are of the text that it came from, or of an
  // attribute.
  if (!llvm::StringRef(text).contains(buffer.getBufferIdentifier()))
    llvm::errs() << escapeUnprintable(buffer.getBufferIdentifier())
                 << ":0:0: note: it is in this bytecode\n";
  return failure();
}
