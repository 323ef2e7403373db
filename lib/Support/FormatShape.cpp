//===- FormatShape.cpp - Shapes in messages -------------------------------===//

#include "ane/Support/FormatShape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

std::string ane::formatShape(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(shape, os);
  os << ']';
  return text;
}
