//===- FuzzPlist.cpp - Any text as a network description ------------------===//
//
// What is accepted must be written, and read as the same from there.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "ane/NetPlist/NetPlist.h"

using namespace ane;

static std::string write(const netplist::NetPlist &description) {
  std::string text;
  llvm::raw_string_ostream os(text);
  fuzz::check(netplist::writeNetPlist(description, os), "not written");
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto read = [](llvm::StringRef text) {
    return netplist::readNetPlist(llvm::MemoryBufferRef(text, "input.plist"));
  };
  auto first = read(fuzz::textOf(data, size));
  if (!first) {
    fuzz::refused(first.takeError());
    return 0;
  }
  std::string text = write(*first);
  auto second = read(text);
  fuzz::check(second.takeError(), "what was written is not read");
  if (!(*second == *first) || write(*second) != text)
    fuzz::fail("what was written is read as something else", text);
  return 0;
}
