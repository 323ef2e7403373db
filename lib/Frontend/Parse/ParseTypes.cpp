//===- ParseTypes.cpp - Types ---------------------------------------------===//

#include "Parse/Parser.h"
#include "ane/Dialect/MIL/IR/Limits.h"
#include "ane/Support/NearestName.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

/// What types are called that go on with '<'.
static constexpr llvm::StringLiteral compoundNames[] = {
    "tensor", "tensor_buffer", "list", "tuple", "dict", "state"};

bool Parser::startsOpOfOpset() const {
  if (llvm::is_contained(compoundNames, token.text))
    return false;
  Lexer ahead = lexer;
  return ahead.lex().is(TokenKind::Less) &&
         ahead.lex().is(TokenKind::Identifier) &&
         ahead.lex().is(TokenKind::Greater) &&
         ahead.lex().is(TokenKind::LParen);
}

bool Parser::startsType() {
  if (!token.is(TokenKind::Identifier))
    return false;
  char next = lexer.peekChar();
  return next != '(' && (next != '<' || !startsOpOfOpset());
}

Type Parser::parseDType() {
  if (!token.is(TokenKind::Identifier)) {
    (void)errorExpected("an element type");
    return {};
  }
  Type type = mil::dtypeFromName(context, token.text);
  if (!type) {
    NearestName nearest(token.text);
    std::string known = mil::formatDTypes(mil::dtype::All);
    for (llvm::StringRef name : llvm::split(known, ", "))
      nearest.consider(name);
    (void)error(token.position, "'" + token.text + "' is no element type" +
                                    nearest.suggestion());
    return {};
  }
  advance();
  return type;
}

FailureOr<int64_t> Parser::parseDimension() {
  if (consumeIf(TokenKind::Question))
    return ShapedType::kDynamic;
  if (!token.is(TokenKind::Integer))
    return errorExpected("an extent or '?'");
  int64_t extent;
  if (token.text.getAsInteger(10, extent) || extent < 0 ||
      extent > mil::maxExtent)
    return error(token.position, "extent " + token.text + " is outside [0, " +
                                     Twine(mil::maxExtent) + "]");
  advance();
  return extent;
}

FailureOr<SmallVector<int64_t, 6>> Parser::parseShape(Position start) {
  if (failed(expect(TokenKind::LBracket, " in front of the shape")))
    return failure();
  SmallVector<int64_t, 6> shape;
  if (!token.is(TokenKind::RBracket)) {
    do {
      FailureOr<int64_t> extent = parseDimension();
      if (failed(extent))
        return failure();
      shape.push_back(*extent);
    } while (shape.size() <= maxNesting && consumeIf(TokenKind::Comma));
  }
  if (shape.size() > maxNesting)
    return error(start,
                 "a tensor of more than " + Twine(maxNesting) + " dimensions");
  if (failed(expect(TokenKind::RBracket, " behind the shape")))
    return failure();
  if (!mil::hasSaneSize(shape))
    return error(start, "the tensor has more than 2^48 elements");
  return shape;
}

Type Parser::parseElementOf(llvm::StringRef type) {
  if (failed(expect(TokenKind::Less, " behind '" + type + "'")))
    return {};
  Type element = parseDType();
  if (!element ||
      failed(expect(TokenKind::Comma, " between element type and shape")))
    return {};
  return element;
}

Type Parser::parseTensorType(Position start) {
  Type element = parseElementOf("tensor");
  if (!element)
    return {};
  FailureOr<SmallVector<int64_t, 6>> shape = parseShape(start);
  if (failed(shape))
    return {};
  if (!token.is(TokenKind::Greater)) {
    (void)errorExpected("'>' behind the tensor type");
    return {};
  }
  return RankedTensorType::get(*shape, element);
}

LogicalResult Parser::parseLayoutKey(llvm::StringRef name) {
  if (!token.isIdentifier(name))
    return errorExpected("'" + name + "=[...]' of a tensor_buffer");
  advance();
  return expect(TokenKind::Equal, " behind '" + name + "'");
}

FailureOr<SmallVector<int64_t, 6>>
Parser::parseLayoutEntry(llvm::StringRef name) {
  std::string where = (" in front of '" + name + "=[...]'").str();
  if (failed(expect(TokenKind::Comma, where)) || failed(parseLayoutKey(name)))
    return failure();
  SmallVector<int64_t, 6> numbers;
  auto entry = [&]() -> LogicalResult {
    int64_t number;
    if (!token.is(TokenKind::Integer))
      return errorExpected("an integer");
    if (token.text.getAsInteger(10, number))
      return error(token.position, token.text + " is no number of 64 bits");
    if (numbers.size() == maxNesting)
      return error(token.position, "'" + name + "' has more than " +
                                       Twine(maxNesting) + " entries");
    numbers.push_back(number);
    advance();
    return success();
  };
  if (failed(parseSequence(TokenKind::LBracket, TokenKind::RBracket, entry)))
    return failure();
  return numbers;
}

