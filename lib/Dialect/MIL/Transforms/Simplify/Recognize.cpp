//===- Recognize.cpp - Say in fewer ops what programs write out -----------===//

#include "Simplify/Recognize.h"
#include "Replacer.h"
#include "Simplify/FlatImages.h"
#include "TransposeSteps.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ane::mil {
#define GEN_PASS_DEF_RECOGNIZE
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Whether `value` is -x.
bool isNegated(Value value, Value x) {
  auto isNumber = [](Value constant, double wanted) {
    return getConstantFloat(constant) == wanted;
  };
  if (auto product = value.getDefiningOp<MulOp>())
    return (product.getX() == x && isNumber(product.getY(), -1)) ||
           (product.getY() == x && isNumber(product.getX(), -1));
  auto difference = value.getDefiningOp<SubOp>();
  return difference && difference.getY() == x && isNumber(difference.getX(), 0);
}

/// A norm of x and -x together: their mean is 0, so each is itself over the
/// root of the mean of the squares of x.
class DoubledNorm {
public:
  explicit DoubledNorm(LayerNormOp op) : op(op) {}

  bool rewrite(PatternRewriter &rewriter) {
    if (!find())
      return false;
    Replacer r(rewriter, op);
    double epsilon = *op.getEpsilonOrDefault();
    Value mean =
        r.reduce<ReduceMeanOp>(r.binary<MulOp>(x, x), axes, /*keepDims=*/true);
    Value norm =
        r.binary<MulOp>(x, r.with<RsqrtOp>(mean, r.scalar(epsilon, mean)));
    for (Operation *reader :
         llvm::make_early_inc_range(op.getResult().getUsers())) {
      Replacer at(rewriter, reader);
      SmallVector<Value> halves;
      for (Value result : reader->getResults())
        halves.push_back(half(at, norm, getCut(result, axis)->dim.begin));
      (void)at.replace(halves);
    }
    eraseUnread(op.getResult());
    return true;
  }

private:
  /// Whether the op is such a norm and one or the other half is all that is
  /// read of it.
  bool find() {
    auto concat = op.getX().getDefiningOp<ConcatOp>();
    std::optional<double> epsilon = op.getEpsilonOrDefault();
    if (!concat || !epsilon || concat.getValues().size() != 2 ||
        concat.getInterleaveOrDefault() != false)
      return false;
    x = concat.getValues().front();
    Value other = concat.getValues().back();
    RankedTensorType type = staticType(x);
    std::optional<int64_t> joined = getConstantInt(concat.getAxis());
    if (!type || !joined || !(isNegated(other, x) || isNegated(x, other)))
      return false;
    axis = fromFront(*joined, type.getRank());
    std::optional<SmallVector<int64_t>> reduced =
        reducedAxes(op.getAxes(), type.getRank());
    if (!reduced || !llvm::is_contained(*reduced, axis))
      return false;
    axes = *reduced;
    length = type.getDimSize(axis);
    if (!sumsSquaresAtOnce(type))
      return false;
    return llvm::all_of(op.getResult().getUsers(), [&](Operation *reader) {
      auto isEvenCut = [&](Value result) {
        std::optional<Cut> cut = getCut(result, axis);
        return cut && cut->whole == op.getResult() && cut->dim.step == 1 &&
               cut->dim.extent == length && cut->dim.begin % length == 0 &&
               result.getType() == x.getType();
      };
      return reader->getNumResults() > 0 &&
             llvm::all_of(reader->getResults(), isEvenCut);
    });
  }

  /// Whether one task squares and sums, so that a square need not be a number
  /// of fp16: along rows, and along the channels of one image.
  bool sumsSquaresAtOnce(RankedTensorType type) const {
    if (axes.size() != 1 || length > longestDim)
      return false;
    int64_t rank = type.getRank();
    return axis + 1 == rank ||
           (rank == 4 && axis == 1 && type.getDimSize(0) == 1);
  }

  /// The half that begins there, with its part of the parameters.
  Value half(Replacer &r, Value norm, int64_t begin) {
    Value value = begin == 0 ? norm : r.binary<MulOp>(norm, -1);
    // Parameters have the axes as dimensions.
    int64_t place = llvm::find(axes, axis) - axes.begin();
    SmallVector<int64_t> shape(shapeOf(x).size(), 1);
    for (int64_t each : axes)
      shape[each] = shapeOf(x)[each];
    auto part = [&](Value parameter) {
      return r.reshape(r.slice(parameter, place, begin, length), shape);
    };
    if (Value gamma = op.getGamma())
      value = r.binary<MulOp>(value, part(gamma));
    if (Value beta = op.getBeta())
      value = r.binary<AddOp>(value, part(beta));
    return value;
  }

