//===- StatisticsReport.h - What passes have counted ------------*- C++ -*-===//

#ifndef ANE_PIPELINE_STATISTICSREPORT_H
#define ANE_PIPELINE_STATISTICSREPORT_H

#include "mlir/Pass/PassManager.h"
#include <memory>
#include <vector>

namespace ane {

/// Adds up the PassStatistics of the passes that run, and prints them in the
/// form in which MLIR prints its own. Of a pass that threads have cloned the
/// numbers of all clones are added: they do not depend on the threads.
class StatisticsReport {
public:
  StatisticsReport();
  ~StatisticsReport();

  /// Counts what runs in a pipeline from now on. The report must live as long.
  /// A name is a title above its passes.
  void watch(mlir::PassManager &pm, llvm::StringRef name = "");

  /// As a list, each pass is there once, by its name, as far as it has
  /// statistics; as a pipeline, each as often as it stands in one, with what is
  /// around it.
  void print(llvm::raw_ostream &os, mlir::PassDisplayMode mode) const;

private:
  class Watcher;
  struct Entry;

  std::vector<std::unique_ptr<Entry>> pipelines;
};

} // namespace ane

#endif // ANE_PIPELINE_STATISTICSREPORT_H
