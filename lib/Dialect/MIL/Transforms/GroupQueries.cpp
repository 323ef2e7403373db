//===- GroupQueries.cpp - Heads with one key as rows of one product -------===//

#include "Replacer.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/CountingPattern.h"
#include "ane/Support/Inventory.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace ane::mil {
#define GEN_PASS_DEF_GROUPQUERIES
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

constexpr size_t matrixDims = 2;
/// Blocks of the rows of a head, or of so many of a group, read each key as
/// often as it has heads. Assigned.
constexpr int64_t mostRows = 256, mostRowsOfGroup = 1024;

int64_t fromBack(ArrayRef<int64_t> shape, size_t dim) {
  return shape[shape.size() - dim];
}

/// How heads share matrices: [..., groups * members, rows, n], or
/// [..., groups, members, rows, n], becomes [..., groups, members * rows, n].
struct Sharing {
  int64_t groups, members, rows;
  /// Whether groups and members are dimensions of their own.
  bool isApart;

  bool operator==(const Sharing &) const = default;

  /// The dimensions of heads and of a matrix.
  size_t innerDims() const { return matrixDims + (isApart ? 2 : 1); }
  SmallVector<int64_t> grouped(ArrayRef<int64_t> shape) const {
    SmallVector<int64_t> result(shape.drop_back(innerDims()));
    result.append({groups, members * rows, shape.back()});
    return result;
  }
};

/// A matrix of each group that all of its members multiply.
struct SharedMatrix {
  Value once;
  SmallVector<int64_t> shape; ///< [..., groups, m, n]
  bool isTransposed;          ///< afterwards
  Sharing sharing;

  Value make(Replacer &r) const {
    Value matrix =
        ArrayRef(shape) == shapeOf(once) ? once : r.reshape(once, shape);
    if (!isTransposed)
      return matrix;
    auto perm = llvm::to_vector(llvm::seq<int64_t>(shape.size()));
    std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
    return r.transpose(matrix, perm);
  }
};

/// The value that `value` has copies of along a dimension, where that has one
/// element; null where `value` is something else.
Value onceAlong(Value value, size_t axis) {
  if (auto tile = value.getDefiningOp<TileOp>()) {
    RankedTensorType from = staticType(tile.getX());
    if (!from || from.getDimSize(axis) != 1)
      return {};
    for (auto [dim, extents] :
         llvm::enumerate(llvm::zip_equal(from.getShape(), shapeOf(value))))
      if (dim != axis && std::get<0>(extents) != std::get<1>(extents))
        return {};
    return tile.getX();
  }
  auto concat = value.getDefiningOp<ConcatOp>();
  if (!concat || !llvm::all_equal(concat.getValues()))
    return {};
  Value part = concat.getValues().front();
  std::optional<int64_t> joined = getConstantInt(concat.getAxis());
  bool isCopied = staticType(part) && joined &&
                  fromFront(*joined, shapeOf(part).size()) == int64_t(axis) &&
                  shapeOf(part)[axis] == 1;
  return isCopied ? part : Value();
}

/// What stands behind a transpose of matrices.
Value throughTranspose(Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  auto perm = transpose ? getConstantInts(transpose.getPerm()) : std::nullopt;
  if (!perm || perm->size() < matrixDims)
    return {};
  int64_t rank = perm->size();
  for (auto [dim, from] : llvm::enumerate(*perm)) {
    int64_t wanted = int64_t(dim) < rank - 2 ? dim : 2 * rank - 3 - dim;
    if (fromFront(from, rank) != wanted)
      return {};
  }
  return transpose.getX();
}

