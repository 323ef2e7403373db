//===- PlanNeural.cpp - Tasks of the neural engine ------------------------===//
//
// Evidence of the accumulations: dense, channel-wise and grouped sums, sums of
// two input channels each, channel maximum, channel sum, the product of two
// channels, the identity of a window sum of one tap, and the pass are verified
// in real programs. Larger windows of WindowSum and WindowMax (pooling) are
// assigned.
//
//===----------------------------------------------------------------------===//

#include "Plan/Planner.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;
using td::Field;

struct Planner::Channels {
  uint32_t in, out;
  uint32_t unicastIn; ///< of each output in a unicast task
  bool unicast;
  bool perChannel; ///< one of each
  bool several;    ///< some of each, which no other output reads
  bool all;        ///< every one
  bool implicit;   ///< without coefficients

  /// The only output reads all: the same with and without unicast.
  bool oneFromAll() const { return all && out == 1; }
};

Planner::Channels Planner::channels() const {
  Channels channels;
  channels.in = image.get(Field::Cin);
  channels.out = image.get(Field::Cout);
  channels.unicast = image.isSet(Field::UnicastEn);
  channels.unicastIn = image.get(Field::UnicastCin);
  channels.perChannel = channels.unicast && channels.unicastIn == 1 &&
                        channels.in == channels.out;
  // Verified for two inputs and windows of one element: output o has the inputs
  // o * n to o * n + n - 1.
  channels.several =
      channels.unicast && channels.unicastIn > 1 && channels.out > 1 &&
      uint64_t(channels.out) * channels.unicastIn == channels.in &&
      image.get(Field::Kw) == 1 && image.get(Field::Kh) == 1;
  channels.all = !channels.unicast ||
                 (channels.unicastIn == channels.in && channels.out == 1);
  channels.implicit = image.isSet(Field::KernelMode);
  return channels;
}

std::optional<Accumulation> Planner::sumOver(const Channels &channels) {
  if (channels.perChannel && !(channels.oneFromAll() && channels.implicit))
    return channels.implicit ? Accumulation::WindowSum
                             : Accumulation::Channelwise;
  if (channels.several && !channels.implicit)
    return Accumulation::Channelwise;
  if (!channels.implicit && channels.all)
    return Accumulation::Dense;
  if (channels.implicit && channels.oneFromAll())
    return Accumulation::ChannelSum;
  return std::nullopt;
}

std::optional<Accumulation> Planner::maximumOver(const Channels &channels) {
  if (channels.perChannel && !channels.oneFromAll())
    return Accumulation::WindowMax;
  if (channels.oneFromAll())
    return Accumulation::ChannelMax;
  return std::nullopt;
}

Error Planner::planAccumulation(NeuralTask &task) const {
  Channels channels = this->channels();
  auto mode = td::valueOf<Field::MACOpMode>(image);
  if (Error error =
          require(Field::ElemMultMode, mode == td::MACOpMode::Multiply,
                  "NE.MACCfg.OpMode says otherwise"))
    return error;
  auto refuseCoefficients = [&](const llvm::Twine &what) {
    return refuse(Field::KernelMode, what.str() + " takes no coefficients");
  };
  std::optional<Accumulation> known;
  switch (mode) {
  case td::MACOpMode::MAC:
    known = sumOver(channels);
    break;
  case td::MACOpMode::Max:
    if (!channels.implicit)
      return refuseCoefficients("a maximum");
    known = maximumOver(channels);
    break;
  case td::MACOpMode::Multiply:
    if (!channels.implicit)
      return refuseCoefficients("a product of channels");
    if (channels.unicast && channels.unicastIn == 2 &&
        channels.in == 2 * channels.out)
      known = Accumulation::PairProduct;
    break;
  case td::MACOpMode::Pass:
    if (!channels.implicit)
      return refuseCoefficients("a pass");
    known = Accumulation::Pass;
    break;
  default:
    return refuse(Field::MACOpMode,
                  "only 0 (multiply-accumulate), 2 (product), 3 (maximum) and "
                  "4 (pass) are known");
  }
  if (!known)
    return refuse(Field::UnicastCin,
                  llvm::formatv("{0} to {1} channels {2} unicast are not a "
                                "combination whose meaning is known",
                                channels.in, channels.out,
                                channels.unicast ? "with" : "without")
                      .str());
  task.accumulation = *known;
  return Error::success();
}

