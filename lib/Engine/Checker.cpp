//===- Checker.cpp - What a program does with memory ----------------------===//
//
// All addresses are in the registers, so nothing needs to run.
//
//===----------------------------------------------------------------------===//

#include "TaskView.h"
#include "ane/Engine/Watch.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <map>

using namespace ane;
using namespace ane::engine;
using td::Field;

namespace {

struct Range {
  uint64_t begin, end;
  bool operator==(const Range &) const = default;
};

/// Which bytes of a memory have been written. Takes memory in proportion to
/// them.
class Written {
public:
  void add(Range range) {
    forEachPage(range, [&](llvm::BitVector &page, unsigned begin,
                           unsigned end) { page.set(begin, end); });
  }

  /// The first byte that was not.
  std::optional<uint64_t> missing(Range range) const {
    for (uint64_t at = range.begin; at < range.end;) {
      uint64_t number = at / pageBytes, first = number * pageBytes;
      auto page = pages.find(number);
      if (page == pages.end())
        return at;
      uint64_t end = std::min(range.end, first + pageBytes);
      int unset = page->second.find_first_unset_in(at - first, end - first);
      if (unset >= 0)
        return first + unset;
      at = end;
    }
    return std::nullopt;
  }

private:
  static constexpr uint64_t pageBytes = 4096;

  template <typename Body> void forEachPage(Range range, Body body) {
    for (uint64_t at = range.begin; at < range.end;) {
      uint64_t number = at / pageBytes, first = number * pageBytes;
      uint64_t end = std::min(range.end, first + pageBytes);
      llvm::BitVector &page = pages[number];
      page.resize(pageBytes);
      body(page, at - first, end - first);
      at = end;
    }
  }

  std::map<uint64_t, llvm::BitVector> pages;
};

/// Calls `body` with the bytes of each contiguous piece of an operand, at its
/// addresses.
template <typename Body> void forEachPiece(const View &view, Body body) {
  const Strides &strides = view.strides;
  int64_t bytes = strides.elementBytes();
  bool isContiguous = strides.column == bytes;
  view.forEachRow([&](uint32_t g, uint32_t d, uint32_t c, uint32_t h) {
    uint64_t row = view.address + strides.rowOffset(g, d, c, h);
    if (isContiguous)
      return body(Range{row, row + view.extents.width * bytes});
    for (uint32_t w = 0; w < view.extents.width; ++w)
      body(Range{row + w * strides.column, row + w * strides.column + bytes});
  });
}

/// Written bytes of a task, in L2 and in memory.
struct Writes {
  std::vector<Range> ranges[2];
  bool isPlanar = false;

  static unsigned kindOf(const View &view) { return view.where == View::InL2; }

  void sort() {
    for (std::vector<Range> &list : ranges)
      llvm::sort(list, [](Range a, Range b) { return a.begin < b.begin; });
  }

  /// The first byte of a range that is among them.
  std::optional<uint64_t> find(unsigned kind, Range range) const {
    const std::vector<Range> &list = ranges[kind];
    auto next = llvm::partition_point(
        list, [&](Range other) { return other.begin < range.end; });
    // Pieces are as long as one another, so the one before decides.
    if (next == list.begin() || std::prev(next)->end <= range.begin)
      return std::nullopt;
    return std::max(std::prev(next)->begin, range.begin);
  }
};

class Checker {
public:
  Checker(const Machine &machine, llvm::ArrayRef<DevicePort> ports)
      : state(machine.internals()) {
    for (const DevicePort &port : ports)
      if (std::optional<uint64_t> bytes = port.layout.totalBytes())
        tensors[port.address] = {port.name, std::max(*bytes, exact(port))};
  }

  std::vector<Finding> run() {
    for (task = 0; task < state.plans.size(); ++task)
      checkTask();
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

  void checkTask() {
    auto views = viewsOf(state, task);
    Writes writes;
    writes.isPlanar = std::holds_alternative<PlanarTask>(state.plans[task]);
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
      forEachPiece(view, [&](Range range) {
        readsResult |= before.find(Writes::kindOf(view), range).has_value();
      });
    }
    checkLanes();
    bool mayMeet =
        task > 0 && before.isPlanar != writes.isPlanar && !readsResult;
    for (const View &view : views)
      if (view.isWritten && view.where != View::HandedOver)
        addWrites(view, mayMeet, writes);
    writes.sort();
    before = std::move(writes);
  }

  void checkSurface(const View &view) {
    if (view.where != View::InMemory)
      return;
    auto tensor = tensors.find(view.section->address);
    if (tensor == tensors.end())
      return;
    uint64_t end = tensor->first + tensor->second.bytes;
    std::optional<uint64_t> outside;
    forEachPiece(view, [&](Range range) {
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
    forEachPiece(view, [&](Range range) {
      if (!missing)
        missing = memory.missing(range);
    });
    if (missing)
      report(llvm::formatv(
          "{0} ({1}) reads {2} {3:x}, which no task before wrote",
          stringify(view.role), view.place(),
          inL2 ? std::string("L2 address") : view.section->name + " at",
          *missing));
  }

  void addWrites(const View &view, bool mayMeet, Writes &writes) {
    bool inL2 = view.where == View::InL2;
    std::optional<uint64_t> shared;
    forEachPiece(view, [&](Range range) {
      (inL2 ? l2 : device).add(range);
      writes.ranges[Writes::kindOf(view)].push_back(range);
      if (mayMeet && !shared)
        shared = before.find(Writes::kindOf(view), range);
    });
    if (shared)
      report(llvm::formatv(
          "{0} ({1}) overwrites {2} {3:x} of task {4}, which runs on the other "
          "engine and may be issued at the same time",
          stringify(view.role), view.place(), inL2 ? "L2 address" : "address",
          *shared, task - 1));
  }

  void checkLanes() {
    const auto *neural = std::get_if<NeuralTask>(&state.plans[task]);
    if (!neural || !(neural->kernel || neural->table))
      return;
    const td::RegisterImage &image = state.images[task];
    unsigned bar = image.get(Field::KBase0);
    uint64_t address = state.memory.bar(bar);
    const MemorySection *section = state.memory.find(address);
    if (!section)
      return;
    std::vector<std::pair<Range, unsigned>> lanes;
    for (unsigned lane = 0; lane < td::numLanes; ++lane)
      if (image.isSet(Field::CoeffEn, lane)) {
        uint64_t begin = address + image.getScaled(Field::CoeffBase, lane);
        Range range{begin, begin + image.getScaled(Field::CoeffSize, lane)};
        checkLane(range, lane, bar, *section);
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
        return;
      }
  }

  void checkLane(Range range, unsigned lane, unsigned bar,
                 const MemorySection &section) {
    std::string place =
        llvm::formatv("lane {0} ({1}, BAR {2})", lane,
                      td::fieldInfo(Field::CoeffBase).fullName(lane), bar);
    if (range.end > section.end())
      return report(llvm::formatv("{0} reaches address {1:x}, past the end of "
                                  "section {2} at {3:x}",
                                  place, range.end, section.name,
                                  section.end()));
    if (!section.writable)
      return;
    if (std::optional<uint64_t> missing = device.missing(range))
      report(llvm::formatv("{0} reads {1} at {2:x}, which no task before wrote",
                           place, section.name, *missing));
  }

  const MachineState &state;
  std::map<uint64_t, Tensor> tensors; ///< by address
  unsigned task = 0;
  Written l2, device;
  Writes before; ///< of the task before
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
