//===- Checker.cpp - What a program does with memory ----------------------===//
//
// All addresses are in the registers, so nothing needs to run.
//
//===----------------------------------------------------------------------===//

#include "Watch/ByteRanges.h"
#include "Watch/TaskMarks.h"
#include "ane/Engine/Watch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <map>

using namespace ane;
using namespace ane::engine;
using td::Field;

namespace {

/// What a task has in L2, and what it writes in memory.
struct Taken {
  Ranges results[2];
  /// In L2: what it reads there, and what it moves through.
  Ranges sources, sourceTiles, resultTiles;
  bool isPlanar = false;

  static unsigned kindOf(const View &view) { return view.where == View::InL2; }
};

/// The hazards of an operand that name what a task of an engine reads, and what
/// it writes.
struct Hazards {
  Field source, result;
};

Hazards hazardsOf(View::Role role, bool ofPlanar) {
  if (role == View::Result)
    return ofPlanar
               ? Hazards{Field::ResultAliasPlanarSrc,
                         Field::ResultAliasPlanarRslt}
               : Hazards{Field::ResultAliasConvSrc, Field::ResultAliasConvRslt};
  return ofPlanar
             ? Hazards{Field::SourceAliasPlanarSrc,
                       Field::SourceAliasPlanarRslt}
             : Hazards{Field::SourceAliasConvSrc, Field::SourceAliasConvRslt};
}

class Checker {
public:
  Checker(const Machine &machine, llvm::ArrayRef<DevicePort> ports)
      : state(machine.internals()) {
    for (const DevicePort &port : ports)
      if (std::optional<uint64_t> bytes = port.layout.totalBytes())
        tensors[port.address] = {port.name, std::max(*bytes, exact(port))};
  }

  std::vector<Finding> run() {
    TaskMarks marks;
    for (task = 0; task < state.plans.size(); ++task) {
      checkMarks(marks.next(state.images[task]));
      checkTask();
    }
    if (task-- != 0)
      checkMarks(marks.end());
    return std::move(findings);
  }

private:
  struct Tensor {
    std::string name;
    uint64_t bytes;
  };

  static uint64_t exact(const DevicePort &port) {
    return port.layout.exactBytes().value_or(0);
  }

  void report(const llvm::Twine &message) {
    findings.push_back({task, state.fileOffsets[task], message.str()});
  }

  void checkMarks(llvm::Error error) {
    llvm::handleAllErrors(
        std::move(error),
        [&](const llvm::ErrorInfoBase &mark) { report(mark.message()); });
  }

  void checkTask() {
    auto views = viewsOf(state, task);
    Taken taken;
    taken.isPlanar = std::holds_alternative<PlanarTask>(state.plans[task]);
    bool readsResult = false;
    for (const View &view : views) {
      if (view.where == View::HandedOver) {
        readsResult |= view.role != View::Result;
        continue;
      }
      checkSurface(view);
      if (view.isWritten)
        continue;
      checkRead(view);
      Pieces(view).forEach([&](Range range) {
        readsResult |=
            before.results[Taken::kindOf(view)].find(range).has_value();
      });
      if (view.where == View::InL2)
        taken.sources.add(view);
    }
    readsResult |= checkLanes();
    mayMeet = task > 0 && before.isPlanar != taken.isPlanar && !readsResult;
    checkTiles(views, taken);
    for (const View &view : views)
      if (view.isWritten && view.where != View::HandedOver)
        addWritten(view, taken);
    for (Ranges &ranges : taken.results)
      ranges.merge();
    for (Ranges *ranges :
         {&taken.sources, &taken.sourceTiles, &taken.resultTiles})
      ranges->merge();
    before = std::move(taken);
  }

  /// A tile takes what no other operand of the task has, and what it passes
  /// through holds nothing afterwards.
  void checkTiles(llvm::ArrayRef<View> views, Taken &taken) {
    llvm::SmallVector<std::pair<const View *, Ranges>, 8> others;
    for (const View &view : views)
      if (view.where == View::InL2)
        others.push_back({&view, Ranges(view)});
    auto tiles = tilesOf(state, task);
    for (const View &tile : tiles) {
      Ranges ranges(tile);
      checkTile(tile, ranges, others);
      if (std::optional<uint64_t> shared = meets(tile, ranges))
        report(llvm::formatv(
            "{0} ({1}) streams through L2 address {2:x} of task {3}, which "
            "runs on the other engine and may be issued at the same time",
            stringify(tile.role), tile.place(), *shared, task - 1));
      for (Range range : ranges.list()) {
        l2.remove(range);
        for (uint64_t unit = range.begin / l2Unit;
             unit * l2Unit < std::min(range.end, l2Bytes); ++unit)
          streamed[unit] = {task, tile.role};
      }
      (tile.role == View::Result ? taken.resultTiles : taken.sourceTiles)
          .add(tile);
      others.push_back({&tile, std::move(ranges)});
    }
  }

