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
#include "Replacer.h"
#include "Simplify/JoinedProducts.h"
#include "Simplify/OpsBetween.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The dimensions in front of the pixels, and those of an image.
constexpr int64_t outerDims = 2, imageDims = 4;

using Shape = SmallVector<int64_t>;

int64_t sizeOf(Value value) { return staticType(value).getNumElements(); }

/// Ops on images of one row, as ops on images.
class FlatRegion {
public:
  /// `entry` flattens images.
  explicit FlatRegion(Operation *entry)
      : rank(shapeOf(entry->getResult(0)).size()),
        image(shapeOf(entry->getOperand(0)).take_back(2)) {}

  /// The ops on the ways from `entry` to reshapes to such images; false if
  /// there are none, or no fewer elements would move.
  bool find(Operation *entry);
  void rewrite();

private:
  int64_t pixels() const { return image[0] * image[1]; }
  /// Its shape as images; nothing if it has neither all pixels nor one of them
  /// in its last dimension.
  std::optional<Shape> imageShape(ArrayRef<int64_t> shape) const;
  bool isFlat(Value value) const;
  /// Whether a value is made of such images.
  bool isOfImages(Value flat) const;
  bool isExit(Operation *op) const;
  /// Whether an axis is in front of the pixels.
  bool isOuter(Value axis) const;
  bool canBeOperand(Value value) const;
  bool goesAlong(Operation *op) const;
  bool contains(Operation *op) const { return op && ops.contains(op); }
  int64_t savedElements() const;
  Value imagesOf(Replacer &r, Value flat);
  void convert(Replacer &r, Operation *op);
  void leave(OpResult flat);

  int64_t rank;
  Shape image;
  llvm::SetVector<Operation *> ops;
  llvm::DenseMap<Value, Value> made; ///< values as images
};

} // namespace

std::optional<Shape> FlatRegion::imageShape(ArrayRef<int64_t> shape) const {
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

bool FlatRegion::isFlat(Value value) const {
  RankedTensorType type = staticType(value);
  return type && type.getRank() == rank && type.getShape().back() == pixels() &&
         imageShape(type.getShape());
}

bool FlatRegion::isOfImages(Value flat) const {
  Operation *maker = flat.getDefiningOp();
  return isReshape(maker) &&
         shapeOf(maker->getOperand(0)) == ArrayRef(*imageShape(shapeOf(flat)));
}

bool FlatRegion::isExit(Operation *op) const {
  return isReshape(op) && isFlat(op->getOperand(0)) &&
         shapeOf(op->getResult(0)) ==
             ArrayRef(*imageShape(shapeOf(op->getOperand(0))));
}

bool FlatRegion::isOuter(Value axis) const {
  std::optional<int64_t> given = getConstantInt(axis);
  return given && fromFront(*given, rank) < outerDims;
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
  if (op->getNumResults() == 0 || op->getNumOperands() == 0 ||
      !llvm::all_of(op->getResults(), [&](Value value) {
        return isFlat(value) && fitsEngine(*imageShape(shapeOf(value)));
      }))
    return false;
  if (op->hasTrait<Elementwise>())
    return !op->hasTrait<ChannelParameters>() &&
           llvm::all_of(op->getOperands(),
                        [&](Value value) { return canBeOperand(value); });
  auto isOuterAxes = [&](Value axes) {
    auto all = reducedAxes(axes, rank);
    return all && !all->empty() && all->back() < outerDims;
  };
  if (!isFlat(op->getOperand(0)))
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](LayerNormOp norm) { return isOuterAxes(norm.getAxes()); })
      .Case([&](Reduction reduction) {
        return reduction.getKeepDimsOrDefault() == true &&
               isOuterAxes(reduction.getAxes());
      })
      .Case([&](SoftmaxOp softmax) {
        return softmax.getAxis() && isOuter(softmax.getAxis());
      })
      .Case([&](ConcatOp concat) {
        return isOuter(concat.getAxis()) &&
               concat.getInterleaveOrDefault() == false;
      })
      .Case([&](SplitOp split) { return isOuter(split.getAxis()); })
      .Case([&](ConvOp conv) { return multipliesEachPixel(conv); })
      .Default(false);
}

bool FlatRegion::find(Operation *entry) {
  ops = opsBetween(
      entry, [&](Operation *op) { return goesAlong(op); },
      [&](Operation *op) { return isExit(op); });
  return !ops.empty() && savedElements() > 0;
}

/// How many elements fewer move in reshapes than before.
int64_t FlatRegion::savedElements() const {
  int64_t saved = 0;
  llvm::SmallDenseSet<Value> counted;
  for (Operation *op : ops) {
    for (Value operand : op->getOperands()) {
      if (isConst(operand) || !isFlat(operand) ||
          contains(operand.getDefiningOp()) || !counted.insert(operand).second)
        continue;
      if (!isOfImages(operand))
        saved -= sizeOf(operand);
      else if (llvm::all_of(operand.getUsers(), [&](Operation *user) {
                 return contains(user) || isExit(user);
               }))
        saved += sizeOf(operand);
    }
    for (Value result : op->getResults()) {
      bool isLeft = false;
      for (Operation *user : result.getUsers())
        if (isExit(user))
          saved += sizeOf(result);
        else
          isLeft |= !contains(user);
      if (isLeft)
        saved -= sizeOf(result);
    }
  }
  return saved;
}

