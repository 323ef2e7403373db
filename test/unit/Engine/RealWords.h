//===- RealWords.h - Register words of real programs ------------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_ENGINE_REALWORDS_H
#define ANE_TEST_UNIT_ENGINE_REALWORDS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ane::engine::test {

/// Addresses and what is written there.
using Registers = std::vector<std::pair<uint32_t, uint32_t>>;

/// `count` lanes of `size` bytes, one after the other.
void addLanes(Registers &registers, uint32_t count, uint32_t size,
              uint32_t base = 0);

/// With what most tasks of the neural engine have in common in front.
Registers withCommon(const Registers &registers);

/// The SHA-256 of a constant section.
std::string hashOf(llvm::ArrayRef<uint8_t> bytes);

} // namespace ane::engine::test

#endif // ANE_TEST_UNIT_ENGINE_REALWORDS_H
