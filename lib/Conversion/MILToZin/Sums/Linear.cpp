//===- Linear.cpp - Matrix products ---------------------------------------===//

#include "AlongDim.h"
#include "ane/Dialect/Zin/IR/Views.h"
#include "ane/Support/StridedCopy.h"
#include "ane/Target/ComputedProducts.h"
#include "ane/Target/H13.h"
#include "llvm/Support/Endian.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// For each matrix of a batch with extents `to`, the matrix of a batch with
/// extents `from`, as many, that it is a repetition of.
SmallVector<int64_t> broadcastIndices(ArrayRef<int64_t> from,
                                      ArrayRef<int64_t> to) {
  SmallVector<int64_t> indices = {0};
  for (auto [own, extent] : llvm::zip_equal(from, to)) {
    SmallVector<int64_t> next;
    for (int64_t index : indices)
      for (int64_t i = 0; i < extent; ++i)
        next.push_back(index * own + (own == 1 ? 0 : i));
    indices = std::move(next);
  }
  return indices;
}

/// The constant side of a product as [1, 1, batch, outputs, contracted].
/// `matrices` says which matrix of the constant each of the batch is;
/// `contractedFirst` that those have the contracted dimension in front.
ElementsAttr kernelElements(Value constant, ArrayRef<int64_t> matrices,
                            int64_t outputs, int64_t contracted,
                            bool contractedFirst) {
  int64_t own = cast<RankedTensorType>(constant.getType()).getNumElements() /
                (outputs * contracted);
  ElementsAttr elements =
      halfConstant(constant, {1, 1, own, outputs, contracted});
  bool inOrder = llvm::equal(matrices, llvm::seq<int64_t>(0, own));
  if (!contractedFirst && inOrder)
    return elements;
  std::optional<zin::HalfElements> source = zin::HalfElements::get(elements);
  Shape5 shape = {1, 1, int64_t(matrices.size()), outputs, contracted};
  std::vector<uint16_t> bits(llvm::product_of(shape));
  StringRef bytes = source->bytes();
  SmallVector<int64_t> strides = {contracted, 1};
  if (contractedFirst)
    strides = {1, outputs};
  // One element may stand for all.
  bool isOne = bytes.size() == halfBytes;
  if (isOne)
    strides = {0, 0};
  size_t matrixSize = outputs * contracted;
  for (auto [index, matrix] : llvm::enumerate(matrices))
    copyStrided(bytes.data() + (isOne ? 0 : matrix * matrixSize * halfBytes),
                {outputs, contracted}, strides, halfBytes,
                reinterpret_cast<char *>(bits.data() + index * matrixSize));
  for (uint16_t &element : bits)
    element = llvm::support::endian::byte_swap<uint16_t>(
        element, llvm::endianness::little);
  return zin::makeHalfElements(halfType(constant.getContext(), shape),
                               std::move(bits));
}

Value constantOf(OpBuilder &builder, Location location, ElementsAttr elements) {
  return zin::ConstantOp::create(builder, location, cast<TypedAttr>(elements));
}

/// The operands of a product as matrices of one batch.
struct BatchedOperand {
  Value value; ///< [1, 1, batch or 1, rows, columns]
  bool transposed;
};

/// What is expected to stay in L2, beside others.
double mostNearBytes() { return double(h13.wholeL2Bytes()) / 2; }

/// Whether a value is expected in L2, where layers compute it, maybe in another
/// shape: one that is not too large, or of which blocks are computed.
bool isNear(Value value) {
  while (auto reshape = value.getDefiningOp<zin::ReshapeOp>())
    value = reshape.getX();
  Operation *maker = value.getDefiningOp();
  if (!maker || !isa<zin::ZinDialect>(maker->getDialect()) ||
      isa<zin::ConstantOp, zin::InputViewOp, zin::TransposeOp>(maker))
    return false;
  bool hasBlocks =
      isa<zin::SoftmaxOp>(maker) || maker->hasTrait<zin::Elementwise>();
  return hasBlocks ||
         llvm::product_of(zin::shapeOf(value)) * double(halfBytes) <=
             mostNearBytes();
}

