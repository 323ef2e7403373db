//===- Observers.cpp - Watching a program work ----------------------------===//

#include "HalfConversion.h"
#include "Watch/TaskView.h"
#include "ane/Engine/Watch.h"
#include "ane/Support/FormatShape.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::support::endian::read16le;

namespace {

/// Calls `body(plane, tap, channel)` for every coefficient; `channel` counts in
/// the plane.
template <typename Body> void forEachTap(const Kernel &kernel, Body body) {
  for (const td::KernelPlane &plane : kernel.layout.planes())
    for (uint32_t channel = 0; channel < plane.channels; ++channel)
      for (uint32_t tap = 0; tap < kernel.layout.shape().taps; ++tap)
        body(plane, tap, channel);
}

class Breaker : public RunObserver {
public:
  Breaker(const Machine &machine, BreakOn what)
      : machine(machine), what(what) {}

  Error before(unsigned task) override {
    if (what == BreakOn::Infinity)
      return Error::success();
    if (Error error = look(task, /*written=*/false))
      return error;
    return lookAtKernel(task);
  }
  Error after(unsigned task) override { return look(task, /*written=*/true); }

private:
  bool stopsAt(float value, bool written) const {
    bool isNaN = std::isnan(value) && what != BreakOn::Infinity;
    return isNaN || (written && std::isinf(value) && what != BreakOn::NaN);
  }

  Error look(unsigned task, bool written) const {
    const MachineState &state = machine.internals();
    for (const View &view : viewsOf(state, task)) {
      bool isResult = view.role == View::Result;
      if (isResult != written || view.isWritten != written ||
          (!written && view.where == View::HandedOver) ||
          view.strides.element != Element::Half)
        continue;
      std::string message;
      uint64_t row = 0;
      view.forEachRow([&](uint32_t g, uint32_t d, uint32_t c, uint32_t h) {
        for (uint32_t w = 0; w < view.extents.width && message.empty(); ++w) {
          int64_t offset =
              view.strides.rowOffset(g, d, c, h) + view.strides.columnOffset(w);
          float value = view.origin
                            ? halfBitsToFloat(read16le(view.origin + offset))
                            : state.execution.chain.row(row)[w];
          if (stopsAt(value, written))
            message = describe(view, value, {g, d, c, h, w},
                               row * view.extents.width + w, offset);
        }
        ++row;
      });
      if (!message.empty())
        return machine.taskError(task, message);
    }
    return Error::success();
  }

  /// Coefficients that come from memory are read like a source. Constants are
  /// the compiler's.
  Error lookAtKernel(unsigned task) const {
    const MachineState &state = machine.internals();
    const td::RegisterImage &image = state.images[task];
    const auto *neural = std::get_if<NeuralTask>(&state.plans[task]);
    if (!neural || !neural->kernel || !image.isSet(td::Field::RuntimeKernel))
      return Error::success();
    const Kernel &kernel = *neural->kernel;
    unsigned bar = image.get(td::Field::KBase0);
    std::string message;
    forEachTap(kernel, [&](const td::KernelPlane &plane, uint32_t tap,
                           uint32_t channel) {
      uint64_t offset = kernel.layout.tapOffset(plane, tap, channel);
      float value =
          halfBitsToFloat(read16le(kernel.lanes[plane.lane] + offset));
      if (!message.empty() || !stopsAt(value, /*written=*/false))
        return;
      uint64_t address = state.memory.bar(bar) +
                         image.getScaled(td::Field::CoeffBase, plane.lane) +
                         offset;
      message = llvm::formatv(
          "the kernel (lane {0}, {1}, BAR {2}) has NaN at {3}, address {4:x}",
          plane.lane, td::fieldInfo(td::Field::CoeffBase).fullName(plane.lane),
          bar, formatShape({plane.group, plane.firstChannel + channel, tap}),
          address);
    });
    return message.empty() ? Error::success()
                           : machine.taskError(task, message);
  }

  static std::string describe(const View &view, float value,
                              llvm::ArrayRef<int64_t> indices, uint64_t index,
                              int64_t offset) {
    llvm::StringRef name = std::isnan(value) ? "NaN"
                           : value > 0       ? "+inf"
                                             : "-inf";
    std::string text = llvm::formatv("{0} ({1}) has {2} at {3}, element {4}",
                                     stringify(view.role), view.place(), name,
                                     formatShape(indices), index);
    if (view.origin)
      text += llvm::formatv(", {0} {1:x}",
                            view.where == View::InL2 ? "L2 address" : "address",
                            view.address + offset);
    return text;
  }

