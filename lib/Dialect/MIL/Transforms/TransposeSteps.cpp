//===- TransposeSteps.cpp - A transpose in steps --------------------------===//

#include "TransposeSteps.h"
#include "Replacer.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Rows start at multiples of 64 bytes.
constexpr int64_t rowElements = h13.rowStep();

/// Dimensions whose orders are all looked at: 40320 of eight. Any order of
/// those is two transposes of five dimensions.
constexpr size_t mostOrdered = 8;

/// What it costs more to exchange an element of a row with those of others than
/// to copy it, in accesses of an element (assigned): rows that become columns
/// often meet in a bank of L2.
constexpr int64_t turnedCost = 8;

using Order = SmallVector<int64_t>;

/// What brings dimensions from one order into another, neighbours that stay
/// together being one.
TransposeStep stepBetween(ArrayRef<int64_t> extents, ArrayRef<int64_t> from,
                          ArrayRef<int64_t> to) {
  Order place(from.size());
  for (auto [at, dim] : llvm::enumerate(from))
    place[dim] = at;
  TransposeStep step;
  // Of each run, where it begins; then which one of them in order that is.
  SmallVector<std::pair<int64_t, int64_t>> runs;
  for (auto [at, dim] : llvm::enumerate(to))
    if (at > 0 && place[to[at - 1]] + 1 == place[dim])
      runs.back().second *= extents[dim];
    else
      runs.push_back({place[dim], extents[dim]});
  auto sorted = runs;
  llvm::sort(sorted);
  for (auto [begin, extent] : sorted)
    step.shape.push_back(extent);
  for (const auto &run : runs)
    step.permutation.push_back(llvm::find(sorted, run) - sorted.begin());
  return step;
}

bool isPossible(const TransposeStep &step) {
  SmallVector<int64_t> result;
  for (int64_t dim : step.permutation)
    result.push_back(step.shape[dim]);
  return fitsEngine(step.shape) && fitsEngine(result);
}

class StepFinder {
public:
  StepFinder(const TransposeStep &transpose, int64_t sourceColumns,
             int64_t resultColumns)
      : extents(transpose.shape), target(transpose.permutation),
        elements(llvm::product_of(extents)), sourceColumns(sourceColumns),
        resultColumns(resultColumns) {}

  SmallVector<TransposeStep> run();

private:
  /// The elements, with gaps, of rows of so many columns.
  int64_t room(int64_t columns) const {
    return elements / columns * llvm::alignTo(columns, rowElements);
  }
  int64_t regroupCost(int64_t from, int64_t to) const;
  int64_t costOf(ArrayRef<TransposeStep> steps) const;

  ArrayRef<int64_t> extents, target;
  int64_t elements, sourceColumns, resultColumns;
};

} // namespace

/// What is read and written to make rows of another length, in elements.
/// Between two lengths elements lie side by side as long as both have whole
/// rows for all of them.
int64_t StepFinder::regroupCost(int64_t from, int64_t to) const {
  bool isAligned = from % rowElements == 0 && to % rowElements == 0 &&
                   (from % to == 0 || to % from == 0);
  if (from == to || isAligned)
    return 0;
  if (from == 1 || to == 1)
    return room(from) + room(to);
  int64_t parts =
      std::min(std::gcd(elements / from, elements / to), longestDim);
  int64_t between =
      elements / parts * int64_t(llvm::alignTo(parts, rowElements));
  return room(from) + 2 * between + room(to);
}

int64_t StepFinder::costOf(ArrayRef<TransposeStep> steps) const {
  int64_t columns = sourceColumns, cost = 0;
  for (const TransposeStep &step : steps) {
    int64_t before = step.shape.back(),
            after = step.shape[step.permutation.back()];
    cost += regroupCost(columns, before) + room(before) + room(after);
    if (step.permutation.back() + 1 != int64_t(step.shape.size()))
      cost += turnedCost * elements;
    columns = after;
  }
  return cost + regroupCost(columns, resultColumns);
}

SmallVector<TransposeStep> StepFinder::run() {
  SmallVector<TransposeStep> best;
  if (extents.size() > mostOrdered)
    return best;
  Order source = llvm::to_vector(llvm::seq<int64_t>(0, extents.size())),
        middle = source;
  // Of those that move as much, the one of most dimensions has the smallest
  // blocks, which stay in L2.
  std::pair<int64_t, int64_t> least;
  do {
    SmallVector<TransposeStep> steps;
    if (middle != source)
      steps.push_back(stepBetween(extents, source, middle));
    if (ArrayRef(middle) != target)
      steps.push_back(stepBetween(extents, middle, target));
    int64_t dims = 0;
    for (const TransposeStep &step : steps)
      dims += step.shape.size();
    std::pair<int64_t, int64_t> cost = {costOf(steps), -dims};
    if (llvm::all_of(steps, isPossible) && (best.empty() || cost < least)) {
      best = steps;
      least = cost;
    }
  } while (std::next_permutation(middle.begin(), middle.end()));
  return best;
}

std::optional<SmallVector<int64_t>> ane::mil::permutationOf(Operation *op) {
  auto transpose = dyn_cast_or_null<TransposeOp>(op);
  if (!transpose || !staticType(transpose.getResult()))
    return std::nullopt;
  auto perm = getConstantInts(transpose.getPerm());
  if (perm)
    for (int64_t &dim : *perm)
      dim = fromFront(dim, perm->size());
  return perm;
}

TransposeStep ane::mil::withoutOnes(ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> permutation) {
  TransposeStep step;
  for (int64_t dim : permutation)
    if (shape[dim] != 1)
      step.permutation.push_back(dim);
  Order dims = step.permutation;
  llvm::sort(dims);
  for (int64_t dim : dims)
    step.shape.push_back(shape[dim]);
  for (int64_t &dim : step.permutation)
    dim = llvm::find(dims, dim) - dims.begin();
  return step;
}

TransposeStep ane::mil::mergedTranspose(ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> permutation) {
  TransposeStep all = withoutOnes(shape, permutation);
  return stepBetween(all.shape,
                     llvm::to_vector(llvm::seq<int64_t>(0, all.shape.size())),
                     all.permutation);
}

SmallVector<TransposeStep> ane::mil::stepsOf(const TransposeStep &transpose,
                                             int64_t sourceColumns,
                                             int64_t resultColumns) {
  return StepFinder(transpose, sourceColumns, resultColumns).run();
}
