//===- JoinedColumns.h - Columns of signals that were rows ------*- C++ -*-===//

#ifndef ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_JOINEDCOLUMNS_H
#define ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_JOINEDCOLUMNS_H

#include "Split/LayerRegions.h"

namespace ane::zin {

/// Lets the products of feed-forward layers read columns of signals, which have
/// become rows of images, as columns again, where blocks of these then run a
/// part of the outputs at a time. The number of products.
unsigned joinColumns(ProcedureOp procedure, RegionFinder &finder);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_TRANSFORMS_SPLIT_JOINEDCOLUMNS_H
