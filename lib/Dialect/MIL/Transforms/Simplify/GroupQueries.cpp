//===- GroupQueries.cpp - Heads with one key as rows of one product -------===//

#include "Replacer.h"
#include "TransposeSteps.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/CountingPattern.h"
#include "ane/Support/Inventory.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
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

/// What a reshape reads; null for another value.
Value reshapedFrom(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  return reshape && staticType(reshape.getX()) ? reshape.getX() : Value();
}

/// The heads of a group: a dimension of their own, or one behind the other, or
/// each as far apart as there are groups.
enum class Order { Apart, Together, InTurns };

/// How heads share matrices: [..., groups * members, rows, n], or
/// [..., groups, members, rows, n], becomes [..., groups, members * rows, n].
struct Sharing {
  int64_t groups, members, rows;
  Order order;

  bool operator==(const Sharing &) const = default;

  bool isApart() const { return order == Order::Apart; }
  /// The dimensions of heads and of a matrix.
  size_t innerDims() const { return matrixDims + (isApart() ? 2 : 1); }
  SmallVector<int64_t> grouped(ArrayRef<int64_t> shape) const {
    SmallVector<int64_t> result(shape.drop_back(innerDims()));
    result.append({groups, members * rows, shape.back()});
    return result;
  }

  /// What is turned where the heads of a group come in turns: all in front as
  /// one dimension, members, groups, the elements of a head.
  SmallVector<int64_t> inTurns(ArrayRef<int64_t> shape) const {
    return {llvm::product_of(shape.drop_back(innerDims())), members, groups,
            rows * shape.back()};
  }
  /// A value of all heads as one of groups.
  Value group(Replacer &r, Value value) const {
    SmallVector<int64_t> shape = grouped(shapeOf(value));
    if (order == Order::InTurns)
      value = r.transpose(r.reshape(value, inTurns(shapeOf(value))), turned);
    return r.reshape(value, shape);
  }
  /// And back, to a value of this shape.
  Value ungroup(Replacer &r, Value value, ArrayRef<int64_t> shape) const {
    if (order == Order::InTurns) {
      SmallVector<int64_t> between = applyPermutation(inTurns(shape), turned);
      value = r.transpose(r.reshape(value, between), turned);
    }
    return r.reshape(value, shape);
  }
  /// What `ungroup` has made this value of; null for another.
  Value ungrouped(Value value) const {
    SmallVector<int64_t> shape = grouped(shapeOf(value));
    Value source = reshapedFrom(value);
    if (source && order == Order::InTurns) {
      if (shapeOf(source) != ArrayRef(inTurns(shapeOf(value))) ||
          permutationOf(source.getDefiningOp()) != llvm::to_vector(turned))
        return {};
      source = reshapedFrom(source.getDefiningOp()->getOperand(0));
    }
    return source && shapeOf(source) == ArrayRef(shape) ? source : Value();
  }

private:
  static constexpr std::array<int64_t, 4> turned = {0, 2, 1, 3};
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

/// Entries of one dimension of `whole`, each a matrix for a head.
struct Heads {
  Value whole;
  SmallVector<int64_t> indices;

