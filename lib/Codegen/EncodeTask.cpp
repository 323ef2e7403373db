//===- EncodeTask.cpp - A task as a register image ------------------------===//

#include "EncodeTask.h"
#include "TaskEncoder.h"
#include "ane/Cost/Cost.h"
#include "ane/Object/Format.h"
#include "ane/Support/Constraint.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::codegen;
using namespace ane::zin;
using td::Field;

// The layer level shares these numbers with the registers, so that an attribute
// is written as it is.
static_assert(uint32_t(Residence::resident) == td::bits(td::Residence::InL2));
static_assert(uint32_t(Residence::kept) == td::bits(td::Residence::Kept));
static_assert(uint32_t(Residence::streamed) ==
              td::bits(td::Residence::Streamed));

namespace {

/// Where an operand stays in L2. Dimensions of one element have the strides
/// they would have with more; of several groups a row has all. Verified.
L2Tile placeInL2(const L2View &place, ViewAttr view, bool isResult) {
  auto [group, depth, channel, row] = place.strides;
  auto orElse = [](int64_t extent, int64_t stride, int64_t otherwise) {
    return extent > 1 ? stride : otherwise;
  };
  channel = orElse(view.getChannels(), channel,
                   llvm::alignTo(view.getColumns() * elementBytes, l2Granule));
  depth = orElse(view.getDepth(), depth, channel * view.getChannels());
  bool isBatch = view.getGroups() > 1;
  int64_t all =
      isBatch && isResult ? group * view.getGroups() : depth * view.getDepth();
  row = orElse(view.getRows(), row, std::max<int64_t>(all, 2 * l2Granule));
  return {place.base, channel, row, depth, isBatch ? group : 0};
}

/// A tile, or where the operand stays in L2.
L2Tile tileOf(const L2Tile &tile, Residence residence, const ViewPlace &place,
              ViewAttr view, bool isResult) {
  if (residence == Residence::streamed)
    return tile;
  L2Tile kept = placeInL2(*place.l2, view, isResult);
  if (residence == Residence::kept && !isResult && view.getGroups() == 1)
    kept.groupStride = kept.depthStride;
  return kept;
}

/// The bytes from the first element of a view to where one more along its
/// longest dimension would follow.
int64_t reachOf(ViewAttr view) {
  int64_t reach = 0;
  for (unsigned dim = 0; dim < W; ++dim)
    reach = std::max(reach, view.getStrides()[dim] * view.getPlaces(dim));
  return reach;
}

/// The longest stride that the registers of the sources and the result hold.
int64_t farthestStride() {
  const td::FieldInfo &stride = td::fieldInfo(Field::Src1RowStride);
  return llvm::maxIntN(stride.width) * stride.unit;
}

} // namespace

FailureOr<td::TaskDescriptor> TaskEncoder::encode() {
  std::optional<L2Plan> l2 = planL2(task, use, target);
  if (!l2) {
    task.emitError() << "task: one row of the operands takes "
                     << leastTileBytes(task, use, target)
                     << " bytes of L2, the limit is " << use.bytes
                     << "; use fewer channels or columns"
                     << ConstraintId(target.rule("l2-c1"));
    return failure();
  }
  encodeHeader();
  encodeDMA();
  encodeL2(*l2);
  if (task.getNE())
    encodeNE();
  else
    encodePE();
  // Of what stays in L2 nothing counts, and the registers need not be read.
  if (fetches1() || fetches2() || stores() || task.getNE())
    put(Field::ExeCycles,
        std::min<uint64_t>(cost::estimateForHeader(td::summarize(image)),
                           td::fieldInfo(Field::ExeCycles).mask()));
  int64_t lastWaitedFor = td::fieldInfo(Field::DTID).mask();
  if (places.kernelWriter > lastWaitedFor) {
    task.emitError() << "task: it waits for task " << *places.kernelWriter
                     << ", which computes its kernel; the last one that can be "
                        "waited for is "
                     << lastWaitedFor
                     << ": split the model in several functions"
                     << ConstraintId(target.rule("wait-c1"));
    return failure();
  }
  if (std::optional<ViewAttr> large =
          problem.empty() ? std::nullopt : findLarge()) {
    auto error = task.emitError();
    error << "task: a tensor of " << reachOf(*large)
          << " bytes, of which it takes [";
    llvm::interleaveComma(large->getShape(), error);
    error << "], passes the " << farthestStride()
          << " bytes that strides reach; split it"
          << ConstraintId("zin-task-c4");
    return failure();
  }
  if (!problem.empty()) {
    task.emitError() << "task: " << problem << ConstraintId("zin-task-c4");
    return failure();
  }
  return descriptor;
}

