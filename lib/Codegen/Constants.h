//===- Constants.h - The constant section of a container --------*- C++ -*-===//

#ifndef ANE_LIB_CODEGEN_CONSTANTS_H
#define ANE_LIB_CODEGEN_CONSTANTS_H

#include "EncodeTask.h"
#include "NamedKernel.h"
#include "ProgramParts.h"
#include "ane/Codegen/Codegen.h"
#include "ane/Codegen/NameAhead.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Target/Target.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace ane::codegen {

/// Coefficients of all procedures of a container.
struct ConstantSection {
  int64_t bytes = 0;
  std::vector<object::Chunk> chunks;
  /// Where sections begin, behind the first one, that a large one is cut into.
  std::vector<uint64_t> starts;
  /// Where the last of them begins.
  int64_t begin = 0;
  /// Where each kernel of the procedures so far is, by its name, which is a
  /// hash of its bytes.
  llvm::StringMap<int64_t> kernels;
};

/// Gives the coefficients and the constant operands of a procedure their places
/// in the constant section, in the order of the tasks that read them.
class ConstantPlacer {
public:
  ConstantPlacer(const ProgramParts &parts, const TargetDescription &target,
                 mlir::SymbolTable &symbols, NameAhead *ahead,
                 ConstantSection &section, GeneratedProgram &result)
      : parts(parts), target(target), symbols(symbols), ahead(ahead),
        section(section), result(result) {}

  bool hasOperands() const;

  /// Bytes of its constants, if no kernel is compressed.
  int64_t expectedBytes() const;

  /// Gives constant operands their places ahead of others: they must lie in the
  /// first section. Reports at the op what has no room.
  llvm::LogicalResult placeOperands();

  /// Appends to the constants of the section and to the symbols of the result.
  /// Reports at the op what cannot be packed or has no room.
  llvm::LogicalResult place();

  /// Places of constant operands, by the names of their buffers.
  const llvm::DenseMap<mlir::StringAttr, int64_t> &operands() const {
    return operandPlaces;
  }
  PlacedKernel kernel(mlir::StringAttr name) const;

  /// Lets the procedures behind this one have its kernels.
  void publish();

private:
  struct Kernel {
    zin::KernelOp op;
    std::unique_ptr<NamedKernel> named;
    std::optional<int64_t> offset;
  };

  llvm::LogicalResult findKernels();
  llvm::LogicalResult addKernel(zin::KernelOp op,
                                const td::KernelWindow &window);
  llvm::LogicalResult nameKernels();
  llvm::LogicalResult placeKernel(Kernel &kernel);
  /// The constant surfaces that a task reads.
  llvm::LogicalResult placeOperands(zin::TaskOp task);
  llvm::LogicalResult placeOperand(zin::BufferOp op);
  /// Fills up the constant section to the next start of a piece of `size`
  /// bytes. No piece lies in two of the sections that a large constant section
  /// is cut into: what the last one has no room for begins another.
  llvm::LogicalResult align(mlir::Operation *op, int64_t size);

  const ProgramParts &parts;
  const TargetDescription &target;
  mlir::SymbolTable &symbols;
  NameAhead *ahead; ///< where kernels may have their names from
  ConstantSection &section;
  GeneratedProgram &result;
  llvm::DenseMap<mlir::StringAttr, int64_t> operandPlaces;
  std::vector<Kernel> kernels;
  /// Which of them has a name in the program.
  llvm::DenseMap<mlir::StringAttr, size_t> kernelOf;
  /// Names and places of what later procedures can use.
  std::vector<std::pair<std::string, int64_t>> ownKernels;
};

} // namespace ane::codegen

#endif // ANE_LIB_CODEGEN_CONSTANTS_H
