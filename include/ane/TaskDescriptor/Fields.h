//===- Fields.h - The field table of a task descriptor ----------*- C++ -*-===//
//
// What dialects/Zin/Registers.td says, as C++ tables. Codecs, disassembler,
// executor and code generation name a field by its enumerator and learn its
// position, unit and default here.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TASKDESCRIPTOR_FIELDS_H
#define ANE_TASKDESCRIPTOR_FIELDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace ane::td {

/// How sure we are of a fact.
enum class Evidence : uint8_t {
  Verified,   ///< read out of the bytes of real H13 programs
  Documented, ///< published, not contradicted by bytes
  Assigned,   ///< chosen by this project
};
llvm::StringRef stringifyEvidence(Evidence evidence);

/// A run of registers of the v7 stream; `Header` is the descriptor header.
enum class Block : uint8_t {
#define GET_BLOCK_ENUM
#include "ane/TaskDescriptor/Registers.inc"
};

/// A field of the descriptor.
enum class Field : uint16_t {
#define GET_FIELD_ENUM
#include "ane/TaskDescriptor/Registers.inc"
};

/// A block of the register table.
struct BlockInfo {
  llvm::StringLiteral symbol;
  uint32_t address; ///< v7 byte address of the first register
  uint16_t words;
  llvm::StringLiteral description;
};

/// A register group of the v10 image.
struct GroupInfo {
  uint8_t number;
  uint32_t aperture; ///< byte address of the first register
  uint16_t words;
  uint16_t imageBase;
  uint16_t structBase;
  llvm::StringLiteral description;
};

/// Position of a field in the v10 image.
struct V10Place {
  int8_t group; ///< -1 for a header field, which v10 places as v7 does
  uint8_t word; ///< of element 0; element i lies i words further
  uint8_t lsb;
  uint16_t slot; ///< relocation slot register, 0 for a plain value
  Evidence evidence;
};

/// A value of a field that has a name.
struct NamedValue {
  llvm::StringLiteral name;
  uint32_t value;
  llvm::StringLiteral meaning;
  Evidence evidence;
};

/// The named values of one or several fields; Values.h has them as enums.
struct ValueSetInfo {
  llvm::StringLiteral name;
  llvm::StringLiteral description;
  bool isMask; ///< the values are bits that may stand together
  llvm::ArrayRef<NamedValue> values;

  /// `Reduction`; for a mask `First | Always`, with bits that have no name in
  /// hexadecimal. Empty where `value` has no name.
  std::string nameOf(uint32_t value) const;
};

/// A field of the register table, with its places in v7 and v10.
struct FieldInfo {
  llvm::StringLiteral registerName;
  llvm::StringLiteral name;
  llvm::StringLiteral meaning;
  Block block;
  uint16_t offset; ///< bytes from the start of the block
  uint8_t lsb;
  uint8_t width;
  uint8_t count; ///< elements of an array field, in consecutive registers
  uint32_t defaultValue;
  uint8_t unit; ///< bytes of one step, 1 for a plain number
  bool isSigned;
  Evidence evidence;
  uint8_t valueSet; ///< see valueSetOf
  V10Place v10;

  /// All bits of the field, right-aligned.
  constexpr uint32_t mask() const {
    return width == 32 ? ~0u : (1u << width) - 1;
  }
  /// `TileDMASrc.RowStride.Stride`, `KernelDMASrc.CoeffBaseAddr[3].Addr`.
  std::string fullName(unsigned index = 0) const;
};

/// The register table, in the order of the enumerations and of group numbers.
llvm::ArrayRef<FieldInfo> fieldTable();
llvm::ArrayRef<BlockInfo> blockTable();
llvm::ArrayRef<GroupInfo> groupTable();

/// The row of a field or a block.
const FieldInfo &fieldInfo(Field field);
const BlockInfo &blockInfo(Block block);

/// The named values of a field, or null.
const ValueSetInfo *valueSetOf(const FieldInfo &field);

/// 32-bit words of all blocks together.
constexpr unsigned numImageWords =
#define GET_IMAGE_WORDS
#include "ane/TaskDescriptor/Registers.inc"
    ;

/// Coefficient lanes: one for each NE. Verified.
constexpr unsigned numLanes = 16;

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_FIELDS_H
