//===- Fixtures.h - Containers that the tests share -------------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_OBJECT_FIXTURES_H
#define ANE_TEST_UNIT_OBJECT_FIXTURES_H

#include "ane/Object/Layout.h"
#include <string>

namespace ane::object::test {

/// Two inputs, one output, two lanes of coefficients with relocations, scratch:
/// one of everything that the emission model can say. The text is one task of
/// 157 words that count up.
ContainerSpec makeSpec();

/// The bytes of a container; fails the running test on error.
std::string write(const Object &object);

/// The bytes of makeSpec() laid out.
std::string makeFile();

/// Reads bytes under the name `test.hwx`.
llvm::Expected<Object> read(llvm::StringRef bytes);

} // namespace ane::object::test

#endif // ANE_TEST_UNIT_OBJECT_FIXTURES_H
