//===- KernelStream.h - Packed coefficient lanes ----------------*- C++ -*-===//
//
// A zero-skipping or palettized lane from the fp16 planes it stands for, and
// back, so that code generation and arithmetic see one form only.
//
// Zero-skipping. A plane is its bias row, the number of bytes that follow in
// three bytes, and for each input channel masks of a bit for each coefficient,
// lowest first; the half-words of the set bits of a byte follow it at once.
// With strides of 2 taps come in four phases: of even rows the even columns,
// then the odd ones, then those of odd rows, each row by row. A phase has
// places for ceil(Kh / 2) * ceil(Kw / 2) taps, and the places without a tap
// have no bit set. With strides of 1 there is one phase. A tap has a bit for
// each of the L output channels side by side, 4 at least; a channel-wise one
// has 2, for two outputs in a step, and a phase 4 at least. Left and top
// padding change nothing. Planes start at multiples of 64, those of a
// channel-wise kernel where the one before ends. Verified, by hashes of whole
// constant sections of real H13 programs: windows of 1x1 with L = 1, 2 (in
// groups), and channel-wise; of 3x3 with L = 1, 4, 16, 32, in groups, with
// padding of 1, and channel-wise; by sizes L = 8; all of them with strides
// of 2. Assigned: other windows, and strides of 1, by the same rule, which the
// masks of a real kernel of 1x2 with a palette follow; that the masks of an
// input channel fill whole bytes with these; that several planes of a kernel
// without groups are aligned as those of one with groups. That phases of more
// than 4 bits are not filled is verified for two outputs in a step (90 bits),
// and assigned to the others.
//
// Palette. Indices of 4 bits, two to a byte, the first in the low ones, or of 8
// bits take the place of the weights (documented); the palette is the third
// auxiliary stream of the kernel DMA (documented); bias rows stay fp16, a plane
// starts at an even byte, or at a multiple of 64 in a grouped kernel
// (assigned).
//
// Colour. The lanes of a zero-skipping kernel may begin with its palette, which
// has 64 bytes, and have masks without half-words. Verified, by a whole
// constant section, for one plane of one mask and a palette of 1.0 and 0: there
// the only number is 1.0. Where its index lies is not known, and does not
// matter as long as the palette has no other number.
//
// Pairs. A channel-wise kernel for two outputs in a step of two columns has for
// each position of the window that both share, those of even columns first and
// each half row by row, the tap of the first output and that of the second, 0
// where there is none; the bias comes twice, in front. With zeros left out it
// has a bit for each of these numbers, and a size in front, as above. Verified,
// by whole constant sections, for 1x9 taps with and without bias, and for 9x9
// without bias and without zeros; assigned: other odd numbers of columns.
//
// Bytes. The weights of a channel-wise kernel of int8 are a byte each, and take
// no alignment (verified, by the hash of a whole constant section).
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

/// Packed bytes of a kernel stand for at most this many times as many: of a
/// weight that is 0 a bit of the mask is left of 16.
constexpr uint64_t maxUnpacking = 16;

/// The auxiliary stream that holds a palette.
constexpr unsigned paletteStream = 2;

/// Bits of a palette index. Documented.
constexpr unsigned paletteBits[] = {4, 8};

/// The bytes of a palette of 2^bits fp16 numbers.
constexpr uint64_t paletteBytes(unsigned bits) { return uint64_t(2) << bits; }

/// What decides the order of the taps of a zero-skipping kernel.
struct KernelWindow {
  uint32_t height = 1, width = 1;
  uint32_t strideY = 1, strideX = 1;

  bool isStrided() const { return strideX != 1 || strideY != 1; }
  bool operator==(const KernelWindow &) const = default;
};

/// Whether the order of the taps of such a kernel is known.
bool canSkipZeros(const KernelLayout &layout, const KernelWindow &window);

/// Bytes that a plane can say it has.
constexpr uint64_t maxSparseBytes = (uint64_t(1) << 24) - 1;

/// About what a kernel takes in all lanes: `nonZeros` weights without the
/// others, or indices and their palette.
uint64_t packedSparseBytes(const KernelLayout &layout,
                           const KernelWindow &window, uint64_t nonZeros);
uint64_t packedPaletteBytes(const KernelLayout &layout, unsigned bits);

/// The planes of a lane from `dense`, the layout's laneBytes, without their
/// zeros. Nothing if a plane passes maxSparseBytes.
std::optional<std::vector<uint8_t>> packSparse(const KernelLayout &layout,
                                               const KernelWindow &window,
                                               unsigned lane,
                                               llvm::ArrayRef<uint8_t> dense);

/// The planes of a lane as indices of `bits` bits into `palette`, which is
/// sorted and has every weight of the lane.
std::vector<uint8_t> packPalette(const KernelLayout &layout, unsigned lane,
                                 llvm::ArrayRef<uint8_t> dense, unsigned bits,
                                 llvm::ArrayRef<uint16_t> palette);

/// Writes what lane `lane` stands for to `dense`, which has the layout's
/// laneBytes. An activation table in front of the planes is copied.
llvm::Error unpackSparse(const KernelLayout &layout, const KernelWindow &window,
                         unsigned lane, llvm::ArrayRef<uint8_t> packed,
                         llvm::MutableArrayRef<uint8_t> dense);

/// The same for weights of int8, without bias rows.
llvm::Error unpackBytes(const KernelLayout &layout, unsigned lane,
                        llvm::ArrayRef<uint8_t> packed,
                        llvm::MutableArrayRef<uint8_t> dense);

/// The same for two outputs in a step, with zeros left out if `sparse`.
llvm::Error unpackPairs(const KernelLayout &layout, const KernelWindow &window,
                        bool sparse, unsigned lane,
                        llvm::ArrayRef<uint8_t> packed,
                        llvm::MutableArrayRef<uint8_t> dense);

/// The same for a zero-skipping kernel whose numbers are all the colour that
/// the lane begins with.
llvm::Error unpackColour(const KernelLayout &layout, const KernelWindow &window,
                         unsigned lane, llvm::ArrayRef<uint8_t> packed,
                         llvm::MutableArrayRef<uint8_t> dense);

/// The same for indices of `bits` bits into a palette of 2^bits fp16 numbers.
llvm::Error unpackPalette(const KernelLayout &layout, unsigned lane,
                          llvm::ArrayRef<uint8_t> packed, unsigned bits,
                          llvm::ArrayRef<uint8_t> palette,
                          llvm::MutableArrayRef<uint8_t> dense);

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_KERNELSTREAM_H
