//===- SignalRegions.h - Ops on signals that bands go through ---*- C++ -*-===//
//
// Connected ops on signals can run band by band, a band being some columns of
// what they give: of what lies between them L2 then holds a band. Bands overlap
// in what windows see beside them.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_MIL_TRANSFORMS_SIGNALS_SIGNALREGIONS_H
#define ANE_LIB_DIALECT_MIL_TRANSFORMS_SIGNALS_SIGNALREGIONS_H

#include "Signals/SignalRules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace ane::mil {

/// Ops in the order of the program, each with its rule.
using SignalOps = llvm::MapVector<mlir::Operation *, SignalRule>;

/// Columns of each value that ops on one band have, those of operands from
/// outside as well.
using BandColumns = llvm::DenseMap<mlir::Value, ColumnRange>;

struct SignalRegion {
  SignalOps ops;
  /// Signals from outside, and those that outside reads.
  llvm::SetVector<mlir::Value> inputs, outputs;
  /// Columns of each signal for one of that which has the fewest.
  llvm::DenseMap<mlir::Value, int64_t> scales;
  int64_t step = 0; ///< columns of a band, in those of scale 1
  int64_t bands = 0;

  /// The columns of an output that band `index` is for.
  ColumnRange partOf(mlir::Value output, int64_t index) const;
  /// What there is in band `index`; nothing where a part would be empty.
  std::optional<BandColumns> columnsOf(int64_t index) const;
};

/// Finds regions in which bands move fewer bytes.
class SignalRegions {
public:
  /// `l2Bytes`: what L2 holds.
  explicit SignalRegions(int64_t l2Bytes) : l2Bytes(l2Bytes) {}

  /// Regions that have nothing in common, in the order of the program.
  std::vector<SignalRegion> find(FuncOp func) const;
  /// A region of ops in the order of the program, without bands; nothing where
  /// these would gain nothing.
  std::optional<SignalRegion>
  make(llvm::ArrayRef<std::pair<mlir::Operation *, SignalRule>> ops) const;

private:
  bool isLarge(mlir::Value value) const;
  SignalOps
  grow(mlir::Operation *seed,
       const llvm::DenseMap<mlir::Operation *, SignalRule> &rules) const;
  void addParts(llvm::ArrayRef<std::pair<mlir::Operation *, SignalRule>> ops,
                std::vector<SignalRegion> &found) const;
  /// Chooses bands; the cost that they save, 0 where they do not.
  double chooseBands(SignalRegion &region) const;
  double costOf(const SignalRegion &region) const;
  double costOfBands(const SignalRegion &region,
                     const BandColumns &columns) const;

  const int64_t l2Bytes;
};

} // namespace ane::mil

#endif // ANE_LIB_DIALECT_MIL_TRANSFORMS_SIGNALS_SIGNALREGIONS_H
