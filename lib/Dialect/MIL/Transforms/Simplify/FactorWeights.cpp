//===- FactorWeights.cpp - Computed factors of constant weights -----------===//
//
// What a kernel is multiplied by for each input is as well a factor of the
// input, what it is multiplied by for each output one of the results.
//
//===----------------------------------------------------------------------===//

#include "Replacer.h"
#include "Simplify/Factors.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Coefficients.h"
#include "ane/Support/Inventory.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

namespace ane::mil {
#define GEN_PASS_DEF_FACTORWEIGHTS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The parts of a kernel's dimensions. Taps have the numbers from `Tap` on.
/// Converters write the kernels of a batch as groups of one convolution, whose
/// channels are those of all images.
enum Part : unsigned { Image, Output, Input, Tap };

/// n for which 2^n is more than a number and at most twice as much, as far as
/// fp16 has 2^n and 2^-n.
int exponentOf(double number) {
  constexpr int most = 14;
  return number > 0 && std::isfinite(number)
             ? std::clamp(std::ilogb(number) + 1, -most, most)
             : 0;
}

void scale(MutableArrayRef<double> numbers, int exponent) {
  for (double &each : numbers)
    each = std::ldexp(each, exponent);
}

/// Whether each of some rows of one length keeps its worth in fp16.
bool areRowsOfCoefficients(ArrayRef<double> numbers, int64_t rows) {
  size_t length = numbers.size() / rows;
  return llvm::all_of(llvm::seq<size_t>(0, rows), [&](size_t row) {
    return areCoefficients(numbers.slice(row * length, length));
  });
}

/// Whether as much as rounding may take is all that sums of some rows of one
/// length lose of numbers that fp16 has as denormal ones, which the engine
/// takes as 0 in sums.
bool keepSums(ArrayRef<double> numbers, int64_t rows) {
  constexpr double mostLost = 0x1p-11;
  size_t length = numbers.size() / rows;
  for (; !numbers.empty(); numbers = numbers.drop_front(length)) {
    double all = 0, lost = 0;
    for (double each : numbers.take_front(length)) {
      all += each;
      lost += isCoefficient(each) ? 0 : each;
    }
    if (!(lost <= all * mostLost))
      return false;
  }
  return true;
}

/// What a reduction sums the squares of; null for another one.
Value squaredIn(Reduction reduction) {
  Operation *kind = reduction;
  if (isa<ReduceSumSquareOp, ReduceL2NormOp>(kind))
    return reduction.getX();
  Operation *op = reduction.getX().getDefiningOp();
  if (!isa<ReduceSumOp>(kind) || !op)
    return {};
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([](SquareOp square) { return square.getX(); })
      .Case([](MulOp product) {
        return product.getX() == product.getY() ? product.getX() : Value();
      })
      .Case([](PowOp power) {
        return getConstantNumber(power.getY()) == 2.0 ? power.getX() : Value();
      })
      .Default(Value());
}

/// The reductions that a factor is computed from, through ops that lengths of
/// kernels go through.
SmallVector<Reduction> reductionsBefore(Value factor) {
  SmallVector<Reduction> found;
  llvm::SmallSetVector<Operation *, 8> ops;
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      ops.insert(op);
  };
  add(factor);
  for (size_t i = 0; i < ops.size(); ++i) {
    Operation *op = ops[i];
    if (auto reduction = dyn_cast<Reduction>(op))
      found.push_back(reduction);
    else if (op->hasTrait<Reshapes>() ||
             isa<AddOp, MulOp, RealDivOp, MaximumOp, RsqrtOp, SqrtOp, InverseOp,
                 PowOp, ClipOp, CastOp>(op))
      llvm::for_each(op->getOperands(), add);
  }
  return found;
}

/// A kernel as a constant and computed factors.
class FactoredKernel {
public:
  /// Whether that of a convolution is one.
  template <typename Op> bool find(Op op);

