//===- Lexer.cpp - Tokens of MIL text -------------------------------------===//

#include "Lexer.h"
#include "ane/Frontend/Number.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <cstring>

using namespace ane;
using namespace ane::frontend;

namespace {

enum CharClass : uint8_t {
  Letter = 1 << 0, ///< may start an identifier
  Digit = 1 << 1,
  HexDigit = 1 << 2,
  Inner = 1 << 3, ///< may continue an identifier
};

constexpr std::array<uint8_t, 256> makeClasses() {
  std::array<uint8_t, 256> table = {};
  for (unsigned c = 'a'; c <= 'z'; ++c) {
    table[c] = table[c - 'a' + 'A'] = Letter | Inner;
    if (c <= 'f') {
      table[c] |= HexDigit;
      table[c - 'a' + 'A'] |= HexDigit;
    }
  }
  for (unsigned c = '0'; c <= '9'; ++c)
    table[c] = Digit | HexDigit | Inner;
  table['_'] = Letter | Inner;
  table['@'] = Inner;
  return table;
}

constexpr std::array<uint8_t, 256> classes = makeClasses();

bool has(char c, uint8_t charClass) {
  return classes[static_cast<unsigned char>(c)] & charClass;
}

/// The end of the run of characters of a class.
const char *skipClass(const char *p, const char *end, uint8_t charClass) {
  while (p != end && has(*p, charClass))
    ++p;
  return p;
}

TokenKind punctuation(char c) {
  switch (c) {
  case '(':
    return TokenKind::LParen;
  case ')':
    return TokenKind::RParen;
  case '[':
    return TokenKind::LBracket;
  case ']':
    return TokenKind::RBracket;
  case '{':
    return TokenKind::LBrace;
  case '}':
    return TokenKind::RBrace;
  case '<':
    return TokenKind::Less;
  case '>':
    return TokenKind::Greater;
  case ',':
    return TokenKind::Comma;
  case ';':
    return TokenKind::Semicolon;
  case '=':
    return TokenKind::Equal;
  case '?':
    return TokenKind::Question;
  default:
    return TokenKind::Error;
  }
}

} // namespace

llvm::StringRef frontend::describe(TokenKind kind) {
  switch (kind) {
  case TokenKind::EndOfFile:
    return "the end of the file";
  case TokenKind::Error:
    return "an error";
  case TokenKind::Identifier:
    return "a name";
  case TokenKind::Integer:
    return "an integer";
  case TokenKind::Float:
    return "a number";
  case TokenKind::String:
    return "a string";
  case TokenKind::Arrow:
    return "'->'";
  case TokenKind::LParen:
    return "'('";
  case TokenKind::RParen:
    return "')'";
  case TokenKind::LBracket:
    return "'['";
  case TokenKind::RBracket:
    return "']'";
  case TokenKind::LBrace:
    return "'{'";
  case TokenKind::RBrace:
    return "'}'";
  case TokenKind::Less:
    return "'<'";
  case TokenKind::Greater:
    return "'>'";
  case TokenKind::Comma:
    return "','";
  case TokenKind::Semicolon:
    return "';'";
  case TokenKind::Equal:
    return "'='";
  case TokenKind::Question:
    return "'?'";
  }
  llvm_unreachable("no such token");
}

void Lexer::skipBlanks() {
  for (; current != end; ++current) {
    switch (*current) {
    case ' ':
    case '\t':
    case '\r':
      continue;
    case '\n':
      ++line;
      lineStart = current + 1;
      continue;
    case '/':
      if (end - current > 1 && current[1] == '/') {
        const void *newline = std::memchr(current, '\n', end - current);
        current = newline ? static_cast<const char *>(newline) - 1 : end - 1;
        continue;
      }
      return;
    default:
      return;
    }
  }
}

Token Lexer::make(TokenKind kind, const char *start, const char *stop) const {
  Token token;
  token.kind = kind;
  token.position = {line, static_cast<unsigned>(start - lineStart) + 1};
  token.text = llvm::StringRef(start, stop - start);
  return token;
}

Token Lexer::fail(const char *start, const char *stop, std::string text) {
  message = std::move(text);
  current = stop;
  return make(TokenKind::Error, start, stop);
}

