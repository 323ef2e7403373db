//===- FuzzHwx.cpp - Any bytes as a container -----------------------------===//
//
// What is accepted must be written as the same bytes. Its tasks are decoded and
// it is packaged, either of which may be refused.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "ane/Firmware/Audit.h"
#include "ane/Firmware/Package.h"
#include "ane/Object/AddressMap.h"
#include "ane/Object/Reader.h"
#include "ane/Object/Writer.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"

using namespace ane;

static void decodeTasks(const object::Object &container) {
  const auto *text = container.findSection(object::SectionType::Text);
  const auto *program = container.first<object::ProgramDescriptor>();
  if (!text || !program)
    return;
  td::EncodedText encoded = {};
  encoded.file = "input.hwx";
  encoded.fileOffset = text->fileOffset;
  encoded.bytes = text->bytes();
  encoded.entry = program->entry - text->address;
  encoded.firstTaskWords = program->firstTaskWordsLessOne + 1;
  encoded.numTasks = program->taskCount;
  auto tasks = td::decodeProgram(encoded);
  if (!tasks)
    fuzz::refused(tasks.takeError());
}

static void package(const object::Object &container) {
  auto package = firmware::packageContainer(container);
  if (!package)
    return llvm::consumeError(package.takeError());
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (llvm::Error error = firmware::writePackage(*package, os))
    return llvm::consumeError(std::move(error));
  firmware::auditPackage(llvm::MemoryBufferRef(bytes, "output.fw"));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef input = fuzz::textOf(data, size);
  auto container = object::readObject(
      llvm::MemoryBuffer::getMemBufferCopy(input, "input.hwx"));
  if (!container) {
    fuzz::refused(container.takeError());
    return 0;
  }
  auto map = object::AddressMap::create(*container);
  if (!map)
    llvm::consumeError(map.takeError());
  decodeTasks(*container);
  package(*container);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  fuzz::check(object::writeObject(*container, os), "not written");
  if (bytes != input)
    fuzz::fail("what was read is written as something else");
  return 0;
}
