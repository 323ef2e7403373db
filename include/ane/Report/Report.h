//===- Report.h - What a compiled program costs, op by op -------*- C++ -*-===//
//
// The costs of tasks (lib/Cost) with the statements of MIL that they come from,
// what lies in L2 and scratch while they run, and what may overflow. As text,
// JSON, or a page of HTML that needs nothing else. Equal programs give equal
// bytes.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_REPORT_REPORT_H
#define ANE_REPORT_REPORT_H

#include "ane/Cost/Cost.h"
#include "ane/Target/Target.h"
#include <string>

namespace ane::report {

/// The statement of MIL that something comes from. Fields are empty where that
/// is not known.
struct Origin {
  std::string op;    ///< `conv`
  std::string name;  ///< of its first result
  std::string place; ///< `model.mil:4:38`
  /// Of a task: whose it is, where there are several.
  std::string procedure = {};

  bool operator==(const Origin &) const = default;
};

/// A result that may not be what the program says.
struct Hazard {
  std::string kind;   ///< one of docs/cost.md, such as `mac-overflow`
  std::string detail; ///< one sentence
  Origin origin;
};

/// A statement that no task is named by.
struct OpWithoutTask {
  /// What became of it.
  enum class Fate {
    Shared,  ///< tasks that others name do it, too
    Known,   ///< the compiler computed it: it depends on constants alone
    Unread,  ///< nothing reads it
    InPlace, ///< it moves or copies, and others write or read where it would
    Unnamed, ///< a part of others, or nothing was left of it to do
  };
  Origin origin;
  Fate fate;
  std::vector<size_t> tasks; ///< those that do it, in order; of Shared alone
};
/// `shared`, `known`, `unread`, `in-place`, `unnamed`.
llvm::StringRef stringifyFate(OpWithoutTask::Fate fate);

/// Tasks that run together, which follow each other in a program.
struct Procedure {
  std::string name;
  size_t numTasks = 0;
};

/// What the compiler hands over.
struct Program {
  std::string title;
  std::vector<td::RegisterImage> images; ///< as td::effectiveImages yields them
  std::vector<Origin> origins;           ///< of each task
  std::vector<OpWithoutTask> opsWithoutTask;
  std::vector<Procedure> procedures;
  std::vector<Hazard> hazards;
  /// Of the elements that tasks fetch and of all, without padding.
  uint64_t inputBytes = 0, outputBytes = 0;
  uint64_t constantBytes = 0, scratchBytes = 0;
  unsigned scratchBar = 0; ///< through which tasks reach scratch memory
};

/// All tasks of one statement.
struct OpCost {
  Origin origin;
  std::vector<size_t> tasks;
  std::string engines;  ///< `NE`, `PE` or `NE+PE`
  cost::TaskCost total; ///< its bound is what most of the cycles go to
};

/// A run of one procedure.
struct ProcedureCost {
  std::string name;
  size_t firstTask, numTasks;
  cost::TaskCost total;
  uint64_t readBytes, writtenBytes; ///< of memory
  double microseconds;              ///< by the roofline, with the dispatch
};

/// Bytes that a task reads or writes, of L2 or of scratch.
struct MemoryUse {
  size_t task;
  td::Stream::Role role;
  uint64_t begin, end;
};

/// All that the spellings of a report print.
struct Report {
  std::string title;
  const TargetDescription *target;
  cost::ProgramCost cost;
  std::vector<Origin> origins; ///< of each task
  std::vector<OpCost> ops;     ///< in the order of their first tasks
  std::vector<OpWithoutTask> opsWithoutTask; ///< in that of the program
  /// Each, where there are several; `cost` is the sum of all of them then.
  std::vector<ProcedureCost> procedures;
  std::vector<MemoryUse> l2, scratch;
  std::vector<Hazard> hazards;
  uint64_t scratchBytes = 0;
  /// What has to be moved at least: outputs, constants and what is fetched of
  /// inputs, once.
  uint64_t compulsoryBytes = 0;
};

/// Adds costs up by op and procedure, and finds what lies in L2 and scratch.
Report makeReport(Program program, const TargetDescription &target);

/// What became of a statement without a task, in words.
std::string describeFate(const OpWithoutTask &op, const Report &report);

/// The part of the products that the whole neural engine could compute in the
/// cycles of a task, from 0 to 1.
double utilization(const cost::TaskCost &cost, const TargetDescription &target);
/// The part of the time for products that padding of channels and pixels
/// takes, from 0 to 1; 0 for what multiplies nothing.
double paddingWaste(const cost::TaskCost &cost);

/// The three spellings have the same numbers: a table, an object, a page.
void printText(llvm::raw_ostream &os, const Report &report);
void printJson(llvm::raw_ostream &os, const Report &report);
/// Well-formed XML at the same time.
void printHtml(llvm::raw_ostream &os, const Report &report);

} // namespace ane::report

#endif // ANE_REPORT_REPORT_H
