//===- PackedKernel.h - Coefficients in lanes -------------------*- C++ -*-===//

#ifndef ANE_LIB_CODEGEN_PACKEDKERNEL_H
#define ANE_LIB_CODEGEN_PACKEDKERNEL_H

#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Object/Object.h"
#include "ane/TaskDescriptor/Fields.h"
#include "ane/TaskDescriptor/KernelStream.h"
#include "ane/TaskDescriptor/Lut.h"
#include <memory>
#include <vector>

namespace ane::codegen {

/// A kernel as the bytes of its lanes, which are made when they are written,
/// one lane at a time. Those without zeros, which must be made to know how many
/// they are, are kept.
class PackedKernel {
public:
  /// Reports at the op what cannot be packed. `window` is that of the tasks
  /// which the kernel is for.
  static llvm::FailureOr<PackedKernel> create(zin::KernelOp op,
                                              const td::KernelWindow &window);

  /// Makes the bytes of a kernel that is not dense, before anyone asks for
  /// sizes or bytes. Kernels may do so at the same time.
  llvm::Error compress();

  /// Gives back what can be made again when it is written, and takes much less
  /// memory until then.
  void forgetIndices();

  /// Lanes that a task must enable, and where each starts in the kernel. A
  /// table alone is shared by all of them.
  unsigned lanes() const;
  uint64_t laneOffset(unsigned lane) const;
  uint64_t laneBytes(unsigned lane) const;

  /// Bytes of weights and bias before they are compressed; 0 of a table alone.
  uint64_t denseBytes() const { return layout ? layout->totalBytes() : 0; }

  /// Bytes in the constant section. A table alone takes room for every lane.
  uint64_t totalBytes() const;

  /// The bytes of the kernel as pieces that belong to one name each: the lanes,
  /// or the table with the room after it.
  llvm::SmallVector<object::Chunk, td::numLanes> chunks() const;

  zin::KernelStorage storage() const { return form; }
  /// Bits of an index into the palette; 0 without a palette, which lies behind
  /// the lanes.
  unsigned paletteBits() const;
  uint64_t paletteOffset() const { return bytesOfLanes(lanes()); }
  uint64_t paletteBytes() const;

  bool hasWeights() const { return weights.has_value(); }
  bool hasBias() const { return bias.has_value(); }
  const std::optional<td::LutRecord> &table() const { return lut; }
  /// Where the table of a lane starts in a kernel that has one.
  uint64_t tableOffset(unsigned lane) const {
    return laneOffset(lane) + td::KernelLayout::tableOffset;
  }
  unsigned ocgSize() const { return shape.ocgSize; }

private:
  llvm::Error choosePalette();
  /// The planes of a lane behind room for its table, if it has one.
  std::vector<uint8_t> denseLane(unsigned lane) const;
  /// The planes packed, without that room; nothing where that fails, see
  /// td::packSparse.
  std::optional<std::vector<uint8_t>> packLane(unsigned lane) const;
  /// Bytes of the first lanes.
  uint64_t bytesOfLanes(unsigned count) const;
  void writeLane(unsigned lane, llvm::raw_ostream &os) const;
  void writePalette(llvm::raw_ostream &os) const;

  td::KernelShape shape;
  td::KernelWindow window;
  std::optional<td::KernelLayout> layout;
  std::optional<zin::HalfElements> weights;
  std::optional<zin::HalfElements> bias;
  std::optional<td::LutRecord> lut;
  unsigned tableLanes = 0;
  zin::KernelStorage form = zin::KernelStorage::dense;
  std::vector<uint16_t> palette; ///< the different weights, sorted
  /// Bytes of the lanes of a kernel that is not dense, without their tables.
  llvm::SmallVector<uint64_t, td::numLanes> packedSizes;
  /// These lanes, if they are kept; copies of the kernel share them.
  std::shared_ptr<std::vector<std::vector<uint8_t>>> packedLanes;
};

} // namespace ane::codegen

#endif // ANE_LIB_CODEGEN_PACKEDKERNEL_H
