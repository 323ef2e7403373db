//===- Trace.cpp - A run as Chrome trace events ---------------------------===//

#include "ane/Engine/Watch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace ane;
using namespace ane::engine;

namespace {

enum Process { Model = 1, Host = 2 };

class TraceWriter {
public:
  TraceWriter(llvm::raw_ostream &os, const cost::ProgramCost &cost)
      : json(os, /*IndentSize=*/1), cost(cost) {}

  void write(llvm::ArrayRef<double> hostMicroseconds) {
    json.object([&] {
      json.attributeArray("traceEvents", [&] {
        name(Model, "model");
        double start = 0;
        double microsecond = cost.total.cycles == 0
                                 ? 0
                                 : cost.engineMicroseconds / cost.total.cycles;
        for (auto [index, task] : llvm::enumerate(cost.tasks)) {
          double duration = task.cycles * microsecond;
          event(Model, index, start, duration);
          start += duration;
        }
        if (hostMicroseconds.empty())
          return;
        name(Host, "host");
        start = 0;
        for (auto [index, duration] : llvm::enumerate(hostMicroseconds)) {
          event(Host, index, start, duration);
          start += duration;
        }
      });
      json.attribute("displayTimeUnit", "ns");
    });
  }

private:
  void metadata(Process process, int thread, llvm::StringRef kind,
                llvm::StringRef value) {
    json.object([&] {
      json.attribute("ph", "M");
      json.attribute("pid", int64_t(process));
      json.attribute("tid", thread);
      json.attribute("name", kind);
      json.attributeObject("args", [&] { json.attribute("name", value); });
    });
  }

  void name(Process process, llvm::StringRef text) {
    metadata(process, 0, "process_name", text);
    for (td::Engine engine : {td::Engine::NE, td::Engine::PE})
      metadata(process, laneOf(engine), "thread_name",
               td::stringifyEngine(engine));
  }

  static int laneOf(td::Engine engine) {
    return engine == td::Engine::NE ? 1 : 2;
  }

  void event(Process process, size_t index, double start, double duration) {
    const cost::TaskCost &task = cost.tasks[index];
    json.object([&] {
      json.attribute("ph", "X");
      json.attribute("pid", int64_t(process));
      json.attribute("tid", laneOf(task.engine));
      json.attribute("name",
                     "task " + std::to_string(index) + ": " + task.text);
      json.attribute("ts", start);
      json.attribute("dur", duration);
      json.attributeObject("args", [&] {
        json.attribute("macs", task.macs);
        json.attribute("source1Bytes", task.source1Bytes);
        json.attribute("source2Bytes", task.source2Bytes);
        json.attribute("kernelBytes", task.kernelBytes);
        json.attribute("resultBytes", task.resultBytes);
        json.attribute("l2Bytes", task.l2Bytes());
        json.attribute("cycles", task.cycles);
        json.attribute("bound", cost::stringifyBound(task.bound));
      });
    });
  }

  llvm::json::OStream json;
  const cost::ProgramCost &cost;
};

} // namespace

void engine::writeTrace(llvm::raw_ostream &os, const cost::ProgramCost &cost,
                        llvm::ArrayRef<double> hostMicroseconds) {
  TraceWriter(os, cost).write(hostMicroseconds);
  os << '\n';
}
