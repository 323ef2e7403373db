//===- LongRowRules.cpp - Ops on rows that are cut ------------------------===//

#include "LongRows.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Whether an op computes each element from those at its place.
bool isElementwise(Operation *op) {
  return isa<AddOp, SubOp, MulOp, MaximumOp, MinimumOp, RealDivOp, FloorDivOp,
             ModOp, PowOp, EqualOp, NotEqualOp, LessOp, LessEqualOp, GreaterOp,
             GreaterEqualOp, LogicalAndOp, LogicalOrOp, LogicalXorOp, ClipOp,
             CastOp, SelectOp, IdentityOp>(op) ||
         isa<AbsOp, AcosOp, AsinOp, AtanOp, AtanhOp, CeilOp, CosOp, CoshOp,
             ErfOp, ExpOp, Exp2Op, FloorOp, InverseOp, LogOp, LogicalNotOp,
             RoundOp, RsqrtOp, SignOp, SinOp, SinhOp, SqrtOp, SquareOp, TanOp,
             ThresholdOp>(op) ||
         isa<ReluOp, Relu6Op, LeakyReluOp, SigmoidOp, TanhOp, SiluOp,
             ClampedReluOp, EluOp, GeluOp, LinearActivationOp, PreluOp,
             ScaledTanhOp, SigmoidHardOp, SoftplusOp, SoftplusParametricOp,
             SoftsignOp, ThresholdedReluOp, BatchNormOp>(op);
}

/// Whether an op works on other dimensions than the last, which its results
/// have as its operands do.
bool leavesRows(Operation *op) {
  auto isOther = [](Value axis, Value x) {
    std::optional<int64_t> number = getConstantInt(axis);
    return number && fromFront(*number, lastAxis(x) + 1) != lastAxis(x);
  };
  auto keepsLast = [](auto reduction) {
    auto axes =
        reducedAxes(reduction.getAxes(), lastAxis(reduction.getX()) + 1);
    return axes && !llvm::is_contained(*axes, lastAxis(reduction.getX()));
  };
  auto movesRank = [](auto mover) {
    return shapeOf(mover.getX()).back() == shapeOf(mover.getResult()).back();
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](SoftmaxOp softmax) {
        return isOther(softmax.getAxis(), softmax.getX());
      })
      .Case([&](ConcatOp concat) {
        return isOther(concat.getAxis(), concat.getValues().front());
      })
      .Case([&](StackOp stack) {
        return isOther(stack.getAxis(), stack.getResult());
      })
      .Case(
          [&](SplitOp split) { return isOther(split.getAxis(), split.getX()); })
      .Case<ReduceMaxOp, ReduceMinOp, ReduceSumOp, ReduceMeanOp,
            ReduceSumSquareOp>(keepsLast)
      .Case<ExpandDimsOp, SqueezeOp>(movesRank)
      .Case([&](TransposeOp transpose) {
        auto perm = getConstantInts(transpose.getPerm());
        return perm && fromFront(perm->back(), perm->size()) ==
                           lastAxis(transpose.getX());
      })
      .Default(false);
}

/// What an op on long rows becomes. Nothing is made where it fails.
class RowSplitter {
public:
  explicit RowSplitter(LongRows &rows) : rows(rows) {}

  LogicalResult split(Operation *op);

private:
  /// Of each part by itself.
  LogicalResult splitAlone(Replacer &r, Operation *op);
  LogicalResult splitReshape(Replacer &r, Operation *op);
  LogicalResult splitSlice(Replacer &r, Operation *op,
                           std::optional<SmallVector<SliceDim>> dims);
  LogicalResult splitConcat(Replacer &r, ConcatOp op);
  LogicalResult splitPad(Replacer &r, PadOp op);
  LogicalResult splitConv(Replacer &r, ConvOp op);
  LogicalResult splitConvTranspose(Replacer &r, ConvTransposeOp op);
  LogicalResult splitSoftmax(Replacer &r, SoftmaxOp op);
  template <typename Op, typename Join>
  LogicalResult splitReduction(Replacer &r, Op op, Join join);
  template <typename JoinOp, typename Op>
  LogicalResult splitJoined(Replacer &r, Op op) {
    return splitReduction(r, op, [&](Value own, Value others, int64_t) {
      return others ? r.binary<JoinOp>(others, own) : own;
    });
  }
  LogicalResult splitMean(Replacer &r, ReduceMeanOp op);

  LogicalResult become(Replacer &r, Operation *op, Parts list) {
    return rows.become(r, op, std::move(list));
  }

  LongRows &rows;
};

} // namespace

