//===- KernelStream.h - Packed coefficient lanes ----------------*- C++ -*-===//
//
// A zero-skipping or palettized lane from the fp16 planes it stands for, and
// back, so that code generation and arithmetic see one form only.
//
// Zero-skipping. A plane is its bias row, a half-word with the bytes that
// follow, and for each tap a byte 0, a mask with a bit for each of its L output
// channels, lowest first, the half-words of the set bits, and L / 2 - 2 bytes
// of zeros. Planes start at multiples of 64. Verified: the lane sizes of a
// kernel with L = 4. Documented: the order, for kernels of one tap per input
// channel and up to 8 channels side by side.
//
// Palette. Indices of 4 bits, two to a byte, the first in the low ones, or of 8
// bits take the place of the weights (documented); the palette is the third
// auxiliary stream of the kernel DMA (documented); bias rows stay fp16, a plane
// starts at an even byte, or at a multiple of 64 in a grouped kernel
// (assigned).
//
// An activation table begins a lane of either kind, as it does a dense one
// (assigned).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TASKDESCRIPTOR_KERNELSTREAM_H
#define ANE_TASKDESCRIPTOR_KERNELSTREAM_H

#include "ane/TaskDescriptor/KernelLayout.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace ane::td {

/// Packed bytes of a kernel stand for at most this many times as many.
constexpr uint64_t maxUnpacking = 4;

/// The auxiliary stream that holds a palette.
constexpr unsigned paletteStream = 2;

/// Bits of a palette index. Documented.
constexpr unsigned paletteBits[] = {4, 8};

/// The bytes of a palette of 2^bits fp16 numbers.
constexpr uint64_t paletteBytes(unsigned bits) { return uint64_t(2) << bits; }

/// Whether a kernel of this layout can skip zeros: one group of windows of
/// 1x1, which is the caller's to know, and 4 or 8 channels side by side.
bool canSkipZeros(const KernelLayout &layout);

/// About what a kernel takes in all lanes: `nonZeros` weights without the
/// others, or indices and their palette.
uint64_t packedSparseBytes(const KernelLayout &layout, uint64_t nonZeros);
uint64_t packedPaletteBytes(const KernelLayout &layout, unsigned bits);

/// The planes of a lane from `dense`, the layout's laneBytes, without their
/// zeros. Nothing if a plane passes the 65535 bytes that it can say it has.
std::optional<std::vector<uint8_t>> packSparse(const KernelLayout &layout,
                                               unsigned lane,
                                               llvm::ArrayRef<uint8_t> dense);

/// The planes of a lane as indices of `bits` bits into `palette`, which is
/// sorted and has every weight of the lane.
std::vector<uint8_t> packPalette(const KernelLayout &layout, unsigned lane,
                                 llvm::ArrayRef<uint8_t> dense, unsigned bits,
                                 llvm::ArrayRef<uint16_t> palette);

/// Writes what lane `lane` stands for to `dense`, which has the layout's
/// laneBytes. An activation table in front of the planes is copied.
llvm::Error unpackSparse(const KernelLayout &layout, unsigned lane,
                         llvm::ArrayRef<uint8_t> packed,
                         llvm::MutableArrayRef<uint8_t> dense);

/// The same for indices of `bits` bits into a palette of 2^bits fp16 numbers.
llvm::Error unpackPalette(const KernelLayout &layout, unsigned lane,
                          llvm::ArrayRef<uint8_t> packed, unsigned bits,
                          llvm::ArrayRef<uint8_t> palette,
                          llvm::MutableArrayRef<uint8_t> dense);

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_KERNELSTREAM_H
