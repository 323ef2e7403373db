//===- Fuzz.h - What all fuzzers share --------------------------*- C++ -*-===//

#ifndef ANE_FUZZ_FUZZ_H
#define ANE_FUZZ_FUZZ_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace ane::fuzz {

/// Prints what is wrong with an input, and aborts.
[[noreturn]] void fail(const llvm::Twine &what, llvm::StringRef input = {});

/// What was read must be fit to be written.
inline void check(llvm::Error error, llvm::StringRef what) {
  if (error)
    fail(what + ": " + llvm::toString(std::move(error)));
}

/// Formats what was refused, which is part of what is tested.
void refused(llvm::Error error);

inline llvm::StringRef textOf(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

/// One in so many inputs changes somewhere else than where a fuzzer changes
/// them.
constexpr unsigned otherChanges = 16;

/// Numbers for a change of an input, the same ones for a seed each time.
class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}

  uint32_t any() { return engine(); }
  size_t below(size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(engine);
  }

private:
  std::minstd_rand engine;
};

} // namespace ane::fuzz

#endif // ANE_FUZZ_FUZZ_H
