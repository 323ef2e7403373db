//===- InputRange.cpp - What the elements of an input are -----------------===//

#include "ane/Pipeline/InputRange.h"
#include "ane/Support/Half.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace ane;
using llvm::StringRef;

llvm::Expected<InputRange> ane::parseInputRange(StringRef text) {
  auto [name, bounds] = text.rsplit('=');
  auto [first, last] = bounds.split(':');
  double low = 0, high = 0;
  if (name.empty() || first.getAsDouble(low) || last.getAsDouble(high))
    return llvm::createStringError(
        "'" + text + "' is no range of an input; it should look like x=0:255");
  // The comparisons fail of what is no number, too.
  if (!(low <= high) || !(Interval(low, high).magnitude() <= largestHalf))
    return llvm::createStringError(
        "'" + text +
        "' is no range of an input; it goes from a number to one that is not "
        "smaller, both in [-65504, 65504], the numbers of fp16");
  return InputRange{name.str(), {low, high}};
}

std::optional<Interval> ane::boundsOfInput(llvm::ArrayRef<InputRange> ranges,
                                           StringRef name) {
  const InputRange *found = llvm::find_if(
      ranges, [&](const InputRange &range) { return range.name == name; });
  return found == ranges.end() ? std::nullopt : std::optional(found->bounds);
}

std::string ane::describeInputs(llvm::ArrayRef<InputRange> ranges) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto print = [&](Interval bounds) {
    os << llvm::format("[%.6g, %.6g]", bounds.low, bounds.high);
  };
  print(usualInputs);
  for (const InputRange &range : ranges) {
    os << ", " << range.name << " in ";
    print(range.bounds);
  }
  return text;
}
