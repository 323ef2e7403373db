//===- Report.cpp - What a compiled program costs, op by op ---------------===//

#include "ane/Report/Report.h"
#include "ane/Support/Counted.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <set>

using namespace ane;
using namespace ane::report;

namespace {

/// Tasks by the statement they come from. Those of no statement stand alone.
std::vector<OpCost> groupByOrigin(const Report &report) {
  std::vector<OpCost> ops;
  llvm::StringMap<size_t> indices;
  std::vector<std::array<uint64_t, 4>> cyclesOf;
  for (auto [index, task] : llvm::enumerate(report.cost.tasks)) {
    const Origin &origin = report.origins[index];
    std::string key =
        origin.place.empty() && origin.name.empty()
            ? "task " + std::to_string(index)
            : origin.place + '\0' + origin.name + '\0' + origin.procedure;
    auto [entry, isNew] = indices.try_emplace(key, ops.size());
    if (isNew) {
      ops.push_back({origin, {}, {}, {}});
      cyclesOf.emplace_back();
    }
    OpCost &op = ops[entry->second];
    op.tasks.push_back(index);
    op.total += task;
    llvm::StringRef engine = td::stringifyEngine(task.engine);
    if (!llvm::StringRef(op.engines).contains(engine))
      op.engines += (op.engines.empty() ? "" : "+") + engine.str();
    uint64_t &cycles = cyclesOf[entry->second][static_cast<size_t>(task.bound)];
    cycles = llvm::SaturatingAdd(cycles, task.cycles);
  }
  for (auto [op, cycles] : llvm::zip_equal(ops, cyclesOf))
    op.total.bound =
        static_cast<cost::Bound>(llvm::max_element(cycles) - cycles.begin());
  return ops;
}

} // namespace

/// What a run of each procedure costs. Its tasks are told apart by its name.
static void addProcedures(Report &report, const Program &program) {
  size_t first = 0;
  for (const Procedure &procedure : program.procedures) {
    cost::ProgramCost cost = cost::estimateProgram(
        llvm::ArrayRef(program.images).slice(first, procedure.numTasks),
        *report.target);
    report.procedures.push_back({procedure.name, first, procedure.numTasks,
                                 cost.total, cost.readBytes, cost.writtenBytes,
                                 cost.microseconds()});
    for (size_t task = first; task < first + procedure.numTasks; ++task)
      report.origins[task].procedure = procedure.name;
    first += procedure.numTasks;
  }
}

Report report::makeReport(Program program, const TargetDescription &target) {
  Report report;
  report.title = std::move(program.title);
  report.target = &target;
  report.cost = cost::estimateProgram(program.images, target);
  report.origins = std::move(program.origins);
  report.origins.resize(report.cost.tasks.size());
  report.opsWithoutTask = std::move(program.opsWithoutTask);
  report.hazards = std::move(program.hazards);
  report.scratchBytes = program.scratchBytes;
  report.compulsoryBytes = llvm::SaturatingAdd(
      llvm::SaturatingAdd(program.inputBytes, program.outputBytes),
      program.constantBytes);
  if (program.procedures.size() > 1)
    addProcedures(report, program);
  report.ops = groupByOrigin(report);
  for (auto [index, task] : llvm::enumerate(report.cost.tasks)) {
    for (const cost::L2Range &range : task.l2Ranges)
      report.l2.push_back({index, range.role, range.begin, range.end});
    for (const td::Stream &stream :
         td::summarize(program.images[index]).streams)
      if (stream.inMemory() && stream.bar == program.scratchBar)
        report.scratch.push_back(
            {index, stream.role, stream.offset,
             llvm::SaturatingAdd(stream.offset, stream.span)});
  }
  return report;
}

llvm::StringRef report::stringifyFate(OpWithoutTask::Fate fate) {
  switch (fate) {
  case OpWithoutTask::Fate::Shared:
    return "shared";
  case OpWithoutTask::Fate::Known:
    return "known";
  case OpWithoutTask::Fate::Unread:
    return "unread";
  case OpWithoutTask::Fate::InPlace:
    return "in-place";
  case OpWithoutTask::Fate::Unnamed:
    return "unnamed";
  }
  llvm_unreachable("invalid fate");
}

/// The statement that names the first of the tasks, and how many others name
/// some.
static std::string describeSharers(const OpWithoutTask &op,
                                   const Report &report) {
  const Origin &first = report.origins[op.tasks.front()];
  std::set<std::pair<llvm::StringRef, llvm::StringRef>> sharers;
  for (size_t task : op.tasks)
    sharers.emplace(report.origins[task].place, report.origins[task].name);
  std::string text = "in " + first.op + ' ' + first.name + " at " + first.place;
  if (sharers.size() > 1)
    text += " and " + counted(sharers.size() - 1, "other");
  return text;
}

std::string report::describeFate(const OpWithoutTask &op,
                                 const Report &report) {
  switch (op.fate) {
  case OpWithoutTask::Fate::Shared:
    return describeSharers(op, report);
  case OpWithoutTask::Fate::Known:
    return "computed by the compiler";
  case OpWithoutTask::Fate::Unread:
    return "nothing reads it";
  case OpWithoutTask::Fate::InPlace:
    return "moves nothing: others write or read its elements where they lie";
  case OpWithoutTask::Fate::Unnamed:
    return "no task has its name: it is a part of others, or came to nothing";
  }
  llvm_unreachable("invalid fate");
}

double report::utilization(const cost::TaskCost &cost,
                           const TargetDescription &target) {
  double possible = static_cast<double>(cost.cycles) *
                    static_cast<double>(target.macsPerCycle) *
                    static_cast<double>(target.neuralEngines);
  // Products with zeros that the kernel does not store are not computed.
  uint64_t computed = std::min(cost.macs, cost.macSlots);
  return possible > 0 ? static_cast<double>(computed) / possible : 0;
}

double report::paddingWaste(const cost::TaskCost &cost) {
  if (cost.macSlots == 0 || cost.macs >= cost.macSlots)
    return 0;
  return 1 -
         static_cast<double>(cost.macs) / static_cast<double>(cost.macSlots);
}
