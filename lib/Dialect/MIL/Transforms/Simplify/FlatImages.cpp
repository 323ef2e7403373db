//===- FlatImages.cpp - Ops on images whose rows follow each other --------===//
//
// A transformer has the pixels of an image in a row, and its norms and products
// are of the channels of each. Where it convolves them between, it reshapes
// them to images and back. Rows of an image are cut into blocks that L2 holds,
// windows of them too; a row of all pixels is cut elsewhere, so that each such
// reshape is a way through memory.
//
//===----------------------------------------------------------------------===//

#include "Simplify/FlatImages.h"
#include "Simplify/JoinedProducts.h"
#include "Simplify/OpsBetween.h"
#include "Simplify/ReshapedRegion.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The dimensions in front of the pixels, and those of an image.
constexpr int64_t outerDims = 2, imageDims = 4;

/// Ops on images of one row, as ops on images.
class FlatRegion final : public ReshapedRegion {
public:
  /// `entry` flattens images.
  explicit FlatRegion(Operation *entry)
      : rank(shapeOf(entry->getResult(0)).size()),
        image(shapeOf(entry->getOperand(0)).take_back(2)) {}

private:
  /// Its shape as images; nothing if it has neither all pixels nor one of them
  /// in its last dimension.
  std::optional<Shape> imageShape(ArrayRef<int64_t> shape) const;

  bool changes(Value value) const override;
  Shape otherShape(Value value) const override {
    return *imageShape(shapeOf(value));
  }
  int64_t keptDims(int64_t) const override { return outerDims; }
  bool canBeOperand(Value value) const override;
  Value sourceOf(Value value) const override;
  bool isExit(Operation *op) const override;
  bool readsOther(Operation *user) const override { return isExit(user); }
  bool goesAlong(Operation *op) const override;
  Operation *convert(Replacer &r, Operation *op) override;

  int64_t pixels() const { return image[0] * image[1]; }

  int64_t rank;
  Shape image;
};

} // namespace

std::optional<FlatRegion::Shape>
FlatRegion::imageShape(ArrayRef<int64_t> shape) const {
  if (int64_t(shape.size()) > rank)
    return std::nullopt;
  Shape aligned = alignedShape(shape, rank);
  int64_t last = aligned.back();
  bool isRow =
      llvm::product_of(ArrayRef(aligned).drop_front(outerDims)) == last;
  if (!isRow || (last != pixels() && last != 1))
    return std::nullopt;
  aligned.resize(outerDims);
  if (last == 1)
    aligned.append(imageDims - outerDims, 1);
  else
    llvm::append_range(aligned, image);
  return aligned;
}

bool FlatRegion::changes(Value value) const {
  RankedTensorType type = staticType(value);
  return type && type.getRank() == rank && type.getShape().back() == pixels() &&
         imageShape(type.getShape());
}

/// Images, where the value is made of such.
Value FlatRegion::sourceOf(Value value) const {
  Operation *maker = value.getDefiningOp();
  if (!isReshape(maker) ||
      shapeOf(maker->getOperand(0)) != ArrayRef(otherShape(value)))
    return value;
  return maker->getOperand(0);
}

bool FlatRegion::isExit(Operation *op) const {
  return isReshape(op) && changes(op->getOperand(0)) &&
         shapeOf(op->getResult(0)) == ArrayRef(otherShape(op->getOperand(0)));
}

/// Numbers that broadcast may lack dimensions.
bool FlatRegion::canBeOperand(Value value) const {
  if (auto constant = value.getDefiningOp<ConstOp>();
      constant && !isa<ElementsAttr>(constant.getValue()))
    return true;
  RankedTensorType type = staticType(value);
  return type && (type.getRank() == 0 || imageShape(type.getShape()));
}

bool FlatRegion::goesAlong(Operation *op) const {
  if (auto conv = dyn_cast<ConvOp>(op))
    return multipliesEachPixel(conv) && hasOtherResults(op) &&
           changes(op->getOperand(0));
  return ReshapedRegion::goesAlong(op);
}

Operation *FlatRegion::convert(Replacer &r, Operation *op) {
  auto conv = dyn_cast<ConvOp>(op);
  if (!conv)
    return ReshapedRegion::convert(r, op);
  Shape weights(shapeOf(conv.getWeight()).take_front(outerDims));
  weights.append(imageDims - outerDims, 1);
  return ConvOp::create(
      r.rewriter, op->getLoc(), conv.getType(), other(r, conv.getX()),
      r.reshape(conv.getWeight(), weights), conv.getBias(),
      /*strides=*/Value(), /*pad_type=*/Value(), /*pad=*/Value(),
      /*dilations=*/Value(), /*groups=*/Value());
}

bool mil::flattensImages(Operation *op) {
  if (!isReshape(op))
    return false;
  ArrayRef<int64_t> from = shapeOf(op->getOperand(0)),
                    to = shapeOf(op->getResult(0));
  return int64_t(from.size()) == imageDims && from[2] > 1 && from[3] > 1 &&
         (int64_t(to.size()) == outerDims + 1 ||
          (int64_t(to.size()) == imageDims && to[2] == 1)) &&
         from.take_front(outerDims) == to.take_front(outerDims) &&
         to.back() == from[2] * from[3];
}

/// Ops that are looked through for images, at most. Assigned.
static constexpr unsigned mostOps = 32;

static ArrayRef<int64_t> extentsOf(Value image) {
  return shapeOf(image).take_back(2);
}

/// Whether an op computes each pixel by itself, or moves them as they are.
static bool keepsPixels(Operation *op) {
  return op->hasTrait<Elementwise>() ||
         isa<LinearOp, LayerNormOp, TransposeOp>(op);
}

using Neighbours = llvm::function_ref<SmallVector<Operation *>(Operation *)>;

/// Whether ops that keep pixels lead from one, each by its neighbours, to an op
/// of a kind.
static bool leadsTo(Operation *op, Neighbours neighbours,
                    llvm::function_ref<bool(Operation *)> isGoal) {
  llvm::SmallSetVector<Operation *, mostOps> seen;
  seen.insert(op);
  for (unsigned i = 0; i < seen.size() && i < mostOps; ++i) {
    if (i > 0 && isGoal(seen[i]))
      return true;
    if (i == 0 || keepsPixels(seen[i]))
      seen.insert_range(neighbours(seen[i]));
  }
  return false;
}

bool mil::leadsToImages(Operation *flat) {
  ArrayRef<int64_t> extents = extentsOf(flat->getOperand(0));
  return leadsTo(
      flat, [](Operation *op) { return llvm::to_vector(op->getUsers()); },
      [&](Operation *op) {
        return isReshape(op) && extentsOf(op->getResult(0)) == extents;
      });
}

bool mil::isOfPixels(Operation *images) {
  ArrayRef<int64_t> extents = extentsOf(images->getResult(0));
  auto makers = [](Operation *op) {
    SmallVector<Operation *> makers;
    for (Value operand : op->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        makers.push_back(maker);
    return makers;
  };
  return leadsTo(images, makers, [&](Operation *op) {
    return flattensImages(op) && extentsOf(op->getOperand(0)) == extents;
  });
}

bool mil::cancelFlatImages(Operation *entry) {
  if (!flattensImages(entry))
    return false;
  FlatRegion region(entry);
  if (!region.find(entry))
    return false;
  region.rewrite();
  return true;
}
