//===- Lexer.h - Tokens of MIL text -----------------------------*- C++ -*-===//

#ifndef ANE_LIB_FRONTEND_LEXER_H
#define ANE_LIB_FRONTEND_LEXER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <string>

namespace ane::frontend {

/// How deep types and literals nest at most, and how many dimensions a type
/// has, in text that is read as in text that is written.
constexpr unsigned maxNesting = 64;

enum class TokenKind : uint8_t {
  EndOfFile,
  Error, ///< Lexer::errorMessage() says what is wrong
  Identifier,
  Integer, ///< decimal, with optional minus
  Float,   ///< any other number, -inf and -nan included
  String,  ///< text excludes the quotes; escapes are still in it
  Arrow,
  LParen,
  RParen,
  LBracket,
  RBracket,
  LBrace,
  RBrace,
  Less,
  Greater,
  Comma,
  Semicolon,
  Equal,
  Question,
};

/// `','` or `a number`, for messages.
llvm::StringRef describe(TokenKind kind);

/// A place in the text; both count from 1.
struct Position {
  unsigned line = 1;
  unsigned column = 1;
};

/// A piece of the buffer. Nothing is copied.
struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  bool hasEscape = false; ///< a string with a backslash
  Position position;
  llvm::StringRef text;

  bool is(TokenKind other) const { return kind == other; }
  bool isIdentifier(llvm::StringRef name) const {
    return kind == TokenKind::Identifier && text == name;
  }
};

/// Splits a buffer into tokens, in one pass and without allocating. Comments
/// `//` are skipped: an extension, no known tool writes them.
class Lexer {
public:
  explicit Lexer(llvm::StringRef buffer)
      : current(buffer.begin()), end(buffer.end()), lineStart(current) {}

  /// Reads the next token into the one that is given, which saves copies.
  void lex(Token &token);
  Token lex() {
    Token token;
    lex(token);
    return token;
  }

  /// What is wrong with the last Error token.
  const std::string &errorMessage() const { return message; }

  /// The text that is left.
  llvm::StringRef rest() const { return {current, size_t(end - current)}; }

  /// Skips text of the current line that is known to be whole tokens.
  void skip(size_t length) { current += length; }

  /// The first character of the next token, NUL at the end of the text.
  char peekChar();

private:
  void skipBlanks();
  /// Makes a token of the text [start, stop) and goes on behind it.
  void make(Token &token, TokenKind kind, const char *start, const char *stop);
  void fail(Token &token, const char *start, const char *stop,
            std::string text);
  void lexNumber(Token &token, const char *start);
  void lexString(Token &token, const char *start);

  const char *current;
  const char *end;
  const char *lineStart;
  unsigned line = 1;
  std::string message;
};

/// The content of a string token: `\"`, `\\` and `\n` replaced. No program of a
/// known tool has an escape; these are chosen by us.
std::string unescape(llvm::StringRef text);

/// The reverse.
void printEscaped(llvm::raw_ostream &os, llvm::StringRef text);

/// Whether MIL text can use a name as it is.
bool isIdentifier(llvm::StringRef name);

} // namespace ane::frontend

#endif // ANE_LIB_FRONTEND_LEXER_H
