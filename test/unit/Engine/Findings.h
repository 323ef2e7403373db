//===- Findings.h - What the check says of a small program ------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_ENGINE_FINDINGS_H
#define ANE_TEST_UNIT_ENGINE_FINDINGS_H

#include "Fixtures.h"

namespace ane::engine::test {

/// The number of the task and the message of each finding.
std::vector<std::string> findings(const Model &model);

/// The task waits for none before it.
void clearHazards(td::RegisterImage &task);

} // namespace ane::engine::test

#endif // ANE_TEST_UNIT_ENGINE_FINDINGS_H
