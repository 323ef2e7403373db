//===- Watch.h - Watching a program work ------------------------*- C++ -*-===//
//
// Observers of runs, and checks of what a program does with memory. The command
// line of ane-run offers all of them; docs/engine.md says how to read them.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_ENGINE_WATCH_H
#define ANE_ENGINE_WATCH_H

#include "ane/Cost/Cost.h"
#include "ane/Engine/Program.h"
#include "ane/Support/Npy.h"
#include <chrono>

namespace ane::engine {

/// Several observers, each told in order.
class Observers : public RunObserver {
public:
  void add(std::unique_ptr<RunObserver> observer) {
    all.push_back(std::move(observer));
  }
  bool empty() const { return all.empty(); }
  llvm::Error before(unsigned task) override;
  llvm::Error after(unsigned task) override;

private:
  std::vector<std::unique_ptr<RunObserver>> all;
};

/// What a task must not compute or read.
enum class BreakOn { NaN, Infinity, Any };

/// Stops a run at the first task whose result holds such a number, or one of
/// whose sources, a kernel from memory among them, holds a NaN (which the
/// engine takes for +infinity). The error is located at the descriptor and
/// names the register, the BAR, the element and its address; of a kernel also
/// the lane.
std::unique_ptr<RunObserver> breakOn(const Machine &machine, BreakOn what);

/// Keeps what a task reads and what it computes, as files to be written:
/// `task3-source1.npy`, `-source2`, `-kernel`, `-result`. Shapes are groups,
/// depth, channels, rows, columns; of coefficients groups, output channels,
/// taps. Elements are as stored; what is handed from task to task is fp32.
std::unique_ptr<RunObserver> dumpTask(const Machine &machine, unsigned task,
                                      std::vector<NpyFile> &files);

/// What may stand behind the number of the task in the name of such a file.
inline constexpr llvm::StringLiteral dumpedParts[] = {"source1", "source2",
                                                      "kernel", "result"};
std::string dumpFileName(unsigned task, llvm::StringRef part);

/// The task that a run is at. Any thread may ask while another one runs the
/// machine.
unsigned currentTask(const Machine &machine);

/// Measures how long each task takes here.
class Stopwatch : public RunObserver {
public:
  explicit Stopwatch(unsigned numTasks) : times(numTasks) {}
  llvm::Error before(unsigned task) override;
  llvm::Error after(unsigned task) override;
  /// By task.
  llvm::ArrayRef<double> microseconds() const { return times; }

private:
  std::vector<double> times;
  std::chrono::steady_clock::time_point start;
};

/// Writes Chrome trace events: a lane for each engine, tasks one after the
/// other for as long as the model says. With `hostMicroseconds` a second
/// process has the same tasks for as long as they took here; without, the trace
/// depends on the program alone.
void writeTrace(llvm::raw_ostream &os, const cost::ProgramCost &cost,
                llvm::ArrayRef<double> hostMicroseconds = {});

/// Something that a program does with memory and should not.
struct Finding {
  unsigned task = 0;
  uint64_t fileOffset = 0; ///< of the descriptor
  std::string message;     ///< names the register and the address
};

/// Looks for reads of L2, scratch or outputs that nothing wrote before or that
/// something was streamed over since, for transfers outside of the surface of a
/// tensor, for writes and tiles of two tasks that may be issued at the same
/// time to the same bytes, for tiles that overlap other operands or leave L2,
/// and for coefficient lanes that overlap or reach outside their section. What
/// is outside a section, or stays outside of L2, is refused when the program is
/// loaded. In the order of the tasks; of each operand only the first finding of
/// a kind.
/// `ports` are those whose tensors are known.
std::vector<Finding> checkProgram(const Machine &machine,
                                  llvm::ArrayRef<DevicePort> ports = {});
std::vector<Finding> checkProgram(LoadedProgram &program);

} // namespace ane::engine

#endif // ANE_ENGINE_WATCH_H
