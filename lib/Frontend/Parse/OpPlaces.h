//===- OpPlaces.h - Where the ops of a text stand ---------------*- C++ -*-===//
//
// Ops are made without a location and get theirs at the end, all in one go. The
// context keeps each location once, in hash tables that 100,000 of them make
// too large for a cache; a location made between two ops waits for memory
// several times. Made one after the other, those of one table after those of
// another, they wait for a cache, and import takes a tenth less.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_FRONTEND_PARSE_OPPLACES_H
#define ANE_LIB_FRONTEND_PARSE_OPPLACES_H

#include "Lexer.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include <vector>

namespace ane::frontend {

mlir::Location locationOf(mlir::StringAttr fileName, Position position);

class OpPlaces {
public:
  /// The op must exist until `locate`.
  void add(mlir::Operation *op, Position position) {
    places.push_back({op, position});
  }

  /// Gives each op its location in the file of this name.
  void locate(mlir::StringAttr fileName);

private:
  struct Place {
    mlir::Operation *op;
    Position position;
  };

  std::vector<Place> places;
};

} // namespace ane::frontend

#endif // ANE_LIB_FRONTEND_PARSE_OPPLACES_H
