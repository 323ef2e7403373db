//===- FuzzE5.cpp - Any bytes as a dispatch descriptor --------------------===//
//
// What is accepted must be written, and read as the same from there.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "ane/E5/E5.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ane;

static std::string write(const e5::Descriptor &descriptor) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  fuzz::check(e5::writeE5(descriptor, os), "not written");
  return bytes;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // A copy, because FlatBuffers want an aligned start.
  auto read = [](llvm::StringRef bytes) {
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(bytes, "input.e5");
    return e5::readE5(buffer->getMemBufferRef());
  };
  llvm::Expected<e5::Descriptor> first = read(fuzz::textOf(data, size));
  if (!first) {
    fuzz::refused(first.takeError());
    return 0;
  }
  std::string bytes = write(*first);
  llvm::Expected<e5::Descriptor> second = read(bytes);
  fuzz::check(second.takeError(), "what was written is not read");
  if (!(*second == *first) || write(*second) != bytes)
    fuzz::fail("what was written is read as something else");
  return 0;
}