Type Parser::parseTensorBufferType(Position start) {
  Type element = parseElementOf("tensor_buffer");
  if (!element || failed(parseLayoutKey("shape")))
    return {};
  FailureOr<SmallVector<int64_t, 6>> shape = parseShape(start);
  if (failed(shape))
    return {};
  FailureOr<SmallVector<int64_t, 6>> strides = parseLayoutEntry("strides");
  if (failed(strides))
    return {};
  FailureOr<SmallVector<int64_t, 6>> factors =
      parseLayoutEntry("interleave_factors");
  if (failed(factors))
    return {};
  if (!token.is(TokenKind::Greater)) {
    (void)errorExpected("'>' behind the tensor_buffer type");
    return {};
  }
  auto layout = mil::BufferLayoutAttr::get(context, *strides, *factors);
  if (shouldStop())
    return {};
  auto emit = [&] {
    ++numErrors;
    return emitError(locationOf(start));
  };
  return RankedTensorType::getChecked(emit, *shape, element, layout);
}

Type Parser::parseType(unsigned depth) {
  Position start = token.position;
  if (!token.is(TokenKind::Identifier)) {
    (void)errorExpected("a type");
    return {};
  }
  if (depth >= maxNesting) {
    (void)error(start, "types nest more than " + Twine(maxNesting) + " deep");
    return {};
  }

  bool isBuffer = token.text == "tensor_buffer";
  if (isBuffer && depth != 0) {
    (void)error(start, "a tensor_buffer is in nothing else; only a parameter "
                       "or a result is one");
    return {};
  }
  if (isBuffer || token.text == "tensor") {
    // A tensor type has one '>', its last character. Programs repeat few types
    // many times, so text that was read before is not read again.
    constexpr size_t maxLength = 128;
    const char *begin = token.text.begin();
    llvm::StringRef rest = lexer.rest().take_front(maxLength);
    size_t length = rest.find('>') + 1;
    if (length != 0) {
      llvm::StringRef spelling(begin, rest.begin() + length - begin);
      if (Type known = types.lookup(spelling)) {
        lexer.skip(length);
        advance();
        return known;
      }
    }
    advance();
    Type type =
        isBuffer ? parseTensorBufferType(start) : parseTensorType(start);
    if (!type)
      return {};
    llvm::StringRef spelling(begin, token.text.end() - begin);
    if (!spelling.contains('\n'))
      types.try_emplace(spelling, type);
    advance();
    return type;
  }

  if (Type known = types.lookup(token.text)) {
    advance();
    return known;
  }
  if (Type element = mil::dtypeFromName(context, token.text)) {
    Type type = RankedTensorType::get({}, element);
    types.try_emplace(token.text, type);
    advance();
    return type;
  }
  return parseCompoundType(depth);
}

LogicalResult Parser::errorNoType(const Token &name) {
  if (name.text == "true" || name.text == "false")
    return errorBareValue(name.position, "bool(" + name.text + ")");
  if (name.text == "BLOBFILE")
    return error(name.position,
                 "a weight in a file has a type in front; write it as "
                 "tensor<fp16, [64]>(BLOBFILE(...)), with its own type");
  if (name.text == "const")
    return error(name.position,
                 "a constant is a statement of its own; write its value here, "
                 "as in tensor<int32, [1]>([3]), or its name");
  if (name.text == "return")
    return error(name.position,
                 "a function ends with the names of its outputs: } -> (y);");
  if (lookupOp(name.text))
    return error(name.position,
                 "'" + name.text +
                     "' is an op; its result gets a type and a name in a "
                     "statement of its own, as in tensor<fp16, [1, 4]> y = " +
                     name.text + "(...);");
  NearestName nearest(name.text);
  std::string known = mil::formatDTypes(mil::dtype::All);
  for (llvm::StringRef candidate : llvm::split(known, ", "))
    nearest.consider(candidate);
  for (llvm::StringRef candidate : compoundNames)
    nearest.consider(candidate);
  std::string wayOut = nearest.suggestion();
  if (wayOut.empty())
    wayOut = "; types are " + known + ", and of these " +
             llvm::join(ArrayRef(compoundNames), ", ") +
             ", as in tensor<fp16, [1, 4]>";
  return error(name.position, "'" + name.text + "' is no type" + wayOut);
}

Type Parser::parseCompoundType(unsigned depth) {
  Token name = token;
  if (!llvm::is_contained(compoundNames, name.text)) {
    (void)errorNoType(name);
    return {};
  }
  advance();
  if (failed(expect(TokenKind::Less, " behind '" + name.text + "'")))
    return {};

  Type type;
  Type first = parseType(depth + 1);
  if (!first)
    return {};
  if (name.text == "list") {
    if (failed(expect(TokenKind::Comma, " in front of the length of a list")))
      return {};
    FailureOr<int64_t> length = parseDimension();
    if (failed(length))
      return {};
    type = mil::ListType::get(context, first, *length);
  } else if (name.text == "dict") {
    if (failed(expect(TokenKind::Comma, " behind the key type")))
      return {};
    Type value = parseType(depth + 1);
    if (!value)
      return {};
    type = mil::DictType::get(context, first, value);
  } else if (name.text == "state") {
    if (!isa<RankedTensorType>(first)) {
      (void)error(name.position,
                  "a state holds a tensor, not " + mil::formatType(first));
      return {};
    }
    type = mil::StateType::get(context, first);
  } else {
    SmallVector<Type> members = {first};
    while (consumeIf(TokenKind::Comma)) {
      Type member = parseType(depth + 1);
      if (!member)
        return {};
      members.push_back(member);
    }
    type = TupleType::get(context, members);
  }
  if (failed(expect(TokenKind::Greater, " behind the " + name.text + " type")))
    return {};
  return type;
}
