//===- TaskView.cpp - What a task reads and writes ------------------------===//

#include "TaskView.h"
#include "OperandFields.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::engine;

namespace {

class Collector {
public:
  Collector(const MachineState &state, unsigned task)
      : state(state), image(state.images[task]) {}

  void add(View::Role role, const SourceFields &fields,
           const Operand &operand) {
    const std::optional<Source> &source = operand.source;
    add(role, fields.surface, fields.place, operand.extents,
        source ? source->origin : nullptr, source ? source->strides : Strides(),
        /*isWritten=*/false);
    if (operand.copy)
      add(role, fields.surface, fields.place, operand.extents,
          operand.copy->origin, operand.copy->strides, /*isWritten=*/true);
  }

  void add(const Result &result) {
    if (result.chained())
      add(View::Result, resultSurface, resultPlace, result.extents, nullptr,
          Strides(), /*isWritten=*/true);
    for (const Destination &destination : result.destinations)
      add(View::Result, resultSurface, resultPlace, result.extents,
          destination.origin, destination.strides, /*isWritten=*/true);
  }

  void operator()(const NeuralTask &task) {
    add(View::Source1, source1Fields, task.source);
    add(task.result);
  }

  void operator()(const PlanarTask &task) {
    add(View::Source1, source1Fields, task.first);
    if (task.second) {
      Operand second = *task.second;
      // The pair is one operand of two rows.
      if (task.pairFactor)
        second.extents.height = 2;
      add(View::Source2, source2Fields, second);
    }
    add(task.result);
  }

  llvm::SmallVector<View, 6> views;

private:
  void add(View::Role role, const SurfaceFields &surface,
           const ResidentFields &place, const Extents &extents,
           const uint8_t *origin, const Strides &strides, bool isWritten) {
    View view;
    view.role = role;
    view.isWritten = isWritten;
    view.extents = extents;
    view.strides = strides;
    view.origin = origin;
    view.base = surface.base;
    view.where = View::HandedOver;
    uint64_t inL2 = origin ? origin - state.memory.l2() : l2Bytes;
    if (inL2 < l2Bytes) {
      view.where = View::InL2;
      view.address = inL2;
      view.base = place.base;
    } else if (origin) {
      view.where = View::InMemory;
      view.bar = image.get(surface.bar);
      for (const MemorySection &section : state.memory.sections())
        if (origin >= section.bytes.begin() && origin < section.bytes.end()) {
          view.section = &section;
          view.address = section.address + (origin - section.bytes.begin());
        }
    }
    views.push_back(view);
  }

  const MachineState &state;
  const td::RegisterImage &image;
};

} // namespace

llvm::StringRef engine::stringify(View::Role role) {
  switch (role) {
  case View::Source1:
    return "source 1";
  case View::Source2:
    return "source 2";
  case View::Result:
    return "the result";
  }
  llvm_unreachable("invalid role");
}

std::string View::place() const {
  std::string name = td::fieldInfo(base).fullName();
  switch (where) {
  case InMemory:
    return llvm::formatv("{0}, BAR {1}", name, bar);
  case InL2:
    return name;
  case HandedOver:
    return "handed over to the next task";
  }
  llvm_unreachable("invalid place");
}

llvm::SmallVector<View, 6> engine::viewsOf(const MachineState &state,
                                           unsigned task) {
  Collector collector(state, task);
  std::visit(collector, state.plans[task]);
  return std::move(collector.views);
}
