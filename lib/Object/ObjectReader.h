//===- ObjectReader.h - State of reading one container ----------*- C++ -*-===//
//
// Reading goes in two steps: the load commands (ReadCommands.cpp), and the
// tables and contents they point to, after checking that these do not overlap,
// which bounds memory by the size of the file (ReadTables.cpp). What must hold
// between commands is left to those who rely on it (Check.h).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_OBJECT_OBJECTREADER_H
#define ANE_LIB_OBJECT_OBJECTREADER_H

#include "ane/Object/Object.h"
#include "ane/Support/BinaryReader.h"
#include "ane/Support/Hex.h"

namespace ane::object {

class ObjectReader {
public:
  ObjectReader(llvm::StringRef fileName, llvm::ArrayRef<uint8_t> bytes,
               Object &object)
      : in(fileName, bytes), object(object) {}

  llvm::Error read();

private:
  /// A load command while it is read.
  struct Command {
    uint64_t offset;
    uint32_t cmd;
    uint32_t size;

    uint64_t end() const { return offset + size; }
  };

  /// A part of the file that something refers to.
  struct Claim {
    uint64_t begin;
    uint64_t end;
    std::string what;
  };

  // ReadCommands.cpp and, for LC_THREAD, ReadThreads.cpp
  llvm::Error readHeader();
  llvm::Error readCommands();
  llvm::Expected<LoadCommand::Body> readCommand(const Command &command);
  llvm::Expected<LoadCommand::Body> readSegment(const Command &command);
  llvm::Expected<Section> readSection(const Command &command, uint64_t offset,
                                      const Segment &segment);
  llvm::Expected<LoadCommand::Body> readFvmlib(const Command &command);
  llvm::Expected<LoadCommand::Body> readPort(const Command &command);
  llvm::Expected<LoadCommand::Body> readThread(const Command &command);
  llvm::Expected<LoadCommand::Body> readProgram(const Command &command,
                                                uint32_t stateWords);
  llvm::Error readProperties(const Command &command, uint64_t stateEnd,
                             ProgramDescriptor &program);
  llvm::Expected<LoadCommand::Body> readOperand(const Command &command,
                                                uint32_t stateWords);
  llvm::Expected<LoadCommand::Body> readIdent(const Command &command);
  llvm::Expected<LoadCommand::Body> readNote(const Command &command);
  llvm::Expected<LoadCommand::Body> readSymbolTable(const Command &command);
  llvm::Expected<LoadCommand::Body> readOpaque(const Command &command,
                                               const llvm::Twine &reason);

  /// A structure of LLVM's or ours inside a command.
  template <typename T>
  llvm::Expected<T> readRecord(const Command &command, uint64_t offset,
                               llvm::StringRef what) {
    if (sizeof(T) > command.end() - offset)
      return fail(command.offset + sizeof(uint32_t),
                  what + ": cmdsize " + hex(command.size) +
                      " is less than the " +
                      hex(offset - command.offset + sizeof(T)) +
                      " bytes of its fields");
    return in.read<T>(offset, what);
  }

  /// The string at `stringOffset` of a command, not before `minimum`.
  llvm::Expected<std::string> readName(const Command &command,
                                       uint64_t fieldOffset,
                                       uint64_t stringOffset, uint64_t minimum,
                                       const llvm::Twine &what);

  // ReadTables.cpp
  void claim(uint64_t offset, uint64_t length, const llvm::Twine &what);
  llvm::Error checkInFile(uint64_t field, uint64_t offset, uint64_t length,
                          const llvm::Twine &what);
  llvm::Error checkOverlaps();
  llvm::Error readTables();
  llvm::Error readSymbols(SymbolTable &table,
                          const llvm::MachO::symtab_command &record);
  llvm::Error readRelocations(Section &section, uint32_t count);
  void collectUnclaimed();
  llvm::Error checkIndices();
  void keepVerbatim();

  llvm::Error fail(uint64_t offset, const llvm::Twine &message) const {
    return in.error(offset, message);
  }

  BinaryReader in;
  Object &object;
  uint32_t commandCount = 0;
  uint64_t commandsEnd = 0;
  std::vector<Claim> claims;
  /// Number of relocations of each section, in file order, and of symbols of
  /// each table: read with the commands, used once the tables are known not to
  /// overlap.
  std::vector<uint32_t> relocationCounts;
  std::vector<llvm::MachO::symtab_command> symbolTables;
};

} // namespace ane::object

#endif // ANE_LIB_OBJECT_OBJECTREADER_H