Token Lexer::lex() {
  skipBlanks();
  const char *start = current;
  if (current == end)
    return make(TokenKind::EndOfFile, start, start);

  char c = *current;
  if (has(c, Letter)) {
    current = skipClass(current + 1, end, Inner);
    return make(TokenKind::Identifier, start, current);
  }
  if (has(c, Digit))
    return lexNumber(start);
  if (c == '"')
    return lexString(start);
  if (c == '-' && end - current > 1) {
    if (current[1] == '>') {
      current += 2;
      return make(TokenKind::Arrow, start, current);
    }
    if (has(current[1], Digit | Letter))
      return lexNumber(start);
  }
  TokenKind kind = punctuation(c);
  if (kind == TokenKind::Error) {
    std::string shown =
        llvm::isPrint(c)
            ? "'" + std::string(1, c) + "'"
            : "byte 0x" + llvm::utohexstr(static_cast<unsigned char>(c), true);
    return fail(start, start + 1, "unexpected " + shown);
  }
  ++current;
  return make(kind, start, current);
}

Token Lexer::lexNumber(const char *start) {
  const char *p = start + (*start == '-');
  const char *wordEnd = skipClass(p, end, Inner);
  bool isFloat = true;

  if (has(*p, Letter)) { // only behind a minus
    llvm::StringRef word(p, wordEnd - p);
    if (word != "inf" && word != "nan")
      return fail(start, wordEnd, "'-' must stand in front of a number");
    current = wordEnd;
    return make(TokenKind::Float, start, current);
  }

  auto malformed = [&](llvm::StringRef what) {
    return fail(start, skipClass(p, end, Inner), what.str());
  };
  bool isHex = *p == '0' && end - p > 1 && p[1] == 'x';
  if (isHex) {
    const char *digits = p + 2;
    p = skipClass(digits, end, HexDigit);
    size_t count = p - digits;
    if (p != end && *p == '.') {
      const char *fraction = p + 1;
      p = skipClass(fraction, end, HexDigit);
      count += p - fraction;
    }
    if (count == 0)
      return malformed("a hexadecimal number needs a digit behind 0x");
    if (p == end || *p != 'p')
      return malformed("a hexadecimal number needs an exponent, such as p+0");
  } else {
    p = skipClass(p, end, Digit);
    isFloat = p != end && *p == '.';
    if (isFloat)
      p = skipClass(p + 1, end, Digit);
  }
  if (p != end && (isHex || *p == 'e' || *p == 'E')) {
    isFloat = true;
    ++p;
    if (p != end && (*p == '+' || *p == '-'))
      ++p;
    if (p == end || !has(*p, Digit))
      return malformed("the exponent of a number needs a digit");
    p = skipClass(p, end, Digit);
  }
  if (p != end && has(*p, Inner))
    return malformed("a number ends in letters");
  if (size_t(p - start) > maxNumberLength)
    return malformed("a number of " + std::to_string(p - start) +
                     " characters; at most " + std::to_string(maxNumberLength) +
                     " are read");
  current = p;
  return make(isFloat ? TokenKind::Float : TokenKind::Integer, start, current);
}

Token Lexer::lexString(const char *start) {
  bool hasEscape = false;
  for (const char *p = start + 1; p != end; ++p) {
    if (*p == '"') {
      Token token = make(TokenKind::String, start, p);
      token.text = token.text.drop_front();
      token.hasEscape = hasEscape;
      current = p + 1;
      return token;
    }
    if (*p == '\n')
      return fail(start, p, "the string is not closed on its line");
    if (*p == '\\') {
      hasEscape = true;
      ++p;
      if (p == end)
        break;
      if (!llvm::is_contained({'"', '\\', 'n'}, *p)) {
        llvm::StringRef rest(p, end - p);
        size_t length = std::min(rest.find_first_of("\"\n"), rest.size());
        return fail(p - 1, p + length,
                    "unknown escape in a string; known are \\\", \\\\ and "
                    "\\n");
      }
    }
  }
  return fail(start, end, "the string is not closed");
}

std::string frontend::unescape(llvm::StringRef text) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size())
      result += text[++i] == 'n' ? '\n' : text[i];
    else
      result += text[i];
  }
  return result;
}

void frontend::printEscaped(llvm::raw_ostream &os, llvm::StringRef text) {
  for (char c : text) {
    if (c == '"' || c == '\\')
      os << '\\' << c;
    else if (c == '\n')
      os << "\\n";
    else
      os << c;
  }
}

bool frontend::isIdentifier(llvm::StringRef name) {
  return !name.empty() && has(name.front(), Letter) &&
         llvm::all_of(name.drop_front(), [](char c) { return has(c, Inner); });
}
