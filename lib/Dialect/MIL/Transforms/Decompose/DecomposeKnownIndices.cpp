//===- DecomposeKnownIndices.cpp - Elements at places that are known ------===//
//
// The engine compares indices with the numbers of all elements, of which fp16
// has 2048. Known indices need no comparison: those that are the same in all
// rows, or in relation to the row, are those of one gather. Updates at places
// that lie together are put between the parts of the data that stay; others are
// gathered for all elements, and a mask keeps those that stay. Sums of them are
// a product with a matrix of zeros and ones.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "Decompose/ScatterMode.h"
#include "ane/Dialect/MIL/Transforms/DecomposeLimits.h"
#include "ane/Support/Half.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// More parts than this are not taken one by one (assigned: each is a task).
constexpr size_t mostParts = 16;

/// Known indices of all elements beside an axis.
struct PlacesAlongAxis {
  /// [outer, count, inner] indices of data [outer, extent, inner].
  SmallVector<int64_t> indices;
  int64_t extent, inner, count;

  static std::optional<PlacesAlongAxis> get(Value data, Value indices,
                                            int64_t axis) {
    ArrayRef<int64_t> shape = shapeOf(data);
    std::optional<SmallVector<int64_t>> known =
        flatPlaces(indices, shape[axis]);
    if (!known)
      return std::nullopt;
    return PlacesAlongAxis{*known, shape[axis],
                           llvm::product_of(shape.drop_front(axis + 1)),
                           shapeOf(indices)[axis]};
  }

  /// The indices along the axis where they are the same beside it.
  std::optional<SmallVector<int64_t>> common() const {
    SmallVector<int64_t> first;
    for (int64_t i = 0; i < count; ++i)
      first.push_back(indices[i * inner]);
    for (auto [i, index] : llvm::enumerate(indices))
      if (index != first[int64_t(i) / inner % count])
        return std::nullopt;
    return first;
  }

  /// The places in all of the data.
  SmallVector<int64_t> inAll() const {
    SmallVector<int64_t> places;
    for (auto [i, index] : llvm::enumerate(indices)) {
      int64_t outer = int64_t(i) / (count * inner);
      places.push_back((outer * extent + index) * inner + int64_t(i) % inner);
    }
    return places;
  }
};

Value gather(Replacer &r, Location location, Value x, ArrayRef<int64_t> indices,
             int64_t axis) {
  RankedTensorType type = staticType(x);
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = indices.size();
  return GatherOp::create(r.rewriter, location, type.clone(shape), x,
                          r.ints(indices), r.integer(axis),
                          /*batch_dims=*/Value(), /*validate_indices=*/Value());
}

/// Known indices that differ from row to row alone, and in these are those of
/// the row before, one column further on or back: positions relative to the
/// row, however they are clipped or put into buckets.
struct Diagonals {
  /// The dimension of the rows.
  int64_t rows;
  /// Whether they move on to lower columns.
  bool rise;
  /// The indices of a row that holds those of all: where they rise, the first
  /// row has them from the first on, otherwise the last one.
  SmallVector<int64_t> row;

  static std::optional<Diagonals> get(ArrayRef<int64_t> shape, int64_t axis,
                                      ArrayRef<int64_t> indices) {
    std::optional<int64_t> rows = onlyOther(shape, axis, indices);
    if (!rows)
      return std::nullopt;
    int64_t rowStep = llvm::product_of(shape.drop_front(*rows + 1)),
            step = llvm::product_of(shape.drop_front(axis + 1)),
            height = shape[*rows], width = shape[axis];
    // What is to be much shorter than all rows one behind the other.
    int64_t length = width + height - 1;
    if (length > height * width / 2)
      return std::nullopt;
    for (bool rise : {false, true}) {
      Diagonals diagonals{*rows, rise, SmallVector<int64_t>(length, -1)};
      bool agree = true;
      for (int64_t r = 0; r < height && agree; ++r)
        for (int64_t column = 0; column < width && agree; ++column) {
          int64_t index = indices[r * rowStep + column * step];
          int64_t &common = diagonals.row[column + (rise ? r : height - 1 - r)];
          agree = common < 0 || common == index;
          common = index;
        }
      if (agree)
        return diagonals;
    }
    return std::nullopt;
  }

