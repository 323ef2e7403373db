//===- FuzzEngine.cpp - Any registers in the machine ----------------------===//
//
// A container that is accepted is estimated, checked and run: with its tasks in
// groups of rows, and once more task by task with several threads, which must
// leave the same bytes. Words of its text change one at a time, so that what is
// around them stays a program.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "ane/Engine/Watch.h"
#include "ane/Object/Reader.h"
#include "llvm/Support/Endian.h"
#include <random>

using namespace ane;

namespace {

/// Programs beyond these take too long for one of many.
constexpr uint64_t maxCycles = 1 << 18;
constexpr uint64_t maxBytes = 1 << 24;
constexpr size_t maxTasks = 64;
constexpr unsigned numThreads = 3;

llvm::Expected<object::Object> read(const uint8_t *data, size_t size) {
  return object::readObject(llvm::MemoryBuffer::getMemBufferCopy(
      fuzz::textOf(data, size), "input.hwx"));
}

uint64_t memoryOf(const object::Object &container) {
  uint64_t bytes = 0;
  for (const object::LoadCommand &command : container.commands)
    if (const auto *segment = std::get_if<object::Segment>(&command.body))
      for (const object::Section &section : segment->sections)
        bytes = llvm::SaturatingAdd(bytes, section.size);
  return bytes;
}

/// The memory of all ports, one after the other.
using Surfaces = std::vector<llvm::MutableArrayRef<uint8_t>>;

Surfaces surfacesOf(engine::LoadedProgram &program) {
  Surfaces surfaces;
  for (const engine::DevicePort &port : program.ports())
    surfaces.push_back(program.machine().memory(port.section));
  return surfaces;
}

/// With numbers of all kinds, the same each time.
void fill(const Surfaces &surfaces) {
  std::minstd_rand random;
  for (llvm::MutableArrayRef<uint8_t> surface : surfaces)
    for (uint8_t &byte : surface)
      byte = random();
}

std::vector<std::vector<uint8_t>> copyOf(const Surfaces &surfaces) {
  std::vector<std::vector<uint8_t>> copies;
  for (llvm::MutableArrayRef<uint8_t> surface : surfaces)
    copies.emplace_back(surface.begin(), surface.end());
  return copies;
}

void runTwice(engine::LoadedProgram &program) {
  Surfaces surfaces = surfacesOf(program);
  fill(surfaces);
  llvm::Error first = program.machine().run(1);
  std::vector<std::vector<uint8_t>> results = copyOf(surfaces);
  fill(surfaces);
  engine::RunObserver watching;
  llvm::Error second = program.machine().run(watching, numThreads);
  if (bool(first) != bool(second))
    fuzz::fail("only one of two runs fails");
  // A run that fails leaves out what is behind; how much of what is before it
  // is done is not said.
  if (!first && results != copyOf(surfaces))
    fuzz::fail("two runs differ");
  for (llvm::Error *error : {&first, &second})
    if (*error)
      fuzz::refused(std::move(*error));
}

void runProcedure(object::Object container, llvm::StringRef name) {
  engine::ProgramOptions options;
  options.procedure = name;
  auto program =
      engine::LoadedProgram::create(std::move(container), "input.hwx", options);
  if (!program)
    return fuzz::refused(program.takeError());
  engine::Machine &machine = (*program)->machine();
  cost::ProgramCost cost =
      cost::estimateProgram(machine.registers(), *findTarget("h13"));
  cost::printCost(llvm::nulls(), cost);
  engine::writeTrace(llvm::nulls(), cost);
  engine::checkProgram(**program);
  if (cost.total.computeCycles <= maxCycles &&
      cost.total.l2Cycles <= maxCycles && cost.tasks.size() <= maxTasks)
    runTwice(**program);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto container = read(data, size);
  if (!container) {
    llvm::consumeError(container.takeError());
    return 0;
  }
  if (memoryOf(*container) > maxBytes)
    return 0;
  for (const object::LoadCommand &command : container->commands)
    if (const auto *program =
            std::get_if<object::ProgramDescriptor>(&command.body))
      runProcedure(llvm::cantFail(read(data, size)), program->procedure);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  fuzz::Random random(seed);
  auto container = read(data, size);
  const object::Section *text =
      container ? container->findSection(object::SectionType::Text) : nullptr;
  size_t numWords = text ? text->bytes().size() / sizeof(uint32_t) : 0;
  if (!container)
    llvm::consumeError(container.takeError());
  if (numWords == 0 || random.below(fuzz::otherChanges) == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  uint8_t *words = data + text->fileOffset;
  auto *word = words + random.below(numWords) * sizeof(uint32_t);
  uint32_t value = llvm::support::endian::read32le(word);
  unsigned bit = random.below(32);
  switch (random.below(6)) {
  case 0:
    value ^= 1u << bit;
    break;
  case 1:
    value += random.below(2) ? 1u << bit : -(1u << bit);
    break;
  case 2:
    value = llvm::support::endian::read32le(words + random.below(numWords) *
                                                        sizeof(uint32_t));
    break;
  case 3:
    value = 0;
    break;
  case 4: // a few bits of it
    value ^= uint32_t(random.below(16)) << bit;
    break;
  default:
    value = random.any();
  }
  llvm::support::endian::write32le(word, value);
  return size;
}
