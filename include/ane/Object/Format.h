//===- Format.h - Bytes of the hardware container ---------------*- C++ -*-===//
//
// The container (`.hwx`) is a 64-bit Mach-O file with a magic, a CPU type and a
// few load commands of its own. What it shares with Mach-O comes from
// llvm/BinaryFormat/MachO.h: mach_header_64, LC_SEGMENT_64, LC_LOADFVMLIB,
// LC_IDENT, LC_SYMTAB, LC_NOTE, nlist_64, any_relocation_info. This file adds
// what it does not share. Every field of the file is named here or there, and
// nowhere else.
//
// Evidence marks in the comments:
//   verified    true of the bytes of every real container examined, compiler
//               versions v4.2.1, v5.4.1 and v7.6.4, target h13
//   documented  stated in a description of containers not examined here
//   assigned    chosen by this project where neither tells
//
//===----------------------------------------------------------------------===//

#ifndef ANE_OBJECT_FORMAT_H
#define ANE_OBJECT_FORMAT_H

#include "llvm/BinaryFormat/MachO.h"
#include "llvm/Support/Endian.h"
#include <cstddef>
#include <cstdint>

namespace ane::object {

using llvm::support::ulittle32_t;
using llvm::support::ulittle64_t;

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

/// First word of the file, bytes CE FA EF BE. Verified.
inline constexpr uint32_t containerMagic = 0xbeefface;

/// The header's cputype: the engine. Verified.
inline constexpr uint32_t cpuTypeEngine = 0x80;

/// The header's cpusubtype for target h13. Verified.
inline constexpr uint32_t cpuSubtypeH13 = 4;

//===----------------------------------------------------------------------===//
// Address space and alignment
//===----------------------------------------------------------------------===//

/// Device address of the first segment after __PAGEZERO. Verified.
inline constexpr uint64_t deviceBase = 0x30000000;

/// One past the largest device address: 42 bits. Documented.
inline constexpr uint64_t deviceLimit = uint64_t(1) << 42;

/// Alignment of segments in memory and of the file contents, and the size of
/// __PAGEZERO and of the coefficient section of a program that has no
/// coefficients. Verified.
inline constexpr uint64_t pageBytes = 0x4000;

/// Alignment of coefficients and of tensor rows. Verified.
inline constexpr uint64_t granuleBytes = 0x40;

/// Sizes of load commands are multiples of this. Verified.
inline constexpr uint64_t commandAlign = 8;

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

/// Low byte of a section's flags: what the section is for. The attributes above
/// it are Mach-O's; S_ATTR_LOC_RELOC is set where the section has relocations.
enum class SectionType : uint8_t {
  Input = 0x21,   ///< __FVMLIB,__const, no file contents. Verified.
  Output = 0x23,  ///< __FVMLIB,__data, no file contents. Verified.
  Scratch = 0x25, ///< __DATA,__bss, no file contents. Documented.
  /// __TEXT,__const (verified) or __KERN_<n>,__kern_<n> (assigned; the names
  /// are documented).
  Coefficients = 0x26,
  Text = 0x28, ///< __TEXT,__text: task descriptors. Verified.
};

/// Sections of a file: symbols name them by an ordinal of 8 bits.
inline constexpr unsigned maxSections = UINT8_MAX;

inline constexpr char segPageZero[] = "__PAGEZERO";
inline constexpr char segText[] = "__TEXT";
inline constexpr char segData[] = "__DATA";
inline constexpr char segPort[] = "__FVMLIB";
inline constexpr char sectText[] = "__text";
inline constexpr char sectConst[] = "__const";
inline constexpr char sectData[] = "__data";
inline constexpr char sectBss[] = "__bss";
/// Followed by a number from 0 on. Documented.
inline constexpr char segKernelPrefix[] = "__KERN_";
inline constexpr char sectKernelPrefix[] = "__kern_";

//===----------------------------------------------------------------------===//
// Ports: LC_LOADFVMLIB (up to v5.4.1) or load command 0x40 (from v7.6.4)
//===----------------------------------------------------------------------===//

/// The command that replaced LC_LOADFVMLIB. The name is ours. Verified.
inline constexpr uint32_t portCommand = 0x40;

/// Load command 0x40. The NUL-terminated name follows. Verified; with a name of
/// up to seven characters these are the 24 bytes of body that are documented as
/// {byteSize, apertureVA, nameRef}.
struct PortRecord {
  ulittle32_t cmd;
  ulittle32_t cmdsize;
  ulittle64_t nameOffset; ///< from the start of the command, 0x18
  ulittle64_t address;    ///< device address of the port's section
};
static_assert(sizeof(PortRecord) == 0x18);

/// What v4.2.1 appends to the name of an output. Verified.
inline constexpr char outputSuffix[] = "@output";

//===----------------------------------------------------------------------===//
// LC_THREAD: program and operand descriptors
//===----------------------------------------------------------------------===//

/// Which descriptor an LC_THREAD holds. Verified.
enum class ThreadFlavor : uint32_t { Program = 1, Operand = 3 };

/// Head of an LC_THREAD. `count` words of state follow, then strings; offsets
/// of strings are from the start of the command.
struct ThreadHead {
  ulittle32_t cmd;
  ulittle32_t cmdsize;
  ulittle32_t flavor;
  ulittle32_t count;
};
static_assert(sizeof(ThreadHead) == 0x10);

/// Entries of the table of base address registers (BARs).
inline constexpr unsigned barTableEntries = 256;

/// Entries that a task descriptor can name: its BAR fields have 5 bits.
/// Verified.
inline constexpr unsigned maxBars = 32;

/// What the first entries of the table are for. Entry 2 is free. Verified.
enum Bar : unsigned {
  BarText = 0,
  BarConstants = 1,
  BarScratch = 3, ///< 0 in the table without scratch. Documented.
  BarFirstPort = 4,
};

/// Ports that a program can have.
inline constexpr unsigned maxPorts = maxBars - BarFirstPort;

/// State of the program descriptor. Zero fields have been zero in every file.
struct ProgramState {
  ulittle64_t
      bars[barTableEntries]; ///< device addresses, 0 = unused. Verified.
  ulittle64_t entry;         ///< address of the first task. Verified.
  ulittle32_t firstTaskWordsLessOne; ///< 0x9c or 0x7d. Verified.
  ulittle32_t taskCount;             ///< Verified.
  ulittle32_t zero820;
  ulittle32_t mask824; ///< 0xffff; meaning unknown
  ulittle32_t zero828[5];
  ulittle32_t procedureName; ///< offset of the name. Verified.
  ulittle64_t zero840;
  ulittle64_t zero848;
  ulittle64_t opaque850; ///< 0x11, 7 in programs of two tasks; meaning unknown
  ulittle64_t opaque858; ///< 3 or 4; meaning unknown
};
static_assert(sizeof(ProgramState) == 0x850);

/// Words of state up to v5.4.1. From v7.6.4 on, a 64-bit number of properties
/// and the properties follow; there 0x21a words. Verified.
inline constexpr uint32_t programStateWords = sizeof(ProgramState) / 4;

/// Words of state of v7.6.4: one property of 8 bytes. Verified.
inline constexpr uint32_t longProgramStateWords = 0x21a;

/// Head of a property of the program descriptor; `length` bytes follow.
/// {id 9, length 8, value 0} is the only one seen. Verified.
struct PropertyHead {
  ulittle32_t id;
  ulittle32_t length;
};

/// State of an operand descriptor.
struct OperandState {
  ulittle32_t kind;          ///< 3. Verified; meaning unknown.
  ulittle32_t direction;     ///< PortDirection. Verified.
  ulittle32_t procedureName; ///< offset. Verified.
  ulittle32_t zero1c;
  ulittle32_t symbolName;  ///< offset. Verified.
  ulittle32_t elementType; ///< ElementCode. Verified.
  ulittle32_t n, c, h, w;  ///< extents. Verified.
  /// Depth. Always 1 in the files; documented to be the fifth extent.
  ulittle32_t d;
  ulittle32_t zero3c[5];
  ulittle64_t batchStride;   ///< bytes. Verified.
  ulittle64_t planeStride;   ///< bytes between channels. Verified.
  ulittle64_t rowStride;     ///< bytes. Verified.
  ulittle64_t elementStride; ///< bytes, 2 for fp16. Verified.
  /// Bytes between depth slices: assigned. All files have N = D = 1, where this
  /// word, the batch stride and the size of the tensor are one number; that
  /// strides follow the order of the extents (N C H W D) decided it.
  ulittle64_t depthStride;
  ulittle32_t interleave; ///< 1. Documented.
  ulittle32_t portName;   ///< offset; the name of the port command. Verified.
  /// Bytes: the whole surface, but for outputs of v4.2.1 and v5.4.1 only up to
  /// the last byte of the last row. Verified.
  ulittle64_t byteSize;
};
static_assert(sizeof(OperandState) == 0x78);

/// Words of state in v4.2.1. Verified.
inline constexpr uint32_t operandStateWords = sizeof(OperandState) / 4;

/// Words of state from v5.4.1 on; the additional ones are zero. Verified.
inline constexpr uint32_t longOperandStateWords = 0x34a;

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// Type numbers of the container, as its stabs symbols define them. v4.2.1
/// defines 1 to 10, v5.4.1 and v7.6.4 15, v9.509 24. Verified up to 15.
enum class ElementCode : uint32_t {
  Void = 1,
  Int8 = 2,
  UInt8 = 3,
  Int16 = 4,
  Float16 = 5,
  Float32 = 6,
  Raw10 = 7,
  Lut = 8,
  UInt4 = 9,
  UInt6 = 10,
};

/// The N_LSYM symbols that define types: of v4.2.1 the first 10, of v5.4.1 and
/// v7.6.4 the first 15 (verified), of v9.509 all. Of the last nine e4m3 and
/// int4 are documented, with their numbers; the others are assigned.
inline constexpr const char *typeStabs[] = {
    "void:t1=1",
    "int8:t2=r2;0;127",
    "uint8:t3=r1;0;255",
    "int16:t4=r1;-32768;32767",
    "float16:t5=r1;2;0",
    "float:t6=r1;4;0",
    "raw10:t7=r1;-512;511",
    "lut:t8=",
    "uint4:t9=r1;0;15",
    "uint6:t10=r1;0;63",
    "uint1:t11=r1;0,1",
    "uint2:t12=r1;0;3",
    "packed10:t13=r1;-512;511",
    "y10:t14=r1;-512;511",
    "uint16:t15=r1;0;65535",
    "e4m3:t16=r1;1;0",
    "e5m2:t17=r1;1;0",
    "uint3:t18=r1;0;7",
    "int32:t19=r1;-2147483648;2147483647",
    "uint32:t20=r1;0;4294967295",
    "int64:t21=r1;-9223372036854775808;9223372036854775807",
    "uint64:t22=r1;0;18446744073709551615",
    "int4:t23=r1;-8;7",
    "bool:t24=r1;0;1",
};
inline constexpr size_t typesOfV421 = 10;
inline constexpr size_t typesOfV764 = 15;

/// Between the name of a coefficient block and the number of a lane. Verified.
inline constexpr char laneInfix[] = "_ne_";

/// Lanes that a kernel can be cut into. Verified.
inline constexpr unsigned maxLanes = 16;

/// n_type of coefficient and port symbols. Verified.
inline constexpr uint8_t definedSymbol =
    uint8_t(llvm::MachO::N_SECT) | uint8_t(llvm::MachO::N_EXT);

//===----------------------------------------------------------------------===//
// Relocations
//===----------------------------------------------------------------------===//

/// Fields of the second word of a relocation, from the lowest bit up: 24 bits
/// of section ordinal or symbol index, then these. Verified.
namespace reloc {
inline constexpr uint32_t targetMask = 0xffffff;
inline constexpr unsigned pcRelBit = 24;
inline constexpr unsigned lengthShift = 25;
inline constexpr uint32_t lengthMask = 3;
inline constexpr unsigned externBit = 27;
inline constexpr unsigned typeShift = 28;
inline constexpr uint32_t typeMask = 0xf;
} // namespace reloc

/// A structure of LLVM's in the byte order of the file, or back from it.
template <typename T> T fileOrder(T value) {
  if constexpr (llvm::sys::IsBigEndianHost)
    llvm::MachO::swapStruct(value);
  return value;
}

} // namespace ane::object

#endif // ANE_OBJECT_FORMAT_H
