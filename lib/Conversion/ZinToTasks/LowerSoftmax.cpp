//===- LowerSoftmax.cpp - Softmax -----------------------------------------===//

#include "Lowering.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

namespace {

/// log2 of e, the factor between the exponent of e and that of 2, as the
/// engine's fp16 constant.
constexpr double log2OfE = 1.4426950408889634;

/// The power of 2 that exponentials are multiplied by of which the neural
/// engine sums so many channels: those below 2^-14 count as 0 there, and
/// thousands of them may be much of the sum. As little as leaves a 256th of the
/// sum to them, and no more than leaves exponents as exact as a 256th, too, nor
/// than the scale of the layer can take back (assigned).
int64_t powerOf(SoftmaxOp op, int64_t channels) {
  constexpr int64_t smallest = 14, lost = 8;
  int64_t power = llvm::Log2_64_Ceil(channels) + lost - smallest, most = lost;
  if (std::optional<APFloat> scale = op.getScale())
    most = std::min<int64_t>(most, smallest + ilogb(*scale));
  return std::max<int64_t>(std::min(power, most), 0);
}

/// The channels of such exponentials that the neural engine adds up at a time,
/// so that sums do not come near what it computes at most (assigned).
int64_t channelsPerSum(int64_t power) {
  constexpr int64_t largest = 14;
  return int64_t(1) << (largest - power);
}

/// Of a softmax in parts, the bytes of L2 for one value of a part, and the
/// channels that a part should have. Assigned.
int64_t partBytes(const TargetDescription &target) {
  return target.l2Bytes / 8;
}
constexpr int64_t leastPartChannels = 64;

NeuronAttr neuron(MLIRContext *context, NonLinearMode mode) {
  return NeuronAttr::get(context, mode, {}, {});
}

using PieceFn = llvm::function_ref<LogicalResult(const View &, const View &)>;

/// Calls `fn` for pieces of two views of the same extents that take
/// `pieceBytes` of L2 at most, as far as cutting `dims` can make them so.
LogicalResult forPieces(const TargetDescription &target, const View &x,
                        const View &y, ArrayRef<unsigned> dims,
                        int64_t pieceBytes, PieceFn fn) {
  int64_t bytes = target.l2ChannelBytes(x.shape[W]) * x.rows();
  if (bytes <= pieceBytes || dims.empty())
    return fn(x, y);
  unsigned dim = dims.front();
  int64_t extent = x.shape[dim];
  int64_t step = std::max<int64_t>(pieceBytes / (bytes / extent), 1);
  // What lies side by side in `y` is written by one task.
  step = std::max(step / y.interleave, int64_t(1)) * y.interleave;
  for (int64_t begin = 0; begin < extent; begin += step) {
    int64_t count = std::min(step, extent - begin);
    if (failed(forPieces(target, x.sliced(dim, begin, count),
                         y.sliced(dim, begin, count), dims.drop_front(),
                         pieceBytes, fn)))
      return failure();
  }
  return success();
}

/// Views whose rows a piece does not hold of all channels as views of shorter
/// rows, several in the place of one. Columns would do as well, but those of a
/// parameter that begin within a row lose large numbers. Fewer than two lines
/// of memory are not worth fetching (assigned).
void shortenRows(const TargetDescription &target, View &x, View &y,
                 int64_t pieceBytes) {
  int64_t columns = x.shape[W], step = target.rowStep();
  auto fits = [&](int64_t count) {
    return target.l2ChannelBytes(count) * x.shape[C] <= pieceBytes;
  };
  if (columns % step != 0 || fits(columns) || !fits(2 * step))
    return;
  int64_t shorter = columns;
  while (columns % shorter != 0 || !fits(shorter))
    shorter -= step;
  auto inShorterRows = [&](View view) {
    if (view.shape[D] == 1)
      view = view.swapped(D, H);
    std::array<int64_t, numDims> shape = view.shape;
    shape[H] *= columns / shorter;
    shape[W] = shorter;
    return view.reshaped(shape, target.rowAlignment);
  };
  std::optional<View> from = inShorterRows(x), to = inShorterRows(y);
  if (!from || !to)
    return;
  x = *from;
  y = *to;
}

} // namespace

