//===- H13.h - The engine of A14 and M1 -------------------------*- C++ -*-===//

#ifndef ANE_TARGET_H13_H
#define ANE_TARGET_H13_H

#include "ane/Target/Target.h"

namespace ane {

inline constexpr TargetDescription h13 = {
    .name = "h13",
    .description = "Neural Engine of A14 and M1",
    // Measured on M1; batch documented.
    .maxBatch = 65536,
    .maxDepth = 16384,
    .maxChannels = 65536,
    .maxHeight = 16384,
    .maxWidth = 16384,
    .maxRank = 5,
    // Assigned: 32 MiB of scratch.
    .maxChosenElements = int64_t(16) << 20,
    // 13-bit register; verified.
    .maxGroups = 8191,
    // Measured: 14 columns are refused in fp16. Rows documented.
    .maxKernelHeight = 29,
    .maxKernelWidth = 13,
    // Documented for averages; larger windows are said to work for maxima.
    .maxPoolWindow = 29,
    // 2-bit register, verified; padding measured.
    .maxStride = 3,
    .maxPadding = 16,
    // 16-bit register; verified.
    .maxUnicastChannels = 65535,
    // Verified: products and convolutions are cut so that no lane has more.
    .kernelMemoryBytes = int64_t(64) << 10,
    // Verified: a product of one row with 8192 x 8192 coefficients is one task.
    .maxTaskCoefficientBytes = int64_t(128) << 20,
    // Documented: kernel section (an option of Apple's compiler), scratch
    // (another one), addresses that the memory controller maps, scratchpad.
    .maxKernelSectionBytes = int64_t(128) << 20,
    .maxScratchBytes = 0xC0000000,
    .maxProgramBytes = 0xE0000000,
    .l2Bytes = int64_t(2) << 20,
    // Verified.
    .rowAlignment = 64,
    .pageBytes = 0x4000,
    .l2Granule = 16,
    .neStreamBytes = 0x100,
    .peStreamBytes = 0x400,
    .neExchangeBytes = 0x40,
    // Verified on H13 programs of a current compiler.
    .ocgCap = 16,
    .ocgCapSmall = 32,
    .smallInput = 8,
    // Verified: products of so many rows have all coefficients in a task.
    .accumulatedPixels = 128,
    // Documented, but for the multiply-accumulates: with those of all NEs the
    // clock gives the measured throughput.
    .neuralEngines = 16,
    .macsPerCycle = 256,
    .taskOverheadCycles = 44,
    // Documented: the smallest patch, log2 4.
    .patchPixels = 16,
    // Assigned: nothing is known of the throughput of the planar engine.
    .planarElementsPerCycle = 64,
    // Documented.
    .l2Banks = 64,
    // Documented, the upper end of the range; the one that gives the measured
    // throughput with the macs above.
    .clockMegahertz = 1430,
    // Measured on M1: streaming coefficients, and starting a program.
    .memoryMegabytesPerSecond = 51000,
    .dispatchMicroseconds = 230,
    // Measured on M1: fitted to 5 convolutions within 17 %; of 68 programs half
    // are off by more than 31 %.
    .fittedMegamacsPerSecond = 1625000,
    .fittedMegabytesPerSecond = 9000,
};

/// Products that the engine makes while memory moves a byte.
inline constexpr int64_t productsPerByte =
    h13.neuralEngines * h13.macsPerCycle * h13.clockMegahertz /
    h13.memoryMegabytesPerSecond;

} // namespace ane

#endif // ANE_TARGET_H13_H
