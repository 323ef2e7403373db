//===- PublicRecord.cpp - Programs of which every word is public ----------===//

#include "PublicRecord.h"
#include "TaskFile.h"
#include "llvm/ADT/STLExtras.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

/// What all tasks of such programs have in registers that they do not use.
static std::vector<RecordedWords> atRest() {
  constexpr uint32_t idleLane = 0x80, idleBytes = 0x40;
  constexpr unsigned numStreams = 4;
  return {{0x00004, {1}},
          {0x00018, {1, 0x5000a021, 0x2041, 0x10001}},
          {0x04830, {0x140}},
          {0x0c804, {0x100000}},
          {0x13800, {0x8880, 0x8880}},
          {0x13838, {0x1000000, 0, 0x100}},
          {0x17800, {0xc0}},
          {0x17818, {0x1000000}},
          {0x1f808, std::vector(td::numLanes, idleLane)},
          {0x1f8c8, std::vector(numStreams, idleLane)},
          {0x1f8e8, std::vector(numStreams, idleBytes)}};
}

static void write(td::RegisterImage &image,
                  const std::vector<RecordedWords> &all) {
  for (const RecordedWords &run : all)
    for (auto [index, word] : llvm::enumerate(run.words))
      llvm::cantFail(setRegister(image, run.address + 4 * index, word));
}

std::vector<td::TaskDescriptor> test::tasksOf(const PublicRecord &record) {
  std::vector<td::TaskDescriptor> tasks;
  for (const RecordedTask &recorded : record.tasks) {
    td::RegisterImage image;
    for (auto [index, block] : llvm::enumerate(td::blockTable()))
      for (unsigned word = 0; word < block.words; ++word)
        image.setWord(static_cast<td::Block>(index), word, 0);
    for (auto [index, word] : llvm::enumerate(recorded.header))
      image.setWord(td::Block::Header, index, word);
    for (const auto &words : {atRest(), record.common, recorded.words})
      write(image, words);
    if (image.isSet(Field::KBE0))
      image.set(Field::KBase0, object::BarConstants);
    tasks.push_back(makeTask(image));
  }
  return tasks;
}
