//===- Object.h - A hardware container as plain data ------------*- C++ -*-===//
//
// An Object is a container with every address and file offset decided. The
// Reader makes one from a file, the Layout from what the compiler emitted; the
// Writer turns it into bytes and decides nothing. Load commands stay in file
// order and what has no meaning here stays as bytes, so that reading a file and
// writing it gives the file.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_OBJECT_OBJECT_H
#define ANE_OBJECT_OBJECT_H

#include "ane/Object/Format.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ane::object {

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Values of OperandState::direction.
enum class PortDirection : uint32_t { Input = 1, Output = 2 };

/// How a tensor lies in device memory. Element (n,c,h,w,d) is at byte
/// n*batchStride + d*depthStride + c*planeStride + h*rowStride +
/// w*elementStride. All strides are in bytes. With interleave i, channel c is
/// at (c / i)*planeStride + (c mod i)*elementStride, and column w at
/// w*i*elementStride (assigned: no such port has been seen).
struct TensorLayout {
  uint32_t n = 1, c = 1, h = 1, w = 1, d = 1;
  uint64_t batchStride = 0;
  uint64_t depthStride = 0;
  uint64_t planeStride = 0;
  uint64_t rowStride = 0;
  uint64_t elementStride = 2;
  ElementCode elementType = ElementCode::Float16;
  /// Channels stored side by side. Only 1 has been seen on a port.
  uint32_t interleave = 1;

  /// The layout that Apple's compiler gives to fp16 ports: rows padded to 64
  /// bytes, then dense, innermost first W, H, C, D, N (verified for D = 1).
  /// Nothing if an extent is 0 or a stride does not fit 64 bits.
  static std::optional<TensorLayout> packed(uint32_t n, uint32_t c, uint32_t h,
                                            uint32_t w, uint32_t d = 1);

  /// Bytes of N batches. Nothing on overflow.
  std::optional<uint64_t> totalBytes() const;

  /// Bytes up to the end of the last element. Nothing on overflow or if an
  /// extent is 0.
  std::optional<uint64_t> exactBytes() const;

  bool operator==(const TensorLayout &) const = default;
};

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

/// A run of section contents: bytes that someone else keeps alive, bytes made
/// when they are needed, or zeros.
class Chunk {
public:
  /// Writes exactly the chunk's size; may be called more than once and must
  /// write the same bytes each time.
  using Producer = std::function<void(llvm::raw_ostream &)>;

  /// Bytes that outlive the chunk.
  static Chunk bytes(llvm::ArrayRef<uint8_t> data) {
    Chunk chunk(data.size());
    chunk.data = data;
    return chunk;
  }
  /// `size` bytes that `producer` writes, each time they are needed.
  static Chunk produced(uint64_t size, Producer producer) {
    Chunk chunk(size);
    chunk.producer = std::move(producer);
    return chunk;
  }
  static Chunk zeros(uint64_t size) { return Chunk(size); }

  /// In bytes.
  uint64_t size() const { return length; }

  /// The part [offset, offset + size) of this chunk, which must have it. A part
  /// of a produced chunk runs the whole producer.
  Chunk slice(uint64_t offset, uint64_t size) const;

  /// The bytes, where they are in memory; otherwise empty.
  llvm::ArrayRef<uint8_t> inMemory() const { return data; }

  /// Writes the bytes. Fails if a producer wrote another number of bytes.
  llvm::Error write(llvm::raw_ostream &os) const;

private:
  explicit Chunk(uint64_t length) : length(length) {}

  uint64_t length;
  llvm::ArrayRef<uint8_t> data;
  Producer producer;
};

/// Sum of the sizes.
uint64_t totalSize(llvm::ArrayRef<Chunk> chunks);

//===----------------------------------------------------------------------===//
// Load commands
//===----------------------------------------------------------------------===//

/// A place in a section that holds the address of something else.
struct Relocation {
  uint32_t address = 0; ///< offset in the section
  uint32_t target = 0;  ///< section ordinal, or symbol index if `isExtern`
  bool pcRelative = false;
  uint8_t lengthLog2 = 0; ///< 2: four bytes
  bool isExtern = false;
  uint8_t type = 0;

  bool operator==(const Relocation &) const = default;
};

/// A part of a segment with contents of one kind.
struct Section {
  std::string name;
  std::string segmentName;
  uint64_t address = 0;
  uint64_t size = 0;
  uint32_t fileOffset = 0; ///< 0 for a section without file contents
  uint32_t alignLog2 = 0;
  uint32_t relocationOffset = 0;
  std::vector<Relocation> relocations;
  uint32_t flags = 0;
  std::array<uint32_t, 3> reserved = {};
  /// Empty, or chunks of `size` bytes together. One chunk in memory for a
  /// section that was read from a file.
  llvm::SmallVector<Chunk, 1> contents;

  SectionType type() const {
    return SectionType(flags & llvm::MachO::SECTION_TYPE);
  }
  /// The file contents, of a section read from a file; otherwise empty.
  llvm::ArrayRef<uint8_t> bytes() const {
    return contents.size() == 1 ? contents.front().inMemory()
                                : llvm::ArrayRef<uint8_t>();
  }
};

/// LC_SEGMENT_64.
struct Segment {
  std::string name;
  uint64_t address = 0;
  uint64_t memorySize = 0;
  uint64_t fileOffset = 0;
  uint64_t fileSize = 0;
  uint32_t maxProtection = 0;
  uint32_t initialProtection = 0;
  uint32_t flags = 0;
  std::vector<Section> sections;
};

