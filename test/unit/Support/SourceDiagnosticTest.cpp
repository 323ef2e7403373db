//===- SourceDiagnosticTest.cpp - Diagnostics that quote text -------------===//

#include "ane/Support/SourceDiagnostic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace ane;

namespace {

TEST(Excerpt, ShortLinesStay) {
  Excerpt excerpt = makeExcerpt("fp16 y = relu(x = z);", 18);
  EXPECT_EQ(excerpt.text, "fp16 y = relu(x = z);");
  EXPECT_EQ(excerpt.caret, 18u);
  excerpt = makeExcerpt("", 0);
  EXPECT_EQ(excerpt.text, "");
  EXPECT_EQ(excerpt.caret, 0u);
}

TEST(Excerpt, LongLinesAreCutOnBothSides) {
  std::string line(1 << 20, 'a');
  line[500000] = 'X';
  Excerpt excerpt = makeExcerpt(line, 500000);
  EXPECT_EQ(excerpt.text.size(), Excerpt::maxWidth);
  EXPECT_EQ(excerpt.text.substr(0, 4), "...a");
  EXPECT_EQ(excerpt.text.substr(excerpt.text.size() - 4), "a...");
  EXPECT_EQ(excerpt.text[excerpt.caret], 'X');
  EXPECT_EQ(excerpt.caret, 3u + 77);
}

TEST(Excerpt, EndsOfALongLine) {
  std::string line(1000, 'a');
  Excerpt start = makeExcerpt(line, 0);
  EXPECT_EQ(start.text, std::string(154, 'a') + "...");
  EXPECT_EQ(start.caret, 0u);
  Excerpt end = makeExcerpt(line, line.size());
  EXPECT_EQ(end.text, "..." + std::string(154, 'a'));
  EXPECT_EQ(end.caret, end.text.size());
  // A column behind the line is its end.
  EXPECT_EQ(makeExcerpt(line, 5000).caret, end.caret);
}

TEST(Excerpt, BytesAreEscaped) {
  Excerpt excerpt = makeExcerpt("a\tb\x1b[31m\xc3\xa9X", 10);
  EXPECT_EQ(excerpt.text, "a b\\x1b[31m\\xc3\\xa9X");
  EXPECT_EQ(excerpt.text[excerpt.caret], 'X');
  // Escapes count as they are wide.
  Excerpt binary = makeExcerpt(std::string(10000, '\xff'), 5000);
  EXPECT_LE(binary.text.size(), Excerpt::maxWidth);
  EXPECT_EQ(binary.text.substr(0, 7), "...\\xff");
  EXPECT_EQ(binary.caret % 4, 3u);
}

TEST(Message, UnprintableBytesAreEscaped) {
  EXPECT_EQ(makePrintable("'x' is not\ndefined"), "'x' is not\ndefined");
  EXPECT_EQ(makePrintable("\xc3\xa9 \x01\xff\xc3"), "\xc3\xa9 \\x01\\xff\\xc3");
}

TEST(Message, LongOnesLoseTheirMiddle) {
  EXPECT_EQ(makePrintable(std::string(1024, 'a')), std::string(1024, 'a'));
  std::string text = makePrintable("begin" + std::string(1 << 20, 'a') + "end");
  EXPECT_EQ(text.size(), 1024u + 5);
  EXPECT_TRUE(llvm::StringRef(text).starts_with("begin"));
  EXPECT_TRUE(llvm::StringRef(text).ends_with("end"));
}

TEST(Diagnostic, PlaceMessageExcerptAndCaret) {
  llvm::SourceMgr sources;
  llvm::StringRef text = "first\nab\x01"
                         "cd\n";
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, "in.mil"),
                             llvm::SMLoc());
  const char *start =
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferStart();
  auto print = [](const llvm::SMDiagnostic &diagnostic) {
    std::string printed;
    llvm::raw_string_ostream os(printed);
    printDiagnostic(diagnostic, os);
    return printed;
  };
  EXPECT_EQ(print(sources.GetMessage(llvm::SMLoc::getFromPointer(start + 9),
                                     llvm::SourceMgr::DK_Error, "no")),
            "in.mil:2:4: error: no\nab\\x01cd\n      ^\n");
  EXPECT_EQ(print(sources.GetMessage(llvm::SMLoc(), llvm::SourceMgr::DK_Note,
                                     "nowhere")),
            "<unknown>: note: nowhere\n");
}

} // namespace
