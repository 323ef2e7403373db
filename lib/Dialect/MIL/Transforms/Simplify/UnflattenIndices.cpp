//===- UnflattenIndices.cpp - Known places in values made flat ------------===//
//
// Exporters write an assignment to a slice, for which there is no op, as a
// scatter by known indices into all elements in one dimension, and patches of
// images as gathers of that kind. In the shape that the elements have before or
// behind it, such places are slices.
//
//===----------------------------------------------------------------------===//

#include "Decompose/Decompose.h"
#include "ane/Dialect/MIL/IR/Scatter.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ane::mil {
#define GEN_PASS_DEF_UNFLATTENINDICES
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

using Shape = SmallVector<int64_t>;

/// Places that a loop counts: `count` of them, `stride` elements apart.
struct Loop {
  int64_t count, stride;

  int64_t reach() const { return (count - 1) * stride; }
};

/// The loops in each other, outermost first, that count the places from the
/// first on, as few as there can be. Nothing where there are none, or more
/// than the engine has dimensions.
std::optional<SmallVector<Loop>> loopsOf(ArrayRef<int64_t> places) {
  SmallVector<Loop> loops;
  int64_t total = places.size();
  for (int64_t period = 1; period < total; period *= loops.front().count) {
    Loop loop{1, places[period] - places.front()};
    while (loop.count * period < total &&
           places[loop.count * period] ==
               places.front() + loop.count * loop.stride)
      ++loop.count;
    if (loop.stride <= 0 || total % (loop.count * period) != 0 ||
        loops.size() == size_t(mostDims))
      return std::nullopt;
    loops.insert(loops.begin(), loop);
  }
  for (auto [i, place] : llvm::enumerate(places)) {
    int64_t rest = i, counted = places.front();
    for (const Loop &loop : llvm::reverse(loops)) {
      counted += rest % loop.count * loop.stride;
      rest /= loop.count;
    }
    if (counted != place)
      return std::nullopt;
  }
  return loops;
}

/// The elements of each dimension of `shape` that the places are, row by row.
std::optional<SmallVector<SliceDim>> sliceOf(ArrayRef<int64_t> places,
                                             ArrayRef<int64_t> shape) {
  int64_t total = places.size(), inner = 1;
  SmallVector<int64_t> strides = computeSuffixProduct(shape);
  SmallVector<SliceDim> dims(shape.size());
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
    auto at = [&](int64_t place) { return place / strides[dim] % shape[dim]; };
    int64_t begin = at(places.front()), last = at(places.back()), step = 1;
    if (last != begin && inner < total)
      step = at(places[inner]) - begin;
    if (last < begin || step <= 0 || (last - begin) % step != 0)
      return std::nullopt;
    dims[dim] = {begin, step, (last - begin) / step + 1};
    inner *= dims[dim].extent;
  }
  if (inner != total)
    return std::nullopt;
  for (auto [i, place] : llvm::enumerate(places)) {
    int64_t rest = i, counted = 0;
    for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
      counted += (dims[dim].begin + rest % dims[dim].extent * dims[dim].step) *
                 strides[dim];
      rest /= dims[dim].extent;
    }
    if (counted != place)
      return std::nullopt;
  }
  return dims;
}

Value inShape(Replacer &r, Value x, ArrayRef<int64_t> shape) {
  return shapeOf(x) == shape ? x : r.reshape(x, shape);
}

/// The same places, but all columns.
SmallVector<SliceDim> withAllColumns(ArrayRef<SliceDim> places,
                                     ArrayRef<int64_t> shape) {
  SmallVector<SliceDim> rows(places);
  rows.back() = {0, 1, shape.back()};
  return rows;
}

/// Whether joinAt has a rule for a slice of a value of this shape.
bool canJoinAt(ArrayRef<int64_t> shape, ArrayRef<SliceDim> places) {
  return canJoinSlice(shape, places) ||
         canJoinSlice(shape, withAllColumns(places, shape));
}

