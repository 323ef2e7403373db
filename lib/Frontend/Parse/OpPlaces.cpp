//===- OpPlaces.cpp - Where the ops of a text stand -----------------------===//

#include "Parse/OpPlaces.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

namespace {

/// mlir::StorageUniquer shares its objects out among so many tables, by the
/// lowest bits of their hashes. What MLIR does inside decides about speed
/// alone: in any order the locations are the same.
constexpr size_t numTables = 8;

size_t tableOf(StringAttr fileName, Position position) {
  std::array<unsigned, 2> place = {position.line, position.column};
  return llvm::hash_combine(fileName, llvm::ArrayRef(place)) % numTables;
}

} // namespace

Location frontend::locationOf(StringAttr fileName, Position position) {
  return FileLineColLoc::get(fileName, position.line, position.column);
}

void OpPlaces::locate(StringAttr fileName) {
  std::array<std::vector<size_t>, numTables> tables;
  for (size_t i = 0; i < places.size(); ++i)
    tables[tableOf(fileName, places[i].position)].push_back(i);

  std::vector<LocationAttr> locations(places.size());
  for (const std::vector<size_t> &table : tables)
    for (size_t i : table)
      locations[i] = locationOf(fileName, places[i].position);
  // The ops lie in memory as they came, so they are written in that order.
  for (auto [place, location] : llvm::zip_equal(places, locations))
    place.op->setLoc(location);
  places.clear();
}