  /// The elements of x at these indices: of each row those of all rows, of
  /// which it reads some from a place on that is one element further in each
  /// row, or in each row before. Rows that are one element longer or shorter
  /// than they were begin so. In between they lie in columns, so that what is
  /// left out or added is a row.
  Value take(Replacer &r, Location location, Value x, int64_t axis,
             int64_t count) const {
    int64_t rank = shapeOf(x).size(), column = rank - 1, line = rank - 2;
    SmallVector<int64_t> order;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (dim != rows && dim != axis)
        order.push_back(dim);
    order.append({rows, axis});
    auto [least, most] = std::minmax_element(row.begin(), row.end());
    SmallVector<int64_t> inside;
    for (int64_t index : row)
      inside.push_back(index - *least);
    x = r.transpose(x, order);
    Value y =
        gather(r, location, r.slice(x, column, *least, *most - *least + 1),
               inside, column);
    if (!rise)
      y = r.concat({r.slice(y, column, 0, 1), y}, column);
    SmallVector<int64_t> shape(shapeOf(y)), turned(shape);
    std::swap(turned[line], turned[column]);
    y = r.reshape(y, turned);
    y = rise ? r.concat({y, r.slice(y, line, 0, 1)}, line)
             : r.slice(y, line, 1, row.size());
    shape[column] = shapeOf(y)[line];
    y = r.slice(r.reshape(y, shape), column, 0, count);
    return r.transpose(y, invertPermutationVector(order));
  }

private:
  /// The one dimension beside the axis along which indices differ.
  static std::optional<int64_t> onlyOther(ArrayRef<int64_t> shape, int64_t axis,
                                          ArrayRef<int64_t> indices) {
    std::optional<int64_t> only;
    for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim) {
      int64_t step = llvm::product_of(shape.drop_front(dim + 1));
      if (dim == axis || isSameAlong(indices, step, shape[dim]))
        continue;
      if (only)
        return std::nullopt;
      only = dim;
    }
    return only;
  }

  static bool isSameAlong(ArrayRef<int64_t> indices, int64_t step,
                          int64_t extent) {
    for (int64_t i = step; i < int64_t(indices.size()); ++i)
      if (i / step % extent != 0 && indices[i] != indices[i - step])
        return false;
    return true;
  }
};

/// Elements that stay, or take the updates from `source` on.
struct Part {
  int64_t place, source, count;

  bool stays() const { return source < 0; }
};

/// For each element the update that comes to it; -1 for none.
using Sources = SmallVector<int64_t>;

SmallVector<Part> partsOf(ArrayRef<int64_t> sources) {
  SmallVector<Part> parts;
  for (auto [place, source] : llvm::enumerate(sources)) {
    bool goesOn = !parts.empty() &&
                  (parts.back().stays()
                       ? source < 0
                       : source == parts.back().source + parts.back().count);
    if (!goesOn)
      parts.push_back({int64_t(place), source, 0});
    ++parts.back().count;
  }
  return parts;
}

bool areFewParts(ArrayRef<int64_t> sources) {
  return partsOf(sources).size() <= mostParts;
}

/// What comes to `extent` elements, one round after the other where several
/// updates do. Nothing where too many do, or there are more elements than a
/// dimension of the engine has.
std::optional<SmallVector<Sources>> roundsOf(ArrayRef<int64_t> places,
                                             int64_t extent, StringRef mode) {
  if (extent > longestOuter)
    return std::nullopt;
  SmallVector<Sources> rounds;
  SmallVector<size_t> counts(extent, 0);
  for (auto [update, place] : llvm::enumerate(places)) {
    // The last update of an element takes its place.
    size_t round = mode == "update" ? 0 : counts[place]++;
    if (round == mostRounds)
      return std::nullopt;
    if (round == rounds.size())
      rounds.emplace_back(extent, -1);
    rounds[round][place] = int64_t(update);
  }
  return rounds;
}

/// How updates join with elements along an axis.
struct Joining {
  /// Floats, several of one element, that do not lie together are added up by a
  /// product, which takes any number of them.
  bool isProduct = false;
  SmallVector<Sources> rounds; ///< otherwise

  /// Whether each round is a few pieces of data and updates.
  bool isPieces() const {
    return !isProduct && llvm::all_of(rounds, areFewParts);
  }

  /// Nothing where there is no rule for them.
  static std::optional<Joining> get(Value updates, ArrayRef<int64_t> places,
                                    int64_t extent, StringRef mode) {
    std::optional<SmallVector<Sources>> rounds = roundsOf(places, extent, mode);
    bool canBeProduct = (mode == "add" || mode == "sub") &&
                        extent <= longestOuter &&
                        isa<FloatType>(staticType(updates).getElementType()) &&
                        int64_t(places.size()) <= mostMaskElements / extent;
    if (canBeProduct && (!rounds || (rounds->size() > 1 &&
                                     !llvm::all_of(*rounds, areFewParts))))
      return Joining{true, {}};
    return rounds ? std::optional(Joining{false, std::move(*rounds)})
                  : std::nullopt;
  }
};

