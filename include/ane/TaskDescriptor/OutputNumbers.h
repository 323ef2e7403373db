//===- OutputNumbers.h - The different coefficients of outputs --*- C++ -*-===//

#ifndef ANE_TASKDESCRIPTOR_OUTPUTNUMBERS_H
#define ANE_TASKDESCRIPTOR_OUTPUTNUMBERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace ane::td {

/// The numbers that the coefficients of each output are. Outputs side by side
/// without a number that the first of them does not have are a run.
class OutputNumbers {
public:
  /// `weights` are fp16 of so many outputs, one after the other, or one number
  /// for all. Nothing if the largest palette does not hold those of one output.
  static std::optional<OutputNumbers> get(llvm::StringRef weights,
                                          int64_t outputs);

  /// For each output the one behind the last that a palette of `bits` holds
  /// together with it and those in between; the output itself if it holds not
  /// even that.
  std::vector<int64_t> reach(unsigned bits) const;

private:
  OutputNumbers() = default;
  llvm::ArrayRef<uint16_t> numbersOf(size_t run) const;

  /// Where runs begin, and where the numbers of each do; with the ends of all.
  std::vector<int64_t> firstOutputs;
  std::vector<size_t> firstNumbers;
  std::vector<uint16_t> numbers;
};

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_OUTPUTNUMBERS_H
