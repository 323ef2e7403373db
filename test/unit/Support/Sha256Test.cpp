//===- Sha256Test.cpp - SHA-256 of what comes in pieces -------------------===//

#include "ane/Support/Sha256.h"
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

} // namespace
