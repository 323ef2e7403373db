//===- PlanFields.cpp - Which fields the machine knows --------------------===//
//
// Every field is in one of three classes: the planner reads it, it cannot
// affect a result, or it must have its default value. A program that uses
// anything else is refused instead of computing something it does not mean.
//
//===----------------------------------------------------------------------===//

#include "HalfConversion.h"
#include "Plan/Planner.h"
#include "ane/Engine/FieldHints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <bitset>
#include <cassert>

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using td::Block;
using td::Field;

namespace {

/// What planning reads in any task.
constexpr Field readAlways[] = {
    // Engine and buffers.
    Field::Src1DMAEn, Field::RBase0, Field::RBE0, Field::RBase1, Field::RBE1,
    Field::WBase, Field::WBE, Field::ENE, Field::KBase0, Field::KBE0,
    Field::Win, Field::Hin, Field::Din, Field::InFmt, Field::Src2Fmt,
    Field::OutFmt, Field::Cin, Field::Cout, Field::Wout, Field::Hout,
    Field::Dout, Field::OCGSize, Field::NumGroups, Field::TaskType,
    Field::ActiveNE, Field::Src1Base, Field::Src1RowStride,
    Field::Src1PlaneStride, Field::Src1DepthStride, Field::Src1GroupStride,
    Field::Src2Base, Field::Src2RowStride, Field::Src2PlaneStride,
    Field::Src2DepthStride, Field::Src2GroupStride, Field::Src1FmtMode,
    Field::Src1Truncate, Field::Src1MemFmt, Field::Src1Interleave,
    Field::Src2FmtMode, Field::Src2Truncate, Field::Src2MemFmt,
    Field::Src2Interleave, Field::InputReLU, Field::PaddingMode,
    Field::SourceType, Field::SourceDMAFmt, Field::SourceDMAInterleave,
    Field::Src2FromDMA, Field::Src2Kept, Field::L2Src1Base,
    Field::L2Src1ChannelStride, Field::L2Src1RowStride,
    Field::L2Src1DepthStride, Field::L2Src1GroupStride, Field::L2Src2Base,
    Field::L2Src2ChannelStride, Field::L2Src2RowStride,
    Field::L2Src2DepthStride, Field::L2Src2GroupStride, Field::ResultType,
    Field::ResultDMAFmt, Field::ResultDMAInterleave, Field::L2ResultBase,
    Field::L2ResultChannelStride, Field::L2ResultRowStride,
    Field::L2ResultDepthStride, Field::L2ResultGroupStride, Field::DstEn,
    Field::DstBase, Field::DstRowStride, Field::DstPlaneStride,
    Field::DstDepthStride, Field::DstGroupStride, Field::DstFmtMode,
    Field::DstTruncate, Field::DstMemFmt, Field::DstInterleave,
    // Zero in the PE tasks of older compilers, and without effect in the
    // others.
    Field::KernelFmt, Field::PalettizedBits, Field::BinaryPoint,
    Field::PostScale, Field::CoeffBase, Field::CoeffSize,
    Field::StreamPaletteBase, Field::StreamSize};

/// What planning reads in NE tasks only, and in PE tasks only.
constexpr Field readInNeural[] = {Field::KernelDMAEnable,
                                  Field::KernelDMASparse,
                                  Field::SparseFmt,
                                  Field::PalettizedEn,
                                  Field::PaletteInLane,
                                  Field::StreamEn,
                                  Field::CoeffEn,
                                  Field::Kw,
                                  Field::Kh,
                                  Field::Sx,
                                  Field::Ox,
                                  Field::Sy,
                                  Field::Px,
                                  Field::Py,
                                  Field::UnicastEn,
                                  Field::UnicastCin,
                                  Field::ElemMultMode,
                                  Field::TransposedWrite,
                                  Field::GroupKernelReuse,
                                  Field::RuntimeKernel,
                                  Field::MACOpMode,
                                  Field::KernelMode,
                                  Field::BiasMode,
                                  Field::NonlinearMode,
                                  Field::AccBias};
constexpr Field readInPlanar[] = {
    Field::Src1BroadcastW, Field::Src1BroadcastH, Field::Src1BroadcastD,
    Field::Src1BroadcastC, Field::Src2BroadcastW, Field::Src2BroadcastH,
    Field::Src2BroadcastD, Field::Src2BroadcastC, Field::Src1Vector,
    Field::Src2Vector,     Field::ResultVector,   Field::Input2ReLU,
    Field::PEPoolMode,     Field::PEOpMode,       Field::PERelu,
    Field::PEAbs,          Field::PEPostFunction, Field::PESrc1Negate,
    Field::PESrc2Negate,   Field::PETwoSource,    Field::PEBias,
    Field::PEScale,        Field::PEEpsilon,      Field::PEPreScale,
    Field::PEFinalScale};

/// By field: whether its value is of no concern to checkKnown.
using FieldSet = std::bitset<512>;

FieldSet freeFields(bool planar) {
  FieldSet set;
  auto add = [&](llvm::ArrayRef<Field> fields) {
    for (Field field : fields)
      set.set(static_cast<size_t>(field));
  };
  for (const HintClass &hints : hintClasses())
    add(hints.fields);
  add(readAlways);
  add(planar ? llvm::ArrayRef(readInPlanar) : llvm::ArrayRef(readInNeural));
  return set;
}

} // namespace