  /// The convolution with the constant kernel, and products before and behind.
  /// False, and nothing changes, where fp16 does not hold the constant.
  template <typename Op> bool rewrite(PatternRewriter &rewriter, Op op) const;
  /// Sums of squares of the kernel over inputs and taps, from which some of its
  /// factors are computed, as products of squares.
  void rewriteSums(PatternRewriter &rewriter) const;

private:
  Factors makeFactors() const {
    constexpr PartSet sets[] = {setOf(Image) | setOf(Input),
                                setOf(Image) | setOf(Output)};
    return {extents, sets};
  }
  /// The product of the factors that are about inputs, or else of the others,
  /// [images or 1, inputs or outputs or 1, 1...]; null where there are none.
  Value combined(Replacer &r, const Factors &of, Part part, int64_t rank,
                 Value like) const;
  /// The squares of the constants, added up over those taps that are in a set:
  /// [outputs, inputs].
  SmallVector<double> squaresOf(const Factors &of, PartSet parts) const;
  /// The sum of each row of these.
  SmallVector<double> sumsOf(ArrayRef<double> squares) const;
  bool rewriteSum(PatternRewriter &rewriter, Reduction reduction) const;

  /// The constants as coefficients: numbers in the order of the kernel, and the
  /// exponent of a power of two that is left for behind the product.
  struct Coefficients {
    SmallVector<double> numbers;
    int exponent = 0;
  };
  /// Nothing where fp16 does not hold the constants.
  std::optional<Coefficients> coefficients(bool hasBehind) const;

  SmallVector<int64_t> extents;   ///< of each part
  SmallVector<unsigned> order;    ///< of parts in the constant kernel
  std::optional<Factors> factors; ///< of the kernel
};

template <typename Op> bool FactoredKernel::find(Op op) {
  RankedTensorType x = staticType(op.getX()),
                   weight = staticType(op.getWeight()),
                   result = staticType(op.getResult());
  std::optional<int64_t> groups = op.getGroupsOrDefault();
  if (!x || !weight || !result || !groups ||
      getConstantElements(op.getWeight()) ||
      (*groups > 1 && x.getDimSize(0) != 1))
    return false;
  extents = {*groups, result.getDimSize(1) / *groups,
             x.getDimSize(1) / *groups};
  llvm::append_range(extents, weight.getShape().drop_front(2));
  order = {Output, Input};
  if (isa<ConvTransposeOp>(op))
    std::swap(order[0], order[1]);
  SmallVector<DimParts> dims = {{Image, order[0]}, {order[1]}};
  for (unsigned part = Tap; part < extents.size(); ++part) {
    dims.push_back({part});
    order.push_back(part);
  }
  for (DimParts &parts : dims)
    llvm::erase_if(parts, [&](unsigned part) { return extents[part] == 1; });
  factors.emplace(makeFactors());
  // Groups that have constants of their own are no batch.
  return factors->find(op.getWeight(), dims) && !factors->constants().empty() &&
         !factors->computed().empty() &&
         (factors->constantParts() & setOf(Image)) == 0;
}

Value FactoredKernel::combined(Replacer &r, const Factors &of, Part part,
                               int64_t rank, Value like) const {
  Value product;
  for (bool divides : {false, true})
    for (const Factor &factor : of.computed()) {
      PartSet parts = factor.parts();
      bool isOfInput = (parts & setOf(Input)) != 0;
      if (factor.divides != divides || isOfInput != (part == Input))
        continue;
      SmallVector<int64_t> shape(rank, 1);
      shape[0] = (parts & setOf(Image)) != 0 ? extents[Image] : 1;
      shape[1] = (parts & setOf(part)) != 0 ? extents[part] : 1;
      Value value = r.convert(factor.value, like);
      if (shapeOf(value) != ArrayRef(shape))
        value = r.reshape(value, shape);
      if (divides)
        product =
            r.binary<RealDivOp>(product ? product : r.scalar(1, value), value);
      else
        product = product ? r.binary<MulOp>(product, value) : value;
    }
  return product;
}

SmallVector<double> FactoredKernel::squaresOf(const Factors &of,
                                              PartSet parts) const {
  SmallVector<unsigned> byOutput = {Output, Input};
  int64_t taps = 1;
  for (unsigned part = Tap; part < extents.size(); ++part)
    if (parts & setOf(part)) {
      byOutput.push_back(part);
      taps *= extents[part];
    }
  SmallVector<double> numbers = of.constant(byOutput),
                      squares(numbers.size() / taps, 0);
  for (auto [i, each] : llvm::enumerate(numbers))
    squares[i / taps] += each * each;
  return squares;
}

SmallVector<double> FactoredKernel::sumsOf(ArrayRef<double> squares) const {
  SmallVector<double> sums(extents[Output], 0);
  for (auto [i, each] : llvm::enumerate(squares))
    sums[i / extents[Input]] += each;
  return sums;
}

