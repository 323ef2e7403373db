//===- LayoutBuilder.h - State of laying out one container ------*- C++ -*-===//
//
// First every part of the program gets its device memory (Layout.cpp), then the
// load commands are made (LayoutCommands.cpp), then all of it gets its place in
// the file (Layout.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_OBJECT_LAYOUTBUILDER_H
#define ANE_LIB_OBJECT_LAYOUTBUILDER_H

#include "ane/Object/Builder.h"

namespace ane::object {

class LayoutBuilder {
public:
  LayoutBuilder(ContainerSpec spec, uint32_t cpuSubtype)
      : spec(std::move(spec)) {
    object.cpuSubtype = cpuSubtype;
  }

  llvm::Expected<Object> build();

private:
  /// The device memory of one part of the program.
  struct Place {
    uint64_t address = 0;
    uint64_t size = 0;
    uint64_t segmentSize = 0;
    unsigned ordinal = 0;

    uint64_t end() const { return address + size; }
  };

  /// Coefficients that lie in one section.
  struct KernelPlace : Place {
    uint64_t begin = 0; ///< in all coefficients
    llvm::SmallVector<Chunk, 1> contents;
  };

  /// Device memory.
  void cutConstants();
  llvm::Error placeInMemory();
  llvm::Error placePart(MemoryPart part);
  llvm::Error placeText();
  llvm::Error placeKernels();
  /// Of one direction, or of both.
  llvm::Error placePorts(std::optional<PortDirection> direction);
  /// In whole pages behind what was taken last; `what` names it in the error.
  llvm::Error takeMemory(Place &place, uint64_t size, const llvm::Twine &what);
  /// The same for a segment of one section.
  llvm::Error placeSegment(Place &place, uint64_t size,
                           const llvm::Twine &what);
  void resolveRelocations();

  /// Load commands in file order.
  void addSegments();
  void addSegment(MemoryPart part);
  void addText();
  void addKernels();
  void addPortSegments(std::optional<PortDirection> direction);
  void addPorts();
  void addPrograms();
  void addProgram(unsigned index, const ProcedureSpec &procedure);
  void addOperands();
  void addIdent();
  void addNotes();
  void addSymbolTable();
  void addCoefficientSymbols(SymbolTable &table);

  template <typename T> T &add(T body) {
    return std::get<T>(
        object.commands.emplace_back(LoadCommand{std::move(body), 0, 0, {}})
            .body);
  }
  std::string portName(const PortSpec &port) const;
  /// The section with byte `offset` of the coefficients; of one past the end,
  /// the last.
  const KernelPlace &kernelAt(uint64_t offset) const;

  /// The file.
  llvm::Error placeInFile();

  ContainerSpec spec;
  Object object;
  Place text, scratch, spare;
  /// At least one. The first is __TEXT,__const unless the style has kernel
  /// segments; then __TEXT,__const is `dummy`.
  std::vector<KernelPlace> kernels;
  KernelPlace dummy;
  /// The ordinal of the target of each relocation of `spec`.
  std::vector<unsigned> relocationOrdinals;
  /// Where each port of `spec` is, and the order they are in memory.
  std::vector<Place> ports;
  std::vector<unsigned> memoryOrder;
  uint64_t nextAddress = deviceBase;
  unsigned nextOrdinal = 1;
};

} // namespace ane::object

#endif // ANE_LIB_OBJECT_LAYOUTBUILDER_H