LogicalResult RowSplitter::splitAlone(Replacer &r, Operation *op) {
  int64_t extent = shapeOf(op->getResult(0)).back();
  for (Value result : op->getResults())
    if (shapeOf(result).back() != extent)
      return failure();
  SmallVector<Parts> lists(op->getNumResults());
  (void)rows.assemble(r, extent, rows.limit, [&](int64_t begin, int64_t count) {
    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (type && type.getRank() > 0 && type.getShape().back() == extent)
        mapping.map(operand, rows.take(r, operand, begin, count));
    }
    Operation *part = r.rewriter.clone(*op, mapping);
    dropNames(part);
    for (auto [list, result] : llvm::zip_equal(lists, part->getResults())) {
      result.setType(withRow(result, count));
      list.push_back(result);
    }
    return part->getResult(0);
  });
  for (auto [result, list] : llvm::zip_equal(op->getResults(), lists))
    rows.setParts(result, std::move(list));
  return success();
}

/// Rows that stay, that are cut into short ones, or that are made of those.
LogicalResult RowSplitter::splitReshape(Replacer &r, Operation *op) {
  Value x = op->getOperand(0), y = op->getResult(0);
  ArrayRef<int64_t> from = shapeOf(x), to = shapeOf(y);
  if (from.empty() || to.empty())
    return failure();
  int64_t in = from.back(), out = to.back();
  SmallVector<int64_t> shape(to);
  if (in == out)
    return become(
        r, op,
        rows.assemble(r, out, rows.limit, [&](int64_t begin, int64_t count) {
          shape.back() = count;
          return r.reshape(rows.take(r, x, begin, count), shape);
        }));
  bool cuts = in > out;
  int64_t shorter = cuts ? out : in;
  ArrayRef<int64_t> many = cuts ? to : from, few = cuts ? from : to;
  // [..., n * m] and [..., n, m].
  if (many.size() < 2 || shorter > rows.limit ||
      many[many.size() - 2] * shorter != few.back() ||
      llvm::product_of(many.drop_back(2)) != llvm::product_of(few.drop_back()))
    return failure();
  int64_t count = few.back() / shorter;
  if (cuts) {
    Parts pieces;
    int64_t most = rows.limit / shorter;
    for (int64_t i = 0; i < count; i += most) {
      shape[shape.size() - 2] = std::min(most, count - i);
      pieces.push_back(r.reshape(
          rows.take(r, x, i * shorter, shape[shape.size() - 2] * shorter),
          shape));
    }
    return become(r, op, {r.concat(pieces, int64_t(shape.size()) - 2)});
  }
  return become(
      r, op,
      rows.assemble(
          r, out, rows.limit - 2 * shorter, [&](int64_t begin, int64_t length) {
            int64_t first = begin / shorter,
                    end = llvm::divideCeil(begin + length, shorter);
            Value piece = r.slice(x, lastAxis(x) - 1, first, end - first);
            shape.back() = (end - first) * shorter;
            piece = r.reshape(piece, shape);
            return r.slice(piece, lastAxis(piece), begin - first * shorter,
                           length);
          }));
}

LogicalResult
RowSplitter::splitSlice(Replacer &r, Operation *op,
                        std::optional<SmallVector<SliceDim>> dims) {
  Value x = op->getOperand(0), y = op->getResult(0);
  if (!dims || llvm::any_of(*dims, [](const SliceDim &dim) {
        return dim.step < 1 || dim.extent < 1;
      }))
    return failure();
  SliceDim row = dims->pop_back_val();
  bool isSqueezed = shapeOf(y).empty() || shapeOf(y).back() != row.extent;
  if (isSqueezed && row.extent != 1)
    return failure();
  int64_t most = (rows.limit - 1) / row.step + 1;
  auto make = [&](int64_t begin, int64_t count) {
    Value piece = rows.take(r, x, row.begin + begin * row.step,
                            (count - 1) * row.step + 1);
    piece = r.slice(piece, lastAxis(piece), 0, count, row.step);
    for (auto [axis, dim] : llvm::enumerate(*dims))
      piece = r.slice(piece, axis, dim.begin, dim.extent, dim.step);
    SmallVector<int64_t> shape(shapeOf(y));
    if (!isSqueezed)
      shape.back() = count;
    return shapeOf(piece) == ArrayRef(shape) ? piece : r.reshape(piece, shape);
  };
  if (isSqueezed)
    return r.replace(make(0, 1));
  return become(r, op, rows.assemble(r, row.extent, most, make));
}

LogicalResult RowSplitter::splitConcat(Replacer &r, ConcatOp op) {
  std::optional<bool> interleave = getBoolOr(op.getInterleave(), false);
  if (!interleave || *interleave)
    return failure();
  return become(r, op,
                rows.assemble(r, shapeOf(op.getResult()).back(), rows.limit,
                              [&](int64_t begin, int64_t count) {
                                return rows.take(r, op.getValues(), begin,
                                                 count);
                              }));
}

