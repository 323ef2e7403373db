//===- InputRange.h - What the elements of an input are ---------*- C++ -*-===//
//
// A compiler does not know what a model is fed with. Whether sums overflow
// depends on it, and so does what inputs show that a container is right.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_PIPELINE_INPUTRANGE_H
#define ANE_PIPELINE_INPUTRANGE_H

#include "ane/Support/Interval.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace ane {

/// Bounds of the elements of an input, which are floats that fp16 has.
struct InputRange {
  std::string name;
  Interval bounds;
};

/// Reads the form `x=0:255`. An error says what is wrong with it.
llvm::Expected<InputRange> parseInputRange(llvm::StringRef text);

/// The bounds of an input; nothing if they are not told.
std::optional<Interval> boundsOfInput(llvm::ArrayRef<InputRange> ranges,
                                      llvm::StringRef name);

/// What inputs are taken to be in: `[-1, 1], x in [0, 255]`.
std::string describeInputs(llvm::ArrayRef<InputRange> ranges);

/// What the elements of other inputs are taken to be. Assigned.
inline constexpr Interval usualInputs = {-1, 1};

} // namespace ane

#endif // ANE_PIPELINE_INPUTRANGE_H
