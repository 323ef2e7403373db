//===- Lexer.cpp - Tokens of MIL text -------------------------------------===//

#include "Lexer.h"
#include "ane/Frontend/Number.h"
#include "ane/Support/Hex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
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
  Inner = 1 << 3,     ///< may continue an identifier
  StringEnd = 1 << 4, ///< ends a plain run of a string
  Blank = 1 << 5,     ///< stands between tokens, or starts a comment that does
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
  table[' '] = table['\t'] = table['\r'] = table['/'] = Blank;
  table['\n'] = Blank | StringEnd;
  table['"'] = table['\\'] = StringEnd;
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

/// What editors and documents put in the place of ASCII, and that.
constexpr std::pair<llvm::UTF32, llvm::StringLiteral> lookAlikes[] = {
    {0xa0, "a space"},
    {0x2010, "'-'"},
    {0x2011, "'-'"},
    {0x2012, "'-'"},
    {0x2013, "'-'"},
    {0x2014, "'-'"},
    {0x2018, "'\"'"},
    {0x2019, "'\"'"},
    {0x201c, "'\"'"},
    {0x201d, "'\"'"},
    {0x202f, "a space"},
    {0x2212, "'-'"},
    {0xfeff, "a text without byte order mark"}};

/// What other languages have in the place of a form of MIL, and that.
constexpr std::pair<char, llvm::StringLiteral> otherForms[] = {
    {'.', "a number has a digit in front of its point, as in 0.5"},
    {'+', "a number has no sign but '-'"},
    {'/', "a comment begins with // and ends with its line"},
    {'#', "a comment begins with //"},
    {'\'', "a string is in '\"'"}};

/// What a table has for a character; empty if it has not.
template <typename Character, size_t size>
static llvm::StringRef
find(const std::pair<Character, llvm::StringLiteral> (&table)[size],
     Character character) {
  for (const auto &[key, value] : table)
    if (key == character)
      return value;
  return "";
}

/// The bytes of a character that starts no token, and its name with what to do
/// about it.
static std::pair<size_t, std::string> describeCharacter(const char *start,
                                                        const char *end) {
  if (llvm::isPrint(*start)) {
    std::string shown = "'" + std::string(1, *start) + "'";
    if (llvm::StringRef form = find(otherForms, *start); !form.empty())
      shown += "; " + form.str();
    return {1, std::move(shown)};
  }
  const auto *next = reinterpret_cast<const llvm::UTF8 *>(start);
  llvm::UTF32 code = 0;
  bool isByte = llvm::isASCII(*start) ||
                llvm::convertUTF8Sequence(
                    &next, reinterpret_cast<const llvm::UTF8 *>(end), &code,
                    llvm::strictConversion) != llvm::conversionOK;
  if (isByte)
    return {1, "byte " + hex(static_cast<unsigned char>(*start))};
  std::string shown = "character U+" +
                      llvm::utohexstr(code, /*LowerCase=*/false, /*Width=*/4) +
                      "; outside strings text is ASCII";
  if (llvm::StringRef like = find(lookAlikes, code); !like.empty())
    shown += "; did you mean " + like.str() + "?";
  return {reinterpret_cast<const char *>(next) - start, std::move(shown)};
}

inline void Lexer::skipBlanks() {
  for (; current != end && has(*current, Blank); ++current) {
    if (*current == '\n') {
      ++line;
      lineStart = current + 1;
    } else if (*current == '/') {
      if (end - current == 1 || current[1] != '/')
        return;
      const void *newline = std::memchr(current, '\n', end - current);
      current = newline ? static_cast<const char *>(newline) - 1 : end - 1;
    }
  }
}

char Lexer::peekChar() {
  skipBlanks();
  return current == end ? '\0' : *current;
}

inline void Lexer::make(Token &token, TokenKind kind, const char *start,
                        const char *stop) {
  token.kind = kind;
  token.hasEscape = false;
  token.position = {line, static_cast<unsigned>(start - lineStart) + 1};
  token.text = llvm::StringRef(start, stop - start);
  current = stop;
}

void Lexer::fail(Token &token, const char *start, const char *stop,
                 std::string text) {
  message = std::move(text);
  make(token, TokenKind::Error, start, stop);
}

void Lexer::lex(Token &token) {
  skipBlanks();
  const char *start = current;
  if (start == end)
    return make(token, TokenKind::EndOfFile, start, start);

  char c = *start;
  if (has(c, Letter))
    return make(token, TokenKind::Identifier, start,
                skipClass(start + 1, end, Inner));
  if (has(c, Digit))
    return lexNumber(token, start);
  if (c == '"')
    return lexString(token, start);
  if (c == '-' && end - start > 1) {
    if (start[1] == '>')
      return make(token, TokenKind::Arrow, start, start + 2);
    if (has(start[1], Digit | Letter))
      return lexNumber(token, start);
  }
  TokenKind kind = punctuation(c);
  if (kind == TokenKind::Error) {
    auto [length, shown] = describeCharacter(start, end);
    return fail(token, start, start + length, "unexpected " + shown);
  }
  make(token, kind, start, start + 1);
}

void Lexer::lexNumber(Token &token, const char *start) {
  const char *p = start + (*start == '-');
  const char *wordEnd = skipClass(p, end, Inner);
  bool isFloat = true;

  if (has(*p, Letter)) { // only behind a minus
    llvm::StringRef word(p, wordEnd - p);
    if (word != "inf" && word != "nan")
      return fail(token, start, wordEnd, "'-' must stand in front of a number");
    return make(token, TokenKind::Float, start, wordEnd);
  }

  auto malformed = [&](llvm::StringRef what) {
    fail(token, start, skipClass(p, end, Inner), what.str());
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
  make(token, isFloat ? TokenKind::Float : TokenKind::Integer, start, p);
}

void Lexer::lexString(Token &token, const char *start) {
  bool hasEscape = false;
  for (const char *p = start + 1; p != end; ++p) {
    if (!has(*p, StringEnd))
      continue;
    if (*p == '"') {
      make(token, TokenKind::String, start, p + 1);
      token.text = token.text.drop_front().drop_back();
      token.hasEscape = hasEscape;
      return;
    }
    if (*p == '\n')
      return fail(token, start, p, "the string is not closed on its line");
    if (*p == '\\') {
      hasEscape = true;
      ++p;
      if (p == end)
        break;
      if (!llvm::is_contained({'"', '\\', 'n'}, *p)) {
        llvm::StringRef rest(p, end - p);
        size_t length = std::min(rest.find_first_of("\"\n"), rest.size());
        return fail(token, p - 1, p + length,
                    "unknown escape in a string; known are \\\", \\\\ and "
                    "\\n");
      }
    }
  }
  fail(token, start, end, "the string is not closed");
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
