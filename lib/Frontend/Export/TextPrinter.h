//===- TextPrinter.h - Types and values as MIL text -------------*- C++ -*-===//

#ifndef ANE_LIB_FRONTEND_EXPORT_TEXTPRINTER_H
#define ANE_LIB_FRONTEND_EXPORT_TEXTPRINTER_H

#include "ScalarType.h"
#include "llvm/Support/raw_ostream.h"

namespace ane::frontend {

/// Whether MIL text has a type, a value.
bool isPrintable(mlir::Type type, unsigned depth = 0);
bool isPrintable(mlir::Attribute value);

/// Prints in the dialect of one program version. What it is given is printable.
class TextPrinter {
public:
  TextPrinter(llvm::raw_ostream &os, bool bareScalars)
      : os(os), bareScalars(bareScalars) {}

  void printType(mlir::Type type) { mil::printType(os, type, bareScalars); }

  /// `type(literal)`; bare numbers of attribute lists without type. A flat
  /// literal has one pair of brackets for all dimensions.
  void printValue(mlir::Attribute value, bool isFlat = false);

private:
  void printScalarType(llvm::StringRef dtype);
  void printString(llvm::StringRef text);
  void printBlobFile(mil::BlobFileAttr value);
  void printElements(mlir::ElementsAttr value, bool isFlat);
  void printBits(const ScalarType &scalar, uint64_t bits);
  void printNested(mlir::Attribute content);
  void printSequence(char open, mlir::ArrayAttr entries, char close);

  /// The brackets of a tensor literal; `element` prints the element of an
  /// index in row-major order.
  void printBrackets(llvm::ArrayRef<int64_t> shape,
                     llvm::function_ref<void(int64_t)> element);

  llvm::raw_ostream &os;
  bool bareScalars;
};

} // namespace ane::frontend

#endif // ANE_LIB_FRONTEND_EXPORT_TEXTPRINTER_H
