//===- Summary.h - What a task does, in a few numbers -----------*- C++ -*-===//
//
// A reader's view of a task, derived from its registers. Nothing here decides
// anything: a task whose registers are contradictory still has a summary, and
// what has no known meaning is `Unknown`. The rules are those that real
// programs follow (verified) unless a comment says otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TASKDESCRIPTOR_SUMMARY_H
#define ANE_TASKDESCRIPTOR_SUMMARY_H

#include "ane/TaskDescriptor/Values.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace ane::td {

/// Common.Cfg.TaskType and Header[8].ENE agree on it in every program.
enum class Engine : uint8_t { NE, PE };
/// `NE`, `PE`.
llvm::StringRef stringifyEngine(Engine engine);

/// What a task computes, apart from bias, scale and activation.
enum class Operation : uint8_t {
  // Neural engine: MACCfg.OpMode and KernelMode, UnicastEn and UnicastCin.
  Conv,          ///< dense or grouped, with constant coefficients; a matrix
                 ///< product by constants is one with a 1x1 window
  DepthwiseConv, ///< each output channel reads the one input channel, whether
                 ///< its coefficients are constants or not
  MatMul,        ///< coefficients that an earlier task wrote
  PoolSum,       ///< sum of a window of each channel. Assigned.
  PoolMax,       ///< maximum of a window of each channel. Assigned.
  ChannelSum,    ///< sum over all channels
  ChannelMax,    ///< maximum over all channels
  Copy,          ///< the input as it is
  Transpose,     ///< the input with channels and columns exchanged
  Relu,          ///< relu of the input, as it is read or as it is written
  Lut,           ///< an activation table applied to the input
  // Planar engine: TaskType, PE.Cfg. Products and scales are of the neural
  // engine, too.
  Add,      ///< sum, of both negated as well
  Subtract, ///< sum with one source negated
  Multiply,
  Maximum,
  Minimum,
  SquareOfSum,
  Scale,     ///< source 1 times a factor plus a constant
  Absolute,  ///< absolute value of source 1, or of what two sources make
  Affine,    ///< (source 1 + addend) * factor, a pair for each channel
  ReduceSum, ///< sum over columns, or over columns, rows and depth
  ReduceMax, ///< maximum over the same
  Unknown,
};
/// `conv`, `pool max`, `reduce sum`.
llvm::StringRef stringifyOperation(Operation operation);

/// Extents in elements, slowest first in memory of the usual layout.
struct Dimensions {
  uint32_t groups = 1; ///< NumGroups: groups of a convolution, else the batch
  uint32_t depth = 1;
  uint32_t channels = 1; ///< of one group
  uint32_t rows = 1;
  uint32_t columns = 1;

  /// Saturates.
  uint64_t elements() const;
  bool operator==(const Dimensions &) const = default;
};

/// A flow of bytes into or out of a task.
struct Stream {
  enum Role : uint8_t { Source1, Source2, Result, Coefficients };

  Role role;
  /// Where the bytes are: `Streamed` and `Kept` in memory, `InL2` in the
  /// scratchpad, `Chained` handed over from task to task. Coefficients are
  /// always in memory.
  Residence residence;
  /// Of a stream in memory whose header field enables it.
  std::optional<unsigned> bar;
  uint64_t offset = 0; ///< in the buffer of the BAR, in bytes
  /// Elements times their size, each element once: no padding of rows, no
  /// overlap of tiles. Coefficients: the sizes of all lanes and auxiliary
  /// streams in use. Saturates.
  uint64_t bytes = 0;
  /// The same with the rows that lie in memory in whole lines of 64 bytes.
  uint64_t lineBytes = 0;
  /// From the first byte to behind the last one, with all between; of
  /// coefficients the lanes alone. Saturates.
  uint64_t span = 0;

  bool inMemory() const {
    return residence == Residence::Streamed || residence == Residence::Kept;
  }
};
/// `source 1`, `coefficients`.
llvm::StringRef stringifyRole(Stream::Role role);

/// What a task computes, in words that v7, v10 and both engines share.
struct TaskSummary {
  Engine engine = Engine::NE;
  Operation operation = Operation::Unknown;
  /// What comes first: what a reduction, or the absolute value of two sources,
  /// is of, or relu of what a pass changes further.
  std::optional<Operation> combination;

  uint32_t kernelRows = 1, kernelColumns = 1; ///< window of an NE task
  bool bias = false;       ///< a bias row leads the coefficients
  bool relu = false;       ///< behind an operation that is not Relu itself
  bool table = false;      ///< behind an operation that is not Lut itself
  bool transposed = false; ///< channels and columns exchanged on writing
  /// Of the reduced value; `None` without a reduction.
  PEPostFunction post = PEPostFunction::None;

  /// Of the input and the result, without broadcasting. A reduction has 1 where
  /// it reduces: columns where rows are groups or there is one row, else
  /// columns, rows and depth. A transposing task names the result before the
  /// exchange.
  Dimensions input, result;
  /// The same of each source, with one element along what is broadcast.
  Dimensions source1, source2;
  llvm::SmallVector<Stream, 4> streams; ///< those that there are, by role

  unsigned activeEngines = 0; ///< NEs at work, 0 in a PE task
  unsigned lanes = 0;         ///< coefficient lanes in use
  uint64_t laneBytes = 0;     ///< their sizes together
  uint32_t exeCycles = 0;     ///< Apple's estimate, a scheduling hint
  uint32_t next = 0;          ///< offset of the next descriptor, 0 on the last
  uint32_t nextWords = 0;     ///< its words, 0 on the last

  /// One line without a line end, for example
  /// `NE conv 3x3 + bias, relu: 2x5x5 -> 3x4x4`; extents are channels, rows,
  /// columns, with groups and depth in front where they are not 1.
  std::string text() const;
};

/// Of the registers alone; what they do not say of an operation is `Unknown`.
TaskSummary summarize(const RegisterImage &image);

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_SUMMARY_H