/// Two outputs side by side in a step of two columns: rows of results with a
/// stride of 1. Verified for channel-wise windows of 1x9, and of 9x9 with zeros
/// left out.
Error Planner::checkPairs(const NeuralTask &task) const {
  if (!hasPairs())
    return require(Field::Ox, 1, "1 and 2 are known");
  bool sparse = image.isSet(Field::SparseFmt);
  bool known =
      task.accumulation == Accumulation::Channelwise &&
      image.get(Field::UnicastCin) == 1 && image.get(Field::NumGroups) == 1 &&
      image.get(Field::Kw) % 2 == 1 && image.get(Field::Sx) == 2 &&
      image.get(Field::Sy) == 1 &&
      (sparse ? !image.isSet(Field::BiasMode) : image.get(Field::Kh) == 1);
  if (!known)
    return refuse(Field::Ox, "two outputs in a step are known of windows of an "
                             "odd number of columns, a stride of 2 along a "
                             "row, each channel for itself, of one row or with "
                             "zeros left out and no bias");
  for (Field field : {Field::PalettizedEn, Field::PaletteInLane,
                      Field::RuntimeKernel, Field::TransposedWrite})
    if (image.isSet(field))
      return refuse(field, "two outputs in a step are known without this only");
  if (td::valueOf<Field::KernelFmt>(image) != td::KernelFormat::Half ||
      td::valueOf<Field::NonlinearMode>(image) == td::NonlinearMode::Table)
    return refuse(Field::Ox, "two outputs in a step are known with kernels of "
                             "fp16 and without a table only");
  return Error::success();
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
  if (Error error = checkPairs(task))
    return error;
  if (hasPairs())
    window.strideX = 1;

  auto padding = td::valueOf<Field::PaddingMode>(image);
  if (padding > td::PaddingMode::Lowest)
    return refuse(Field::PaddingMode, "only 0 (zeros) and 1 (lowest value) are "
                                      "known");
  bool maximum = task.accumulation == Accumulation::ChannelMax ||
                 task.accumulation == Accumulation::WindowMax;
  if (padding != td::PaddingMode::Zero && !maximum)
    return refuse(Field::PaddingMode, "only a maximum pads with the lowest "
                                      "value");
  window.padLowest = padding == td::PaddingMode::Lowest;

  // Inferred: a pass moves and pads as a convolution of one tap does.
  if (task.accumulation == Accumulation::Pass &&
      (window.width != 1 || window.height != 1))
    return refuse(Field::MACOpMode, "a pass has a window of 1x1");

  Extents in = inputExtents(), out = outputExtents();
  if (task.accumulation == Accumulation::PairProduct &&
      (window != Window() || in.height != out.height || in.width != out.width))
    return refuse(Field::MACOpMode, "a product of channels is known element by "
                                    "element only");
  return Error::success();
}

Extents Window::paddedExtents(Extents input, const Extents &output) const {
  input.height =
      std::max(top + input.height, (output.height - 1) * strideY + height);
  input.width =
      std::max(left + input.width, (output.width - 1) * strideX + width);
  return input;
}

/// The padded input is materialised.
Error Planner::checkPadded(const NeuralTask &task) const {
  Extents in = inputExtents();
  Extents padded = task.window.paddedExtents(in, outputExtents());
  constexpr uint64_t freePadded = uint64_t(1) << 26;
  uint64_t limit = std::max(freePadded, 16 * in.elements());
  if (padded.elements() <= limit)
    return Error::success();
  bool isHigh =
      uint64_t(padded.height) * in.width > uint64_t(padded.width) * in.height;
  return refuse(isHigh ? Field::Hout : Field::Wout,
                llvm::formatv("padding makes {0} x {1} of the {2} x {3} of the "
                              "input, {4} elements; up to {5} are executed, so "
                              "the result must be smaller",
                              padded.height, padded.width, in.height, in.width,
                              padded.elements(), limit)
                    .str());
}

/// Measured on M1: sums overflow at 2^15, those of matmul and linear even when
/// they have one product, but the one of a 1x1 convolution of one channel
/// passes 60000. Assigned: what tells them apart here.
void Planner::planOverflow(NeuralTask &task) const {
  bool dense = task.accumulation == Accumulation::Dense ||
               task.accumulation == Accumulation::ChannelSum;
  // Assigned: what multiplies is what multiplies with coefficients.
  if (task.accumulation == Accumulation::PairProduct)
    task.source.flushed = true;
  if (!dense && task.accumulation != Accumulation::Channelwise &&
      task.accumulation != Accumulation::WindowSum)
    return;
  task.source.flushed = true;
  uint64_t products = uint64_t(task.window.width) * task.window.height;
  if (dense)
    products *= task.source.extents.channels;
  else if (task.accumulation == Accumulation::Channelwise)
    products *= image.get(Field::UnicastCin);
  task.saturates = products > 1 || image.isSet(Field::TransposedWrite) ||
                   image.isSet(Field::RuntimeKernel);
}

Expected<TaskPlan> Planner::planNeural() {
  NeuralTask task;
  if (Error error = planAccumulation(task))
    return error;
  if (Error error = planWindow(task))
    return error;
  for (Field field : {Field::Src2FromDMA, Field::Src2Kept})
    if (Error error = require(field, 0, "an NE task has no source 2"))
      return error;
  if (auto point = td::valueOf<Field::BinaryPoint>(image);
      point != td::BinaryPoint::Half && point != td::BinaryPoint::None)
    return refuse(Field::BinaryPoint, "fp16 tasks have 28 or 0");

  Expected<Operand> source = firstOperand(inputExtents());
  if (!source)
    return source.takeError();
  task.source = *source;
  if (Error error = checkPadded(task))
    return error;

  switch (td::valueOf<Field::NonlinearMode>(image)) {
  case td::NonlinearMode::None:
    break;
  case td::NonlinearMode::ReLU:
    task.nonlinearity = Nonlinearity::Relu;
    break;
  case td::NonlinearMode::Table:
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
    for (Field field :
         {Field::BiasMode, Field::RuntimeKernel, Field::SparseFmt,
          Field::PalettizedEn, Field::PaletteInLane, Field::KernelDMASparse})
      if (image.isSet(field))
        return refuse(field, "the task has no coefficients");
    if (task.nonlinearity == Nonlinearity::Table)
      if (Error error = planTable(task))
        return error;
  }
  planOverflow(task);

  Expected<Result> destination =
      result(outputExtents(), image.isSet(Field::TransposedWrite));
  if (!destination)
    return destination.takeError();
  task.result = std::move(*destination);
  return task;
}
