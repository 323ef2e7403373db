//===- TextSites.h - Where the text has registers ---------------*- C++ -*-===//

#ifndef ANE_LIB_LOADER_TEXTSITES_H
#define ANE_LIB_LOADER_TEXTSITES_H

#include "ane/Object/Object.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <tuple>

namespace ane::loader {

/// Something in the text that a relocation may complete.
struct RelocatableSite {
  bool isSlot;
  unsigned procedure;                ///< whose BARs count
  std::optional<unsigned> kernelBar; ///< of a lane base
};

/// The words of a text by what they mean.
class TextSites {
public:
  /// Decodes the programs of all procedures. Refuses what td::decodeProgram
  /// does, a first task outside the text, and lane bases or slots that two
  /// procedures share. Without `withRegisters` findRegister finds nothing.
  static llvm::Expected<TextSites> create(const object::Object &object,
                                          const object::Section &text,
                                          llvm::StringRef file,
                                          bool withRegisters);

  /// The lane base or slot at an offset in the text, or null.
  const RelocatableSite *find(uint64_t offset) const;

  /// The offset of the word that a descriptor has for a register, or nothing
  /// where none of its records is about this register alone.
  std::optional<uint64_t> findRegister(uint32_t procedure, uint32_t task,
                                       uint32_t registerIndex) const;

private:
  friend class SiteCollector;
  using RegisterKey = std::tuple<uint32_t, uint32_t, uint32_t>;

  bool withRegisters = false;
  std::map<uint64_t, RelocatableSite> relocatable;
  std::map<RegisterKey, uint64_t> registers;
};

} // namespace ane::loader

#endif // ANE_LIB_LOADER_TEXTSITES_H
