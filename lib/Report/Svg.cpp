//===- Svg.cpp - Pictures of a report -------------------------------------===//

#include "Svg.h"
#include "ane/Support/Printable.h"
#include "ane/TaskDescriptor/Summary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::report;

namespace {

constexpr double width = 1200, laneHeight = 28, memoryHeight = 260;
/// Nothing is drawn narrower, so that it can be seen.
constexpr double leastWidth = 0.5;

/// The cycle in which each task starts, tasks one after the other, and behind
/// them the end.
std::vector<double> startsOf(const Report &report) {
  std::vector<double> starts = {0};
  for (const cost::TaskCost &task : report.cost.tasks)
    starts.push_back(starts.back() + static_cast<double>(task.cycles));
  return starts;
}

std::string number(double value) {
  return llvm::formatv("{0:f2}", value).str();
}

void open(llvm::raw_ostream &os, double height) {
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
     << number(width) << ' ' << number(height) << "\" width=\"100%\">\n";
}

void rectangle(llvm::raw_ostream &os, llvm::StringRef style, double x, double y,
               double w, double h, const std::string &title) {
  os << "<rect class=\"" << style << "\" x=\"" << number(x) << "\" y=\""
     << number(y) << "\" width=\"" << number(std::max(w, leastWidth))
     << "\" height=\"" << number(std::max(h, leastWidth)) << "\"><title>"
     << escape(title) << "</title></rect>\n";
}

std::string describe(const Report &report, size_t task) {
  const Origin &origin = report.origins[task];
  std::string text = "task " + std::to_string(task);
  if (!origin.op.empty())
    text += ", " + origin.op + ' ' + origin.name + ' ' + origin.place;
  return text + ": " + report.cost.tasks[task].text;
}

llvm::StringRef styleOf(td::Stream::Role role) {
  switch (role) {
  case td::Stream::Source1:
    return "source1";
  case td::Stream::Source2:
    return "source2";
  case td::Stream::Result:
    return "result";
  case td::Stream::Coefficients:
    return "coefficients";
  }
  llvm_unreachable("invalid role");
}

} // namespace

std::string report::escape(llvm::StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  llvm::printHTMLEscaped(escapeUnprintable(text), os);
  return escaped;
}

void report::drawTimeline(llvm::raw_ostream &os, const Report &report) {
  std::vector<double> starts = startsOf(report);
  double scale = starts.back() > 0 ? width / starts.back() : 0;
  open(os, 2 * laneHeight);
  for (td::Engine engine : {td::Engine::NE, td::Engine::PE}) {
    double top = engine == td::Engine::NE ? 0 : laneHeight;
    os << "<text x=\"2\" y=\"" << number(top + laneHeight / 2) << "\">"
       << td::stringifyEngine(engine) << "</text>\n";
    for (auto [index, task] : llvm::enumerate(report.cost.tasks))
      if (task.engine == engine)
        rectangle(os, cost::stringifyBound(task.bound), starts[index] * scale,
                  top + 1, static_cast<double>(task.cycles) * scale,
                  laneHeight - 2,
                  describe(report, index) + ", " + std::to_string(task.cycles) +
                      " cycles, " + cost::stringifyBound(task.bound).str());
  }
  os << "</svg>\n";
}

void report::drawMemory(llvm::raw_ostream &os, const Report &report,
                        llvm::ArrayRef<MemoryUse> uses, uint64_t bytes) {
  std::vector<double> starts = startsOf(report);
  double perCycle = starts.back() > 0 ? width / starts.back() : 0;
  for (const MemoryUse &use : uses)
    bytes = std::max(bytes, use.end);
  double perByte = bytes > 0 ? memoryHeight / static_cast<double>(bytes) : 0;
  open(os, memoryHeight);
  for (const MemoryUse &use : uses)
    rectangle(os, styleOf(use.role), starts[use.task] * perCycle,
              static_cast<double>(use.begin) * perByte,
              (starts[use.task + 1] - starts[use.task]) * perCycle,
              static_cast<double>(use.end - std::min(use.begin, use.end)) *
                  perByte,
              describe(report, use.task) + ", " +
                  td::stringifyRole(use.role).str() + " at " +
                  std::to_string(use.begin) + " to " + std::to_string(use.end));
  os << "</svg>\n";
}
