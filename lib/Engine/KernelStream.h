//===- KernelStream.h - Packed coefficient lanes ----------------*- C++ -*-===//
//
// A zero-skipping or palettized lane as the fp16 planes it stands for, so that
// the arithmetic sees one form only.
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
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_KERNELSTREAM_H
#define ANE_LIB_ENGINE_KERNELSTREAM_H

#include "ane/TaskDescriptor/KernelLayout.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace ane::engine {

/// Packed bytes of a kernel stand for at most this many times as many.
constexpr uint64_t maxUnpacking = 4;

/// Writes what lane `lane` stands for to `dense`, which has the layout's
/// laneBytes. An activation table behind the planes is copied.
llvm::Error unpackSparse(const td::KernelLayout &layout, unsigned lane,
                         llvm::ArrayRef<uint8_t> packed,
                         llvm::MutableArrayRef<uint8_t> dense);

/// The same for indices of `bits` bits into a palette of 2^bits fp16 numbers.
llvm::Error unpackPalette(const td::KernelLayout &layout, unsigned lane,
                          llvm::ArrayRef<uint8_t> packed, unsigned bits,
                          llvm::ArrayRef<uint8_t> palette,
                          llvm::MutableArrayRef<uint8_t> dense);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_KERNELSTREAM_H
