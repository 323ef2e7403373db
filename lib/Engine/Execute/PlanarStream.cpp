//===- PlanarStream.cpp - Tasks of the planar engine in one go ------------===//

#include "Execute/PlanarStream.h"
#include "Execute/PostFunction.h"
#include "HalfConversion.h"
#include "StreamVectors.h"
#include "Transfer.h"
#include "llvm/Support/Endian.h"
#include <array>
#include <cmath>
#include <limits>

using namespace ane;
using namespace ane::engine;

static bool isPlain(const Operand &operand) {
  return operand.source && isRow(operand.source->strides) && !operand.copy &&
         !operand.flushed && !operand.cropped;
}

namespace {

/// A row of the operands and the result.
struct PlanarRow {
  const uint8_t *first;
  const uint8_t *second; ///< null for none
  uint8_t *target;
};

/// The rows of a task, one after the other.
class PlanarRows {
public:
  explicit PlanarRows(const PlanarTask &task)
      : extents(task.reduction ? task.result.extents : task.extents) {
    const Destination &destination = task.result.destinations.front();
    at = {task.first.source->origin, nullptr, destination.origin};
    first = stepsOf(task.first);
    if (task.second) {
      at.second = task.second->source->origin;
      second = stepsOf(*task.second);
    }
    bool isInPlace =
        at.first == at.target || (at.second && at.second == at.target);
    copy = RowCopy(isInPlace ? extents.width : 0);
    const Strides &strides = destination.strides;
    target = {strides.row, strides.channel, strides.depth, strides.group};
    counts = {extents.height, extents.channels, extents.depth, extents.groups};
  }

  bool any() const { return position.back() < counts.back(); }

  PlanarRow row() {
    PlanarRow row = at;
    if (copy.isEmpty())
      return row;
    if (at.first == at.target)
      row.first = copy.of(at.target);
    if (at.second == at.target)
      row.second = at.first == at.target ? row.first : copy.of(at.target);
    return row;
  }

  void next() {
    for (unsigned axis = 0;; ++axis) {
      ++position[axis];
      move(axis, 1);
      if (position[axis] < counts[axis] || axis + 1 == numAxes)
        return;
      move(axis, -int64_t(position[axis]));
      position[axis] = 0;
    }
  }

private:
  /// From innermost to outermost: rows, channels, depth, groups.
  static constexpr unsigned numAxes = 4;
  using Steps = std::array<int64_t, numAxes>;

  /// An operand that is one element long along an axis stays there.
  static Steps stepsOf(const Operand &operand) {
    const Strides &strides = operand.source->strides;
    const Extents &own = operand.extents;
    auto step = [](uint32_t extent, int64_t stride) {
      return extent == 1 ? 0 : stride;
    };
    return {step(own.height, strides.row), step(own.channels, strides.channel),
            step(own.depth, strides.depth), step(own.groups, strides.group)};
  }

  void move(unsigned axis, int64_t count) {
    at.first += count * first[axis];
    if (at.second)
      at.second += count * second[axis];
    at.target += count * target[axis];
  }

  const Extents &extents;
  PlanarRow at;
  Steps first = {}, second = {}, target = {};
  std::array<uint32_t, numAxes> counts, position = {};
  RowCopy copy;
};

} // namespace

#if defined(__x86_64__)

#define ANE_LOOPS "Execute/PlanarStream.inc"
#include "EachInstructions.inc"

static void streamRows(Instructions instructions, const PlanarTask &task) {
  instructions == Instructions::AVX512 ? avx512::streamRows(task)
                                       : avx2::streamRows(task);
}

#else

static void streamRows(Instructions, const PlanarTask &) {}

#endif

/// Whether reducing the columns of a row gives the same bits in any order.
static bool isOrderless(const PlanarTask &task) {
  const Reduction &reduction = *task.reduction;
  if (!reduction.width || reduction.height || reduction.depth || task.second ||
      task.absolute || task.first.extents.width != task.extents.width)
    return false;
  // -0 and +0 are the same maximum; adding anything but -0 makes them the same
  // result.
  if (reduction.maximum)
    return reduction.epsilon != 0 || !std::signbit(reduction.epsilon);
  // Of fp16 numbers, multiples of 2^-24 below 2^16, fp64 holds exactly the sum
  // of as many.
  constexpr uint32_t maxExact = 1 << (53 - 24 - 16);
  return task.op != PlanarOp::SquareOfSum && std::fabs(task.firstFactor) == 1 &&
         task.extents.width <= maxExact;
}

bool engine::canStream(Instructions instructions, const PlanarTask &task) {
  return instructions != Instructions::Portable && !task.pairFactor &&
         (!task.reduction || isOrderless(task)) && isPlain(task.first) &&
         (!task.second || isPlain(*task.second)) &&
         task.result.destinations.size() == 1 &&
         isRow(task.result.destinations.front().strides);
}

void engine::stream(Instructions instructions, const PlanarTask &task) {
  streamRows(instructions, task);
}
