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

Error Planner::planAccumulation(NeuralTask &task) const {
  uint32_t channelsIn = image.get(Field::Cin);
  uint32_t channelsOut = image.get(Field::Cout);
  bool unicast = image.isSet(Field::UnicastEn);
  uint32_t unicastCin = image.get(Field::UnicastCin);
  bool perChannel = unicast && unicastCin == 1 && channelsIn == channelsOut;
  // Verified for two inputs and windows of one element: output o has the inputs
  // o * n to o * n + n - 1.
  bool hasSeveral = unicast && unicastCin > 1 && channelsOut > 1 &&
                    uint64_t(channelsOut) * unicastCin == channelsIn &&
                    image.get(Field::Kw) == 1 && image.get(Field::Kh) == 1;
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

  auto mode = td::valueOf<Field::MACOpMode>(image);
  if (Error error =
          require(Field::ElemMultMode, mode == td::MACOpMode::Multiply,
                  "NE.MACCfg.OpMode says otherwise"))
    return error;
  switch (mode) {
  case td::MACOpMode::MAC:
    if (perChannel && !(oneFromAll && implicit))
      task.accumulation =
          implicit ? Accumulation::WindowSum : Accumulation::Channelwise;
    else if (hasSeveral && !implicit)
      task.accumulation = Accumulation::Channelwise;
    else if (!implicit && allChannels)
      task.accumulation = Accumulation::Dense;
    else if (implicit && oneFromAll)
      task.accumulation = Accumulation::ChannelSum;
    else
      return channelError();
    return Error::success();
  case td::MACOpMode::Max:
    if (!implicit)
      return refuse(Field::KernelMode, "a maximum takes no coefficients");
    if (perChannel && !oneFromAll)
      task.accumulation = Accumulation::WindowMax;
    else if (oneFromAll)
      task.accumulation = Accumulation::ChannelMax;
    else
      return channelError();
    return Error::success();
  case td::MACOpMode::Multiply:
    if (!implicit)
      return refuse(Field::KernelMode, "a product of channels takes no "
                                       "coefficients");
    if (!unicast || unicastCin != 2 || channelsIn != 2 * channelsOut)
      return channelError();
    task.accumulation = Accumulation::PairProduct;
    return Error::success();
  case td::MACOpMode::Pass:
    if (!implicit)
      return refuse(Field::KernelMode, "a pass takes no coefficients");
    task.accumulation = Accumulation::Pass;
    return Error::success();
  }
  return refuse(Field::MACOpMode,
                "only 0 (multiply-accumulate), 2 (product), 3 (maximum) and 4 "
                "(pass) are known");
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

/// The padded input is materialised.
Error Planner::checkPadded(const NeuralTask &task) const {
  const Window &window = task.window;
  Extents in = inputExtents(), out = outputExtents();
  Extents padded = in;
  padded.height = std::max(window.top + in.height,
                           (out.height - 1) * window.strideY + window.height);
  padded.width = std::max(window.left + in.width,
                          (out.width - 1) * window.strideX + window.width);
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
