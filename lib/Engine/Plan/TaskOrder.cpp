//===- TaskOrder.cpp - What headers say about order -----------------------===//

#include "Plan/TaskOrder.h"
#include "Plan/Planner.h"

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using td::Field;

Error TaskOrder::next(const td::RegisterImage &image) {
  if (image.isSet(Field::TDE) && !seen[image.get(Field::DTID)])
    return refuseField(image, Field::DTID,
                       "it waits for a task that does not come before");
  seen.set(image.get(Field::TID));

  bool opens = image.isSet(Field::SPL), closes = image.isSet(Field::TSE);
  if (opens && inGroup)
    return refuseField(image, Field::SPL,
                       "the group of tasks before is still open");
  if (image.isSet(Field::TSR) != closes)
    return refuseField(image, Field::TSR, "it equals TSE");
  if (closes && !opens && !inGroup)
    return refuseField(image, Field::TSE, "no group of tasks is open");
  inGroup = (inGroup || opens) && !closes;
  return Error::success();
}

Error TaskOrder::end() const {
  if (!inGroup)
    return Error::success();
  return llvm::createStringError(
      "the last group of tasks that must not be interrupted is still open");
}
