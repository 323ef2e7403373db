//===- RepeatedColumns.h - Larger images in parts of channels ---*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_REPEATEDCOLUMNS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_REPEATEDCOLUMNS_H

#include "Split/LayerRegions.h"

namespace ane::zin {

struct PartCounts {
  unsigned groups = 0, parts = 0;
};

/// Makes images larger, by copies of their columns and rows, some channels at a
/// time where L2 has no room for more than a few rows of all.
PartCounts partRepeatedColumns(ProcedureOp procedure,
                               const RegionFinder &finder);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_REPEATEDCOLUMNS_H
