//===- ParseStatements.cpp - Reading a statement --------------------------===//
//
//   type name, type name = op(input = value, ...)[attribute = value, ...];
//
//===----------------------------------------------------------------------===//

#include "Parse/Parser.h"

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

bool Parser::isControlFlow(llvm::StringRef op) {
  return op == "cond" || op == "while_loop";
}

bool Parser::startsBlock() const {
  if (!token.is(TokenKind::Identifier))
    return token.is(TokenKind::LBrace);
  // A statement without results starts alike, so it takes more than the name.
  Lexer ahead = lexer;
  Token next = ahead.lex();
  if (!next.is(TokenKind::LParen))
    return false;
  size_t depth = 1;
  while (depth != 0) {
    next = ahead.lex();
    if (next.is(TokenKind::Semicolon) || next.is(TokenKind::EndOfFile))
      return false;
    depth += next.is(TokenKind::LParen);
    depth -= next.is(TokenKind::RParen);
  }
  return ahead.lex().is(TokenKind::LBrace);
}

LogicalResult Parser::errorControlFlow(Position position) {
  return error(position, "the text form of blocks is not publicly known; "
                         "control flow cannot be read");
}

void Parser::Statement::clear() {
  op = {};
  opset.clear();
  results.clear();
  arguments.clear();
  bindings.clear();
  attributes.clear();
  label.reset();
}

LogicalResult Parser::readResults() {
  do {
    Type type = parseType();
    if (!type)
      return failure();
    FailureOr<Token> name = expectIdentifier("the name of a result");
    if (failed(name))
      return failure();
    statement.results.push_back({type, *name});
    symbols.prefetch(name->text);
  } while (consumeIf(TokenKind::Comma));
  return expect(TokenKind::Equal, " behind the results");
}

FailureOr<Parser::Binding> Parser::readBinding() {
  Binding binding = {};
  binding.position = token.position;
  if (token.is(TokenKind::Identifier)) {
    // A name; a type would go on with '<' or '('.
    char next = lexer.peekChar();
    if (next != '<' && next != '(') {
      binding.name = token;
      advance();
      return binding;
    }
    binding.value = parseValue();
    if (!binding.value.attribute)
      return failure();
    return binding;
  }
  if (isNumber() || token.is(TokenKind::String))
    return errorBareValue(token.position,
                          token.is(TokenKind::String)    ? "string(\"...\")"
                          : token.is(TokenKind::Integer) ? "int32(...)"
                                                         : "fp16(...)");
  if (token.is(TokenKind::LBracket))
    return errorBareValue(token.position, "tensor<int32, [...]>([...])");
  return errorExpected("the name of a value or a typed value");
}

LogicalResult Parser::readArguments() {
  auto readArgument = [&]() -> LogicalResult {
    FailureOr<Token> name = expectIdentifier("the name of an input");
    if (failed(name) ||
        failed(expect(TokenKind::Equal, " behind the name of an input")))
      return failure();
    Argument argument = {*name, token.is(TokenKind::LParen),
                         statement.bindings.size(), 0};
    auto readOne = [&]() -> LogicalResult {
      FailureOr<Binding> binding = readBinding();
      if (failed(binding))
        return failure();
      statement.bindings.push_back(*binding);
      return success();
    };
    LogicalResult read =
        argument.isList
            ? parseSequence(TokenKind::LParen, TokenKind::RParen, readOne)
            : readOne();
    argument.numBindings = statement.bindings.size() - argument.firstBinding;
    statement.arguments.push_back(argument);
    return read;
  };
  return parseSequence(TokenKind::LParen, TokenKind::RParen, readArgument);
}

LogicalResult Parser::readStatement() {
  // A statement without results starts with the op: `write_state(...);`.
  if (startsType() && failed(readResults()))
    return failure();
  FailureOr<Token> op = expectIdentifier("the name of an op");
  if (failed(op))
    return failure();
  statement.op = *op;
  if (mil::dtypeFromName(context, op->text) || op->text == "tensor" ||
      op->text == "tensor_buffer")
    return error(
        op->position,
        "a value is no op; it is written const()[val = " + op->text +
            (op->text.starts_with("tensor") ? "<...>(...)]" : "(...)]"));
  if (token.is(TokenKind::Less) && failed(parseOpset(statement.opset)))
    return failure();
  if (failed(readArguments()) ||
      failed(parseAttributes(statement.attributes, &statement.label)))
    return failure();
  if (consumeIf(TokenKind::Semicolon))
    return success();
  if (startsBlock()) {
    LogicalResult result = errorControlFlow(
        isControlFlow(op->text) ? op->position : token.position);
    skipBlocks();
    return result;
  }
  if (token.is(TokenKind::Error) || token.position.line == lastEnd.line)
    return errorExpected("';' behind a statement");
  // On a new line the next statement starts, so this one is whole.
  (void)error(lastEnd, "expected ';' behind a statement");
  return success();
}

void Parser::parseStatement() {
  statement.clear();
  bool complete = succeeded(readStatement());
  if (complete && succeeded(buildStatement()))
    return;
  // What the statement defines stays defined, so that its uses are no errors.
  for (const Result &result : statement.results)
    symbols.insert({result.name.text, {}, result.name.position});
  if (!complete) {
    mayMissNames |= statement.op.text.empty() || statement.results.empty();
    skipStatement();
  }
}
