//===- Linear.cpp - Matrix products ---------------------------------------===//

#include "IndexSpace.h"
#include "OpTable.h"
#include "Panel.h"
#include "mlir/IR/Threading.h"

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
      MatrixOperand<T> x(left, boolOr(in.getTransposeX(), false), true);
      MatrixOperand<T> y(right, boolOr(in.getTransposeY(), false), false);
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

} // namespace

void ane::reference::registerLinearOps(OpTable &table) {
  table.add<LinearOp>(linear);
  table.add<MatmulOp>(matmul);
}
