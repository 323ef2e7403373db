//===- Format.h - Bytes of the firmware package -----------------*- C++ -*-===//
//
// The package (`.fw`) is the form of a program that the engine's firmware
// loads: a header, programs, and sections of them. Documented are the three
// magic numbers, the kinds of sections, that the loader audits bounds, overlap,
// checksums, padding and addresses, and the limits below. No package of Apple's
// has been at hand: where a field lies is assigned, all of it.
//
// Sources: appendix C (tables C.12 and C.15), chapters 23, 29 and 30 of the
// guide that docs/README.md names.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_FIRMWARE_FORMAT_H
#define ANE_FIRMWARE_FORMAT_H

#include "llvm/Support/Endian.h"
#include <cstddef>
#include <cstdint>

namespace ane::firmware {

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// First words of a package, a program and a section. Documented, table C.12:
/// the characters of ANEH, ANEP and ANES as one number. One source has that
/// number little-endian in the file, another big-endian, so both are read.
inline constexpr uint32_t packageMagic = 0x414e4548;
inline constexpr uint32_t programMagic = 0x414e4550;
inline constexpr uint32_t sectionMagic = 0x414e4553;

/// Value of a checksum that is initialized and valid. Documented, table C.12.
inline constexpr uint32_t checksumSentinel = 0xffffffff;

/// Version of the layout below. Assigned.
inline constexpr uint32_t layoutVersion = 1;

/// Slots for programs in the firmware. Documented, chapter 30.
inline constexpr uint32_t maxPrograms = 144;

/// Buffer access registers that a package may hold for one program; 32 of them
/// go with a call. Documented, appendix C.5.
inline constexpr uint32_t maxBarRecords = 128;

/// Partitions of task descriptors and sets of output buffers on the single
/// path of the M1. Documented, table 30.4 and table 30.3.
inline constexpr uint32_t partitionCount = 1;
inline constexpr uint32_t outputSetCount = 1;

/// ANE_CUSTOM_BAR_GENERIC and ANE_CUSTOM_BAR_HW_32BIT, the only type and
/// configuration of a register that the firmware admits. Names documented,
/// numbers assigned.
inline constexpr uint32_t barTypeGeneric = 1;
inline constexpr uint32_t barConfig32Bit = 1;

/// Alignment of section contents, 2^14 bytes for text, which is the page of the
/// container, and 2^6 for others, its granule. Assigned.
inline constexpr uint32_t textAlignLog2 = 14;
inline constexpr uint32_t contentsAlignLog2 = 6;

/// Bytes of the name in a procedure record, zeros after the name. Assigned.
inline constexpr size_t nameBytes = 64;

/// What a section is for. Names documented, numbers assigned.
enum class SectionKind : uint32_t {
  Generic = 0,   ///< anything; here how the program was built, as text
  Kernel = 1,    ///< coefficients
  Text = 2,      ///< task descriptors
  Operation = 3, ///< buffers, and where the text refers to them
  Procedure = 4, ///< entry points
};
inline constexpr uint32_t sectionKindCount = 5;

//===----------------------------------------------------------------------===//
// Structures
//===----------------------------------------------------------------------===//

/// The structures in one of the two byte orders.
template <llvm::endianness Order> struct Format {
  static constexpr llvm::endianness order = Order;

  template <typename T>
  using Number = llvm::support::detail::packed_endian_specific_integral<
      T, Order, llvm::support::unaligned>;
  using Word = Number<uint32_t>;
  using Long = Number<uint64_t>;

  /// At the start of the file.
  struct PackageHeader {
    Word magic;
    Word version;
    Long fileSize;
    Word programCount;
    Word programOffset; ///< of the table of program headers in the file
    Word checksum;
    Word padding[5];
  };
  static_assert(sizeof(PackageHeader) == 48);

  struct ProgramHeader {
    Word magic;
    Word programId;
    /// What the firmware knows the program by: the SHA-256 over kind, size and
    /// contents of its sections. That there is a key is documented.
    uint8_t identity[32];
    Word sectionCount;
    Word sectionOffset; ///< of the table of section headers in the file
    Word checksum;
    Word padding[3];
  };
  static_assert(sizeof(ProgramHeader) == 64);

  struct SectionHeader {
    Word magic;
    Word kind;
    Long offset; ///< of the contents in the file
    Long size;
    Long deviceAddress; ///< 0 for a section that is not mapped
    Word alignLog2;     ///< of `offset`
    Word checksum;
    Word padding[2];
  };
  static_assert(sizeof(SectionHeader) == 48);

  /// A procedure section is an array of these.
  struct ProcedureRecord {
    Word procedureId;
    Word entryOffset;    ///< of the first task in the text
    Word firstTaskWords; ///< words of the first task
    Word taskCount;
    Word partitions;
    Word outputSets;
    Word ioBuffers; ///< registers of this program that the host sets
    Word padding;
    char name[nameBytes];
  };
  static_assert(sizeof(ProcedureRecord) == 96);

  /// An operation section starts with this; registers follow, then references.
  struct OperationHeader {
    Word barCount;
    Word referenceCount;
  };
  static_assert(sizeof(OperationHeader) == 8);

  /// A buffer access register. The five fields are what the firmware logs of
  /// one (documented, chapter 29).
  struct BarRecord {
    Word type;
    Word config;
    Word barId;
    Word padding;
    Long value; ///< device address
    Long size;  ///< bytes of the buffer
  };
  static_assert(sizeof(BarRecord) == 32);

  /// A place in the text whose value is relative to a register.
  struct ReferenceRecord {
    Word textOffset;
    Word barId;
    Word bytes; ///< 4: stays relative; 8: becomes a device address
    Word padding;
  };
  static_assert(sizeof(ReferenceRecord) == 16);
};

} // namespace ane::firmware

#endif // ANE_FIRMWARE_FORMAT_H