/// The update in the place of a slice of x. Columns that alternate with those
/// that stay are one of the updates in each column, and chosen there.
Value joinAt(Replacer &r, Value x, Value update, ArrayRef<SliceDim> places) {
  if (canJoinSlice(shapeOf(x), places))
    return joinSlice(r, x, update, places);
  int64_t last = int64_t(places.size()) - 1;
  Value rows = x;
  for (int64_t dim = 0; dim < last; ++dim)
    rows = r.slice(rows, dim, places[dim].begin, places[dim].extent,
                   places[dim].step);
  auto [begin, step, extent] = places[last];
  int64_t width = shapeOf(x)[last];
  SmallVector<int64_t> nearby;
  SmallVector<bool> isUpdated;
  for (int64_t column = -begin; column < width - begin; ++column) {
    nearby.push_back(std::clamp<int64_t>(column / step, 0, extent - 1));
    isUpdated.push_back(nearby.back() * step == column);
  }
  Value spread = GatherOp::create(
      r.rewriter, x.getLoc(), rows.getType(), update, r.ints(nearby),
      r.integer(last), /*batch_dims=*/Value(), /*validate_indices=*/Value());
  update = SelectOp::create(r.rewriter, x.getLoc(), rows.getType(),
                            r.truths(isUpdated, {width}), spread, rows);
  return joinSlice(r, x, update, withAllColumns(places, shapeOf(x)));
}

/// What a value was in front of all reshapes.
Value originOf(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  while (reshape && staticType(reshape.getX())) {
    value = reshape.getX();
    reshape = value.getDefiningOp<ReshapeOp>();
  }
  return value;
}

/// More scatters than this into one value are not gone through for its shape
/// (assigned).
constexpr unsigned mostScatters = 64;

/// The shapes with rows that a flat value has elsewhere: before, and behind
/// what else is scattered into it.
SmallVector<Shape> shapesBeside(ScatterOp op) {
  SmallVector<Shape> shapes;
  auto add = [&](Value value) {
    if (staticType(value) && !shapeOf(value).empty() &&
        !llvm::is_contained(shapes, Shape(shapeOf(value))))
      shapes.emplace_back(shapeOf(value));
  };
  Value origin = originOf(op.getData());
  for (Value data = op.getData(); data != origin;) {
    data = data.getDefiningOp<ReshapeOp>().getX();
    add(data);
  }
  ScatterOp next = op;
  for (unsigned i = 0; next && i < mostScatters; ++i) {
    Value result = next.getResult();
    next = {};
    for (Operation *user : result.getUsers()) {
      auto scatter = dyn_cast<ScatterOp>(user);
      if (scatter && scatter.getData() == result)
        next = scatter;
      if (isa<ReshapeOp>(user))
        add(user->getResult(0));
    }
  }
  return shapes;
}

/// A gather of places that loops count, in dimensions in which each loop counts
/// along one of them. Two loops along one dimension are windows: the inner one
/// counts the elements of each, or every so many of them.
class View {
public:
  /// `shape` is one that the elements have had.
  static std::optional<View> get(ArrayRef<int64_t> places,
                                 ArrayRef<int64_t> shape);

  /// What a flat value has there, in as many dimensions as there are loops.
  Value take(Replacer &r, Value flat) const;

private:
  /// A dimension of the elements, and the loops along it, the one that counts
  /// most first. There is a slice for each turn of a second one.
  struct Dim {
    int64_t extent, begin;
    SmallVector<unsigned, 2> loops;
  };

  /// Slices that are put beside each other for windows (assigned: each is a
  /// task).
  static constexpr int64_t mostWindows = 32;

  bool divides(int64_t cut) const;
  void addDims(ArrayRef<int64_t> cuts);
  bool isLegal() const;
  /// The step of a loop along its dimension.
  int64_t stepOf(unsigned loop, size_t dim) const {
    return loops[loop].stride / units[dim];
  }
  Value addWindows(Replacer &r, Value x, size_t dim,
                   SmallVectorImpl<unsigned> &order) const;