std::optional<FactoredKernel::Coefficients>
FactoredKernel::coefficients(bool hasBehind) const {
  // Factors of outputs may be what brings sums to their size. So that the sums
  // do not overflow before, no output has coefficients that are longer than 1.
  SmallVector<unsigned> byOutput = order;
  llvm::sort(byOutput);
  SmallVector<double> kernel = factors->constant(byOutput);
  int exponent = 0;
  if (hasBehind) {
    SmallVector<double> squares = sumsOf(squaresOf(*factors, ~PartSet()));
    exponent = exponentOf(std::sqrt(*llvm::max_element(squares)));
  }
  scale(kernel, -exponent);
  if (exponent != 0 && !areRowsOfCoefficients(kernel, extents[Output])) {
    scale(kernel, exponent);
    exponent = 0;
  }
  if (factors->constants().size() > 1 &&
      !areRowsOfCoefficients(kernel, extents[Output]))
    return std::nullopt;
  if (order != byOutput) {
    kernel = factors->constant(order);
    scale(kernel, -exponent);
  }
  return Coefficients{std::move(kernel), exponent};
}

template <typename Op>
bool FactoredKernel::rewrite(PatternRewriter &rewriter, Op op) const {
  bool hasBehind = llvm::any_of(factors->computed(), [](const Factor &factor) {
    return (factor.parts() & setOf(Input)) == 0;
  });
  std::optional<Coefficients> kernel = coefficients(hasBehind);
  if (!kernel)
    return false;
  Replacer r(rewriter, op);
  auto result = cast<RankedTensorType>(op.getType());
  int64_t rank = result.getRank(), images = extents[Image];
  bool isBatch = images > 1;
  auto inBatch = [&](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> apart(shape);
    apart[0] *= images;
    apart[1] /= images;
    return apart;
  };
  Value x = op.getX();
  if (isBatch)
    x = r.reshape(x, inBatch(shapeOf(x)));
  if (Value before = combined(r, *factors, Input, rank, x))
    x = r.binary<MulOp>(x, before);
  SmallVector<int64_t> shape;
  for (unsigned part : order)
    shape.push_back(extents[part]);
  Value weight = r.tensor(kernel->numbers, shape, op.getWeight()),
        groups = isBatch ? r.integer(1) : op.getGroups(),
        bias = isBatch || hasBehind ? Value() : op.getBias(), y;
  RankedTensorType type = result.clone(inBatch(result.getShape()));
  if constexpr (std::is_same_v<Op, ConvTransposeOp>)
    y = Op::create(rewriter, op.getLoc(), type, x, weight, bias, op.getPad(),
                   isBatch && op.getOutputShape() ? r.ints(type.getShape())
                                                  : op.getOutputShape(),
                   op.getPadType(), op.getStrides(), op.getDilations(), groups);
  else
    y = Op::create(rewriter, op.getLoc(), type, x, weight, bias,
                   op.getStrides(), op.getPadType(), op.getPad(),
                   op.getDilations(), groups);
  if (Value behind = combined(r, *factors, Output, rank, y)) {
    if (kernel->exponent != 0)
      behind = r.binary<MulOp>(behind, std::ldexp(1, kernel->exponent));
    y = r.binary<MulOp>(y, behind);
  }
  if (isBatch)
    y = r.reshape(y, result.getShape());
  if (op.getBias() && !bias) {
    SmallVector<int64_t> channels(rank, 1);
    channels[1] = result.getDimSize(1);
    y = r.binary<AddOp>(y, r.reshape(r.convert(op.getBias(), y), channels));
  }
  (void)r.replace(y);
  return true;
}

void FactoredKernel::rewriteSums(PatternRewriter &rewriter) const {
  llvm::SmallSetVector<Operation *, 4> reductions;
  for (const Factor &factor : factors->computed())
    for (Reduction reduction : reductionsBefore(factor.value))
      reductions.insert(reduction);
  for (Operation *reduction : reductions)
    rewriteSum(rewriter, cast<Reduction>(reduction));
}

