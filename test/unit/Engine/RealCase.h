//===- RealCase.h - Register words of Apple's compiler ----------*- C++ -*-===//
//
// Register words that Apple's compiler wrote for small programs, with operands
// and coefficients made here. A wrong result means that a register is read
// wrongly. Programs of which only some tasks are known get what they lack from
// tasks of ours.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TEST_UNIT_ENGINE_REALCASE_H
#define ANE_TEST_UNIT_ENGINE_REALCASE_H

#include "Kernels.h"

namespace ane::engine::test {

constexpr unsigned scratchBar = object::BarScratch;

/// A program from a task file, its surfaces and coefficients.
class RealCase {
public:
  explicit RealCase(llvm::StringRef name);
  /// A program whose words are at hand.
  explicit RealCase(std::vector<td::TaskDescriptor> tasks)
      : found(true), tasks(std::move(tasks)) {}

  void input(unsigned bar, const Array &array);
  void output(unsigned bar, const Extents &extents);

  /// Appends coefficients to the constants, checked against the lanes of a
  /// task.
  void kernel(unsigned task, const Coefficients &coefficients);

  /// The records at the start of the constants, as real programs have them.
  void tables(std::initializer_list<td::LutRecord> records);

  /// The result, the same in both formats.
  Array run(unsigned bar);

  /// Why it does not run, or what is found in it.
  std::string refusal();

  bool found = false;
  std::vector<td::TaskDescriptor> tasks;
  std::vector<uint8_t> constants;
  uint64_t scratchBytes = 0x4000;

private:
  llvm::Expected<Array> run(unsigned resultBar, td::Format format);

  std::map<unsigned, Array> inputs;
  std::map<unsigned, object::TensorLayout> surfaces;
};

#define NEEDS_DATA(program)                                                    \
  if (!program.found)                                                          \
  GTEST_SKIP() << "ANE_TEST_DATA is not set"

/// Extents without groups and depth.
inline Extents shape(uint32_t c, uint32_t h, uint32_t w) {
  return {1, 1, c, h, w};
}

/// An array of `function(channel, row, column)`.
template <typename Function>
Array generate(const Extents &extents, Function function) {
  Array array(extents);
  forEach(extents, [&](uint32_t, uint32_t, uint32_t c, uint32_t h, uint32_t w) {
    array.at(0, 0, c, h, w) = function(c, h, w);
  });
  return array;
}

} // namespace ane::engine::test

#endif // ANE_TEST_UNIT_ENGINE_REALCASE_H
