//===- TaskMarks.cpp - What tasks say of the one before -------------------===//

#include "Watch/TaskMarks.h"
#include "Plan/Planner.h"
#include "ane/TaskDescriptor/Values.h"
#include <array>

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

Error TaskMarks::checkOverlap(const td::RegisterImage &image) const {
  if (!before || !before->isSet(Field::NextOverlaps))
    return Error::success();
  bool planar = isPlanar(*before);
  if (isPlanar(image) == planar)
    return refuseField(*before, Field::NextOverlaps,
                       "the next task is of the same engine");
  constexpr std::array ofPlanar = {
      Field::SourceAliasPlanarSrc, Field::SourceAliasPlanarRslt,
      Field::ResultAliasPlanarSrc, Field::ResultAliasPlanarRslt};
  constexpr std::array ofNeural = {
      Field::SourceAliasConvSrc, Field::SourceAliasConvRslt,
      Field::ResultAliasConvSrc, Field::ResultAliasConvRslt};
  for (Field hazard : planar ? ofPlanar : ofNeural)
    if (image.isSet(hazard))
      return refuseField(image, hazard, "the task before has NextOverlaps");
  for (Field writer : {Field::SourceDependent, Field::Source2Dependent})
    if (image.isSet(writer))
      return refuseField(image, writer, "the task before has NextOverlaps");
  return Error::success();
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
  Error error = llvm::joinErrors(
      llvm::joinErrors(checkWriters(image), checkLinks(image)),
      llvm::joinErrors(checkOverlap(image), checkChain(image)));
  before = &image;
  return error;
}

Error TaskMarks::end() const {
  for (Field field : {Field::LinkOut, Field::NextOverlaps})
    if (before && before->isSet(field))
      return refuseField(*before, field, "no task follows");
  return Error::success();
}