  const Machine &machine;
  BreakOn what;
};

class Dumper : public RunObserver {
public:
  Dumper(const Machine &machine, unsigned task, std::vector<NpyFile> &files)
      : machine(machine), task(task), files(files) {}

  Error before(unsigned index) override {
    if (index != task)
      return Error::success();
    for (const View &view : viewsOf(machine.internals(), task))
      if (view.role != View::Result && !view.isWritten)
        add(view.role == View::Source1 ? "source1" : "source2", view);
    const auto *neural =
        std::get_if<NeuralTask>(&machine.internals().plans[task]);
    if (neural && neural->kernel)
      addKernel(*neural->kernel);
    return Error::success();
  }

  Error after(unsigned index) override {
    if (index != task)
      return Error::success();
    for (const View &view : viewsOf(machine.internals(), task))
      if (view.role == View::Result) {
        // Where it goes to two places, both get the same.
        add("result", view);
        break;
      }
    return Error::success();
  }

private:
  NpyArray &addFile(llvm::StringRef name) {
    return files.emplace_back(NpyFile{dumpFileName(task, name), {}}).array;
  }

  void add(llvm::StringRef name, const View &view) {
    NpyArray &array = addFile(name);
    const Extents &extents = view.extents;
    array.shape = {extents.groups, extents.depth, extents.channels,
                   extents.height, extents.width};
    if (!view.origin) {
      array.type = ElementType::Float32;
      const Tensor &chain = machine.internals().execution.chain;
      array.bytes.resize(extents.elements() * sizeof(float));
      std::memcpy(array.bytes.data(), chain.row(0), array.bytes.size());
      return;
    }
    const Strides &strides = view.strides;
    array.type = strides.element == Element::Half    ? ElementType::Float16
                 : strides.element == Element::UInt8 ? ElementType::UInt8
                                                     : ElementType::Int8;
    int64_t bytes = strides.elementBytes();
    array.bytes.reserve(extents.elements() * bytes);
    view.forEachRow([&](uint32_t g, uint32_t d, uint32_t c, uint32_t h) {
      const uint8_t *row = view.origin + strides.rowOffset(g, d, c, h);
      for (uint32_t w = 0; w < extents.width; ++w) {
        const uint8_t *from = row + strides.columnOffset(w);
        array.bytes.insert(array.bytes.end(), from, from + bytes);
      }
    });
  }

  void addKernel(const Kernel &kernel) {
    const td::KernelShape &shape = kernel.layout.shape();
    NpyArray &array = addFile("kernel");
    array.type = ElementType::Float16;
    array.shape = {shape.groups, shape.outputChannels, shape.taps};
    array.bytes.resize(array.numElements() * 2);
    forEachTap(kernel, [&](const td::KernelPlane &plane, uint32_t tap,
                           uint32_t channel) {
      uint64_t index = (uint64_t(plane.group) * shape.outputChannels +
                        plane.firstChannel + channel) *
                           shape.taps +
                       tap;
      std::memcpy(&array.bytes[2 * index],
                  kernel.lanes[plane.lane] +
                      kernel.layout.tapOffset(plane, tap, channel),
                  2);
    });
  }

  const Machine &machine;
  unsigned task;
  std::vector<NpyFile> &files;
};

} // namespace

Error Observers::before(unsigned task) {
  for (auto &observer : all)
    if (Error error = observer->before(task))
      return error;
  return Error::success();
}

Error Observers::after(unsigned task) {
  for (auto &observer : all)
    if (Error error = observer->after(task))
      return error;
  return Error::success();
}

std::unique_ptr<RunObserver> engine::breakOn(const Machine &machine,
                                             BreakOn what) {
  return std::make_unique<Breaker>(machine, what);
}

std::string engine::dumpFileName(unsigned task, llvm::StringRef part) {
  return llvm::formatv("task{0}-{1}.npy", task, part);
}

std::unique_ptr<RunObserver> engine::dumpTask(const Machine &machine,
                                              unsigned task,
                                              std::vector<NpyFile> &files) {
  return std::make_unique<Dumper>(machine, task, files);
}

unsigned engine::currentTask(const Machine &machine) {
  return machine.internals().current.load(std::memory_order_relaxed);
}

Error Stopwatch::before(unsigned) {
  start = std::chrono::steady_clock::now();
  return Error::success();
}

Error Stopwatch::after(unsigned task) {
  std::chrono::duration<double, std::micro> passed =
      std::chrono::steady_clock::now() - start;
  times[task] = passed.count();
  return Error::success();
}
