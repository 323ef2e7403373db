//===- ExportWeights.h - Constants in a weight file -------------*- C++ -*-===//

#ifndef ANE_FRONTEND_EXPORTWEIGHTS_H
#define ANE_FRONTEND_EXPORTWEIGHTS_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Frontend/BlobStorage.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>

namespace ane::frontend {

/// The weight file of a program that becomes text. Constants that are moved
/// into it refer to it afterwards; equal ones lie there once.
class WeightFile {
public:
  /// What the text calls the file, `@model_path/weights/weight.bin`.
  explicit WeightFile(llvm::StringRef path) : path(path) {}

  /// Moves a constant, whose bytes are at hand and whose element type weight
  /// files have.
  void move(mil::ConstOp op);

  bool empty() const { return offsets.empty(); }
  void write(llvm::raw_ostream &os) const { writer.write(os); }

private:
  llvm::ArrayRef<uint8_t> bytesOf(mlir::ElementsAttr value, BlobType type);

  std::string path;
  BlobWriter writer;
  llvm::DenseMap<mlir::Attribute, uint64_t> offsets;
  /// Elements that the IR holds in another form than the file.
  std::deque<std::vector<uint8_t>> packed;
};

/// The bytes of a constant that is a resource, as a weight file has them;
/// nothing for another one, and for one whose element type such files lack.
std::optional<llvm::ArrayRef<char>> getResourceBytes(mil::ConstOp op);

/// Moves the constants that a package keeps in its weight file, by the rule of
/// coremltools (documented): those of 10 elements and more of fp16, fp32, int8
/// or uint8, from ios18 on also of the other integers that weight files have.
/// Reports and fails where a constant refers to a weight file already.
llvm::LogicalResult moveWeights(mlir::ModuleOp module, WeightFile &file);

} // namespace ane::frontend

#endif // ANE_FRONTEND_EXPORTWEIGHTS_H
