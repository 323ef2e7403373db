//===- Partition.h - Functions cut into segments ----------------*- C++ -*-===//
//
// What the engine cannot run falls out of a function; what is left is cut into
// segments. docs/partition.md states the rules.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_PARTITION_H
#define ANE_DIALECT_MIL_TRANSFORMS_PARTITION_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include <string>

namespace ane::mil {

/// The dimensions of a tensor that passes between segments, as the host has.
inline constexpr int64_t mostHostDims = 5;

/// Who runs a segment.
enum class Processor { Engine, Cpu };

/// Ops that the engine does not run, and why, in the order in which they fell
/// out.
using FallenOps = llvm::MapVector<mlir::Operation *, std::string>;

/// A part of a function: ops that one processor runs together.
struct Segment {
  Processor processor = Processor::Engine;
  /// In the order of the function. Constants, and what is computed from them
  /// alone, are in none: each segment gets those that it needs.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Values that others made or parameters of the function, and results that
  /// others read or the function returns; in the order of their definitions.
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::Value> outputs;
};

/// A function as segments, in an order in which they can run.
struct FunctionSegments {
  mil::FuncOp func;
  llvm::SmallVector<Segment> segments;
  /// The names of all parameters and of what crosses between segments: those of
  /// the function, made different from each other.
  llvm::MapVector<mlir::Value, std::string> names;
  /// Ops that are on the processor only because of where they stand, and why.
  FallenOps drawn;

  bool hasEngineSegment() const;
};

/// The ops of a function that are constant, or computed from constants alone
/// and not random.
llvm::DenseSet<mlir::Operation *> findConstants(FuncOp func);

/// Cuts a function without states and blocks. Ops that are no constants and in
/// `fallen` run on the processor, the others on the engine, but for
/// * those that would take an integer from another segment: the engine holds
///   integers as fp16, and how large they are is known within a segment only;
/// * those of a segment that would only move elements, which is not worth a
///   dispatch;
/// * those that make integers of integers for the processor alone, where they
///   have no limit;
/// * those between two ops that share what no segment can hand over: a list, a
///   tensor of unknown extents or of more dimensions than the host has.
/// Segments of both kinds alternate, and each op is in the earliest of its kind
/// that its operands allow; the first segment is of the kind that makes fewer
/// segments. What cannot be handed over is made where it is read first. What
/// nothing needs is left out. Constants that the function
/// returns come from the first segment of the processor, or from one at the
/// end.
///
/// A segment of the engine with more than `maxPorts` inputs and outputs becomes
/// several that follow each other, each of as many ops as can be, if no integer
/// must cross between them. 0 is no limit.
FunctionSegments cutFunction(FuncOp func, const FallenOps &fallen,
                             size_t maxPorts = 0);

/// Whether an op can be in a segment: neither blocks nor accesses to states
/// can.
bool canBeInSegment(mlir::Operation *op);

/// Makes a function of a segment at the end of `module`, named `name`, with the
/// inputs as parameters and the outputs as results.
FuncOp makeSegmentFunction(const FunctionSegments &cut, const Segment &segment,
                           llvm::StringRef name, mlir::ModuleOp module);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_TRANSFORMS_PARTITION_H
