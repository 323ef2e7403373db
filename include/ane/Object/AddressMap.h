//===- AddressMap.h - From device addresses to sections ---------*- C++ -*-===//

#ifndef ANE_OBJECT_ADDRESSMAP_H
#define ANE_OBJECT_ADDRESSMAP_H

#include "ane/Object/Object.h"
#include "llvm/Support/Error.h"

namespace ane::object {

/// The device memory of one section.
struct AddressRange {
  uint64_t begin = 0;
  uint64_t end = 0;
  unsigned ordinal = 0; ///< of the section, from 1
  const Section *section = nullptr;
};

/// The device memory that a container describes. Refers to the Object, which
/// must outlive it.
class AddressMap {
public:
  /// Refuses sections that overlap in memory, naming both.
  static llvm::Expected<AddressMap> create(const Object &object);

  /// The sections that are not empty, by address.
  llvm::ArrayRef<AddressRange> ranges() const { return sorted; }

private:
  std::vector<AddressRange> sorted;
};

} // namespace ane::object

#endif // ANE_OBJECT_ADDRESSMAP_H
