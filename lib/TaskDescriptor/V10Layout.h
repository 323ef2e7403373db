//===- V10Layout.h - The register image as v10 has it -----------*- C++ -*-===//

#ifndef ANE_LIB_TASKDESCRIPTOR_V10LAYOUT_H
#define ANE_LIB_TASKDESCRIPTOR_V10LAYOUT_H

#include "ane/TaskDescriptor/RegisterImage.h"
#include <array>
#include <optional>

namespace ane::td::v10 {

constexpr unsigned numGroups = 7;
constexpr unsigned maxGroupWords = 69;

/// A progression shorter than this takes no fewer records than a run.
constexpr unsigned minProgression = 4;

/// The registers of the seven groups.
using GroupWords = std::array<std::array<uint32_t, maxGroupWords>, numGroups>;

/// What the field table says about the words of the v10 image.
struct V10Layout {
  GroupWords named{};    ///< bits of plain fields
  GroupWords defaults{}; ///< their values by default

  static const V10Layout &get();

  /// Adds the plain fields of an image to words that are 0.
  static void toGroups(const RegisterImage &image, GroupWords &words);
  /// Sets all plain fields of an image.
  static void fromGroups(const GroupWords &words, RegisterImage &image);

private:
  V10Layout();
};

/// A base field with a slot, and the header fields that bind it.
struct SlotBinding {
  Field base;
  Field barEnable;
  Field bar;
  std::optional<unsigned> stream; ///< auxiliary stream, which must be enabled
};

/// In the order in which slots are written.
llvm::ArrayRef<SlotBinding> slotBindings();

bool isBound(const RegisterImage &image, const SlotBinding &binding);

/// The header or register field that keeps a slot from being bound.
std::string unboundBy(const RegisterImage &image, const SlotBinding &binding);

/// In the register aperture of the unloaded file.
uint32_t registerAddress(const GroupInfo &group, unsigned word);

} // namespace ane::td::v10

#endif // ANE_LIB_TASKDESCRIPTOR_V10LAYOUT_H