  LayerNormOp op;
  Value x;
  int64_t axis, length;
  SmallVector<int64_t> axes;
};

/// Columns of a part of a row, at least: fewer take more rows of memory than
/// they fill. Assigned.
constexpr int64_t leastPart = 4;

bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (isa<ConstOp>(op) || isConstexpr(op));
}

/// Whether a value is added to another one of its shape, and L2 holds either of
/// them but not both. Blocks of rows, which need neither whole, are then made
/// of products, of which less is kept.
bool isAddedWhereOneFits(Value value) {
  int64_t bytes =
      cast<RankedTensorType>(value.getType()).getNumElements() * elementBytes;
  if (bytes > h13.wholeL2Bytes() || 2 * bytes <= h13.wholeL2Bytes())
    return false;
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return isa<AddOp, SubOp>(user) &&
           llvm::all_of(user->getOperands(), [&](Value operand) {
             return operand.getType() == value.getType();
           });
  });
}

/// A product of a computed column and a computed row. As a `matmul` one of them
/// is a kernel of one tap, in a task for each of a batch; the planar engine
/// repeats both in one.
bool rewriteOuterProduct(PatternRewriter &rewriter, MatmulOp op) {
  std::optional<bool> turnsX = op.getTransposeXOrDefault(),
                      turnsY = op.getTransposeYOrDefault();
  RankedTensorType x = staticType(op.getX()), y = staticType(op.getY());
  if (!turnsX || !turnsY || !x || !y || !staticType(op.getResult()) ||
      x.getRank() < 2 || y.getRank() < 2 || isConstant(op.getX()) ||
      isConstant(op.getY()))
    return false;
  SmallVector<int64_t> column(x.getShape()), row(y.getShape());
  auto turn = [](SmallVector<int64_t> &shape) {
    std::swap(shape.back(), shape[shape.size() - 2]);
  };
  if (*turnsX)
    turn(column);
  if (*turnsY)
    turn(row);
  if (column.back() != 1 || isAddedWhereOneFits(op.getResult()))
    return false;
  Replacer r(rewriter, op);
  auto as = [&](Value value, ArrayRef<int64_t> shape) {
    return shapeOf(value) == shape ? value : r.reshape(value, shape);
  };
  (void)r.replace(r.binary<MulOp>(as(op.getX(), column), as(op.getY(), row)));
  return true;
}

/// What an operand of products is before a transpose that exchanges its last
/// two dimensions; null where something else reads that.
Value turnedBack(Value operand) {
  Operation *turn = operand.getDefiningOp();
  auto perm = permutationOf(turn);
  if (!perm || perm->size() < 2 || isConstant(turn->getOperand(0)) ||
      !llvm::all_of(turn->getUsers(), llvm::IsaPred<MatmulOp>))
    return {};
  int64_t last = perm->size() - 1;
  std::swap((*perm)[last - 1], (*perm)[last]);
  return isIdentityPermutation(*perm) ? turn->getOperand(0) : Value();
}

/// A product of transposed operands reads them as they are. Probabilities on
/// the left of an attention, which are more than what it gives, are turned in
/// blocks.
bool rewriteTurnedProduct(PatternRewriter &rewriter, MatmulOp op) {
  std::optional<bool> turnsX = op.getTransposeXOrDefault(),
                      turnsY = op.getTransposeYOrDefault();
  RankedTensorType left = staticType(op.getX()),
                   result = staticType(op.getResult());
  if (!turnsX || !turnsY || !left || !result)
    return false;
  Value x, y = turnedBack(op.getY());
  if (left.getNumElements() <= result.getNumElements())
    x = turnedBack(op.getX());
  if (!x && !y)
    return false;
  Replacer r(rewriter, op);
  SmallVector<Value> old = {op.getX(), op.getY()};
  Value product = MatmulOp::create(
      rewriter, op.getLoc(), op.getType(), x ? x : op.getX(), y ? y : op.getY(),
      r.boolean(*turnsX != bool(x)), r.boolean(*turnsY != bool(y)));
  (void)r.replace(product);
  eraseUnread(old);
  return true;
}

