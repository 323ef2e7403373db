//===- L2Banks.h - What shares banks of the scratchpad ----------*- C++ -*-===//
//
// An access takes 16 bytes of all rows of a plane, or of all channels where
// there is one row, and each bank of L2 gives one of them in a cycle
// (documented). Which distances Apple's compiler leaves is known of few
// layouts: the rules of L2Place.cpp agree with those. Views that see a buffer
// in another shape meet few banks all the same. Where that is so of more than
// was seen, the distance of rows or channels is one with which all accesses
// together take the fewest cycles.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ZIN_IR_L2BANKS_H
#define ANE_LIB_DIALECT_ZIN_IR_L2BANKS_H

#include "ane/Dialect/Zin/IR/L2Place.h"

namespace ane::zin {

/// The layout of a buffer, or one like it with larger distances if some view of
/// it has fewer than 16 banks for more than 4 rows or channels at a time, or if
/// channels of one share banks that a task may have for rows.
L2Layout withMoreBanks(ViewAttr buffer, const L2Accesses &accesses,
                       const L2Layout &layout);

} // namespace ane::zin

#endif // ANE_LIB_DIALECT_ZIN_IR_L2BANKS_H
