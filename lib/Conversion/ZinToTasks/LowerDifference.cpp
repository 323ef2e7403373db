//===- LowerDifference.cpp - Differences in the task of what reads them ---===//
//
// The planar engine squares and sums the difference of two sources, and takes a
// pair of numbers for each channel, of which it subtracts one and multiplies by
// the other. So a difference that nothing else reads needs no task of its own.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

namespace {

/// A number for each channel, or one for all.
bool isOfChannels(Value value, int64_t channels) {
  ArrayRef<int64_t> shape = shapeOf(value);
  return llvm::product_of(shape) == shape[C] &&
         (shape[C] == channels || shape[C] == 1);
}

/// Where a part of a value begins in it.
struct Part {
  Value whole;
  SmallVector<int64_t> begin;
};

Part partOf(Value value) {
  Part part = {value, SmallVector<int64_t>(numDims, 0)};
  while (auto view = part.whole.getDefiningOp<InputViewOp>()) {
    if (!llvm::all_of(view.getStrides(),
                      [](int64_t stride) { return stride == 1; }))
      break;
    for (auto [sum, begin] : llvm::zip_equal(part.begin, view.getBegin()))
      sum += begin;
    part.whole = view.getX();
  }
  return part;
}

} // namespace

/// mean((x - y)^2) over rows and columns, with a number for each channel.
bool Lowering::sumDifference(ElementWiseOp op, ReductionOp sum) {
  ArrayRef<int64_t> x = shapeOf(op.getX());
  bool reducesPlane = x[N] == 1 && x[D] == 1 && x[H] <= b.target.maxHeight;
  for (unsigned dim : {C, H, W})
    reducesPlane &=
        x[dim] == 1 ||
        llvm::is_contained(sum.getAxes(), int64_t(dim)) == (dim != C);
  if (!sum.getSquare() || sum.getKind() == ReductionType::Max ||
      !reducesPlane || x[H] == pairRows || x[H] * x[W] == 1)
    return false;
  PEParams params = ReductionParams::of(sum).ofTask(x[H] * x[W]);
  params.negate1 = true;
  View whole = viewOf(op.getX());
  take(sum);
  b.emitPE(Opcode::PEFUSED_POOL, UnitType::PEPool, params, viewOf(op.getY()),
           &whole, resultView(sum.getResult()));
  return true;
}

/// (x - y) * z with y and z as two rows that follow each other.
bool Lowering::scaleDifference(ElementWiseOp op, ElementWiseOp product) {
  int64_t channels = shapeOf(op.getX())[C];
  if (product.getKind() != EWType::Mult || product.getX() != op.getResult() ||
      !isOfChannels(product.getY(), channels) ||
      shapeOf(product.getY()) != shapeOf(op.getY()) ||
      shapeOf(op.getX())[H] == pairRows)
    return false;
  Part addend = partOf(op.getY()), factor = partOf(product.getY());
  ++addend.begin[H];
  ArrayRef<int64_t> whole = shapeOf(factor.whole);
  if (addend.whole != factor.whole || addend.begin != factor.begin ||
      whole[N] * whole[D] * whole[W] != 1)
    return false;
  View pair = viewOf(factor.whole);
  pair = pair.sliced(H, factor.begin[H] - 1, pairRows)
             .sliced(C, factor.begin[C], shapeOf(op.getY())[C]);
  PEParams params;
  params.negate2 = true;
  take(product);
  View result = resultView(takeRelu(product.getResult(), params));
  b.emitPE(Opcode::PEFUSED_ELEMENTWISE, UnitType::PEElementWise, params,
           viewOf(op.getX()), &pair, result);
  return true;
}

bool Lowering::takeDifference(ElementWiseOp op) {
  ArrayRef<int64_t> x = shapeOf(op.getX());
  if (op.getKind() != EWType::Sub || !op->hasOneUse() || x[N] != 1 ||
      x[D] != 1 || x != shapeOf(op.getResult()) ||
      !isOfChannels(op.getY(), x[C]))
    return false;
  Operation *user = *op->user_begin();
  if (auto sum = dyn_cast<ReductionOp>(user))
    return sumDifference(op, sum);
  auto product = dyn_cast<ElementWiseOp>(user);
  return product && scaleDifference(op, product);
}
