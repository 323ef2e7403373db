//===- Ties.cpp - Indices of elements that are nearly as good -------------===//

#include "Verify/Ties.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using reference::Tensor;

namespace {

/// A value along whose axis indices count.
struct Indexed {
  Value value;
  int64_t axis;
};

/// Where an output has the indices of an op, perhaps in another integer type.
std::optional<Indexed> indexedBy(Value output) {
  while (auto cast = output.getDefiningOp<mil::CastOp>())
    output = cast.getX();
  Operation *op = output.getDefiningOp();
  if (!op)
    return std::nullopt;
  auto along = [](auto order) -> std::optional<Indexed> {
    std::optional<int64_t> axis = order.getAxisOrDefault();
    auto type = dyn_cast<RankedTensorType>(order.getX().getType());
    if (!axis || !type)
      return std::nullopt;
    return Indexed{order.getX(), *axis < 0 ? *axis + type.getRank() : *axis};
  };
  return llvm::TypeSwitch<Operation *, std::optional<Indexed>>(op)
      .Case<mil::ReduceArgmaxOp, mil::ReduceArgminOp, mil::ArgsortOp>(along)
      .Case([&](mil::TopkOp best) {
        return output == best->getResult(0) ? std::nullopt : along(best);
      })
      .Default(std::nullopt);
}

/// What the reference computes for the value that an op of an output reads.
std::optional<Tensor> valueOf(mil::FuncOp func, const Trial &trial,
                              unsigned output) {
  OwningOpRef<mil::FuncOp> copy(func.clone());
  Operation *end = copy->getBody().front().getTerminator();
  std::optional<Indexed> indexed = indexedBy(end->getOperand(output));
  end->setOperands({indexed->value});
  copy->updateFunctionType();
  auto values = reference::evaluate(*copy, trial.parameters);
  if (failed(values))
    return std::nullopt;
  return std::move(values->front());
}

} // namespace

double ane::largestMagnitude(const Tensor &tensor) {
  double largest = 0;
  for (double element : tensor.floats())
    if (std::isfinite(element))
      largest = std::max(largest, std::fabs(element));
  return largest;
}

size_t ane::acceptTies(mil::FuncOp func, const Trial &trial, unsigned output,
                       double tolerance, Tensor &got) {
  const Tensor &want = trial.outputs[output];
  if (got.isFloat() || want.isFloat() ||
      got.getNumElements() != want.getNumElements() ||
      got.ints() == want.ints())
    return 0;
  std::optional<Indexed> indexed =
      indexedBy(func.getBody().front().getTerminator()->getOperand(output));
  std::optional<Tensor> value;
  if (indexed)
    value = valueOf(func, trial, output);
  if (!value || !value->isFloat())
    return 0;

  ArrayRef<double> elements = value->floats();
  double largest = largestMagnitude(*value);
  // Places are [outer, extent, inner], indices [outer, number of them, inner].
  ArrayRef<int64_t> shape = value->getShape();
  int64_t extent = shape[indexed->axis];
  int64_t outer = llvm::product_of(shape.take_front(indexed->axis));
  int64_t inner = llvm::product_of(shape.drop_front(indexed->axis + 1));
  int64_t perOuter = got.getNumElements() / outer;
  size_t numTies = 0;
  for (auto [place, own, right] : llvm::enumerate(got.ints(), want.ints())) {
    if (own == right || own < 0 || own >= extent)
      continue;
    int64_t base =
        int64_t(place) / perOuter * extent * inner + int64_t(place) % inner;
    if (std::fabs(elements[base + own * inner] -
                  elements[base + right * inner]) > tolerance * largest)
      continue;
    own = right;
    ++numTies;
  }
  return numTies;
}
