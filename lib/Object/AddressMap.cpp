//===- AddressMap.cpp - From device addresses to sections -----------------===//

#include "ane/Object/AddressMap.h"
#include "ane/Support/Hex.h"
#include "llvm/ADT/STLExtras.h"

using namespace ane::object;

static std::string describe(const AddressRange &range) {
  return ("section " + llvm::Twine(range.ordinal) + " (" +
          range.section->segmentName + "," + range.section->name + ") at [" +
          ane::hex(range.begin) + ", " + ane::hex(range.end) + ")")
      .str();
}

llvm::Expected<AddressMap> AddressMap::create(const Object &object) {
  AddressMap map;
  for (auto [index, section] : llvm::enumerate(object.sections()))
    if (section->size != 0)
      map.sorted.push_back({section->address, section->address + section->size,
                            unsigned(index + 1), section});
  llvm::sort(map.sorted, [](const auto &a, const auto &b) {
    return std::tie(a.begin, a.ordinal) < std::tie(b.begin, b.ordinal);
  });
  for (size_t i = 1; i < map.sorted.size(); ++i)
    if (map.sorted[i].begin < map.sorted[i - 1].end)
      return llvm::createStringError(describe(map.sorted[i]) + " overlaps " +
                                     describe(map.sorted[i - 1]) +
                                     " in device memory");
  return map;
}
