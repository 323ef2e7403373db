//===- Builder.h - What the compiler puts into a container ------*- C++ -*-===//
//
// The emission model: contents and names, no address and no file offset. The
// only numbers the compiler must know before the Layout runs are the BAR
// indices of the ports, because task descriptors hold them; assignBars gives
// those from the list of ports alone.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_OBJECT_BUILDER_H
#define ANE_OBJECT_BUILDER_H

#include "ane/Object/Style.h"
#include "llvm/Support/Error.h"

namespace ane::object {

/// A tensor that enters or leaves the program.
struct PortSpec {
  /// Without the suffix that outputs get.
  std::string name;
  PortDirection direction = PortDirection::Input;
  TensorLayout layout;
  /// Bytes of the surface; 0 stands for layout.totalBytes().
  uint64_t byteSize = 0;
  /// The procedure whose port it is, as the container counts them.
  unsigned procedure = 0;
};

/// A program of tasks in the text of a container, with ports of its own.
struct ProcedureSpec {
  std::string name;
  /// Offset of the first task descriptor in the text.
  uint64_t entryOffset = 0;
  /// Words of the first task descriptor.
  uint32_t firstTaskWords = 0;
  uint32_t taskCount = 0;
};

/// The BAR index of each port, in the order of `ports`. Outputs come first,
/// then inputs, each in list order (verified for v4.2.1). Refuses more than
/// `maxPorts` ports.
llvm::Expected<llvm::SmallVector<unsigned, 8>>
assignBars(llvm::ArrayRef<PortSpec> ports);

/// The order of operand descriptors where nothing else is asked for: inputs,
/// then outputs, each in list order; as indices into `ports`.
std::vector<unsigned> usualOperandOrder(llvm::ArrayRef<PortSpec> ports);

/// What an address in the text is relative to.
struct RelocationTarget {
  enum Kind { Constants, Scratch, Port };
  Kind kind = Constants;
  unsigned port = 0; ///< index into ContainerSpec::ports, for kind Port

  bool operator==(const RelocationTarget &) const = default;
};

/// A word of the text that the loader may replace. It holds the offset in the
/// target already.
struct TextRelocation {
  uint32_t offset = 0; ///< in the text, a multiple of 4
  RelocationTarget target;
  /// The loader turns two words, low and high, into a device address (assigned:
  /// not relative, eight bytes). Otherwise the word stays relative to the
  /// target (verified for coefficient lanes).
  bool isAddress = false;

  unsigned bytes() const { return isAddress ? 8 : 4; }
};

/// A name for a place in the coefficients; see HashName.h.
struct CoefficientSymbol {
  std::string name;
  uint64_t offset = 0; ///< in the coefficient section
};

/// Everything a container holds. `entryOffset`, `firstTaskWords`, `taskCount`
/// and `procedure` are those of its first procedure, which is the only one of
/// every file seen; what several look like is assigned. They share text,
/// coefficients and scratch, of which the largest decides, and run one at a
/// time. Each has BARs of its own.
struct ContainerSpec {
  ContainerStyle style = styleOf(Dialect::V421);
  /// "h13".
  std::string target = "h13";
  std::vector<PortSpec> ports;
  /// The BAR index of each port, which task descriptors hold. Empty for what
  /// assignBars gives.
  std::vector<unsigned> bars;
  /// The order of the operand descriptors, as indices into `ports`. Empty for
  /// usualOperandOrder. Real files put inputs first, too, but not always in the
  /// order of the ports (verified).
  std::vector<unsigned> operandOrder;
  /// Bytes of intermediate storage that tasks reach through BarScratch; 0 for
  /// none.
  uint64_t scratchBytes = 0;
  /// Encoded task descriptors, from the first task to the end of the last.
  std::vector<uint8_t> text;
  std::vector<TextRelocation> relocations;
  /// The coefficient section. What the chunks refer to must live until the
  /// container is written.
  std::vector<Chunk> constants;
  /// Where kernel sections behind the first one begin, ascending, at multiples
  /// of a page. One that would pass style.maxKernelBytes goes on in another.
  std::vector<uint64_t> kernelStarts;
  std::vector<CoefficientSymbol> symbols;
  /// Offset of the first task descriptor in the text; 0 in a v7 text.
  uint64_t entryOffset = 0;
  /// Words of the first task descriptor.
  uint32_t firstTaskWords = 0;
  uint32_t taskCount = 0;
  std::string procedure = "net";
  /// The procedures behind the first one. With any, a port is called
  /// `<procedure>/<name>` in the container; its symbol is the name alone.
  std::vector<ProcedureSpec> otherProcedures;
  /// Lines of the LC_IDENT, without line ends.
  std::vector<std::string> banner;
  std::vector<NoteSpec> notes;
  /// Words of the program descriptor whose meaning is unknown. 0x11 is what
  /// programs of one task have (verified); for the second, task count +
  /// ContainerStyle::opaque858 agrees with all files and is used if there is no
  /// value (assigned).
  uint64_t opaque850 = 0x11;
  std::optional<uint64_t> opaque858;
};

} // namespace ane::object

#endif // ANE_OBJECT_BUILDER_H
