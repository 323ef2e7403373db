//===- PlanNeural.cpp - Tasks of the neural engine ------------------------===//
//
// Evidence of the accumulations: dense, channel-wise and grouped sums, channel
// maximum, channel sum, the identity of a window sum of one tap, and the pass
// are verified in real programs. Larger windows of WindowSum and WindowMax
// (pooling) and a kernel shared by all groups (a batch) are assigned.
//
//===----------------------------------------------------------------------===//

#include "HalfConversion.h"
#include "Planner.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;
using td::Field;

namespace {

/// Values of MACCfg.OpMode. Verified.
enum OpMode : uint32_t { Mac = 0, Max = 3, Bypass = 4 };

/// Output channels of all groups that a kernel may have.
constexpr uint64_t maxKernelChannels = uint64_t(1) << 20;

} // namespace

Error Planner::planAccumulation(NeuralTask &task) const {
  uint32_t channelsIn = image.get(Field::Cin);
  uint32_t channelsOut = image.get(Field::Cout);
  bool unicast = image.isSet(Field::UnicastEn);
  uint32_t unicastCin = image.get(Field::UnicastCin);
  bool perChannel = unicast && unicastCin == 1 && channelsIn == channelsOut;
  // One output that reads all channels is the same with and without unicast.
  bool allChannels = !unicast || (unicastCin == channelsIn && channelsOut == 1);
  bool oneFromAll = allChannels && channelsOut == 1;
  bool implicit = image.isSet(Field::KernelMode);

  auto channelError = [&] {
    return refuse(Field::UnicastCin,
                  llvm::formatv("{0} to {1} channels {2} unicast are not a "
                                "combination whose meaning is known",
                                channelsIn, channelsOut,
                                unicast ? "with" : "without")
                      .str());
  };

  switch (image.get(Field::MACOpMode)) {
  case Mac:
    if (perChannel && !oneFromAll)
      task.accumulation =
          implicit ? Accumulation::WindowSum : Accumulation::Channelwise;
    else if (!implicit && allChannels)
      task.accumulation = Accumulation::Dense;
    else if (implicit && oneFromAll)
      task.accumulation = Accumulation::ChannelSum;
    else
      return channelError();
    return Error::success();
  case Max:
    if (!implicit)
      return refuse(Field::KernelMode, "a maximum takes no coefficients");
    if (perChannel && !oneFromAll)
      task.accumulation = Accumulation::WindowMax;
    else if (oneFromAll)
      task.accumulation = Accumulation::ChannelMax;
    else
      return channelError();
    return Error::success();
  case Bypass:
    if (!implicit)
      return refuse(Field::KernelMode, "a pass takes no coefficients");
    if (channelsIn != channelsOut)
      return refuse(Field::Cout, "a pass does not change the channels");
    task.accumulation = Accumulation::Pass;
    return Error::success();
  default:
    return refuse(Field::MACOpMode,
                  "only 0 (multiply-accumulate), 3 (maximum) and 4 (pass) are "
                  "known");
  }
}

Error Planner::planWindow(NeuralTask &task) const {
  Window &window = task.window;
  window.width = image.get(Field::Kw);
  window.height = image.get(Field::Kh);
  window.strideX = image.get(Field::Sx);
  window.strideY = image.get(Field::Sy);
  window.left = image.get(Field::Px);
  window.top = image.get(Field::Py);
  for (Field field : {Field::Kw, Field::Kh, Field::Sx, Field::Sy})
    if (image.get(field) == 0)
      return refuse(field, "it must not be 0");

  constexpr uint32_t zeros = 0, lowest = 1;
  uint32_t padding = image.get(Field::PaddingMode);
  if (padding > lowest)
    return refuse(Field::PaddingMode, "only 0 (zeros) and 1 (lowest value) are "
                                      "known");
  bool maximum = task.accumulation == Accumulation::ChannelMax ||
                 task.accumulation == Accumulation::WindowMax;
  if (padding != zeros && !maximum)
    return refuse(Field::PaddingMode, "only a maximum pads with the lowest "
                                      "value");
  window.padLowest = padding == lowest;

  Extents in = inputExtents(), out = outputExtents();
  bool moves = window.width != 1 || window.height != 1 || window.left ||
               window.top || window.strideX != 1 || window.strideY != 1;
  if (task.accumulation == Accumulation::Pass &&
      (moves || in.width != out.width || in.height != out.height))
    return refuse(Field::MACOpMode, "a pass has a window of 1x1 and the same "
                                    "extents on both sides");

  // The padded input is materialised.
  Extents padded = in;
  padded.height = std::max(window.top + in.height,
                           (out.height - 1) * window.strideY + window.height);
  padded.width = std::max(window.left + in.width,
                          (out.width - 1) * window.strideX + window.width);
  constexpr uint64_t freePadded = uint64_t(1) << 26;
  uint64_t limit = std::max(freePadded, 16 * in.elements());
  if (padded.elements() > limit)
    return llvm::createStringError(llvm::formatv(
        "padding makes {0} elements of the {1} of the input; up to {2} are "
        "executed",
        padded.elements(), in.elements(), limit));
  return Error::success();
}

