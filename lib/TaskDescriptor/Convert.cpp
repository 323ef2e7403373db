//===- Convert.cpp - A program in the other spelling ----------------------===//

#include "ane/TaskDescriptor/Convert.h"
#include "llvm/ADT/STLExtras.h"
#include <bitset>

using namespace ane::td;

namespace {

using WordSet = std::bitset<numImageWords>;

/// The registers that a task states: all, unless records say which.
WordSet statedBy(const TaskDescriptor &task) {
  WordSet stated;
  if (task.runs.empty())
    return stated.set();
  for (unsigned word = 0; word < blockInfo(Block::Header).words; ++word)
    stated.set(RegisterImage::indexOf(Block::Header, word));
  for (const RegisterRun &run : task.runs)
    for (unsigned i = 0; i < run.words; ++i)
      stated.set(RegisterImage::indexOf(run.block, run.firstWord + i));
  return stated;
}

unsigned indexOf(Field field, unsigned element) {
  const FieldInfo &info = fieldInfo(field);
  return RegisterImage::indexOf(info.block, info.offset / 4 + element);
}

} // namespace

std::vector<RegisterImage>
ane::td::effectiveImages(llvm::ArrayRef<TaskDescriptor> tasks) {
  std::vector<RegisterImage> images;
  RegisterImage registers;
  for (const TaskDescriptor &task : tasks) {
    WordSet stated = statedBy(task);
    for (auto [index, info] : llvm::enumerate(blockTable())) {
      auto block = static_cast<Block>(index);
      for (unsigned word = 0; word < info.words; ++word)
        if (stated.test(RegisterImage::indexOf(block, word)))
          registers.setWord(block, word, task.image.word(block, word));
    }
    RegisterImage image = registers;
    for (unsigned lane = 0; lane < numLanes; ++lane)
      for (Field field : {Field::CoeffBase, Field::CoeffSize})
        if (!image.isSet(Field::CoeffEn, lane) &&
            !stated.test(indexOf(field, lane)))
          image.set(field, fieldInfo(field).defaultValue, lane);
    images.push_back(image);
  }
  return images;
}

llvm::Expected<std::vector<TaskDescriptor>>
ane::td::convertProgram(llvm::ArrayRef<TaskDescriptor> tasks, Format format) {
  std::vector<TaskDescriptor> converted;
  for (const RegisterImage &image : effectiveImages(tasks))
    converted.push_back({image, {}, std::nullopt});
  // The encoder knows what has no place; it says so by task and register.
  llvm::Expected<EncodedProgram> encoded = encodeProgram(converted, format);
  if (!encoded)
    return encoded.takeError();
  return converted;
}
