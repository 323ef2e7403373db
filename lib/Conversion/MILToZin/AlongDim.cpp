//===- AlongDim.cpp - What happens along one dimension --------------------===//

#include "AlongDim.h"
#include "ane/Dialect/Zin/IR/Views.h"

using namespace mlir;
using namespace ane;
using namespace ane::lowering;

namespace {

/// Indices `begin`, `begin + step`, ...
struct Run {
  int64_t begin, step, count;
};

/// Beyond so many runs, a task each, one product is cheaper. Of a long
/// dimension a product waits longer for the coefficients of each result than a
/// task takes. Assigned.
size_t maxRuns(int64_t extent) {
  constexpr int64_t longExtent = 1024;
  return extent < longExtent ? 16 : 256;
}

/// A product for so many results at a time: a matrix for all grows with the
/// square of the extent (assigned).
constexpr size_t maxProduct = 1024;

/// A product reads all elements from the first to the last that it chooses
/// among: no more than so many (assigned; a task has channels for four times as
/// many).
constexpr int64_t widestProduct = int64_t(1) << 14;

/// A run of so many elements is a task of its own rather than rows of a product
/// (assigned).
constexpr int64_t longRun = 128;

/// Up to so many copies of all elements are put side by side, which is about as
/// cheap as a product and keeps what a product loses: denormals, and all that
/// is beside an infinity (assigned).
constexpr size_t maxCopies = 4;

/// How often each element comes if all come as often, in order, and that can be
/// so many copies; otherwise 0.
size_t copiesOf(ArrayRef<int64_t> indices, int64_t extent) {
  size_t copies = indices.size() / extent;
  if (copies < 2 || copies > maxCopies || indices.size() % extent != 0)
    return 0;
  for (auto [place, index] : llvm::enumerate(indices))
    if (index != static_cast<int64_t>(place / copies))
      return 0;
  return copies;
}

SmallVector<Run> findRuns(ArrayRef<int64_t> indices) {
  SmallVector<Run> runs;
  for (size_t i = 0; i < indices.size();) {
    Run run = {indices[i], 1, 1};
    if (i + 1 < indices.size() && indices[i + 1] > indices[i]) {
      run.step = indices[i + 1] - indices[i];
      while (i + run.count < indices.size() &&
             indices[i + run.count] - indices[i + run.count - 1] == run.step)
        ++run.count;
    }
    // Two elements that happen to be far apart may each begin a better run.
    if (run.count == 2 && run.step > 1)
      run.count = run.step = 1;
    i += run.count;
    runs.push_back(run);
  }
  return runs;
}

SmallVector<int64_t> shapeWith(Value x, unsigned dim, int64_t extent) {
  SmallVector<int64_t> shape(milShape(x));
  shape[dim] = extent;
  return shape;
}

Value view(OpBuilder &builder, Location location, Value x, unsigned dim,
           const Run &run) {
  return zin::viewAlong(builder, location, x, dim, run.begin, run.count,
                        run.step);
}

/// How many of the indices one product makes.
size_t countOfProduct(ArrayRef<int64_t> indices) {
  int64_t least = indices.front(), most = least;
  size_t count = 0;
  for (int64_t index : indices.take_front(maxProduct)) {
    least = std::min(least, index);
    most = std::max(most, index);
    if (most - least >= widestProduct)
      break;
    ++count;
  }
  return count;
}

/// Indices in several pieces, if they have too many runs for a task each: long
/// runs and what lies between them, or as many as one product makes. Nothing
/// where one product of a whole dimension of `extent` elements makes them.
SmallVector<ArrayRef<int64_t>> piecesOf(ArrayRef<int64_t> indices,
                                        int64_t extent) {
  SmallVector<ArrayRef<int64_t>> pieces;
  size_t begin = 0, end = 0;
  auto add = [&] {
    if (begin < end)
      pieces.push_back(indices.slice(begin, end - begin));
    begin = end;
  };
  for (const Run &run : findRuns(indices)) {
    bool isLong = run.step == 1 && run.count >= longRun;
    if (isLong)
      add();
    end += run.count;
    if (isLong)
      add();
  }
  add();
  if (pieces.size() > 1 && pieces.size() <= maxRuns(extent))
    return pieces;
  pieces.clear();
  for (; !indices.empty(); indices = indices.drop_front(pieces.back().size()))
    pieces.push_back(indices.take_front(countOfProduct(indices)));
  if (pieces.size() == 1 && extent <= widestProduct)
    pieces.clear();
  return pieces;
}

/// The part of the dimension that some indices choose in, and those in it.
std::pair<Run, SmallVector<int64_t>> within(ArrayRef<int64_t> indices) {
  auto [least, most] = std::minmax_element(indices.begin(), indices.end());
  int64_t begin = *least;
  return {{begin, 1, *most - begin + 1},
          llvm::map_to_vector(indices,
                              [&](int64_t index) { return index - begin; })};
}

} // namespace

