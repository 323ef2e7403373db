//===- RowMoves.cpp - Chains of moves as one move of whole rows -----------===//
//
// Patches of an image are made by reshapes and transposes that cut its rows
// into pieces of a few columns: each such reshape turns all elements twice. The
// channels stay together all the way. With these along the columns the pieces
// are a matter of strides.
//
//===----------------------------------------------------------------------===//

#include "Layout/RowMoves.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Target/H13.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include <optional>

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Shorter rows waste too much of memory, whose rows begin 64 bytes apart.
/// Assigned.
constexpr int64_t leastColumns = 16;
/// Columns that rows can be cut at and joined without a turn.
constexpr int64_t alignedColumns = h13.rowStep();
/// What rows and columns can have, and so every dimension.
constexpr int64_t mostExtent = std::min(h13.maxHeight, h13.maxWidth);

/// So that no long chain is looked through for each of its moves.
constexpr size_t mostMoves = 16;

/// So many elements at one distance in the value that a chain begins with.
struct Run {
  int64_t extent, distance;
  bool operator==(const Run &) const = default;
};
using Runs = SmallVector<Run, numDims>;
/// The runs that each dimension consists of, the outermost first.
using Layout = std::array<Runs, numDims>;

void append(Runs &runs, Run run) {
  if (run.extent == 1)
    return;
  if (!runs.empty() && runs.back().distance == run.extent * run.distance)
    runs.back() = {runs.back().extent * run.extent, run.distance};
  else
    runs.push_back(run);
}

Layout layoutOf(ArrayRef<int64_t> shape) {
  Layout layout;
  int64_t distance = 1;
  for (unsigned dim = numDims; dim-- > 0;) {
    append(layout[dim], {shape[dim], distance});
    distance *= shape[dim];
  }
  return layout;
}

std::optional<Layout> reshaped(const Layout &layout, ArrayRef<int64_t> shape) {
  Runs rest;
  for (const Runs &runs : layout)
    for (Run run : runs)
      append(rest, run);
  Layout result;
  for (unsigned dim = numDims; dim-- > 0;) {
    Runs taken;
    for (int64_t wanted = shape[dim]; wanted > 1;) {
      Run &run = rest.back();
      int64_t count = std::min(run.extent, wanted);
      if (run.extent % count != 0 || wanted % count != 0)
        return std::nullopt;
      taken.push_back({count, run.distance});
      wanted /= count;
      run = {run.extent / count, run.distance * count};
      if (run.extent == 1)
        rest.pop_back();
    }
    for (Run run : llvm::reverse(taken))
      append(result[dim], run);
  }
  return result;
}

Operation *moveBefore(Operation *move) {
  Operation *before = move->getOperand(0).getDefiningOp();
  return isa_and_nonnull<ReshapeOp, TransposeOp>(before) && before->hasOneUse()
             ? before
             : nullptr;
}

/// How often a move turns elements, by estimate.
int64_t turnsOf(Operation *move) {
  ArrayRef<int64_t> from = shapeOf(move->getOperand(0)),
                    to = shapeOf(move->getResult(0));
  if (auto transpose = dyn_cast<TransposeOp>(move))
    return transpose.getPermutation()[W] != int64_t(W);
  auto [fewer, more] = std::minmax(from[W], to[W]);
  if (fewer == more || (fewer % alignedColumns == 0 && more % fewer == 0))
    return 0;
  return fewer == 1 ? 1 : 2;
}

/// A dimension of the first value that is one of the last, too: what lies along
/// columns while rows are moved.
struct Kept {
  unsigned from = W, to = W;
  Runs rows;                        ///< of the last value
  SmallVector<int64_t> permutation; ///< of the rows of the first one
  int64_t tasks = 0;                ///< turns, and the move of rows
};