/// The sums of the updates that come to each element along an axis.
Value sumUpdates(Replacer &r, Value data, Value updates, int64_t axis,
                 ArrayRef<int64_t> places) {
  ArrayRef<int64_t> shape = shapeOf(data);
  int64_t outer = llvm::product_of(shape.take_front(axis)),
          inner = llvm::product_of(shape.drop_front(axis + 1)),
          count = places.size();
  std::vector<double> matrix(shape[axis] * count, 0);
  for (auto [update, place] : llvm::enumerate(places))
    matrix[place * count + update] = 1;
  return r.reshape(r.product(r.tensor(matrix, {1, shape[axis], count}, data),
                             r.reshape(updates, {outer, count, inner})),
                   shape);
}

/// One round of updates along an axis.
Value join(Replacer &r, Location location, Combine combine, Value data,
           Value updates, int64_t axis, ArrayRef<int64_t> sources) {
  auto joined = [&](Value old, Value own) {
    return combine ? combine(r, old, own) : own;
  };
  if (areFewParts(sources)) {
    SmallVector<Value> pieces;
    for (const Part &part : partsOf(sources)) {
      Value old = r.slice(data, axis, part.place, part.count);
      pieces.push_back(
          part.stays()
              ? old
              : joined(old, r.slice(updates, axis, part.source, part.count)));
    }
    return r.concat(pieces, axis);
  }
  // An element that stays is given the update of one nearby, so that a gather
  // of a part of the elements looks at a part of the updates.
  SmallVector<bool> isUpdated;
  SmallVector<int64_t> nearby;
  int64_t last = *llvm::find_if(sources, [](int64_t s) { return s >= 0; });
  for (int64_t source : sources) {
    isUpdated.push_back(source >= 0);
    last = source >= 0 ? source : last;
    nearby.push_back(last);
  }
  Value y = joined(data, gather(r, location, updates, nearby, axis));
  SmallVector<int64_t> shape(staticType(data).getRank() - axis, 1);
  shape.front() = sources.size();
  return SelectOp::create(r.rewriter, location, data.getType(),
                          r.truths(isUpdated, shape), y, data);
}

struct ScatterRule : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> axis = knownScatterAxis(op);
    if (!axis || !isStaticScatter(op))
      return rewriter.notifyMatchFailure(op, "an extent or axis is not known");
    SmallVector<int64_t> shape(shapeOf(op.getData()));
    StringRef mode = scatterModeOf(op);
    std::optional<SmallVector<int64_t>> places =
        flatPlaces(op.getIndices(), shape[*axis]);
    if (!places || mode.empty())
      return rewriter.notifyMatchFailure(op, "computed indices");
    Value data = op.getData(), updates = op.getUpdates();
    std::optional<Joining> joining =
        Joining::get(updates, *places, shape[*axis], mode);
    if (!joining)
      return rewriter.notifyMatchFailure(op, "not subject to the rule");
    Replacer r(rewriter, op);
    if (joining->isProduct)
      return r.replace(combineOf(mode)(
          r, data, sumUpdates(r, data, updates, *axis, *places)));
    // One dimension of indices.
    shape[*axis] = places->size();
    if (shapeOf(updates) != ArrayRef(shape))
      updates = r.reshape(updates, shape);
    for (const Sources &sources : joining->rounds)
      data =
          join(r, op.getLoc(), combineOf(mode), data, updates, *axis, sources);
    return r.replace(data);
  }
};

/// One dimension in front of others. Where that is longer than rows and columns
/// are, it is an outer one.
SmallVector<int64_t> withFirst(int64_t extent, ArrayRef<int64_t> others) {
  SmallVector<int64_t> shape = {extent};
  size_t inner = extent > longestDim ? 2 : 0;
  if (others.size() < inner)
    shape.append(inner - others.size(), 1);
  llvm::append_range(shape, others);
  return shape;
}

/// A scatter along the first dimension of reshaped data.
LogicalResult scatterReshaped(Replacer &r, Location location, Value data,
                              ArrayRef<int64_t> places, Value updates,
                              Value mode, ArrayRef<int64_t> shape) {
  RankedTensorType type = staticType(data);
  SmallVector<int64_t> updated(shape);
  updated.front() = places.size();
  Value y = ScatterOp::create(r.rewriter, location, type.clone(shape),
                              r.reshape(data, shape), r.ints(places),
                              r.reshape(updates, updated), r.integer(0), mode,
                              /*validate_indices=*/Value());
  return r.replace(r.reshape(y, type.getShape()));
}

