//===- Machine.cpp - The register-level machine ---------------------------===//

#include "ane/Engine/Machine.h"
#include "MachineState.h"
#include "Plan/Planner.h"
#include "Plan/TaskOrder.h"
#include "Watch/TaskView.h"
#include "ane/Support/FileError.h"
#include "ane/TaskDescriptor/Convert.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;

namespace {

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

/// Tasks of a program whose results are computed in advance. A text of many
/// tasks must not take many times its size.
constexpr unsigned maxTabulated = 64;

bool takesOver(const TaskPlan &plan) {
  if (const auto *neural = std::get_if<NeuralTask>(&plan))
    return !neural->source.source;
  return !std::get<PlanarTask>(plan).first.source;
}

} // namespace

RunObserver::~RunObserver() = default;
Error RunObserver::before(unsigned) { return Error::success(); }
Error RunObserver::after(unsigned) { return Error::success(); }

Machine::Machine(std::unique_ptr<MachineState> state)
    : state(std::move(state)) {}
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

  auto state = std::make_unique<MachineState>(std::move(*memory));
  state->file = text.file.str();
  state->images = td::effectiveImages(*tasks);
  std::optional<Extents> chained;
  TaskOrder order;
  unsigned tabulated = 0;
  for (auto [index, task, registers] : llvm::enumerate(*tasks, state->images)) {
    uint64_t place = text.fileOffset + task.textOffset.value_or(0);
    std::string name = ("task " + llvm::Twine(index) + ": ").str();
    auto fail = [&](const llvm::Twine &message) {
      return makeFileError(text.file, place, name + message);
    };
    if (Error error = order.next(registers))
      return fail(llvm::toString(std::move(error)));
    Expected<TaskPlan> plan = Planner(registers, state->memory, chained).plan();
    if (!plan)
      return fail(llvm::toString(plan.takeError()));
    if (chained && !takesOver(*plan))
      return fail("it does not take the result that the task before hands "
                  "over");
    chained = handedOver(*plan);
    if (auto *neural = std::get_if<NeuralTask>(&*plan);
        neural && tabulated < maxTabulated)
      tabulated += tabulate(*neural);
    state->plans.push_back(std::move(*plan));
    state->fileOffsets.push_back(place);
  }
  if (chained)
    return makeFileError(text.file, text.fileOffset,
                         "the last task hands its result to a next one");
  if (Error error = order.end())
    return makeFileError(text.file, text.fileOffset,
                         llvm::toString(std::move(error)));
  state->rowGroups = findRowGroups(state->plans);
  return std::unique_ptr<Machine>(new Machine(std::move(state)));
}

unsigned Machine::numTasks() const { return state->plans.size(); }

llvm::MutableArrayRef<uint8_t> Machine::memory(unsigned index) {
  MemorySection &section = state->memory.sections()[index];
  if (!section.owned)
    return {};
  return {section.data(), section.bytes.size()};
}

llvm::ArrayRef<td::RegisterImage> Machine::registers() const {
  return state->images;
}

Error Machine::taskError(unsigned task, const llvm::Twine &message) const {
  return makeFileError(state->file, state->fileOffsets[task],
                       "task " + llvm::Twine(task) + ": " + message);
}

Error Machine::run(unsigned threads, Numerics numerics) {
  start(threads, numerics);
  llvm::ArrayRef<RowGroup> groups = state->rowGroups;
  for (unsigned index = 0; index < state->plans.size();) {
    state->current.store(index, std::memory_order_relaxed);
    if (!groups.empty() && groups.front().begin == index) {
      const RowGroup &group = groups.front();
      groups = groups.drop_front();
      if (engine::execute(state->execution, group)) {
        index = group.end;
        continue;
      }
    }
    if (Error error = execute(index++))
      return error;
  }
  return Error::success();
}

void Machine::start(unsigned threads, Numerics numerics) {
  state->memory.reset();
  Execution &execution = state->execution;
  execution.workers.setThreads(threads);
  execution.numerics = numerics;
  execution.chain = Tensor();
  execution.odd.reset();
}

Error Machine::execute(unsigned task) {
  std::visit([&](const auto &plan) { engine::execute(state->execution, plan); },
             state->plans[task]);
  if (!state->execution.odd)
    return Error::success();
  auto [index, value] = *state->execution.odd;
  const Result &result = std::get<NeuralTask>(state->plans[task]).result;
  RowPosition at(result.extents, index / result.extents.width);
  std::string place, number;
  llvm::raw_string_ostream(number) << llvm::format("%.9g", value);
  for (const View &view : viewsOf(*state, task))
    if (view.role == View::Result)
      place = view.place();
  return taskError(
      task,
      llvm::toString(refuseField(
          state->images[task], td::Field::OutFmt,
          llvm::formatv("{0} ({1}) has {2} at [{3}, {4}, {5}, {6}, {7}], "
                        "element {8}; of numbers other than 0 and 1 it "
                        "is not known how they become 8 bits",
                        stringify(View::Result), place, number, at.g, at.d,
                        at.c, at.h, index % result.extents.width, index)
              .str())));
}

Error Machine::run(RunObserver &observer, unsigned threads, Numerics numerics) {
  start(threads, numerics);
  for (unsigned index = 0; index < state->plans.size(); ++index) {
    state->current.store(index, std::memory_order_relaxed);
    if (Error error = observer.before(index))
      return error;
    if (Error error = execute(index))
      return error;
    if (Error error = observer.after(index))
      return error;
  }
  return Error::success();
}
