//===- Contents.cpp - Bytes that nothing says what they are ---------------===//

#include "ane/Object/Contents.h"
#include "Encode.h"

using namespace ane::object;

std::vector<FileRange> ane::object::bytesOfNoField(const LoadCommand &command) {
  std::vector<FileRange> ranges;
  if (command.verbatim.empty())
    return ranges;
  llvm::SmallVector<uint8_t, 0> known =
      encodeCommand(command.body, command.size);
  size_t size = command.verbatim.size();
  known.resize(size);
  auto isKnown = [&](size_t i) { return command.verbatim[i] == known[i]; };
  for (size_t i = 0; i < size; ++i) {
    if (isKnown(i))
      continue;
    size_t begin = i, end = i + 1;
    // Zeros inside a number are part of it.
    for (size_t j = end; j < size && j - end < sizeof(uint32_t); ++j)
      if (!isKnown(j))
        end = j + 1;
    ranges.push_back({command.fileOffset + begin,
                      command.verbatim.slice(begin, end - begin)});
    i = end;
  }
  return ranges;
}
