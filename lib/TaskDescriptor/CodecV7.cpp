//===- CodecV7.cpp - The record stream of real H13 programs ---------------===//
//
// Behind the header a v7 descriptor is a list of records, each a word that says
// how many registers follow and the address of the first, then their values.
// Verified: re-encoding reproduces the descriptors of all real programs.
//
//===----------------------------------------------------------------------===//

#include "Codec.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <array>
#include <optional>

using namespace ane::td;
using ane::td::v7::RecordHeader;
using llvm::Expected;

namespace {

/// The lane bases and sizes: a task without a kernel does not write them.
RegisterRun laneAddresses() {
  const FieldInfo &base = fieldInfo(Field::CoeffBase);
  const FieldInfo &size = fieldInfo(Field::CoeffSize);
  return {Block::KernelDMASrc, static_cast<uint16_t>(base.offset / 4),
          static_cast<uint16_t>((size.offset - base.offset) / 4 + size.count)};
}

bool usesLanes(const RegisterImage &image) {
  RegisterRun lanes = laneAddresses();
  static const RegisterImage idle;
  for (unsigned i = 0; i < lanes.words; ++i)
    if (image.word(lanes.block, lanes.firstWord + i) !=
        idle.word(lanes.block, lanes.firstWord + i))
      return true;
  for (unsigned lane = 0; lane < numLanes; ++lane)
    if (image.isSet(Field::CoeffEn, lane))
      return true;
  return false;
}

/// The records that Apple's current compiler writes: every block whole, but
/// without the lane addresses where no lane is used.
llvm::SmallVector<RegisterRun, 8> canonicalRuns(const RegisterImage &image) {
  llvm::SmallVector<RegisterRun, 8> runs;
  for (auto [index, info] : llvm::enumerate(blockTable())) {
    auto block = static_cast<Block>(index);
    if (block == Block::Header)
      continue;
    if (block == Block::KernelDMASrc && !usesLanes(image)) {
      RegisterRun lanes = laneAddresses();
      uint16_t end = lanes.firstWord + lanes.words;
      runs.push_back({block, 0, lanes.firstWord});
      runs.push_back({block, end, static_cast<uint16_t>(info.words - end)});
      continue;
    }
    runs.push_back({block, 0, info.words});
  }
  return runs;
}

/// A register that no record writes would lose its value.
llvm::Error checkWritten(const RegisterImage &image,
                         llvm::ArrayRef<RegisterRun> runs) {
  static const RegisterImage idle;
  RegisterImage rest = image;
  for (const RegisterRun &run : runs)
    for (unsigned i = 0; i < run.words; ++i)
      rest.setWord(run.block, run.firstWord + i,
                   idle.word(run.block, run.firstWord + i));
  for (auto [index, info] : llvm::enumerate(blockTable())) {
    auto block = static_cast<Block>(index);
    for (unsigned word = 0; block != Block::Header && word < info.words; ++word)
      if (rest.word(block, word) != idle.word(block, word))
        return llvm::createStringError(llvm::formatv(
            "register {0:x5} = {1:x8} is not at its default, {2:x8}, but no "
            "record writes it; leave TaskDescriptor::runs empty to write all",
            info.address + 4 * word, rest.word(block, word),
            idle.word(block, word)));
  }
  return llvm::Error::success();
}

/// Where a record of `count` registers lies, as far as it is in one block.
std::optional<RegisterRun> findRun(const RecordHeader &header) {
  for (auto [index, block] : llvm::enumerate(blockTable()))
    if (static_cast<Block>(index) != Block::Header && header.address % 4 == 0 &&
        header.address >= block.address &&
        header.address + 4 * header.count <= block.address + 4 * block.words)
      return RegisterRun{
          static_cast<Block>(index),
          static_cast<uint16_t>((header.address - block.address) / 4),
          static_cast<uint16_t>(header.count)};
  return std::nullopt;
}

} // namespace

uint64_t ane::td::v7::bytesOfTaskWithKernel() {
  uint64_t words = headerWords;
  for (auto [index, info] : llvm::enumerate(blockTable()))
    if (static_cast<Block>(index) != Block::Header)
      words += 1 + info.words;
  return words * sizeof(uint32_t);
}

