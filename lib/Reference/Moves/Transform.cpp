//===- Transform.cpp - Rearranging elements -------------------------------===//

#include "Moves/Rearrange.h"
#include "OpTable.h"
#include "ane/Dialect/MIL/IR/Constants.h"

using namespace mlir;
using namespace ane::mil;
using namespace ane::reference;

namespace {

/// Of channels [C, b, b] or, `blockFirst`, [b, b, C]: how far apart channels
/// and the rows and columns of a block are.
struct ChannelStrides {
  ChannelStrides(int64_t channels, int64_t factor, bool blockFirst)
      : channel(blockFirst ? 1 : factor * factor),
        column(blockFirst ? channels : 1), row(factor * column) {}
  int64_t channel, column, row;
};

/// depth_to_space and pixel_shuffle.
template <typename Op>
Tensor blocksToSpace(Op op, const Tensor &x, int64_t factor, bool blockFirst) {
  auto type = cast<RankedTensorType>(op.getType());
  int64_t height = x.getDimSize(2), width = x.getDimSize(3);
  int64_t channels = type.getDimSize(1), plane = height * width;
  ChannelStrides apart(channels, factor, blockFirst);
  return readStrided(
      x, type, {type.getDimSize(0), channels, height, factor, width, factor},
      {x.getDimSize(1) * plane, apart.channel * plane, width, apart.row * plane,
       1, apart.column * plane});
}

/// space_to_depth and pixel_unshuffle.
template <typename Op>
Tensor blocksToDepth(Op op, const Tensor &x, int64_t factor, bool blockFirst) {
  auto type = cast<RankedTensorType>(op.getType());
  int64_t channels = x.getDimSize(1), width = x.getDimSize(3);
  int64_t plane = x.getDimSize(2) * width;
  SmallVector<int64_t, 6> shape = {
      type.getDimSize(0), channels,          factor, factor,
      type.getDimSize(2), type.getDimSize(3)};
  Strides strides = {channels * plane, plane, width, 1, factor * width, factor};
  if (blockFirst) {
    // [C, b, b] to [b, b, C].
    std::rotate(shape.begin() + 1, shape.begin() + 2, shape.begin() + 4);
    std::rotate(strides.begin() + 1, strides.begin() + 2, strides.begin() + 4);
  }
  return readStrided(x, type, shape, strides);
}

Tensor spaceToBatch(SpaceToBatchOp op, Inputs<SpaceToBatchOp> in) {
  auto type = cast<RankedTensorType>(op.getType());
  ArrayRef<int64_t> blocks = in.getBlockShape()->ints();
  ArrayRef<int64_t> paddings = in.getPaddings()->ints();
  Tensor x = *in.getX();
  for (size_t i = 0; i < blocks.size(); ++i)
    x = padAxis(x, i + 2, paddings[2 * i], paddings[2 * i + 1],
                Padding::Constant, /*value=*/nullptr);
  // The result's batch is [blocks..., N].
  Strides strides = rowMajorStrides(x.getShape());
  SmallVector<int64_t> shape(blocks);
  llvm::append_range(shape, x.getShape().take_front(2));
  Strides order(strides.begin() + 2, strides.end());
  order.append({strides[0], strides[1]});
  for (size_t i = 0; i < blocks.size(); ++i) {
    shape.push_back(type.getDimSize(i + 2));
    order.push_back(strides[i + 2] * blocks[i]);
  }
  return readStrided(x, type, shape, order);
}

Tensor batchToSpace(BatchToSpaceOp op, Inputs<BatchToSpaceOp> in) {
  auto type = cast<RankedTensorType>(op.getType());
  const Tensor &x = *in.getX();
  ArrayRef<int64_t> blocks = in.getBlockShape()->ints();
  ArrayRef<int64_t> crops = in.getCrops()->ints();
  // The batch of `x` is [blocks..., N].
  SmallVector<int64_t> split(blocks);
  split.push_back(type.getDimSize(0));
  llvm::append_range(split, x.getShape().drop_front());
  Strides strides = rowMajorStrides(split);
  size_t count = blocks.size();
  SmallVector<int64_t> shape = {type.getDimSize(0), type.getDimSize(1)};
  SmallVector<int64_t> whole = shape, first = {0, 0};
  Strides order = {strides[count], strides[count + 1]};
  for (size_t i = 0; i < count; ++i) {
    shape.append({x.getDimSize(i + 2), blocks[i]});
    order.append({strides[count + 2 + i], strides[i]});
    whole.push_back(x.getDimSize(i + 2) * blocks[i]);
    first.push_back(crops[2 * i]);
  }
  return readSlice(readStrided(x, type.clone(whole), shape, order), type, first,
                   SmallVector<int64_t>(whole.size(), 1), type.getShape());
}

Tensor reverse(ReverseOp op, Inputs<ReverseOp> in) {
  const Tensor &x = *in.getX();
  SmallVector<int64_t> first(x.getRank(), 0), steps(x.getRank(), 1);
  auto turn = [&](int64_t dim) {
    first[dim] = x.getDimSize(dim) - 1;
    steps[dim] = -1;
  };
  if (in.getAxes())
    for (int64_t axis : in.getAxes()->ints())
      turn(fromFront(axis, x.getRank()));
  else
    for (int64_t dim = 0; dim < x.getRank(); ++dim)
      turn(dim);
  return readSlice(x, cast<RankedTensorType>(op.getType()), first, steps,
                   x.getShape());
}

FailureOr<Tensor> reverseSequence(ReverseSequenceOp op,
                                  Inputs<ReverseSequenceOp> in) {
  const Tensor &x = *in.getX();
  int64_t rank = x.getRank();
  int64_t sequence = fromFront(in.getInt("seq_axis"), rank);
  int64_t batch = fromFront(in.getInt("batch_axis"), rank);
  ArrayRef<int64_t> lengths = in.getLengths()->ints();
  for (int64_t length : lengths)
    if (length < 0 || length > x.getDimSize(sequence))
      return report(op) << "length " << length << " is outside [0, "
                        << x.getDimSize(sequence) << "]";
  // Walks tell the index along either axis.
  Strides inSequence(rank, 0), inBatch(rank, 0);
  inSequence[sequence] = inBatch[batch] = 1;
  int64_t distance = rowMajorStrides(x.getShape())[sequence];
  Tensor result = resultOf(op);
  withPayload(x, [&](auto payload) {
    using T = decltype(payload);
    const T *from = x.values<T>().data();
    T *to = result.values<T>().data();
    forEachIndex<2>(
        x.getShape(), {inSequence, inBatch}, [&](std::array<int64_t, 2> at) {
          int64_t last = lengths[at[1]] - 1;
          *to++ = at[0] <= last ? from[(last - 2 * at[0]) * distance] : *from;
          ++from;
        });
  });
  return result;
}

Tensor transpose(TransposeOp op, Inputs<TransposeOp> in) {
  auto type = cast<RankedTensorType>(op.getType());
  Strides strides = rowMajorStrides(in.getX()->getShape()), order;
  for (int64_t source : in.getPerm()->ints())
    order.push_back(strides[fromFront(source, strides.size())]);
  return readStrided(*in.getX(), type, type.getShape(), order);
}

Tensor slidingWindows(SlidingWindowsOp op, Inputs<SlidingWindowsOp> in) {
  auto type = cast<RankedTensorType>(op.getType());
  int64_t axis = fromFront(in.getAxis()->ints().front(), in.getX()->getRank());
  Strides strides = rowMajorStrides(in.getX()->getShape());
  strides.insert(strides.begin() + axis + 1, strides[axis]);
  strides[axis] *= in.getInt("stride");
  return readStrided(*in.getX(), type, type.getShape(), strides);
}

} // namespace

