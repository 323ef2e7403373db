//===- LowerTinyProducts.cpp - Many products of a few rows ----------------===//
//
// The neural engine has a task for each computed matrix of a batch, however
// small it is. The planar engine multiplies a row of each matrix on one side
// with all rows of the one on the other, for thousands of them in a task, and
// sums the products of each two rows before anything is rounded. Sums of two
// sources are verified for the square of their difference; for their product
// they are assigned.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/TaskDescriptor/Fields.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

namespace {

/// The extents of a product with a computed kernel.
struct RowPairs {
  int64_t batch, outputs, kept, taps;

  explicit RowPairs(MatMulOp op) {
    ArrayRef<int64_t> kernel = shapeOf(op.getKernel()), x = shapeOf(op.getX()),
                      y = shapeOf(op.getResult());
    batch = y[N] * y[D] * y[C];
    outputs = kernel[H];
    taps = kernel[W];
    kept = x[op.getContractRows() ? W : H];
  }
  /// Rows that have a task of their own, and those of the other side.
  int64_t fewer() const { return std::min(outputs, kept); }
  int64_t more() const { return std::max(outputs, kept); }
  /// The outputs have the tasks.
  bool overOutputs() const { return outputs <= kept; }
};

/// Whether the results of a task lie in rows of the product, not in a column.
bool liesInRows(MatMulOp op, const RowPairs &extents) {
  return extents.overOutputs() == op.getOutputsOnRows();
}

} // namespace

/// Whether a product takes less time on the planar engine. Nothing is known of
/// the throughput of that; a part of what is assumed must be enough (a quarter:
/// assigned).
bool Lowering::sumsOnPlanes(MatMulOp op) const {
  constexpr int64_t throughputDenominator = 4;
  RowPairs extents(op);
  auto [batch, outputs, kept, taps] = extents;
  int64_t fewer = extents.fewer(), more = extents.more();
  if (isAtHand(op.getKernel()) || op.getActivationAttr() ||
      more > b.target.maxTileChannels(taps, b.target.peStreamBytes))
    return false;
  int64_t overhead = b.target.taskOverheadCycles;
  int64_t tasks = batch * llvm::divideCeil(outputs, td::numLanes);
  int64_t pixels = llvm::alignTo(kept, b.target.patchPixels);
  int64_t neural = tasks * (overhead + taps * pixels / b.target.macsPerCycle);

  // Accesses to rows of a matrix in L2. Those of as many as there are places
  // for at multiples of 64 bytes are one.
  int64_t places =
      b.target.l2Banks * b.target.l2Granule / b.target.rowAlignment;
  auto accesses = [&](int64_t rows, int64_t columns) {
    return int64_t(
        llvm::divideCeil(rows, places) *
        llvm::divideCeil(columns * elementBytes, b.target.l2Granule));
  };
  auto turned = [&](int64_t rows, int64_t columns) {
    return overhead +
           batch * (accesses(rows, columns) + accesses(columns, rows));
  };
  int64_t computed = llvm::divideCeil(more * taps * throughputDenominator,
                                      b.target.planarElementsPerCycle);
  int64_t matrix = std::max(computed, accesses(1, taps) + accesses(more, taps) +
                                          accesses(1, more));
  int64_t chunks = llvm::divideCeil(batch, b.target.maxGroups);
  int64_t planar = fewer * (chunks * overhead + batch * matrix);
  // What is turned in front of it and behind it.
  if (op.getContractRows())
    planar += turned(taps, kept);
  if (!liesInRows(op, extents) && fewer > 1)
    planar += turned(fewer, more);
  return planar < neural;
}

void Lowering::multiplyOnPlanes(MatMulOp op) {
  RowPairs extents(op);
  View kernel = rowsAsChannels(asBatch(viewOf(op.getKernel())));
  View source = rowsAsChannels(asBatch(viewOf(op.getX())));
  if (op.getContractRows())
    source = turnedCopy(source);
  const View &each = extents.overOutputs() ? kernel : source;
  const View &all = extents.overOutputs() ? source : kernel;
  View result = rowsAsChannels(asBatch(resultView(op.getResult())));
  bool inRows = liesInRows(op, extents);
  bool turnsBack = !inRows && extents.fewer() > 1;
  View target = turnsBack ? b.makeScratch({extents.batch, 1, extents.fewer(), 1,
                                           extents.more()})
                          : result;
  PEParams params;
  params.op = PEOp::mul;
  params.reduce = PEReduce::sum;
  params.vectorResult = inRows || turnsBack;
  if (FloatAttr scale = op.getScaleAttr())
    params.finalScale = scale.getValueAsDouble();
  for (int64_t i = 0; i < extents.fewer(); ++i)
    b.emitPE(Opcode::PEFUSED_POOL, UnitType::PEPool, params,
             each.sliced(C, i, 1), &all,
             params.vectorResult ? target.sliced(C, i, 1) : target);
  if (turnsBack)
    b.emitTransposedCopy(target, result);
}