/// A way to multiply two computed matrices. One of them is the kernel, of which
/// a task takes a few rows; the other one lies with the contracted dimension
/// along channels. Either can be the kernel: (x y)^T = y^T x^T.
struct ProductRoles {
  BatchedOperand kernel, other;
  bool kernelIsRight;

  bool turnsKernel() const { return kernel.transposed != kernelIsRight; }
  bool contractsRows() const { return other.transposed == kernelIsRight; }
  ProductCost cost(int64_t batch) const;
};

/// Of the product and of the tasks that turn something; see planProduct.
ProductCost ProductRoles::cost(int64_t batch) const {
  ArrayRef<int64_t> shape = milShape(kernel.value),
                    otherShape = milShape(other.value);
  int64_t outputs = shape[turnsKernel() ? zin::W : zin::H];
  int64_t taps = shape[turnsKernel() ? zin::H : zin::W];
  int64_t kept = otherShape[contractsRows() ? zin::W : zin::H];
  double rowBytes = double(taps) * halfBytes;
  double kernelBytes = double(shape[zin::C]) * outputs * rowBytes;
  double runs = std::ceil(kept * rowBytes / double(h13.wholeL2Bytes()));
  bool isKernelNear = isNear(kernel.value) && kernelBytes <= mostNearBytes();
  bool isWritten = turnsKernel() || isKernelNear;
  ProductCost cost =
      planProduct(h13, {.matrices = batch,
                        .outputs = outputs,
                        .taps = taps,
                        .kept = kept,
                        .runs = int64_t(std::min(runs, double(kept))),
                        .kernels = shape[zin::C],
                        .isInterleaved =
                            isWritten && interleaveOf(h13, outputs, taps) > 1,
                        .isNear = isWritten,
                        .isSourceNear = isNear(other.value),
                        .mayStream = contractsRows(),
                        .turnsBack = kernelIsRight})
          .cost;
  cost.tasks += turnsKernel() + !contractsRows();
  // What is turned may have to come from memory for that, too.
  if (isWritten)
    cost.bytes += isKernelNear ? kernelBytes : 2 * kernelBytes;
  return cost;
}

/// The product of two computed matrices in the way that costs less.
Value multiplyComputed(OpBuilder &builder, Location location, BatchedOperand x,
                       BatchedOperand y) {
  ArrayRef<int64_t> xShape = milShape(x.value), yShape = milShape(y.value);
  int64_t rows = xShape[x.transposed ? zin::W : zin::H];
  int64_t columns = yShape[y.transposed ? zin::H : zin::W];
  int64_t batch = std::max(xShape[zin::C], yShape[zin::C]);
  ProductRoles roles = {x, y, /*kernelIsRight=*/false},
               exchanged = {y, x, /*kernelIsRight=*/true};
  ProductCost cost = roles.cost(batch), other = exchanged.cost(batch);
  // Whether that takes fewer tasks or more.
  if (other.isLessThan(cost, savedTaskBytes) &&
      other.isLessThan(cost, exchangeTaskBytes))
    roles = exchanged;
  Value kernel = roles.kernel.value;
  if (roles.turnsKernel())
    kernel = zin::transposeBy(builder, location, kernel,
                              {zin::N, zin::D, zin::C, zin::W, zin::H});
  return zin::MatMulOp::create(
      builder, location,
      halfType(builder.getContext(), {1, 1, batch, rows, columns}),
      roles.other.value, kernel, /*bias=*/Value(),
      /*contract_rows=*/roles.contractsRows(),
      /*outputs_on_rows=*/!roles.kernelIsRight, zin::NeuronAttr());
}

