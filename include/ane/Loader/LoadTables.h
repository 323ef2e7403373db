//===- LoadTables.h - What a load fills in besides addresses ----*- C++ -*-===//
//
// Custom bars and live-in parameters. Documented (chapter 23 of the guide that
// docs/README.md names): a custom bar says which bits of which register get
// what only a load knows, namely where a buffer is, how far into a buffer, or
// which data set; there are up to 128 in a program. A live-in parameter is a
// number of an input of a procedure, and may have some values at equal
// distances. Their place in the file and every number below is assigned: two
// LC_NOTEs whose bytes follow the record inside the command, as those of the
// one note in real files do (verified).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LOADER_LOADTABLES_H
#define ANE_LOADER_LOADTABLES_H

#include "ane/Object/Object.h"
#include "llvm/Support/Error.h"

namespace ane::loader {

using llvm::support::little64_t;
using llvm::support::ulittle32_t;
using llvm::support::ulittle64_t;

/// Owners of the two notes.
inline constexpr char customBarOwner[] = "ane custom bars";
inline constexpr char liveInOwner[] = "ane live-ins";

/// First word of either table.
inline constexpr uint32_t loadTableVersion = 1;

/// Custom bars of a container. Documented.
inline constexpr unsigned maxCustomBars = 128;

/// What a custom bar writes. The kinds are documented.
enum class BarValue : uint8_t {
  /// The address of section `target`, plus `addend`.
  DeviceAddress = 0,
  /// The identifier that this load gives to data set `target`.
  DataSet = 1,
  /// The address of section `target` less that in BAR `bar`, plus `addend`.
  BufferOffset = 2,
};

/// Head of the table of custom bars; `count` records follow.
struct CustomBarHead {
  ulittle32_t version;
  ulittle32_t count;
};
static_assert(sizeof(CustomBarHead) == 8);

/// A bit-field of a descriptor and what it gets.
struct CustomBar {
  ulittle32_t procedure; ///< index of its program descriptor
  ulittle32_t task;      ///< index of its descriptor
  /// Index of the 32-bit register in the register space of the stream, as slots
  /// are numbered: an aperture address of v10 or a block address of v7, by 4.
  ulittle32_t registerIndex;
  uint8_t bitOffset;
  /// A field that passes bit 31 goes on in the next register.
  uint8_t bitWidth;
  /// Bits of the value that are left out at its low end; they must be 0.
  uint8_t shift;
  BarValue value;
  ulittle32_t target; ///< section ordinal or data set
  ulittle32_t bar;
  little64_t addend;
};
static_assert(sizeof(CustomBar) == 0x20);

/// An extent of an operand.
enum class Axis : uint32_t { N = 0, D = 1, C = 2, H = 3, W = 4 };
inline constexpr char axisLetters[] = "ndchw";

/// The extent `axis` of a layout; null where `axis` is none.
uint32_t *extentOf(object::TensorLayout &layout, uint32_t axis);

/// Head of the table of live-in parameters; `parameters` records of LiveIn
/// follow, then `fields` of LiveInField.
struct LiveInHead {
  ulittle32_t version;
  ulittle32_t parameters;
  ulittle32_t fields;
  ulittle32_t zero;
};
static_assert(sizeof(LiveInHead) == 0x10);

/// A parameter. Its values are start, start + step, ... up to stop.
struct LiveIn {
  ulittle32_t operand; ///< index of the operand descriptor of an input
  ulittle32_t axis;    ///< the extent that it is
  ulittle64_t start;
  ulittle64_t stop;
  ulittle64_t step;
};
static_assert(sizeof(LiveIn) == 0x20);

/// What follows from a parameter: value * factor + addend.
struct LiveInField {
  enum class Place : uint8_t {
    Register = 0, ///< a bit-field of a descriptor
    Extent = 1,   ///< an extent of an operand
  };
  ulittle32_t parameter;
  Place place;
  uint8_t bitOffset; ///< Register: inside one register
  uint8_t bitWidth;
  uint8_t zero;
  ulittle32_t procedure;     ///< Register
  ulittle32_t index;         ///< descriptor, or operand descriptor
  ulittle32_t registerIndex; ///< as in CustomBar; or the axis
  ulittle32_t zero14;
  little64_t factor;
  little64_t addend;
};
static_assert(sizeof(LiveInField) == 0x28);

/// Both tables of a container.
struct LoadTables {
  std::vector<CustomBar> bars;
  std::vector<LiveIn> liveIns;
  std::vector<LiveInField> fields;
  /// File offsets of the first record of each, for errors.
  uint64_t barsOffset = 0;
  uint64_t liveInsOffset = 0;
  uint64_t fieldsOffset = 0;
};

/// Reads the tables of a container; empty ones where it has no notes of that
/// kind. Refuses, at a byte offset in `file`, a second note of a kind, another
/// version, counts that do not match the size of the note.
llvm::Expected<LoadTables> readLoadTables(const object::Object &object,
                                          llvm::StringRef file);

/// Takes the notes out of a container. Nothing else moves.
void detachLoadTables(object::Object &object);

} // namespace ane::loader

#endif // ANE_LOADER_LOADTABLES_H
