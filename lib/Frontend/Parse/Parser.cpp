//===- Parser.cpp - Errors and recovery -----------------------------------===//

#include "Parse/Parser.h"

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

Parser::Parser(llvm::StringRef text, llvm::StringRef fileName,
               MLIRContext *context, const ImportOptions &options)
    : context(context), options(options), builder(context),
      fileName(builder.getStringAttr(fileName)), lexer(text) {
  advance();
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

Location Parser::locationOf(Position position) {
  return frontend::locationOf(fileName, position);
}

LogicalResult Parser::error(Position position, const Twine &message) {
  if (shouldStop())
    return failure();
  ++numErrors;
  InFlightDiagnostic diagnostic = emitError(locationOf(position), message);
  if (shouldStop() && options.errorLimit > 1)
    diagnostic.attachNote() << "too many errors; the rest is not read";
  return diagnostic;
}

LogicalResult Parser::error(Position position, const Twine &message,
                            Position notePosition, const Twine &note) {
  if (shouldStop())
    return failure();
  ++numErrors;
  InFlightDiagnostic diagnostic = emitError(locationOf(position), message);
  diagnostic.attachNote(locationOf(notePosition)) << note;
  return diagnostic;
}

LogicalResult Parser::errorBareValue(Position position, const Twine &typed) {
  return error(position, "a bare value has no type; write it as " + typed);
}

void Parser::warn(Position position, const Twine &message) {
  ++numWarnings;
  if (!shouldStop())
    emitWarning(locationOf(position), message);
}

LogicalResult Parser::errorExpected(const Twine &what) {
  if (token.is(TokenKind::Error))
    return error(token.position, lexer.errorMessage());
  std::string found;
  switch (token.kind) {
  case TokenKind::Identifier:
  case TokenKind::Integer:
  case TokenKind::Float: {
    constexpr size_t shown = 40;
    found = ("'" + token.text.take_front(shown) +
             (token.text.size() > shown ? "...'" : "'"))
                .str();
    break;
  }
  default:
    found = describe(token.kind).str();
  }
  return error(token.position, "expected " + what + ", found " + found);
}

//===----------------------------------------------------------------------===//
// Recovery
//===----------------------------------------------------------------------===//

void Parser::skipStatement() {
  while (!token.is(TokenKind::EndOfFile)) {
    if (consumeIf(TokenKind::Semicolon))
      return;
    // A string without its end has swallowed the rest of the line.
    if (token.is(TokenKind::Error) && token.text.starts_with("\"")) {
      advance();
      return;
    }
    // The end of a function is the only brace in front of an arrow; others
    // belong to literals.
    if (token.is(TokenKind::RBrace) && lexer.peekChar() == '-')
      return;
    advance();
  }
}

void Parser::skipFunction() {
  bool behindArrow = false;
  while (!token.is(TokenKind::EndOfFile)) {
    behindArrow |= token.is(TokenKind::Arrow);
    if (consumeIf(TokenKind::Semicolon)) {
      if (behindArrow)
        return;
      continue;
    }
    advance();
  }
}

void Parser::skipBrackets(TokenKind open, TokenKind close) {
  size_t depth = 0;
  do {
    depth += token.is(open);
    depth -= token.is(close);
    advance();
  } while (depth != 0 && !token.is(TokenKind::EndOfFile));
}

void Parser::skipBlocks() {
  do {
    (void)consumeIf(TokenKind::Identifier);
    if (token.is(TokenKind::LParen))
      skipBrackets(TokenKind::LParen, TokenKind::RParen);
    if (token.is(TokenKind::LBrace))
      skipBrackets(TokenKind::LBrace, TokenKind::RBrace);
    if (consumeIf(TokenKind::Arrow) && token.is(TokenKind::LParen))
      skipBrackets(TokenKind::LParen, TokenKind::RParen);
  } while (consumeIf(TokenKind::Comma) && startsBlock());
}
