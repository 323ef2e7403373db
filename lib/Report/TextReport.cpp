//===- TextReport.cpp - A report as text ----------------------------------===//

#include "ane/Report/Report.h"
#include "ane/Support/Counted.h"
#include "ane/Support/Printable.h"
#include "ane/TaskDescriptor/Summary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::report;

namespace {

class TextWriter {
public:
  TextWriter(llvm::raw_ostream &os, const Report &report)
      : os(os), report(report) {}

  void write() {
    os << escapeUnprintable(report.title) << " on " << report.target->name
       << ": " << counted(report.ops.size(), "op") << ", "
       << counted(report.cost.tasks.size(), "task") << "\n\n";
    writeTotals();
    writeProcedures();
    os << "\nper op\n";
    header("tasks");
    for (const OpCost &op : report.ops)
      row(std::to_string(op.tasks.size()), op.engines, op.total, op.origin, "");
    writeOpsWithoutTask();
    os << "\nper task\n";
    header("task");
    for (auto [index, task] : llvm::enumerate(report.cost.tasks))
      row(std::to_string(index), td::stringifyEngine(task.engine), task,
          report.origins[index], task.text);
    os << "\nhazards: " << report.hazards.size() << '\n';
    for (const Hazard &hazard : report.hazards)
      os << "  " << hazard.kind << ": " << hazard.origin.op << ' '
         << escapeUnprintable(hazard.origin.name) << " ("
         << escapeUnprintable(hazard.origin.place)
         << "): " << escapeUnprintable(hazard.detail) << '\n';
  }

private:
  void line(llvm::StringRef name, const llvm::Twine &value) {
    os << llvm::left_justify(name, 26) << value << '\n';
  }

  void writeTotals() {
    const cost::ProgramCost &cost = report.cost;
    auto micro = [](double value) {
      return llvm::formatv("{0:f2} us", value).str();
    };
    auto bytes = [](uint64_t value) {
      return std::to_string(value) + " bytes";
    };
    line("products", std::to_string(cost.total.macs));
    line("cycles", std::to_string(cost.total.cycles));
    line("roofline, with dispatch", micro(cost.microseconds()));
    line("fitted, with dispatch", micro(cost.fittedMicroseconds));
    line("bound", cost::stringifyBound(cost.bound));
    line("read from memory", bytes(cost.readBytes));
    line("written to memory", bytes(cost.writtenBytes));
    line("compulsory", bytes(report.compulsoryBytes));
    line("L2 in use up to",
         bytes(cost.total.l2End) + " of " + bytes(report.target->l2Bytes));
    line("scratch", bytes(report.scratchBytes));
    line(
        "utilization",
        llvm::formatv("{0:P1}", utilization(cost.total, *report.target)).str());
    line("padding", llvm::formatv("{0:P1}", paddingWaste(cost.total)).str());
  }

  /// A run is of one of them.
  void writeProcedures() {
    if (report.procedures.empty())
      return;
    os << "\nof all procedures, one after the other; a run of each:\n"
       << llvm::formatv("{0,6}{1,14}{2,12}{3,12}{4,12}{5,12}  name\n", "tasks",
                        "cycles", "us", "read", "written", "L2");
    for (const ProcedureCost &procedure : report.procedures)
      os << llvm::formatv("{0,6}{1,14}{2,12:f2}{3,12}{4,12}{5,12}  {6}\n",
                          procedure.numTasks, procedure.total.cycles,
                          procedure.microseconds, procedure.readBytes,
                          procedure.writtenBytes, procedure.total.l2End,
                          escapeUnprintable(procedure.name));
  }

  void writeOpsWithoutTask() {
    if (report.opsWithoutTask.empty())
      return;
    os << "\nwithout a task of their own: " << report.opsWithoutTask.size()
       << '\n';
    for (const OpWithoutTask &op : report.opsWithoutTask)
      os << "  " << op.origin.op << ' ' << escapeUnprintable(op.origin.name)
         << ' ' << escapeUnprintable(op.origin.place) << ": "
         << escapeUnprintable(describeFate(op, report)) << '\n';
  }

  void header(llvm::StringRef first) {
    os << llvm::formatv("{0,6} {1,-5}{2,14}{3,10}{4,9}{5,12}{6,12}{7,12}{8,12}"
                        "{9,8}{10,9}  {11,-11}op\n",
                        first, "on", "MACs", "cycles", "Apple's", "in", "out",
                        "weights", "L2", "used", "padding", "bound");
  }

  void row(llvm::StringRef first, llvm::StringRef engine,
           const cost::TaskCost &cost, const Origin &origin,
           llvm::StringRef text) {
    os << llvm::formatv(
        "{0,6} {1,-5}{2,14}{3,10}{4,9}{5,12}{6,12}{7,12}{8,12}{9,8:P1}{10,9:P1}"
        "  {11,-11}{12} {13} {14}",
        first, engine, cost.macs, cost.cycles, cost.exeCycles,
        cost.sourceBytes(), cost.resultBytes, cost.kernelBytes, cost.l2Bytes(),
        utilization(cost, *report.target), paddingWaste(cost),
        cost::stringifyBound(cost.bound), origin.op.empty() ? "-" : origin.op,
        escapeUnprintable(origin.name), escapeUnprintable(origin.place));
    if (!origin.procedure.empty())
      os << " of " << escapeUnprintable(origin.procedure);
    os << (text.empty() ? "" : "  ") << text << '\n';
  }

  llvm::raw_ostream &os;
  const Report &report;
};

} // namespace

void report::printText(llvm::raw_ostream &os, const Report &report) {
  TextWriter(os, report).write();
}