Value FlatRegion::imagesOf(Replacer &r, Value flat) {
  RankedTensorType type = staticType(flat);
  if (!type || type.getRank() == 0)
    return flat;
  Value &images = made[flat];
  if (images)
    return images;
  Shape shape = *imageShape(type.getShape());
  if (auto constant = flat.getDefiningOp<ConstOp>())
    if (auto elements = dyn_cast<ElementsAttr>(constant.getValue()))
      if (ElementsAttr other = reshaped(elements, shape))
        return r.constant(other);
  return images = isOfImages(flat) ? flat.getDefiningOp()->getOperand(0)
                                   : r.reshape(flat, shape);
}

void FlatRegion::convert(Replacer &r, Operation *op) {
  IRMapping mapping;
  auto mapAll = [&](ValueRange operands) {
    for (Value operand : operands)
      mapping.map(operand, imagesOf(r, operand));
  };
  auto mapAxis = [&](Value axis) {
    mapping.map(axis, r.integer(fromFront(*getConstantInt(axis), rank)));
  };
  Operation *copy = nullptr;
  if (auto conv = dyn_cast<ConvOp>(op)) {
    Shape weights(shapeOf(conv.getWeight()).take_front(outerDims));
    weights.append(imageDims - outerDims, 1);
    copy = ConvOp::create(
        r.rewriter, op->getLoc(), conv.getType(), imagesOf(r, conv.getX()),
        r.reshape(conv.getWeight(), weights), conv.getBias(),
        /*strides=*/Value(), /*pad_type=*/Value(), /*pad=*/Value(),
        /*dilations=*/Value(), /*groups=*/Value());
  } else {
    if (op->hasTrait<Elementwise>())
      mapAll(op->getOperands());
    else
      llvm::TypeSwitch<Operation *>(op)
          .Case<Reduction, LayerNormOp>([&](auto op) {
            mapAll(op.getX());
            mapping.map(op.getAxes(), r.ints(*reducedAxes(op.getAxes(), rank)));
          })
          .Case<SoftmaxOp, SplitOp>([&](auto op) {
            mapAll(op.getX());
            mapAxis(op.getAxis());
          })
          .Case([&](ConcatOp concat) {
            mapAll(concat.getValues());
            mapAxis(concat.getAxis());
          });
    copy = r.rewriter.clone(*op, mapping);
    dropNames(copy);
  }
  for (auto [images, flat] :
       llvm::zip_equal(copy->getResults(), op->getResults())) {
    images.setType(cast<RankedTensorType>(flat.getType())
                       .clone(*imageShape(shapeOf(flat))));
    made[flat] = images;
  }
}

/// Gives those outside what they read of a result of the region.
void FlatRegion::leave(OpResult flat) {
  Value images = made.lookup(flat);
  PatternRewriter rewriter(flat.getContext());
  for (Operation *user : llvm::to_vector(flat.getUsers())) {
    if (!isExit(user))
      continue;
    Replacer r(rewriter, user);
    (void)r.replace(images);
  }
  auto isOutside = [&](OpOperand &use) { return !contains(use.getOwner()); };
  if (llvm::none_of(flat.getUses(), isOutside))
    return;
  Replacer r(rewriter, flat.getOwner());
  Value back = r.reshape(images, shapeOf(flat));
  takeNames(cast<OpResult>(back), flat);
  flat.replaceUsesWithIf(back, isOutside);
}

void FlatRegion::rewrite() {
  PatternRewriter rewriter(ops.front()->getContext());
  for (Operation *op : ops) {
    Replacer r(rewriter, op);
    convert(r, op);
  }
  for (Operation *op : ops)
    for (OpResult result : op->getResults())
      leave(result);
  llvm::SmallSetVector<Operation *, 4> reshapes;
  for (Operation *op : llvm::reverse(ops)) {
    for (Value operand : op->getOperands())
      if (isReshape(operand.getDefiningOp()))
        reshapes.insert(operand.getDefiningOp());
    op->erase();
  }
  for (Operation *reshape : reshapes)
    if (reshape->use_empty())
      reshape->erase();
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

bool mil::leadsToImages(Operation *flat) {
  ArrayRef<int64_t> extents = extentsOf(flat->getOperand(0));
  llvm::SmallSetVector<Operation *, mostOps> seen;
  seen.insert(flat);
  for (unsigned i = 0; i < seen.size() && i < mostOps; ++i) {
    if (i > 0 && isReshape(seen[i]) &&
        extentsOf(seen[i]->getResult(0)) == extents)
      return true;
    if (i == 0 || keepsPixels(seen[i]))
      seen.insert_range(seen[i]->getUsers());
  }
  return false;
}

bool mil::isOfPixels(Operation *images) {
  ArrayRef<int64_t> extents = extentsOf(images->getResult(0));
  llvm::SmallSetVector<Operation *, mostOps> seen;
  seen.insert(images);
  for (unsigned i = 0; i < seen.size() && i < mostOps; ++i) {
    if (i > 0 && flattensImages(seen[i]) &&
        extentsOf(seen[i]->getOperand(0)) == extents)
      return true;
    if (i == 0 || keepsPixels(seen[i]))
      for (Value operand : seen[i]->getOperands())
        if (Operation *maker = operand.getDefiningOp())
          seen.insert(maker);
  }
  return false;
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
