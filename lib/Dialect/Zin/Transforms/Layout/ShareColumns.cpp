//===- ShareColumns.cpp - Views of the same columns -----------------------===//
//
// Columns that begin within a row of memory, or are not next to each other,
// need a copy; rows of it are free. A cost volume takes a window of an image
// for each of many shifts, all rows and columns of them: windows with the same
// shift along columns are rows of one copy.
//
//===----------------------------------------------------------------------===//

#include "Layout/ShareColumns.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// The elements of a value between the first and the last that views have.
struct Hull {
  SmallVector<int64_t> begin, end;
  int64_t viewed = 0; ///< elements of all views that differ
  SmallVector<InputViewOp, 1> views;
  llvm::SmallDenseSet<std::pair<Attribute, Type>, 1> different;

  void include(InputViewOp view) {
    ArrayRef<int64_t> shape = shapeOf(view);
    if (views.empty()) {
      begin.assign(view.getBegin().begin(), view.getBegin().end());
      end = begin;
    }
    for (unsigned dim = 0; dim < W; ++dim) {
      int64_t first = view.getBegin()[dim];
      begin[dim] = std::min(begin[dim], first);
      end[dim] = std::max(
          end[dim], first + (shape[dim] - 1) * view.getStrides()[dim] + 1);
    }
    views.push_back(view);
    if (different.insert({view->getAttrDictionary(), view.getType()}).second)
      viewed += llvm::product_of(shape);
  }

  /// Whether one copy is worth it, which takes room in L2 for longer: it has to
  /// be a quarter smaller (assigned) than those of all views.
  bool isWorthCopying() const {
    constexpr int64_t denominator = 4;
    return llvm::product_of(shape()) <= viewed - viewed / denominator;
  }

  SmallVector<int64_t> shape() const {
    InputViewOp first = views.front();
    SmallVector<int64_t> extents(shapeOf(first));
    for (unsigned dim = 0; dim < W; ++dim)
      extents[dim] = end[dim] - begin[dim];
    return extents;
  }
};

bool needsCopy(InputViewOp view, const TargetDescription &target) {
  int64_t begin = view.getBegin()[W] * elementBytes;
  return begin % target.rowAlignment != 0 ||
         (view.getStrides()[W] != 1 && shapeOf(view)[W] > 1);
}

} // namespace

void zin::shareColumns(ProcedureOp procedure, const TargetDescription &target) {
  using Columns = std::tuple<Value, int64_t, int64_t, int64_t>;
  llvm::MapVector<Columns, Hull> hulls;
  for (auto view : procedure.getBody().front().getOps<InputViewOp>())
    if (needsCopy(view, target))
      hulls[{view.getX(), view.getBegin()[W], view.getStrides()[W],
             shapeOf(view)[W]}]
          .include(view);
  for (auto &[columns, hull] : hulls) {
    if (!hull.isWorthCopying())
      continue;
    // Those of the block come in its order.
    InputViewOp first = hull.views.front();
    OpBuilder builder(first);
    SmallVector<int64_t> strides(numDims, 1);
    strides[W] = first.getStrides()[W];
    Value shared = viewOf(builder, first.getLoc(), first.getX(), hull.begin,
                          hull.shape(), strides);
    for (InputViewOp view : hull.views) {
      SmallVector<int64_t> begin(view.getBegin()), steps(view.getStrides());
      for (unsigned dim = 0; dim < numDims; ++dim)
        begin[dim] -= hull.begin[dim];
      steps[W] = 1;
      builder.setInsertionPoint(view);
      view.replaceAllUsesWith(
          viewOf(builder, view.getLoc(), shared, begin, shapeOf(view), steps));
      view.erase();
    }
  }
}
