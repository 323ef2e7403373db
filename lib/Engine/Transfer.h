//===- Transfer.h - Between fp16 memory and float arrays --------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_TRANSFER_H
#define ANE_LIB_ENGINE_TRANSFER_H

#include "Buffer.h"
#include "Plan/Plan.h"
#include "Workers.h"

namespace ane::engine {

/// Floats that may be read behind the last element of a tensor.
constexpr uint64_t tensorSlack = 32;

/// A dense array of floats, outermost group, innermost column.
class Tensor {
public:
  Tensor() = default;
  /// The elements are not initialised.
  explicit Tensor(const Extents &extents)
      : extents(extents), values(extents.elements() + tensorSlack) {}

  const Extents &shape() const { return extents; }
  bool empty() const { return !values.data(); }

  /// Rows are counted through groups, depth, channels and height.
  uint64_t numRows() const { return extents.elements() / extents.width; }
  float *row(uint64_t index) { return values.data() + index * extents.width; }
  const float *row(uint64_t index) const {
    return values.data() + index * extents.width;
  }
  uint64_t rowIndex(uint32_t g, uint32_t d, uint32_t c, uint32_t h) const {
    return ((uint64_t(g) * extents.depth + d) * extents.channels + c) *
               extents.height +
           h;
  }
  float *plane(uint32_t g, uint32_t d, uint32_t c) {
    return row(rowIndex(g, d, c, 0));
  }
  const float *plane(uint32_t g, uint32_t d, uint32_t c) const {
    return row(rowIndex(g, d, c, 0));
  }

private:
  Extents extents;
  Buffer values;
};

/// A row of a tensor by its coordinates.
struct RowPosition {
  uint32_t g, d, c, h;
  RowPosition(const Extents &extents, uint64_t row) {
    uint64_t plane = row / extents.height;
    uint64_t volume = plane / extents.channels;
    g = volume / extents.depth;
    d = volume % extents.depth;
    c = plane % extents.channels;
    h = row % extents.height;
  }
};

/// The operand's elements, NaNs replaced by +infinity, relu applied. Fills
/// `padded` (at least as large; the operand starts `top` rows down and `left`
/// columns in) and `fill` around it. `chain` is what the task before handed
/// over. Performs the operand's copy.
Tensor read(Workers &workers, const Operand &operand, const Tensor &chain,
            const Extents &padded, uint32_t top, uint32_t left, float fill);
Tensor read(Workers &workers, const Operand &operand, const Tensor &chain);

/// Whether the columns of a row are fp16 numbers side by side.
inline bool isRow(const Strides &strides) {
  return strides.element == Element::Half && strides.column == 2 &&
         strides.interleave == 1 && strides.columnInterleave == 1;
}

/// Whether no two elements share bytes, as far as the strides tell at once:
/// each stride spans what the smaller ones reach.
bool isDisjoint(const Strides &strides, const Extents &extents);

/// Converts and sanitises coefficients or elements that lie side by side.
void readRow(const uint8_t *source, float *dest, size_t count);

/// An element of a result of 8 bits that is neither 0 nor 1: how such a number
/// becomes 8 bits is not known.
struct OddElement {
  uint64_t index;
  float value;
};

/// Rounds to fp16 and stores, indeterminate values as +0. `finish`, if there is
/// one, is called on each row before, with its position; a chained result ends
/// there. Yields the first odd element, with which the run must end.
std::optional<OddElement>
write(Workers &workers, const Result &result, Tensor &values,
      llvm::function_ref<void(const RowPosition &, float *)> finish);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_TRANSFER_H
