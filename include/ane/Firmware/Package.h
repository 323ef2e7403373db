//===- Package.h - A firmware package as plain data -------------*- C++ -*-===//

#ifndef ANE_FIRMWARE_PACKAGE_H
#define ANE_FIRMWARE_PACKAGE_H

#include "ane/Firmware/Format.h"
#include "ane/Object/Object.h"

namespace ane::firmware {

/// A program section with contents that the package does not look into.
struct Blob {
  SectionKind kind = SectionKind::Generic;
  uint64_t deviceAddress = 0;
  llvm::SmallVector<object::Chunk, 1> contents;
};

/// A buffer of the program.
struct Bar {
  uint32_t id = 0;
  uint64_t address = 0;
  uint64_t size = 0;

  bool operator==(const Bar &) const = default;
};

/// A place in the text whose value is relative to a buffer.
struct Reference {
  uint32_t textOffset = 0;
  uint32_t bar = 0;
  /// Eight bytes that the loader turns into a device address. Otherwise four
  /// that stay as they are.
  bool isAddress = false;

  bool operator==(const Reference &) const = default;
};

/// An entry of a program, by offsets in its text.
struct Procedure {
  std::string name;
  uint32_t entryOffset = 0;
  uint32_t firstTaskWords = 0;
  uint32_t taskCount = 0;
  uint32_t ioBuffers = 0;

  bool operator==(const Procedure &) const = default;
};

/// What is loaded together.
struct Program {
  uint32_t id = 0;
  /// Text first, then kernels and others.
  std::vector<Blob> blobs;
  std::vector<Bar> bars;
  std::vector<Reference> references;
  std::vector<Procedure> procedures;
};

/// The contents of a file, without its layout.
struct Package {
  llvm::endianness order = llvm::endianness::little;
  std::vector<Program> programs;

  /// What the contents refer to, for a package that was read, and contents that
  /// were made for one that was not.
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::vector<std::vector<uint8_t>> storage;
};

/// The package of one program that does what the container does. Contents
/// refer to the container, which must outlive it. What the text says of a
/// coefficient section behind the first one counts from that, which a register
/// names. Refuses a container without text or program descriptor, or with
/// several procedures, and a relocation to no buffer.
llvm::Expected<Package> packageContainer(const object::Object &container);

/// Writes a package. The same package gives the same bytes. Writes what it is
/// told: a name, address or number of buffers that the loader would refuse is
/// refused by auditPackage, and so by readPackage, not here; only what the
/// format cannot hold is.
llvm::Error writePackage(const Package &package, llvm::raw_ostream &os);

/// Reads a package of either byte order. Refuses, at a byte offset, one that
/// breaks a rule of Audit.h; the message starts with the id of the rule. For
/// programs that use this library; ane-audit asks auditPackage alone.
llvm::Expected<Package> readPackage(std::unique_ptr<llvm::MemoryBuffer> buffer);

/// The same from a file.
llvm::Expected<Package> readPackage(llvm::StringRef path);

} // namespace ane::firmware

#endif // ANE_FIRMWARE_PACKAGE_H
