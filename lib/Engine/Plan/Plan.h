//===- Plan.h - What a task does, checked -----------------------*- C++ -*-===//
//
// Planning turns the registers of a task into one of these; executing a plan
// looks at no register, and cannot fail but at what a result of 8 bits is not
// known to hold.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_PLAN_PLAN_H
#define ANE_LIB_ENGINE_PLAN_PLAN_H

#include "Activation/ActivationTable.h"
#include "ane/TaskDescriptor/KernelLayout.h"
#include "ane/TaskDescriptor/Values.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <memory>
#include <optional>
#include <variant>

namespace ane::engine {

/// Extents of an operand, outermost first.
struct Extents {
  uint32_t groups = 1, depth = 1, channels = 1, height = 1, width = 1;

  /// Elements, UINT64_MAX if 64 bits do not hold them.
  uint64_t elements() const;
  bool operator==(const Extents &) const = default;
};

/// An element as it is stored. The arithmetic sees an 8-bit element as the
/// integer it is.
enum class Element { Half, UInt8, Int8 };

/// Bytes between neighbours of an operand, by axis.
struct Strides {
  int64_t group = 0, depth = 0, channel = 0, row = 0, column = 2;
  /// Channels stored side by side: channel c is at position c mod interleave of
  /// every column of plane c / interleave.
  uint32_t interleave = 1;
  /// The same of columns, where they take the place of interleaved channels:
  /// `column` leads from one group of them to the next.
  uint32_t columnInterleave = 1;
  Element element = Element::Half;

  int64_t elementBytes() const { return element == Element::Half ? 2 : 1; }
  int64_t channelOffset(uint32_t c) const {
    return c / interleave * channel + c % interleave * elementBytes();
  }
  int64_t columnOffset(uint32_t w) const {
    return w / columnInterleave * column +
           w % columnInterleave * elementBytes();
  }
  int64_t rowOffset(uint32_t g, uint32_t d, uint32_t c, uint32_t h) const {
    return g * group + d * depth + channelOffset(c) + h * row;
  }
};

/// An operand's place in memory or scratchpad.
struct Source {
  const uint8_t *origin = nullptr; ///< of element 0
  Strides strides;
};
struct Destination {
  uint8_t *origin = nullptr;
  Strides strides;
};

/// An operand that a task reads.
struct Operand {
  Extents extents;
  /// Nothing for the result of the task before, handed over without memory.
  std::optional<Source> source;
  /// Where an operand that is fetched and kept goes in the scratchpad.
  std::optional<Destination> copy;
  bool relu = false;
  /// The task multiplies and accumulates: denormals count as 0.
  bool flushed = false;
  /// Fetched from within rows, in a format that holds less than fp16.
  bool cropped = false;
};

/// The result of a task.
struct Result {
  Extents extents;
  /// Empty for a result that only the next task sees.
  llvm::SmallVector<Destination, 2> destinations;
  bool chained() const { return destinations.empty(); }
};

/// A convolution or pooling window. Outside the input lie zeros, or with
/// `padLowest` the lowest value.
struct Window {
  uint32_t width = 1, height = 1;
  uint32_t strideX = 1, strideY = 1;
  uint32_t left = 0, top = 0; ///< padding
  bool padLowest = false;

  /// An input with the padding that the windows of an output take.
  Extents paddedExtents(Extents input, const Extents &output) const;
  bool operator==(const Window &) const = default;
};

/// What the neural engine accumulates.
enum class Accumulation {
  Dense,       ///< weighted sum over channels and window
  Channelwise, ///< weighted sum over the window and the channels that each
               ///< output has for itself, in most tasks one
  ChannelSum,  ///< sum over channels and window
  WindowSum,   ///< sum over the window
  ChannelMax,  ///< maximum over channels and window
  WindowMax,   ///< maximum over the window
  PairProduct, ///< product of each even channel and the one behind it
  Pass,        ///< the operand itself, moved as the window says
};

enum class Nonlinearity { None, Relu, Table };

/// Where the coefficients of each lane start.
using Lanes = std::array<const uint8_t *, td::numLanes>;

/// The coefficients of a task as fp16 in their layout.
struct Kernel {
  td::KernelLayout layout;
  Lanes lanes = {};
  /// What the lanes point into if the task's own are packed.
  std::shared_ptr<const std::vector<uint8_t>> unpacked;
  bool shared = false; ///< all groups use the only group of the layout
};

struct NeuralTask {
  Accumulation accumulation = Accumulation::Pass;
  Operand source;
  Result result;
  Window window;
  std::optional<Kernel> kernel;
  /// Partial sums and sum overflow at 2^15.
  bool saturates = false;
  /// result = f((sum + bias row + bias) * scale)
  float bias = 0;
  float scale = 1;
  Nonlinearity nonlinearity = Nonlinearity::None;
  std::optional<ActivationTable> table;
  /// Of a large task from fp16 to fp16: the result of each, by its bits.
  std::shared_ptr<const std::vector<uint16_t>> halves;
};

using PlanarOp = td::PEOpMode;
using PostFunction = td::PEPostFunction;

/// A reduction of a planar task.
struct Reduction {
  bool depth = false, height = false, width = true;
  bool maximum = false;
  /// post(sum * scale + epsilon)
  float scale = 1;
  float epsilon = 0;
  PostFunction post = PostFunction::None;
};

struct PlanarTask {
  PlanarOp op = PlanarOp::Add;
  Operand first;
  std::optional<Operand> second;
  /// Factors in front of the operation, signs included.
  float firstFactor = 1;
  float secondFactor = 1;
  /// A second operand that is a factor of the result, of the same place as
  /// `second` one row further: the vector pair.
  std::optional<Operand> pairFactor;
  float scale = 1;
  float bias = 0;
  bool absolute = false;
  bool relu = false;
  std::optional<Reduction> reduction;
  Extents extents; ///< of the element-wise operation
  Result result;
};

using TaskPlan = std::variant<NeuralTask, PlanarTask>;

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_PLAN_PLAN_H