unsigned Planner::enabledLanes() const {
  unsigned count = 0;
  while (count < td::numLanes && image.isSet(Field::CoeffEn, count))
    ++count;
  return count;
}

/// The first `count` lanes, each checked to have `bytes` bytes in its section,
/// which for `constant` lanes must have contents before the program runs.
Expected<std::array<const uint8_t *, 16>>
Planner::lanes(unsigned count, uint64_t bytes, bool constant) {
  if (!image.isSet(Field::KernelDMAEnable) || enabledLanes() < count)
    return llvm::createStringError(llvm::formatv(
        "the task needs {0} coefficient lanes from lane 0 on, but {1} are "
        "enabled{2}",
        count, enabledLanes(),
        image.isSet(Field::KernelDMAEnable)
            ? ""
            : " and KernelDMASrc.Master.Enable is 0"));
  if (!image.isSet(Field::KBE0))
    return refuse(Field::KBE0, "coefficients need a BAR");
  uint64_t address = memory.bar(image.get(Field::KBase0));
  MemorySection *section = address ? memory.find(address) : nullptr;
  if (!section)
    return refuse(Field::KBase0,
                  llvm::formatv("this BAR holds {0:x}, which lies in no "
                                "section",
                                address)
                      .str());
  if (constant && section->owned)
    return refuse(Field::KBase0, "it holds section " + section->name +
                                     ", but an activation table must be among "
                                     "the constants");
  std::array<const uint8_t *, 16> result = {};
  for (unsigned lane = 0; lane < count; ++lane) {
    uint64_t size = image.getScaled(Field::CoeffSize, lane);
    if (size < bytes)
      return refuse(Field::CoeffSize,
                    llvm::formatv("the lane needs {0} bytes", bytes).str(),
                    lane);
    uint64_t begin =
        address - section->address + image.getScaled(Field::CoeffBase, lane);
    if (begin + bytes > section->bytes.size())
      return refuse(Field::CoeffBase,
                    llvm::formatv("the lane's {0} bytes reach from byte {1} to "
                                  "byte {2} of section {3}, which has {4}",
                                  bytes, begin, begin + bytes, section->name,
                                  section->bytes.size())
                        .str(),
                    lane);
    result[lane] = section->bytes.data() + begin;
  }
  return result;
}