/// Where the indices are the same beside the axis, that is all there is to
/// know; otherwise all elements are one dimension.
struct ScatterAlongAxisRule : OpRewritePattern<ScatterAlongAxisOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterAlongAxisOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> axis = knownScatterAxis(op);
    if (!axis || !isStaticScatter(op))
      return rewriter.notifyMatchFailure(op, "an extent or axis is not known");
    StringRef mode = scatterModeOf(op);
    std::optional<PlacesAlongAxis> places =
        PlacesAlongAxis::get(op.getData(), op.getIndices(), *axis);
    if (!places || mode.empty())
      return rewriter.notifyMatchFailure(op, "computed indices");
    Replacer r(rewriter, op);
    std::optional<SmallVector<int64_t>> common = places->common();
    if (common && Joining::get(op.getUpdates(), *common, places->extent, mode))
      return r.replace(ScatterOp::create(rewriter, op.getLoc(), op.getType(),
                                         op.getData(), r.ints(*common),
                                         op.getUpdates(), r.integer(*axis),
                                         op.getMode(),
                                         /*validate_indices=*/Value())
                           .getResult());
    SmallVector<int64_t> inAll = places->inAll();
    int64_t elements = staticType(op.getData()).getNumElements();
    // Beside few others an element of all is found in less time than by
    // comparisons along the axis (assigned).
    constexpr int64_t fewBeside = 32;
    bool areManyBeside = places->extent <= largestExactInteger &&
                         elements > fewBeside * places->extent;
    std::optional<Joining> joining =
        Joining::get(op.getUpdates(), inAll, elements, mode);
    if (!joining || (areManyBeside && !joining->isPieces()))
      return rewriter.notifyMatchFailure(op, "not subject to the rule");
    return scatterReshaped(r, op.getLoc(), op.getData(), inAll, op.getUpdates(),
                           op.getMode(), withFirst(elements, {}));
  }
};

/// The dimensions that tuples choose in are one.
struct ScatterNdRule : OpRewritePattern<ScatterNdOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScatterNdOp op,
                                PatternRewriter &rewriter) const override {
    if (!isStaticScatter(op))
      return rewriter.notifyMatchFailure(op, "an extent is not known");
    StringRef mode = scatterModeOf(op);
    ArrayRef<int64_t> shape = shapeOf(op.getData());
    int64_t length = shapeOf(op.getIndices()).back();
    std::optional<SmallVector<int64_t>> places =
        flatPlaces(op.getIndices(), shape.take_front(length));
    int64_t extent = llvm::product_of(shape.take_front(length));
    if (!places || mode.empty() ||
        !Joining::get(op.getUpdates(), *places, extent, mode))
      return rewriter.notifyMatchFailure(op, "not subject to the rule");
    Replacer r(rewriter, op);
    return scatterReshaped(r, op.getLoc(), op.getData(), *places,
                           op.getUpdates(), op.getMode(),
                           withFirst(extent, shape.drop_front(length)));
  }
};

/// A gather of slices, of what all rows choose in, or of elements of all of the
/// data.
struct GatherAlongAxisRule : OpRewritePattern<GatherAlongAxisOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GatherAlongAxisOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = staticType(op.getX()),
                     result = staticType(op.getResult());
    std::optional<int64_t> axis = op.getAxisOrDefault();
    if (!type || !result || !axis)
      return rewriter.notifyMatchFailure(op, "an extent or axis is not known");
    *axis = fromFront(*axis, type.getRank());
    std::optional<PlacesAlongAxis> places =
        PlacesAlongAxis::get(op.getX(), op.getIndices(), *axis);
    if (!places)
      return rewriter.notifyMatchFailure(op, "computed indices");
    bool isCompared = places->extent <= largestExactInteger;
    Replacer r(rewriter, op);
    Location location = op.getLoc();
    if (std::optional<SmallVector<int64_t>> common = places->common())
      return r.replace(gather(r, location, op.getX(), *common, *axis));
    if (std::optional<Diagonals> diagonals =
            Diagonals::get(result.getShape(), *axis, places->indices))
      return r.replace(
          diagonals->take(r, location, op.getX(), *axis, places->count));
    if (isCompared)
      return rewriter.notifyMatchFailure(op, "not subject to the rule");
    Value all = r.reshape(op.getX(), withFirst(type.getNumElements(), {}));
    return r.replace(r.reshape(gather(r, location, all, places->inAll(), 0),
                               result.getShape()));
  }
};

} // namespace

std::optional<SmallVector<int64_t>>
ane::mil::flatPlaces(Value indices, ArrayRef<int64_t> extents) {
  std::optional<SmallVector<int64_t>> known = getConstantInts(indices);
  if (!known)
    return std::nullopt;
  SmallVector<int64_t> places;
  for (auto [i, index] : llvm::enumerate(*known)) {
    int64_t extent = extents[i % extents.size()];
    if (index < -extent || index >= extent)
      return std::nullopt;
    if (i % extents.size() == 0)
      places.push_back(0);
    places.back() = places.back() * extent + fromFront(index, extent);
  }
  return places;
}

void ane::mil::populateDecomposeKnownIndices(RewritePatternSet &patterns) {
  // In front of the rules for indices that may be computed.
  patterns.add<ScatterRule, ScatterAlongAxisRule, ScatterNdRule,
               GatherAlongAxisRule>(patterns.getContext(), /*benefit=*/2);
}
