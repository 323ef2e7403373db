//===- LexerTest.cpp - Tokens of MIL text ---------------------------------===//

#include "Lexer.h"
#include "ane/Frontend/Number.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"

using namespace ane::frontend;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

using Kinds = std::vector<TokenKind>;

Kinds kindsOf(llvm::StringRef text) {
  Lexer lexer(text);
  Kinds kinds;
  while (true) {
    Token token = lexer.lex();
    kinds.push_back(token.kind);
    if (token.is(TokenKind::EndOfFile))
      return kinds;
  }
}

std::string errorOf(llvm::StringRef text) {
  Lexer lexer(text);
  return lexer.lex().is(TokenKind::Error) ? lexer.errorMessage() : "";
}

TEST(Lexer, SplitsAStatement) {
  EXPECT_THAT(
      kindsOf("tensor<fp16, [?]> y = f(x = (a))[k = {\"s\"}]; -> -1"),
      ElementsAre(TokenKind::Identifier, TokenKind::Less, TokenKind::Identifier,
                  TokenKind::Comma, TokenKind::LBracket, TokenKind::Question,
                  TokenKind::RBracket, TokenKind::Greater,
                  TokenKind::Identifier, TokenKind::Equal,
                  TokenKind::Identifier, TokenKind::LParen,
                  TokenKind::Identifier, TokenKind::Equal, TokenKind::LParen,
                  TokenKind::Identifier, TokenKind::RParen, TokenKind::RParen,
                  TokenKind::LBracket, TokenKind::Identifier, TokenKind::Equal,
                  TokenKind::LBrace, TokenKind::String, TokenKind::RBrace,
                  TokenKind::RBracket, TokenKind::Semicolon, TokenKind::Arrow,
                  TokenKind::Integer, TokenKind::EndOfFile));
}

TEST(Lexer, TellsIntegersFromFloats) {
  for (llvm::StringRef text : {"0", "-1", "007", "18446744073709551616"})
    EXPECT_THAT(kindsOf(text),
                ElementsAre(TokenKind::Integer, TokenKind::EndOfFile))
        << text.str();
  for (llvm::StringRef text :
       {"1.0", "1.", "1e5", "1E+5", "-1.5e-05", "0x1p0", "0x1p+3", "-0x1.8p-6",
        "0x.8p1", "0xap0", "-inf", "-nan"})
    EXPECT_THAT(kindsOf(text),
                ElementsAre(TokenKind::Float, TokenKind::EndOfFile))
        << text.str();
}

TEST(Lexer, RefusesMalformedNumbers) {
  EXPECT_THAT(errorOf("0x1"), HasSubstr("needs an exponent"));
  EXPECT_THAT(errorOf("0x1.8"), HasSubstr("needs an exponent"));
  EXPECT_THAT(errorOf("0x"), HasSubstr("needs a digit behind 0x"));
  EXPECT_THAT(errorOf("0x.p1"), HasSubstr("needs a digit behind 0x"));
  EXPECT_THAT(errorOf("0x1p"), HasSubstr("exponent of a number needs a digit"));
  EXPECT_THAT(errorOf("1e+"), HasSubstr("exponent of a number needs a digit"));
  EXPECT_THAT(errorOf("12ab"), HasSubstr("ends in letters"));
  EXPECT_THAT(errorOf("-abc"), HasSubstr("in front of a number"));
  EXPECT_THAT(errorOf("-"), HasSubstr("unexpected '-'"));
  EXPECT_THAT(errorOf(std::string(maxNumberLength + 1, '1')),
              HasSubstr("at most 2048"));
  EXPECT_EQ(errorOf(std::string(maxNumberLength, '1')), "");
}

TEST(Lexer, CountsLinesAndColumns) {
  Lexer lexer("a // comment ; \"\n\r\n\t b\n//");
  Token a = lexer.lex(), b = lexer.lex(), end = lexer.lex();
  EXPECT_EQ(a.position.line, 1u);
  EXPECT_EQ(a.position.column, 1u);
  EXPECT_EQ(b.text, "b");
  EXPECT_EQ(b.position.line, 3u);
  EXPECT_EQ(b.position.column, 3u);
  EXPECT_TRUE(end.is(TokenKind::EndOfFile));
  EXPECT_EQ(end.position.line, 4u);
}

TEST(Lexer, ReadsStringsInPlace) {
  llvm::StringRef text = "\"plain\" \"q\\\"b\\\\n\\n\" \"\"";
  Lexer lexer(text);
  Token plain = lexer.lex(), escaped = lexer.lex(), empty = lexer.lex();
  EXPECT_EQ(plain.text.data(), text.data() + 1);
  EXPECT_EQ(plain.text, "plain");
  EXPECT_FALSE(plain.hasEscape);
  EXPECT_TRUE(escaped.hasEscape);
  EXPECT_EQ(unescape(escaped.text), "q\"b\\n\n");
  EXPECT_TRUE(empty.is(TokenKind::String));
  EXPECT_EQ(empty.text, "");

  std::string printed;
  llvm::raw_string_ostream os(printed);
  printEscaped(os, unescape(escaped.text));
  EXPECT_EQ(printed, escaped.text);
}

TEST(Lexer, RefusesBrokenStrings) {
  EXPECT_THAT(errorOf("\"abc"), HasSubstr("not closed"));
  EXPECT_THAT(errorOf("\"abc\n\""), HasSubstr("not closed on its line"));
  EXPECT_THAT(errorOf("\"abc\\"), HasSubstr("not closed"));
  EXPECT_THAT(errorOf("\"\\x\""), HasSubstr("unknown escape"));
}

TEST(Lexer, NamesCharactersThatAreNotASCII) {
  EXPECT_EQ(errorOf("\xc3\xa9"),
            "unexpected character U+00E9; outside strings text is ASCII");
  EXPECT_EQ(
      errorOf("\xe2\x80\x9c"),
      "unexpected character U+201C; outside strings text is ASCII; did you "
      "mean '\"'?");
  EXPECT_EQ(
      errorOf("\xe2\x88\x92"
              "1"),
      "unexpected character U+2212; outside strings text is ASCII; did you "
      "mean '-'?");
  EXPECT_EQ(
      errorOf("\xef\xbb\xbf"),
      "unexpected character U+FEFF; outside strings text is ASCII; did you "
      "mean a text without byte order mark?");
}

TEST(Lexer, RefusesOtherBytes) {
  EXPECT_EQ(errorOf("%"), "unexpected '%'");
  EXPECT_EQ(errorOf(llvm::StringRef("\0", 1)), "unexpected byte 0x0");
  EXPECT_EQ(errorOf("\xff"), "unexpected byte 0xff");
  EXPECT_EQ(errorOf("\xc3"), "unexpected byte 0xc3");
  EXPECT_EQ(errorOf("\xe2\x80"), "unexpected byte 0xe2");
  EXPECT_EQ(errorOf("@a"), "unexpected '@'");
  EXPECT_EQ(errorOf("/"), "unexpected '/'; a comment begins with // and ends "
                          "with its line");
}

TEST(Lexer, KnowsNames) {
  for (llvm::StringRef name : {"x", "_0", "var_3", "a@b", "Tensor"})
    EXPECT_TRUE(isIdentifier(name)) << name.str();
  for (llvm::StringRef name : {"", "0a", "a b", "a.b", "@a", "a-b"})
    EXPECT_FALSE(isIdentifier(name)) << name.str();
}

} // namespace
