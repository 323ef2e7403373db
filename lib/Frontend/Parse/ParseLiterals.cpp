//===- ParseLiterals.cpp - Tensor literals and scalars --------------------===//

#include "Parse/Parser.h"
#include "ane/Support/Counted.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Endian.h"
#include <deque>

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

bool Parser::isNumber() const {
  return token.is(TokenKind::Integer) || token.is(TokenKind::Float) ||
         token.isIdentifier("inf") || token.isIdentifier("nan");
}

LogicalResult Parser::errorScalar(const Scalar &scalar) {
  llvm::StringRef spelling = scalar.kind == Scalar::Bool      ? "true or false"
                             : scalar.kind == Scalar::Integer ? "an integer"
                             : scalar.kind == Scalar::Float   ? "a number"
                                                              : "a string";
  return errorExpected(spelling + ", as the type is " +
                       mil::dtypeName(scalar.type));
}

FailureOr<uint64_t> Parser::parseFloatScalar(Scalar &scalar) {
  if (!isNumber())
    return errorScalar(scalar);
  uint64_t bits = parseFloat(token.text, scalar.format);
  bool isSpecial = token.text.ends_with("inf") || token.text.ends_with("nan");
  if (!isSpecial && !scalar.overflow &&
      std::isinf(floatFromBits(bits, scalar.format)))
    scalar.overflow = token;
  advance();
  return bits;
}

FailureOr<uint64_t> Parser::parseIntegerScalar(Scalar &scalar) {
  if (!token.is(TokenKind::Integer))
    return errorScalar(scalar);
  std::optional<uint64_t> value =
      parseInteger(token.text, scalar.width, scalar.isSigned);
  if (!value) {
    uint64_t top = scalar.mask();
    std::string range = scalar.isSigned
                            ? "[-" + std::to_string(top / 2 + 1) + ", " +
                                  std::to_string(top / 2) + "]"
                            : "[0, " + std::to_string(top) + "]";
    return error(token.position, token.text + " is outside " + range +
                                     ", the range of " +
                                     mil::dtypeName(scalar.type));
  }
  advance();
  return *value;
}

FailureOr<uint64_t> Parser::parseBareScalar(Scalar &scalar) {
  switch (scalar.kind) {
  case Scalar::Bool: {
    bool value = token.isIdentifier("true");
    if (!value && !token.isIdentifier("false"))
      return errorScalar(scalar);
    advance();
    return value;
  }
  case Scalar::Integer:
    return parseIntegerScalar(scalar);
  case Scalar::Float:
    return parseFloatScalar(scalar);
  case Scalar::String:
    return errorScalar(scalar);
  }
  llvm_unreachable("no such scalar");
}

FailureOr<uint64_t> Parser::parseScalar(Scalar &scalar) {
  char next = token.is(TokenKind::Identifier) ? lexer.peekChar() : '\0';
  if (next != '(' && next != '<')
    return parseBareScalar(scalar);
  // An element with its own type, `fp16(0x1p+0)`.
  Position start = token.position;
  auto type = dyn_cast_or_null<RankedTensorType>(parseType());
  if (!type)
    return failure();
  if (type.getRank() != 0 || type.getElementType() != scalar.type)
    return error(start, "an element of " + mil::dtypeName(scalar.type) +
                            " cannot be written as " + mil::formatType(type));
  if (failed(expect(TokenKind::LParen, " behind a type")))
    return failure();
  FailureOr<uint64_t> bits = parseBareScalar(scalar);
  if (failed(bits) || failed(expect(TokenKind::RParen, " behind a value")))
    return failure();
  return bits;
}

