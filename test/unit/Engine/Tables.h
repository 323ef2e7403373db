//===- Tables.h - Activation tables of real programs ------------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_ENGINE_TABLES_H
#define ANE_TEST_UNIT_ENGINE_TABLES_H

#include "ane/TaskDescriptor/Lut.h"
#include <vector>

namespace ane::engine::test {

/// The records that Apple's compiler writes for H13.
td::LutRecord sigmoidTable();
td::LutRecord tanhTable();
td::LutRecord geluTable();
td::LutRecord siluTable();
td::LutRecord exp2Table();
td::LutRecord log2Table();
td::LutRecord sqrtTable();
td::LutRecord rsqrtTable();
td::LutRecord reciprocalTable();
td::LutRecord leakyReluTable(double slope);
td::LutRecord maximumTable(double bound);
td::LutRecord minimumTable(double bound);
/// 1 for 0 and for a negative number, of logical_not and less.
td::LutRecord equalsZeroTable();
td::LutRecord belowZeroTable();

/// Appends a record, padded to the 128 bytes it takes in a lane.
void appendTable(std::vector<uint8_t> &bytes, const td::LutRecord &record);

} // namespace ane::engine::test

#endif // ANE_TEST_UNIT_ENGINE_TABLES_H
