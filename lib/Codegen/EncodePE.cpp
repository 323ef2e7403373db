//===- EncodePE.cpp - Registers of the planar engine ----------------------===//

#include "TaskEncoder.h"
#include "ane/Dialect/Zin/IR/VectorPair.h"
#include "ane/TaskDescriptor/Broadcast.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::codegen;
using namespace ane::zin;
using td::Field;

// The layer level shares these numbers with the registers, so that an attribute
// is written as it is.
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

void TaskEncoder::encodePE() {
  PEConfigAttr config = task.getPE();
  ViewAttr source = task.getSource1(), result = task.getResult();
  bool reduces = config.getReduce() != PEReduce::none;
  // A reduction has the dimensions of what it reduces on both sides.
  ViewAttr shape = reduces ? task.getSource2().value_or(source) : result;
  encodeDimensions(shape.getColumns(), shape.getRows(), shape.getDepth(),
                   shape.getChannels());
  encodeResultDimensions(shape.getColumns(), shape.getRows(), shape.getDepth(),
                         shape.getChannels());
  put(Field::NumGroups, shape.getGroups());
  put(Field::TaskInfoNID, 0);
  bool two = bool(task.getSource2());
  put<Field::TaskType>(
      reduces ? (two ? td::TaskType::ReductionOfTwo : td::TaskType::Reduction)
      : hasVectorPair(task) ? td::TaskType::VectorPair
      : two                 ? td::TaskType::TwoSources
                            : td::TaskType::OneSource);
  put(Field::Src2Stream, fetches2());
  put(Field::Src1Stream, fetches1() || !fetches2());
  encodePatch(shape);

  for (unsigned bit = 0; bit < td::numBroadcasts; ++bit) {
    put(td::src1Broadcasts[bit], config.getBroadcast1() >> bit & 1);
    put(td::src2Broadcasts[bit], config.getBroadcast2() >> bit & 1);
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
  put(Field::Input2ReLU, config.getRelu2());
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

/// The patch in which the planar engine walks; a hint. The bounds are those of
/// all real programs (verified).
void TaskEncoder::encodePatch(ViewAttr shape) {
  constexpr unsigned lowestLog2Width = 4, highestLog2Width = 9;
  constexpr unsigned log2OfOneSource = 9, log2OfTwoSources = 8;
  unsigned budget = task.getSource2() ? log2OfTwoSources : log2OfOneSource;
  unsigned log2Width =
      std::clamp(llvm::Log2_64_Ceil(shape.getColumns()), lowestLog2Width,
                 std::min(budget, highestLog2Width));
  put(Field::PatchLog2W, log2Width);
  unsigned log2Height =
      std::min(llvm::Log2_64_Ceil(shape.getRows()), budget - log2Width);
  // Written where the result stays in L2 (verified).
  constexpr unsigned leastLog2Height = 4;
  if (shape.getRows() > 1 && !stores())
    log2Height =
        std::max(log2Height, std::min(leastLog2Height, budget - log2Width));
  put(Field::PatchLog2H, log2Height);
}
