//===- TaskFile.cpp - Decoded task descriptors as JSON --------------------===//

#include "TaskFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ane;
using namespace ane::engine::test;
using llvm::Error;
using llvm::Expected;

Error engine::test::setRegister(td::RegisterImage &image, uint32_t address,
                                uint32_t value) {
  for (auto [index, block] : llvm::enumerate(td::blockTable())) {
    auto name = static_cast<td::Block>(index);
    if (name != td::Block::Header && address >= block.address &&
        address < block.address + 4 * block.words) {
      image.setWord(name, (address - block.address) / 4, value);
      return Error::success();
    }
  }
  return llvm::createStringError("no register at " + llvm::Twine(address));
}

static td::TaskDescriptor zeroTask() {
  td::TaskDescriptor task;
  for (auto [index, block] : llvm::enumerate(td::blockTable()))
    for (unsigned word = 0; word < block.words; ++word)
      task.image.setWord(static_cast<td::Block>(index), word, 0);
  return task;
}

td::TaskDescriptor
engine::test::taskOf(llvm::ArrayRef<uint32_t> header,
                     llvm::ArrayRef<std::pair<uint32_t, uint32_t>> registers) {
  constexpr uint32_t lanes = 0x1f808, laneSizes = 0x1f888, streams = 0x1f8c8,
                     streamSizes = 0x1f8e8, off = 0x80, size = 0x40;
  td::TaskDescriptor task = zeroTask();
  auto set = [&](uint32_t address, uint32_t value) {
    llvm::cantFail(setRegister(task.image, address, value));
  };
  for (auto [index, word] : llvm::enumerate(header))
    task.image.setWord(td::Block::Header, index, word);
  for (uint32_t i = 0; i < td::numLanes; ++i) {
    set(lanes + 4 * i, off);
    set(laneSizes + 4 * i, size);
  }
  for (uint32_t i = 0; i < 4; ++i) {
    set(streams + 4 * i, off);
    set(streamSizes + 4 * i, size);
  }
  for (auto [address, value] : registers)
    set(address, value);
  return task;
}

static Expected<td::TaskDescriptor> readTask(const llvm::json::Object &json) {
  td::TaskDescriptor task = zeroTask();
  const llvm::json::Array *header = json.getArray("header_words");
  const llvm::json::Object *blocks = json.getObject("blocks");
  if (!header || !blocks)
    return llvm::createStringError("a task without header or blocks");
  uint32_t value;
  for (auto [index, word] : llvm::enumerate(*header)) {
    if (word.getAsString().value_or("").getAsInteger(16, value))
      return llvm::createStringError("a header word is no number");
    task.image.setWord(td::Block::Header, index, value);
  }
  for (const auto &[name, block] : *blocks)
    for (const auto &[key, word] : *block.getAsObject()) {
      uint32_t address;
      if (llvm::StringRef(key).getAsInteger(0, address) ||
          word.getAsString().value_or("").getAsInteger(16, value))
        return llvm::createStringError("a register is no number");
      if (Error error = setRegister(task.image, address, value))
        return error;
    }
  return task;
}

Expected<std::vector<td::TaskDescriptor>>
engine::test::readTaskFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::errorCodeToError(buffer.getError());
  Expected<llvm::json::Value> json = llvm::json::parse((*buffer)->getBuffer());
  if (!json)
    return json.takeError();
  std::vector<td::TaskDescriptor> tasks;
  for (const llvm::json::Value &value :
       *json->getAsObject()->getArray("tasks")) {
    Expected<td::TaskDescriptor> task = readTask(*value.getAsObject());
    if (!task)
      return task.takeError();
    tasks.push_back(std::move(*task));
  }
  return tasks;
}