/// The matrices that heads of `x` share as `y`, the operands of a product.
std::optional<SharedMatrix> findShared(Value x, Value y) {
  RankedTensorType xType = staticType(x), yType = staticType(y);
  if (!xType || !yType || xType.getRank() != yType.getRank() ||
      getConstantElements(y))
    return std::nullopt;
  Value behind = throughTranspose(y);
  bool isTransposed = bool(behind);
  Value matrix = isTransposed ? behind : y;
  ArrayRef<int64_t> xShape = xType.getShape(), shape = shapeOf(matrix);
  auto make = [&](Value once, int64_t groups, int64_t members, bool isApart,
                  size_t outer) -> std::optional<SharedMatrix> {
    Sharing sharing = {groups, members, fromBack(xShape, 2), isApart};
    int64_t together = members * sharing.rows;
    if (members == 1 || together > longestDim ||
        (sharing.rows > mostRows && together > mostRowsOfGroup) ||
        shape.take_front(outer) != xShape.take_front(outer))
      return std::nullopt;
    SmallVector<int64_t> kept(shape.take_front(outer));
    kept.append({groups, fromBack(shape, 2), shape.back()});
    return SharedMatrix{once, kept, isTransposed, sharing};
  };

  // A reshape of [..., groups, members, m, n].
  auto reshape = matrix.getDefiningOp<ReshapeOp>();
  if (reshape && shape.size() > matrixDims && staticType(reshape.getX())) {
    ArrayRef<int64_t> from = shapeOf(reshape.getX());
    size_t outer = shape.size() - matrixDims - 1;
    if (from.size() > matrixDims + 1 &&
        from.take_back(matrixDims) == shape.take_back(matrixDims) &&
        fromBack(from, 4) * fromBack(from, 3) == fromBack(shape, 3) &&
        fromBack(shape, 3) == fromBack(xShape, 3))
      if (Value once = onceAlong(reshape.getX(), from.size() - 3))
        return make(once, fromBack(from, 4), fromBack(from, 3),
                    /*isApart=*/false, outer);
    return std::nullopt;
  }
  // [..., groups, members, m, n] or [..., groups, 1, m, n].
  if (shape.size() <= matrixDims + 1 ||
      fromBack(shape, 4) != fromBack(xShape, 4))
    return std::nullopt;
  Value once =
      fromBack(shape, 3) == 1 ? matrix : onceAlong(matrix, shape.size() - 3);
  return once ? make(once, fromBack(shape, 4), fromBack(xShape, 3),
                     /*isApart=*/true, shape.size() - matrixDims - 2)
              : std::nullopt;
}

std::optional<SharedMatrix> findShared(MatmulOp op) {
  if (op.getTransposeXOrDefault() != false)
    return std::nullopt;
  return findShared(op.getX(), op.getY());
}

/// Ops that stand between the two products of attention.
bool worksOnScores(Operation *op) {
  return isa<AddOp, SubOp, MulOp, RealDivOp, MaximumOp, MinimumOp, SelectOp,
             CastOp, IdentityOp, ClipOp, TanhOp>(op);
}

/// Makes values of all heads anew as values of groups. Without a Replacer only
/// says whether it could: what it returns then stands for the value made.
class Grouper {
public:
  Grouper(const Sharing &sharing, Replacer *r) : sharing(sharing), r(r) {}

  /// Scores and what becomes of them, so that no element moves; null where
  /// that is not possible.
  Value fold(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !value.hasOneUse() || !staticType(value))
      return {};
    if (auto reshape = dyn_cast<ReshapeOp>(op))
      return staticType(reshape.getX()) &&
                     shapeOf(reshape.getX()) ==
                         ArrayRef(sharing.grouped(shapeOf(value)))
                 ? reshape.getX()
                 : Value();
    if (auto product = dyn_cast<MatmulOp>(op)) {
      std::optional<SharedMatrix> shared = findShared(product);
      if (!shared || shared->sharing != sharing)
        return {};
      return r ? r->product(rows(product.getX()), shared->make(*r),
                            *product.getTransposeYOrDefault())
               : value;
    }
    if (auto softmax = dyn_cast<SoftmaxOp>(op)) {
      std::optional<int64_t> axis = getConstantInt(softmax.getAxis());
      int64_t rank = shapeOf(value).size();
      if (!axis || fromFront(*axis, rank) != rank - 1)
        return {};
      Value x = fold(softmax.getX());
      return x && r ? SoftmaxOp::create(r->rewriter, op->getLoc(), x.getType(),
                                        x, r->integer(-1),
                                        /*label=*/std::nullopt,
                                        /*result_names=*/{})
                          ->getResult(0)
                    : x;
    }
    return worksOnScores(op) ? foldEach(op) : Value();
  }

  /// A value of all heads.
  Value rows(Value value) {
    return r->reshape(value, sharing.grouped(shapeOf(value)));
  }

  /// A value that broadcasts to one of all heads of a rank, so that it
  /// broadcasts to what that becomes; null where it would have to be repeated
  /// for each member.
  Value adapt(Value value, size_t rank) {
    RankedTensorType type = staticType(value);
    if (!type)
      return {};
    if (type.getNumElements() == 1 && type.getRank() == 0)
      return value;
    SmallVector<int64_t> shape(rank - type.getRank(), 1);
    llvm::append_range(shape, type.getShape());
    int64_t rowCount = fromBack(shape, 2);
    int64_t groups = fromBack(shape, sharing.innerDims()),
            members = sharing.isApart ? fromBack(shape, 3) : 1;
    if (!sharing.isApart && groups > 1) {
      groups = sharing.groups;
      members = sharing.members;
    }
    if (members > 1 && rowCount != sharing.rows)
      return {};
    if (!r)
      return value;
    SmallVector<int64_t> result(ArrayRef(shape).drop_back(sharing.innerDims()));
    result.append({groups, members * rowCount, shape.back()});
    Value adapted = r->reshape(value, result);
    if (members == 1 && rowCount > 1)
      adapted = r->concat(SmallVector<Value>(sharing.members, adapted),
                          result.size() - 2);
    return adapted;
  }

