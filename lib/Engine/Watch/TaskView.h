//===- TaskView.h - What a task reads and writes ----------------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_WATCH_TASKVIEW_H
#define ANE_LIB_ENGINE_WATCH_TASKVIEW_H

#include "MachineState.h"

namespace ane::engine {

/// An operand or the result of a task, in one place.
struct View {
  enum Role { Source1, Source2, Result };
  enum Where { InMemory, InL2, HandedOver };

  Role role;
  Where where;
  bool isWritten; ///< also the copy of a source that is kept in L2
  Extents extents;
  Strides strides;
  const uint8_t *origin = nullptr;        ///< null if it is handed over
  const MemorySection *section = nullptr; ///< of what is in memory
  unsigned bar = 0;                       ///< the same
  /// Of the first element, in device memory or in L2. What several sections
  /// share has the addresses of one of them.
  uint64_t address = 0;
  td::Field base; ///< the register with the address

  /// Calls `body(g, d, c, h)` for every row.
  template <typename Body> void forEachRow(Body body) const {
    for (uint32_t g = 0; g < extents.groups; ++g)
      for (uint32_t d = 0; d < extents.depth; ++d)
        for (uint32_t c = 0; c < extents.channels; ++c)
          for (uint32_t h = 0; h < extents.height; ++h)
            body(g, d, c, h);
  }

  /// `TileDMASrc.BaseAddr.Addr (BAR 4)`.
  std::string place() const;
};

/// The sources, in the order of their registers, then where the result goes.
/// A source that is fetched and kept has two views.
llvm::SmallVector<View, 6> viewsOf(const MachineState &state, unsigned task);

/// What a task streams through L2, as the rows that are there at a time: a row
/// of the result for each of TileHeight, of a source as many as their windows
/// take. Verified: in real programs what follows a tile in L2 begins right
/// behind such rows, whatever the groups; channels that are wider than their
/// stride come in pieces of it. Of a streamed result without strides only the
/// beginning is known, so it counts as one unit. Other operands without
/// strides, and results at address 0 then, have no tile.
llvm::SmallVector<View, 3> tilesOf(const MachineState &state, unsigned task);

/// `source 1`, `source 2`, `the result`.
llvm::StringRef stringify(View::Role role);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_WATCH_TASKVIEW_H
