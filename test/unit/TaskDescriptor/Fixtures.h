//===- Fixtures.h - Programs to encode and decode ---------------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_TASKDESCRIPTOR_FIXTURES_H
#define ANE_TEST_UNIT_TASKDESCRIPTOR_FIXTURES_H

#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "gtest/gtest.h"
#include <optional>
#include <random>

namespace ane::td::test {

/// The text of a program of `numTasks` tasks, for decoding it again.
EncodedText textOf(const EncodedProgram &program, uint32_t numTasks);

/// Encodes and decodes.
std::vector<TaskDescriptor> roundTrip(llvm::ArrayRef<TaskDescriptor> tasks,
                                      Format format);

/// Without the links between descriptors, which depend on the spelling.
RegisterImage withoutLinks(RegisterImage image);

/// An image in which every field has a random value, as far as that is legal: a
/// base needs a buffer, DTID needs TDE, the links are 0.
RegisterImage randomImage(std::mt19937 &random);

/// One to four linked tasks with random images.
std::vector<TaskDescriptor> randomProgram(std::mt19937 &random);

/// What a program is refused with, or "accepted".
std::string refusal(const EncodedText &text);

/// A copy with one word replaced.
EncodedProgram patched(const EncodedProgram &program, size_t offset,
                       uint32_t value);

/// A program of Apple's compiler.
struct RealProgram {
  std::string name;
  std::vector<uint8_t> text;
  uint32_t entry = 0;
  uint32_t firstTaskWords = 0;
  uint32_t numTasks = 0;

  EncodedText encodedText() const {
    return {name, 0, text, entry, firstTaskWords, numTasks, {}};
  }
};

/// All programs of real/hwx and real/anec of ANE_TEST_DATA, by name; nothing if
/// that is not set.
std::optional<std::vector<RealProgram>> realPrograms();

/// The registers of a task, and how many words its descriptor had.
struct RealTask {
  std::string name;
  uint32_t words = 0;
  RegisterImage image;
};

/// All tasks of real/tasks of ANE_TEST_DATA, by name; nothing if that is not
/// set.
std::optional<std::vector<RealTask>> realTasks();

} // namespace ane::td::test

#endif // ANE_TEST_UNIT_TASKDESCRIPTOR_FIXTURES_H