private:
  /// One operand has all scores, others broadcast.
  Value foldEach(Operation *op) {
    Value result = op->getResult(0);
    IRMapping mapping;
    bool isFound = false;
    for (Value operand : op->getOperands()) {
      Value made;
      if (!isFound && shapeOf(operand) == shapeOf(result))
        made = fold(operand);
      isFound |= bool(made);
      if (!made)
        made = adapt(operand, shapeOf(result).size());
      if (!made)
        return {};
      mapping.map(operand, made);
    }
    if (!isFound || !r)
      return isFound ? result : Value();
    Operation *copy = r->rewriter.clone(*op, mapping);
    copy->getResult(0).setType(
        staticType(result).clone(sharing.grouped(shapeOf(result))));
    return copy->getResult(0);
  }

  const Sharing &sharing;
  Replacer *r;
};

/// x * y, where members of a group share y.
struct ProductRule : CountingPattern<MatmulOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getResult());
    std::optional<SharedMatrix> shared = findShared(op);
    if (!type || !shared)
      return rewriter.notifyMatchFailure(op, "no heads that share a matrix");
    const Sharing &sharing = shared->sharing;
    bool isAttention = bool(Grouper(sharing, nullptr).fold(op.getX()));
    // Else elements of x and of the result may move, and of y need not.
    int64_t inner = shapeOf(op.getX()).back(), columns = type.getShape().back();
    if (!isAttention && sharing.rows * (inner + columns) >= inner * columns)
      return rewriter.notifyMatchFailure(op, "more moves than it saves");
    Replacer r(rewriter, op);
    Grouper grouper(sharing, &r);
    Value x = isAttention ? grouper.fold(op.getX()) : grouper.rows(op.getX());
    Value product = r.product(x, shared->make(r), *op.getTransposeYOrDefault());
    ++count;
    return r.replace(r.reshape(product, type.getShape()));
  }
};

/// The same of attention in one op.
struct AttentionRule : CountingPattern<ScaledDotProductAttentionOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(ScaledDotProductAttentionOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getResult());
    Value mask = op.getAttnMask();
    std::optional<SharedMatrix> key = findShared(op.getQuery(), op.getKey()),
                                value =
                                    findShared(op.getQuery(), op.getValue());
    if (!type || !key || !value || key->sharing != value->sharing ||
        (mask && !Grouper(key->sharing, nullptr).adapt(mask, type.getRank())))
      return rewriter.notifyMatchFailure(op, "no heads that share a matrix");
    Replacer r(rewriter, op);
    Grouper grouper(key->sharing, &r);
    Value query = grouper.rows(op.getQuery());
    if (mask)
      mask = grouper.adapt(mask, type.getRank());
    Value grouped = ScaledDotProductAttentionOp::create(
        rewriter, op.getLoc(),
        type.clone(key->sharing.grouped(type.getShape())), query, key->make(r),
        value->make(r), mask, /*label=*/std::nullopt, /*result_names=*/{});
    ++count;
    return r.replace(r.reshape(grouped, type.getShape()));
  }
};

class GroupQueries : public mil::impl::GroupQueriesBase<GroupQueries> {
public:
  void runOnOperation() override {
    if (!getAnalysis<Inventory>()
             .hasAny<MatmulOp, ScaledDotProductAttentionOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    patterns.add<ProductRule, AttentionRule>(&getContext(), numGrouped);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
