//===- Target.h - What a chip can do ----------------------------*- C++ -*-===//
//
// Limits and capacities of a target as data: code asks the description, a
// second generation is a second description. Each number says in its comment
// where it comes from.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_TARGET_H
#define ANE_TARGET_TARGET_H

#include "ane/Support/Half.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>
#include <string>

namespace ane {

/// Magnitude from which on sums of products are infinite. Measured on M1;
/// docs/numerics.md.
inline constexpr double accumulatorLimit = 32768;

/// What a chip can do. Extents count elements, sizes are bytes, unless a name
/// or a comment says otherwise.
struct TargetDescription {
  llvm::StringLiteral name;
  llvm::StringLiteral description;

  /// Largest extents of a tensor.
  int64_t maxBatch;
  int64_t maxDepth;
  int64_t maxChannels;
  int64_t maxHeight;
  int64_t maxWidth;
  int64_t maxRank;

  /// Pairs of an index and an element that one op compares.
  int64_t maxChosenElements;

  /// Groups of one task, the width of the NumGroups register.
  int64_t maxGroups;

  /// Largest convolution window in fp16, dilation included.
  int64_t maxKernelHeight;
  int64_t maxKernelWidth;
  /// Largest pooling window.
  int64_t maxPoolWindow;
  /// Largest stride of a window, and padding in front of it.
  int64_t maxStride;
  int64_t maxPadding;
  /// Input channels one output of a unicast task can read.
  int64_t maxUnicastChannels;

  /// Bytes of coefficients that an engine holds for a task, which are those of
  /// its lane.
  int64_t kernelMemoryBytes;
  /// Bytes of coefficients one task can stream. It does if one output for each
  /// engine takes more than its memory, or if outputs have few pixels.
  int64_t maxTaskCoefficientBytes;
  /// Bytes of the constant section.
  int64_t maxKernelSectionBytes;
  /// Bytes of intermediate values in memory at a time, and of all that a
  /// program has there: inputs, outputs, coefficients, intermediate values,
  /// tasks.
  int64_t maxScratchBytes;
  int64_t maxProgramBytes;
  /// Bytes of the scratchpad.
  int64_t l2Bytes;

  /// Rows of a surface start at multiples of this many bytes.
  int64_t rowAlignment;
  /// Surfaces start at multiples of this many bytes.
  int64_t pageBytes;
  /// Steps of L2 addresses in bytes.
  int64_t l2Granule;
  /// Longest piece of a row that a streamed operand of each engine keeps in L2
  /// at a time, in bytes.
  int64_t neStreamBytes;
  int64_t peStreamBytes;
  /// The same for a copy of several rows that exchanges channels and columns.
  int64_t neExchangeBytes;

  /// Output channels a weight row interleaves at most: in general, and where
  /// the input is at most `smallInput` pixels high and wide.
  unsigned ocgCap;
  unsigned ocgCapSmall;
  int64_t smallInput;
  /// Pixels of an output that are accumulated at a time with any number of
  /// interleaved outputs, so that coefficients are used once.
  int64_t accumulatedPixels;

  /// Neural engines (NE), each with a lane of coefficients,
  /// multiply-accumulates of one in a cycle, and fixed cycles of a task.
  int64_t neuralEngines;
  int64_t macsPerCycle;
  int64_t taskOverheadCycles;
  /// Pixels that a NE computes at a time at least.
  int64_t patchPixels;
  /// Elements that the planar engine computes in a cycle.
  int64_t planarElementsPerCycle;
  /// Banks of L2, each `l2Granule` wide; one access to each in a cycle.
  int64_t l2Banks;
  int64_t clockMegahertz;
  /// Megabytes (10^6 bytes) in a second between memory and engine.
  int64_t memoryMegabytesPerSecond;
  /// Starting a program, in microseconds.
  int64_t dispatchMicroseconds;
  /// The model fitted to measured programs: 10^6 multiply-accumulates and
  /// megabytes in a second.
  int64_t fittedMegamacsPerSecond;
  int64_t fittedMegabytesPerSecond;

  /// The bytes of L2 that values may take, the rest being for tiles and for
  /// what first fit cannot use. Published: less than all of it.
  constexpr int64_t usableL2Bytes() const { return l2Bytes * 3 / 4; }
  /// The bytes up to which a value is expected to lie in L2 as a whole: half of
  /// it leaves room for what the value is made of. Assigned.
  constexpr int64_t wholeL2Bytes() const { return l2Bytes / 2; }
  /// The bytes above which a value is worth to be cut: one that stays in L2 as
  /// a whole takes room from others beside it. Assigned.
  constexpr int64_t largeL2Bytes() const { return l2Bytes / 4; }
  /// Elements of fp16 between places where rows may start.
  constexpr int64_t rowStep() const { return rowAlignment / halfBytes; }
  /// Bytes from a row of `columns` elements of fp16 to the next one.
  constexpr int64_t rowPitch(int64_t columns) const {
    return llvm::alignTo(columns * halfBytes, rowAlignment);
  }
  /// The cycles of products while all NEs compute, of memory for bytes, and the
  /// bytes that memory moves in some cycles or in a task that does nothing.
  constexpr int64_t productCycles(int64_t products) const {
    return products / (neuralEngines * macsPerCycle);
  }
  constexpr int64_t memoryCycles(int64_t bytes) const {
    return bytes * clockMegahertz / memoryMegabytesPerSecond;
  }
  constexpr int64_t memoryBytes(int64_t cycles) const {
    return cycles * memoryMegabytesPerSecond / clockMegahertz;
  }
  constexpr int64_t taskBytes() const {
    return memoryBytes(taskOverheadCycles);
  }
  /// Bytes between channels of a tile in L2, where channels lie inside rows.
  int64_t l2ChannelBytes(int64_t columns) const;
  /// Channels of an operand of `columns` columns of which a task may hold one
  /// row in L2, so that operands and result fit together. `streamBytes` is one
  /// of the two limits above.
  int64_t maxTileChannels(int64_t columns, int64_t streamBytes) const;
  /// The same for a copy that exchanges channels and columns, whose result lies
  /// in L2 as well and has up to `maxWidth` columns; a multiple of the elements
  /// in `rowAlignment`.
  int64_t maxExchangedChannels(int64_t columns) const;

  /// The id of a rule of the target in docs/constraints.md: `h13-conv-c1` for
  /// "conv-c1".
  std::string rule(llvm::StringRef name) const;
};

/// The targets there are.
llvm::ArrayRef<TargetDescription> allTargets();

/// The target of that name, or null.
const TargetDescription *findTarget(llvm::StringRef name);

/// What is wrong with a name that no target has.
std::string unknownTarget(llvm::StringRef name);

/// The target of that name. Where there is none it is null, and an error at
/// `op` tells which there are.
template <typename Op>
const TargetDescription *findTargetFor(Op op, llvm::StringRef name) {
  const TargetDescription *target = findTarget(name);
  if (!target)
    op->emitError() << unknownTarget(name);
  return target;
}

} // namespace ane

#endif // ANE_TARGET_TARGET_H