  SmallVector<Loop> loops;
  int64_t first;
  SmallVector<Dim> dims;
  /// The elements between neighbours along each dimension.
  SmallVector<int64_t> units;
};

/// Whether no loop steps over the end of dimensions that hold `cut` elements.
bool View::divides(int64_t cut) const {
  int64_t inside = first % cut;
  for (const Loop &loop : loops) {
    if (loop.stride >= cut && loop.stride % cut != 0)
      return false;
    if (loop.stride < cut)
      inside += loop.reach();
  }
  return inside < cut;
}

void View::addDims(ArrayRef<int64_t> cuts) {
  for (auto [outer, unit] : llvm::zip(cuts, cuts.drop_front())) {
    Dim dim{outer / unit, first / unit % (outer / unit), {}};
    for (auto [i, loop] : llvm::enumerate(loops))
      if (loop.stride >= unit && loop.stride < outer)
        dim.loops.push_back(unsigned(i));
    llvm::sort(dim.loops, [&](unsigned a, unsigned b) {
      return std::pair(loops[a].count, a) > std::pair(loops[b].count, b);
    });
    dims.push_back(dim);
    units.push_back(unit);
  }
}

bool View::isLegal() const {
  return dims.size() <= size_t(mostDims) &&
         llvm::all_of(dims, [&](const Dim &dim) {
           return dim.loops.size() < 2 ||
                  (dim.loops.size() == 2 &&
                   loops[dim.loops[1]].count <= mostWindows);
         });
}

std::optional<View> View::get(ArrayRef<int64_t> places,
                              ArrayRef<int64_t> shape) {
  std::optional<SmallVector<Loop>> loops = loopsOf(places);
  if (!loops)
    return std::nullopt;
  View view;
  view.loops = *loops;
  view.first = places.front();
  SmallVector<int64_t> cuts = {llvm::product_of(shape)};
  for (int64_t cut : computeSuffixProduct(shape))
    if (cut < cuts.back() && view.divides(cut))
      cuts.push_back(cut);
  // The dimensions of `shape` may hold several loops each.
  for (const Loop &loop : *loops) {
    auto behind =
        llvm::find_if(cuts, [&](int64_t cut) { return cut <= loop.stride; });
    if (*behind < loop.stride && *std::prev(behind) % loop.stride == 0 &&
        loop.stride % *behind == 0 && view.divides(loop.stride))
      cuts.insert(behind, loop.stride);
  }
  view.addDims(cuts);
  return view.isLegal() ? std::optional(view) : std::nullopt;
}

/// Parts a dimension in two, as its two loops count. The new one stands where
/// its loop is to come, if the others do.
Value View::addWindows(Replacer &r, Value x, size_t dim,
                       SmallVectorImpl<unsigned> &order) const {
  unsigned kept = dims[dim].loops[0], added = dims[dim].loops[1];
  int64_t axis = llvm::find(order, kept) - order.begin();
  auto *at = llvm::find_if(order, [&](unsigned o) { return o > added; });
  int64_t position = at - order.begin();
  SmallVector<Value> windows;
  for (int64_t i = 0; i < loops[added].count; ++i) {
    Value window = r.slice(x, axis, i * stepOf(added, dim), loops[kept].count,
                           stepOf(kept, dim));
    Shape shape(shapeOf(window));
    shape.insert(shape.begin() + position, 1);
    windows.push_back(r.reshape(window, shape));
  }
  order.insert(at, added);
  return r.concat(windows, position);
}