/// LC_LOADFVMLIB or `portCommand`: the device address of a named tensor.
struct Port {
  uint32_t command = llvm::MachO::LC_LOADFVMLIB;
  std::string name;
  uint64_t address = 0;      ///< 32 bits in an LC_LOADFVMLIB
  uint32_t minorVersion = 0; ///< LC_LOADFVMLIB only
};

/// A property of a program descriptor.
struct Property {
  uint32_t id = 0;
  llvm::SmallVector<uint8_t, 8> value;
};

/// LC_THREAD of flavour 1.
struct ProgramDescriptor {
  uint32_t stateWords = programStateWords;
  /// barTableEntries of them. Not inside the descriptor, so that a file of many
  /// small commands does not take its size times the table.
  std::vector<uint64_t> bars = std::vector<uint64_t>(barTableEntries);
  uint64_t entry = 0;
  uint32_t firstTaskWordsLessOne = 0;
  uint32_t taskCount = 0;
  uint32_t mask824 = 0xffff;
  uint64_t opaque850 = 0;
  uint64_t opaque858 = 0;
  std::string procedure;
  std::vector<Property> properties; ///< only if `stateWords` has room for them
};

/// LC_THREAD of flavour 3.
struct OperandDescriptor {
  uint32_t stateWords = operandStateWords;
  uint32_t kind = 3;
  PortDirection direction = PortDirection::Input;
  TensorLayout layout;
  uint64_t byteSize = 0; ///< see OperandState::byteSize
  std::string procedure;
  std::string symbol;
  std::string port; ///< the name of a Port
};

/// LC_IDENT: how the container was made, one line each.
struct Ident {
  std::string text; ///< without the terminating NUL
};

/// LC_NOTE. One file of v5.4.1 has one, of owner "src model info": its offset
/// counts from the start of the command, where its one byte follows the record
/// (verified).
struct Note {
  std::string owner;
  uint64_t offset = 0;
  uint64_t size = 0;
  llvm::ArrayRef<uint8_t> trailing; ///< bytes of the command after the record
};

/// An entry of the symbol table, as Mach-O has it.
struct Symbol {
  uint32_t nameOffset = 0; ///< in the string table
  uint8_t type = 0;        ///< n_type
  uint8_t section = 0;     ///< ordinal, 0 for none
  uint16_t desc = 0;       ///< n_desc
  uint64_t value = 0;
};

/// LC_SYMTAB and the tables it points to.
struct SymbolTable {
  uint32_t symbolOffset = 0;
  std::vector<Symbol> symbols;
  uint32_t stringOffset = 0;
  std::string strings;

  llvm::StringRef name(const Symbol &symbol) const {
    return llvm::StringRef(strings.c_str() + symbol.nameOffset);
  }
};

/// A load command that is not understood.
struct OpaqueCommand {
  llvm::ArrayRef<uint8_t> bytes; ///< all of the command
  /// What about it is not known, as "a command of no known kind".
  std::string reason;
};

/// A load command, with where it stands in the file.
struct LoadCommand {
  using Body = std::variant<Segment, Port, ProgramDescriptor, OperandDescriptor,
                            Ident, Note, SymbolTable, OpaqueCommand>;
  Body body;
  uint32_t size = 0; ///< bytes, zero-padded at the end
  uint32_t fileOffset = 0;
  /// The bytes of a command read from a file, where `body` cannot express all
  /// of them; otherwise empty. The Writer copies them.
  llvm::ArrayRef<uint8_t> verbatim;
};

//===----------------------------------------------------------------------===//
// The container
//===----------------------------------------------------------------------===//

/// Bytes of the file that belong to nothing the load commands describe.
struct FileRange {
  uint64_t offset = 0;
  llvm::ArrayRef<uint8_t> bytes;
};

/// A container as its load commands describe it: addresses and file offsets are
/// those of the file. Semantics.h has what it says without them.
struct Object {
  uint32_t cpuType = cpuTypeEngine;
  uint32_t cpuSubtype = cpuSubtypeH13;
  uint32_t fileType = llvm::MachO::MH_EXECUTE;
  uint32_t flags = llvm::MachO::MH_PIE;
  uint32_t reserved = 0;
  std::vector<LoadCommand> commands;
  std::vector<FileRange>
      unclaimed; ///< by offset; only ranges that are not zero
  uint64_t fileSize = 0;

  /// What `bytes` above refer to: the file that was read, or generated bytes.
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::vector<std::vector<uint8_t>> storage;

  /// The commands of one kind, in file order.
  template <typename T> llvm::SmallVector<const T *, 8> all() const {
    llvm::SmallVector<const T *, 8> result;
    for (const LoadCommand &command : commands)
      if (const T *body = std::get_if<T>(&command.body))
        result.push_back(body);
    return result;
  }

  /// The first command of one kind, or null.
  template <typename T> const T *first() const {
    for (const LoadCommand &command : commands)
      if (const T *body = std::get_if<T>(&command.body))
        return body;
    return nullptr;
  }

  /// All sections in file order: ordinal i is at i - 1.
  llvm::SmallVector<const Section *, 16> sections() const;

  /// The first section of a type, or null.
  const Section *findSection(SectionType type) const;

  /// The operand descriptor of a port, or null.
  const OperandDescriptor *findOperand(llvm::StringRef portName) const;

  /// The BAR of the first procedure that holds `address`, or nothing. Looks at
  /// ports and scratch as well as text and constants.
  std::optional<unsigned> barOfAddress(uint64_t address) const;

  /// The same of any procedure.
  static std::optional<unsigned> barOfAddress(const ProgramDescriptor &program,
                                              uint64_t address);
};

} // namespace ane::object

#endif // ANE_OBJECT_OBJECT_H
