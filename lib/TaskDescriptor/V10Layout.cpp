//===- V10Layout.cpp - The register image as v10 has it -------------------===//

#include "V10Layout.h"
#include "Codec.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/ADT/STLExtras.h"
#include <bit>

using namespace ane::td;
using namespace ane::td::v10;

/// Fields that v10 writes as plain values and that lie alike in a word of an
/// image and in one of the groups. Every task is spelled by these, so they hold
/// no more than that takes.
struct PlainFields {
  uint32_t mask; ///< in the image
  uint16_t imageWord;
  uint8_t group, groupWord;
  uint8_t rotation; ///< to the left, of what the mask leaves

  bool liesLike(const PlainFields &other) const {
    return imageWord == other.imageWord && group == other.group &&
           groupWord == other.groupWord && rotation == other.rotation;
  }
  uint32_t groupMask() const { return std::rotl(mask, rotation); }
};

static llvm::ArrayRef<PlainFields> plainFields() {
  static const std::vector<PlainFields> fields = [] {
    std::vector<PlainFields> list;
    for (const FieldInfo &info : fieldTable()) {
      if (info.v10.group < 0 || info.v10.slot)
        continue;
      for (unsigned i = 0; i < info.count; ++i) {
        PlainFields field = {
            info.mask() << info.lsb,
            uint16_t(RegisterImage::indexOf(
                info.block, info.offset / sizeof(uint32_t) + i)),
            uint8_t(info.v10.group), uint8_t(info.v10.word + i),
            uint8_t((32 + info.v10.lsb - info.lsb) % 32)};
        auto same = llvm::find_if(list, [&](const PlainFields &other) {
          return field.liesLike(other);
        });
        if (same != list.end())
          same->mask |= field.mask;
        else
          list.push_back(field);
      }
    }
    return list;
  }();
  return fields;
}

V10Layout::V10Layout() {
  RegisterImage idle;
  toGroups(idle, defaults);
  for (const PlainFields &fields : plainFields())
    named[fields.group][fields.groupWord] |= fields.groupMask();
}

const V10Layout &V10Layout::get() {
  static const V10Layout instance;
  return instance;
}

void V10Layout::toGroups(const RegisterImage &image, GroupWords &words) {
  llvm::ArrayRef<uint32_t> registers = image.allWords();
  for (const PlainFields &fields : plainFields())
    words[fields.group][fields.groupWord] |=
        std::rotl(registers[fields.imageWord] & fields.mask, fields.rotation);
}

void V10Layout::fromGroups(const GroupWords &words, RegisterImage &image) {
  llvm::MutableArrayRef<uint32_t> registers = image.allWords();
  for (const PlainFields &fields : plainFields()) {
    uint32_t value = words[fields.group][fields.groupWord] & fields.groupMask();
    uint32_t &word = registers[fields.imageWord];
    word = (word & ~fields.mask) | std::rotr(value, fields.rotation);
  }
}

llvm::ArrayRef<SlotBinding> v10::slotBindings() {
  static const std::vector<SlotBinding> bindings = [] {
    std::vector<SlotBinding> list;
    for (const BufferBinding &binding : bufferBindings())
      list.push_back(
          {binding.base, binding.barEnable, binding.bar, std::nullopt});
    for (auto [index, base] : llvm::enumerate(streamBases))
      list.push_back({base, Field::KBE0, Field::KBase0, index});
    return list;
  }();
  return bindings;
}

bool v10::isBound(const RegisterImage &image, const SlotBinding &binding) {
  return image.isSet(binding.barEnable) &&
         (!binding.stream || image.isSet(Field::StreamEn, *binding.stream));
}

std::string v10::unboundBy(const RegisterImage &image,
                           const SlotBinding &binding) {
  if (!image.isSet(binding.barEnable))
    return fieldInfo(binding.barEnable).fullName();
  return fieldInfo(Field::StreamEn).fullName(*binding.stream);
}

uint32_t v10::registerAddress(const GroupInfo &group, unsigned word) {
  return registerAperture + group.aperture + 4 * word;
}