/// An operand or a result of which a stride in memory passes the registers.
std::optional<ViewAttr> TaskEncoder::findLarge() {
  SmallVector<ViewAttr> views = {task.getSource1(), task.getResult()};
  if (std::optional<ViewAttr> second = task.getSource2())
    views.push_back(*second);
  for (ViewAttr view : views)
    if (llvm::any_of(view.getStrides(),
                     [](int64_t stride) { return stride > farthestStride(); }))
      return view;
  return std::nullopt;
}

void TaskEncoder::encodeHeader() {
  put(Field::SPL, 1);
  put(Field::TSR, 1);
  put(Field::TSE, 1);
  put(Field::SrcLoc, fetches1() || fetches2());
  put(Field::DstLoc, stores());
  if (fetches1() || places.restoresSource) {
    put(Field::RBase0, places.source1.bar);
    put(Field::RBE0, 1);
  }
  if (fetches2()) {
    put(Field::RBase1, places.source2.bar);
    put(Field::RBE1, 1);
  }
  if (stores() || places.savesResult) {
    put(Field::WBase, places.result.bar);
    put(Field::WBE, 1);
  }
}

void TaskEncoder::encodeDMA() {
  ViewAttr source = task.getSource1(), result = task.getResult();
  if (fetches1() || places.restoresSource) {
    put(Field::Src1Base, places.source1.offset + source.getOffset());
    put(Field::Src1RowStride, source.getRowStride());
    put(Field::Src1PlaneStride, source.getPlaneStride());
    put(Field::Src1DepthStride, source.getDepthStride());
    put(Field::Src1GroupStride, source.getGroupStride());
  } else {
    put<Field::Src1FmtMode>(td::FormatMode::Unsigned);
    put<Field::Src1Truncate>(td::Truncation::Byte);
    put<Field::Src1MemFmt>(td::MemoryFormat::Byte);
  }
  // The enable is that of either source. Verified.
  if (!fetches1() && !fetches2()) {
    put(Field::Src1DMAEn, 0);
    put(Field::Src1DMAHintReuse, image.get(Field::Src2DMAHintReuse));
    put(Field::Src1DMAHintNoReuse, image.get(Field::Src2DMAHintNoReuse));
  }
  put<Field::Src1DMADependency>(places.waits.sources);
  if (task.getSource2())
    put<Field::Src2Fmt>(td::ElementFormat::Half);
  if (fetches2()) {
    ViewAttr second = *task.getSource2();
    put<Field::Src2DMAHintReuse>(td::SourceCacheHint::Reuse);
    put<Field::Src2DMAHintNoReuse>(td::SourceCacheHint::NoReuse);
    put<Field::Src2Truncate>(td::Truncation::Half);
    put<Field::Src2MemFmt>(td::MemoryFormat::Half);
    put(Field::Src2Base, places.source2.offset + second.getOffset());
    put(Field::Src2RowStride, second.getRowStride());
    put(Field::Src2PlaneStride, second.getPlaneStride());
    put(Field::Src2DepthStride, second.getDepthStride());
    put(Field::Src2GroupStride, second.getGroupStride());
  }
  put(Field::DstEn, stores());
  if (!stores() && !places.savesResult) {
    put<Field::DstFmtMode>(td::FormatMode::Unsigned);
    put<Field::DstTruncate>(td::Truncation::Byte);
    put<Field::DstMemFmt>(td::MemoryFormat::Byte);
    put(Field::DstZeroPadFirst, 0);
    put(Field::DstZeroPadLast, 0);
    return;
  }
  // Scratch has what a later task reads (verified: six tasks in three
  // programs).
  if (stores() && places.result.bar == object::BarScratch)
    put<Field::DstCacheHint>(td::ResultCacheHint::Intermediate);
  put<Field::DstDependency>(places.waits.result);
  put(Field::DstInterleave, result.getInterleave());
  put(Field::ResultDMAInterleave, result.getInterleave());
  put(Field::DstBase, places.result.offset + result.getOffset());
  put(Field::DstRowStride, result.getRowStride());
  put(Field::DstPlaneStride, result.getPlaneStride());
  put(Field::DstDepthStride, result.getDepthStride());
  put(Field::DstGroupStride, result.getGroupStride());
}

