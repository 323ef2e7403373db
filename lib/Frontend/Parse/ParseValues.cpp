//===- ParseValues.cpp - Typed values and attribute lists -----------------===//

#include "Parse/Parser.h"
#include "ane/Support/Counted.h"

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Parser::TypedValue Parser::parseValue() {
  Position start = token.position;
  Type type = parseType();
  if (!type)
    return {};
  wasFlat = false;
  Attribute value = parseValueOf(type, start);
  return {type, value, wasFlat};
}

Attribute Parser::parseValueOf(Type type, Position start) {
  // Programs repeat few short values many times, each with one ')', its end.
  constexpr size_t maxLength = 64;
  llvm::StringRef rest = lexer.rest().take_front(maxLength);
  llvm::StringRef spelling = rest.take_front(rest.find(')'));
  if (token.is(TokenKind::LParen)) {
    if (Attribute known = values.lookup({type, spelling})) {
      lexer.skip(spelling.size());
      advance();
      advance();
      return known;
    }
  }
  unsigned numWarningsBefore = numWarnings;

  if (failed(expect(TokenKind::LParen, " behind a type")))
    return {};
  Attribute value;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (!tensor.hasStaticShape()) {
      (void)error(start, "a value needs known extents; its type is " +
                             mil::formatType(type));
      return {};
    }
    if (mil::getBufferLayout(type)) {
      (void)error(start, "a tensor_buffer cannot be written as a value; write "
                         "the tensor, and make it one with "
                         "tensor_to_tensor_buffer");
      return {};
    }
    value = token.isIdentifier("BLOBFILE") ? parseBlobFile(tensor, start)
                                           : parseTensorLiteral(tensor);
  } else if (isa<mil::StateType>(type)) {
    (void)error(start, "a state cannot be written as a value");
    return {};
  } else if (Attribute content = parseNestedLiteral(type)) {
    value = mil::LiteralAttr::get(context, type, content);
  }
  // A value whose ')' is out of sight may go on behind what is in sight.
  bool isSpelled =
      spelling.size() != rest.size() && token.text.begin() == spelling.end();
  if (!value || failed(expect(TokenKind::RParen, " behind a value")))
    return {};
  if (isSpelled && !wasFlat && !spelling.contains('\n') &&
      numWarnings == numWarningsBefore)
    values.try_emplace({type, spelling}, value);
  return value;
}

StringAttr Parser::parseString() {
  if (!token.is(TokenKind::String)) {
    (void)errorExpected("a string");
    return {};
  }
  StringAttr value = token.hasEscape
                         ? builder.getStringAttr(unescape(token.text))
                         : builder.getStringAttr(token.text);
  advance();
  return value;
}

LogicalResult Parser::parseBlobEntry(BlobPlace &place) {
  FailureOr<Token> name = expectIdentifier("'path' or 'offset' of BLOBFILE");
  if (failed(name) || failed(expect(TokenKind::Equal, " in BLOBFILE")))
    return failure();
  // A literal, not any value: weight files do not nest.
  Position valueStart = token.position;
  Type valueType = parseType();
  if (!valueType || failed(expect(TokenKind::LParen, " behind a type")))
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(valueType);
  if (!tensor || tensor.getRank() != 0)
    return error(valueStart, "'" + name->text +
                                 "' of BLOBFILE is a scalar, not " +
                                 mil::formatType(valueType));
  Scalar scalar(tensor.getElementType());
  if (name->text == "path" && !place.path) {
    if (scalar.kind != Scalar::String)
      return error(valueStart, "the path of a weight file is a string");
    if (!token.is(TokenKind::String))
      return errorExpected("a string");
    place.path = token;
    advance();
    return expect(TokenKind::RParen, " behind a value");
  }
  if (name->text == "offset" && !place.offset) {
    constexpr llvm::StringLiteral rule =
        "the offset in a weight file is a uint64";
    if (scalar.kind != Scalar::Integer)
      return error(valueStart, rule);
    FailureOr<uint64_t> bits = parseScalar(scalar);
    if (failed(bits))
      return failure();
    if (scalar.isSigned && llvm::SignExtend64(*bits, scalar.width) < 0)
      return error(valueStart, rule);
    place.offset.emplace(*bits);
    return expect(TokenKind::RParen, " behind a value");
  }
  return error(name->position, "BLOBFILE has one 'path' and one 'offset', "
                               "not '" +
                                   name->text + "'");
}