/// y[..., n] = sum over k of x[..., k] * weight[n, k]: all leading dimensions
/// of x are rows of one matrix.
struct LinearRule : OpConversionPattern<mil::LinearOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(mil::LinearOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    ArrayRef<int64_t> x = milShape(op.getX());
    int64_t outputs = milShape(op.getWeight())[0], contracted = x.back();
    int64_t rows = llvm::product_of(x.drop_back());
    Value kernel = constantOf(
        rewriter, location,
        kernelElements(op.getWeight(), {0}, outputs, contracted, false));
    Value matrix = reshapeTo(rewriter, location, adaptor.getX(),
                             {1, 1, 1, rows, contracted});
    Value bias;
    if (op.getBias()) {
      SmallVector<double> values = *mil::getConstantNumbers(op.getBias());
      values.resize(outputs, values.front());
      bias = materializeHalf(rewriter, location, values, {1, 1, 1, 1, outputs});
    }
    Value result = zin::MatMulOp::create(
        rewriter, location, halfType(op.getContext(), {1, 1, 1, rows, outputs}),
        matrix, kernel, bias, /*contract_rows=*/false,
        /*outputs_on_rows=*/false, zin::NeuronAttr());
    ArrayRef<int64_t> y = milShape(op.getResult());
    rewriter.replaceOp(
        op, reshapeTo(rewriter, location, result, alignShape(y, y.size())));
    return success();
  }
};

/// A value whose batch dimensions are those of the result, or all 1, as one
/// batch.
Value asBatch(OpBuilder &builder, Location location, Value x,
              ArrayRef<int64_t> batch) {
  ArrayRef<int64_t> own = milShape(x).take_front(zin::H);
  if (llvm::product_of(own) > 1)
    for (unsigned dim = 0; dim < zin::H; ++dim)
      if (milShape(x)[dim] != batch[dim])
        x = takeAlong(builder, location, x, dim,
                      SmallVector<int64_t>(batch[dim], 0));
  ArrayRef<int64_t> shape = milShape(x);
  return reshapeTo(builder, location, x,
                   {1, 1, llvm::product_of(shape.take_front(zin::H)),
                    shape[zin::H], shape[zin::W]});
}

/// A product of a computed and a constant matrix. The computed side keeps its
/// place: outputs lie along the columns of the result if it is the left one,
/// along the rows if it is the right one.
struct MatmulRule : OpConversionPattern<mil::MatmulOp> {
  using OpConversionPattern::OpConversionPattern;

  /// Both operands are computed.
  static LogicalResult rewriteComputed(mil::MatmulOp op, OpAdaptor adaptor,
                                       bool transposeX, bool transposeY,
                                       ConversionPatternRewriter &rewriter) {
    Location location = op.getLoc();
    // Vectors are matrices of one row, the right one transposed.
    auto asMatrix = [](Value value) {
      SmallVector<int64_t> shape(milShape(value));
      if (shape.size() == 1)
        shape.insert(shape.begin(), 1);
      return shape;
    };
    SmallVector<int64_t> xShape = asMatrix(op.getX());
    SmallVector<int64_t> yShape = asMatrix(op.getY());
    transposeX &= milShape(op.getX()).size() > 1;
    transposeY |= milShape(op.getY()).size() == 1;
    size_t rank = std::max(xShape.size(), yShape.size());
    Shape5 xAligned = alignShape(xShape, rank),
           yAligned = alignShape(yShape, rank);
    SmallVector<int64_t> batch;
    for (unsigned dim = 0; dim < zin::H; ++dim)
      batch.push_back(std::max(xAligned[dim], yAligned[dim]));
    Value x = reshapeTo(rewriter, location, adaptor.getX(), xAligned);
    Value y = reshapeTo(rewriter, location, adaptor.getY(), yAligned);
    Value result = multiplyComputed(
        rewriter, location, {asBatch(rewriter, location, x, batch), transposeX},
        {asBatch(rewriter, location, y, batch), transposeY});
    ArrayRef<int64_t> shape = milShape(op.getResult());
    rewriter.replaceOp(op, reshapeTo(rewriter, location, result,
                                     alignShape(shape, shape.size())));
    return success();
  }