  void checkTile(const View &tile, const Ranges &ranges,
                 llvm::ArrayRef<std::pair<const View *, Ranges>> others) {
    std::string what = llvm::formatv("{0} ({1}) streams through L2",
                                     stringify(tile.role), tile.place());
    std::string height =
        llvm::formatv("{0} is {1}", td::fieldInfo(Field::TileHeight).fullName(),
                      state.images[task].get(Field::TileHeight));
    if (ranges.empty())
      return report(what + ", but no row of it is there: " + height);
    if (ranges.end() > l2Bytes)
      return report(llvm::formatv("{0} up to address {1:x}, but L2 ends at "
                                  "{2:x}; {3}",
                                  what, ranges.end(), l2Bytes, height));
    if (std::optional<uint64_t> shared = ranges.shared())
      return report(llvm::formatv(
          "{0}, two of its rows or channels through address {1:x}; {2}", what,
          *shared, height));
    for (const auto &[other, taken] : others)
      if (std::optional<uint64_t> shared = taken.find(ranges))
        return report(llvm::formatv(
            "{0} address {1:x}, where {2} ({3}) lies; {4}", what, *shared,
            stringify(other->role), other->place(), height));
  }

  /// A byte of L2 that a task of the other engine has at the same time, as an
  /// operand that stays there or in a tile, unless the hazards of what takes it
  /// name that engine. Inferred: of two tasks of a real program the second
  /// keeps its result where the first streams, and only names its result.
  std::optional<uint64_t> meets(const View &view, const Ranges &ranges) const {
    if (!mayMeet)
      return std::nullopt;
    const td::RegisterImage &image = state.images[task];
    Hazards hazards = hazardsOf(view.role, before.isPlanar);
    if (image.isSet(hazards.result))
      return std::nullopt;
    llvm::SmallVector<const Ranges *, 4> others = {&before.results[1],
                                                   &before.resultTiles};
    if (!image.isSet(hazards.source)) {
      others.push_back(&before.sourceTiles);
      // A result comes after the sources of its task. Assigned: no program that
      // was seen tells.
      if (!image.isSet(hazardsOf(View::Source1, before.isPlanar).source))
        others.push_back(&before.sources);
    }
    for (const Ranges *other : others)
      if (std::optional<uint64_t> shared = other->find(ranges))
        return shared;
    return std::nullopt;
  }

  void checkSurface(const View &view) {
    if (view.where != View::InMemory)
      return;
    auto tensor = tensors.find(view.section->address);
    if (tensor == tensors.end())
      return;
    uint64_t end = tensor->first + tensor->second.bytes;
    std::optional<uint64_t> outside;
    Pieces(view).forEach([&](Range range) {
      if (range.end > end && !outside)
        outside = std::max(range.begin, end);
    });
    if (outside)
      report(llvm::formatv("{0} ({1}) reaches address {2:x}, outside the {3} "
                           "bytes of '{4}' at {5:x}",
                           stringify(view.role), view.place(), *outside,
                           tensor->second.bytes, tensor->second.name,
                           tensor->first));
  }

  void checkRead(const View &view) {
    bool inL2 = view.where == View::InL2;
    if (!inL2 && !view.section->writable)
      return;
    const Written &memory = inL2 ? l2 : device;
    std::optional<uint64_t> missing;
    Pieces(view).forEach([&](Range range) {
      if (!missing)
        missing = memory.missing(range);
    });
    if (missing)
      report(llvm::formatv(
          "{0} ({1}) reads {2} {3:x}, {4}", stringify(view.role), view.place(),
          inL2 ? std::string("L2 address") : view.section->name + " at",
          *missing,
          inL2 ? whoTook(*missing)
               : std::string("which no task before wrote")));
  }

  /// Why a byte of L2 holds nothing.
  std::string whoTook(uint64_t address) const {
    auto taken = streamed.find(address / l2Unit);
    if (taken == streamed.end())
      return "which no task before wrote";
    auto [by, role] = taken->second;
    return llvm::formatv("through which task {0} streamed {1}", by,
                         stringify(role));
  }