bool FactoredKernel::rewriteSum(PatternRewriter &rewriter,
                                Reduction reduction) const {
  Value squared = squaredIn(reduction);
  RankedTensorType type = staticType(reduction->getResult(0));
  auto place = factors->lookedThrough().find(squared);
  if (!squared || !type || place == factors->lookedThrough().end())
    return false;
  ArrayRef<DimParts> dims = place->second;
  auto axes = reducedAxes(reduction.getAxes(), dims.size());
  Factors product = makeFactors();
  if (!axes || !product.find(squared, dims))
    return false;
  // Outputs, of all images, stay in their order, and all else is summed over.
  DimParts kept;
  for (auto [dim, parts] : llvm::enumerate(dims))
    if (!llvm::is_contained(*axes, int64_t(dim)))
      llvm::append_range(kept, parts);
  PartSet staying = setOf(dims) & (setOf(Image) | setOf(Output)),
          constant = product.constantParts();
  if (setOf(kept) != staying || !llvm::is_sorted(kept) ||
      (constant & setOf(Image)) != 0 ||
      ((staying & setOf(Output)) == 0 && extents[Output] > 1) ||
      (constant & setOf(Output)) != (staying & setOf(Output)))
    return false;
  bool hasInputs = llvm::any_of(product.computed(), [](const Factor &factor) {
    return (factor.parts() & setOf(Input)) != 0;
  });
  SmallVector<double> squares = squaresOf(product, setOf(dims));
  SmallVector<double> sums = sumsOf(squares);
  int exponent = exponentOf(*llvm::max_element(sums));
  scale(squares, -exponent);
  if (!hasInputs || !keepSums(squares, sums.size()))
    return false;

  // Squares are those of factors of up to 1, and the sum comes to its size
  // behind the product: fp16 has neither squares of small nor of large numbers.
  Replacer r(rewriter, reduction);
  Value before = combined(r, product, Input, /*rank=*/2, squared),
        behind = combined(r, product, Output, /*rank=*/2, squared);
  constexpr double leastLargest = 0x1p-14;
  Value largest = r.binary<MaximumOp>(
      r.reduce<ReduceMaxOp>(r.unary<AbsOp>(before), {1}, /*keepDims=*/true),
      leastLargest);
  before = r.binary<RealDivOp>(before, largest);
  before = r.binary<MulOp>(before, before);
  Value weight = r.tensor(squares, {extents[Output], extents[Input]}, squared);
  Value sum = LinearOp::create(
      rewriter, reduction.getLoc(),
      type.clone({shapeOf(before)[0], extents[Output]}), before, weight,
      /*bias=*/Value());
  if (isa<ReduceL2NormOp>(reduction.getOperation())) {
    sum = r.unary<SqrtOp>(r.binary<MulOp>(sum, std::ldexp(1, exponent)));
    sum = r.binary<MulOp>(sum, largest);
    if (behind)
      sum = r.binary<MulOp>(sum, r.unary<AbsOp>(behind));
  } else {
    sum = r.binary<MulOp>(sum, largest);
    sum = r.binary<MulOp>(sum, std::ldexp(1, exponent));
    sum = r.binary<MulOp>(sum, largest);
    for (unsigned times = 0; behind && times < 2; ++times)
      sum = r.binary<MulOp>(sum, behind);
  }
  if (sum.getType() != type)
    sum = r.reshape(sum, type.getShape());
  Value x = reduction.getX();
  (void)r.replace(sum);
  eraseUnread(x);
  return true;
}

class FactorWeights : public mil::impl::FactorWeightsBase<FactorWeights> {
public:
  void runOnOperation() override {
    const auto &inventory = getAnalysis<Inventory>();
    if (!inventory.hasAny<ConvOp, ConvTransposeOp>() ||
        !inventory.hasAny<MulOp, RealDivOp>())
      return markAllAnalysesPreserved();
    PatternRewriter rewriter(&getContext());
    unsigned before = numFactored;
    getOperation().walk([&](Operation *op) {
      llvm::TypeSwitch<Operation *>(op).Case<ConvOp, ConvTransposeOp>(
          [&](auto conv) { numFactored += rewrite(rewriter, conv); });
    });
    if (numFactored == before)
      markAllAnalysesPreserved();
  }

private:
  template <typename Op> static bool rewrite(PatternRewriter &rewriter, Op op) {
    FactoredKernel kernel;
    Value weight = op.getWeight();
    if (!kernel.find(op) || !kernel.rewrite(rewriter, op))
      return false;
    kernel.rewriteSums(rewriter);
    eraseUnread(weight);
    return true;
  }
};

} // namespace
