//===- View.cpp - Strided views while lowering ----------------------------===//

#include "View.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

std::optional<int64_t> View::linearPitch() const {
  assert(interleave == 1 && "rows that lie side by side have no distance");
  int64_t pitch = 0, count = 1;
  for (unsigned dim = numStrided; dim-- > 0;) {
    if (shape[dim] == 1)
      continue;
    if (pitch == 0)
      pitch = strides[dim];
    if (strides[dim] != pitch * count)
      return std::nullopt;
    count *= shape[dim];
  }
  // One row has any pitch; take the one it has.
  return pitch ? pitch : strides[H];
}

bool View::isSameAs(const View &other) const {
  View same = other;
  for (unsigned dim = 0; dim < numStrided; ++dim)
    if (shape[dim] == 1)
      same.strides[dim] = strides[dim];
  return *this == same;
}

std::optional<View> View::reshaped(llvm::ArrayRef<int64_t> newShape,
                                   int64_t step) const {
  assert(interleave == 1 && "elements that lie side by side have no stride");
  // Elements at one distance, the innermost first.
  struct Run {
    int64_t extent, stride;
  };
  llvm::SmallVector<Run, numDims> runs;
  for (unsigned dim = numDims; dim-- > 0;) {
    int64_t stride = dim == W ? elementBytes : strides[dim];
    if (shape[dim] == 1)
      continue;
    if (!runs.empty() && stride == runs.back().stride * runs.back().extent)
      runs.back().extent *= shape[dim];
    else
      runs.push_back({shape[dim], stride});
  }

  View result = *this;
  llvm::copy(newShape, result.shape.begin());
  const Run *run = runs.begin();
  int64_t taken = 1;
  for (unsigned dim = numDims; dim-- > 0;) {
    int64_t extent = newShape[dim];
    if (extent == 1) {
      // Any stride; that of packed elements.
      if (dim == H)
        result.strides[H] = llvm::alignTo(newShape[W] * elementBytes, step);
      else if (dim != W)
        result.strides[dim] = result.strides[dim + 1] * newShape[dim + 1];
      continue;
    }
    if (run == runs.end() || run->extent % (taken * extent) != 0)
      return std::nullopt;
    int64_t stride = run->stride * taken;
    if (dim == W ? stride != elementBytes : stride % step != 0)
      return std::nullopt;
    if (dim != W)
      result.strides[dim] = stride;
    taken *= extent;
    if (taken == run->extent) {
      ++run;
      taken = 1;
    }
  }
  return result;
}

int64_t View::rows() const { return shape[N] * shape[D] * shape[C] * shape[H]; }

View View::swapped(unsigned a, unsigned b) const {
  View result = *this;
  std::swap(result.shape[a], result.shape[b]);
  std::swap(result.strides[a], result.strides[b]);
  if (interleave > 1 && (interleaved == a || interleaved == b))
    result.interleaved = interleaved == a ? b : a;
  return result;
}

View View::permuted(llvm::ArrayRef<int64_t> order) const {
  assert(order[W] == W && "columns are always side by side");
  View result = *this;
  for (unsigned dim = 0; dim < W; ++dim) {
    result.shape[dim] = shape[order[dim]];
    result.strides[dim] = strides[order[dim]];
    if (order[dim] == interleaved)
      result.interleaved = interleave > 1 ? dim : C;
  }
  return result;
}

View View::permutedBack(llvm::ArrayRef<int64_t> order) const {
  llvm::SmallVector<int64_t, numDims> back(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    back[from] = to;
  return permuted(back);
}

View View::sliced(unsigned dim, int64_t begin, int64_t extent,
                  int64_t step) const {
  View result = *this;
  result.shape[dim] = extent;
  if (dim == W) {
    assert(step == 1 && "columns have no stride");
    result.offset += begin * interleave * elementBytes;
    return result;
  }
  if (dim == interleaved && interleave > 1) {
    assert(step == 1 && begin % interleave == 0 && extent % interleave == 0 &&
           "what lies side by side stays together");
    result.offset += begin / interleave * strides[dim];
    return result;
  }
  result.offset += begin * strides[dim];
  result.strides[dim] *= step;
  return result;
}

View View::withRows(int64_t n, int64_t d, int64_t c, int64_t h) const {
  View result = *this;
  result.shape = {n, d, c, h, shape[W]};
  assert(result.rows() == rows() && "not as many rows");
  result.strides = packedStrides(result.shape, *linearPitch());
  return result;
}

View View::rowsAlongChannels() const {
  View result = *this;
  if (interleave == 1)
    return withRows(1, 1, rows(), 1);
  assert(interleaved == H && "rows lie side by side");
  result.shape = {1, 1, rows(), 1, shape[W]};
  result.strides =
      packedStrides({1, 1, rows() / interleave, 1, shape[W]}, strides[H]);
  result.interleaved = C;
  return result;
}

ViewAttr View::attr() const {
  assert((interleave == 1 || interleaved == C) && "tasks interleave channels");
  // Most are all of a buffer, and finding that one again takes long.
  if (offset == buffer.getOffset() && interleave == buffer.getInterleave() &&
      llvm::equal(shape, buffer.getShape()) &&
      llvm::equal(strides, buffer.getStrides()))
    return buffer;
  return ViewAttr::get(buffer.getContext(), buffer.getBuffer(), offset, shape,
                       strides, interleave);
}
