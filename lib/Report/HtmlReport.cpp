//===- HtmlReport.cpp - A report as one page ------------------------------===//

#include "Svg.h"
#include "ane/Support/Counted.h"
#include "ane/TaskDescriptor/Summary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::report;

namespace {

constexpr llvm::StringLiteral style = R"(
body { font: 14px sans-serif; margin: 2em; color: #222; }
table { border-collapse: collapse; font-size: 12px; }
td, th { padding: 2px 8px; text-align: right; border-bottom: 1px solid #ddd; }
td.text, th.text { text-align: left; }
svg { border: 1px solid #ccc; background: #fafafa; margin-bottom: 1em; }
svg text { font-size: 10px; fill: #555; }
.compute { fill: #4878a8; } .bandwidth { fill: #d08030; }
.scratchpad { fill: #7a5ca0; } .dispatch { fill: #a0a0a0; }
.source1 { fill: #4878a8; fill-opacity: 0.7; }
.source2 { fill: #5aa0a0; fill-opacity: 0.7; }
.result { fill: #d08030; fill-opacity: 0.7; }
.coefficients { fill: #7a5ca0; fill-opacity: 0.7; }
)";

class HtmlWriter {
public:
  HtmlWriter(llvm::raw_ostream &os, const Report &report)
      : os(os), report(report) {}

  void write() {
    std::string title = escape(report.title);
    os << "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" "
          "lang=\"en\">\n<head><meta charset=\"utf-8\"/><title>"
       << title << "</title><style>" << style << "</style></head>\n<body>\n<h1>"
       << title << "</h1>\n<p>" << report.target->name << ", "
       << counted(report.ops.size(), "op") << ", "
       << counted(report.cost.tasks.size(), "task") << ".</p>\n";
    writeTotals();
    writeProcedures();
    heading("Tasks over time, by what bounds them: compute blue, bandwidth "
            "orange, scratchpad violet, dispatch grey");
    drawTimeline(os, report);
    heading("L2 over time: source 1 blue, source 2 green, results orange");
    drawMemory(os, report, report.l2, report.target->l2Bytes);
    if (!report.scratch.empty()) {
      heading("Scratch over time");
      drawMemory(os, report, report.scratch, report.scratchBytes);
    }
    writeHazards();
    heading("Ops");
    openTable("tasks");
    for (const OpCost &op : report.ops)
      row(std::to_string(op.tasks.size()), op.engines, op.total, op.origin, "");
    os << "</table>\n";
    writeOpsWithoutTask();
    heading("Tasks");
    openTable("task");
    for (auto [index, task] : llvm::enumerate(report.cost.tasks))
      row(std::to_string(index), td::stringifyEngine(task.engine), task,
          report.origins[index], task.text);
    os << "</table>\n</body>\n</html>\n";
  }

private:
  void heading(llvm::StringRef text) {
    os << "<h2>" << escape(text) << "</h2>\n";
  }

  void cell(const llvm::Twine &value) { os << "<td>" << value << "</td>"; }
  void textCell(llvm::StringRef value) {
    os << "<td class=\"text\">" << escape(value) << "</td>";
  }

  void total(llvm::StringRef name, const llvm::Twine &value) {
    os << "<tr><th class=\"text\">" << name << "</th><td>" << value
       << "</td></tr>\n";
  }

  void writeTotals() {
    const cost::ProgramCost &cost = report.cost;
    os << "<table>\n";
    total("products", llvm::Twine(cost.total.macs));
    total("cycles", llvm::Twine(cost.total.cycles));
    total("roofline, us", llvm::formatv("{0:f2}", cost.microseconds()).str());
    total("fitted, us", llvm::formatv("{0:f2}", cost.fittedMicroseconds).str());
    total("bound", cost::stringifyBound(cost.bound));
    total("bytes read", llvm::Twine(cost.readBytes));
    total("bytes written", llvm::Twine(cost.writtenBytes));
    total("compulsory bytes", llvm::Twine(report.compulsoryBytes));
    total("L2 in use up to", llvm::Twine(cost.total.l2End));
    total("scratch bytes", llvm::Twine(report.scratchBytes));
    total(
        "utilization",
        llvm::formatv("{0:P1}", utilization(cost.total, *report.target)).str());
    total("padding", llvm::formatv("{0:P1}", paddingWaste(cost.total)).str());
    os << "</table>\n";
  }

  void writeProcedures() {
    if (report.procedures.empty())
      return;
    heading("Of all procedures, one after the other; a run of each");
    os << "<table>\n<tr><th>tasks</th><th>cycles</th><th>roofline, us</th>"
          "<th>bytes read</th><th>written</th><th>L2</th><th class=\"text\">"
          "name</th></tr>\n";
    for (const ProcedureCost &procedure : report.procedures) {
      os << "<tr>";
      cell(llvm::Twine(procedure.numTasks));
      cell(llvm::Twine(procedure.total.cycles));
      cell(llvm::formatv("{0:f2}", procedure.microseconds).str());
      cell(llvm::Twine(procedure.readBytes));
      cell(llvm::Twine(procedure.writtenBytes));
      cell(llvm::Twine(procedure.total.l2End));
      textCell(procedure.name);
      os << "</tr>\n";
    }
    os << "</table>\n";
  }

  void writeHazards() {
    heading("Hazards: " + std::to_string(report.hazards.size()));
    if (report.hazards.empty())
      return;
    os << "<table>\n";
    for (const Hazard &hazard : report.hazards) {
      os << "<tr>";
      textCell(hazard.kind);
      textCell(hazard.origin.op + ' ' + hazard.origin.name);
      textCell(hazard.origin.place);
      textCell(hazard.detail);
      os << "</tr>\n";
    }
    os << "</table>\n";
  }

  void writeOpsWithoutTask() {
    if (report.opsWithoutTask.empty())
      return;
    heading("Ops without a task of their own");
    os << "<table>\n";
    for (const OpWithoutTask &op : report.opsWithoutTask) {
      os << "<tr>";
      textCell(op.origin.op + ' ' + op.origin.name);
      textCell(op.origin.place);
      textCell(describeFate(op, report));
      os << "</tr>\n";
    }
    os << "</table>\n";
  }

  void openTable(llvm::StringRef first) {
    os << "<table>\n<tr>";
    for (llvm::StringRef name :
         {first, llvm::StringRef("on"), llvm::StringRef("MACs"),
          llvm::StringRef("cycles"), llvm::StringRef("Apple's"),
          llvm::StringRef("bytes in"), llvm::StringRef("out"),
          llvm::StringRef("weights"), llvm::StringRef("L2"),
          llvm::StringRef("used"), llvm::StringRef("padding"),
          llvm::StringRef("bound")})
      os << "<th>" << name << "</th>";
    os << "<th class=\"text\">op</th><th class=\"text\">place</th><th "
          "class=\"text\">summary</th></tr>\n";
  }

  void row(llvm::StringRef first, llvm::StringRef engine,
           const cost::TaskCost &cost, const Origin &origin,
           llvm::StringRef text) {
    os << "<tr>";
    cell(first);
    cell(engine);
    for (uint64_t value :
         {cost.macs, cost.cycles, cost.exeCycles, cost.sourceBytes(),
          cost.resultBytes, cost.kernelBytes, cost.l2Bytes()})
      cell(llvm::Twine(value));
    for (double part : {utilization(cost, *report.target), paddingWaste(cost)})
      cell(llvm::formatv("{0:P1}", part).str());
    cell(cost::stringifyBound(cost.bound));
    textCell(origin.op + ' ' + origin.name);
    textCell(origin.procedure.empty()
                 ? origin.place
                 : origin.place + " of " + origin.procedure);
    textCell(text);
    os << "</tr>\n";
  }

  llvm::raw_ostream &os;
  const Report &report;
};

} // namespace

void report::printHtml(llvm::raw_ostream &os, const Report &report) {
  HtmlWriter(os, report).write();
}