  /// Adds entries of a value; false where those so far are of another one.
  bool append(Value of, int64_t begin, int64_t count) {
    if (whole && of != whole)
      return false;
    whole = of;
    llvm::append_range(indices, llvm::seq(begin, begin + count));
    return true;
  }
};

/// What a value has along a dimension, where it only repeats what another has:
/// a concatenation of copies or of slices, a `tile`, a `gather`. No entries for
/// another value.
Heads headsAlong(Value value, int64_t axis) {
  Operation *op = value.getDefiningOp();
  Heads heads;
  if (auto concat = dyn_cast_or_null<ConcatOp>(op)) {
    std::optional<int64_t> joined = getConstantInt(concat.getAxis());
    if (concat.getInterleaveOrDefault() != false || !joined ||
        fromFront(*joined, shapeOf(value).size()) != axis)
      return {};
    for (Value part : concat.getValues()) {
      std::optional<Cut> cut = getCut(part, axis);
      RankedTensorType type = staticType(part);
      bool isCut = cut && cut->dim.step == 1 &&
                   shapeOf(cut->whole).size() == shapeOf(value).size();
      if (!type ||
          !(isCut ? heads.append(cut->whole, cut->dim.begin, cut->dim.extent)
                  : heads.append(part, 0, type.getDimSize(axis))))
        return {};
    }
  } else if (auto tile = dyn_cast_or_null<TileOp>(op)) {
    RankedTensorType from = staticType(tile.getX());
    auto reps = getConstantInts(tile.getReps());
    if (!from || !reps || int64_t(reps->size()) != from.getRank())
      return {};
    for (auto [dim, count] : llvm::enumerate(*reps))
      if (int64_t(dim) != axis && count != 1)
        return {};
    for (int64_t i = 0; i < (*reps)[axis]; ++i)
      heads.append(tile.getX(), 0, from.getDimSize(axis));
  } else if (auto gather = dyn_cast_or_null<GatherOp>(op)) {
    RankedTensorType from = staticType(gather.getX()),
                     list = staticType(gather.getIndices());
    auto indices = getConstantInts(gather.getIndices());
    std::optional<int64_t> along = getConstantInt(gather.getAxis());
    if (!from || !list || list.getRank() != 1 || !indices || !along ||
        gather.getBatchDimsOrDefault() != 0 ||
        fromFront(*along, from.getRank()) != axis)
      return {};
    int64_t extent = from.getDimSize(axis);
    for (int64_t index : *indices)
      heads.append(gather.getX(), fromFront(index, extent), 1);
  }
  return heads;
}

/// How heads share the matrices of a value along a dimension; nothing where
/// each has its own, or the order is another.
std::optional<std::pair<Value, Order>> repeatedAlong(Value value,
                                                     int64_t axis) {
  Heads heads = headsAlong(value, axis);
  RankedTensorType from = heads.whole ? staticType(heads.whole) : nullptr;
  int64_t count = heads.indices.size();
  if (!from || from.getDimSize(axis) >= count ||
      count % from.getDimSize(axis) != 0)
    return std::nullopt;
  int64_t groups = from.getDimSize(axis), members = count / groups;
  auto all = llvm::enumerate(heads.indices);
  auto isAt = [&](auto place) {
    return llvm::all_of(all, [&](const auto &head) {
      return head.value() == place(int64_t(head.index()));
    });
  };
  if (isAt([&](int64_t head) { return head / members; }))
    return std::pair(heads.whole, Order::Together);
  if (isAt([&](int64_t head) { return head % groups; }))
    return std::pair(heads.whole, Order::InTurns);
  return std::nullopt;
}

/// What stands behind a transpose of matrices.
Value throughTranspose(Value value) {
  auto perm = permutationOf(value.getDefiningOp());
  if (!perm || perm->size() < matrixDims)
    return {};
  int64_t rank = perm->size();
  for (auto [dim, from] : llvm::enumerate(*perm)) {
    int64_t wanted = int64_t(dim) < rank - 2 ? dim : 2 * rank - 3 - dim;
    if (from != wanted)
      return {};
  }
  return value.getDefiningOp()->getOperand(0);
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
  auto make = [&](Value once, int64_t groups, int64_t members, Order order,
                  size_t outer) -> std::optional<SharedMatrix> {
    Sharing sharing = {groups, members, fromBack(xShape, 2), order};
    int64_t together = members * sharing.rows;
    if (members == 1 || together > longestDim ||
        (sharing.rows > mostRows && together > mostRowsOfGroup) ||
        shape.take_front(outer) != xShape.take_front(outer))
      return std::nullopt;
    SmallVector<int64_t> kept(shape.take_front(outer));
    kept.append({groups, fromBack(shape, 2), shape.back()});
    return SharedMatrix{once, kept, isTransposed, sharing};
  };
  if (shape.size() <= matrixDims)
    return std::nullopt;

  size_t heads = shape.size() - matrixDims - 1;
  if (shape[heads] == xShape[heads]) {
    // A reshape of [..., groups, members, m, n].
    Value source = reshapedFrom(matrix);
    ArrayRef<int64_t> from = source ? shapeOf(source) : ArrayRef<int64_t>();
    if (from.size() > matrixDims + 1 &&
        from.take_back(matrixDims) == shape.take_back(matrixDims) &&
        fromBack(from, 4) * fromBack(from, 3) == shape[heads])
      if (Value once = onceAlong(source, from.size() - 3))
        return make(once, fromBack(from, 4), fromBack(from, 3), Order::Together,
                    heads);
    // [..., heads, m, n].
    if (auto repeated = repeatedAlong(matrix, heads)) {
      auto [once, order] = *repeated;
      int64_t groups = shapeOf(once)[heads];
      if (groups > 1 || heads == 0)
        return make(once, groups, shape[heads] / groups, order, heads);
    }
  }
  // [..., groups, members, m, n] or [..., groups, 1, m, n].
  if (heads == 0 || shape[heads - 1] != xShape[heads - 1])
    return std::nullopt;
  Value once = shape[heads] == 1 ? matrix : onceAlong(matrix, heads);
  return once ? make(once, shape[heads - 1], xShape[heads], Order::Apart,
                     heads - 1)
              : std::nullopt;
}

std::optional<SharedMatrix> findShared(MatmulOp op) {
  if (op.getTransposeXOrDefault() != false || !op.getTransposeYOrDefault())
    return std::nullopt;
  return findShared(op.getX(), op.getY());
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
    if (isa<ReshapeOp>(op))
      return sharing.ungrouped(value);
    if (auto product = dyn_cast<MatmulOp>(op)) {
      std::optional<SharedMatrix> shared = findShared(product);
      if (!shared || shared->sharing != sharing)
        return {};
      return r ? r->product(sharing.group(*r, product.getX()), shared->make(*r),
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
                                        x, r->integer(-1))
                          ->getResult(0)
                    : x;
    }
    return op->hasTrait<Elementwise>() && !op->hasTrait<ChannelParameters>()
               ? foldEach(op)
               : Value();
  }

