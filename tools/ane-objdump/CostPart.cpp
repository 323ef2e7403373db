//===- CostPart.cpp - What the tasks should cost --------------------------===//

#include "Parts.h"
#include "ane/Cost/Cost.h"
#include "ane/TaskDescriptor/Convert.h"
#include "llvm/ADT/StringExtras.h"

using namespace ane;
using namespace ane::objdump;
using llvm::StringRef;

namespace {

Item costItem(StringRef name, StringRef engine, const cost::TaskCost &task) {
  Item item;
  item.title = name.str();
  auto number = [&](StringRef key, uint64_t value, StringRef meaning = "") {
    item.entries.push_back(decimalEntry(key, value, std::nullopt, meaning));
  };
  item.entries = {textEntry("on", engine, std::nullopt)};
  number("macs", task.macs);
  number("source1", task.source1Bytes, "bytes by DMA");
  number("source2", task.source2Bytes, "bytes by DMA");
  number("kernel", task.kernelBytes, "bytes by DMA");
  number("result", task.resultBytes, "bytes by DMA");
  number("l2", task.l2Bytes(), "bytes into and out of L2");
  number("cycles", task.cycles);
  number("apple", task.exeCycles, "estimate in the header");
  item.entries.push_back(
      textEntry("bound", cost::stringifyBound(task.bound), std::nullopt));
  return item;
}

} // namespace

Part objdump::costPart(const Input &input) {
  std::vector<cost::ProgramCost> programs;
  size_t count = 0;
  for (size_t procedure = 0; procedure < input.procedures.size(); ++procedure) {
    std::vector<td::TaskDescriptor> tasks;
    for (const PlacedTask &task : input.tasks)
      if (task.procedure == procedure)
        tasks.push_back(task.task);
    programs.push_back(
        cost::estimateProgram(td::effectiveImages(tasks), *findTarget("h13")));
    count += tasks.size() + 1;
  }
  Part part;
  part.name = "cost";
  part.title = "cost";
  constexpr std::optional<Evidence> none;
  part.columns = {{"on", 4, none},       {"macs", 14, none},
                  {"source1", 12, none}, {"source2", 12, none},
                  {"kernel", 12, none},  {"result", 12, none},
                  {"l2", 12, none},      {"cycles", 12, none},
                  {"apple", 8, none},    {"bound", 12, none}};
  part.count = count;
  part.item = [&input, programs = std::move(programs)](size_t index) {
    size_t procedure = 0;
    for (; index > programs[procedure].tasks.size(); ++procedure)
      index -= programs[procedure].tasks.size() + 1;
    const cost::ProgramCost &program = programs[procedure];
    std::string where = input.describe(procedure);
    if (index == program.tasks.size())
      return costItem("total" + where, "-", program.total);
    const cost::TaskCost &task = program.tasks[index];
    return costItem(llvm::utostr(index) + where,
                    td::stringifyEngine(task.engine), task);
  };
  return part;
}