void TaskEncoder::encodeL2(const L2Plan &plan) {
  put(Field::TileHeight, plan.tileHeight);
  L2Tile source1 = tileOf(plan.source1, use.source1, places.source1,
                          task.getSource1(), /*isResult=*/false);
  put(Field::L2Src1Base, source1.base);
  put(Field::L2Src1ChannelStride, source1.channelStride);
  put(Field::L2Src1RowStride, source1.rowStride);
  put(Field::L2Src1DepthStride, source1.depthStride);
  put(Field::L2Src1GroupStride, source1.groupStride);
  if (fetches2())
    put(Field::Src2FromDMA, 1);
  if (task.getSource2()) {
    L2Tile source2 = tileOf(plan.source2, use.source2, places.source2,
                            *task.getSource2(), /*isResult=*/false);
    put(Field::L2Src2Base, source2.base);
    put(Field::L2Src2ChannelStride, source2.channelStride);
    put(Field::L2Src2RowStride, source2.rowStride);
    put(Field::L2Src2DepthStride, source2.depthStride);
    put(Field::L2Src2GroupStride, source2.groupStride);
  }
  encodeResidence();
  if (plan.source1IsKept)
    put(Field::SourceType, static_cast<int64_t>(Residence::kept));
  if (plan.resultIsKept && use.result == Residence::streamed)
    put(Field::ResultType, static_cast<int64_t>(Residence::kept));
  L2Tile result = tileOf(plan.result, use.result, places.result,
                         task.getResult(), /*isResult=*/true);
  put(Field::L2ResultBase, result.base);
  if (!plan.resultIsTile && use.result == Residence::streamed)
    return;
  put(Field::ResultL2BfrMode, 0);
  put(Field::DstL2BfrMode, 0);
  put(Field::L2ResultChannelStride, result.channelStride);
  put(Field::L2ResultRowStride, result.rowStride);
  put(Field::L2ResultDepthStride, result.depthStride);
  put(Field::L2ResultGroupStride, result.groupStride);
}

/// Types of source 1 and result, and what the sources wait for: the task before
/// where they follow it, otherwise the hazard of the engine that wrote them.
void TaskEncoder::encodeResidence() {
  put(Field::ResultType, static_cast<int64_t>(use.result));
  put(Field::SourceType, static_cast<int64_t>(use.source1));
  if (!fetches1())
    put(Field::SourceDMAFmt, places.restoresSource);
  if (!namesWriters(task))
    return;
  for (Field hazard :
       {Field::SourceAliasConvSrc, Field::SourceAliasConvRslt,
        Field::SourceAliasPlanarSrc, Field::SourceAliasPlanarRslt})
    put(hazard, 0);
  auto engineOf = [](const std::optional<L2Writer> &writer) {
    return writer->isPlanar ? td::SourceWriter::PE : td::SourceWriter::NE;
  };
  if (places.following.source1)
    put<Field::SourceDependent>(engineOf(places.writer1));
  if (places.following.source2)
    put<Field::Source2Dependent>(engineOf(places.writer2));
  put(Field::SourceAliasPlanarRslt, places.following.meetsOlder);
  for (const std::optional<L2Writer> &writer : {places.writer1, places.writer2})
    if (writer && writer->isNamed)
      put(writer->isPlanar   ? Field::SourceAliasPlanarRslt
          : writer->isReader ? Field::SourceAliasConvSrc
                             : Field::SourceAliasConvRslt,
          1);
}

void TaskEncoder::encodeDimensions(int64_t columns, int64_t rows, int64_t depth,
                                   int64_t channels) {
  put(Field::Win, columns);
  put(Field::Hin, rows);
  put(Field::Din, depth);
  put(Field::Cin, channels);
}

void TaskEncoder::encodeResultDimensions(int64_t columns, int64_t rows,
                                         int64_t depth, int64_t channels) {
  put(Field::Wout, columns);
  put(Field::Hout, rows);
  put(Field::Dout, depth);
  put(Field::Cout, channels);
}

bool codegen::namesWriters(TaskOp task) {
  L2Attr l2 = task.getL2Attr();
  auto isThere = [](Residence source) { return source == Residence::resident; };
  return task.getCoIssued() ||
         (l2 && isThere(l2.getSource1()) &&
          (!task.getSource2() || isThere(l2.getSource2())));
}

FailureOr<td::TaskDescriptor>
codegen::encodeTask(TaskOp task, const TaskPlaces &places,
                    const TargetDescription &target) {
  return TaskEncoder(task, places, target).encode();
}