/// exp(x - largest) times a power of 2, by way of 2^((x - largest) * log2(e)).
View Lowering::shiftedExponential(const View &x, const View &largest,
                                  bool vector, int64_t power) {
  View shifted = b.makeScratch(x.shape), exponential = b.makeScratch(x.shape);
  PEParams subtract;
  subtract.negate2 = true;
  subtract.vector2 = vector;
  subtract.bias = static_cast<double>(power) / log2OfE;
  subtract.scale = log2OfE;
  b.emitPE(Opcode::PEFUSED_ELEMENTWISE, UnitType::PEElementWise, subtract, x,
           &largest, shifted);

  KernelParams exp2;
  exp2.activation = neuron(x.buffer.getContext(), NonLinearMode::exp2);
  exp2.outputs = x.shape[C];
  b.emitNE(Opcode::NEFUSED_BYPASS, UnitType::NEBypass, NEParams(), shifted,
           exponential, b.makeKernel(exp2));
  return exponential;
}

/// y = exponential * reciprocal, times the scale of the layer. The exponential
/// has a power of 2 that the reciprocal has not.
void Lowering::normalize(SoftmaxOp op, const View &exponential,
                         const View &reciprocal, const View &y, bool vector,
                         int64_t power) {
  PEParams multiply;
  multiply.op = PEOp::mul;
  if (std::optional<APFloat> scale = op.getScale())
    multiply.scale = scale->convertToDouble();
  multiply.scale = std::ldexp(multiply.scale, -power);
  multiply.vector1 = vector;
  b.emitPE(Opcode::PEFUSED_ELEMENTWISE, UnitType::PEElementWise, multiply,
           reciprocal, &exponential, y);
}

/// Softmax along columns: the planar engine reduces. With `vector` what belongs
/// to a channel is stored along columns.
LogicalResult Lowering::softmaxOverColumns(SoftmaxOp op, const View &x,
                                           const View &y, bool vector) {
  std::array<int64_t, numDims> one = x.shape;
  one[W] = 1;
  if (vector)
    std::swap(one[C], one[W]);
  auto statistic = [&](const ReductionParams &reduction, const View &from,
                       const View &to) {
    return vector ? reduceColumns(op, reduction, from, W, to, /*vector=*/true)
                  : reduce(op, reduction, from, {W}, to);
  };
  View largest = b.makeScratch(one);
  if (failed(statistic({.kind = ReductionType::Max}, x, largest)))
    return failure();
  View exponential = shiftedExponential(x, largest, vector, /*power=*/0);
  View reciprocal = b.makeScratch(one);
  if (failed(statistic({.post = PEPost::reciprocal}, exponential, reciprocal)))
    return failure();
  normalize(op, exponential, reciprocal, y, vector, /*power=*/0);
  return success();
}

/// The sum of all channels without the power of 2 that they have, the neural
/// engine's.
void Lowering::sumChannels(const View &x, const View &y,
                           FlatSymbolRefAttr table, int64_t power) {
  NEParams sum;
  sum.op = MACOp::mac;
  sum.unicast = 0;
  sum.postScale = std::ldexp(1.0, -power);
  b.emitNE(Opcode::NEFUSED_POOL, UnitType::NEPool, sum, x, y, table);
}

/// The same of so many channels at a time, as groups of one task where there is
/// no batch.
void Lowering::sumChannelsInParts(const View &x, const View &y, int64_t perSum,
                                  int64_t power) {
  int64_t part = x.shape[N] == 1 ? x.shape[C] / perSum : 0;
  if (part > 0) {
    View groups = x.sliced(C, 0, part * perSum), sums = y.sliced(C, 0, part);
    groups.shape[N] = sums.shape[N] = part;
    groups.shape[C] = perSum;
    groups.strides[N] = groups.strides[C] * perSum;
    sums.shape[C] = 1;
    sums.strides[N] = sums.strides[C];
    sumChannels(groups, sums, {}, power);
  }
  for (; part < y.shape[C]; ++part) {
    int64_t begin = part * perSum;
    int64_t count = std::min(perSum, x.shape[C] - begin);
    sumChannels(x.sliced(C, begin, count), y.sliced(C, part, 1), {}, power);
  }
}

