//===- FrameSignals.cpp - Windows of large steps, over frames -------------===//
//
// A spectrogram is a convolution of a signal with large windows, one large step
// apart, and mostly of one that is mirrored at its ends. The signal is a matrix
// with a step in each row. There a window is a few rows, of which the first one
// begins in front of it: the coefficients have zeros there, and no element
// changes its place in a row. What is mirrored is rows as well. Where a step is
// a whole number of lines of memory, the signal lies so already; other rows are
// made once, while a long signal in parts would have each part turned, and the
// kernel read, by itself.
//
//===----------------------------------------------------------------------===//

#include "Replacer.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Dialect/MIL/IR/Window.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/CountingPattern.h"
#include "ane/Support/Divisors.h"
#include "ane/Support/Inventory.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

namespace ane::mil {
#define GEN_PASS_DEF_FRAMESIGNALS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// Elements of a line of memory.
constexpr int64_t lineElements = h13.rowStep();

/// How many rows a value has in all; 0 where that is not known.
int64_t rowsOf(Value value) {
  RankedTensorType type = staticType(value);
  return type && type.getRank() > 0
             ? llvm::product_of(type.getShape().drop_back())
             : 0;
}

/// Signals, one in each row of a value, with what a program puts around them.
struct Signal {
  Value source;
  int64_t count = 0;             ///< rows
  int64_t before = 0, after = 0; ///< elements in front and behind
  bool reflects = false;         ///< a signal mirrored, or zeros

  int64_t extent() const { return shapeOf(source).back(); }

  /// Of what reads `x`, which has one channel.
  static Signal find(Value x) {
    Signal signal = {x, rowsOf(x)};
    while (Operation *op = signal.source.getDefiningOp()) {
      auto pad = dyn_cast<PadOp>(op);
      if (!pad && !op->hasTrait<Reshapes>())
        break;
      // As many rows before and after are the same rows.
      if (rowsOf(op->getOperand(0)) != signal.count)
        break;
      if (pad) {
        std::optional<SmallVector<int64_t>> around =
            getConstantInts(pad.getPad());
        std::optional<StringRef> mode =
            pad.getMode() ? getConstantString(pad.getMode()) : std::nullopt;
        if (signal.before + signal.after != 0 || !around ||
            around->size() < 2 || mode != "reflect")
          break;
        signal.before = *(around->end() - 2);
        signal.after = around->back();
        signal.reflects = true;
      }
      signal.source = op->getOperand(0);
    }
    return signal;
  }
};

struct FrameConv : CountingPattern<ConvOp> {
  using CountingPattern::CountingPattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    ElementsAttr weights = getConstantElements(op.getWeight());
    RankedTensorType type = staticType(op.getX());
    if (!weights || !type || type.getRank() != 3 || type.getDimSize(1) != 1)
      return rewriter.notifyMatchFailure(op, "no known kernel of a signal");
    FailureOr<Window> window = getWindow(op);
    if (failed(window))
      return rewriter.notifyMatchFailure(op, "the window is not legal");
    int64_t taps = window->kernel[0], step = window->stride[0],
            windows = window->output[0];
    int64_t zeros = window->padBefore[0];
    // Rows that are no lines have to be made: only of steps that a task does
    // not have, and for windows that overlap, whose elements are shared.
    if (taps < step || window->dilation[0] != 1 ||
        (step % lineElements != 0 && (step <= h13.maxStride || taps == step)))
      return rewriter.notifyMatchFailure(op, "steps that are no rows");
    Signal signal = Signal::find(op.getX());
    if (signal.reflects && zeros + window->padAfter[0] != 0)
      return rewriter.notifyMatchFailure(op, "zeros around what is mirrored");
    // Rows in front of the signal, and what they have in front of the first
    // window.
    int64_t before = signal.before + zeros,
            rowsBefore = llvm::divideCeil(before, step),
            skipped = rowsBefore * step - before,
            perWindow = llvm::divideCeil(taps + skipped, step),
            frames = windows + perWindow - 1, rows = signal.extent() / step;
    if (rows < 2 || frames > longestDim || rows > longestDim ||
        step > longestDim)
      return rewriter.notifyMatchFailure(op, "more rows than a dimension has");
    int64_t last = frames - rowsBefore,
            rowsBehind = std::max<int64_t>(last - rows, 0);
    // What is mirrored lies in one row more than there are of it.
    if (signal.reflects && std::max(rowsBefore, rowsBehind) >= rows)
      return rewriter.notifyMatchFailure(op, "the signal is too short");
    auto numbers = getConstantFloats(weights);
    if (!numbers)
      return rewriter.notifyMatchFailure(op, "the kernel is not at hand");