Attribute Parser::parseBlobFile(RankedTensorType type, Position start) {
  Type element = type.getElementType();
  if (isa<mil::StringType>(element) || element.isSignlessInteger(1) ||
      element.isF64() || element.getIntOrFloatBitWidth() == 64) {
    (void)error(start, "a weight file cannot hold " + mil::dtypeName(element) +
                           " elements");
    return {};
  }
  advance();
  BlobPlace place;
  auto entry = [&] { return parseBlobEntry(place); };
  Position listStart = token.position;
  if (failed(parseSequence(TokenKind::LParen, TokenKind::RParen, entry)))
    return {};
  if (!place.path || !place.offset) {
    (void)error(listStart, "BLOBFILE needs both 'path' and 'offset'");
    return {};
  }
  std::string unescaped;
  llvm::StringRef pathText = place.path->text;
  if (place.path->hasEscape)
    pathText = unescaped = unescape(pathText);
  return mil::BlobFileAttr::get(context, type, pathText, *place.offset);
}

//===----------------------------------------------------------------------===//
// Literals of tuples, dictionaries and lists
//===----------------------------------------------------------------------===//

LogicalResult Parser::parseSequence(TokenKind open, TokenKind close,
                                    llvm::function_ref<LogicalResult()> entry) {
  if (failed(expect(open, "")))
    return failure();
  if (consumeIf(close))
    return success();
  do {
    if (failed(entry()))
      return failure();
  } while (consumeIf(TokenKind::Comma));
  return expect(close, "");
}

Attribute Parser::parseNestedLiteral(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return parseNestedTensor(tensor, 0);
  if (auto tuple = dyn_cast<TupleType>(type))
    return parseTupleLiteral(tuple);
  if (auto dict = dyn_cast<mil::DictType>(type))
    return parseDictLiteral(dict);
  if (auto list = dyn_cast<mil::ListType>(type))
    return parseListLiteral(list);
  (void)error(token.position,
              "there is no literal of type " + mil::formatType(type));
  return {};
}

Attribute Parser::parseTupleLiteral(TupleType type) {
  SmallVector<Attribute> members;
  Position start = token.position;
  auto entry = [&]() -> LogicalResult {
    if (members.size() == type.size())
      return error(token.position, "the tuple has more than the " +
                                       Twine(type.size()) +
                                       " members of its type");
    Attribute member = parseNestedLiteral(type.getType(members.size()));
    members.push_back(member);
    return success(member != nullptr);
  };
  if (failed(parseSequence(TokenKind::LParen, TokenKind::RParen, entry)))
    return {};
  if (members.size() != type.size()) {
    (void)error(start, "the tuple has " + Twine(members.size()) +
                           " members, its type " + Twine(type.size()));
    return {};
  }
  return mil::TupleAttr::get(context, builder.getArrayAttr(members));
}

Attribute Parser::parseDictLiteral(mil::DictType type) {
  SmallVector<Attribute> keysAndValues;
  auto entry = [&]() -> LogicalResult {
    if (failed(expect(TokenKind::LBrace, " of a dictionary entry")))
      return failure();
    Attribute key = parseNestedLiteral(type.getKeyType());
    if (!key || failed(expect(TokenKind::Comma, " behind a key")))
      return failure();
    Attribute value = parseNestedLiteral(type.getValueType());
    if (!value)
      return failure();
    keysAndValues.append({key, value});
    return expect(TokenKind::RBrace, " of a dictionary entry");
  };
  if (failed(parseSequence(TokenKind::LBrace, TokenKind::RBrace, entry)))
    return {};
  return mil::DictAttr::get(context, builder.getArrayAttr(keysAndValues));
}

Attribute Parser::parseListLiteral(mil::ListType type) {
  SmallVector<Attribute> elements;
  Position start = token.position;
  auto entry = [&]() -> LogicalResult {
    elements.push_back(parseNestedLiteral(type.getElementType()));
    return success(elements.back() != nullptr);
  };
  if (failed(parseSequence(TokenKind::LBracket, TokenKind::RBracket, entry)))
    return {};
  if (!ShapedType::isDynamic(type.getLength()) &&
      type.getLength() != static_cast<int64_t>(elements.size())) {
    (void)error(start, "the list has " + counted(elements.size(), "element") +
                           ", its type " + Twine(type.getLength()));
    return {};
  }
  return builder.getArrayAttr(elements);
}

Attribute Parser::parseNestedTensor(RankedTensorType type, unsigned dim) {
  if (dim == type.getRank())
    return parseNestedScalar(type.getElementType());
  SmallVector<Attribute> entries;
  Position start = token.position;
  auto entry = [&]() -> LogicalResult {
    entries.push_back(parseNestedTensor(type, dim + 1));
    return success(entries.back() != nullptr);
  };
  if (failed(parseSequence(TokenKind::LBracket, TokenKind::RBracket, entry)))
    return {};
  if (!type.isDynamicDim(dim) &&
      type.getDimSize(dim) != static_cast<int64_t>(entries.size())) {
    (void)error(start, "dimension " + Twine(dim) + " has " +
                           counted(entries.size(), "entry", "entries") + "; " +
                           mil::formatType(type) + " wants " +
                           Twine(type.getDimSize(dim)));
    return {};
  }
  return builder.getArrayAttr(entries);
}