std::optional<Kept> keep(ArrayRef<int64_t> shape, const Layout &last,
                         unsigned from, unsigned to) {
  Run columns = {shape[from], llvm::product_of(shape.drop_front(from + 1))};
  if (columns.extent < leastColumns || last[to] != Runs{columns})
    return std::nullopt;
  Kept kept;
  kept.from = from;
  kept.to = to;
  for (unsigned dim = 0; dim < numDims; ++dim)
    if (dim != to)
      for (Run run : last[dim])
        append(kept.rows, run);
  int64_t count = kept.rows.size(), padding = int64_t(W) - count;
  if (padding < 0)
    return std::nullopt;
  // The dimensions of the rows of the first value, from far to near.
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq(count));
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return kept.rows[a].distance > kept.rows[b].distance;
  });
  kept.permutation = llvm::to_vector(llvm::seq(int64_t(numDims)));
  for (auto [place, row] : llvm::enumerate(order))
    kept.permutation[padding + row] = padding + int64_t(place);
  kept.tasks =
      (from != W) + (to != W) + !isIdentityPermutation(kept.permutation);
  return kept;
}

/// A transpose and all moves around it -> a turn, a move of rows, a turn back,
/// of which there may be fewer.
struct MoveRows : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Operation *> chain = {op};
    while (chain.size() < mostMoves) {
      Operation *before = moveBefore(chain.back());
      if (!before)
        break;
      chain.push_back(before);
    }
    std::reverse(chain.begin(), chain.end());
    auto isNext = [](Operation *user) {
      return isa<ReshapeOp, TransposeOp>(user);
    };
    while (chain.size() < mostMoves && chain.back()->hasOneUse() &&
           isNext(*chain.back()->user_begin()))
      chain.push_back(*chain.back()->user_begin());

    Value x = chain.front()->getOperand(0);
    ArrayRef<int64_t> shape = shapeOf(x);
    Layout last = layoutOf(shape);
    int64_t turns = 0;
    for (Operation *move : chain) {
      turns += turnsOf(move);
      if (auto transpose = dyn_cast<TransposeOp>(move)) {
        Layout before = last;
        for (auto [to, from] : llvm::enumerate(transpose.getPermutation()))
          last[to] = before[from];
        continue;
      }
      std::optional<Layout> next = reshaped(last, shapeOf(move->getResult(0)));
      if (!next)
        return rewriter.notifyMatchFailure(op, "pieces of pieces");
      last = *next;
    }

    std::optional<Kept> best;
    for (unsigned from = 0; from < numDims; ++from)
      for (unsigned to = 0; to < numDims; ++to)
        if (std::optional<Kept> kept = keep(shape, last, from, to);
            kept && (!best || kept->tasks < best->tasks))
          best = kept;
    if (!best || best->tasks >= turns)
      return rewriter.notifyMatchFailure(op, "not turned more often");
    rewriter.setInsertionPoint(chain.back());
    Value result = build(rewriter, chain.back(), x, *best);
    if (!result)
      return rewriter.notifyMatchFailure(op, "more of a dimension than it has");
    rewriter.replaceOp(chain.back(), result);
    return success();
  }

private:
  static Value build(PatternRewriter &rewriter, Operation *last, Value x,
                     const Kept &kept) {
    ArrayRef<int64_t> from = shapeOf(x), to = shapeOf(last->getResult(0));
    SmallVector<int64_t> turn, back(numDims), rows(numDims, 1), joined;
    for (unsigned dim = 0; dim < numDims; ++dim) {
      if (dim != kept.from)
        turn.push_back(dim);
      if (dim != kept.to) {
        back[dim] = joined.size();
        joined.push_back(to[dim]);
      }
    }
    turn.push_back(kept.from);
    back[kept.to] = W;
    joined.push_back(to[kept.to]);
    rows[W] = from[kept.from];
    unsigned padding = W - kept.rows.size();
    for (unsigned dim = padding; dim < W; ++dim)
      rows[kept.permutation[dim]] = kept.rows[dim - padding].extent;
    SmallVector<int64_t> turned = applyPermutation(from, turn);
    auto fits = [](int64_t extent) { return extent <= mostExtent; };
    if (!llvm::all_of(turned, fits) || !llvm::all_of(rows, fits) ||
        !llvm::all_of(joined, fits))
      return {};

    Location location = last->getLoc();
    x = reshapeTo(rewriter, location, transposeBy(rewriter, location, x, turn),
                  rows);
    x = transposeBy(rewriter, location, x, kept.permutation);
    return transposeBy(rewriter, location,
                       reshapeTo(rewriter, location, x, joined), back);
  }
};

} // namespace

void zin::populateRowMoves(RewritePatternSet &patterns) {
  patterns.add<MoveRows>(patterns.getContext(), /*benefit=*/0);
}
