//===- Style.h - How compiler versions spell a container --------*- C++ -*-===//
//
// Containers of all compiler versions say the same; they differ in which
// command names a port, how long descriptors are, in which order segments lie
// in memory and the like. A ContainerStyle is that difference as data: the
// Layout follows it, semanticModel finds it out.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_OBJECT_STYLE_H
#define ANE_OBJECT_STYLE_H

#include "ane/Object/Object.h"

namespace ane::object {

/// The spellings that can be asked for by name.
enum class Dialect : uint8_t {
  V421,    ///< compiler v4.2.1: verified byte for byte
  MacOS26, ///< the compiler of macOS 26: documented
  V9509,   ///< compiler v9.509: documented
};
inline constexpr Dialect allDialects[] = {Dialect::V421, Dialect::MacOS26,
                                          Dialect::V9509};

/// `v4.2.1`, `macos26`, `v9.509`.
llvm::StringRef stringifyDialect(Dialect dialect);

/// Runs of segments behind __PAGEZERO.
enum class MemoryPart : uint8_t {
  Text,    ///< __TEXT: descriptors and, but for `kernelSegments`, coefficients
  Kernels, ///< __KERN_<n>, one for each maxKernelBytes of coefficients
  Scratch, ///< __DATA,__bss; left out of a program that has none
  Spare,   ///< a __DATA page without section
  Inputs,  ///< __FVMLIB, one an input
  Outputs, ///< __FVMLIB, one an output
  Ports,   ///< __FVMLIB, one an input or output, in the order of the ports
};

struct ContainerStyle {
  /// In the order of their addresses and load commands.
  std::vector<MemoryPart> order;
  /// LC_LOADFVMLIB or `portCommand`.
  uint32_t portCommand = llvm::MachO::LC_LOADFVMLIB;
  /// Ports, their symbols and shapes carry `outputSuffix`, too; otherwise only
  /// the symbol name in the operand descriptor of an output does.
  bool suffixedPorts = true;
  /// OperandState::byteSize of an output ends with its last element.
  bool exactOutputBytes = true;
  /// Words of state of the descriptors.
  uint32_t programWords = programStateWords;
  uint32_t operandWords = operandStateWords;
  /// Of the program descriptor; only if `programWords` has room.
  std::vector<Property> properties;
  /// ProgramState::opaque858 less the number of tasks.
  uint64_t opaque858 = 2;
  /// The N_LSYM symbols that define element types.
  std::vector<std::string> types;
  /// Coefficients lie in __KERN_<n>,__kern_<n>, each of at most maxKernelBytes,
  /// a multiple of `pageBytes`; __TEXT,__const is a page of zeros.
  bool kernelSegments = false;
  uint64_t maxKernelBytes = UINT64_MAX;
  /// Lanes that a kernel does not use have symbols, too, at the end of its
  /// section and with n_desc 0.
  bool laneSentinels = false;
  /// Scratch is at least this.
  uint64_t minScratchBytes = 0;
};

/// The style of a dialect.
const ContainerStyle &styleOf(Dialect dialect);

/// An LC_NOTE that carries its bytes itself.
struct NoteSpec {
  std::string owner;
  std::vector<uint8_t> bytes;
};

/// What a dialect puts into notes of its own accord.
std::vector<NoteSpec> notesOf(Dialect dialect);

/// Lines of a banner that a dialect states of the compilation, in front of the
/// options of this compiler.
std::vector<std::string> bannerOf(Dialect dialect);

} // namespace ane::object

#endif // ANE_OBJECT_STYLE_H
