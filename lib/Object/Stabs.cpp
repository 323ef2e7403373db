//===- Stabs.cpp - Shapes in symbol names ---------------------------------===//

#include "ane/Object/Stabs.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

using namespace ane::object;

/// What every axis starts with: an array from 0.
static constexpr llvm::StringRef arrayHead = "ar1;0;";

std::string ShapeStab::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << name << ":t" << number << '=';
  unsigned type = number;
  for (const Axis &axis : axes)
    os << arrayHead << axis.extent << ';' << ++type << "=s" << axis.stride
       << axis.name << ':';
  os << elementType;
  return text;
}
