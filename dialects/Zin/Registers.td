//===- Registers.td - The field table of the H13 task descriptor ----------===//
//
// Include order is stream order of a v7 descriptor.
//
//===----------------------------------------------------------------------===//

include "Registers/Base.td"

// The seven groups of the v10 image: role, aperture, word counts and both base
// offsets are documented; which field has which word is ours unless marked.
def G0 : Group<0, 0x5500, 34, 0x024, 0x02c, "kernel DMA and common">;
def G1 : Group<1, 0x0000, 19, 0x0f4, 0x0fc, "dimensions">;
def G2 : Group<2, 0x4d00, 69, 0x148, 0x150, "tile DMA">;
def G3 : Group<3, 0x4100, 30, 0x264, 0x26c, "element-wise, planar, padding">;
def G4 : Group<4, 0x4500, 14, 0x2e4, 0x2ec, "L2 source and texture">;
def G5 : Group<5, 0x4900, 11, 0x324, 0x32c, "kernel format, operation mode">;
def G6 : Group<6, 0x5100, 21, 0x358, 0x360, "L2 result">;

include "Registers/Values.td"
include "Registers/Header.td"
include "Registers/KernelDMASrc.td"
include "Registers/Common.td"
include "Registers/TileDMASrc.td"
include "Registers/L2.td"
include "Registers/PE.td"
include "Registers/NE.td"
include "Registers/TileDMADst.td"
