//===- NameTable.cpp - What the names of a function stand for -------------===//

#include "Parse/NameTable.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/xxhash.h"

using namespace ane;
using namespace ane::frontend;

uint32_t NameTable::hash(llvm::StringRef name) {
  return static_cast<uint32_t>(llvm::xxh3_64bits(name));
}

NameTable::Slot &NameTable::lookup(llvm::StringRef name, uint32_t hash) {
  for (size_t i = home(hash);; i = behind(i)) {
    Slot &slot = slots[i];
    if (slot.number == 0 ||
        (slot.hash == hash && symbols[slot.number - 1].name == name))
      return slot;
  }
}

void NameTable::prefetch(llvm::StringRef name) const {
  if (!slots.empty())
    LLVM_PREFETCH(&slots[home(hash(name))], /*rw=*/1, /*locality=*/3);
}

Symbol *NameTable::find(llvm::StringRef name) {
  if (slots.empty())
    return nullptr;
  uint32_t hash = NameTable::hash(name);
  if (Symbol *symbol = lastLike(hash); symbol && symbol->name == name)
    return symbol;
  const Slot &slot = lookup(name, hash);
  return slot.number == 0 ? nullptr : &symbols[slot.number - 1];
}

std::pair<Symbol *, bool> NameTable::insert(const Symbol &symbol) {
  // A quarter stays empty, so that a search ends soon.
  if (symbols.size() >= slots.size() / 4 * 3)
    grow();
  uint32_t hash = NameTable::hash(symbol.name);
  Slot &slot = lookup(symbol.name, hash);
  bool isNew = slot.number == 0;
  if (isNew) {
    symbols.push_back(symbol);
    slot = {hash, static_cast<uint32_t>(symbols.size())};
    lastLike(hash) = &symbols.back();
  }
  return {&symbols[slot.number - 1], isNew};
}

void NameTable::grow() {
  // By four, because what is moved once more is read from beyond the caches.
  constexpr size_t firstSize = 64, factor = 4;
  std::vector<Slot> old = std::move(slots);
  slots.assign(std::max(firstSize, old.size() * factor), Slot());
  for (const Slot &slot : old) {
    if (slot.number == 0)
      continue;
    size_t i = home(slot.hash);
    while (slots[i].number != 0)
      i = behind(i);
    slots[i] = slot;
  }
}

void NameTable::clear() {
  symbols.clear();
  slots.clear();
  last.fill(nullptr);
}