  void addWritten(const View &view, Taken &taken) {
    bool inL2 = view.where == View::InL2;
    Ranges ranges(view);
    for (Range range : ranges.list()) {
      (inL2 ? l2 : device).add(range);
      for (uint64_t unit = range.begin / l2Unit;
           inL2 && unit * l2Unit < range.end; ++unit)
        streamed.erase(unit);
    }
    unsigned kind = Taken::kindOf(view);
    taken.results[kind].add(view);
    std::optional<uint64_t> shared;
    if (inL2)
      shared = meets(view, ranges);
    else if (mayMeet)
      shared = before.results[kind].find(ranges);
    if (shared)
      report(llvm::formatv(
          "{0} ({1}) overwrites {2} {3:x} of task {4}, which runs on the other "
          "engine and may be issued at the same time",
          stringify(view.role), view.place(), inL2 ? "L2 address" : "address",
          *shared, task - 1));
  }

  /// Returns whether coefficients are what the task before wrote.
  bool checkLanes() {
    const auto *neural = std::get_if<NeuralTask>(&state.plans[task]);
    if (!neural || !(neural->kernel || neural->table))
      return false;
    const td::RegisterImage &image = state.images[task];
    unsigned bar = image.get(Field::KBase0);
    uint64_t address = state.memory.canonical(state.memory.bar(bar));
    const MemorySection *section = state.memory.find(address);
    if (!section)
      return false;
    bool readsResult = false;
    std::vector<std::pair<Range, unsigned>> lanes;
    for (unsigned lane = 0; lane < td::numLanes; ++lane)
      if (image.isSet(Field::CoeffEn, lane)) {
        uint64_t begin = address + image.getScaled(Field::CoeffBase, lane);
        Range range{begin, begin + image.getScaled(Field::CoeffSize, lane)};
        // Split coefficients are several sections, but one BAR.
        const MemorySection *own = state.memory.find(begin);
        bool isSplit = !section->writable && own && !own->writable;
        checkLane(range, lane, bar, isSplit ? *own : *section, neural->kernel);
        readsResult |= before.results[0].find(range).has_value();
        lanes.push_back({range, lane});
      }
    llvm::sort(lanes, [](const auto &a, const auto &b) {
      return std::pair(a.first.begin, a.second) <
             std::pair(b.first.begin, b.second);
    });
    // Lanes may share all of their bytes.
    for (size_t i = 1; i < lanes.size(); ++i)
      if (lanes[i].first.begin < lanes[i - 1].first.end &&
          !(lanes[i].first == lanes[i - 1].first)) {
        report(llvm::formatv(
            "lane {0} ({1}, BAR {2}) starts at address {3:x}, within lane {4}, "
            "which ends at {5:x}",
            lanes[i].second,
            td::fieldInfo(Field::CoeffBase).fullName(lanes[i].second), bar,
            lanes[i].first.begin, lanes[i - 1].second, lanes[i - 1].first.end));
        break;
      }
    return readsResult;
  }

  void checkLane(Range range, unsigned lane, unsigned bar,
                 const MemorySection &section,
                 const std::optional<Kernel> &kernel) {
    std::string place =
        llvm::formatv("lane {0} ({1}, BAR {2})", lane,
                      td::fieldInfo(Field::CoeffBase).fullName(lane), bar);
    if (range.end > section.end())
      return report(llvm::formatv("{0} reaches address {1:x}, past the end of "
                                  "section {2} at {3:x}",
                                  place, range.end, section.name,
                                  section.end()));
    if (!section.writable || !kernel)
      return;
    // The rest of its last 64 bytes may be anything.
    const td::KernelLayout &layout = kernel->layout;
    for (const td::KernelPlane &plane : layout.planes()) {
      if (plane.lane != lane)
        continue;
      Range taps{range.begin + layout.tapOffset(plane, 0, 0),
                 range.begin + layout.tapOffset(plane, layout.shape().taps, 0)};
      if (std::optional<uint64_t> missing = device.missing(taps))
        return report(
            llvm::formatv("{0} reads {1} at {2:x}, which no task before wrote",
                          place, section.name, *missing));
    }
  }

  const MachineState &state;
  std::map<uint64_t, Tensor> tensors; ///< by address
  unsigned task = 0;
  Written l2, device;
  /// By unit of L2: who streamed through it last.
  llvm::DenseMap<uint64_t, std::pair<unsigned, View::Role>> streamed;
  Taken before; ///< of the task before
  /// This task and the one before may be issued at the same time.
  bool mayMeet = false;
  std::vector<Finding> findings;
};

} // namespace

std::vector<Finding> engine::checkProgram(const Machine &machine,
                                          llvm::ArrayRef<DevicePort> ports) {
  return Checker(machine, ports).run();
}

std::vector<Finding> engine::checkProgram(LoadedProgram &program) {
  return checkProgram(program.machine(), program.ports());
}
