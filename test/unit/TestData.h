//===- TestData.h - Where external data is ----------------------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_TESTDATA_H
#define ANE_TEST_UNIT_TESTDATA_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <cstdlib>
#include <optional>
#include <string>

namespace ane {

/// A file or folder of the external data, see test/data/README.md. Nothing
/// where ANE_TEST_DATA is not set or empty: the test is skipped then.
inline std::optional<std::string> testData(llvm::StringRef path) {
  const char *root = std::getenv("ANE_TEST_DATA");
  if (!root || !*root)
    return std::nullopt;
  return (llvm::StringRef(root) + "/" + path).str();
}

} // namespace ane

#endif // ANE_TEST_UNIT_TESTDATA_H
