//===- JsonReport.cpp - A report as JSON ----------------------------------===//

#include "ane/Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace ane;
using namespace ane::report;

namespace {

class JsonWriter {
public:
  JsonWriter(llvm::raw_ostream &os, const Report &report)
      : json(os, /*IndentSize=*/1), report(report) {}

  void write() {
    json.object([&] {
      text("program", report.title);
      json.attribute("target", report.target->name);
      json.attributeObject("total", [&] { writeTotals(); });
      if (!report.procedures.empty())
        writeProcedures();
      json.attributeArray("ops", [&] {
        for (const OpCost &op : report.ops)
          json.object([&] {
            writeOrigin(op.origin);
            json.attribute("engines", op.engines);
            writeNumbers("tasks", op.tasks);
            writeCost(op.total);
          });
      });
      json.attributeArray("opsWithoutTask", [&] {
        for (const OpWithoutTask &op : report.opsWithoutTask)
          json.object([&] {
            writeOrigin(op.origin);
            json.attribute("fate", stringifyFate(op.fate));
            writeNumbers("tasks", op.tasks);
          });
      });
      json.attributeArray("tasks", [&] {
        for (auto [index, task] : llvm::enumerate(report.cost.tasks))
          json.object([&] {
            writeOrigin(report.origins[index]);
            json.attribute("engine", td::stringifyEngine(task.engine));
            json.attribute("summary", task.text);
            writeCost(task);
          });
      });
      writeUses("l2", report.l2);
      writeUses("scratch", report.scratch);
      json.attributeArray("hazards", [&] {
        for (const Hazard &hazard : report.hazards)
          json.object([&] {
            json.attribute("kind", hazard.kind);
            writeOrigin(hazard.origin);
            text("detail", hazard.detail);
          });
      });
    });
  }

private:
  /// Names of files may be anything.
  void text(llvm::StringRef key, llvm::StringRef value) {
    json.attribute(key, llvm::json::fixUTF8(value));
  }

  void writeNumbers(llvm::StringRef key, llvm::ArrayRef<size_t> numbers) {
    json.attributeArray(key, [&] {
      for (size_t number : numbers)
        json.value(uint64_t(number));
    });
  }

  void writeOrigin(const Origin &origin) {
    text("op", origin.op);
    text("name", origin.name);
    text("place", origin.place);
    if (!origin.procedure.empty())
      text("procedure", origin.procedure);
  }

  /// What "total" is the sum of.
  void writeProcedures() {
    json.attributeArray("procedures", [&] {
      for (const ProcedureCost &procedure : report.procedures)
        json.object([&] {
          text("name", procedure.name);
          json.attribute("firstTask", uint64_t(procedure.firstTask));
          json.attribute("tasks", uint64_t(procedure.numTasks));
          writeCost(procedure.total);
          json.attribute("readBytes", procedure.readBytes);
          json.attribute("writtenBytes", procedure.writtenBytes);
          json.attribute("l2End", procedure.total.l2End);
          json.attribute("rooflineMicroseconds", procedure.microseconds);
        });
    });
  }

  void writeCost(const cost::TaskCost &cost) {
    json.attribute("macs", cost.macs);
    json.attribute("cycles", cost.cycles);
    json.attribute("computeCycles", cost.computeCycles);
    json.attribute("dmaCycles", cost.dmaCycles);
    json.attribute("l2Cycles", cost.l2Cycles);
    json.attribute("exeCycles", cost.exeCycles);
    json.attribute("inputBytes", cost.sourceBytes());
    json.attribute("outputBytes", cost.resultBytes);
    json.attribute("weightBytes", cost.kernelBytes);
    json.attribute("l2Bytes", cost.l2Bytes());
    json.attribute("utilization", utilization(cost, *report.target));
    json.attribute("paddingWaste", paddingWaste(cost));
    json.attribute("bound", cost::stringifyBound(cost.bound));
  }

  void writeTotals() {
    const cost::ProgramCost &cost = report.cost;
    writeCost(cost.total);
    json.attribute("readBytes", cost.readBytes);
    json.attribute("writtenBytes", cost.writtenBytes);
    json.attribute("compulsoryBytes", report.compulsoryBytes);
    json.attribute("scratchBytes", report.scratchBytes);
    json.attribute("l2End", cost.total.l2End);
    json.attribute("engineMicroseconds", cost.engineMicroseconds);
    json.attribute("dispatchMicroseconds", cost.dispatchMicroseconds);
    json.attribute("rooflineMicroseconds", cost.microseconds());
    json.attribute("fittedMicroseconds", cost.fittedMicroseconds);
  }

  void writeUses(llvm::StringRef key, llvm::ArrayRef<MemoryUse> uses) {
    json.attributeArray(key, [&] {
      for (const MemoryUse &use : uses)
        json.object([&] {
          json.attribute("task", uint64_t(use.task));
          json.attribute("role", td::stringifyRole(use.role));
          json.attribute("begin", use.begin);
          json.attribute("end", use.end);
        });
    });
  }

  llvm::json::OStream json;
  const Report &report;
};

} // namespace

void report::printJson(llvm::raw_ostream &os, const Report &report) {
  JsonWriter(os, report).write();
  os << '\n';
}
