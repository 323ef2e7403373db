//===- RepeatedColumns.cpp - Larger images in parts of channels -----------===//
//
// Columns that take turns are put in their places where they are channels, and
// turned back. All channels of a row lie in L2 for that. An access has a row
// from each bank, so blocks of few rows take as long as those of many: parts of
// the channels have more rows.
//
//===----------------------------------------------------------------------===//

#include "Split/RepeatedColumns.h"
#include "ane/Dialect/Zin/IR/Views.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Channels of a part: two rows of memory, where they lie along columns.
/// Assigned.
constexpr int64_t partChannels = 64;

/// Whether a layer joins copies of one value, so that each of its columns or
/// rows is there several times.
bool repeats(Operation *layer, unsigned dim) {
  auto concat = dyn_cast<ConcatOp>(layer);
  return concat && concat.getInterleave() && concat.getAxis() == dim &&
         concat.getValues().size() > 1 && llvm::all_equal(concat.getValues());
}

} // namespace

PartCounts zin::partRepeatedColumns(ProcedureOp procedure,
                                    const RegionFinder &finder) {
  PartCounts counts;
  for (auto columns :
       llvm::to_vector(procedure.getBody().front().getOps<ConcatOp>())) {
    if (!repeats(columns, W) || columns->use_empty())
      continue;
    SmallVector<Operation *, 2> layers = {columns};
    if (Operation *rows = *columns->user_begin();
        repeats(rows, H) && llvm::all_equal(columns->getUsers()))
      layers.push_back(rows);
    Value result = layers.back()->getResult(0);
    ArrayRef<int64_t> shape = shapeOf(result);
    if (shape[N] != 1 || shape[D] != 1 || shape[H] == 1 ||
        shape[C] <= partChannels || finder.hasBlocksOfRows(layers.back()))
      continue;
    OpBuilder builder(layers.back());
    SmallVector<Value> parts;
    for (int64_t begin = 0; begin < shape[C]; begin += partChannels) {
      IndexRange range = {begin, std::min(partChannels, shape[C] - begin)};
      Value part =
          viewAlong(builder, columns.getLoc(), columns.getValues().front(), C,
                    range.begin, range.count);
      for (Operation *layer : layers)
        part = cloneForBlock(builder, layer,
                             SmallVector<Value>(layer->getNumOperands(), part),
                             C, range);
      parts.push_back(part);
    }
    counts.parts += parts.size();
    ++counts.groups;
    result.replaceAllUsesWith(concatAlong(builder, result.getLoc(), parts, C));
    for (Operation *layer : llvm::reverse(layers))
      layer->erase();
  }
  return counts;
}