Value ane::lowering::splatLike(OpBuilder &builder, Location location, Value x,
                               unsigned dim, int64_t count, double value) {
  return zin::ConstantOp::create(
      builder, location,
      cast<TypedAttr>(DenseElementsAttr::get(
          halfType(builder.getContext(), shapeWith(x, dim, count)),
          builder.getFloatAttr(builder.getF16Type(), value).getValue())));
}

int64_t ane::lowering::takenMatrixElements(ArrayRef<int64_t> indices,
                                           int64_t extent) {
  if (extent == 1 || findRuns(indices).size() <= maxRuns(extent) ||
      copiesOf(indices, extent) != 0)
    return 0;
  SmallVector<ArrayRef<int64_t>> pieces = piecesOf(indices, extent);
  if (pieces.empty())
    return int64_t(indices.size()) * extent;
  int64_t sum = 0;
  for (ArrayRef<int64_t> piece : pieces) {
    auto [part, inside] = within(piece);
    sum += takenMatrixElements(inside, part.count);
  }
  return sum;
}

Value ane::lowering::repeat(OpBuilder &builder, Location location, Value x,
                            const Shape5 &counts) {
  if (llvm::all_of(counts, [](int64_t count) { return count == 1; }))
    return x;
  SmallVector<int64_t> shape(milShape(x));
  for (auto [extent, count] : llvm::zip_equal(shape, counts))
    extent *= count;
  // A product with ones.
  Value one = zin::ConstantOp::create(
      builder, location,
      cast<TypedAttr>(DenseElementsAttr::get(
          halfType(builder.getContext(), counts),
          builder.getFloatAttr(builder.getF16Type(), 1).getValue())));
  return zin::ElementWiseOp::create(
      builder, location, halfType(builder.getContext(), shape),
      zin::EWTypeAttr::get(builder.getContext(), zin::EWType::Mult), x, one);
}

Value ane::lowering::takeAlong(OpBuilder &builder, Location location, Value x,
                               unsigned dim, ArrayRef<int64_t> indices) {
  int64_t extent = milShape(x)[dim];
  if (extent == 1 && indices.size() > 1) {
    Shape5 counts = {1, 1, 1, 1, 1};
    counts[dim] = indices.size();
    return repeat(builder, location, x, counts);
  }
  if (size_t copies = copiesOf(indices, extent))
    return zin::concatAlong(builder, location, SmallVector<Value>(copies, x),
                            dim,
                            /*interleave=*/true);
  SmallVector<Run> runs = findRuns(indices);
  SmallVector<Value> pieces;
  if (runs.size() > maxRuns(extent)) {
    // Where the parts move on evenly, all pieces have the same matrix.
    for (ArrayRef<int64_t> piece : piecesOf(indices, extent)) {
      auto [part, inside] = within(piece);
      pieces.push_back(takeAlong(builder, location,
                                 view(builder, location, x, dim, part), dim,
                                 inside));
    }
    if (!pieces.empty())
      return zin::concatAlong(builder, location, pieces, dim);
    std::vector<double> matrix(indices.size() * extent, 0);
    for (auto [row, index] : llvm::enumerate(indices))
      matrix[row * extent + index] = 1;
    return multiplyAlong(builder, location, x, dim, matrix);
  }
  for (const Run &run : runs)
    pieces.push_back(view(builder, location, x, dim, run));
  return zin::concatAlong(builder, location, pieces, dim);
}

Value ane::lowering::imagesInTurns(
    OpBuilder &builder, Location location, int64_t rows, int64_t columns,
    function_ref<Value(int64_t row, int64_t column)> makeImage) {
  SmallVector<Value> inRows;
  for (int64_t row = 0; row < rows; ++row) {
    SmallVector<Value> images;
    for (int64_t column = 0; column < columns; ++column)
      images.push_back(makeImage(row, column));
    inRows.push_back(zin::concatAlong(builder, location, images, zin::W,
                                      /*interleave=*/true));
  }
  // Rows in turn are a matter of strides: as the last step, blocks of rows go
  // through all others.
  return zin::concatAlong(builder, location, inRows, zin::H,
                          /*interleave=*/true);
}

Value ane::lowering::multiplyAlong(OpBuilder &builder, Location location,
                                   Value x, unsigned dim,
                                   ArrayRef<double> matrix) {
  // The product works on rows and columns.
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, 5));
  if (dim < zin::H) {
    std::swap(order[dim], order[zin::H]);
    x = zin::transposeBy(builder, location, x, order);
  }
  bool onRows = dim != zin::W;
  ArrayRef<int64_t> shape = milShape(x);
  int64_t extent = shape[onRows ? zin::H : zin::W];
  int64_t outputs = matrix.size() / extent;
  Value kernel =
      materializeHalf(builder, location, matrix, {1, 1, 1, outputs, extent});
  Value y = zin::MatMulOp::create(
      builder, location,
      halfType(builder.getContext(),
               shapeWith(x, onRows ? zin::H : zin::W, outputs)),
      x, kernel, /*bias=*/Value(), /*contract_rows=*/onRows,
      /*outputs_on_rows=*/onRows, /*activation=*/zin::NeuronAttr());
  return dim < zin::H ? zin::transposeBy(builder, location, y, order) : y;
}
