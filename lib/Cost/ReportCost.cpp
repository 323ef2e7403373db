//===- ReportCost.cpp - Costs as a table and as JSON ----------------------===//

#include "ane/Cost/Cost.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::cost;

namespace {

/// The numbers of a task: their name in JSON and their column.
struct Number {
  llvm::StringLiteral key;
  llvm::StringLiteral column;
  uint64_t (*value)(const TaskCost &);
};
constexpr Number numbers[] = {
    {"macs", "MACs", [](const TaskCost &t) { return t.macs; }},
    {"source1Bytes", "source 1",
     [](const TaskCost &t) { return t.source1Bytes; }},
    {"source2Bytes", "source 2",
     [](const TaskCost &t) { return t.source2Bytes; }},
    {"kernelBytes", "kernel", [](const TaskCost &t) { return t.kernelBytes; }},
    {"resultBytes", "result", [](const TaskCost &t) { return t.resultBytes; }},
    {"l2Bytes", "L2", [](const TaskCost &t) { return t.l2Bytes(); }},
    {"computeCycles", "compute",
     [](const TaskCost &t) { return t.computeCycles; }},
    {"dmaCycles", "DMA", [](const TaskCost &t) { return t.dmaCycles; }},
    {"l2Cycles", "L2 cyc", [](const TaskCost &t) { return t.l2Cycles; }},
    {"cycles", "cycles", [](const TaskCost &t) { return t.cycles; }},
    {"exeCycles", "Apple's", [](const TaskCost &t) { return t.exeCycles; }},
};

constexpr unsigned nameWidth = 6, numberWidth = 11;

void printRow(llvm::raw_ostream &os, llvm::StringRef name,
              llvm::StringRef engine, const TaskCost &cost) {
  os << llvm::left_justify(name, nameWidth)
     << llvm::left_justify(engine, nameWidth);
  for (const Number &number : numbers)
    os << llvm::right_justify(std::to_string(number.value(cost)), numberWidth);
  os << "  " << stringifyBound(cost.bound);
}

llvm::json::Object toJson(const TaskCost &cost) {
  llvm::json::Object object;
  for (const Number &number : numbers)
    object[number.key] = number.value(cost);
  object["l2WrittenBytes"] = cost.l2WrittenBytes;
  object["l2ReadBytes"] = cost.l2ReadBytes;
  object["bound"] = stringifyBound(cost.bound);
  return object;
}

} // namespace

void cost::printCost(llvm::raw_ostream &os, const ProgramCost &cost) {
  os << llvm::left_justify("task", nameWidth)
     << llvm::left_justify("on", nameWidth);
  for (const Number &number : numbers)
    os << llvm::right_justify(number.column, numberWidth);
  os << "  bound, task\n";
  for (auto [index, task] : llvm::enumerate(cost.tasks)) {
    printRow(os, std::to_string(index), td::stringifyEngine(task.engine), task);
    os << "  " << task.text << '\n';
  }
  printRow(os, "total", "", cost.total);
  os << "\n\n";
  auto line = [&](llvm::StringRef name, const llvm::Twine &value) {
    os << llvm::left_justify(name, 18) << value << '\n';
  };
  auto micro = [](double value) {
    return llvm::formatv("{0:f2} us", value).str();
  };
  line("read from memory", llvm::Twine(cost.readBytes) + " bytes");
  line("written to memory", llvm::Twine(cost.writtenBytes) + " bytes");
  line("L2 in use up to", llvm::Twine(cost.total.l2End) + " bytes");
  line("engine", micro(cost.engineMicroseconds));
  line("dispatch", micro(cost.dispatchMicroseconds));
  line("together", micro(cost.microseconds()));
  line("fitted model", micro(cost.fittedMicroseconds));
  line("bound", stringifyBound(cost.bound));
}

llvm::json::Object cost::costToJson(const ProgramCost &cost) {
  llvm::json::Array tasks;
  for (const TaskCost &task : cost.tasks) {
    llvm::json::Object object = toJson(task);
    object["engine"] = td::stringifyEngine(task.engine);
    object["summary"] = task.text;
    tasks.push_back(std::move(object));
  }
  llvm::json::Object total = toJson(cost.total);
  total["readBytes"] = cost.readBytes;
  total["writtenBytes"] = cost.writtenBytes;
  total["l2End"] = cost.total.l2End;
  total["engineMicroseconds"] = cost.engineMicroseconds;
  total["dispatchMicroseconds"] = cost.dispatchMicroseconds;
  total["fittedMicroseconds"] = cost.fittedMicroseconds;
  return llvm::json::Object{{"tasks", std::move(tasks)},
                            {"total", std::move(total)}};
}
