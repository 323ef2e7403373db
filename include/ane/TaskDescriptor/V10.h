//===- V10.h - Layout of the v10 register stream ----------------*- C++ -*-===//
//
// A v10 text is a 12-byte program header and a chain of descriptors. A
// descriptor is the ten or eleven header words that v7 has too, then records of
// 44 bytes. Only registers that differ from their default are written.
//
// Documented: the header's size and its third word, the record size, the count
// marker, that a record names a register by its address in one aperture and a
// buffer by a device address in another, the slots. Assigned: everything else
// below; docs/formats/v10.md has the reasons.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TASKDESCRIPTOR_V10_H
#define ANE_TASKDESCRIPTOR_V10_H

#include "llvm/Support/Endian.h"

namespace ane::td::v10 {

using llvm::support::ulittle32_t;

/// In front of the records of a text.
struct ProgramHeader {
  ulittle32_t size;         ///< bytes of the text, this header included
  ulittle32_t version;      ///< 10 in the high half, bytes of a record below
  ulittle32_t registerBase; ///< always 0x408
};
static_assert(sizeof(ProgramHeader) == 12);

/// Values that a record has room for.
constexpr unsigned maxRecordValues = 8;

/// Some registers of a group and their values.
struct Record {
  ulittle32_t marker;  ///< see RecordMarker
  ulittle32_t address; ///< of the first register, in the register aperture
  ulittle32_t mask;    ///< run: bit i set when register first + i is written
  ulittle32_t values[maxRecordValues];
};
static_assert(sizeof(Record) == 44);

constexpr unsigned recordWords = sizeof(Record) / 4;

constexpr uint32_t version = (10u << 16) | sizeof(Record);
constexpr uint32_t registerBase = 0x408;

/// Where registers appear in the address space of the unloaded file.
constexpr uint32_t registerAperture = 0x20000000;

/// How the values of a record are meant.
enum class RecordKind : uint32_t {
  /// `mask` says which of the registers first .. first + 15 are written;
  /// values are theirs in order.
  Run = 0,
  /// `count` consecutive registers hold values[0], values[0] + values[1], ...
  Progression = 1,
  /// A buffer base: values[0] and values[1] are the low and high word of the
  /// offset in the buffer, which the loader turns into a device address.
  Slot = 2,
};

/// The registers a run can reach.
constexpr unsigned runWindow = 16;

/// Bytes of a record after its marker, in the marker's low byte.
constexpr uint32_t markerBytes = sizeof(Record) - sizeof(uint32_t);

/// The fields of the marker word.
struct RecordMarker {
  RecordKind kind;
  uint32_t count; ///< values of a run, registers of a progression, 1 for a slot

  constexpr uint32_t encode() const {
    return markerBytes | static_cast<uint32_t>(kind) << 8 | count << 12;
  }
  static constexpr RecordMarker decode(uint32_t word) {
    return {static_cast<RecordKind>((word >> 8) & 0xf), word >> 12};
  }
};

/// Bits of a device address.
constexpr unsigned deviceAddressBits = 42;

} // namespace ane::td::v10

#endif // ANE_TASKDESCRIPTOR_V10_H
