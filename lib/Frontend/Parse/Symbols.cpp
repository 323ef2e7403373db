//===- Symbols.cpp - The names of values in scope -------------------------===//

#include "Parse/Parser.h"
#include "ane/Support/NearestName.h"

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

LogicalResult Parser::define(const Token &name, Value value) {
  auto [entry, isNew] = symbols.insert({name.text, value, name.position});
  if (isNew)
    return success();
  Symbol &symbol = *entry;
  if (!symbol.value && !symbol.isAmbiguous) {
    symbol = {name.text, value, name.position};
    return success();
  }
  // Which of them the uses mean is not known.
  symbol.value = {};
  symbol.isAmbiguous = true;
  return error(name.position, "'" + name.text + "' is already defined",
               symbol.position, "its first definition");
}

std::optional<Position>
Parser::findLaterDefinition(llvm::StringRef name) const {
  // `type name =` or `type name,`: a type ends in '>' or in a name.
  Lexer ahead = lexer;
  Token previous = token, current = ahead.lex();
  while (!current.is(TokenKind::EndOfFile) &&
         !(previous.is(TokenKind::RBrace) && current.is(TokenKind::Arrow))) {
    Token next = ahead.lex();
    if (current.isIdentifier(name) &&
        (previous.is(TokenKind::Identifier) ||
         previous.is(TokenKind::Greater)) &&
        (next.is(TokenKind::Equal) || next.is(TokenKind::Comma)))
      return current.position;
    previous = current;
    current = next;
  }
  return std::nullopt;
}

Value Parser::lookupValue(const Token &name, llvm::StringRef kind) {
  if (Symbol *entry = symbols.find(name.text))
    return entry->value;
  if (name.text == "true" || name.text == "false") {
    (void)errorBareValue(name.position, "bool(" + name.text + ")");
    return {};
  }
  if (mayMissNames)
    return {};
  if (std::optional<Position> later =
          shouldSuggest() ? findLaterDefinition(name.text) : std::nullopt) {
    (void)error(name.position,
                "'" + name.text + "' is used in front of its definition",
                *later, "its definition");
  } else {
    NearestName nearest(name.text);
    if (shouldSuggest())
      for (const Symbol &symbol : symbols)
        if (symbol.isDefined)
          nearest.consider(symbol.name);
    (void)error(name.position, kind + " '" + name.text + "' is not defined" +
                                   nearest.suggestion());
  }
  // Reported once is enough.
  symbols.insert({name.text,
                  {},
                  name.position,
                  /*isAmbiguous=*/false,
                  /*isDefined=*/false});
  return {};
}

std::optional<llvm::StringRef> Parser::getLabel() {
  if (!statement.label)
    return std::nullopt;
  if (!statement.label->hasEscape)
    return statement.label->text;
  unescapedLabel = unescape(statement.label->text);
  return unescapedLabel;
}

ArrayRef<std::string>
Parser::getResultNames(std::optional<llvm::StringRef> label) {
  resultNames.clear();
  // Apple's text names nearly every op as its result: the label says it all.
  if (label && statement.results.size() == 1 &&
      label == statement.results.front().name.text)
    return {};
  for (const Result &result : statement.results)
    resultNames.push_back(result.name.text.str());
  return resultNames;
}
