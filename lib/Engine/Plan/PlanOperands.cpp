//===- PlanOperands.cpp - Where operands come from and results go ---------===//

#include "Plan/OperandFields.h"
#include "Plan/Planner.h"
#include "ane/TaskDescriptor/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>
#include <limits>

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;
using td::Field;
using td::Residence;

Extents Planner::operandExtents(const SourceFields &fields,
                                Extents extents) const {
  constexpr uint32_t Extents::*broadcast[td::numBroadcasts] = {
      &Extents::width, &Extents::height, &Extents::depth, &Extents::channels};
  for (auto [flag, extent] : llvm::zip_equal(fields.broadcasts, broadcast))
    if (image.isSet(flag))
      extents.*extent = 1;
  return extents;
}

Error Planner::handOver(const Operand &operand, bool exchanged) const {
  if (!chained)
    return refuse(Field::SourceType,
                  "the task before does not hand over its result");
  if (*chained != operand.extents || exchanged)
    return refuse(Field::SourceType,
                  "what the task before hands over has other extents");
  return require(Field::InFmt, td::bits(td::ElementFormat::Half),
                 "what the task before hands over is fp16");
}

/// Measured on M1: columns that do not start with the row come through a unit
/// that crops, in a fixed-point format. Assigned: such are those whose first
/// byte lies within a row of a tensor of the model; of scratch memory and
/// constants nothing says where rows start.
static bool isCropped(const MemorySection &section, uint64_t offset,
                      const Strides &strides) {
  bool isTensor = section.owned && !section.scratch;
  if (!isTensor || strides.element != Element::Half ||
      strides.column != strides.elementBytes())
    return false;
  int64_t pitch = std::numeric_limits<int64_t>::max();
  for (int64_t stride :
       {strides.row, strides.channel, strides.depth, strides.group})
    if (stride != 0)
      pitch = std::min(pitch, std::abs(stride));
  return offset % pitch != 0;
}

Error Planner::fetch(const SourceFields &fields, Operand &operand,
                     Element element, bool exchanged) const {
  Expected<Place> place =
      placeOf(fields.surface, operand.extents, element, exchanged);
  if (!place)
    return place.takeError();
  operand.source =
      Source{place->section->bytes.data() + place->offset, place->strides};
  operand.cropped = isCropped(*place->section, place->offset, place->strides);
  return Error::success();
}

Error Planner::useInL2(const SourceFields &fields, Operand &operand,
                       Element element, bool exchanged) const {
  Expected<Destination> kept =
      resident(fields.place, operand.extents, element, exchanged);
  if (!kept)
    return kept.takeError();
  operand.source = Source{kept->origin, kept->strides};
  return Error::success();
}

Expected<Operand> Planner::operand(const SourceFields &fields,
                                   Residence residence, const Extents &full,
                                   bool exchanged) {
  Operand operand;
  operand.extents = operandExtents(fields, full);
  operand.relu = image.isSet(fields.relu);
  Expected<Element> element = elementOf(fields.format);
  if (!element)
    return element.takeError();

  switch (residence) {
  case Residence::Chained:
    if (Error error = handOver(operand, exchanged))
      return error;
    return operand;
  case Residence::InL2:
    if (Error error = useInL2(fields, operand, *element, exchanged))
      return error;
    return operand;
  case Residence::Streamed:
  case Residence::Kept:
    break;
  }
  if (Error error = fetch(fields, operand, *element, exchanged))
    return error;
  if (residence == Residence::Kept) {
    Expected<Destination> kept =
        resident(fields.place, operand.extents, *element, exchanged);
    if (!kept)
      return kept.takeError();
    operand.copy = *kept;
  }
  return operand;
}

Expected<Operand> Planner::firstOperand(const Extents &full, bool exchanged) {
  auto residence = td::valueOf<Field::SourceType>(image);
  if (residence == Residence::Kept || residence == Residence::Streamed) {
    bool half = td::valueOf<Field::InFmt>(image) == td::ElementFormat::Half;
    if (Error error =
            require(Field::SourceDMAFmt,
                    td::bits(half ? td::L2Format::Half : td::L2Format::Byte),
                    "it is not the element format of source 1"))
      return error;
    if (image.get(Field::SourceDMAInterleave) !=
        image.get(Field::Src1Interleave))
      return refuse(Field::SourceDMAInterleave,
                    "it is not the interleave of TileDMASrc.Fmt");
  }
  return operand(source1Fields, residence, full, exchanged);
}

