//===- MergeConstants.cpp - Equal constants once --------------------------===//

#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace ane::zin {
#define GEN_PASS_DEF_MERGECONSTANTS
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane::zin;

namespace {

/// A constant that others are compared with.
struct Known {
  ConstantOp op;
  HalfElements elements;
  std::optional<uint64_t> hash;

  /// Of all bytes, which is computed once, and only if it is asked for.
  uint64_t getHash() {
    if (!hash)
      hash = llvm::xxh3_64bits(llvm::arrayRefFromStringRef(elements.bytes()));
    return *hash;
  }

  bool isSameAs(Known &other) {
    return getHash() == other.getHash() &&
           elements.bytes() == other.elements.bytes();
  }
};

/// The type of a constant, and the bytes at both ends: most constants differ
/// there, and need not be read as a whole.
using Sketch = std::pair<Type, uint64_t>;

Sketch sketchOf(ConstantOp op, StringRef bytes) {
  constexpr size_t most = 256;
  size_t count = std::min(bytes.size(), most);
  SmallString<2 * most> ends(bytes.take_front(count));
  ends += bytes.take_back(count);
  return {op.getType(),
          llvm::xxh3_64bits(llvm::arrayRefFromStringRef(ends.str()))};
}

class MergeConstants
    : public ane::zin::impl::MergeConstantsBase<MergeConstants> {
public:
  void runOnOperation() override {
    // Only looked up, so the order of the map does not matter.
    DenseMap<Sketch, SmallVector<Known, 1>> bySketch;
    for (auto op : llvm::make_early_inc_range(
             getOperation().getBody().front().getOps<ConstantOp>())) {
      if (op->use_empty()) {
        op.erase();
        ++numMerged;
        continue;
      }
      std::optional<HalfElements> elements =
          HalfElements::get(op.getElements());
      if (!elements)
        continue;
      SmallVector<Known, 1> &list = bySketch[sketchOf(op, elements->bytes())];
      Known candidate = {op, *elements, std::nullopt};
      Known *same = llvm::find_if(
          list, [&](Known &known) { return known.isSameAs(candidate); });
      if (same == list.end()) {
        list.push_back(candidate);
        continue;
      }
      op.replaceAllUsesWith(same->op.getResult());
      op.erase();
      ++numMerged;
    }
  }
};

} // namespace
