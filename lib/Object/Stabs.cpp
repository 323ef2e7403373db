//===- Stabs.cpp - Types and shapes in symbol names -----------------------===//

#include "ane/Object/Stabs.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace ane::object;

/// What every axis starts with: an array from 0.
static constexpr llvm::StringRef arrayHead = "ar1;0;";

/// `name:t<number>=`, without the name's own colons.
static bool consumeHead(llvm::StringRef &text, std::string &name,
                        unsigned &number) {
  auto [head, rest] = text.split(':');
  if (head.empty() || !rest.consume_front("t") ||
      rest.consumeInteger(10, number) || !rest.consume_front("="))
    return false;
  name = head.str();
  text = rest;
  return true;
}

std::optional<TypeStab> TypeStab::parse(llvm::StringRef text) {
  TypeStab stab;
  llvm::StringRef rest = text;
  if (!consumeHead(rest, stab.name, stab.number))
    return std::nullopt;
  stab.definition = rest.str();
  if (stab.str() != text)
    return std::nullopt;
  return stab;
}

std::string TypeStab::str() const {
  return (name + ":t" + llvm::Twine(number) + "=" + definition).str();
}

std::optional<ShapeStab> ShapeStab::parse(llvm::StringRef text) {
  ShapeStab stab;
  llvm::StringRef rest = text;
  if (!consumeHead(rest, stab.name, stab.number))
    return std::nullopt;
  while (rest.consume_front(arrayHead)) {
    Axis axis;
    unsigned type = 0;
    if (rest.consumeInteger(10, axis.extent) || !rest.consume_front(";") ||
        rest.consumeInteger(10, type) || !rest.consume_front("=s") ||
        rest.consumeInteger(10, axis.stride) || rest.size() < 2)
      return std::nullopt;
    axis.name = rest.front();
    rest = rest.drop_front();
    if (!rest.consume_front(":"))
      return std::nullopt;
    stab.axes.push_back(axis);
  }
  if (stab.axes.empty() || rest.getAsInteger(10, stab.elementType) ||
      stab.str() != text)
    return std::nullopt;
  return stab;
}

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
