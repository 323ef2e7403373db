//===- V10Layout.cpp - The register image as v10 has it -------------------===//

#include "V10Layout.h"
#include "Codec.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/ADT/STLExtras.h"

using namespace ane::td;
using namespace ane::td::v10;

/// A field that v10 writes as a plain value, or an element of one: where it is
/// in an image and in the groups. Every task is spelled by these, so they hold
/// no more than that takes.
struct PlainElement {
  uint32_t mask;
  uint16_t imageWord;
  uint8_t lsb, group, groupWord, groupLsb;
};

static llvm::ArrayRef<PlainElement> plainElements() {
  static const std::vector<PlainElement> elements = [] {
    std::vector<PlainElement> list;
    for (const FieldInfo &info : fieldTable())
      for (unsigned i = 0; i < info.count; ++i)
        if (info.v10.group >= 0 && !info.v10.slot)
          list.push_back({info.mask(),
                          uint16_t(RegisterImage::indexOf(
                              info.block, info.offset / sizeof(uint32_t) + i)),
                          info.lsb, uint8_t(info.v10.group),
                          uint8_t(info.v10.word + i), info.v10.lsb});
    return list;
  }();
  return elements;
}

V10Layout::V10Layout() {
  RegisterImage idle;
  toGroups(idle, defaults);
  for (const PlainElement &element : plainElements())
    named[element.group][element.groupWord] |= element.mask << element.groupLsb;
}

const V10Layout &V10Layout::get() {
  static const V10Layout instance;
  return instance;
}

void V10Layout::toGroups(const RegisterImage &image, GroupWords &words) {
  llvm::ArrayRef<uint32_t> registers = image.allWords();
  for (const PlainElement &element : plainElements())
    words[element.group][element.groupWord] |=
        ((registers[element.imageWord] >> element.lsb) & element.mask)
        << element.groupLsb;
}

void V10Layout::fromGroups(const GroupWords &words, RegisterImage &image) {
  llvm::MutableArrayRef<uint32_t> registers = image.allWords();
  for (const PlainElement &element : plainElements()) {
    uint32_t value =
        (words[element.group][element.groupWord] >> element.groupLsb) &
        element.mask;
    uint32_t &word = registers[element.imageWord];
    word = (word & ~(element.mask << element.lsb)) | (value << element.lsb);
  }
}

llvm::ArrayRef<SlotBinding> v10::slotBindings() {
  static const std::vector<SlotBinding> bindings = [] {
    std::vector<SlotBinding> list;
    for (const BufferBinding &binding : bufferBindings())
      list.push_back(
          {binding.base, binding.barEnable, binding.bar, std::nullopt});
    constexpr Field streams[] = {
        Field::StreamBiasBase, Field::StreamPostScaleBase,
        Field::StreamPaletteBase, Field::StreamLutBase};
    for (auto [index, base] : llvm::enumerate(streams))
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
