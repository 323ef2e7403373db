//===- EncodeTask.cpp - A task as a register image ------------------------===//

#include "EncodeTask.h"
#include "ActivationTables.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Object/Format.h"
#include "ane/TaskDescriptor/KernelStream.h"
#include "ane/TaskDescriptor/Values.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::codegen;
using namespace ane::zin;
using td::Field;

namespace {

// The layer level shares these numbers with the registers, so that an attribute
// is written as it is.
static_assert(uint32_t(MACOp::mac) == td::bits(td::MACOpMode::MAC));
static_assert(uint32_t(MACOp::max) == td::bits(td::MACOpMode::Max));
static_assert(uint32_t(MACOp::pass) == td::bits(td::MACOpMode::Pass));
static_assert(uint32_t(PEOp::add) == td::bits(td::PEOpMode::Add));
static_assert(uint32_t(PEOp::mul) == td::bits(td::PEOpMode::Multiply));
static_assert(uint32_t(PEOp::max) == td::bits(td::PEOpMode::Max));
static_assert(uint32_t(PEOp::min) == td::bits(td::PEOpMode::Min));
static_assert(uint32_t(PEOp::square) == td::bits(td::PEOpMode::SquareOfSum));
static_assert(uint32_t(PEPost::none) == td::bits(td::PEPostFunction::None));
static_assert(uint32_t(PEPost::reciprocal) ==
              td::bits(td::PEPostFunction::Reciprocal));
static_assert(uint32_t(PEPost::rsqrt) ==
              td::bits(td::PEPostFunction::ReciprocalSquareRoot));

static_assert(uint32_t(Residence::resident) == td::bits(td::Residence::InL2));
static_assert(uint32_t(Residence::kept) == td::bits(td::Residence::Kept));
static_assert(uint32_t(Residence::streamed) ==
              td::bits(td::Residence::Streamed));

constexpr td::DebugLogEvent eventsOfComputing =
    td::DebugLogEvent::Computes | td::DebugLogEvent::KeepsExponent;

uint32_t bitsOf(FloatAttr value) {
  return value.getValue().bitcastToAPInt().getZExtValue();
}

/// Fills one image, remembering the first value that does not fit.
class TaskEncoder {
public:
  TaskEncoder(TaskOp task, const TaskPlaces &places,
              const TargetDescription &target)
      : task(task), places(places), target(target),
        use(L2Use::of(task, target)) {}

  FailureOr<td::TaskDescriptor> encode() {
    std::optional<L2Plan> l2 = planL2(task, use, target);
    if (!l2) {
      task.emitError() << "task: one row of the operands takes "
                       << leastTileBytes(task, use, target)
                       << " bytes of L2, the limit is " << use.bytes
                       << "; use fewer channels or columns [" << target.name
                       << "-l2-c1]";
      return failure();
    }
    encodeHeader();
    encodeDMA();
    encodeL2(*l2);
    if (task.getNE())
      encodeNE();
    else
      encodePE();
    if (!problem.empty()) {
      task.emitError() << "task: " << problem << " [zin-task-c4]";
      return failure();
    }
    return descriptor;
  }

private:
  void put(Field field, int64_t value, unsigned index = 0) {
    llvm::Error error = image.setScaled(field, value, index);
    if (!error)
      return;
    std::string message = llvm::toString(std::move(error));
    if (problem.empty())
      problem = message;
  }

  template <Field field> void put(typename td::FieldValues<field>::type value) {
    td::setValue<field>(image, value);
  }

  void encodeHeader() {
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

  bool fetches1() const { return use.source1 != Residence::resident; }
  bool fetches2() {
    return task.getSource2() && use.source2 != Residence::resident;
  }
  bool stores() const { return use.result != Residence::resident; }

  void encodeDMA() {
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
      put(Field::Src1DMADependency, places.restoresSource);
    }
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
    put(Field::DstBase, places.result.offset + result.getOffset());
    put(Field::DstRowStride, result.getRowStride());
    put(Field::DstPlaneStride, result.getPlaneStride());
    put(Field::DstDepthStride, result.getDepthStride());
    put(Field::DstGroupStride, result.getGroupStride());
  }

  /// Where an operand stays in L2. Dimensions of one element have the strides
  /// they would have with more; of several groups a row has all. Verified.
  static L2Tile placeInL2(const L2View &place, ViewAttr view, bool isResult) {
    auto [group, depth, channel, row] = place.strides;
    auto orElse = [](int64_t extent, int64_t stride, int64_t otherwise) {
      return extent > 1 ? stride : otherwise;
    };
    channel =
        orElse(view.getChannels(), channel,
               llvm::alignTo(view.getColumns() * elementBytes, l2Granule));
    depth = orElse(view.getDepth(), depth, channel * view.getChannels());
    bool isBatch = view.getGroups() > 1;
    int64_t all = isBatch && isResult ? group * view.getGroups()
                                      : depth * view.getDepth();
    row = orElse(view.getRows(), row, std::max<int64_t>(all, 2 * l2Granule));
    return {place.base, channel, row, depth, isBatch ? group : 0};
  }

