//===- CopyTask.cpp - Tasks that move elements ----------------------------===//

#include "Tasks/CopyTask.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

void zin::createCopy(OpBuilder &builder, Location location, ViewAttr source,
                     ViewAttr result, int64_t groups) {
  auto half = [&](double value) {
    return builder.getFloatAttr(builder.getF16Type(), value);
  };
  auto config = NEConfigAttr::get(
      builder.getContext(), MACOp::pass, {1, 1}, {1, 1}, {0, 0}, groups,
      /*unicast=*/1, /*reuse=*/false, /*kernelless=*/true,
      /*lowest_padding=*/false, /*relu=*/false, /*transposed=*/false, half(0),
      half(1));
  TaskOp::create(builder, location, Opcode::NEFUSED_BYPASS, UnitType::NEBypass,
                 source, ViewAttr(), result, config, FlatSymbolRefAttr(),
                 ViewAttr(), L2Attr());
}

/// `count` of a view from `begin` on along a dimension that has strides.
static ViewAttr partOf(ViewAttr view, unsigned dim, int64_t begin,
                       int64_t count) {
  SmallVector<int64_t> shape(view.getShape());
  shape[dim] = count;
  return ViewAttr::get(view.getContext(), view.getBuffer(),
                       view.getOffset() + begin * view.getStrides()[dim], shape,
                       view.getStrides(), view.getInterleave());
}

void zin::createCopies(OpBuilder &builder, Location location, ViewAttr source,
                       ViewAttr result, const TargetDescription &target) {
  const std::pair<unsigned, int64_t> limits[] = {
      {N, target.maxGroups},
      {C, target.maxTileChannels(source.getColumns(), target.neStreamBytes)},
      {H, target.maxHeight}};
  for (auto [dim, limit] : limits)
    if (int64_t extent = source.getShape()[dim]; extent > limit) {
      for (int64_t begin = 0; begin < extent; begin += limit) {
        int64_t count = std::min(limit, extent - begin);
        createCopies(builder, location, partOf(source, dim, begin, count),
                     partOf(result, dim, begin, count), target);
      }
      return;
    }
  createCopy(builder, location, source, result, source.getGroups());
}
