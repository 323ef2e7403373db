//===- PlanKernel.cpp - Coefficients and activation tables ----------------===//
//
// Evidence: dense, channel-wise and grouped planes, bias rows and tables are
// verified in real programs, a kernel shared by all groups (a batch) is
// assigned. For packed lanes see KernelStream.h.
//
//===----------------------------------------------------------------------===//

#include "Plan/Planner.h"
#include "ane/TaskDescriptor/KernelStream.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;
using td::Field;
using td::paletteStream;

namespace {

/// Output channels of all groups that a kernel may have.
constexpr uint64_t maxKernelChannels = uint64_t(1) << 20;

Expected<ActivationTable> readTable(llvm::ArrayRef<const uint8_t *> records) {
  td::LutRecord record;
  std::memcpy(&record, records.front(), sizeof(record));
  for (const uint8_t *other : records)
    if (std::memcmp(other, &record, sizeof(record)) != 0)
      return llvm::createStringError(
          "the coefficient lanes hold different activation tables");
  return ActivationTable::create(record);
}

/// Whether `room` bytes of lanes may hold the weights of a kernel.
Error checkRoom(const td::KernelShape &shape, uint64_t room, unsigned lanes,
                bool packed) {
  uint64_t channels = uint64_t(shape.outputChannels) * shape.groups;
  if (channels <= maxKernelChannels &&
      channels * shape.taps * 2 <= room * (packed ? td::maxUnpacking : 1))
    return Error::success();
  return llvm::createStringError(llvm::formatv(
      "a kernel of {0} groups, {1} channels and {2} taps does not fit the {3} "
      "bytes of the {4} enabled coefficient lanes",
      shape.groups, shape.outputChannels, shape.taps, room, lanes));
}

} // namespace

unsigned Planner::enabledLanes() const {
  unsigned count = 0;
  while (count < td::numLanes && image.isSet(Field::CoeffEn, count))
    ++count;
  return count;
}

/// The bytes that a lane or stream has, at least `needed`. `constant` ones must
/// have contents before the program runs.
Expected<llvm::ArrayRef<uint8_t>>
Planner::kernelBytes(Field sizeField, Field baseField, unsigned index,
                     uint64_t needed, bool constant) const {
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
    return refuse(Field::KBase0,
                  "it holds section " + section->name +
                      ", but activation tables and packed coefficients must be "
                      "among the constants");
  uint64_t size = image.getScaled(sizeField, index);
  if (size < needed)
    return refuse(sizeField,
                  llvm::formatv("the lane needs {0} bytes", needed).str(),
                  index);
  unsigned baseIndex = td::fieldInfo(baseField).count > 1 ? index : 0;
  uint64_t place = address + image.getScaled(baseField, baseIndex);
  // Split coefficients (documented) are several sections, but one BAR.
  if (!section->owned && place >= section->end())
    if (MemorySection *next = memory.find(place); next && !next->owned)
      section = next;
  uint64_t begin = place - section->address;
  // Lanes may be declared larger than what they hold.
  uint64_t bytes = constant ? size : needed;
  if (begin + needed > section->bytes.size())
    return refuse(baseField,
                  llvm::formatv("the lane's {0} bytes reach from byte {1} to "
                                "byte {2} of section {3}, which has {4}",
                                needed, begin, begin + needed, section->name,
                                section->bytes.size())
                      .str(),
                  baseIndex);
  return section->bytes.slice(
      begin, std::min<uint64_t>(bytes, section->bytes.size() - begin));
}

/// The first `count` lanes.
Expected<llvm::SmallVector<llvm::ArrayRef<uint8_t>, td::numLanes>>
Planner::lanes(unsigned count, uint64_t needed, bool constant) const {
  if (!image.isSet(Field::KernelDMAEnable) || enabledLanes() < count)
    return llvm::createStringError(llvm::formatv(
        "the task needs {0} coefficient lanes from lane 0 on, but {1} are "
        "enabled{2}",
        count, enabledLanes(),
        image.isSet(Field::KernelDMAEnable)
            ? ""
            : " and KernelDMASrc.Master.Enable is 0"));
  llvm::SmallVector<llvm::ArrayRef<uint8_t>, td::numLanes> result;
  for (unsigned lane = 0; lane < count; ++lane) {
    Expected<llvm::ArrayRef<uint8_t>> bytes =
        kernelBytes(Field::CoeffSize, Field::CoeffBase, lane, needed, constant);
    if (!bytes)
      return bytes.takeError();
    result.push_back(*bytes);
  }
  return result;
}

