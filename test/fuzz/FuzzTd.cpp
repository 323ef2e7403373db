//===- FuzzTd.cpp - Any bytes as a task descriptor stream -----------------===//
//
// Four bytes say what a container says of its text: the number of tasks in two
// and the words of the first in two. The text follows. What is accepted must
// encode, and decode to the same tasks from there.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "ane/TaskDescriptor/Disassembler.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "ane/TaskDescriptor/V10.h"

using namespace ane;

static td::EncodedText asText(llvm::ArrayRef<uint8_t> bytes) {
  td::EncodedText text = {};
  text.file = "input.td";
  text.bytes = bytes;
  if (td::detectFormat(bytes) == td::Format::V10)
    text.entry = sizeof(td::v10::ProgramHeader);
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  constexpr size_t headBytes = 4;
  if (size < headBytes)
    return 0;
  td::EncodedText text = asText({data + headBytes, size - headBytes});
  text.numTasks = llvm::support::endian::read16le(data);
  text.firstTaskWords = llvm::support::endian::read16le(data + 2);
  auto first = td::decodeProgram(text);
  if (!first) {
    fuzz::refused(first.takeError());
    return 0;
  }
  for (auto [index, task] : llvm::enumerate(*first))
    td::printTask(llvm::nulls(), task, index);
  auto encoded = td::encodeProgram(*first, td::detectFormat(text.bytes));
  fuzz::check(encoded.takeError(), "what was decoded does not encode");
  td::EncodedText again = asText(encoded->text);
  again.entry = encoded->entry;
  again.firstTaskWords = encoded->firstTaskWords;
  again.numTasks = first->size();
  auto second = td::decodeProgram(again);
  fuzz::check(second.takeError(), "what was encoded does not decode");
  for (auto [a, b] : llvm::zip_equal(*first, *second))
    if (!(a.image == b.image))
      fuzz::fail("what was encoded decodes to something else");
  return 0;
}