  /// A tile, or where the operand stays in L2.
  static L2Tile tileOf(const L2Tile &tile, Residence residence,
                       const BufferPlace &place, ViewAttr view, bool isResult) {
    if (residence == Residence::streamed)
      return tile;
    L2Tile kept = placeInL2(*place.l2, view, isResult);
    if (residence == Residence::kept && !isResult && view.getGroups() == 1)
      kept.groupStride = kept.depthStride;
    return kept;
  }

  void encodeL2(const L2Plan &plan) {
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

  /// Types of source 1 and result, and what source 1 waits for. What Apple's
  /// compiler writes for a neural task behind a planar one is that the task
  /// before wrote it, otherwise the hazard of the engine that did.
  void encodeResidence() {
    put(Field::ResultType, static_cast<int64_t>(use.result));
    put(Field::SourceType, static_cast<int64_t>(use.source1));
    if (use.source1 != Residence::resident)
      return;
    put(Field::SourceDMAFmt, places.restoresSource);
    // A source 2 that is fetched passes through L2 beside what others left
    // there.
    if (fetches2())
      return;
    for (Field hazard :
         {Field::SourceAliasConvSrc, Field::SourceAliasConvRslt,
          Field::SourceAliasPlanarSrc, Field::SourceAliasPlanarRslt})
      put(hazard, 0);
    bool follows = places.writer1 && places.writer1->isBefore &&
                   places.writer1->isPlanar && task.getNE();
    if (follows)
      put<Field::SourceDependent>(td::SourceWriter::OtherEngine);
    for (const std::optional<L2Writer> &writer :
         {places.writer1, places.writer2})
      if (writer && !follows)
        put(writer->isPlanar   ? Field::SourceAliasPlanarRslt
            : writer->isReader ? Field::SourceAliasConvSrc
                               : Field::SourceAliasConvRslt,
            1);
  }

  void encodeDimensions(int64_t columns, int64_t rows, int64_t depth,
                        int64_t channels) {
    put(Field::Win, columns);
    put(Field::Hin, rows);
    put(Field::Din, depth);
    put(Field::Cin, channels);
  }
  void encodeResultDimensions(int64_t columns, int64_t rows, int64_t depth,
                              int64_t channels) {
    put(Field::Wout, columns);
    put(Field::Hout, rows);
    put(Field::Dout, depth);
    put(Field::Cout, channels);
  }

  void encodeNE() {
    NEConfigAttr config = task.getNE();
    ViewAttr source = task.getSource1(), result = task.getResult();
    bool transposed = config.getTransposed();
    int64_t columns = transposed ? result.getChannels() : result.getColumns();
    int64_t outputs = transposed ? result.getColumns() : result.getChannels();
    encodeDimensions(source.getColumns(), source.getRows(), source.getDepth(),
                     source.getChannels());
    encodeResultDimensions(columns, result.getRows(), result.getDepth(),
                           outputs);
    put(Field::Kw, config.getWindow()[1]);
    put(Field::Kh, config.getWindow()[0]);
    put(Field::Sx, config.getStride()[1]);
    put(Field::Sy, config.getStride()[0]);
    put(Field::Px, config.getPadding()[1]);
    put(Field::Py, config.getPadding()[0]);
    put(Field::NumGroups, config.getGroups());
    if (config.getUnicast()) {
      put(Field::UnicastEn, 1);
      put(Field::UnicastCin, config.getUnicast());
    }
    put(Field::TransposedWrite, transposed);
    if (config.getLowestPadding())
      put<Field::PaddingMode>(td::PaddingMode::Lowest);
    put(Field::MACOpMode, static_cast<int64_t>(config.getOp()));
    put(Field::KernelMode, config.getKernelless());
    put(Field::DPECategory,
        config.getKernelless() && config.getOp() == MACOp::mac);
    put(Field::GroupKernelReuse, config.getReuse());
    put(Field::AccBias, bitsOf(config.getAccBias()));
    put(Field::PostScale, bitsOf(config.getPostScale()));
    if (config.getRelu())
      put<Field::NonlinearMode>(td::NonlinearMode::ReLU);
    encodeKernel();

    bool movesOnly = config.getOp() == MACOp::pass && !config.getRelu() &&
                     !places.kernel.kernel;
    bool negates = places.kernel.kernel && places.kernel.kernel->table() &&
                   negatesExponent(*places.kernel.kernel->table());
    if (!movesOnly)
      put<Field::DebugLogEvents>(negates ? td::DebugLogEvent::Computes
                                         : eventsOfComputing);
    encodeParallelism(columns, outputs);
  }

  /// How many NEs work, and the hints that go with that. Only ENE and ActiveNE
  /// matter; the patch shapes are what Apple's compiler was seen to write.
  void encodeParallelism(int64_t columns, int64_t outputs) {
    NEConfigAttr config = task.getNE();
    bool isPass = config.getOp() == MACOp::pass;
    int64_t engines = std::min<int64_t>(outputs, td::numLanes);
    if (isPass && config.getTransposed())
      engines = columns >= td::numLanes ? td::numLanes : td::numLanes / 2;
    unsigned log2Engines = llvm::Log2_64_Ceil(engines);
    put(Field::ActiveNE, log2Engines);
    put(Field::ENE, log2Engines + 1);

    constexpr int64_t smallPatch = 4, widePatch = 3;
    int64_t rows = task.getResult().getRows();
    bool small = std::max(rows, columns) <= target.smallInput;
    bool isSum = config.getOp() == MACOp::mac &&
                 (!config.getKernelless() || !config.getUnicast());
    bool isNear = rows > 1 && use.source1 != Residence::streamed;
    if (small && (isSum || isNear)) {
      put(Field::SmallSource, isSum);
      put(Field::ShPref, smallPatch);
      put(Field::ShMin, smallPatch);
      put(Field::ShMax, smallPatch);
    } else if (rows > 1) {
      put(Field::ShMax, widePatch);
    }

    int64_t taps = config.getKernelless()
                       ? 1
                       : task.getSource1().getChannels() *
                             config.getWindow()[0] * config.getWindow()[1];
    if (config.getUnicast())
      taps =
          config.getUnicast() * config.getWindow()[0] * config.getWindow()[1];
    double macs = double(columns) * rows * task.getResult().getDepth() *
                  outputs * taps * config.getGroups();
    put(Field::ExeCycles,
        std::min<double>(macs / (engines * target.macsPerCycle),
                         td::fieldInfo(Field::ExeCycles).mask()));
  }

  /// Coefficients from a surface: each lane has a row. Verified.
  void encodeComputedKernel(ViewAttr view) {
    put(Field::KBase0, places.kernelView.bar);
    put(Field::KBE0, 1);
    put(Field::KernelDMAEnable, 1);
    put(Field::RuntimeKernel, 1);
    int64_t bytes =
        llvm::alignTo(view.getColumns() * elementBytes, target.rowAlignment);
    for (unsigned lane = 0; lane < view.getRows(); ++lane) {
      put(Field::CoeffEn, 1, lane);
      put(Field::CoeffBase,
          places.kernelView.offset + view.getOffset() +
              lane * view.getRowStride(),
          lane);
      put(Field::CoeffSize, bytes, lane);
    }
    // Coefficients are fetched ahead, so a task before must be waited for.
    if (places.kernelWriter) {
      put(Field::TDE, 1);
      put(Field::DTID, *places.kernelWriter);
    }
  }

  void encodeKernel() {
    if (std::optional<ViewAttr> view = task.getKernelView())
      encodeComputedKernel(*view);
    const PackedKernel *kernel = places.kernel.kernel;
    if (!kernel)
      return;
    put(Field::KBase0, object::BarConstants);
    put(Field::KBE0, 1);
    put(Field::KernelDMAEnable, 1);
    put(Field::BiasMode, kernel->hasBias());
    put(Field::OCGSize, kernel->ocgSize());
    if (kernel->table())
      put<Field::NonlinearMode>(td::NonlinearMode::Table);
    for (unsigned lane = 0; lane < lanesUsed(*kernel); ++lane) {
      put(Field::CoeffEn, 1, lane);
      put(Field::CoeffBase, places.kernel.offset + kernel->laneOffset(lane),
          lane);
      put(Field::CoeffSize, kernel->laneBytes(), lane);
    }
    if (kernel->storage() == KernelStorage::sparse) {
      put(Field::SparseFmt, 1);
      put(Field::KernelDMASparse, 1);
    }
    if (kernel->paletteBits() == 0)
      return;
    put(Field::PalettizedEn, 1);
    put(Field::PalettizedBits, kernel->paletteBits());
    put(Field::StreamEn, 1, td::paletteStream);
    put(Field::StreamPaletteBase,
        places.kernel.offset + kernel->paletteOffset());
    put(Field::StreamSize, kernel->paletteBytes(), td::paletteStream);
  }

  /// A task may use a table with fewer channels than the table has room for.
  unsigned lanesUsed(const PackedKernel &kernel) {
    if (kernel.hasWeights())
      return kernel.lanes();
    ViewAttr result = task.getResult();
    int64_t outputs = task.getNE().getTransposed() ? result.getColumns()
                                                   : result.getChannels();
    return std::min<int64_t>(outputs, kernel.lanes());
  }

  void encodePE() {
    PEConfigAttr config = task.getPE();
    ViewAttr source = task.getSource1(), result = task.getResult();
    bool reduces = config.getReduce() != PEReduce::none;
    // A reduction has the dimensions of what it reduces on both sides.
    ViewAttr shape = reduces ? task.getSource2().value_or(source) : result;
    encodeDimensions(shape.getColumns(), shape.getRows(), shape.getDepth(),
                     shape.getChannels());
    encodeResultDimensions(shape.getColumns(), shape.getRows(),
                           shape.getDepth(), shape.getChannels());
    put(Field::NumGroups, shape.getGroups());
    put(Field::TaskInfoNID, 0);
    bool two = bool(task.getSource2());
    bool isPair = two && !reduces && config.getOp() == PEOp::add &&
                  task.getSource2()->getRows() == 2 && result.getRows() == 1;
    put<Field::TaskType>(
        reduces ? (two ? td::TaskType::ReductionOfTwo : td::TaskType::Reduction)
        : isPair ? td::TaskType::VectorPair
        : two    ? td::TaskType::TwoSources
                 : td::TaskType::OneSource);
    put(Field::StatsDeposit, places.deposits);
    put(Field::StatsTake, places.takes);
    put(Field::DisallowAbort, places.deposits);
    put(Field::Src2Stream, fetches2());
    put(Field::Src1Stream, fetches1() || !fetches2());
    encodePatch(shape);

    constexpr Field broadcast1[] = {
        Field::Src1BroadcastW, Field::Src1BroadcastH, Field::Src1BroadcastD,
        Field::Src1BroadcastC};
    constexpr Field broadcast2[] = {
        Field::Src2BroadcastW, Field::Src2BroadcastH, Field::Src2BroadcastD,
        Field::Src2BroadcastC};
    for (unsigned bit = 0; bit < std::size(broadcast1); ++bit) {
      put(broadcast1[bit], config.getBroadcast1() >> bit & 1);
      put(broadcast2[bit], config.getBroadcast2() >> bit & 1);
    }
    put(Field::Src1Vector, config.getVector1());
    put(Field::Src2Vector, config.getVector2());
    put(Field::ResultVector, config.getVectorResult());

    if (config.getReduce() == PEReduce::max) {
      put<Field::PaddingMode>(td::PaddingMode::Lowest);
      put<Field::PEPoolMode>(td::PEPoolMode::Max);
    }
    put(Field::PEOpMode, static_cast<int64_t>(config.getOp()));
    put(Field::PERelu, config.getRelu());
    put(Field::PEAbs, config.getAbs());
    put(Field::PEPostFunction, static_cast<int64_t>(config.getPost()));
    put(Field::PESrc1Negate, config.getNegate1());
    put(Field::PESrc2Negate, config.getNegate2());
    put(Field::PETwoSource, bool(task.getSource2()));
    put(Field::PEScale, bitsOf(config.getScale()));
    put(Field::PEBias, bitsOf(config.getBias()));
    put(Field::PEPreScale, bitsOf(config.getPreScale()));
    put(Field::PEEpsilon, bitsOf(config.getEpsilon()));
    put(Field::PEFinalScale, bitsOf(config.getFinalScale()));

    // The neural engine's registers as they are when it rests.
    put<Field::KernelFmt>(td::KernelFormat::None);
    put<Field::BinaryPoint>(td::BinaryPoint::None);
    put(Field::PostScale, 0);
    put<Field::DebugLogEvents>(eventsOfComputing);
  }

  /// The patch in which the planar engine walks; a hint.
  void encodePatch(ViewAttr shape) {
    constexpr unsigned lowestLog2Width = 4, highestLog2Width = 9;
    unsigned budget = task.getSource2() ? 8 : 9;
    unsigned log2Width =
        std::clamp(llvm::Log2_64_Ceil(shape.getColumns()), lowestLog2Width,
                   std::min(budget, highestLog2Width));
    put(Field::PatchLog2W, log2Width);
    unsigned log2Height =
        std::min(llvm::Log2_64_Ceil(shape.getRows()), budget - log2Width);
    // Written where the result stays in L2.
    constexpr unsigned leastLog2Height = 4;
    if (shape.getRows() > 1 && !stores())
      log2Height =
          std::max(log2Height, std::min(leastLog2Height, budget - log2Width));
    put(Field::PatchLog2H, log2Height);
  }

  TaskOp task;
  const TaskPlaces &places;
  const TargetDescription &target;
  const L2Use use;
  td::TaskDescriptor descriptor;
  td::RegisterImage &image = descriptor.image;
  std::string problem;
};

} // namespace

FailureOr<td::TaskDescriptor>
codegen::encodeTask(TaskOp task, const TaskPlaces &places,
                    const TargetDescription &target) {
  return TaskEncoder(task, places, target).encode();
}