void ane::reference::registerTransformOps(OpTable &table) {
  table.add<DepthToSpaceOp>([](DepthToSpaceOp op, Inputs<DepthToSpaceOp> in) {
    return blocksToSpace(op, *in.getX(), in.getBlockSize()->ints().front(),
                         /*blockFirst=*/true);
  });
  table.add<PixelShuffleOp>([](PixelShuffleOp op, Inputs<PixelShuffleOp> in) {
    return blocksToSpace(op, *in.getX(), in.getUpscaleFactor()->ints().front(),
                         /*blockFirst=*/false);
  });
  table.add<SpaceToDepthOp>([](SpaceToDepthOp op, Inputs<SpaceToDepthOp> in) {
    return blocksToDepth(op, *in.getX(), in.getBlockSize()->ints().front(),
                         /*blockFirst=*/true);
  });
  table.add<PixelUnshuffleOp>(
      [](PixelUnshuffleOp op, Inputs<PixelUnshuffleOp> in) {
        return blocksToDepth(op, *in.getX(),
                             in.getDownscaleFactor()->ints().front(),
                             /*blockFirst=*/false);
      });
  table.add<SpaceToBatchOp>(spaceToBatch);
  table.add<BatchToSpaceOp>(batchToSpace);
  table.add<ReshapeLikeOp>(
      [](ReshapeLikeOp op, Inputs<ReshapeLikeOp> in) {
        return in.getX()->reshaped(cast<ShapedType>(op.getType()).getShape());
      },
      OpTable::ShapeFrom::Values);
  table.add<ReverseOp>(reverse);
  table.add<ReverseSequenceOp>(reverseSequence);
  table.add<TransposeOp>(transpose);
  table.add<SlidingWindowsOp>(slidingWindows);
}
