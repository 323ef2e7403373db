//===- Fields.cpp - The field table of a task descriptor ------------------===//

#include "ane/TaskDescriptor/Fields.h"
#include "ane/Support/Hex.h"
#include "llvm/ADT/StringExtras.h"

using namespace ane::td;

namespace {

constexpr BlockInfo blocks[] = {
#define GET_BLOCK_TABLE
#include "ane/TaskDescriptor/Registers.inc"
};

constexpr GroupInfo groups[] = {
#define GET_GROUP_TABLE
#include "ane/TaskDescriptor/Registers.inc"
};

constexpr FieldInfo fields[] = {
#define GET_FIELD_TABLE
#include "ane/TaskDescriptor/Registers.inc"
};

#define GET_VALUE_TABLE
#include "ane/TaskDescriptor/Values.h.inc"

} // namespace

llvm::StringRef ane::td::stringifyEvidence(Evidence evidence) {
  switch (evidence) {
  case Evidence::Verified:
    return "verified";
  case Evidence::Documented:
    return "documented";
  case Evidence::Assigned:
    return "assigned";
  }
  llvm_unreachable("invalid evidence");
}

std::string FieldInfo::fullName(unsigned index) const {
  std::string text;
  // The header registers carry the block's name in their own.
  if (block != Block::Header)
    text = (blockInfo(block).symbol + ".").str();
  text += registerName;
  if (count > 1)
    text += "[" + llvm::utostr(index) + "]";
  text += ".";
  text += name;
  return text;
}

std::string ValueSetInfo::nameOf(uint32_t value) const {
  std::string text;
  uint32_t rest = value;
  for (const NamedValue &named : values) {
    if (!isMask && named.value == value)
      return named.name.str();
    if (!isMask || (named.value & ~value))
      continue;
    text += (text.empty() ? "" : " | ") + named.name.str();
    rest &= ~named.value;
  }
  if (!text.empty() && rest)
    text += " | " + ane::hex(rest);
  return text;
}

const ValueSetInfo *ane::td::valueSetOf(const FieldInfo &field) {
  return field.valueSet < std::size(valueSets) ? &valueSets[field.valueSet]
                                               : nullptr;
}

llvm::ArrayRef<FieldInfo> ane::td::fieldTable() { return fields; }
llvm::ArrayRef<BlockInfo> ane::td::blockTable() { return blocks; }
llvm::ArrayRef<GroupInfo> ane::td::groupTable() { return groups; }

const FieldInfo &ane::td::fieldInfo(Field field) {
  return fields[static_cast<size_t>(field)];
}
const BlockInfo &ane::td::blockInfo(Block block) {
  return blocks[static_cast<size_t>(block)];
}
