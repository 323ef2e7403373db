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

class MergeConstants
    : public ane::zin::impl::MergeConstantsBase<MergeConstants> {
public:
  void runOnOperation() override {
    struct Known {
      ConstantOp op;
      HalfElements elements;
    };
    // Only looked up, so the order of the map does not matter.
    DenseMap<uint64_t, SmallVector<Known, 1>> byHash;
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
      uint64_t hash =
          llvm::xxh3_64bits(llvm::arrayRefFromStringRef(elements->bytes()));
      SmallVector<Known, 1> &list = byHash[hash];
      auto same = llvm::find_if(list, [&](Known &known) {
        return known.op.getType() == op.getType() &&
               known.elements.bytes() == elements->bytes();
      });
      if (same == list.end()) {
        list.push_back({op, *elements});
        continue;
      }
      op.replaceAllUsesWith(same->op.getResult());
      op.erase();
      ++numMerged;
    }
  }
};

} // namespace
