//===- JoinedProducts.cpp - Products of joined values ---------------------===//

#include "Simplify/JoinedProducts.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

void JoinedParts::add(Replacer &r, Value value, Value weight, int64_t axis,
                      int64_t begin) {
  values.push_back(value);
  columns.push_back(r.slice(weight, 1, begin, shapeOf(value)[axis]));
}

bool mil::joinsAlong(ConcatOp concat, int64_t axis) {
  std::optional<int64_t> joined = getConstantInt(concat.getAxis());
  int64_t rank = shapeOf(concat.getResult()).size();
  return joined && fromFront(*joined, rank) == axis &&
         concat.getInterleaveOrDefault() == false;
}

std::optional<Window> mil::pointwiseWindow(ConvOp op) {
  auto isAll = [](ArrayRef<int64_t> list, int64_t number) {
    return llvm::all_of(list, [&](int64_t each) { return each == number; });
  };
  if (!getConstantElements(op.getWeight()) || op.getGroupsOrDefault() != 1)
    return std::nullopt;
  FailureOr<Window> window = getWindow(op);
  if (failed(window) || !isAll(window->kernel, 1) ||
      !isAll(window->padBefore, 0) || !isAll(window->padAfter, 0))
    return std::nullopt;
  return *window;
}

bool mil::multipliesEachPixel(ConvOp conv) {
  std::optional<Window> window = pointwiseWindow(conv);
  return window && llvm::all_of(window->stride,
                                [](int64_t stride) { return stride == 1; });
}

Value mil::makePointwise(Replacer &r, ConvOp op, const JoinedParts &parts,
                         ArrayRef<int64_t> shape, Value bias) {
  constexpr int64_t channels = 1;
  return ConvOp::create(r.rewriter, op.getLoc(),
                        cast<RankedTensorType>(op.getType()).clone(shape),
                        r.concat(parts.values, channels),
                        r.concat(parts.columns, channels), bias,
                        op.getStrides(), op.getPadType(), op.getPad(),
                        op.getDilations(), op.getGroups());
}