Attribute Parser::parseNestedScalar(Type elementType) {
  Scalar scalar(elementType);
  if (scalar.kind == Scalar::String) {
    if (token.is(TokenKind::String))
      return parseString();
    (void)errorScalar(scalar);
    return {};
  }
  FailureOr<uint64_t> bits = parseScalar(scalar);
  if (failed(bits))
    return {};
  warnOverflow(scalar);
  llvm::APInt raw(scalar.width, *bits & scalar.mask());
  if (auto type = dyn_cast<FloatType>(elementType))
    return FloatAttr::get(type, APFloat(type.getFloatSemantics(), raw));
  return IntegerAttr::get(elementType, raw);
}

//===----------------------------------------------------------------------===//
// Attribute lists
//===----------------------------------------------------------------------===//

Parser::TypedValue Parser::parseAttributeValue() {
  if (token.is(TokenKind::String) || token.is(TokenKind::LBracket)) {
    (void)errorBareValue(token.position, token.is(TokenKind::String)
                                             ? "string(\"...\")"
                                             : "tensor<int32, [2]>([...])");
    return {};
  }
  // A bare number is rare and not known to be legal; it is kept as it is.
  if (token.is(TokenKind::Integer)) {
    std::optional<uint64_t> value = parseInteger(token.text, 64, true);
    if (!value) {
      (void)error(token.position, token.text + " does not fit 64 bits");
      return {};
    }
    advance();
    return {builder.getI64Type(), builder.getI64IntegerAttr(*value)};
  }
  if (isNumber()) {
    double value = floatFromBits(parseFloat(token.text, FloatFormat::Fp64),
                                 FloatFormat::Fp64);
    advance();
    return {builder.getF64Type(), builder.getF64FloatAttr(value)};
  }
  return parseValue();
}

llvm::FailureOr<Token> Parser::parseLabel(const Token &name) {
  if (token.is(TokenKind::String))
    return errorBareValue(token.position, "string(\"...\")");
  Type type = isNumber() ? builder.getNoneType() : parseType();
  if (!type)
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() != 0 ||
      !isa<mil::StringType>(tensor.getElementType()))
    return error(name.position, "'name' must be a string");
  if (failed(expect(TokenKind::LParen, " behind a type")))
    return failure();
  if (!token.is(TokenKind::String))
    return errorExpected("a string");
  Token label = token;
  advance();
  if (failed(expect(TokenKind::RParen, " behind a value")))
    return failure();
  return label;
}

LogicalResult Parser::parseAttributes(SmallVectorImpl<AttributeEntry> &entries,
                                      std::optional<Token> *label) {
  if (!token.is(TokenKind::LBracket))
    return success();
  auto entry = [&]() -> LogicalResult {
    FailureOr<Token> name = expectIdentifier("the name of an attribute");
    if (failed(name) ||
        failed(expect(TokenKind::Equal, " behind the name of an attribute")))
      return failure();
    if (label && name->text == "name") {
      if (*label)
        return error(name->position, "attribute 'name' is given twice");
      FailureOr<Token> text = parseLabel(*name);
      if (succeeded(text))
        *label = *text;
      return text;
    }
    Position start = token.position;
    TypedValue value = parseAttributeValue();
    entries.push_back({*name, value, start});
    return success(value.attribute != nullptr);
  };
  if (failed(parseSequence(TokenKind::LBracket, TokenKind::RBracket, entry)))
    return failure();
  return checkUnique(entries);
}

LogicalResult Parser::checkUnique(ArrayRef<AttributeEntry> entries) {
  if (entries.size() < 2)
    return success();
  SmallVector<const AttributeEntry *, 8> sorted = llvm::map_to_vector<8>(
      entries, [](const AttributeEntry &entry) { return &entry; });
  llvm::sort(sorted, [](const auto *a, const auto *b) {
    return std::tie(a->name.text, a) < std::tie(b->name.text, b);
  });
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i]->name.text == sorted[i - 1]->name.text)
      return error(sorted[i]->name.position,
                   "attribute '" + sorted[i]->name.text + "' is given twice");
  return success();
}

DictionaryAttr Parser::makeDictionary(ArrayRef<AttributeEntry> entries) {
  SmallVector<NamedAttribute, 4> named;
  for (const AttributeEntry &entry : entries)
    named.push_back(
        builder.getNamedAttr(entry.name.text, entry.value.attribute));
  return builder.getDictionaryAttr(named);
}
