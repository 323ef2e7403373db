//===- TaskOrder.cpp - What headers say about order -----------------------===//

#include "TaskOrder.h"
#include "Planner.h"
#include "ane/TaskDescriptor/Values.h"

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using td::Field;

static bool isPlanar(const td::RegisterImage &image) {
  return image.isSet(Field::TaskType);
}

Error TaskOrder::checkWriters(const td::RegisterImage &image) const {
  for (Field field : {Field::SourceDependent, Field::Source2Dependent}) {
    uint32_t writer = image.get(field);
    if (writer == td::bits(td::SourceWriter::None))
      continue;
    if (writer > td::bits(td::SourceWriter::PE))
      return refuseField(image, field, "only 0 to 2 are known");
    bool planar = writer == td::bits(td::SourceWriter::PE);
    if (!before || isPlanar(*before) != planar)
      return refuseField(image, field,
                         "the task before is not of the engine that it names");
  }
  return Error::success();
}

Error TaskOrder::checkLinks(const td::RegisterImage &image) const {
  bool links = before && isPlanar(image) && before->isSet(Field::LinkOut);
  if (image.isSet(Field::LinkIn) == links)
    return Error::success();
  if (!isPlanar(image))
    return refuseField(image, Field::LinkIn, "only PE tasks have it");
  return refuseField(image, Field::LinkIn,
                     links ? "the task before has LinkOut"
                           : "the task before has no LinkOut");
}

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
  if (Error error = checkWriters(image))
    return error;
  if (Error error = checkLinks(image))
    return error;
  before = &image;
  return Error::success();
}

Error TaskOrder::end() const {
  if (before && before->isSet(Field::LinkOut))
    return refuseField(*before, Field::LinkOut, "no task follows");
  if (!inGroup)
    return Error::success();
  return llvm::createStringError(
      "the last group of tasks that must not be interrupted is still open");
}