Error Planner::planKernel(NeuralTask &task) {
  if (Error error = require(Field::KernelFmt, 2,
                            "only fp16 kernels are "
                            "executed"))
    return error;
  if (Error error =
          require(Field::PalettizedBits, 8, "palettes are not executed"))
    return error;
  bool runtime = image.isSet(Field::RuntimeKernel);
  bool hasTable = task.nonlinearity == Nonlinearity::Table;
  if (runtime && (hasTable || image.isSet(Field::BiasMode)))
    return refuse(Field::RuntimeKernel, "a kernel from a surface brings no "
                                        "bias rows and no activation table");

  // Assigned: a kernel that all groups use is laid out as one group.
  td::KernelShape shape;
  bool shared = image.isSet(Field::GroupKernelReuse);
  shape.channelwise = task.accumulation == Accumulation::Channelwise;
  shape.outputChannels = image.get(Field::Cout);
  shape.taps = image.get(Field::Kw) * image.get(Field::Kh) *
               (shape.channelwise ? 1 : image.get(Field::Cin));
  shape.groups = shared ? 1 : image.get(Field::NumGroups);
  shape.ocgSize = image.get(Field::OCGSize);
  shape.bias = image.isSet(Field::BiasMode);
  shape.table = hasTable;

  // Building a layout takes memory in proportion to the channels, so look at
  // the room for their coefficients first.
  uint64_t room = 0;
  for (unsigned lane = 0; lane < enabledLanes(); ++lane)
    room += image.getScaled(Field::CoeffSize, lane);
  uint64_t channels = uint64_t(shape.outputChannels) * shape.groups;
  if (channels > maxKernelChannels || channels * shape.taps * 2 > room)
    return llvm::createStringError(llvm::formatv(
        "a kernel of {0} groups, {1} channels and {2} taps does not fit the "
        "{3} bytes of the {4} enabled coefficient lanes",
        shape.groups, shape.outputChannels, shape.taps, room, enabledLanes()));

  Expected<td::KernelLayout> layout = td::KernelLayout::create(shape);
  if (!layout)
    return layout.takeError();
  Expected<std::array<const uint8_t *, 16>> pointers =
      lanes(layout->lanes(), layout->laneBytes(), hasTable);
  if (!pointers)
    return pointers.takeError();
  if (hasTable) {
    llvm::SmallVector<const uint8_t *, 16> records;
    for (unsigned lane = 0; lane < layout->lanes(); ++lane)
      records.push_back((*pointers)[lane] + layout->tableOffset());
    Expected<ActivationTable> table = readTable(records);
    if (!table)
      return table.takeError();
    task.table = *table;
  }
  task.kernel = Kernel{std::move(*layout), *pointers, shared};
  return Error::success();
}

/// Without coefficients the table is all that a lane holds. Verified.
Error Planner::planTable(NeuralTask &task) {
  unsigned count = std::max(enabledLanes(), 1u);
  Expected<std::array<const uint8_t *, 16>> pointers =
      lanes(count, sizeof(td::LutRecord), /*constant=*/true);
  if (!pointers)
    return pointers.takeError();
  Expected<ActivationTable> table =
      readTable(llvm::ArrayRef(*pointers).take_front(count));
  if (!table)
    return table.takeError();
  task.table = *table;
  return Error::success();
}

Expected<ActivationTable>
Planner::readTable(llvm::ArrayRef<const uint8_t *> records) const {
  td::LutRecord record;
  std::memcpy(&record, records.front(), sizeof(record));
  for (const uint8_t *other : records)
    if (std::memcmp(other, &record, sizeof(record)) != 0)
      return llvm::createStringError(
          "the coefficient lanes hold different activation tables");
  return ActivationTable::create(record);
}

Expected<TaskPlan> Planner::planNeural() {
  NeuralTask task;
  if (Error error = planAccumulation(task))
    return error;
  if (Error error = planWindow(task))
    return error;
  if (Error error =
          require(Field::Src2FromDMA, 0, "an NE task has no source 2"))
    return error;
  constexpr uint32_t fixedPoint = 28;
  if (uint32_t point = image.get(Field::BinaryPoint); point % fixedPoint != 0)
    return refuse(Field::BinaryPoint, "fp16 tasks have 28 or 0");

  Expected<Operand> source = firstOperand(inputExtents());
  if (!source)
    return source.takeError();
  task.source = *source;

  switch (image.get(Field::NonlinearMode)) {
  case 0:
    break;
  case 1:
    task.nonlinearity = Nonlinearity::Relu;
    break;
  case 2:
    task.nonlinearity = Nonlinearity::Table;
    break;
  default:
    return refuse(Field::NonlinearMode, "only 0 (none), 1 (relu) and 2 (table) "
                                        "are known");
  }
  task.bias = half(Field::AccBias);
  task.scale = half(Field::PostScale);

  bool weighted = task.accumulation == Accumulation::Dense ||
                  task.accumulation == Accumulation::Channelwise;
  if (weighted) {
    if (Error error = planKernel(task))
      return error;
  } else {
    for (Field field : {Field::BiasMode, Field::RuntimeKernel})
      if (image.isSet(field))
        return refuse(field, "the task has no coefficients");
    if (task.nonlinearity == Nonlinearity::Table)
      if (Error error = planTable(task))
        return error;
  }

  Expected<Result> destination =
      result(outputExtents(), image.isSet(Field::TransposedWrite));
  if (!destination)
    return destination.takeError();
  task.result = std::move(*destination);
  return task;
}