/// Rows that a transpose has made of channels, and that are parted: parts of
/// the channels become rows each. A row that is parted within its memory moves
/// twice.
bool rewritePartedRows(PatternRewriter &rewriter, ReshapeOp op,
                       bool leaveImages) {
  Operation *turn = op.getX().getDefiningOp();
  auto perm = permutationOf(turn);
  RankedTensorType type = staticType(op.getResult());
  if (!perm || !type || type.getRank() == 0 || !turn->hasOneUse() ||
      !staticType(turn->getOperand(0)) ||
      llvm::any_of(op->getUsers(), llvm::IsaPred<TransposeOp>))
    return false;
  ArrayRef<int64_t> from = shapeOf(turn->getOperand(0));
  int64_t channels = perm->back(), rank = perm->size();
  int64_t columns = type.getShape().back();
  if (channels + 1 == rank || rank == mostDims || columns == 0 ||
      from[channels] == columns || from[channels] % columns != 0 ||
      columns % h13.rowStep() == 0 || columns < leastPart ||
      (leaveImages && isOfPixels(op)))
    return false;
  SmallVector<int64_t> parted(from.take_front(channels));
  llvm::append_values(parted, from[channels] / columns, columns);
  llvm::append_range(parted, from.drop_front(channels + 1));
  SmallVector<int64_t> order;
  for (int64_t dim : *perm)
    order.push_back(dim > channels ? dim + 1 : dim);
  order.push_back(channels + 1);
  Replacer r(rewriter, op);
  Value made = r.transposeAs(turn->getOperand(0), parted, order);
  (void)r.replace(r.reshape(made, type.getShape()));
  eraseUnread(turn->getResult(0));
  return true;
}

/// A reduction of what the same reduction made of other dimensions.
template <typename Op> bool rewriteNested(PatternRewriter &rewriter, Op op) {
  auto inner = op.getX().template getDefiningOp<Op>();
  RankedTensorType x = inner ? staticType(inner.getX()) : nullptr;
  if (!x || !inner->hasOneUse() || inner.getKeepDimsOrDefault() != true)
    return false;
  // A mean of integers is cut off, so that the mean of means is another.
  if (isa<ReduceMeanOp>(op) && !isa<FloatType>(x.getElementType()))
    return false;
  std::optional<bool> keepsDims = op.getKeepDimsOrDefault();
  auto axes = reducedAxes(op.getAxes(), x.getRank()),
       innerAxes = reducedAxes(inner.getAxes(), x.getRank());
  if (!keepsDims || !axes || !innerAxes)
    return false;
  // The inner one left dimensions of one element. Those that are not reduced
  // again are still there, so that one reduction could not drop the others.
  bool dropsAll = llvm::all_of(*innerAxes, [&](int64_t axis) {
    return llvm::is_contained(*axes, axis);
  });
  if (!*keepsDims && !dropsAll)
    return false;
  llvm::append_range(*axes, *innerAxes);
  llvm::sort(*axes);
  axes->erase(llvm::unique(*axes), axes->end());
  Replacer r(rewriter, op);
  Value both = r.reduce<Op>(inner.getX(), *axes, *keepsDims);
  (void)r.replace(both);
  eraseUnread(inner.getResult(), both.getDefiningOp());
  return true;
}

/// gather_along_axis(x, tile(i)) -> gather(x, i), if i has one index for each
/// place along the axis, or each image of a batch has such ones.
bool rewriteRepeatedChoice(PatternRewriter &rewriter, GatherAlongAxisOp op) {
  auto cast = op.getIndices().getDefiningOp<CastOp>();
  auto tile = (cast ? cast.getX() : op.getIndices()).getDefiningOp<TileOp>();
  std::optional<int64_t> axis = op.getAxisOrDefault();
  RankedTensorType type = staticType(op.getResult());
  if (!tile || !axis || !type || !staticType(op.getX()) ||
      !staticType(tile.getX()))
    return false;
  *axis = fromFront(*axis, type.getRank());
  ArrayRef<int64_t> own = shapeOf(tile.getX());
  auto isOne = [](int64_t extent) { return extent == 1; };
  bool isShared = llvm::all_of(own.take_front(*axis), isOne);
  if (own[*axis] != type.getDimSize(*axis) ||
      !llvm::all_of(own.drop_front(*axis + 1), isOne) ||
      !(isShared || own.take_front(*axis) == type.getShape().take_front(*axis)))
    return false;
  Replacer r(rewriter, op);
  ArrayRef<int64_t> shape = own.take_front(*axis + 1);
  if (isShared)
    shape = shape.take_back();
  Value indices = r.reshape(tile.getX(), shape);
  // What a cast does to an index, which may be too large for its type, stays.
  if (cast)
    indices = CastOp::create(
        rewriter, cast.getLoc(),
        llvm::cast<RankedTensorType>(cast.getResult().getType()).clone(shape),
        indices, cast.getDtype());
  Value read = op.getIndices();
  Value result = GatherOp::create(
      rewriter, op.getLoc(), type, op.getX(), indices, op.getAxis(),
      isShared ? Value() : r.integer(*axis), op.getValidateIndices());
  (void)r.replace(result);
  eraseUnread(read);
  return true;
}

