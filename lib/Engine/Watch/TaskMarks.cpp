//===- TaskMarks.cpp - What tasks say of the one before -------------------===//

#include "Watch/TaskMarks.h"
#include "Plan/Planner.h"
#include "ane/TaskDescriptor/Values.h"

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using td::Field;

static bool isPlanar(const td::RegisterImage &image) {
  return image.isSet(Field::TaskType);
}

Error TaskMarks::checkWriters(const td::RegisterImage &image) const {
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

Error TaskMarks::checkLinks(const td::RegisterImage &image) const {
  bool links = before && isPlanar(image) && before->isSet(Field::LinkOut);
  if (image.isSet(Field::LinkIn) == links)
    return Error::success();
  if (!isPlanar(image))
    return refuseField(image, Field::LinkIn, "only PE tasks have it");
  return refuseField(image, Field::LinkIn,
                     links ? "the task before has LinkOut"
                           : "the task before has no LinkOut");
}

Error TaskMarks::checkChain(const td::RegisterImage &image) {
  bool follows = image.get(Field::NextPointer) != 0;
  llvm::StringRef reason =
      follows ? "a descriptor follows" : "no descriptor follows";
  for (auto [field, value] :
       {std::pair(Field::TBE, follows), std::pair(Field::EON, !follows)})
    if (image.isSet(field) != value)
      return refuseField(image, field, reason);
  return Error::success();
}

Error TaskMarks::next(const td::RegisterImage &image) {
  Error error =
      llvm::joinErrors(llvm::joinErrors(checkWriters(image), checkLinks(image)),
                       checkChain(image));
  before = &image;
  return error;
}

Error TaskMarks::end() const {
  if (before && before->isSet(Field::LinkOut))
    return refuseField(*before, Field::LinkOut, "no task follows");
  return Error::success();
}
