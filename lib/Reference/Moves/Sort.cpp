//===- Sort.cpp - Ops that order elements ---------------------------------===//

#include "IndexSpace.h"
#include "OpTable.h"
#include <numeric>

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

namespace {

/// The places of the `count` most extreme of `size` elements, in order. Equal
/// ones keep theirs, and NaN comes last.
template <typename Get>
std::vector<int64_t> order(int64_t size, int64_t count, bool ascending,
                           Get get) {
  std::vector<int64_t> places(size);
  std::iota(places.begin(), places.end(), 0);
  std::partial_sort(places.begin(), places.begin() + count, places.end(),
                    [&](int64_t i, int64_t j) {
                      auto x = get(i), y = get(j);
                      if (bool isNaN = x != x; isNaN != (y != y))
                        return !isNaN;
                      if (x == y || x != x)
                        return i < j;
                      return ascending ? x < y : x > y;
                    });
  places.resize(count);
  return places;
}

/// Calls `fn(at, place)` for each element of the ordered lines of `x` along an
/// axis: `at` in a row-major result with `count` elements there, `place` in `x`
/// and along the axis.
template <typename Fn>
void forEachOrdered(const Tensor &x, int64_t axis, int64_t count,
                    bool ascending, Fn fn) {
  AxisSplit split(x.getShape(), axis);
  withPayload(x, [&](auto payload) {
    using T = decltype(payload);
    ArrayRef<T> values = x.values<T>();
    for (int64_t o = 0; o < split.outer; ++o)
      for (int64_t n = 0; n < split.inner; ++n) {
        auto offset = [&](int64_t i) {
          return (o * split.extent + i) * split.inner + n;
        };
        std::vector<int64_t> places =
            order(split.extent, count, ascending,
                  [&](int64_t i) { return values[offset(i)]; });
        for (auto [i, place] : llvm::enumerate(places))
          fn((o * count + int64_t(i)) * split.inner + n, offset(place), place);
      }
  });
}

Tensor argsort(ArgsortOp op, Inputs<ArgsortOp> in) {
  Tensor result = resultOf(op);
  int64_t axis = in.getInt("axis");
  if (axis < 0)
    axis += result.getRank();
  forEachOrdered(
      *in.getX(), axis, result.getDimSize(axis), in.getBool("ascending"),
      [&](int64_t at, int64_t, int64_t place) { result.ints()[at] = place; });
  return result;
}

SmallVector<Tensor> topk(TopkOp op, Inputs<TopkOp> in) {
  SmallVector<Tensor> results;
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    results.push_back(resultOf(op, i));
  const Tensor &x = *in.getX();
  int64_t axis = in.getInt("axis");
  if (axis < 0)
    axis += x.getRank();
  withPayload(x, [&](auto payload) {
    using T = decltype(payload);
    ArrayRef<T> values = x.values<T>();
    MutableArrayRef<T> best = results[0].values<T>();
    forEachOrdered(x, axis, results[0].getDimSize(axis),
                   in.getBool("ascending"),
                   [&](int64_t at, int64_t offset, int64_t place) {
                     best[at] = values[offset];
                     if (results.size() > 1)
                       results[1].ints()[at] = place;
                   });
  });
  return results;
}

struct Box {
  double centerX, centerY, width, height;

  double area() const { return width * height; }
};

/// How much of the union of two boxes both cover.
double overlap(const Box &a, const Box &b) {
  auto common = [](double centerA, double sizeA, double centerB, double sizeB) {
    double low = std::max(centerA - sizeA / 2, centerB - sizeB / 2);
    double high = std::min(centerA + sizeA / 2, centerB + sizeB / 2);
    return std::max(0.0, high - low);
  };
  double both = common(a.centerX, a.width, b.centerX, b.width) *
                common(a.centerY, a.height, b.centerY, b.height);
  double either = a.area() + b.area() - both;
  return either > 0 ? both / either : 0;
}

/// As the tests of Core ML Tools compute it: the score of a box is its largest
/// over the classes, the best box stays where all are below the threshold, and
/// unused places hold 0 or, as indices, -1. That a box at the threshold stays
/// is assigned.
SmallVector<Tensor> nonMaximumSuppression(NonMaximumSuppressionOp op,
                                          Inputs<NonMaximumSuppressionOp> in) {
  SmallVector<Tensor> results;
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    results.push_back(resultOf(op, i));
  bool boxesLast = getOpset(op) >= 17;
  const Tensor &boxes = *in.getBoxes(), &scores = *in.getScores();
  int64_t count = boxes.getDimSize(boxesLast ? 2 : 1);
  int64_t classes = scores.getDimSize(boxesLast ? 1 : 2);
  int64_t most = results[2].getDimSize(1);
  /// Where row `row` of box `box` lies in a tensor of one of the two layouts.
  auto place = [&](int64_t image, int64_t box, int64_t row, int64_t numBoxes,
                   int64_t numRows) {
    return boxesLast ? (image * numRows + row) * numBoxes + box
                     : (image * numBoxes + box) * numRows + row;
  };
  double iouThreshold = in.getIouThreshold()->floats().front();
  double scoreThreshold = floatOr(in.getScoreThreshold(), -HUGE_VAL);
  bool perClass = in.getBool("per_class_suppression");
  llvm::fill(results[2].ints(), -1);

  for (int64_t image = 0; image < boxes.getDimSize(0); ++image) {
    auto scoreOf = [&](int64_t box, int64_t klass) {
      return scores.floats()[place(image, box, klass, count, classes)];
    };
    auto boxOf = [&](int64_t box) {
      auto row = [&](int64_t i) {
        return boxes.floats()[place(image, box, i, count, 4)];
      };
      return Box{row(0), row(1), row(2), row(3)};
    };
    std::vector<int64_t> bestClass(count);
    std::vector<double> bestScore(count, -HUGE_VAL);
    for (int64_t box = 0; box < count; ++box)
      for (int64_t klass = 0; klass < classes; ++klass)
        if (scoreOf(box, klass) > bestScore[box]) {
          bestScore[box] = scoreOf(box, klass);
          bestClass[box] = klass;
        }

    SmallVector<int64_t> kept;
    for (int64_t box : order(count, count, /*ascending=*/false,
                             [&](int64_t i) { return bestScore[i]; })) {
      if (int64_t(kept.size()) == most ||
          (bestScore[box] < scoreThreshold && !kept.empty()))
        break;
      bool suppressed = llvm::any_of(kept, [&](int64_t other) {
        return (!perClass || bestClass[box] == bestClass[other]) &&
               overlap(boxOf(box), boxOf(other)) > iouThreshold;
      });
      if (!suppressed)
        kept.push_back(box);
    }

    for (auto [rank, box] : llvm::enumerate(kept)) {
      for (int64_t row = 0; row < 4; ++row)
        results[0].floats()[place(image, rank, row, most, 4)] =
            boxes.floats()[place(image, box, row, count, 4)];
      for (int64_t klass = 0; klass < classes; ++klass)
        results[1].floats()[place(image, rank, klass, most, classes)] =
            scoreOf(box, klass);
      results[2].ints()[image * most + int64_t(rank)] = box;
    }
    if (results.size() > 3)
      results[3].ints()[image] = kept.size();
  }
  return results;
}

} // namespace

void ane::reference::registerSortOps(OpTable &table) {
  table.add<ArgsortOp>(argsort);
  table.add<TopkOp>(topk);
  table.add<NonMaximumSuppressionOp>(nonMaximumSuppression);
}
