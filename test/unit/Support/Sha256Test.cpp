//===- Sha256Test.cpp - SHA-256 of what comes in pieces -------------------===//

#include "ane/Support/Sha256.h"
#include "ane/Support/BackgroundHashingStream.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "gtest/gtest.h"

using namespace ane;

namespace {

std::string hexOf(Sha256 hash, llvm::StringRef text) {
  hash.update(text);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

/// The examples of FIPS 180-4.
TEST(Sha256, HashesKnownTexts) {
  EXPECT_EQ(hexOf({}, ""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hexOf({}, "abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(
      hexOf({}, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

/// Every place where a text can end or be cut, up to three blocks.
TEST(Sha256, DoesNotDependOnPieces) {
  std::string text;
  for (unsigned i = 0; i < 200; ++i) {
    std::string expected =
        llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)),
                    /*LowerCase=*/true);
    for (size_t cut = 0; cut <= text.size(); ++cut) {
      Sha256 hash;
      hash.update(llvm::StringRef(text).take_front(cut));
      EXPECT_EQ(hexOf(hash, llvm::StringRef(text).drop_front(cut)), expected)
          << i << " bytes, cut at " << cut;
    }
    text += char(i * 37 + 11);
  }
}

/// Bytes go on as they are, and pieces that end before, at and behind those
/// that the thread gets are hashed in order.
TEST(BackgroundHashingStream, HashesWhatItPassesOn) {
  std::string text;
  for (unsigned i = 0; text.size() < (3u << 20) + 5; ++i)
    text += std::to_string(i) + ",";
  std::string expected =
      llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)),
                  /*LowerCase=*/true);
  for (size_t piece : {size_t(4099), size_t(1) << 20, text.size()}) {
    std::string passed;
    llvm::raw_string_ostream out(passed);
    BackgroundHashingStream os(out);
    for (llvm::StringRef rest(text); !rest.empty();
         rest = rest.drop_front(std::min(piece, rest.size())))
      os << rest.take_front(piece);
    EXPECT_EQ(os.tell(), text.size());
    EXPECT_EQ(os.hexDigest(), expected) << "pieces of " << piece;
    EXPECT_EQ(passed, text);
  }
}

TEST(BackgroundHashingStream, HashesShortTexts) {
  BackgroundHashingStream os(llvm::nulls());
  os << "a" << "bc";
  EXPECT_EQ(os.hexDigest(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

} // namespace
