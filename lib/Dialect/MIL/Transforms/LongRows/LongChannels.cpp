//===- LongChannels.cpp - Convolutions with more channels than a surface --===//
//
// A classifier over a vocabulary that is written as a convolution of one pixel
// has more channels than the engine. One that is a product of rows has rows
// that can be cut, of the same numbers. So it becomes that one.
//
//===----------------------------------------------------------------------===//

#include "LongRows/LongRows.h"
#include "ane/Dialect/MIL/IR/Window.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Whether a dimension in front of the last one is too long, as where a row has
/// dimensions of one element behind it.
bool isTooDeep(Value value) {
  RankedTensorType type = staticType(value);
  if (!type || type.getRank() < 2)
    return false;
  ArrayRef<int64_t> shape = type.getShape().drop_back();
  return shape.back() > longestDim ||
         (shape.size() > 1 && shape[shape.size() - 2] > longestOuter);
}

/// Whether an op gives elements another shape and leaves them in their order.
bool keepsOrder(Operation *op) {
  if (op->hasTrait<Reshapes>())
    return bool(staticType(op->getResult(0)));
  auto transpose = dyn_cast<TransposeOp>(op);
  auto perm = transpose ? getConstantInts(transpose.getPerm()) : std::nullopt;
  if (!perm || !staticType(transpose.getX()))
    return false;
  ArrayRef<int64_t> shape = shapeOf(transpose.getX());
  SmallVector<int64_t> moved;
  for (int64_t dim : *perm)
    if (int64_t own = fromFront(dim, int64_t(shape.size())); shape[own] > 1)
      moved.push_back(own);
  return llvm::is_sorted(moved);
}

/// Whether nobody needs the channels of a value as such.
bool canBeRow(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    return isa<ReturnOp>(user) ||
           (keepsOrder(user) &&
            (!isTooDeep(user->getResult(0)) || canBeRow(user->getResult(0))));
  });
}

/// Whether a convolution has one window, which is all of its input.
bool isProduct(ConvOp op) {
  RankedTensorType x = staticType(op.getX());
  if (!x || !getConstantElements(op.getWeight()) ||
      shapeOf(op.getWeight())[0] <= longestOuter ||
      op.getGroupsOrDefault() != 1 ||
      (op.getBias() && !getConstantElements(op.getBias())))
    return false;
  FailureOr<Window> window = getWindow(op);
  auto isZero = [](int64_t count) { return count == 0; };
  return succeeded(window) && llvm::all_of(window->padBefore, isZero) &&
         llvm::all_of(window->padAfter, isZero) &&
         llvm::equal(window->kernel, window->input);
}

/// Puts a row in the place of a value of the same elements.
void replaceByRow(FuncOp func, OpResult value, OpResult row) {
  PatternRewriter rewriter(func.getContext());
  OpResult returned; // the one that has the names of the value
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
    Operation *user = use.getOwner();
    if (isa<ReturnOp>(user)) {
      func.setResultAttr(use.getOperandNumber(), MILDialect::hostTypeAttrName,
                         TypeAttr::get(value.getType()));
      // Two outputs have two names.
      if (!returned) {
        returned = row;
        if (llvm::any_of(row.getUsers(), llvm::IsaPred<ReturnOp>)) {
          Replacer r(rewriter, user);
          returned = cast<OpResult>(r.unary<IdentityOp>(row));
        }
        takeNames(returned, value);
      }
      use.set(returned);
    } else if (OpResult moved = user->getResult(0); isTooDeep(moved)) {
      replaceByRow(func, moved, row);
    } else {
      Replacer r(rewriter, user);
      (void)r.replace(r.reshape(row, shapeOf(moved)));
    }
  }
  value.getOwner()->erase();
}

} // namespace

int64_t ane::mil::foldLongChannels(FuncOp func) {
  SmallVector<ConvOp> products;
  for (auto op : func.getBody().front().getOps<ConvOp>())
    if (isProduct(op) && canBeRow(op.getResult()))
      products.push_back(op);
  PatternRewriter rewriter(func.getContext());
  int64_t count = 0;
  for (ConvOp op : products) {
    Replacer r(rewriter, op);
    auto type = cast<RankedTensorType>(op.getType());
    int64_t batch = shapeOf(op.getX())[0], outputs = shapeOf(op.getWeight())[0],
            terms = llvm::product_of(shapeOf(op.getWeight()).drop_front());
    ElementsAttr weight =
        reshaped(getConstantElements(op.getWeight()), {outputs, terms});
    if (!weight)
      continue;
    auto row = LinearOp::create(
        rewriter, op.getLoc(), type.clone({batch, outputs}),
        r.reshape(op.getX(), {batch, terms}), r.constant(weight), op.getBias());
    replaceByRow(func, op->getResult(0), row->getResult(0));
    ++count;
  }
  if (count > 0)
    func.updateFunctionType();
  return count;
}
