//===- V10Layout.cpp - The register image as v10 has it -------------------===//

#include "V10Layout.h"
#include "Codec.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/ADT/STLExtras.h"

using namespace ane::td;
using namespace ane::td::v10;

/// Visits every element of every field that v10 writes as a plain value.
template <typename Fn> static void forEachElement(Fn fn) {
  for (auto [index, info] : llvm::enumerate(fieldTable()))
    if (info.v10.group >= 0 && !info.v10.slot)
      for (unsigned i = 0; i < info.count; ++i)
        fn(static_cast<Field>(index), info, i);
}

V10Layout::V10Layout() {
  RegisterImage idle;
  toGroups(idle, defaults);
  forEachElement([&](Field, const FieldInfo &info, unsigned i) {
    named[info.v10.group][info.v10.word + i] |= info.mask() << info.v10.lsb;
  });
}

const V10Layout &V10Layout::get() {
  static const V10Layout instance;
  return instance;
}

void V10Layout::toGroups(const RegisterImage &image, GroupWords &words) {
  forEachElement([&](Field field, const FieldInfo &info, unsigned i) {
    words[info.v10.group][info.v10.word + i] |= image.get(field, i)
                                                << info.v10.lsb;
  });
}

void V10Layout::fromGroups(const GroupWords &words, RegisterImage &image) {
  forEachElement([&](Field field, const FieldInfo &info, unsigned i) {
    uint32_t word = words[info.v10.group][info.v10.word + i];
    image.set(field, (word >> info.v10.lsb) & info.mask(), i);
  });
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