/// What is added along the rows, joined with them.
LogicalResult RowSplitter::splitPad(Replacer &r, PadOp op) {
  std::optional<SmallVector<int64_t>> padding = getConstantInts(op.getPad());
  StringRef mode = op.getMode() ? getConstantString(op.getMode()).value_or("")
                                : StringRef("constant");
  if (!padding || padding->size() < 2)
    return failure();
  int64_t behind = padding->pop_back_val(), front = padding->pop_back_val(),
          extent = shapeOf(op.getX()).back();
  if (llvm::any_of(*padding, [](int64_t count) { return count != 0; }) ||
      std::max(front, behind) >= std::min(extent, rows.limit))
    return failure();
  auto added = [&](int64_t begin, int64_t count) -> Value {
    if (mode == "reflect")
      return ReverseOp::create(r.rewriter, op.getLoc(),
                               rows.take(r, op.getX(), begin, count).getType(),
                               rows.take(r, op.getX(), begin, count),
                               r.ints({-1}), std::nullopt, nullptr);
    SmallVector<int64_t> shape(shapeOf(op.getX()));
    shape.back() = count;
    double value = 0;
    if (op.getConstantVal())
      value = getConstantFloat(op.getConstantVal()).value_or(0);
    SmallVector<double> values(llvm::product_of(shape), value);
    return r.tensor(values, shape, op.getX());
  };
  if (mode != "reflect" && mode != "constant")
    return failure();
  Parts joined;
  if (front > 0)
    joined.push_back(added(1, front));
  joined.push_back(op.getX());
  if (behind > 0)
    joined.push_back(added(extent - 1 - behind, behind));
  return become(r, op,
                rows.assemble(r, extent + front + behind, rows.limit,
                              [&](int64_t begin, int64_t count) {
                                return rows.take(r, joined, begin, count);
                              }));
}

/// [before, after] of each dimension but the last, and that as given.
static SmallVector<int64_t> paddingOf(const Window &window, int64_t before,
                                      int64_t after) {
  SmallVector<int64_t> padding;
  for (size_t dim = 0; dim + 1 < window.kernel.size(); ++dim) {
    padding.push_back(window.padBefore[dim]);
    padding.push_back(window.padAfter[dim]);
  }
  padding.push_back(before);
  padding.push_back(after);
  return padding;
}

/// Each piece sees what its windows reach.
LogicalResult RowSplitter::splitConv(Replacer &r, ConvOp op) {
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return failure();
  int64_t extent = window->input.back(), stride = window->stride.back(),
          before = window->padBefore.back(),
          reach = (window->kernel.back() - 1) * window->dilation.back() + 1;
  // Each window has something of the input.
  if (reach >= rows.limit || std::max(before, window->padAfter.back()) >= reach)
    return failure();
  return become(
      r, op,
      rows.assemble(r, window->output.back(), (rows.limit - reach) / stride + 1,
                    [&](int64_t first, int64_t count) -> Value {
                      int64_t begin = first * stride - before,
                              end = begin + (count - 1) * stride + reach;
                      int64_t from = std::max<int64_t>(begin, 0),
                              to = std::min(end, extent);
                      return ConvOp::create(
                          r.rewriter, op.getLoc(),
                          withRow(op.getResult(), count),
                          rows.take(r, op.getX(), from, to - from),
                          op.getWeight(), op.getBias(), r.ints(window->stride),
                          r.string("custom"),
                          r.ints(paddingOf(*window, from - begin, end - to)),
                          r.ints(window->dilation), op.getGroups(),
                          /*label=*/std::nullopt,
                          /*result_names=*/nullptr);
                    }));
}

