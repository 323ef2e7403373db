//===- Fixtures.h - A small container that the tests share ------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_LOADER_FIXTURES_H
#define ANE_TEST_UNIT_LOADER_FIXTURES_H

#include "ane/Loader/LoadTables.h"
#include "ane/Loader/Loader.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"
#include <optional>
#include <string>

namespace ane::loader::test {

/// Sections of the container by ordinal.
enum Section : unsigned { Text = 1, Constants, Scratch, X, Y };

/// Two tasks between x and y, [1, 4, 3, 5] each, and a kernel of two lanes in
/// the first; its result goes through scratch.
std::string container(td::Format format, const LoadTables &tables = {});

/// Reads bytes under the name `test.hwx`.
object::Object read(const std::string &bytes);
std::string write(const object::Object &object);

/// The loaded image, or the message of the refusal.
std::optional<object::Object> load(const std::string &bytes,
                                   const LoadOptions &options = {});
std::string refusal(const std::string &bytes, const LoadOptions &options = {});

/// The register of a field as custom bars name it.
uint32_t registerOf(td::Format format, td::Field field);

/// The tasks of an image.
std::vector<td::TaskDescriptor> tasksOf(const object::Object &image);

} // namespace ane::loader::test

#endif // ANE_TEST_UNIT_LOADER_FIXTURES_H
