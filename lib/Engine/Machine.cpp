//===- Machine.cpp - The register-level machine ---------------------------===//

#include "ane/Engine/Machine.h"
#include "Execute.h"
#include "Planner.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::engine;
using llvm::Expected;

struct Machine::State {
  explicit State(Memory memory) : memory(std::move(memory)) {}

  Memory memory;
  std::vector<TaskPlan> plans;
};

namespace {

/// Takes a v7 task as what it changes: registers that its records do not write
/// keep their value. Verified: tasks without coefficients leave the lane
/// addresses out.
void inherit(const td::TaskDescriptor &task, td::RegisterImage &registers) {
  const td::BlockInfo &header = td::blockInfo(td::Block::Header);
  for (unsigned word = 0; word < header.words; ++word)
    registers.setWord(td::Block::Header, word,
                      task.image.word(td::Block::Header, word));
  for (const td::RegisterRun &run : task.runs)
    for (unsigned i = 0; i < run.words; ++i)
      registers.setWord(run.block, run.firstWord + i,
                        task.image.word(run.block, run.firstWord + i));
}

/// The offsets of the descriptors in the text.
std::vector<uint64_t> offsetsOf(const td::EncodedText &text,
                                llvm::ArrayRef<td::TaskDescriptor> tasks) {
  std::vector<uint64_t> offsets;
  uint64_t offset = text.entry;
  for (const td::TaskDescriptor &task : tasks) {
    offsets.push_back(offset);
    offset = task.image.get(td::Field::NextPointer);
  }
  return offsets;
}

/// The extents that the next task can take over.
std::optional<Extents> handedOver(const TaskPlan &plan) {
  return std::visit(
      [](const auto &task) -> std::optional<Extents> {
        if (!task.result.chained())
          return std::nullopt;
        return task.result.extents;
      },
      plan);
}

bool takesOver(const TaskPlan &plan) {
  if (const auto *neural = std::get_if<NeuralTask>(&plan))
    return !neural->source.source;
  return !std::get<PlanarTask>(plan).first.source;
}

} // namespace

Machine::Machine(std::unique_ptr<State> state) : state(std::move(state)) {}
Machine::~Machine() = default;

Expected<std::unique_ptr<Machine>>
Machine::create(const DeviceProgram &program) {
  const td::EncodedText &text = program.text;
  Expected<std::vector<td::TaskDescriptor>> tasks = td::decodeProgram(text);
  if (!tasks)
    return tasks.takeError();
  Expected<Memory> memory = Memory::create(program.sections, text.bars);
  if (!memory)
    return makeFileError(text.file, text.fileOffset,
                         llvm::toString(memory.takeError()));

  auto state = std::make_unique<State>(std::move(*memory));
  bool sparse = td::detectFormat(text.bytes) == td::Format::V7;
  td::RegisterImage registers;
  std::optional<Extents> chained;
  std::vector<uint64_t> offsets = offsetsOf(text, *tasks);
  for (auto [index, task, offset] : llvm::enumerate(*tasks, offsets)) {
    uint64_t place = text.fileOffset + offset;
    std::string name = ("task " + llvm::Twine(index) + ": ").str();
    auto fail = [&](const llvm::Twine &message) {
      return makeFileError(text.file, place, name + message);
    };
    if (sparse)
      inherit(task, registers);
    else
      registers = task.image;
    Expected<TaskPlan> plan = Planner(registers, state->memory, chained).plan();
    if (!plan)
      return fail(llvm::toString(plan.takeError()));
    if (chained && !takesOver(*plan))
      return fail("it does not take the result that the task before hands "
                  "over");
    chained = handedOver(*plan);
    state->plans.push_back(std::move(*plan));
  }
  if (chained)
    return makeFileError(text.file, text.fileOffset,
                         "the last task hands its result to a next one");
  return std::unique_ptr<Machine>(new Machine(std::move(state)));
}

unsigned Machine::numTasks() const { return state->plans.size(); }

llvm::MutableArrayRef<uint8_t> Machine::memory(unsigned index) {
  MemorySection &section = state->memory.sections()[index];
  if (!section.owned)
    return {};
  return {section.data(), section.bytes.size()};
}

void Machine::run(unsigned threads) {
  state->memory.reset();
  Workers workers(threads);
  Tensor chain;
  for (const TaskPlan &plan : state->plans)
    std::visit([&](const auto &task) { execute(workers, task, chain); }, plan);
}
