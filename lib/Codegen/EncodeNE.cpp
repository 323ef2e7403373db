//===- EncodeNE.cpp - Registers of the neural engine ----------------------===//

#include "ActivationTables.h"
#include "TaskEncoder.h"
#include "ane/Object/Format.h"
#include "ane/TaskDescriptor/KernelStream.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::codegen;
using namespace ane::zin;
using td::Field;

// The layer level shares these numbers with the registers, so that an attribute
// is written as it is.
static_assert(uint32_t(MACOp::mac) == td::bits(td::MACOpMode::MAC));
static_assert(uint32_t(MACOp::max) == td::bits(td::MACOpMode::Max));
static_assert(uint32_t(MACOp::pass) == td::bits(td::MACOpMode::Pass));

void TaskEncoder::encodeNE() {
  NEConfigAttr config = task.getNE();
  ViewAttr source = task.getSource1(), result = task.getResult();
  bool transposed = config.getTransposed();
  int64_t columns = transposed ? result.getChannels() : result.getColumns();
  int64_t outputs = transposed ? result.getColumns() : result.getChannels();
  encodeDimensions(source.getColumns(), source.getRows(), source.getDepth(),
                   source.getChannels());
  encodeResultDimensions(columns, result.getRows(), result.getDepth(), outputs);
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
  encodeParallelism(columns);
}

/// The NEs that work. Those of a transposed pass follow its columns, which
/// become channels (verified).
int64_t TaskEncoder::countEngines() {
  NEConfigAttr config = task.getNE();
  ViewAttr result = task.getResult();
  if (!config.getTransposed())
    return std::min<int64_t>(result.getChannels(), td::numLanes);
  if (config.getOp() == MACOp::pass)
    return result.getChannels() >= td::numLanes ? td::numLanes
                                                : td::numLanes / 2;
  return std::min<int64_t>(result.getColumns(), td::numLanes);
}

/// How many NEs work, and the hints that go with that. Only ENE and ActiveNE
/// matter; the patch shapes are what Apple's compiler was seen to write.
void TaskEncoder::encodeParallelism(int64_t columns) {
  NEConfigAttr config = task.getNE();
  int64_t engines = countEngines();
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
}

/// Coefficients from a surface: each lane has a row, of one output or of 4 or 8
/// side by side. Verified.
void TaskEncoder::encodeComputedKernel(ViewAttr view) {
  put(Field::KBase0, places.kernelView.bar);
  put(Field::KBE0, 1);
  put(Field::KernelDMAEnable, 1);
  put(Field::RuntimeKernel, 1);
  put(Field::OCGSize, llvm::Log2_64(view.getInterleave()));
  int64_t bytes = llvm::alignTo(view.getRowBytes(), target.rowAlignment);
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

void TaskEncoder::encodeKernel() {
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
    put(Field::CoeffSize, kernel->laneBytes(lane), lane);
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
  put(Field::StreamPaletteBase, places.kernel.offset + kernel->paletteOffset());
  put(Field::StreamSize, kernel->paletteBytes(), td::paletteStream);
}

/// A table is in the lanes of all NEs that work (verified), which may be fewer
/// than those that it has room for.
unsigned TaskEncoder::lanesUsed(const PackedKernel &kernel) {
  if (kernel.hasWeights())
    return kernel.lanes();
  return std::min<int64_t>(countEngines(), kernel.lanes());
}
