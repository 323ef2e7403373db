//===- BufferOps.cpp - Tensors whose layout the program states ------------===//

#include "Inference.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Limits.h"
#include "ane/Support/Constraint.h"
#include "ane/Support/Counted.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <tuple>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

LogicalResult BufferLayoutAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType,
    function_ref<InFlightDiagnostic()> emitError) const {
  auto refuse = [&](StringRef constraint, const Twine &message) {
    return emitError() << "tensor_buffer: " << message
                       << ConstraintId(constraint);
  };
  ArrayRef<int64_t> strides = getStrides(), factors = getInterleaveFactors();
  if (isa<StringType>(elementType))
    return refuse("mil-buffer-c1", "a buffer holds no strings");
  if (shape.empty() || ShapedType::isDynamicShape(shape))
    return refuse("mil-buffer-c1",
                  "the shape is " + formatExtents(shape) +
                      "; a buffer has known extents and a rank of at least 1");
  if (strides.size() != shape.size() || factors.size() != shape.size())
    return refuse("mil-buffer-c1", "shape " + formatExtents(shape) + " has " +
                                       Twine(strides.size()) + " strides and " +
                                       Twine(factors.size()) +
                                       " interleave factors; it wants " +
                                       Twine(shape.size()) + " of both");

  constexpr int64_t maxFactor = std::numeric_limits<uint8_t>::max();
  // The elements from the first to the last of what was looked at, at most.
  int64_t span = 1;
  for (auto [dim, stride, factor] : llvm::enumerate(strides, factors)) {
    if (stride < 1)
      return refuse("mil-buffer-c2", "stride " + Twine(stride) +
                                         " of dimension " + Twine(dim) +
                                         " is not positive");
    if (factor < 1 || factor > maxFactor)
      return refuse("mil-buffer-c2", "interleave factor " + Twine(factor) +
                                         " of dimension " + Twine(dim) +
                                         " is outside [1, " + Twine(maxFactor) +
                                         "]");
    span = std::min(span * factor, maxElements + 1);
  }
  // What a stride steps over lies inside; that is what has smaller strides.
  SmallVector<size_t> dims = llvm::to_vector(llvm::seq(shape.size()));
  llvm::sort(dims, [&](size_t a, size_t b) {
    return std::tie(strides[a], a) < std::tie(strides[b], b);
  });
  for (size_t dim : dims) {
    auto steps =
        int64_t(llvm::divideCeil(uint64_t(shape[dim]), uint64_t(factors[dim])));
    if (steps <= 1)
      continue;
    if (strides[dim] < span)
      return refuse("mil-buffer-c3", "dimension " + Twine(int64_t(dim)) +
                                         " has stride " + Twine(strides[dim]) +
                                         ", but what lies inside takes " +
                                         counted(span, "element"));
    std::optional<int64_t> end =
        llvm::checkedMulAdd(steps - 1, strides[dim], span);
    span = end.value_or(std::numeric_limits<int64_t>::max());
  }
  if (span > maxElements)
    return refuse("mil-buffer-c3", "shape " + formatExtents(shape) +
                                       " with strides " +
                                       formatExtents(strides) +
                                       " reaches further than 2^48 elements");
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult ane::mil::verifyNoBuffers(Operation *op) {
  auto check = [&](TypeRange types, StringRef what) -> LogicalResult {
    for (Type type : types)
      if (getBufferLayout(type))
        return refuse(op, "mil-buffer-c4",
                      what + " is " + formatType(type) +
                          "; a tensor_buffer is a parameter, or made by "
                          "tensor_to_tensor_buffer, and only "
                          "tensor_buffer_to_tensor reads it");
    return success();
  };
  if (!isa<TensorBufferToTensorOp>(op) &&
      failed(check(op->getOperandTypes(), "an input")))
    return failure();
  return isa<TensorToTensorBufferOp>(op)
             ? success()
             : check(op->getResultTypes(), "the result");
}

LogicalResult TensorBufferToTensorOp::inferTypes(SmallVectorImpl<Type> &types) {
  if (!getBufferLayout(getInput().getType()))
    return refuse(*this, "mil-buffer-c5",
                  "input 'input' is " + formatType(getInput().getType()) +
                      "; it must be a tensor_buffer");
  types.push_back(withoutLayout(tensorType(getInput())));
  return success();
}

LogicalResult TensorToTensorBufferOp::inferTypes(SmallVectorImpl<Type> &types) {
  std::optional<SmallVector<int64_t>> strides = getConstantInts(getStrides());
  std::optional<SmallVector<int64_t>> factors =
      getConstantInts(getInterleaveFactors());
  // They may be computed from constants.
  if (!strides || !factors)
    return keepDeclared(*this, types);
  RankedTensorType input = tensorType(getInput());
  auto layout = BufferLayoutAttr::get(getContext(), *strides, *factors);
  if (failed(layout.verifyEncoding(input.getShape(), input.getElementType(),
                                   [&] { return emitError(); })))
    return failure();
  types.push_back(
      RankedTensorType::get(input.getShape(), input.getElementType(), layout));
  return success();
}

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILBufferOps.cpp.inc"

void MILDialect::registerBufferOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILBufferOps.cpp.inc"
      >();
}