Error engine::refuseField(const td::RegisterImage &image, Field field,
                          const llvm::Twine &reason, unsigned index) {
  const td::FieldInfo &info = td::fieldInfo(field);
  return llvm::createStringError(
      llvm::formatv("{0} (bits {1}:{2} of register {3:x5}) is {4:x}: {5}",
                    info.fullName(index), info.lsb + info.width - 1, info.lsb,
                    td::blockInfo(info.block).address + info.offset + 4 * index,
                    image.get(field, index), reason.str()));
}

Error Planner::refuse(Field field, const llvm::Twine &reason,
                      unsigned index) const {
  return refuseField(image, field, reason, index);
}

Error Planner::require(Field field, uint32_t value,
                       const llvm::Twine &reason) const {
  if (image.get(field) == value)
    return Error::success();
  return refuse(field, reason);
}

Error Planner::checkKnown() const {
  assert(td::fieldTable().size() <= FieldSet().size());
  static const FieldSet freeInNeural = freeFields(false);
  static const FieldSet freeInPlanar = freeFields(true);
  const FieldSet &free = isPlanar() ? freeInPlanar : freeInNeural;
  for (auto [index, info] : llvm::enumerate(td::fieldTable())) {
    if (free.test(index))
      continue;
    auto field = static_cast<Field>(index);
    for (unsigned i = 0; i < info.count; ++i)
      if (image.get(field, i) != info.defaultValue)
        return refuse(field,
                      llvm::formatv("{0} tasks are known with {1:x} only",
                                    isPlanar() ? "PE" : "NE", info.defaultValue)
                          .str(),
                      i);
  }
  for (auto [index, info] : llvm::enumerate(td::blockTable()))
    for (unsigned word = 0; word < info.words; ++word)
      if (uint32_t bits = image.unnamedBits(static_cast<Block>(index), word))
        return llvm::createStringError(llvm::formatv(
            "bits {0:x8} of register {1:x5} ({2} word {3}) are set and have no "
            "known meaning",
            bits, info.address + 4 * word, info.symbol, word));
  return Error::success();
}

bool Planner::isPlanar() const { return image.isSet(Field::TaskType); }

float Planner::half(Field field) const {
  return halfBitsToFloat(image.get(field));
}

bool Planner::hasPairs() const {
  return !isPlanar() && image.get(Field::Ox) == 2;
}

bool Planner::isPass() const {
  return !isPlanar() &&
         td::valueOf<Field::MACOpMode>(image) == td::MACOpMode::Pass;
}

Extents Planner::inputExtents() const {
  // Measured on M1: a pass does what it does whatever Cin is.
  return {image.get(Field::NumGroups), image.get(Field::Din),
          image.get(isPass() ? Field::Cout : Field::Cin), image.get(Field::Hin),
          image.get(Field::Win)};
}

Extents Planner::outputExtents() const {
  return {image.get(Field::NumGroups), image.get(Field::Dout),
          image.get(Field::Cout), image.get(Field::Hout),
          image.get(Field::Wout) * (hasPairs() ? 2 : 1)};
}

Error Planner::checkDimensions() const {
  for (Field field :
       {Field::NumGroups, Field::Din, Field::Cin, Field::Hin, Field::Win,
        Field::Dout, Field::Cout, Field::Hout, Field::Wout})
    if (image.get(field) == 0 && !(field == Field::Cin && isPass()))
      return refuse(field, "a dimension of a task is 1 or more");
  return Error::success();
}

uint64_t Extents::elements() const {
  uint64_t count = groups;
  for (uint32_t extent : {depth, channels, height, width})
    count = llvm::SaturatingMultiply<uint64_t>(count, extent);
  return count;
}

llvm::Expected<TaskPlan> Planner::plan() {
  if (Error error = checkKnown())
    return error;
  // Verified: the engine is named twice, by the task type and by the header.
  bool planar = isPlanar();
  uint32_t engines = image.get(Field::ENE);
  constexpr uint32_t maxEngines = 5; // log2 of 16 NEs, plus 1
  if (planar != (engines == 0) || engines > maxEngines ||
      (!planar && image.get(Field::ActiveNE) + 1 != engines))
    return refuse(Field::ENE,
                  llvm::formatv("it does not go with task type {0} and 2^{1} "
                                "active NEs",
                                image.get(Field::TaskType),
                                image.get(Field::ActiveNE))
                      .str());
  if (Error error = checkDimensions())
    return error;
  if (!planar && image.get(Field::Din) != image.get(Field::Dout))
    return refuse(Field::Dout, "it is not the depth of the input");
  auto residence = td::valueOf<Field::SourceType>(image);
  bool fetches = residence == td::Residence::Kept ||
                 residence == td::Residence::Streamed ||
                 td::source2Residence(image) != td::Residence::InL2;
  if (fetches && !image.isSet(Field::Src1DMAEn))
    return refuse(Field::Src1DMAEn, "a source is fetched from memory");
  return planar ? planPlanar() : planNeural();
}
