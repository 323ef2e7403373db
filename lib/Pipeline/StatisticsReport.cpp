//===- StatisticsReport.cpp - What passes have counted --------------------===//

#include "ane/Pipeline/StatisticsReport.h"
#include "ane/Support/PassStatistic.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/FormatAdapters.h"
#include "llvm/Support/Threading.h"
#include <map>

using namespace mlir;
using namespace ane;

namespace {

struct Count {
  StringRef name, description;
  uint64_t value;
};

using Counts = std::vector<Count>;

/// Adds to counts that are none yet, or of the same pass.
void add(Counts &to, const Counts &more) {
  if (to.empty()) {
    to = more;
    return;
  }
  for (auto [sum, count] : llvm::zip_equal(to, more))
    sum.value += count.value;
}

void printEntry(raw_ostream &os, unsigned indent, StringRef name,
                Counts counts) {
  os.indent(indent) << name << '\n';
  llvm::sort(counts,
             [](const Count &a, const Count &b) { return a.name < b.name; });
  size_t nameWidth = 0, valueWidth = 0;
  for (const Count &count : counts) {
    nameWidth = std::max(nameWidth, count.name.size());
    valueWidth = std::max(valueWidth, std::to_string(count.value).size());
  }
  for (const Count &count : counts)
    os.indent(indent + 2) << "(S) "
                          << llvm::right_justify(std::to_string(count.value),
                                                 valueWidth)
                          << ' ' << llvm::left_justify(count.name, nameWidth)
                          << " - " << count.description << '\n';
}

/// The pass that threads have clones of.
const Pass *originalOf(const Pass *pass) {
  while (const Pass *sibling = pass->getThreadingSibling())
    pass = sibling;
  return pass;
}

} // namespace

/// A pass, or a pipeline of passes. What runs pipelines on the ops inside of
/// one is a pass as well, for MLIR, and has no name, as what runs all has none.
struct StatisticsReport::Entry {
  std::string name;
  /// Which of the children was first is up to the threads.
  bool isSorted = false;
  Counts counts;
  std::vector<std::unique_ptr<Entry>> children;

  Entry &child(std::string name) {
    children.push_back(std::make_unique<Entry>());
    children.back()->name = std::move(name);
    return *children.back();
  }

  /// A pipeline inside this one; several ops go through it.
  Entry &pipeline(const std::string &name) {
    auto known = llvm::find_if(
        children, [&](const auto &entry) { return entry->name == name; });
    return known == children.end() ? child(name) : **known;
  }

  void collect(std::map<std::string, Counts> &all) const {
    if (!counts.empty())
      add(all[name], counts);
    for (const auto &entry : children)
      entry->collect(all);
  }

  void print(raw_ostream &os, unsigned indent) const {
    if (!name.empty())
      printEntry(os, indent, name, counts);
    auto sorted = llvm::map_to_vector(
        children, [](const auto &entry) { return entry.get(); });
    if (isSorted)
      llvm::sort(sorted, [](const Entry *a, const Entry *b) {
        return a->name < b->name;
      });
    for (const Entry *entry : sorted)
      entry->print(os, indent + (name.empty() ? 0 : 2));
  }
};

/// Takes what the passes of one pipeline have counted, as they end. MLIR calls
/// it from one thread at a time.
class StatisticsReport::Watcher : public PassInstrumentation {
public:
  explicit Watcher(Entry &root) : root(root) {}

  void runBeforePipeline(std::optional<OperationName> name,
                         const PipelineParentInfo &parent) override {
    StringRef anchor = name ? name->getStringRef() : "any";
    running[llvm::get_threadid()].push_back(
        &entryOf(parent.parentPass)
             .pipeline(("'" + anchor + "' Pipeline").str()));
  }
  void runAfterPipeline(std::optional<OperationName>,
                        const PipelineParentInfo &) override {
    running[llvm::get_threadid()].pop_back();
  }
  void runBeforePass(Pass *pass, Operation *) override { entryOf(pass); }
  void runAfterPass(Pass *pass, Operation *) override { take(pass); }
  void runAfterPassFailed(Pass *pass, Operation *) override { take(pass); }

private:
  Entry &entryOf(const Pass *pass) {
    Entry *&entry = entries[originalOf(pass)];
    if (!entry) {
      llvm::ArrayRef<Entry *> pipelines = running[llvm::get_threadid()];
      Entry &parent = pipelines.empty() ? root : *pipelines.back();
      bool runsPipelines = pass->getArgument().empty();
      entry = &parent.child(runsPipelines ? "" : pass->getName().str());
      entry->isSorted = runsPipelines;
    }
    return *entry;
  }

  void take(Pass *pass) {
    Counts counts;
    for (PassStatistic *statistic : PassStatistic::of(*pass))
      counts.push_back({statistic->getName(), statistic->getDescription(),
                        statistic->take()});
    add(entryOf(pass).counts, counts);
  }

  Entry &root;
  llvm::DenseMap<const Pass *, Entry *> entries;
  /// The pipelines that a thread is in, the innermost last.
  llvm::DenseMap<uint64_t, SmallVector<Entry *>> running;
};

StatisticsReport::StatisticsReport() = default;
StatisticsReport::~StatisticsReport() = default;

void StatisticsReport::watch(PassManager &pm, StringRef name) {
  pipelines.push_back(std::make_unique<Entry>());
  pipelines.back()->name = name.str();
  pm.addInstrumentation(std::make_unique<Watcher>(*pipelines.back()));
}

void StatisticsReport::print(raw_ostream &os, PassDisplayMode mode) const {
  std::string line = "===" + std::string(73, '-') + "===\n";
  StringRef title = "... Pass statistics report ...";
  os << line;
  os.indent((80 - title.size()) / 2) << title << '\n' << line;
  if (mode == PassDisplayMode::List) {
    std::map<std::string, Counts> all;
    for (const auto &pipeline : pipelines)
      pipeline->collect(all);
    for (const auto &[name, counts] : all)
      printEntry(os, 2, name, counts);
  } else {
    for (const auto &pipeline : pipelines)
      pipeline->print(os, 0);
  }
  os << '\n';
}
