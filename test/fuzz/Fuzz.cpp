//===- Fuzz.cpp - What all fuzzers share ----------------------------------===//

#include "Fuzz.h"

// Some objects are allocated by LLVM's own archives, which know nothing of the
// poison that LLVM's headers, compiled here, put on their memory.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0";
}

void ane::fuzz::fail(const llvm::Twine &what, llvm::StringRef input) {
  llvm::errs() << "error: " << what << "\n" << input << "\n";
  std::abort();
}

void ane::fuzz::refused(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  if (!llvm::StringRef(text).contains(": error: "))
    fail("a refusal without a place: " + text);
}
