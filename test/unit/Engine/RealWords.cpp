//===- RealWords.cpp - Register words of real programs --------------------===//

#include "RealWords.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

void test::addLanes(Registers &registers, uint32_t count, uint32_t size,
                    uint32_t base) {
  for (uint32_t i = 0; i < count; ++i) {
    registers.push_back({0x1f808 + 4 * i, 0x81});
    registers.push_back({0x1f848 + 4 * i, base + i * size});
    registers.push_back({0x1f888 + 4 * i, size});
  }
}

Registers test::withCommon(const Registers &registers) {
  Registers all = {
      {0x00004, 1},        {0x00018, 1},      {0x00020, 0x2041},
      {0x00038, 0x100000}, {0x13804, 0x8880}, {0x13838, 0x1000000},
      {0x13840, 0x100},    {0x0c810, 0x3c00}, {0x17818, 0x1000000}};
  all.insert(all.end(), registers.begin(), registers.end());
  return all;
}

std::string test::hashOf(llvm::ArrayRef<uint8_t> bytes) {
  return llvm::toHex(llvm::SHA256::hash(bytes), /*LowerCase=*/true);
}
