//===- Linear.cpp - Matrix products ---------------------------------------===//

#include "IndexSpace.h"
#include "OpTable.h"
#include "Sums/Panel.h"
#include "mlir/IR/Threading.h"
#include <cmath>

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

namespace {

/// Where a matrix lies in memory.
template <typename T> struct Matrix {
  const T *data;
  int64_t rows, columns;
  int64_t rowStride, columnStride;

  Matrix transposed() const {
    return {data, columns, rows, columnStride, rowStride};
  }
  T at(int64_t row, int64_t column) const {
    return data[row * rowStride + column * columnStride];
  }
};

/// Adds x * y to the row-major matrix `out`.
template <typename T>
void addProduct(mlir::MLIRContext *context, Matrix<T> x, Matrix<T> y, T *out) {
  std::vector<T> rows;
  rows.reserve(x.rows * x.columns);
  for (int64_t row = 0; row < x.rows; ++row)
    for (int64_t k = 0; k < x.columns; ++k)
      rows.push_back(x.at(row, k));

  mlir::parallelFor(context, 0, panelCount<T>(y.columns), [&](size_t index) {
    constexpr int64_t width = Panel<T>::width;
    int64_t first = index * width, count = std::min(width, y.columns - first);
    Panel<T> panel(y.rows);
    for (int64_t k = 0; k < y.rows; ++k)
      for (int64_t column = 0; column < count; ++column)
        panel.at(k, column) = y.at(k, first + column);
    std::vector<SumOf<T>> sums = panel.multiply(rows.data(), x.rows);
    for (int64_t row = 0; row < x.rows; ++row)
      for (int64_t column = 0; column < count; ++column) {
        T &element = out[row * y.columns + first + column];
        element = static_cast<T>(static_cast<SumOf<T>>(element) +
                                 sums[row * width + column]);
      }
  });
}

/// `product(x, y, type)` of operands of one kind. Where one is of integers and
/// the other of fractions, both are taken as fp64 and the product is converted
/// to `type`, the type of x, as by a cast.
template <typename Fn>
Tensor multiply(const Tensor &x, const Tensor &y, RankedTensorType type,
                Fn product) {
  if (x.isFloat() == y.isFloat())
    return product(x, y, type);
  auto fp64 = Float64Type::get(type.getContext());
  return convert(product(convert(x, fp64), convert(y, fp64), type.clone(fp64)),
                 type.getElementType());
}

/// Sets each row of `out` to the bias, or to its one element.
template <typename T> void setRows(MutableArrayRef<T> out, const Tensor &bias) {
  withPayload(bias, [&](auto payload) {
    auto values = bias.values<decltype(payload)>();
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<T>(values[i % values.size()]);
  });
}

Tensor linear(LinearOp op, Inputs<LinearOp> in) {
  auto product = [&](const Tensor &x, const Tensor &weight,
                     RankedTensorType type) {
    Tensor result(type);
    int64_t inputs = weight.getDimSize(1), outputs = weight.getDimSize(0);
    int64_t rows = outputs ? result.getNumElements() / outputs : 0;
    withPayload(x, [&](auto payload) {
      using T = decltype(payload);
      MutableArrayRef<T> out = result.values<T>();
      if (in.getBias())
        setRows(out, *in.getBias());
      addProduct<T>(
          op.getContext(), {x.values<T>().data(), rows, inputs, inputs, 1},
          {weight.values<T>().data(), inputs, outputs, 1, inputs}, out.data());
    });
    return result;
  };
  return multiply(*in.getX(), *in.getWeight(),
                  cast<RankedTensorType>(op.getType()), product);
}

/// The last two dimensions of an operand, a vector as a row or as a column, and
/// the dimensions before them.
template <typename T> struct MatrixOperand {
  ArrayRef<int64_t> batch;
  Matrix<T> matrix;

  MatrixOperand(const Tensor &tensor, bool transpose, bool vectorIsRow) {
    const T *data = tensor.values<T>().data();
    ArrayRef<int64_t> shape = tensor.getShape();
    if (shape.size() == 1) {
      matrix = {data, 1, shape[0], shape[0], 1};
      if (!vectorIsRow)
        matrix = matrix.transposed();
      return;
    }
    batch = shape.drop_back(2);
    ArrayRef<int64_t> last = shape.take_back(2);
    matrix = {data, last[0], last[1], last[1], 1};
    if (transpose)
      matrix = matrix.transposed();
  }

  Matrix<T> at(int64_t index) const {
    Matrix<T> result = matrix;
    result.data += index * matrix.rows * matrix.columns;
    return result;
  }
};

Tensor matmul(MatmulOp op, Inputs<MatmulOp> in) {
  auto product = [&](const Tensor &left, const Tensor &right,
                     RankedTensorType type) {
    Tensor result(type);
    size_t kept = (left.getRank() > 1) + (right.getRank() > 1);
    ArrayRef<int64_t> batch = type.getShape().drop_back(kept);
    withPayload(left, [&](auto payload) {
      using T = decltype(payload);
      MatrixOperand<T> x(left, in.getBool("transpose_x"), true);
      MatrixOperand<T> y(right, in.getBool("transpose_y"), false);
      T *out = result.values<T>().data();
      forEachIndex<2>(
          batch,
          {broadcastStrides(x.batch, batch), broadcastStrides(y.batch, batch)},
          [&](const std::array<int64_t, 2> &at) {
            addProduct(op.getContext(), x.at(at[0]), y.at(at[1]), out);
            out += x.matrix.rows * y.matrix.columns;
          });
    });
    return result;
  };
  return multiply(*in.getX(), *in.getY(), cast<RankedTensorType>(op.getType()),
                  product);
}

/// One product [C, W] * [W, U] for each n and h. Its operands lie apart by
/// multiples of the extent of h.
Tensor einsum(EinsumOp op, Inputs<EinsumOp> in) {
  const Tensor &left = *in.getValues()[0], &right = *in.getValues()[1];
  Tensor result = resultOf(op);
  ArrayRef<int64_t> x = left.getShape(), y = right.getShape(),
                    out = result.getShape();
  ArrayRef<int64_t> batch = out.drop_back(3);
  int64_t rows = out[batch.size()], heads = out[batch.size() + 1],
          columns = out.back(), depth = x.back();
  auto at = [&](ArrayRef<int64_t> shape) {
    Strides strides = rowMajorStrides(shape);
    Strides result;
    for (size_t dim = 0; dim < batch.size(); ++dim)
      result.push_back(shape[dim] == 1 ? 0 : strides[dim]);
    size_t head = batch.size() + 1;
    result.push_back(shape[head] == 1 ? 0 : strides[head]);
    return result;
  };
  SmallVector<int64_t> places(batch);
  places.push_back(heads);
  Strides outStrides = at(out);
  std::vector<double> block(rows * columns);
  forEachIndex<3>(places, {at(x), at(y), outStrides},
                  [&](const std::array<int64_t, 3> &offset) {
                    llvm::fill(block, 0.0);
                    addProduct<double>(op.getContext(),
                                       {left.floats().data() + offset[0], rows,
                                        depth, x[batch.size() + 1] * depth, 1},
                                       {right.floats().data() + offset[1],
                                        depth, columns,
                                        y[batch.size() + 1] * columns, 1},
                                       block.data());
                    for (int64_t row = 0; row < rows; ++row)
                      std::copy_n(block.data() + row * columns, columns,
                                  result.floats().data() + offset[2] +
                                      row * heads * columns);
                  });
  return result;
}

/// The scores of one query with all keys, as weights.
void softmax(MutableArrayRef<double> scores) {
  double largest = -INFINITY, sum = 0;
  for (double score : scores)
    largest = std::max(largest, score);
  for (double &score : scores)
    sum += score = std::exp(score - largest);
  for (double &score : scores)
    score /= sum;
}

Tensor attention(ScaledDotProductAttentionOp op,
                 Inputs<ScaledDotProductAttentionOp> in) {
  Tensor result = resultOf(op);
  ArrayRef<int64_t> shape = in.getQuery()->getShape();
  int64_t queries = shape[shape.size() - 2], width = shape.back();
  int64_t keys = in.getKey()->getShape()[shape.size() - 2];
  int64_t values = result.getShape().back();
  double scale = 1 / std::sqrt(static_cast<double>(width));

  // Where the mask lies for each row of the scores, and how far apart the
  // entries of a row.
  SmallVector<int64_t> scoreShape(shape.drop_back());
  scoreShape.push_back(keys);
  std::vector<int64_t> maskRows;
  int64_t maskStep = 0;
  if (const Tensor *mask = in.getAttnMask()) {
    Strides strides = broadcastStrides(mask->getShape(), scoreShape);
    maskStep = strides.pop_back_val();
    forEachIndex<1>(
        shape.drop_back(), {strides},
        [&](const std::array<int64_t, 1> &at) { maskRows.push_back(at[0]); });
  }

  int64_t rows = llvm::product_of(shape.drop_back());
  mlir::parallelFor(op.getContext(), 0, rows, [&](size_t row) {
    const double *query = in.getQuery()->floats().data() + row * width;
    int64_t batch = row / queries;
    const double *key = in.getKey()->floats().data() + batch * keys * width;
    const double *value =
        in.getValue()->floats().data() + batch * keys * values;
    std::vector<double> weights(keys);
    for (int64_t k = 0; k < keys; ++k) {
      double sum = 0;
      for (int64_t i = 0; i < width; ++i)
        sum += query[i] * key[k * width + i];
      weights[k] = sum * scale;
      if (const Tensor *mask = in.getAttnMask()) {
        int64_t at = maskRows[row] + k * maskStep;
        if (mask->isFloat())
          weights[k] += mask->floats()[at];
        else if (!mask->ints()[at])
          weights[k] = -INFINITY;
      }
    }
    softmax(weights);
    double *out = result.floats().data() + row * values;
    for (int64_t k = 0; k < keys; ++k)
      for (int64_t i = 0; i < values; ++i)
        out[i] += weights[k] * value[k * values + i];
  });
  return result;
}

} // namespace

void ane::reference::registerLinearOps(OpTable &table) {
  table.add<LinearOp>(linear);
  table.add<MatmulOp>(matmul);
  table.add<EinsumOp>(einsum);
  table.add<ScaledDotProductAttentionOp>(attention);
}
