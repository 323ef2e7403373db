//===- ReadThreads.cpp - Program and operand descriptors ------------------===//

#include "ObjectReader.h"

using namespace ane::object;
using namespace llvm::MachO;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

Expected<LoadCommand::Body> ObjectReader::readThread(const Command &command) {
  auto head = readRecord<ThreadHead>(command, command.offset, "LC_THREAD");
  if (!head)
    return head.takeError();
  uint64_t room = (command.size - sizeof(ThreadHead)) / sizeof(uint32_t);
  if (head->count > room)
    return fail(command.offset + offsetof(ThreadHead, count),
                "LC_THREAD: count " + Twine(head->count) +
                    " words of state do not fit into cmdsize " +
                    hex(command.size));
  switch (ThreadFlavor(uint32_t(head->flavor))) {
  case ThreadFlavor::Program:
    return readProgram(command, head->count);
  case ThreadFlavor::Operand:
    return readOperand(command, head->count);
  }
  return readOpaque(command,
                    "an LC_THREAD of flavor " + Twine(head->flavor) +
                        ", which is neither 1 (program) nor 3 (operand)");
}

Expected<LoadCommand::Body> ObjectReader::readProgram(const Command &command,
                                                      uint32_t stateWords) {
  uint64_t start = command.offset + sizeof(ThreadHead);
  uint64_t stateEnd = sizeof(ThreadHead) + stateWords * sizeof(uint32_t);
  if (stateWords < programStateWords)
    return readOpaque(command, "a program descriptor of " + Twine(stateWords) +
                                   " words, fewer than the " +
                                   Twine(programStateWords) + " known ones");
  auto state =
      readRecord<ProgramState>(command, start, "LC_THREAD program descriptor");
  if (!state)
    return state.takeError();
  ProgramDescriptor program;
  program.stateWords = stateWords;
  llvm::copy(state->bars, program.bars.begin());
  program.entry = state->entry;
  program.firstTaskWordsLessOne = state->firstTaskWordsLessOne;
  program.taskCount = state->taskCount;
  program.mask824 = state->mask824;
  program.opaque850 = state->opaque850;
  program.opaque858 = state->opaque858;
  auto name = readName(command, start + offsetof(ProgramState, procedureName),
                       state->procedureName, stateEnd,
                       "LC_THREAD program descriptor: the procedure name");
  if (!name)
    return name.takeError();
  program.procedure = std::move(*name);
  // Without them the command is kept as it is.
  if (stateWords > programStateWords)
    if (Error error =
            readProperties(command, command.offset + stateEnd, program)) {
      llvm::consumeError(std::move(error));
      program.properties.clear();
    }
  return program;
}

Error ObjectReader::readProperties(const Command &command, uint64_t stateEnd,
                                   ProgramDescriptor &program) {
  constexpr llvm::StringRef what = "LC_THREAD program descriptor: properties";
  uint64_t offset = command.offset + sizeof(ThreadHead) + sizeof(ProgramState);
  if (stateEnd - offset < sizeof(ulittle64_t))
    return fail(command.offset + offsetof(ThreadHead, count),
                what + " need a number of 8 bytes, but the state ends after " +
                    Twine(stateEnd - offset));
  auto count = in.read<ulittle64_t>(offset, what);
  if (!count)
    return count.takeError();
  uint64_t countField = offset;
  offset += sizeof(ulittle64_t);
  if (*count > (stateEnd - offset) / sizeof(PropertyHead))
    return fail(countField, what + ": number " + Twine(*count) +
                                " does not fit into the state, which ends at " +
                                hex(stateEnd));
  for (uint64_t index = 0; index < *count; ++index) {
    auto head = in.read<PropertyHead>(offset, what);
    if (!head)
      return head.takeError();
    uint64_t data = offset + sizeof(PropertyHead);
    if (data > stateEnd || head->length > stateEnd - data)
      return fail(offset, what + ": property " + Twine(index) + " of length " +
                              hex(head->length) +
                              " passes the end of the state, " + hex(stateEnd));
    auto value = in.slice(data, head->length, what);
    if (!value)
      return value.takeError();
    program.properties.push_back({head->id, {value->begin(), value->end()}});
    offset = data + head->length;
  }
  return Error::success();
}

Expected<LoadCommand::Body> ObjectReader::readOperand(const Command &command,
                                                      uint32_t stateWords) {
  constexpr llvm::StringRef what = "LC_THREAD operand descriptor";
  uint64_t start = command.offset + sizeof(ThreadHead);
  uint64_t stateEnd = sizeof(ThreadHead) + stateWords * sizeof(uint32_t);
  if (stateWords < operandStateWords)
    return readOpaque(command, "an operand descriptor of " + Twine(stateWords) +
                                   " words, fewer than the " +
                                   Twine(operandStateWords) + " known ones");
  auto state = readRecord<OperandState>(command, start, what);
  if (!state)
    return state.takeError();

  OperandDescriptor operand;
  operand.stateWords = stateWords;
  operand.kind = state->kind;
  operand.byteSize = state->byteSize;
  operand.direction = PortDirection(uint32_t(state->direction));
  if (operand.direction != PortDirection::Input &&
      operand.direction != PortDirection::Output)
    return readOpaque(command, "an operand descriptor of direction " +
                                   Twine(state->direction) +
                                   ", which is neither 1 (input) nor 2 "
                                   "(output)");
  TensorLayout &layout = operand.layout;
  layout.n = state->n;
  layout.c = state->c;
  layout.h = state->h;
  layout.w = state->w;
  layout.d = state->d;
  layout.batchStride = state->batchStride;
  layout.depthStride = state->depthStride;
  layout.planeStride = state->planeStride;
  layout.rowStride = state->rowStride;
  layout.elementStride = state->elementStride;
  layout.elementType = ElementCode(uint32_t(state->elementType));
  layout.interleave = state->interleave;

  struct Name {
    std::string &text;
    uint64_t field;
    uint64_t offset;
    llvm::StringRef what;
  } names[] = {
      {operand.procedure, offsetof(OperandState, procedureName),
       state->procedureName, "the procedure name"},
      {operand.symbol, offsetof(OperandState, symbolName), state->symbolName,
       "the symbol name"},
      {operand.port, offsetof(OperandState, portName), state->portName,
       "the port name"},
  };
  for (Name &name : names) {
    auto text = readName(command, start + name.field, name.offset, stateEnd,
                         what + ": " + name.what);
    if (!text)
      return text.takeError();
    name.text = std::move(*text);
  }
  return operand;
}