/// Softmax along channels: the neural engine reduces them. Sums of parts the
/// planar engine adds up.
LogicalResult Lowering::softmaxOverChannels(SoftmaxOp op, const View &x,
                                            const View &y) {
  int64_t power = powerOf(op, x.shape[C]), perSum = channelsPerSum(power);
  std::array<int64_t, numDims> one = x.shape, each = x.shape;
  one[C] = 1;
  each[C] = llvm::divideCeil(x.shape[C], perSum);
  View largest = b.makeScratch(one);
  b.emitChannelMax(x, largest);
  View exponential = shiftedExponential(x, largest, /*vector=*/false, power);

  View reciprocal = b.makeScratch(one);
  if (each[C] == 1) {
    KernelParams inverse;
    inverse.activation = neuron(x.buffer.getContext(), NonLinearMode::inv);
    sumChannels(exponential, reciprocal, b.makeKernel(inverse), power);
  } else {
    View sums = b.makeScratch(each);
    sumChannelsInParts(exponential, sums, perSum, power);
    if (failed(reduce(op, {.post = PEPost::reciprocal}, sums, {C}, reciprocal)))
      return failure();
  }
  normalize(op, exponential, reciprocal, y, /*vector=*/false, power);
  return success();
}

/// Softmax along more channels than L2 has rows of: parts of them come three
/// times, for the largest element, for the sum of exponentials and for the
/// results. To compute exponentials twice takes less time than to move them.
LogicalResult Lowering::softmaxInParts(SoftmaxOp op, const View &x,
                                       const View &y) {
  int64_t channels = x.shape[C], power = powerOf(op, channels);
  int64_t channelBytes =
      b.target.l2ChannelBytes(x.shape[W]) * x.rows() / channels;
  int64_t perPart = std::clamp<int64_t>(
      partBytes(b.target) / channelBytes, 1,
      b.target.maxTileChannels(x.shape[W], b.target.neStreamBytes));
  int64_t perSum = std::min(perPart, channelsPerSum(power));
  perPart -= perPart % perSum;
  auto forParts = [&](llvm::function_ref<void(int64_t, int64_t)> fn) {
    for (int64_t begin = 0; begin < channels; begin += perPart)
      fn(begin, std::min(perPart, channels - begin));
  };
  auto makeEach = [&](int64_t count) {
    std::array<int64_t, numDims> shape = x.shape;
    shape[C] = count;
    return b.makeScratch(shape);
  };

  View maxima = makeEach(llvm::divideCeil(channels, perPart)),
       largest = makeEach(1);
  forParts([&](int64_t begin, int64_t count) {
    b.emitChannelMax(x.sliced(C, begin, count),
                     maxima.sliced(C, begin / perPart, 1));
  });
  if (failed(reduce(op, {.kind = ReductionType::Max}, maxima, {C}, largest)))
    return failure();

  auto exponentialOf = [&](int64_t begin, int64_t count) {
    return shiftedExponential(x.sliced(C, begin, count), largest,
                              /*vector=*/false, power);
  };
  View sums = makeEach(llvm::divideCeil(channels, perSum)),
       reciprocal = makeEach(1);
  forParts([&](int64_t begin, int64_t count) {
    sumChannelsInParts(
        exponentialOf(begin, count),
        sums.sliced(C, begin / perSum, llvm::divideCeil(count, perSum)), perSum,
        power);
  });
  if (failed(reduce(op, {.post = PEPost::reciprocal}, sums, {C}, reciprocal)))
    return failure();

  forParts([&](int64_t begin, int64_t count) {
    normalize(op, exponentialOf(begin, count), reciprocal,
              y.sliced(C, begin, count), /*vector=*/false, power);
  });
  return success();
}

