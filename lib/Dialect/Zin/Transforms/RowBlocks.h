//===- RowBlocks.h - Tasks on blocks of rows --------------------*- C++ -*-===//
//
// A task that computes rows of its result from some rows of its sources can be
// cut into tasks that compute a block of rows each. A chain of such tasks that
// runs block by block needs only blocks of the values in between, and rows
// above and below them where windows overlap. Those are computed again for each
// block.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWBLOCKS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWBLOCKS_H

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

namespace ane::zin {

/// Times that a task reads its source: outputs beyond those that the engines
/// accumulate at a time need all of it again.
int64_t passesOf(TaskOp task, mlir::SymbolTable &symbols);

/// Bytes of the elements of a view.
int64_t bytesOf(ViewAttr view);

/// Rows [begin, end).
struct RowRange {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
  void include(RowRange other);
};

class RowBlocks {
public:
  RowBlocks(ProgramOp program, const TargetDescription &target);

  llvm::ArrayRef<TaskOp> tasks() const { return all; }

  /// Whether the rows of a task can be cut.
  bool canCut(size_t task) const { return cuts[task].has_value(); }
  /// Whether tasks [begin, end) move something that is too large for L2.
  bool isWorthCutting(size_t begin, size_t end) const;
  /// Estimated bytes of DMA of a task as it is, where what fits L2 stays there.
  int64_t trafficAlone(size_t task);
  /// The same for tasks [begin, end) in blocks; nothing if blocks of all values
  /// at a time do not fit, or if it is not below `limit`.
  std::optional<int64_t> trafficInBlocks(size_t begin, size_t end,
                                         int64_t blocks, int64_t limit);
  /// Makes the tasks for one block.
  void emitBlock(mlir::OpBuilder &builder, size_t begin, size_t end,
                 int64_t blocks, int64_t block);
  /// Removes buffers that no task has any more.
  void eraseUnused();

private:
  /// How result rows follow from source rows.
  struct Cut {
    int64_t window = 1, stride = 1, padding = 0;
  };
  struct Buffer {
    BufferOp op;
    size_t first = 0, last = 0; ///< tasks that have it
    int64_t bytes = 0;          ///< in L2
    bool staysInL2 = false;     ///< probably, as a whole
    bool isScratch = false;
  };
  /// What a chain reads and writes for one block.
  struct Plan {
    llvm::SmallVector<RowRange> results; ///< of each task
    /// Rows of values that live within the chain.
    llvm::MapVector<mlir::StringAttr, RowRange> inner;
    /// Rows of views that are copied to L2 first, being read more than once.
    llvm::MapVector<ViewAttr, RowRange> staged;
  };

  std::optional<Cut> cutOf(TaskOp task);
  bool isRowView(ViewAttr view);
  Buffer &bufferOf(ViewAttr view) {
    return buffers.find(view.getBuffer().getAttr())->second;
  }
  bool isInner(ViewAttr view, size_t begin, size_t end);
  RowRange sourceRows(size_t task, ViewAttr view, RowRange result) const;
  Plan planBlock(size_t begin, size_t end, int64_t blocks, int64_t block);
  /// Bytes of one block, and the most that lies in L2 at a time.
  std::pair<int64_t, int64_t> costOf(size_t begin, size_t end,
                                     const Plan &block);
  int64_t taskBytes() const;
  int64_t kernelBytesOf(TaskOp task);
  /// Bytes of values around tasks [begin, end) that stay in L2 meanwhile.
  int64_t bytesAround(size_t begin, size_t end) const;
  /// A buffer for rows of a value or a part of it.
  BufferOp makeBuffer(BufferOp origin, int64_t channels, int64_t columns,
                      RowRange rows);
  int64_t l2Bytes(ViewAttr view, int64_t rows) const;

  ProgramOp program;
  const TargetDescription &target;
  mlir::SymbolTable symbols;
  llvm::SmallVector<TaskOp> all;
  llvm::SmallVector<std::optional<Cut>> cuts;
  llvm::SmallVector<int64_t> passes;
  llvm::SmallVector<int64_t> kernelBytes;
  /// The chain that bytesAround was last asked for, and its answer.
  struct {
    size_t begin = 0, end = 0;
    int64_t bytes = 0;
  } around;
  llvm::MapVector<mlir::StringAttr, Buffer> buffers;
};

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_ROWBLOCKS_H