Expected<td::KernelShape> Planner::kernelShape(const NeuralTask &task) const {
  // Assigned: a kernel that all groups use is laid out as one group.
  td::KernelShape shape;
  shape.channelwise = task.accumulation == Accumulation::Channelwise;
  shape.outputChannels = image.get(Field::Cout);
  shape.taps = image.get(Field::Kw) * image.get(Field::Kh) *
               image.get(shape.channelwise ? Field::UnicastCin : Field::Cin);
  shape.groups =
      image.isSet(Field::GroupKernelReuse) ? 1 : image.get(Field::NumGroups);
  shape.ocgSize = image.get(Field::OCGSize);
  shape.bias = image.isSet(Field::BiasMode);
  shape.table = task.nonlinearity == Nonlinearity::Table;
  shape.engines = 1u << image.get(Field::ActiveNE);

  // Building a layout takes memory in proportion to the channels, so look at
  // the room for their coefficients first.
  bool packed = hasBytes() || image.isSet(Field::SparseFmt) ||
                image.isSet(Field::PalettizedEn);
  uint64_t room = 0;
  for (unsigned lane = 0; lane < enabledLanes(); ++lane)
    room += image.getScaled(Field::CoeffSize, lane);
  if (Error error = checkRoom(shape, room, enabledLanes(), packed))
    return error;
  return shape;
}

Expected<Kernel> Planner::densePlanes(td::KernelLayout layout) const {
  auto bytes = lanes(layout.lanes(), layout.laneBytes(), layout.shape().table);
  if (!bytes)
    return bytes.takeError();
  Kernel kernel{std::move(layout), {}, nullptr, false};
  for (auto [pointer, lane] : llvm::zip(kernel.lanes, *bytes))
    pointer = lane.data();
  return kernel;
}

Expected<llvm::ArrayRef<uint8_t>> Planner::palette() const {
  uint32_t bits = image.get(Field::PalettizedBits);
  if (!llvm::is_contained(td::paletteBits, bits))
    return refuse(Field::PalettizedBits, "a palette has indices of 4 or 8 "
                                         "bits");
  uint64_t bytes = td::paletteBytes(bits);
  auto result = kernelBytes(Field::StreamSize, Field::StreamPaletteBase,
                            paletteStream, bytes, /*constant=*/true);
  if (!result)
    return result.takeError();
  return result->take_front(bytes);
}

/// Verified for one such kernel: each lane has a palette of one colour, and a
/// plane of which only the masks matter then.
Error Planner::checkColour(const td::KernelLayout &layout) const {
  const td::KernelShape &shape = layout.shape();
  bool known =
      image.isSet(Field::SparseFmt) && image.isSet(Field::PalettizedEn) &&
      image.get(Field::PalettizedBits) == 1 && shape.channelwise &&
      !shape.bias && !shape.table && layout.planes().size() == layout.lanes();
  return known ? Error::success()
               : refuse(Field::PaletteInLane,
                        "a palette in each lane is known with indices of one "
                        "bit and zeros left out, one channel for itself in a "
                        "lane, without bias and table");
}

Expected<Kernel> Planner::packedPlanes(td::KernelLayout layout) const {
  bool sparse = image.isSet(Field::SparseFmt);
  bool inLane = image.isSet(Field::PaletteInLane);
  if (inLane) {
    if (Error error = checkColour(layout))
      return error;
  } else if (sparse && image.isSet(Field::PalettizedEn)) {
    return refuse(Field::PalettizedEn, "a palette in a zero-skipping kernel is "
                                       "known in each lane only");
  }
  td::KernelWindow window{image.get(Field::Kh), image.get(Field::Kw),
                          image.get(Field::Sy), image.get(Field::Sx)};
  if (sparse && !hasPairs() && !td::canSkipZeros(layout, window))
    return refuse(Field::SparseFmt,
                  "the order of a zero-skipping kernel is known for strides of "
                  "1 or of 2 in both directions, and up to 32 channels side by "
                  "side only");
  auto packed = lanes(layout.lanes(), 0, /*constant=*/true);
  if (!packed)
    return packed.takeError();
  llvm::ArrayRef<uint8_t> colours;
  if (image.isSet(Field::PalettizedEn) && !inLane) {
    Expected<llvm::ArrayRef<uint8_t>> found = palette();
    if (!found)
      return found.takeError();
    colours = *found;
  }
  // Lanes may be declared larger than what they hold.
  uint64_t room = 0;
  for (llvm::ArrayRef<uint8_t> lane : *packed)
    room += lane.size();
  if (Error error =
          checkRoom(layout.shape(), room, packed->size(), /*packed=*/true))
    return error;
  auto dense = std::make_shared<std::vector<uint8_t>>(layout.totalBytes());
  Kernel kernel{std::move(layout), {}, dense, false};
  uint64_t laneBytes = kernel.layout.laneBytes();
  for (auto [lane, bytes] : llvm::enumerate(*packed)) {
    auto target =
        llvm::MutableArrayRef(*dense).slice(lane * laneBytes, laneBytes);
    kernel.lanes[lane] = target.data();
    Error error =
        hasPairs() ? td::unpackPairs(kernel.layout, window, sparse, lane, bytes,
                                     target)
        : inLane ? td::unpackColour(kernel.layout, window, lane, bytes, target)
        : hasBytes() ? td::unpackBytes(kernel.layout, lane, bytes, target)
        : sparse ? td::unpackSparse(kernel.layout, window, lane, bytes, target)
                 : td::unpackPalette(kernel.layout, lane, bytes,
                                     image.get(Field::PalettizedBits), colours,
                                     target);
    if (error)
      return error;
  }
  return kernel;
}