/// Each piece is made of all elements that add to it; what they add beside it
/// is cut off.
LogicalResult RowSplitter::splitConvTranspose(Replacer &r, ConvTransposeOp op) {
  FailureOr<Window> window = getWindow(op);
  if (failed(window))
    return failure();
  int64_t extent = shapeOf(op.getX()).back(), stride = window->stride.back(),
          before = window->padBefore.back(),
          reach = (window->kernel.back() - 1) * window->dilation.back() + 1;
  int64_t result = shapeOf(op.getResult()).back();
  // All of the result comes from an element, and a piece from few of them.
  if (reach < stride || (extent - 1) * stride + reach < result + before ||
      rows.limit <= 4 * reach)
    return failure();
  int64_t most =
      std::min(rows.limit - 2 * reach, (rows.limit - 2 * reach) * stride);
  return become(
      r, op, rows.assemble(r, result, most, [&](int64_t begin, int64_t count) {
        // Element i adds to i * stride to i * stride + reach - 1.
        int64_t low = begin + before, high = low + count;
        int64_t from = std::max<int64_t>(
                    llvm::divideCeilSigned(low - reach + 1, stride), 0),
                to = std::min((high - 1) / stride + 1, extent);
        return ConvTransposeOp::create(
                   r.rewriter, op.getLoc(), withRow(op.getResult(), count),
                   rows.take(r, op.getX(), from, to - from), op.getWeight(),
                   op.getBias(),
                   r.ints(paddingOf(*window, low - from * stride,
                                    (to - 1) * stride + reach - high)),
                   /*output_shape=*/Value(), r.string("custom"),
                   r.ints(window->stride), r.ints(window->dilation),
                   op.getGroups(), /*label=*/std::nullopt,
                   /*result_names=*/nullptr)
            .getResult();
      }));
}

/// exp(x - max) / sum, with maximum and sum of all parts.
LogicalResult RowSplitter::splitSoftmax(Replacer &r, SoftmaxOp op) {
  Value x = op.getX();
  int64_t extent = shapeOf(x).back(), axis = lastAxis(x);
  Parts list =
      rows.assemble(r, extent, rows.limit, [&](int64_t begin, int64_t count) {
        return rows.take(r, x, begin, count);
      });
  Value top, sum;
  for (Value part : list) {
    Value own = r.reduce<ReduceMaxOp>(part, {axis}, true);
    top = top ? r.binary<MaximumOp>(top, own) : own;
  }
  for (Value &part : list) {
    part = r.unary<ExpOp>(r.binary<SubOp>(part, top));
    Value own = r.reduce<ReduceSumOp>(part, {axis}, true);
    sum = sum ? r.binary<AddOp>(sum, own) : own;
  }
  for (Value &part : list)
    part = r.binary<RealDivOp>(part, sum);
  return become(r, op, std::move(list));
}

template <typename Op, typename Join>
LogicalResult RowSplitter::splitReduction(Replacer &r, Op op, Join join) {
  Value x = op.getX();
  auto axes = reducedAxes(op.getAxes(), lastAxis(x) + 1);
  std::optional<bool> keepDims = getBoolOr(op.getKeepDims(), false);
  if (!axes || !keepDims)
    return failure();
  Value result;
  (void)rows.assemble(
      r, shapeOf(x).back(), rows.limit, [&](int64_t begin, int64_t count) {
        Value part = rows.take(r, x, begin, count);
        Value own = join(r.reduce<Op>(part, *axes, *keepDims), result, count);
        result = own;
        return part;
      });
  return r.replace(result);
}

LogicalResult RowSplitter::splitMean(Replacer &r, ReduceMeanOp op) {
  double extent = double(shapeOf(op.getX()).back());
  return splitReduction(r, op, [&](Value own, Value others, int64_t count) {
    own = r.binary<MulOp>(own, double(count) / extent);
    return others ? r.binary<AddOp>(others, own) : own;
  });
}

LogicalResult RowSplitter::split(Operation *op) {
  PatternRewriter rewriter(op->getContext());
  Replacer r(rewriter, op);
  if (isElementwise(op) || leavesRows(op))
    return splitAlone(r, op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ReshapeOp, ExpandDimsOp, SqueezeOp>(
          [&](auto) { return splitReshape(r, op); })
      .Case<SliceByIndexOp, SliceBySizeOp>(
          [&](auto slice) { return splitSlice(r, op, getSlice(slice)); })
      .Case([&](ConcatOp concat) { return splitConcat(r, concat); })
      .Case([&](PadOp pad) { return splitPad(r, pad); })
      .Case([&](ConvOp conv) { return splitConv(r, conv); })
      .Case([&](ConvTransposeOp conv) { return splitConvTranspose(r, conv); })
      .Case<LinearOp, MatmulOp>(
          [&](auto product) { return splitProduct(rows, r, product); })
      .Case([&](SoftmaxOp softmax) { return splitSoftmax(r, softmax); })
      .Case([&](ReduceMaxOp max) { return splitJoined<MaximumOp>(r, max); })
      .Case([&](ReduceMinOp min) { return splitJoined<MinimumOp>(r, min); })
      .Case<ReduceSumOp, ReduceSumSquareOp>(
          [&](auto sum) { return splitJoined<AddOp>(r, sum); })
      .Case([&](ReduceMeanOp mean) { return splitMean(r, mean); })
      .Default(failure());
}

LogicalResult ane::mil::splitRows(LongRows &rows, Operation *op) {
  return RowSplitter(rows).split(op);
}
