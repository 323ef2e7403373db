//===- FoldPadding.cpp - Zeros around what convolutions read --------------===//

#include "Replacer.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/CountingPattern.h"
#include "ane/Support/Inventory.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace ane::mil {
#define GEN_PASS_DEF_FOLDPADDING
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Zeros in front of and behind each dimension; nothing where a pad adds
/// something else.
std::optional<SmallVector<int64_t>> zerosOf(PadOp op) {
  std::optional<StringRef> mode =
      op.getMode() ? getConstantString(op.getMode()) : StringRef("constant");
  std::optional<double> value = op.getConstantValOrDefault();
  if (mode != "constant" || value != 0.0)
    return std::nullopt;
  return getConstantInts(op.getPad());
}

/// conv(pad(x)) -> conv(x) with more padding.
struct FoldIntoConv : CountingPattern<ConvOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getX().getDefiningOp<PadOp>();
    if (!pad || !staticType(pad.getResult()) || !staticType(op.getResult()))
      return rewriter.notifyMatchFailure(op, "nothing is padded");
    std::optional<SmallVector<int64_t>> zeros = zerosOf(pad);
    // The list may leave out the first dimensions.
    size_t most = 2 * shapeOf(pad.getX()).size();
    if (!zeros || zeros->size() > most)
      return rewriter.notifyMatchFailure(op, "padded by other than zeros");
    zeros->insert(zeros->begin(), most - zeros->size(), 0);
    ArrayRef<int64_t> outer = ArrayRef(*zeros).take_front(4),
                      inner = ArrayRef(*zeros).drop_front(4);
    FailureOr<Window> window = getWindow(op);
    if (failed(window) ||
        llvm::any_of(outer, [](int64_t count) { return count != 0; }))
      return rewriter.notifyMatchFailure(op, "batch or channels are padded");
    SmallVector<int64_t> padding;
    for (size_t dim = 0; dim < window->kernel.size(); ++dim) {
      int64_t before = window->padBefore[dim] + inner[2 * dim],
              after = window->padAfter[dim] + inner[2 * dim + 1];
      // Each window keeps something of the input.
      if (std::max(before, after) >= window->reach(dim))
        return rewriter.notifyMatchFailure(op, "windows of zeros alone");
      llvm::append_values(padding, before, after);
    }
    takeLocations(op, pad.getOperation());
    Replacer r(rewriter, op);
    ++count;
    return r.replace(ConvOp::create(rewriter, op.getLoc(), op.getType(),
                                    pad.getX(), op.getWeight(), op.getBias(),
                                    r.ints(window->stride), r.string("custom"),
                                    r.ints(padding), r.ints(window->dilation),
                                    op.getGroups())
                         .getResult());
  }
};

class FoldPadding : public mil::impl::FoldPaddingBase<FoldPadding> {
public:
  void runOnOperation() override {
    const auto &inventory = getAnalysis<Inventory>();
    if (!inventory.hasAny<PadOp>() || !inventory.hasAny<ConvOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldIntoConv>(&getContext(), numFolded);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    eraseUnreadOps<PadOp>(getOperation());
  }
};

} // namespace