Value View::take(Replacer &r, Value flat) const {
  Shape extents;
  for (const Dim &dim : dims)
    extents.push_back(dim.extent);
  Value x = inShape(r, flat, extents);
  SmallVector<unsigned> order;
  Shape kept;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    int64_t step = dim.loops.size() == 1 ? stepOf(dim.loops[0], i) : 1;
    int64_t reach = 0;
    for (unsigned loop : dim.loops)
      reach += (loops[loop].count - 1) * stepOf(loop, i);
    x = r.slice(x, int64_t(i), dim.begin, reach / step + 1, step);
    if (dim.loops.empty())
      continue;
    order.push_back(dim.loops[0]);
    kept.push_back(reach / step + 1);
  }
  x = inShape(r, x, kept);
  // Columns first: what the windows of outer dimensions move is fewer rows.
  for (size_t i = dims.size(); i-- > 0;)
    if (dims[i].loops.size() == 2)
      x = addWindows(r, x, i, order);
  SmallVector<int64_t> permutation(order.size());
  for (auto [position, loop] : llvm::enumerate(order))
    permutation[loop] = int64_t(position);
  return isIdentityPermutation(permutation) ? x : r.transpose(x, permutation);
}

class UnflattenIndices
    : public mil::impl::UnflattenIndicesBase<UnflattenIndices> {
public:
  void runOnOperation() override {
    if (!getAnalysis<Inventory>()
             .hasAny<GatherOp, GatherAlongAxisOp, ScatterOp>())
      return markAllAnalysesPreserved();
    for (Operation &op :
         llvm::make_early_inc_range(getOperation().getBody().front()))
      llvm::TypeSwitch<Operation *>(&op)
          .Case<GatherOp, GatherAlongAxisOp>([&](auto gather) {
            rewrite(gather, [&](Replacer &r) {
              return take(r, gather.getX(), gather.getIndices());
            });
          })
          .Case([&](ScatterOp scatter) {
            rewrite(scatter, [&](Replacer &r) { return join(r, scatter); });
          });
  }

private:
  /// Puts what is made, if something is, in the shape of a result in its place.
  void rewrite(Operation *op, function_ref<Value(Replacer &)> make);
  /// What a gather in flat data takes; null where it is not of that kind.
  static Value take(Replacer &r, Value flat, Value indices);
  /// What becomes of flat data with updates in it; null likewise.
  static Value join(Replacer &r, ScatterOp op);
};

} // namespace

void UnflattenIndices::rewrite(Operation *op,
                               function_ref<Value(Replacer &)> make) {
  PatternRewriter rewriter(&getContext());
  Replacer r(rewriter, op);
  Value made = staticType(op->getResult(0)) ? make(r) : Value();
  if (!made)
    return;
  SmallVector<Value> operands(op->getOperands());
  (void)r.replace(r.reshape(made, shapeOf(op->getResult(0))));
  eraseUnread(operands);
  ++numUnflattened;
}

Value UnflattenIndices::take(Replacer &r, Value flat, Value indices) {
  RankedTensorType type = staticType(flat);
  Value origin = originOf(flat);
  if (!type || type.getRank() != 1 || shapeOf(origin).size() < 2)
    return {};
  auto places = flatPlaces(indices, type.getShape());
  std::optional<View> view = places && !places->empty()
                                 ? View::get(*places, shapeOf(origin))
                                 : std::nullopt;
  return view ? view->take(r, origin) : Value();
}

Value UnflattenIndices::join(Replacer &r, ScatterOp op) {
  RankedTensorType type = staticType(op.getData());
  if (!type || type.getRank() != 1 || !staticType(op.getUpdates()) ||
      scatterModeOf(op) != "update")
    return {};
  auto places = flatPlaces(op.getIndices(), type.getShape());
  if (!places || places->empty())
    return {};
  for (const Shape &shape : shapesBeside(op)) {
    std::optional<SmallVector<SliceDim>> dims = sliceOf(*places, shape);
    if (!dims || !canJoinAt(shape, *dims))
      continue;
    Shape extents;
    for (const SliceDim &dim : *dims)
      extents.push_back(dim.extent);
    return joinAt(r, inShape(r, originOf(op.getData()), shape),
                  inShape(r, originOf(op.getUpdates()), extents), *dims);
  }
  return {};
}
