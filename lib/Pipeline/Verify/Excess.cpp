//===- Excess.cpp - Results beyond the numbers of the engine --------------===//

#include "Verify/Excess.h"
#include "Verify/Ties.h"
#include "ane/Support/Half.h"
#include "ane/Target/Target.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using reference::Tensor;

namespace {

/// Whether the engine computes an op in its multiply-accumulators.
bool sumsProducts(Operation *op) {
  return isa<mil::ConvOp, mil::ConvTransposeOp, mil::LinearOp, mil::MatmulOp,
             mil::EinsumOp>(op);
}

/// As `largestMagnitude`, but infinite if an element is.
double reach(const Tensor &tensor) {
  bool isEndless = llvm::any_of(tensor.floats(),
                                [](double each) { return std::isinf(each); });
  return isEndless ? HUGE_VAL : largestMagnitude(tensor);
}

bool isTooLarge(const Tensor &tensor) { return reach(tensor) > largestHalf; }

bool hasNaN(const Tensor &tensor) {
  return llvm::any_of(tensor.floats(),
                      [](double each) { return std::isnan(each); });
}

/// What of a result is beyond the numbers of the engine and was not in what the
/// op reads, as the infinities of a mask are; empty if nothing is.
std::string excessOf(Operation *op, ArrayRef<const Tensor *> operands,
                     const Tensor &result) {
  auto reads = [&](bool (*isBeyond)(const Tensor &)) {
    return llvm::any_of(operands, [&](const Tensor *operand) {
      return operand && operand->isFloat() && isBeyond(*operand);
    });
  };
  if (hasNaN(result) && !reads(hasNaN))
    return "is NaN in places, and the engine has none";
  double most = reach(result);
  if (most > largestHalf && !reads(isTooLarge))
    return llvm::formatv("reaches {0:e2}, and the largest fp16 is {1}", most,
                         int64_t(largestHalf));
  if (sumsProducts(op) && most >= accumulatorLimit && !reads(isTooLarge))
    return llvm::formatv("reaches {0:e2}, and sums of products of the engine "
                         "are infinite from {1} on",
                         most, int64_t(accumulatorLimit));
  return "";
}

/// Whether fp16 holds few digits of a result, if any.
bool isDenormal(const Tensor &result) {
  double largest = largestMagnitude(result);
  return largest != 0 && largest < smallestNormalHalf;
}

} // namespace

std::optional<Excess> ane::findExcess(mil::FuncOp func, const Trial &trial) {
  std::optional<Excess> beyond, denormal;
  auto note = [](std::optional<Excess> &first, Operation *op,
                 const std::string &what) {
    if (!first)
      first = {op->getLoc(), (op->getName().stripDialect() +
                              ": with these inputs its result " + what)
                                 .str()};
  };
  auto look = [&](Operation *op, ArrayRef<const Tensor *> operands,
                  MutableArrayRef<Tensor> results) {
    for (const Tensor &result : results) {
      if (beyond || !result.isFloat())
        continue;
      if (std::string what = excessOf(op, operands, result); !what.empty())
        note(beyond, op, what);
      else if (isDenormal(result))
        note(denormal, op,
             llvm::formatv("reaches {0:e2}, and fp16 has less than 11 bits of "
                           "what is below 2^-14",
                           largestMagnitude(result)));
    }
  };
  if (failed(reference::evaluate(func, trial.parameters, look)))
    return std::nullopt;
  return beyond ? beyond : denormal;
}