std::optional<CoefficientSwitch> ane::td::coefficientSwitch(Block block,
                                                            unsigned word) {
  const FieldInfo &lanes = fieldInfo(Field::CoeffBase);
  if (block != lanes.block)
    return std::nullopt;
  if (unsigned lane = word - lanes.offset / 4; lane < lanes.count)
    return CoefficientSwitch{Field::CoeffEn, lane};
  for (auto [index, base] : llvm::enumerate(streamBases))
    if (fieldInfo(base).offset / 4 == word)
      return CoefficientSwitch{Field::StreamEn, unsigned(index)};
  return std::nullopt;
}

Expected<EncodedTask> ane::td::encodeTaskV7(const TaskDescriptor &task) {
  const RegisterImage &image = task.image;
  Expected<EncodedTask> result = encodeHeader(image);
  if (!result)
    return result.takeError();

  llvm::SmallVector<RegisterRun, 8> runs =
      task.runs.empty() ? canonicalRuns(image) : task.runs;
  if (llvm::Error error = checkWritten(image, runs))
    return error;
  for (const RegisterRun &run : runs) {
    RecordHeader header{blockInfo(run.block).address + 4u * run.firstWord,
                        run.words};
    result->words.push_back(header.encode());
    for (unsigned i = 0; i < run.words; ++i) {
      unsigned word = run.firstWord + i;
      std::optional<CoefficientSwitch> stream =
          coefficientSwitch(run.block, word);
      if (stream && image.isSet(stream->enable, stream->index))
        result->relocations.push_back(
            {static_cast<uint32_t>(result->words.size() * 4),
             RelocationSite::Target::Coefficients,
             static_cast<uint8_t>(image.get(Field::KBase0))});
      result->words.push_back(image.word(run.block, word));
    }
  }
  return result;
}

Expected<TaskDescriptor> ane::td::decodeTaskV7(const TextReader &reader,
                                               uint64_t offset,
                                               uint32_t words) {
  TaskDescriptor task;
  Expected<unsigned> headerSize =
      decodeHeader(reader, offset, words, task.image);
  if (!headerSize)
    return headerSize.takeError();

  // The word of the record that wrote a register, 0 for none.
  std::array<unsigned, numImageWords> writers = {};
  uint32_t position = *headerSize;
  while (position < words) {
    uint64_t recordOffset = offset + 4ull * position;
    Expected<uint32_t> headerWord = reader.word(recordOffset, "a record");
    if (!headerWord)
      return headerWord.takeError();
    RecordHeader header = RecordHeader::decode(*headerWord);
    if (header.count > words - position - 1)
      return reader.error(
          recordOffset,
          llvm::formatv("a record of {0} registers at {1:x5} does not fit the "
                        "{2} words its descriptor has left",
                        header.count, header.address, words - position - 1));

    std::optional<RegisterRun> run = findRun(header);
    if (!run)
      return reader.error(
          recordOffset,
          llvm::formatv("a record of {0} registers at {1:x5} lies in no known "
                        "register block",
                        header.count, header.address));
    for (unsigned i = 0; i < run->words; ++i) {
      unsigned word = run->firstWord + i;
      unsigned &writer = writers[RegisterImage::indexOf(run->block, word)];
      if (writer)
        return reader.error(
            recordOffset,
            llvm::formatv("register {0:x5} is written twice, first by the "
                          "record at byte {1} of the descriptor",
                          blockInfo(run->block).address + 4 * word,
                          4 * writer));
      writer = position;
      Expected<uint32_t> value =
          reader.word(recordOffset + 4 + 4 * i, "a register value");
      if (!value)
        return value.takeError();
      task.image.setWord(run->block, word, *value);
    }
    task.runs.push_back(*run);
    position += 1 + header.count;
  }
  // No record at all would be read as one that writes everything.
  if (task.runs.empty())
    return reader.error(offset, "a descriptor of " + llvm::Twine(words) +
                                    " words has no record behind its header");
  return task;
}