Expected<Operand> Planner::secondOperand(const Extents &full, bool exchanged) {
  // Verified: 0 in all real programs, those with an interleaved source 2
  // included; the interleave of both sources is that of L2.SourceCfg.
  if (Error error = require(Field::Src2Interleave, 0,
                            "the interleave of source 2 is in L2.SourceCfg"))
    return error;
  if (image.isSet(Field::Src2FromDMA))
    if (Error error = require(Field::Src2Kept, 0,
                              "source 2 is streamed, Src2FromDMA says"))
      return error;
  return operand(source2Fields, td::source2Residence(image), full, exchanged);
}

/// Verified: results of a neural task that go from the accumulator without a
/// binary point to memory or stay in L2, of the numbers 0 and 1.
Error Planner::checkByteResult(Residence type) const {
  if (Error error = require(Field::OutFmt, td::bits(td::ElementFormat::UInt8),
                            "results of fp16 and uint8 are known"))
    return error;
  if (isPlanar())
    return refuse(Field::OutFmt, "a PE task has results of fp16");
  if (auto point = td::valueOf<Field::BinaryPoint>(image);
      point != td::BinaryPoint::None)
    return refuse(Field::BinaryPoint, "it is 0 where the result has 8 bits");
  if (type != Residence::Streamed && type != Residence::InL2)
    return refuse(Field::ResultType, "a result of 8 bits is known to go either "
                                     "to memory or to L2");
  return Error::success();
}

Expected<Result> Planner::result(const Extents &extents, bool exchanged) {
  auto type = td::valueOf<Field::ResultType>(image);
  if (td::valueOf<Field::OutFmt>(image) != td::ElementFormat::Half)
    if (Error error = checkByteResult(type))
      return error;
  Expected<Element> element = elementOf(Field::OutFmt);
  if (!element)
    return element.takeError();
  bool inMemory = type == Residence::Kept || type == Residence::Streamed;
  bool inL2 = type == Residence::Kept || type == Residence::InL2;
  if (image.isSet(Field::DstEn) != inMemory)
    return refuse(Field::DstEn, llvm::formatv("it does not go with result type "
                                              "{0}",
                                              td::bits(type))
                                    .str());
  Result result;
  result.extents = extents;
  if (type == Residence::Chained) {
    if (exchanged)
      return refuse(Field::ResultType,
                    "a result with channels and columns exchanged cannot be "
                    "handed to the next task in pieces");
    if (Error error = checkElements(extents, inputExtents().elements(),
                                    Field::ResultType, "the result"))
      return error;
    return result;
  }
  if (inL2) {
    Expected<Destination> kept =
        resident(resultPlace, extents, *element, exchanged);
    if (!kept)
      return kept.takeError();
    result.destinations.push_back(*kept);
  }
  if (inMemory) {
    bool half = *element == Element::Half;
    if (Error error =
            require(Field::ResultDMAFmt,
                    td::bits(half ? td::L2Format::Half : td::L2Format::Byte),
                    "it is not the element format of the result"))
      return error;
    if (image.get(Field::ResultDMAInterleave) !=
        image.get(Field::DstInterleave))
      return refuse(Field::ResultDMAInterleave,
                    "it is not the interleave of TileDMADst.Fmt");
    Expected<Place> place =
        placeOf(resultSurface, extents, *element, exchanged);
    if (!place)
      return place.takeError();
    MemorySection &section = *place->section;
    if (!section.writable)
      return refuse(resultSurface.bar, "it holds section " + section.name +
                                           ", which tasks must not write");
    section.noteWrite(place->begin, place->end);
    result.destinations.push_back(
        {section.data() + place->offset, place->strides});
  }
  return result;
}
