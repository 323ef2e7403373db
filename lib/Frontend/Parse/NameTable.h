//===- NameTable.h - What the names of a function stand for -----*- C++ -*-===//
//
// A hash table of its own, because every statement puts a name into it. An
// llvm::StringMap of 100,000 names fits no cache, and an entry costs the misses
// of its hash, its pointer and its copy of the name. Here a name stays in the
// text, hash and index share a slot of eight bytes, and the parser asks for the
// slot of a new name when it reads it, some hundred instructions before it is
// used. Most names are used soon after they are defined; those of the last
// definitions are found without the slots.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_FRONTEND_PARSE_NAMETABLE_H
#define ANE_LIB_FRONTEND_PARSE_NAMETABLE_H

#include "Lexer.h"
#include "mlir/IR/Value.h"
#include <array>
#include <deque>
#include <utility>
#include <vector>

namespace ane::frontend {

/// What a name in scope stands for. A null value is one whose definition was
/// wrong, one of several, or missing; to use it is no new error.
struct Symbol {
  llvm::StringRef name; ///< a piece of the text, or a string of the context
  mlir::Value value;
  Position position;
  bool isAmbiguous = false;
  bool isDefined = true;
};

class NameTable {
public:
  /// Starts to load what `insert` or `find` of this name will look at.
  void prefetch(llvm::StringRef name) const;

  /// The symbol of a name; null if there is none. It stays where it is.
  Symbol *find(llvm::StringRef name);

  /// Adds a symbol, unless there is one of its name. The symbol of the name,
  /// and whether it is new.
  std::pair<Symbol *, bool> insert(const Symbol &symbol);

  void clear();

  // All symbols, in the order in which they were added.
  auto begin() const { return symbols.begin(); }
  auto end() const { return symbols.end(); }

private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t number = 0; ///< of the symbol, from 1 on; 0 is no symbol
  };

  static uint32_t hash(llvm::StringRef name);
  /// The slot of a name, or the empty one where it belongs.
  Slot &lookup(llvm::StringRef name, uint32_t hash);
  /// The first slot that a hash may have.
  size_t home(uint32_t hash) const { return hash & (slots.size() - 1); }
  size_t behind(size_t slot) const { return (slot + 1) & (slots.size() - 1); }
  void grow();

  /// Of the symbols with hashes like this one, the last that was added.
  Symbol *&lastLike(uint32_t hash) { return last[hash % last.size()]; }

  std::deque<Symbol> symbols;
  std::vector<Slot> slots; ///< a power of 2 of them, some of them empty
  std::array<Symbol *, 512> last = {};
};

} // namespace ane::frontend

#endif // ANE_LIB_FRONTEND_PARSE_NAMETABLE_H
