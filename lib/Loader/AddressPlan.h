//===- AddressPlan.h - The addresses of a load ------------------*- C++ -*-===//

#ifndef ANE_LIB_LOADER_ADDRESSPLAN_H
#define ANE_LIB_LOADER_ADDRESSPLAN_H

#include "ane/Object/Object.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace ane::loader {

/// Gives every segment of an object but __PAGEZERO an address.
class AddressPlan {
public:
  /// Refuses an address space that is too small for all segments, and a segment
  /// of a port that LC_LOADFVMLIB cannot name any more.
  static llvm::Expected<AddressPlan>
  create(const object::Object &object, llvm::StringRef file, uint64_t base);

  /// Moves segments, ports, BARs, entries and symbols of that object. Refuses
  /// commands with bytes that no field accounts for, as one of them might be an
  /// address.
  llvm::Error apply(object::Object &object, llvm::StringRef file) const;

private:
  /// Device memory before and after.
  struct Range {
    uint64_t begin;
    uint64_t end;
    uint64_t newBegin;
  };

  /// The new place of an address in a section, or in a segment without any.
  std::optional<uint64_t> moved(uint64_t address) const;

  /// Of the sections in file order, then of segments without sections.
  std::vector<Range> ranges;
  std::vector<std::optional<uint64_t>> segments; ///< by command
};

} // namespace ane::loader

#endif // ANE_LIB_LOADER_ADDRESSPLAN_H
