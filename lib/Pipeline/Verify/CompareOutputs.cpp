//===- CompareOutputs.cpp - How far two results are apart -----------------===//

#include "Verify/CompareOutputs.h"
#include "ane/Support/FormatShape.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace ane;
using reference::Tensor;

namespace {

// What counts as agreement; see CompareOutputs.h.
constexpr double elementLimit = 0.05;
constexpr double largestFloor = 0.002, floorPart = 0.02;
constexpr double smallestFloor = 4 * 0x1p-24;

/// The elements of a tensor of any type as numbers.
std::vector<double> numbers(const Tensor &tensor) {
  if (tensor.isFloat())
    return {tensor.floats().begin(), tensor.floats().end()};
  return {tensor.ints().begin(), tensor.ints().end()};
}

/// `[0, 3]` for an element in row-major order.
std::string formatPlace(ArrayRef<int64_t> shape, int64_t index) {
  SmallVector<int64_t> place(shape.size());
  for (size_t dim = shape.size(); dim-- != 0; index /= shape[dim])
    place[dim] = index % shape[dim];
  return formatShape(place);
}

/// As short as it is exact enough.
std::string format(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.6g", number);
  return text;
}

class Comparison {
public:
  Comparison(StringRef name, const Tensor &got, const Tensor &want)
      : name(name), shape(want.getShape()),
        step(want.isFloat() || want.getElementType().isInteger(1) ? 0 : 1),
        got(numbers(got)), want(numbers(want)) {
    for (size_t i = 0; i < this->want.size(); ++i)
      add(i);
  }

  void print(size_t numTies, ArrayRef<Decision> decisions,
             llvm::raw_ostream &os) const {
    os << llvm::formatv(
        "verify: {0} {1}: worst absolute error {2:e3}, worst relative "
        "error {3:P4} of the largest magnitude {4:e3}, relative L2 error "
        "{5:P4}",
        name, formatShape(shape), worst, largest > 0 ? worst / largest : 0.0,
        largest, l2());
    if (numUndefined != 0)
      os << llvm::formatv("; {0} of {1} elements are NaN and not compared",
                          numUndefined, want.size());
    if (numTies != 0)
      os << llvm::formatv("; {0} of {1} indices are of other elements, which "
                          "are as good within {2:P0} of the largest magnitude",
                          numTies, want.size(), l2Limit);
    if (!decisions.empty()) {
      os << "; with ";
      llvm::interleaveComma(decisions, os, [&](const Decision &decision) {
        os << llvm::formatv("{0} of {1} results of {2}", decision.numChanged,
                            decision.numAll, decision.what);
      });
      os << llvm::formatv(" decided as on the engine, whose operands are right "
                          "within {0:P1} of the largest magnitude",
                          l2Limit / 2);
    }
    if (!fault() && (isElementOff(0) || isL2Off(0)))
      os << llvm::formatv("; only within the floor {0}", format(floor()));
    os << '\n';
  }

  /// What is wrong, if anything.
  std::optional<std::string> fault() const {
    if (isUndefined())
      return "output '" + name.str() +
             "' is NaN everywhere, whatever inputs were tried";
    if (numStray != 0)
      return llvm::formatv("infinities or NaN of output '{0}' differ in {1} of "
                           "its {2} elements, first in {3}",
                           name, numStray, want.size(), describe(firstStray))
          .str();
    if (isElementOff(floor()))
      return llvm::formatv("output '{0}' is too far off in {1}; the limit is "
                           "{2:P0} of the largest magnitude, {3}",
                           name, describe(worstPlace), elementLimit,
                           format(largest))
          .str();
    if (isL2Off(floor()))
      return llvm::formatv(
                 "the L2 error of output '{0}' is {1:P4}, the limit {2:P0}; it "
                 "is furthest off in {3}",
                 name, l2(), l2Limit, describe(worstPlace))
          .str();
    return std::nullopt;
  }

  bool isUndefined() const {
    return !want.empty() && numUndefined == want.size();
  }

private:
  void add(size_t i) {
    double a = got[i], b = want[i];
    if (std::isnan(b)) {
      ++numUndefined;
      return;
    }
    if (!std::isfinite(a) || !std::isfinite(b)) {
      if (a != b && numStray++ == 0)
        firstStray = i;
      return;
    }
    double error = std::fabs(a - b);
    if (error > worst) {
      worst = error;
      worstPlace = i;
    }
    largest = std::max(largest, std::fabs(b));
    errorSquares += error * error;
    squares += b * b;
  }

  double floor() const {
    if (largest == 0)
      return largestFloor;
    return std::clamp(floorPart * largest, smallestFloor, largestFloor);
  }

  bool isElementOff(double floor) const {
    return worst > std::max(elementLimit * largest + floor, step);
  }

  bool isL2Off(double floor) const {
    double count = want.size() - numUndefined;
    return std::sqrt(errorSquares) >
           l2Limit * std::sqrt(squares) + floor * std::sqrt(count);
  }

  double l2() const {
    return squares > 0 ? std::sqrt(errorSquares / squares) : 0;
  }

  /// `[0, 3], 4 instead of 5`.
  std::string describe(size_t index) const {
    return llvm::formatv("{0}, {1} instead of {2}", formatPlace(shape, index),
                         format(got[index]), format(want[index]))
        .str();
  }

  StringRef name;
  ArrayRef<int64_t> shape;
  /// What rounding may add to an element of this type.
  double step;
  std::vector<double> got, want;

  double worst = 0, largest = 0, errorSquares = 0, squares = 0;
  size_t worstPlace = 0, firstStray = 0, numStray = 0, numUndefined = 0;
};

} // namespace

std::optional<Disagreement>
ane::compareOutput(StringRef name, const Tensor &got, const Tensor &want,
                   size_t numTies, ArrayRef<Decision> decisions,
                   llvm::raw_ostream &os) {
  if (got.getNumElements() != want.getNumElements())
    return Disagreement{
        llvm::formatv("output '{0}' has the shape {1}, that of the reference "
                      "{2}",
                      name, formatShape(got.getShape()),
                      formatShape(want.getShape())),
        /*isUndefined=*/false};
  Comparison comparison(name, got, want);
  comparison.print(numTies, decisions, os);
  std::optional<std::string> fault = comparison.fault();
  if (!fault)
    return std::nullopt;
  return Disagreement{std::move(*fault), comparison.isUndefined()};
}