  LogicalResult
  matchAndRewrite(mil::MatmulOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    bool constantOnRight = bool(mil::getConstantElements(op.getY()));
    Value constant = constantOnRight ? op.getY() : op.getX();
    Value computed = constantOnRight ? adaptor.getX() : adaptor.getY();
    Value original = constantOnRight ? op.getX() : op.getY();
    std::optional<bool> transposeX = op.getTransposeXOrDefault();
    std::optional<bool> transposeY = op.getTransposeYOrDefault();
    if (!transposeX || !transposeY)
      return rewriter.notifyMatchFailure(op, "a flag is not constant");
    if (!constantOnRight && !mil::getConstantElements(op.getX()))
      return rewriteComputed(op, adaptor, *transposeX, *transposeY, rewriter);
    bool transposeComputed = constantOnRight ? *transposeX : *transposeY;
    bool transposeConstant = constantOnRight ? *transposeY : *transposeX;

    // Vectors are matrices: a row on the left, a column on the right. Their
    // transpose flags do not count.
    SmallVector<int64_t> c(milShape(constant)), x(milShape(original));
    if (c.size() == 1) {
      c.insert(constantOnRight ? c.end() : c.begin(), 1);
      transposeConstant = false;
    }
    if (x.size() == 1) {
      x.insert(constantOnRight ? x.begin() : x.end(), 1);
      transposeComputed = false;
    }
    // On the left the contracted dimension is the columns, on the right the
    // rows; a transpose swaps that.
    bool contractRows =
        constantOnRight ? transposeComputed : !transposeComputed;
    bool contractedFirst =
        constantOnRight ? !transposeConstant : transposeConstant;
    int64_t contracted = contractRows ? x[x.size() - 2] : x.back();
    int64_t kept = contractRows ? x.back() : x[x.size() - 2];
    int64_t outputs = contractedFirst ? c.back() : c[c.size() - 2];

    // The constant is repeated here, the computed matrices by the engine.
    size_t rank = std::max(x.size(), c.size());
    Shape5 xAligned = alignShape(x, rank), cAligned = alignShape(c, rank);
    ArrayRef<int64_t> xBatch = ArrayRef(xAligned).take_front(zin::H);
    ArrayRef<int64_t> cBatch = ArrayRef(cAligned).take_front(zin::H);
    SmallVector<int64_t> batches;
    for (auto [ofX, ofC] : llvm::zip_equal(xBatch, cBatch))
      batches.push_back(std::max(ofX, ofC));
    if (llvm::product_of(xBatch) > 1 && xBatch != ArrayRef(batches)) {
      computed =
          asBatch(rewriter, location,
                  reshapeTo(rewriter, location, computed, xAligned), batches);
      xBatch = batches;
    }
    int64_t batch = llvm::product_of(xBatch);
    SmallVector<int64_t> matrices = {0};
    if (llvm::product_of(cBatch) > 1)
      matrices = broadcastIndices(cBatch, batch == 1 ? cBatch : xBatch);
    Value kernel = constantOf(rewriter, location,
                              kernelElements(constant, matrices, outputs,
                                             contracted, contractedFirst));
    // One matrix for a whole batch of rows: the batch is more of them.
    if (matrices.size() == 1 && !contractRows && constantOnRight) {
      kept *= batch;
      batch = 1;
    }
    Shape5 matrixShape = contractRows ? Shape5{1, 1, batch, contracted, kept}
                                      : Shape5{1, 1, batch, kept, contracted};
    batch = std::max<int64_t>(batch, matrices.size());
    bool outputsOnRows = !constantOnRight;
    Shape5 resultShape = outputsOnRows ? Shape5{1, 1, batch, outputs, kept}
                                       : Shape5{1, 1, batch, kept, outputs};
    Value matrix = reshapeTo(rewriter, location, computed, matrixShape);
    Value result = zin::MatMulOp::create(
        rewriter, location, halfType(op.getContext(), resultShape), matrix,
        kernel, /*bias=*/Value(), contractRows, outputsOnRows,
        zin::NeuronAttr());
    ArrayRef<int64_t> y = milShape(op.getResult());
    rewriter.replaceOp(
        op, reshapeTo(rewriter, location, result, alignShape(y, y.size())));
    return success();
  }
};

} // namespace

Value ane::lowering::multiplyMatrices(OpBuilder &builder, Location location,
                                      Value x, Value y) {
  return multiplyComputed(builder, location, {x, /*transposed=*/false},
                          {y, /*transposed=*/false});
}

void ane::lowering::populateLinearPatterns(
    const MILToZinTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LinearRule, MatmulRule>(converter, patterns.getContext());
}
