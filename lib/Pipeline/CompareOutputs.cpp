//===- CompareOutputs.cpp - How far two results are apart -----------------===//

#include "CompareOutputs.h"
#include "ane/Support/Npy.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using reference::Tensor;

namespace {

// What counts as agreement; see CompareOutputs.h.
constexpr double l2Limit = 0.01;
constexpr double elementLimit = 0.05;
constexpr double errorFloor = 0.002;

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

  void print(llvm::raw_ostream &os) const {
    os << llvm::formatv(
        "verify: {0} {1}: worst absolute error {2:e3}, worst relative "
        "error {3:P4} of the largest magnitude {4:e3}, relative L2 error "
        "{5:P4}",
        name, formatShape(shape), worst, largest > 0 ? worst / largest : 0.0,
        largest, l2());
    if (numUndefined != 0)
      os << llvm::formatv("; {0} of {1} elements are NaN and not compared",
                          numUndefined, want.size());
    if (!fault() && (isElementOff(0) || isL2Off(0)))
      os << llvm::formatv("; only within the absolute floor {0}",
                          format(errorFloor));
    os << '\n';
  }

  /// What is wrong, if anything.
  std::optional<std::string> fault() const {
    if (!want.empty() && numUndefined == want.size())
      return "there is nothing to compare in output '" + name.str() +
             "', which is NaN everywhere, whatever inputs were tried";
    if (numStray != 0)
      return llvm::formatv("infinities or NaN of output '{0}' differ in {1} of "
                           "its {2} elements, first in {3}",
                           name, numStray, want.size(), describe(firstStray))
          .str();
    if (isElementOff(errorFloor))
      return llvm::formatv("output '{0}' is too far off in {1}; the limit is "
                           "{2:P0} of the largest magnitude, {3}",
                           name, describe(worstPlace), elementLimit,
                           format(largest))
          .str();
    if (isL2Off(errorFloor))
      return llvm::formatv(
                 "the L2 error of output '{0}' is {1:P4}, the limit {2:P0}; it "
                 "is furthest off in {3}",
                 name, l2(), l2Limit, describe(worstPlace))
          .str();
    return std::nullopt;
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

std::optional<std::string> ane::compareOutput(StringRef name, const Tensor &got,
                                              const Tensor &want,
                                              llvm::raw_ostream &os) {
  Comparison comparison(name, got, want);
  comparison.print(os);
  return comparison.fault();
}
