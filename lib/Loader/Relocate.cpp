//===- Relocate.cpp - Applies the relocations of a container --------------===//

#include "Resolve.h"
#include "ane/Support/FileError.h"
#include "ane/TaskDescriptor/Fields.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::loader;
using llvm::Error;
using td::Field;

namespace {

/// Values of Relocation::lengthLog2.
constexpr unsigned laneLength = 2;
constexpr unsigned slotLength = 3;

/// What is left of a word, or of two.
constexpr unsigned wordBits = 32;
constexpr unsigned slotBits = 64;

/// Completes a lane base; a message if that is not possible.
std::optional<std::string> completeLane(const RelocatableSite &site,
                                        uint64_t offset, uint64_t target,
                                        llvm::ArrayRef<uint64_t> bars,
                                        TextPatch &patch) {
  if (!site.kernelBar)
    return "the descriptor uses no kernel BAR";
  uint64_t bar = bars[*site.kernelBar];
  if (bar == 0)
    return llvm::formatv("kernel BAR {0} holds no address", *site.kernelBar)
        .str();
  // Both addresses have 42 bits.
  int64_t moved = int64_t(target) - int64_t(bar);
  int64_t value = int64_t(patch.word(offset)) + moved;
  if (moved % td::fieldInfo(Field::CoeffBase).unit != 0 || value < 0 ||
      value > UINT32_MAX)
    return llvm::formatv("the section at {0:x} cannot be reached from kernel "
                         "BAR {1} at {2:x}",
                         target, *site.kernelBar, bar)
        .str();
  return patch.write(offset, 0, wordBits, value);
}

std::optional<std::string> completeSlot(uint64_t offset, uint64_t target,
                                        TextPatch &patch) {
  uint64_t addend = patch.doubleWord(offset);
  if (addend >= object::deviceLimit || target >= object::deviceLimit - addend)
    return llvm::formatv("offset {0:x} from {1:x} is no 42-bit address", addend,
                         target)
        .str();
  return patch.write(offset, 0, slotBits, addend + target);
}

} // namespace

Error loader::relocate(const object::Object &object,
                       const object::Section &text, const TextSites &sites,
                       llvm::StringRef file, TextPatch &patch) {
  auto sections = object.sections();
  auto programs = object.all<object::ProgramDescriptor>();
  llvm::DenseSet<uint64_t> done;
  for (auto [index, relocation] : llvm::enumerate(text.relocations)) {
    std::string what = ("relocation " + llvm::Twine(index) + ": ").str();
    uint64_t place = text.relocationOffset +
                     index * sizeof(llvm::MachO::any_relocation_info);
    auto fail = [&](const llvm::Twine &message) {
      return makeFileError(file, place, what + message);
    };
    if (relocation.isExtern || relocation.type != 0)
      return fail("only relocations against sections of type 0 are known");
    const RelocatableSite *site = sites.find(relocation.address);
    if (!site || !done.insert(relocation.address).second)
      return fail(llvm::formatv("text offset {0:x} is not a lane base or slot "
                                "of a descriptor, or is relocated twice",
                                relocation.address));
    if (relocation.lengthLog2 != (site->isSlot ? slotLength : laneLength))
      return fail(llvm::formatv("it has {0} bytes; a lane base has 4 and a "
                                "slot 8",
                                1u << relocation.lengthLog2));
    if (relocation.pcRelative == site->isSlot)
      return fail(site->isSlot ? "that of a slot has no relative bit"
                               : "that of a lane base has the relative bit");
    if (relocation.target == 0 || relocation.target > sections.size())
      return fail(llvm::formatv("there is no section {0}", relocation.target));
    uint64_t target = sections[relocation.target - 1]->address;
    std::optional<std::string> problem =
        site->isSlot ? completeSlot(relocation.address, target, patch)
                     : completeLane(*site, relocation.address, target,
                                    programs[site->procedure]->bars, patch);
    if (problem)
      return fail(*problem);
  }
  return Error::success();
}
