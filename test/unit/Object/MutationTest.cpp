//===- MutationTest.cpp - Containers with random damage -------------------===//
//
// Whatever happens to a file, the reader gives an error that is located in it,
// or an object that is written back as the very same bytes. The damage comes
// from a generator with a fixed seed.
//
//===----------------------------------------------------------------------===//

#include "../TestData.h"
#include "Fixtures.h"
#include "ane/Object/AddressMap.h"
#include "ane/Object/Check.h"
#include "ane/Object/Contents.h"
#include "ane/Object/Semantics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gmock/gmock.h"
#include <map>
#include <random>

using namespace ane::object;
using namespace ane::object::test;
using ane::testData;

namespace {

constexpr unsigned truncations = 200;
constexpr unsigned damages = 1500;

/// Reads damaged bytes; says whether they still are a container.
bool survives(const std::string &bytes) {
  llvm::Expected<Object> object = read(bytes);
  if (!object) {
    EXPECT_THAT(llvm::toString(object.takeError()),
                testing::StartsWith("test.hwx:0:"));
    return false;
  }
  EXPECT_TRUE(write(*object) == bytes);
  // What looks into a container must survive it, too.
  llvm::consumeError(checkObject(*object, "f"));
  for (const LoadCommand &command : object->commands)
    bytesOfNoField(command);
  llvm::consumeError(AddressMap::create(*object).takeError());
  llvm::Expected<ContainerSpec> model = semanticModel(*object);
  if (!model) {
    llvm::consumeError(model.takeError());
    return true;
  }
  llvm::Expected<Object> again = layoutObject(std::move(*model));
  if (again)
    write(*again);
  else
    llvm::consumeError(again.takeError());
  return true;
}

void damage(const std::string &whole, uint32_t seed) {
  std::mt19937 random(seed);
  // The upper bound is not included. Not a std::uniform_int_distribution, whose
  // values differ between libraries.
  auto below = [&](size_t bound) { return random() % bound; };
  ASSERT_TRUE(survives(whole));
  for (unsigned i = 0; i < truncations; ++i)
    survives(whole.substr(0, below(whole.size())));

  // Most fields are in front of the text.
  llvm::Expected<Object> object = read(whole);
  size_t front = object->findSection(SectionType::Text)->fileOffset;
  const uint64_t values[] = {0,          1,          0x7f,       0xff,
                             0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX};
  unsigned read = 0;
  for (unsigned i = 0; i < damages; ++i) {
    std::string bytes = whole;
    size_t range = i % 4 ? front : whole.size();
    for (size_t left = 1 + below(3); left > 0; --left) {
      size_t place = below(range);
      if (below(2)) {
        bytes[place] ^= 1 + below(255);
        continue;
      }
      // A whole field.
      place &= ~size_t(7);
      size_t width = below(2) ? 4 : 8;
      uint64_t value = values[below(std::size(values))];
      for (size_t byte = 0; byte < width && place + byte < bytes.size(); ++byte)
        bytes[place + byte] = value >> (8 * byte);
    }
    read += survives(bytes);
  }
  // Otherwise the damage says nothing of one of the two.
  EXPECT_GT(read, damages / 20);
  EXPECT_LT(read, damages);
}

TEST(Mutation, OwnContainers) {
  for (Dialect dialect : {Dialect::V421, Dialect::MacOS26, Dialect::V9509}) {
    ContainerSpec spec = makeSpec();
    spec.style = styleOf(dialect);
    spec.notes = notesOf(dialect);
    spec.style.maxKernelBytes = pageBytes;
    spec.constants.push_back(Chunk::zeros(pageBytes));
    damage(write(llvm::cantFail(layoutObject(std::move(spec)))),
           1 + unsigned(dialect));
  }
}

TEST(Mutation, RealContainers) {
  std::optional<std::string> folder = testData("real/hwx");
  if (!folder)
    GTEST_SKIP() << "ANE_TEST_DATA is not set";
  std::map<std::string, std::string> files;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator entry(*folder, code), end;
       entry != end && !code; entry.increment(code))
    if (llvm::StringRef(entry->path()).ends_with(".hwx")) {
      auto buffer = llvm::MemoryBuffer::getFile(entry->path());
      ASSERT_TRUE(bool(buffer));
      files[entry->path()] = (*buffer)->getBuffer().str();
    }
  EXPECT_GE(files.size(), 9u);
  uint32_t seed = 100;
  for (const auto &[path, bytes] : files) {
    SCOPED_TRACE(path);
    damage(bytes, seed++);
  }
}

} // namespace