/// A positive constant number of integers.
std::optional<int64_t> positiveNumber(Value value) {
  std::optional<SmallVector<int64_t>> numbers = getConstantInts(value);
  return numbers && numbers->size() == 1 && numbers->front() > 0
             ? std::optional(numbers->front())
             : std::nullopt;
}

/// i - i / n * n of integers, with the quotient rounded down, is i mod n.
bool rewriteRemainder(PatternRewriter &rewriter, SubOp op) {
  auto product = op.getY().getDefiningOp<MulOp>();
  Value dividend = op.getX();
  RankedTensorType type = staticType(dividend);
  if (!product || !type || !isa<IntegerType>(type.getElementType()) ||
      op.getResult().getType() != type)
    return false;
  Value factor = product.getY();
  auto quotient = product.getX().getDefiningOp<FloorDivOp>();
  if (!quotient) {
    factor = product.getX();
    quotient = product.getY().getDefiningOp<FloorDivOp>();
  }
  std::optional<int64_t> divisor = positiveNumber(factor);
  if (!quotient || quotient.getX() != dividend || !divisor ||
      positiveNumber(quotient.getY()) != divisor)
    return false;
  Replacer r(rewriter, op);
  Value rest = r.with<ModOp>(dividend, quotient.getY());
  (void)r.replace(rest);
  eraseUnread(product.getResult(), rest.getDefiningOp());
  return true;
}

class Recognize : public mil::impl::RecognizeBase<Recognize> {
public:
  using RecognizeBase::RecognizeBase;

  void runOnOperation() override {
    if (!getAnalysis<Inventory>()
             .hasAny<LayerNormOp, MatmulOp, TanhOp, ErfOp, GatherAlongAxisOp,
                     ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp,
                     FloorDivOp, TransposeOp, PadOp>())
      return markAllAnalysesPreserved();
    // What a rule erases beside its op is nothing that another one begins at
    // and that comes later.
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<LayerNormOp, MatmulOp, TanhOp, ErfOp, GatherAlongAxisOp,
              ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp, ReshapeOp,
              SubOp, AddOp, MulOp, RealDivOp>(op))
        ops.push_back(op);
    });
    PatternRewriter rewriter(&getContext());
    unsigned before = numRecognized;
    for (Operation *op : ops)
      numRecognized +=
          llvm::TypeSwitch<Operation *, bool>(op)
              .Case([&](LayerNormOp norm) {
                return DoubledNorm(norm).rewrite(rewriter);
              })
              .Case([&](MatmulOp product) {
                return rewriteOuterProduct(rewriter, product) ||
                       rewriteTurnedProduct(rewriter, product);
              })
              .Case([&](GatherAlongAxisOp choice) {
                return rewriteRepeatedChoice(rewriter, choice);
              })
              .Case([&](ReshapeOp reshape) {
                return rewritePartedRows(rewriter, reshape, leaveImages);
              })
              .Case([&](SubOp difference) {
                return rewriteRemainder(rewriter, difference);
              })
              .Case([&](AddOp sum) { return recognizeJoin(rewriter, sum); })
              .Case<MulOp, RealDivOp>(
                  [&](auto) { return recognizeSoftmax(rewriter, op); })
              .Case<TanhOp, ErfOp>(
                  [&](auto) { return recognizeGelu(rewriter, op); })
              .Case<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp>(
                  [&](auto reduction) {
                    return rewriteNested(rewriter, reduction);
                  })
              .Default(false);
    if (numRecognized == before)
      markAllAnalysesPreserved();
  }
};

} // namespace