bool Planner::hasBytes() const {
  return td::valueOf<Field::KernelFmt>(image) == td::KernelFormat::Int8;
}

Error Planner::checkStorage() const {
  if (!hasBytes())
    if (Error error =
            require(Field::KernelFmt, td::bits(td::KernelFormat::Half),
                    "only kernels of fp16 and int8 are known"))
      return error;
  bool sparse = image.isSet(Field::SparseFmt);
  bool palettized = image.isSet(Field::PalettizedEn);
  if (Error error = require(Field::KernelDMASparse, sparse,
                            "NE.KernelCfg.SparseFmt says otherwise"))
    return error;
  constexpr uint32_t noPaletteBits = 8;
  if (!palettized)
    if (Error error = require(Field::PalettizedBits, noPaletteBits,
                              "the kernel has no palette"))
      return error;
  for (unsigned stream = 0; stream < td::fieldInfo(Field::StreamEn).count;
       ++stream)
    if (image.isSet(Field::StreamEn, stream) !=
        (stream == paletteStream && palettized &&
         !image.isSet(Field::PaletteInLane)))
      return refuse(Field::StreamEn,
                    "of the auxiliary streams only the one of a palette is "
                    "known, and needed for one that is not in the lanes",
                    stream);
  return Error::success();
}

Error Planner::planKernel(NeuralTask &task) {
  if (Error error = checkStorage())
    return error;
  bool hasTable = task.nonlinearity == Nonlinearity::Table;
  if (image.isSet(Field::RuntimeKernel) &&
      (hasTable || image.isSet(Field::BiasMode)))
    return refuse(Field::RuntimeKernel, "a kernel from a surface brings no "
                                        "bias rows and no activation table");
  if (hasBytes())
    for (Field field :
         {Field::SparseFmt, Field::PalettizedEn, Field::PaletteInLane,
          Field::RuntimeKernel, Field::BiasMode})
      if (image.isSet(field))
        return refuse(field, "a kernel of int8 is known without this only");
  Expected<td::KernelShape> shape = kernelShape(task);
  if (!shape)
    return shape.takeError();
  bool hasOneRow = shape->channelwise || shape->outputChannels == 1;
  if (hasBytes() && (!hasOneRow || shape->groups > 1))
    return refuse(Field::KernelFmt, "the order of a kernel of int8 is known "
                                    "where no two outputs share inputs");
  Expected<td::KernelLayout> layout = td::KernelLayout::create(*shape);
  if (!layout)
    return layout.takeError();
  bool packed = image.isSet(Field::SparseFmt) ||
                image.isSet(Field::PalettizedEn) || hasBytes() || hasPairs() ||
                image.isSet(Field::PaletteInLane);
  Expected<Kernel> kernel = packed ? packedPlanes(std::move(*layout))
                                   : densePlanes(std::move(*layout));
  if (!kernel)
    return kernel.takeError();
  if (hasTable) {
    llvm::SmallVector<const uint8_t *, td::numLanes> records;
    for (unsigned lane = 0; lane < kernel->layout.lanes(); ++lane)
      records.push_back(kernel->lanes[lane] + td::KernelLayout::tableOffset);
    Expected<ActivationTable> table = readTable(records);
    if (!table)
      return table.takeError();
    task.table = *table;
  }
  kernel->shared = image.isSet(Field::GroupKernelReuse);
  task.kernel = std::move(*kernel);
  return Error::success();
}

/// Without coefficients the table is all that a lane holds. Verified.
Error Planner::planTable(NeuralTask &task) {
  unsigned count = std::max(enabledLanes(), 1u);
  auto bytes = lanes(count, sizeof(td::LutRecord), /*constant=*/true);
  if (!bytes)
    return bytes.takeError();
  llvm::SmallVector<const uint8_t *, td::numLanes> records;
  for (llvm::ArrayRef<uint8_t> lane : *bytes)
    records.push_back(lane.data());
  Expected<ActivationTable> table = readTable(records);
  if (!table)
    return table.takeError();
  task.table = *table;
  return Error::success();
}
