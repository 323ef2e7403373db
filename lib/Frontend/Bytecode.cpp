//===- Bytecode.cpp - Bytecode that nobody vouches for --------------------===//

#include "ane/Frontend/Bytecode.h"
#include "ane/Support/FileError.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/SourceMgr.h"
#include <csignal>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace ane;

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

/// Reads and says nothing. Ends the process.
[[noreturn]] void readAndEnd(llvm::MemoryBufferRef buffer,
                             const DialectRegistry &registry) {
  // A signal is for the parent to tell.
  for (int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP})
    ::signal(signal, SIG_DFL);
  (void)!freopen("/dev/null", "w", stderr);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, leastSeconds + buffer.getBufferSize() / bytesPerSecond);
  if (hasLimitedMemory)
    limit(RLIMIT_DATA, leastMemory + buffer.getBufferSize() * memoryPerByte);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(buffer,
                                       /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  {
    ScopedDiagnosticHandler silence(&context,
                                    [](Diagnostic &) { return success(); });
    (void)parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  }
  _exit(0);
}

} // namespace

llvm::Error frontend::checkBytecode(llvm::MemoryBufferRef buffer,
                                    const DialectRegistry &registry) {
  if (!isBytecode(buffer))
    return llvm::Error::success();
  auto fail = [&](const llvm::Twine &message) {
    return makeFileError(buffer.getBufferIdentifier(), 0, message);
  };
  pid_t child = fork();
  if (child < 0)
    return fail("cannot start a process to read the bytecode in: " +
                llvm::sys::StrError());
  if (child == 0)
    readAndEnd(buffer, registry);
  int status = 0;
  if (llvm::sys::RetryAfterSignal(-1, waitpid, child, &status, 0) < 0)
    return fail("lost the process that reads the bytecode: " +
                llvm::sys::StrError());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return llvm::Error::success();
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    return fail("the bytecode is damaged: MLIR's reader does not come to an "
                "end of it; write it again");
  return fail("the bytecode is damaged: MLIR's reader ended with " +
              (WIFSIGNALED(status)
                   ? llvm::Twine("'") + strsignal(WTERMSIG(status)) + "'"
                   : "status " + llvm::Twine(WEXITSTATUS(status))) +
              "; write it again");
}
