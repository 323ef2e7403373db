//===- TaskView.cpp - What a task reads and writes ------------------------===//

#include "Watch/TaskView.h"
#include "Plan/OperandFields.h"
#include "ane/TaskDescriptor/Values.h"
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
        if (!section.sharesWith && origin >= section.bytes.begin() &&
            origin < section.bytes.end()) {
          view.section = &section;
          view.address = section.address + (origin - section.bytes.begin());
        }
    }
    views.push_back(view);
  }

  const MachineState &state;
  const td::RegisterImage &image;
};

/// The tiles of a task. The plan has only what lies in memory.
class TileCollector {
public:
  explicit TileCollector(const td::RegisterImage &image) : image(image) {}

  void operator()(const NeuralTask &task) {
    uint64_t height = image.get(Field::TileHeight);
    uint64_t rows =
        (height - 1) * task.window.strideY + uint64_t(task.window.height);
    if (firstIsStreamed())
      add(View::Source1, source1Fields.place, task.source,
          height ? rows : height, /*exchanged=*/false);
    add(task.result, image.isSet(Field::TransposedWrite));
  }

  void operator()(const PlanarTask &task) {
    uint64_t rows = image.get(Field::TileHeight);
    if (firstIsStreamed())
      add(View::Source1, source1Fields.place, task.first, rows,
          image.isSet(Field::Src1Vector));
    if (image.isSet(Field::Src2FromDMA)) {
      Operand second = *task.second;
      if (task.pairFactor)
        second.extents.height = 2;
      add(View::Source2, source2Fields.place, second, rows,
          image.isSet(Field::Src2Vector));
    }
    add(task.result, image.isSet(Field::ResultVector));
  }

  llvm::SmallVector<View, 3> tiles;

private:
  bool firstIsStreamed() const {
    return td::valueOf<Field::SourceType>(image) == td::Residence::Streamed;
  }

  void add(View::Role role, const ResidentFields &place, const Operand &operand,
           uint64_t rows, bool exchanged) {
    add(role, place, operand.extents, operand.source->strides.element, rows,
        exchanged);
  }

  void add(const Result &result, bool exchanged) {
    if (td::valueOf<Field::ResultType>(image) != td::Residence::Streamed)
      return;
    // Verified: results of 8 bits take a byte there, too.
    if (add(View::Result, resultPlace, result.extents,
            result.destinations.front().strides.element,
            image.get(Field::TileHeight), exchanged))
      return;
    View begin = viewOf(View::Result, resultPlace);
    if (!begin.address)
      return;
    begin.extents.width = l2Unit / begin.strides.elementBytes();
    tiles.push_back(begin);
  }

  /// False for an operand without strides.
  bool add(View::Role role, const ResidentFields &place, Extents extents,
           Element element, uint64_t rows, bool exchanged) {
    View tile = viewOf(role, place);
    Strides &strides = tile.strides;
    strides.element = element;
    strides.depth = image.getScaled(place.depth);
    strides.channel = image.getScaled(place.channel);
    strides.row = image.getScaled(place.row);
    strides.column = strides.elementBytes();
    if (!strides.depth && !strides.channel && !strides.row)
      return false;
    extents.groups = 1;
    extents.height = std::min<uint64_t>(extents.height, rows);
    if (exchanged)
      std::swap(strides.channel, strides.column);
    else if (strides.channel)
      extents.width = std::min<uint64_t>(
          extents.width, strides.channel / strides.elementBytes());
    tile.extents = extents;
    tiles.push_back(tile);
    return true;
  }

  View viewOf(View::Role role, const ResidentFields &place) const {
    View view;
    view.role = role;
    view.where = View::InL2;
    view.isWritten = true;
    view.base = place.base;
    view.address = image.getScaled(place.base);
    return view;
  }

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

llvm::SmallVector<View, 3> engine::tilesOf(const MachineState &state,
                                           unsigned task) {
  TileCollector collector(state.images[task]);
  std::visit(collector, state.plans[task]);
  return std::move(collector.tiles);
}
