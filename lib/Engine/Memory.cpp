//===- Memory.cpp - Device memory and scratchpad --------------------------===//

#include "Memory.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstring>

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;

static Expected<ZeroedBytes> allocate(uint64_t size, llvm::StringRef what) {
  ZeroedBytes bytes(
      static_cast<uint8_t *>(std::calloc(std::max<uint64_t>(size, 1), 1)),
      std::free);
  if (!bytes)
    return llvm::createStringError(llvm::formatv(
        "there is no memory for the {0} bytes of {1}", size, what));
  return bytes;
}

static Error checkOverlaps(llvm::ArrayRef<MemorySection> sections) {
  std::vector<const MemorySection *> sorted;
  for (const MemorySection &section : sections)
    if (!section.bytes.empty())
      sorted.push_back(&section);
  llvm::sort(sorted, [](const MemorySection *a, const MemorySection *b) {
    return a->address < b->address;
  });
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i]->address < sorted[i - 1]->end())
      return llvm::createStringError(llvm::formatv(
          "sections {0} and {1} overlap at device address {2:x}",
          sorted[i - 1]->name, sorted[i]->name, sorted[i]->address));
  return Error::success();
}

Expected<Memory> Memory::create(llvm::ArrayRef<DeviceSection> sections,
                                llvm::ArrayRef<uint64_t> bars) {
  constexpr uint64_t limit = uint64_t(1) << td::v10::deviceAddressBits;
  Memory memory;
  memory.bars.assign(bars.begin(), bars.end());
  uint64_t total = 0;
  for (const DeviceSection &section : sections) {
    if (section.address > limit || section.size > limit - section.address)
      return llvm::createStringError(llvm::formatv(
          "section {0} of {1} bytes at {2:x} passes the device address space "
          "of 42 bits",
          section.name, section.size, section.address));
    total += section.size;
    if (total > Machine::maxMemory)
      return llvm::createStringError(llvm::formatv(
          "the sections up to {0} take {1} bytes of device memory, more than "
          "the {2} that are provided",
          section.name, total, Machine::maxMemory));
  }
  for (const DeviceSection &section : sections) {
    MemorySection &result = memory.all.emplace_back();
    result.name = section.name;
    result.address = section.address;
    result.scratch = section.scratch;
    if (!section.contents.empty()) {
      if (section.contents.size() != section.size)
        return llvm::createStringError(llvm::formatv(
            "section {0} takes {1} bytes of memory, but has contents of {2}",
            section.name, section.size, section.contents.size()));
      result.bytes = section.contents;
      continue;
    }
    Expected<ZeroedBytes> bytes = allocate(section.size, section.name);
    if (!bytes)
      return bytes.takeError();
    result.owned = std::move(*bytes);
    result.bytes = llvm::ArrayRef(result.owned.get(), section.size);
    result.writable = section.writable;
  }
  for (auto [result, section] : llvm::zip_equal(memory.all, sections))
    if (section.sharesWith) {
      assert(result.bytes.size() ==
                 memory.all[*section.sharesWith].bytes.size() &&
             "sections of one memory have as many bytes");
      result.sharesWith = section.sharesWith;
      result.owned = memory.all[*section.sharesWith].owned;
      result.bytes = memory.all[*section.sharesWith].bytes;
    }
  if (Error error = checkOverlaps(memory.all))
    return error;
  Expected<ZeroedBytes> scratchpad = allocate(l2Bytes, "the scratchpad");
  if (!scratchpad)
    return scratchpad.takeError();
  memory.scratchpad = std::move(*scratchpad);
  return memory;
}

void MemorySection::noteWrite(uint64_t begin, uint64_t end) {
  bool first = writtenBegin == writtenEnd;
  writtenBegin = first ? begin : std::min(writtenBegin, begin);
  writtenEnd = first ? end : std::max(writtenEnd, end);
}

MemorySection *Memory::find(uint64_t address) {
  for (MemorySection &section : all)
    if (address >= section.address && address < section.end())
      return &section;
  return nullptr;
}

uint64_t Memory::canonical(uint64_t address) const {
  const MemorySection *section = find(address);
  if (!section || !section->sharesWith)
    return address;
  return all[*section->sharesWith].address + (address - section->address);
}

void Memory::reset() {
  for (MemorySection &section : all)
    if (section.scratch && section.owned)
      std::memset(section.data() + section.writtenBegin, 0,
                  section.writtenEnd - section.writtenBegin);
  std::memset(l2(), 0, usedL2);
}