    Replacer r(rewriter, op);
    Value x = framesOf(r, signal, step, rowsBefore, last);
    // What are zeros is padding.
    int64_t padBefore = signal.reflects ? 0 : rowsBefore,
            padAfter = frames - padBefore - shapeOf(x)[1];
    x = r.transpose(x, {0, 2, 1});
    int64_t outputs = shapeOf(op.getWeight())[0];
    SmallVector<double> kernel(outputs * step * perWindow, 0);
    SmallVector<double> given(numbers->begin(), numbers->end());
    for (int64_t output = 0; output < outputs; ++output)
      for (int64_t tap = 0; tap < taps; ++tap) {
        int64_t at = tap + skipped;
        kernel[(output * step + at % step) * perWindow + at / step] =
            given[output * taps + tap];
      }
    ++count;
    return r.replace(
        ConvOp::create(
            rewriter, op.getLoc(), op.getResult().getType(), x,
            r.tensor(kernel, {outputs, step, perWindow}, op.getWeight()),
            op.getBias(), r.ints({1}), r.string("custom"),
            r.ints({padBefore, padAfter}), r.ints({1}), r.integer(1))
            .getResult());
  }

private:
  /// [signals, frames, step]: rows of each signal up to the `last`, with what
  /// is mirrored around it.
  static Value framesOf(Replacer &r, const Signal &signal, int64_t step,
                        int64_t rowsBefore, int64_t last) {
    int64_t count = signal.count, extent = signal.extent(),
            rows = extent / step, rest = extent - rows * step;
    Value row =
        rest > 0 ? r.reshape(signal.source, {count, 1, extent}) : Value();
    Value whole =
        r.reshape(rest > 0 ? r.slice(row, 2, 0, rows * step) : signal.source,
                  {count, rows, step});
    SmallVector<Value> parts;
    if (signal.reflects && rowsBefore > 0) {
      // What is beside the first element.
      Value head = r.reshape(r.slice(whole, 1, 0, rowsBefore + 1),
                             {count, 1, (rowsBefore + 1) * step});
      parts.push_back(mirrored(r, head, 1, rowsBefore, step));
    }
    parts.push_back(r.slice(whole, 1, 0, std::min(rows, last)));
    if (last <= rows)
      return r.concat(parts, 1);
    int64_t rowsBehind = last - rows;
    SmallVector<Value> behind;
    if (rest > 0)
      behind.push_back(r.slice(row, 2, rows * step, rest));
    if (!signal.reflects) {
      // The others are padding.
      if (rest > 0)
        parts.push_back(r.reshape(r.pad(behind.front(), {0, step - rest}),
                                  {count, 1, step}));
      return r.concat(parts, 1);
    }
    // What is beside the last element, of which the rest of a row has some.
    Value mirror;
    if (rest == 0) {
      Value tail =
          r.reshape(r.slice(whole, 1, rows - rowsBehind - 1, rowsBehind + 1),
                    {count, 1, (rowsBehind + 1) * step});
      mirror = mirrored(r, tail, step - 1, rowsBehind, step);
    } else {
      int64_t length = rowsBehind * step;
      Value tail = r.slice(row, 2, extent - 1 - length, length);
      mirror = mirrored(r, tail, 0, rowsBehind, step);
      behind.push_back(
          r.slice(r.reshape(mirror, {count, 1, length}), 2, 0, length - rest));
      mirror = r.reshape(r.concat(behind, 2), {count, rowsBehind, step});
    }
    parts.push_back(mirror);
    return r.concat(parts, 1);
  }

  /// As many rows of elements of each row from one on, the last one first. That
  /// is done for rows of a line at most: a product with all of them takes
  /// longer.
  static Value mirrored(Replacer &r, Value x, int64_t begin, int64_t rows,
                        int64_t step) {
    int64_t length = rows * step, signals = shapeOf(x).front(),
            width = largestDivisor(length, lineElements);
    x = r.reshape(r.slice(x, 2, begin, length),
                  {signals, length / width, width});
    return r.reshape(r.with<ReverseOp>(x, r.ints({1, 2})),
                     {signals, rows, step});
  }
};

class FrameSignals : public mil::impl::FrameSignalsBase<FrameSignals> {
public:
  void runOnOperation() override {
    if (!getAnalysis<Inventory>().hasAny<ConvOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    patterns.add<FrameConv>(&getContext(), numFramed);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    // What nobody pads any more is not mirrored as a whole.
    eraseUnreadOps<PadOp>(getOperation());
  }
};

} // namespace