  /// A value that broadcasts to one of all heads of a rank, so that it
  /// broadcasts to what that becomes; null where it would have to be repeated
  /// for each member.
  Value adapt(Value value, size_t rank) {
    RankedTensorType type = staticType(value);
    if (!type)
      return {};
    if (type.getRank() == 0)
      return value;
    SmallVector<int64_t> shape = alignedShape(type.getShape(), rank);
    int64_t rowCount = fromBack(shape, 2);
    int64_t groups = fromBack(shape, sharing.innerDims()),
            members = sharing.isApart() ? fromBack(shape, 3) : 1;
    if (!sharing.isApart() && groups > 1) {
      groups = sharing.groups;
      members = sharing.members;
    }
    if (members > 1 && rowCount != sharing.rows)
      return {};
    if (!r)
      return value;
    if (members > 1 && sharing.order == Order::InTurns)
      return sharing.group(*r, r->reshape(value, shape));
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
    // Else elements of x and of the result move, or may, and of y need not.
    int64_t inner = shapeOf(op.getX()).back(), columns = type.getShape().back();
    bool moves = !isAttention || sharing.order == Order::InTurns;
    if (moves && sharing.rows * (inner + columns) >= inner * columns)
      return rewriter.notifyMatchFailure(op, "more moves than it saves");
    Replacer r(rewriter, op);
    Grouper grouper(sharing, &r);
    Value x =
        isAttention ? grouper.fold(op.getX()) : sharing.group(r, op.getX());
    Value product = r.product(x, shared->make(r), *op.getTransposeYOrDefault());
    ++count;
    return r.replace(sharing.ungroup(r, product, type.getShape()));
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
    // Queries and results move, keys and values need not.
    if (key->sharing.order == Order::InTurns &&
        key->sharing.rows >= fromBack(shapeOf(op.getKey()), 2))
      return rewriter.notifyMatchFailure(op, "more moves than it saves");
    Replacer r(rewriter, op);
    Grouper grouper(key->sharing, &r);
    Value query = key->sharing.group(r, op.getQuery());
    if (mask)
      mask = grouper.adapt(mask, type.getRank());
    Value grouped = ScaledDotProductAttentionOp::create(
        rewriter, op.getLoc(),
        type.clone(key->sharing.grouped(type.getShape())), query, key->make(r),
        value->make(r), mask);
    ++count;
    return r.replace(key->sharing.ungroup(r, grouped, type.getShape()));
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
