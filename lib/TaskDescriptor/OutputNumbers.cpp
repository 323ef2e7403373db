//===- OutputNumbers.cpp - The different coefficients of outputs ----------===//

#include "ane/TaskDescriptor/OutputNumbers.h"
#include "ane/Support/Half.h"
#include "ane/TaskDescriptor/KernelStream.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <bitset>
#include <memory>

using namespace ane;
using namespace ane::td;

namespace {

constexpr size_t halfNumbers = size_t(1) << 16;

/// The numbers of a run while its outputs are looked at.
class NumberSet {
public:
  /// Adds those of some coefficients. False if no palette holds so many.
  bool add(const char *begin, const char *end) {
    for (; begin != end; begin += halfBytes) {
      uint16_t number = llvm::support::endian::read16le(begin);
      if (known[number])
        continue;
      if (numbers.size() == mostNumbers)
        return false;
      known.set(number);
      numbers.push_back(number);
    }
    return true;
  }

  /// Most outputs have the numbers of those in front, so this decides how long
  /// it takes to look at a kernel: nothing is written.
  bool hasAll(const char *begin, const char *end) const {
    for (; begin != end; begin += halfBytes)
      if (!known[llvm::support::endian::read16le(begin)])
        return false;
    return true;
  }

  void clear() {
    for (uint16_t number : numbers)
      known.reset(number);
    numbers.clear();
  }

  llvm::ArrayRef<uint16_t> all() const { return numbers; }

private:
  static constexpr size_t mostNumbers =
      size_t(1) << *std::max_element(std::begin(td::paletteBits),
                                     std::end(td::paletteBits));
  std::bitset<halfNumbers> known;
  std::vector<uint16_t> numbers;
};

} // namespace

std::optional<OutputNumbers> OutputNumbers::get(llvm::StringRef weights,
                                                int64_t outputs) {
  OutputNumbers result;
  bool isOne = weights.size() == halfBytes;
  size_t bytes = isOne ? weights.size() : weights.size() / outputs;
  auto set = std::make_unique<NumberSet>();
  for (int64_t output = 0; output < outputs; ++output) {
    const char *begin = weights.data() + (isOne ? 0 : output * bytes);
    if (output > 0 && set->hasAll(begin, begin + bytes))
      continue;
    set->clear();
    if (!set->add(begin, begin + bytes))
      return std::nullopt;
    result.firstOutputs.push_back(output);
    result.firstNumbers.push_back(result.numbers.size());
    llvm::append_range(result.numbers, set->all());
  }
  result.firstOutputs.push_back(outputs);
  result.firstNumbers.push_back(result.numbers.size());
  return result;
}

llvm::ArrayRef<uint16_t> OutputNumbers::numbersOf(size_t run) const {
  return llvm::ArrayRef(numbers).slice(
      firstNumbers[run], firstNumbers[run + 1] - firstNumbers[run]);
}

std::vector<int64_t> OutputNumbers::reach(unsigned bits) const {
  std::vector<int64_t> result(firstOutputs.back());
  std::vector<uint32_t> uses(halfNumbers);
  size_t different = 0, runs = firstOutputs.size() - 1, behind = 0;
  auto newIn = [&](size_t run) {
    return llvm::count_if(numbersOf(run),
                          [&](uint16_t number) { return uses[number] == 0; });
  };
  for (size_t run = 0; run < runs; ++run) {
    behind = std::max(behind, run);
    for (; behind < runs && different + newIn(behind) <= size_t(1) << bits;
         ++behind)
      for (uint16_t number : numbersOf(behind))
        different += uses[number]++ == 0;
    for (int64_t output = firstOutputs[run]; output < firstOutputs[run + 1];
         ++output)
      result[output] = behind == run ? output : firstOutputs[behind];
    if (behind > run)
      for (uint16_t number : numbersOf(run))
        different -= --uses[number] == 0;
  }
  return result;
}
