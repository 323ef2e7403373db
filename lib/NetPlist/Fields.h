//===- Fields.h - The keys of a network description -------------*- C++ -*-===//
//
// Each key stands here once, for the reader and for the writer. A function
// hands the fields of a structure to an `io`, which has
//   io(key, field)            the key must be there
//   io.optional(key, field)   the key is there if the field has a value
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_NETPLIST_FIELDS_H
#define ANE_LIB_NETPLIST_FIELDS_H

#include "ane/NetPlist/NetPlist.h"

namespace ane::netplist {

// Keys of the description and of a network whose values are not fields, and
// which therefore no network, unit, constant, input or output can be named.
inline constexpr llvm::StringLiteral versionKey = "Version";
inline constexpr llvm::StringLiteral networksKey = "Networks";
inline constexpr llvm::StringLiteral proceduresKey = "ProcedureList";
inline constexpr llvm::StringLiteral unitsKey = "Units";
inline constexpr llvm::StringLiteral weightsKey = "Weights";
inline constexpr llvm::StringLiteral constantsKey = "Constants";
inline constexpr llvm::StringLiteral inputsKey = "Inputs";
inline constexpr llvm::StringLiteral outputsKey = "Outputs";

template <typename Io> void inputFields(Io &io, Input &input) {
  io("BatchSize", input.shape.batch);
  io("InputChannels", input.shape.channels);
  io("InputDepth", input.shape.depth);
  io("InputHeight", input.shape.height);
  io("InputInterleave", input.shape.interleave);
  io.optional("InputPlaneStride", input.planeStride);
  io.optional("InputRowStride", input.rowStride);
  io("InputType", input.type);
  io("InputWidth", input.shape.width);
}

/// An entry of a procedure's list of inputs.
template <typename Io> void procedureInputFields(Io &io, Input &input) {
  inputFields(io, input);
  io("InputName", input.name);
  io("Name", input.unit);
  io("OperationName", input.operation);
}

/// In a network's dictionary, under the name of the output.
template <typename Io> void outputFields(Io &io, Output &output, bool hasName) {
  io("Bottom", output.bottom);
  io("OutputInterleave", output.interleave);
  if (hasName)
    io("OutputName", output.name);
  io.optional("OutputPlaneStride", output.planeStride);
  io.optional("OutputRowStride", output.rowStride);
  io("OutputType", output.type);
}

template <typename Io>
void procedureOutputFields(Io &io, ProcedureOutput &output) {
  io("Name", output.unit);
  io("OperationName", output.operation);
  io("OutputInterleave", output.interleave);
  io("OutputName", output.name);
  io("OutputType", output.type);
}

template <typename Io> void operationFields(Io &io, Operation &operation) {
  io("NetworkName", operation.network);
  io("OperationName", operation.name);
}

template <typename Io> void constantFields(Io &io, Constant &constant) {
  io("ConstantBatchSize", constant.shape.batch);
  io("ConstantByteOffset", constant.offset);
  io("ConstantChannels", constant.shape.channels);
  io("ConstantDepth", constant.shape.depth);
  io("ConstantHeight", constant.shape.height);
  io("ConstantIndex", constant.index);
  io("ConstantInterleave", constant.shape.interleave);
  io("ConstantName", constant.name);
  io("ConstantType", constant.type);
  io("ConstantWidth", constant.shape.width);
}

template <typename Io> void unitFields(Io &io, Unit &unit) {
  io("Bottom", unit.bottoms);
  io.optional("InputType", unit.inputTypes);
  io("Name", unit.name);
  io.optional("NumGroups", unit.numGroups);
  io.optional("OutputChannels", unit.outputChannels);
  io("OutputType", unit.outputType);
  io.optional("Params", unit.params);
  io("Type", unit.type);
}

} // namespace ane::netplist

#endif // ANE_LIB_NETPLIST_FIELDS_H
