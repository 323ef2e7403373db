//===- OperandFields.h - The registers of each operand ----------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_PLAN_OPERANDFIELDS_H
#define ANE_LIB_ENGINE_PLAN_OPERANDFIELDS_H

#include "ane/TaskDescriptor/Broadcast.h"
#include "ane/TaskDescriptor/Fields.h"

namespace ane::engine {

using td::Field;

/// Registers of one tile DMA direction.
struct SurfaceFields {
  llvm::StringLiteral what;
  Field enable, bar, base;
  Field group, depth, plane, row;
  Field mode, truncate, memFmt, interleave;
  /// Whether the format mode says that elements have a sign.
  bool modeIsSign;
};

/// Registers of one operand in the scratchpad.
struct ResidentFields {
  llvm::StringLiteral what;
  Field base, group, depth, channel, row;
};

/// Registers of a source.
struct SourceFields {
  SurfaceFields surface;
  ResidentFields place;
  Field format, relu;
  td::BroadcastFlags broadcasts;
};

inline constexpr SourceFields source1Fields = {
    {"source 1", Field::RBE0, Field::RBase0, Field::Src1Base,
     Field::Src1GroupStride, Field::Src1DepthStride, Field::Src1PlaneStride,
     Field::Src1RowStride, Field::Src1FmtMode, Field::Src1Truncate,
     Field::Src1MemFmt, Field::Src1Interleave, true},
    {"source 1 in L2", Field::L2Src1Base, Field::L2Src1GroupStride,
     Field::L2Src1DepthStride, Field::L2Src1ChannelStride,
     Field::L2Src1RowStride},
    Field::InFmt,
    Field::InputReLU,
    td::src1Broadcasts};

inline constexpr SourceFields source2Fields = {
    {"source 2", Field::RBE1, Field::RBase1, Field::Src2Base,
     Field::Src2GroupStride, Field::Src2DepthStride, Field::Src2PlaneStride,
     Field::Src2RowStride, Field::Src2FmtMode, Field::Src2Truncate,
     Field::Src2MemFmt, Field::SourceDMAInterleave, false},
    {"source 2 in L2", Field::L2Src2Base, Field::L2Src2GroupStride,
     Field::L2Src2DepthStride, Field::L2Src2ChannelStride,
     Field::L2Src2RowStride},
    Field::Src2Fmt,
    Field::Input2ReLU,
    td::src2Broadcasts};

inline constexpr SurfaceFields resultSurface = {"the result",
                                                Field::WBE,
                                                Field::WBase,
                                                Field::DstBase,
                                                Field::DstGroupStride,
                                                Field::DstDepthStride,
                                                Field::DstPlaneStride,
                                                Field::DstRowStride,
                                                Field::DstFmtMode,
                                                Field::DstTruncate,
                                                Field::DstMemFmt,
                                                Field::DstInterleave,
                                                true};

inline constexpr ResidentFields resultPlace = {
    "the result in L2",           Field::L2ResultBase,
    Field::L2ResultGroupStride,   Field::L2ResultDepthStride,
    Field::L2ResultChannelStride, Field::L2ResultRowStride};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_PLAN_OPERANDFIELDS_H