/// Softmax along channels, piece by piece.
LogicalResult Lowering::softmaxOverPlanes(SoftmaxOp op, View x, View y,
                                          int64_t pieceBytes) {
  shortenRows(b.target, x, y, pieceBytes);
  // The neural engine reduces channels of which L2 holds a row beside the
  // result.
  int64_t channels = x.shape[C], stream = b.target.neStreamBytes;
  int64_t row =
      std::min(b.target.l2ChannelBytes(x.shape[W]), stream) * channels;
  if (channels > b.target.maxUnicastChannels || row + stream > b.target.l2Bytes)
    return forPieces(b.target, x, y, {N, D, H},
                     partBytes(b.target) / leastPartChannels * channels,
                     [&](const View &source, const View &result) {
                       return softmaxInParts(op, source, result);
                     });
  return forPieces(b.target, x, y, {N, D, H}, pieceBytes,
                   [&](const View &source, const View &result) {
                     return softmaxOverChannels(op, source, result);
                   });
}

/// Whether a softmax along columns, which products alone read, turned, is
/// computed turned: the neural engine reduces channels in less time than the
/// planar engine columns. A product may hand over its result so, and in L2
/// turning scores takes as long as turning probabilities. Rows become columns,
/// which it computes in patches; where a fifth of these is padding little is
/// gained, nor where the planar engine takes no longer than four tasks do to
/// start (assigned).
bool Lowering::sumsTurned(SoftmaxOp op) const {
  constexpr int64_t paddingDenominator = 5, leastTasks = 4;
  ArrayRef<int64_t> shape = shapeOf(op.getResult());
  int64_t matrices = llvm::product_of(shape.take_front(H)), rows = shape[H];
  int64_t computed = llvm::alignTo(rows, b.target.patchPixels);
  int64_t reduced =
      matrices * rows * shape[W] / b.target.planarElementsPerCycle;
  return op.getAxis() == W && rows <= b.target.maxWidth &&
         shape[W] <= b.target.maxUnicastChannels &&
         matrices <= b.target.maxGroups &&
         (computed - rows) * paddingDenominator < computed &&
         reduced > leastTasks * b.target.taskOverheadCycles &&
         b.target.l2ChannelBytes(rows) * shape[W] * matrices <=
             b.target.wholeL2Bytes() &&
         llvm::all_of(op.getResult().getUses(),
                      [&](OpOperand &use) { return readsTurned(use); });
}

LogicalResult Lowering::lower(SoftmaxOp op) {
  if (sumsTurned(op)) {
    View source = turnedRows(op.getX()), result = b.makeScratch(source.shape);
    turned[op.getResult()] = result;
    return softmaxOverChannels(op, source, result);
  }
  unsigned axis = op.getAxis();
  View x = viewOf(op.getX());
  // Rows are channels of the tasks along columns, which lay them side by side
  // for products that alone read them, as a kernel.
  View y = axis == W ? matrixView(op.getResult()) : resultView(op.getResult());
  // Every task but the first reads what the one before wrote. Of a large value
  // L2 holds pieces, two at a time beside the tiles.
  int64_t bytes = b.target.l2ChannelBytes(x.shape[W]) * x.rows();
  int64_t pieceBytes =
      bytes <= b.target.wholeL2Bytes() ? bytes : b.target.largeL2Bytes();
  if (axis != W)
    return softmaxOverPlanes(op, x.swapped(C, axis), y.swapped(C, axis),
                             pieceBytes);
  // Every row is a channel of its own, as many as a task can have. Where they
  // were channels before, also of the product that made them, and one task
  // holds all, Apple's compiler lays maxima and sums along columns. Where it
  // does not, pieces that it holds keep tasks of one piece next to each other.
  bool wereChannels =
      x.shape[C] == x.rows() ||
      (x.shape[H] == x.rows() && op.getX().getDefiningOp<MatMulOp>());
  bool isHeld =
      x.rows() <= b.target.maxTileChannels(x.shape[W], b.target.peStreamBytes);
  bool vector = wereChannels && x.rows() > 1 && isHeld;
  if (!isHeld)
    pieceBytes = std::min(pieceBytes, b.target.largeL2Bytes());
  x = b.linearize(x);
  View rows = x.withRows(1, 1, x.rows(), 1);
  View results = y.rowsAlongChannels();
  pieceBytes =
      std::min(pieceBytes, b.target.l2ChannelBytes(x.shape[W]) *
                               std::min(b.target.maxChannels, x.rows()));
  return forPieces(b.target, rows, results, {C}, pieceBytes,
                   [&](const View &source, const View &result) {
                     return softmaxOverColumns(op, source, result, vector);
                   });
}