void Parser::warnOverflow(const Scalar &scalar) {
  if (scalar.overflow)
    warn(scalar.overflow->position,
         scalar.overflow->text + " is too large for " +
             mil::dtypeName(scalar.type) + " and becomes infinite");
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

LogicalResult
Parser::parseElements(RankedTensorType type,
                      llvm::function_ref<LogicalResult()> element) {
  ArrayRef<int64_t> shape = type.getShape();
  if (!token.is(TokenKind::LBracket)) {
    // A tensor of one element may be written as that element.
    if (type.getNumElements() == 1)
      return element();
    if (token.is(TokenKind::RParen) && type.getNumElements() == 0)
      return success();
    return errorExpected("'[' of a literal of " + mil::formatType(type));
  }

  // The number of entries read so far at each open bracket.
  SmallVector<int64_t, 8> counts;
  while (true) {
    if (token.is(TokenKind::LBracket)) {
      if (counts.size() == shape.size())
        return error(token.position, "the literal nests deeper than the " +
                                         counted(shape.size(), "dimension") +
                                         " of " + mil::formatType(type));
      advance();
      counts.push_back(0);
      if (!token.is(TokenKind::RBracket))
        continue;
    } else {
      // Brackets that stand for all dimensions at once.
      if (counts.size() == 1 && shape.size() > 1 && counts.back() == 0)
        return parseFlatElements(type, element);
      if (counts.size() != shape.size())
        return errorExpected("'[': a literal of " + mil::formatType(type) +
                             " nests " + Twine(shape.size()) + " deep");
      if (failed(element()))
        return failure();
      ++counts.back();
    }

    // Behind an entry: close brackets, or go on to the next entry.
    while (token.is(TokenKind::RBracket)) {
      int64_t extent = shape[counts.size() - 1];
      if (counts.back() != extent)
        return error(token.position,
                     "dimension " + Twine(counts.size() - 1) +
                         " of the literal has " +
                         counted(counts.back(), "entry", "entries") + "; " +
                         mil::formatType(type) + " wants " + Twine(extent));
      counts.pop_back();
      advance();
      if (counts.empty())
        return success();
      ++counts.back();
    }
    if (!token.is(TokenKind::Comma))
      return errorExpected("',' or ']' in a literal");
    if (counts.back() >= shape[counts.size() - 1])
      return error(token.position,
                   "dimension " + Twine(counts.size() - 1) +
                       " of the literal has more than the " +
                       counted(shape[counts.size() - 1], "entry", "entries") +
                       " of " + mil::formatType(type));
    advance();
  }
}

LogicalResult
Parser::parseFlatElements(RankedTensorType type,
                          llvm::function_ref<LogicalResult()> element) {
  int64_t wanted = type.getNumElements(), count = 0;
  do {
    Position start = token.position;
    if (token.is(TokenKind::LBracket))
      return error(start, "the literal lists its first elements without the "
                          "brackets of its dimensions; so must it all");
    if (count == wanted)
      return error(start, "the flat literal has more than the " +
                              counted(wanted, "element") + " of " +
                              mil::formatType(type));
    if (failed(element()))
      return failure();
    ++count;
  } while (consumeIf(TokenKind::Comma));
  if (!token.is(TokenKind::RBracket))
    return errorExpected("',' or ']' in a literal");
  if (count != wanted)
    return error(token.position,
                 "the flat literal has " + counted(count, "element") + "; " +
                     mil::formatType(type) + " wants " + Twine(wanted));
  advance();
  wasFlat = true;
  return success();
}

Attribute Parser::parseStringTensor(RankedTensorType type) {
  SmallVector<llvm::StringRef, 1> elements;
  std::deque<std::string> unescaped;
  Scalar scalar(type.getElementType());
  auto element = [&]() -> LogicalResult {
    if (!token.is(TokenKind::String))
      return errorScalar(scalar);
    elements.push_back(token.hasEscape ? llvm::StringRef(unescaped.emplace_back(
                                             unescape(token.text)))
                                       : token.text);
    advance();
    return success();
  };
  if (failed(parseElements(type, element)))
    return {};
  return DenseStringElementsAttr::get(type, elements);
}

Attribute Parser::parseTensorLiteral(RankedTensorType type) {
  Type elementType = type.getElementType();
  if (isa<mil::StringType>(elementType))
    return parseStringTensor(type);

  Scalar scalar(elementType);
  size_t size = llvm::divideCeil(scalar.width, 8);
  uint64_t mask = scalar.mask();
  std::vector<char> bytes;
  // An element and its separator take two characters at least, so the text
  // bounds the memory whatever the type claims.
  bytes.reserve(
      std::min<uint64_t>(type.getNumElements(), lexer.rest().size() / 2 + 1) *
      size);
  auto element = [&]() -> LogicalResult {
    FailureOr<uint64_t> bits = parseScalar(scalar);
    if (failed(bits))
      return failure();
    char raw[8];
    llvm::support::endian::write64(raw, *bits & mask, llvm::endianness::native);
    size_t start =
        llvm::endianness::native == llvm::endianness::little ? 0 : 8 - size;
    bytes.insert(bytes.end(), raw + start, raw + start + size);
    return success();
  };
  if (failed(parseElements(type, element)))
    return {};
  warnOverflow(scalar);

  if (scalar.width == 1)
    return DenseElementsAttr::get(
        type,
        ArrayRef(reinterpret_cast<const bool *>(bytes.data()), bytes.size()));
  // A large literal stays where it was read instead of being copied into the
  // context, where it would live for ever.
  constexpr size_t resourceThreshold = 1 << 20;
  if (bytes.size() < resourceThreshold || scalar.width % 8 != 0)
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  auto owner = std::make_shared<std::vector<char>>(std::move(bytes));
  return DenseResourceElementsAttr::get(
      type, "literal",
      UnmanagedAsmResourceBlob::allocateWithAlign(
          *owner, alignof(uint64_t), [owner](void *, size_t, size_t) {}));
}
