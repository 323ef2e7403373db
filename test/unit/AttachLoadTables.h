//===- AttachLoadTables.h - Containers with tables for a load ---*- C++ -*-===//

#ifndef ANE_TEST_UNIT_ATTACHLOADTABLES_H
#define ANE_TEST_UNIT_ATTACHLOADTABLES_H

#include "ane/Loader/LoadTables.h"

namespace ane {

/// Adds the tables, those that are not empty, to a laid-out container that has
/// none: the tables of the file and the contents of sections move towards its
/// end.
void attachLoadTables(object::Object &object, const loader::LoadTables &tables);

} // namespace ane

#endif // ANE_TEST_UNIT_ATTACHLOADTABLES_H
