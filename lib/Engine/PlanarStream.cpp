//===- PlanarStream.cpp - Tasks of the planar engine in one go ------------===//

#include "PlanarStream.h"
#include "PostFunction.h"
#include "StreamVectors.h"
#include "Transfer.h"
#include "llvm/Support/Endian.h"
#include <limits>

using namespace ane;
using namespace ane::engine;

static bool isPlain(const Operand &operand) {
  return operand.source && isRow(operand.source->strides) && !operand.copy &&
         !operand.flushed && !operand.cropped;
}

#if defined(__x86_64__)

namespace ane::engine::avx512 {
namespace {
#define ANE_TARGET ANE_AVX512_TARGET
#define ANE_LAMBDA ANE_AVX512_LAMBDA
#include "PlanarStream.inc"
#undef ANE_TARGET
#undef ANE_LAMBDA
} // namespace
} // namespace ane::engine::avx512

namespace ane::engine::avx2 {
namespace {
#define ANE_TARGET ANE_AVX2_TARGET
#define ANE_LAMBDA ANE_AVX2_LAMBDA
#include "PlanarStream.inc"
#undef ANE_TARGET
#undef ANE_LAMBDA
} // namespace
} // namespace ane::engine::avx2

static void streamRow(Instructions instructions, const PlanarTask &task,
                      const PlanarRow &row) {
  instructions == Instructions::AVX512 ? avx512::streamRow(task, row)
                                       : avx2::streamRow(task, row);
}

#else

static void streamRow(Instructions, const PlanarTask &, const PlanarRow &) {}

#endif

/// Whether reducing the columns of a row gives the same bits in any order.
static bool isOrderless(const PlanarTask &task) {
  const Reduction &reduction = *task.reduction;
  if (!reduction.width || reduction.height || reduction.depth || task.second ||
      task.first.extents.width != task.extents.width)
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
  const Extents &extents = task.reduction ? task.result.extents : task.extents;
  const Destination &destination = task.result.destinations.front();
  auto rowOf = [](const Operand &operand, const RowPosition &at) {
    auto pick = [](uint32_t index, uint32_t extent) {
      return extent == 1 ? 0 : index;
    };
    const Extents &own = operand.extents;
    return operand.source->origin +
           operand.source->strides.rowOffset(
               pick(at.g, own.groups), pick(at.d, own.depth),
               pick(at.c, own.channels), pick(at.h, own.height));
  };
  uint64_t rows = extents.elements() / extents.width;
  for (uint64_t index = 0; index < rows; ++index) {
    RowPosition at(extents, index);
    PlanarRow row = {rowOf(task.first, at), nullptr,
                     destination.origin +
                         destination.strides.rowOffset(at.g, at.d, at.c, at.h),
                     task.first.extents.width == 1, false};
    if (task.second) {
      row.second = rowOf(*task.second, at);
      row.secondBroadcast = task.second->extents.width == 1;
    }
    streamRow(instructions, task, row);
  }
}
