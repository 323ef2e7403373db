//===- JoinedColumns.cpp - Columns of signals that were rows --------------===//
//
// A long signal is read as an image by products of its columns, which has rows
// that can be cut. What is between two products are the columns still, so that
// no block goes through all of a feed-forward layer.
//
//===----------------------------------------------------------------------===//

#include "Split/JoinedColumns.h"
#include "ane/Dialect/Zin/IR/Views.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Whether a signal has all elements of the channels of an image in one row.
bool isSignalOf(Value signal, Value image) {
  ArrayRef<int64_t> shape = shapeOf(signal);
  return shape[H] == 1 && shape.take_front(H) == shapeOf(image).take_front(H);
}

/// The signal that a value has as an image; null if there is none.
Value signalOf(Value image) {
  auto reshape = image.getDefiningOp<ReshapeOp>();
  return reshape && isSignalOf(reshape.getX(), image) ? reshape.getX()
                                                      : Value();
}

/// What reads a product as a signal, if the columns of one are rows for that
/// product alone.
ReshapeOp signalBehind(ConvOp conv) {
  if (!conv || conv.getGroups() != 1 || !isConstant(conv.getKernel()) ||
      !signalOf(conv.getX()) || !conv->hasOneUse())
    return nullptr;
  ArrayRef<int64_t> x = shapeOf(conv.getX()), shape = shapeOf(conv.getResult()),
                    kernel = shapeOf(conv.getKernel());
  auto reshape = dyn_cast<ReshapeOp>(*conv->user_begin());
  bool isOfColumns = kernel[H] * kernel[W] == 1 && x[H] > 1 &&
                     conv.getStrides() == ArrayRef<int64_t>{1, 1} &&
                     conv.getPadding() == ArrayRef<int64_t>{0, 0} &&
                     x.take_back(2) == shape.take_back(2) && reshape &&
                     isSignalOf(reshape.getResult(), conv.getResult());
  return isOfColumns ? reshape : nullptr;
}

/// The products of a feed-forward layer of a signal, which read it as an image.
class FeedForward {
public:
  explicit FeedForward(ConvOp first) {
    add(first);
    for (size_t index = 0; index < images.size(); ++index)
      if (Value outputs = signalBehind(images[index]).getResult();
          shapeOf(outputs)[C] == shapeOf(first.getResult())[C])
        addReaders(outputs);
  }

  ArrayRef<ConvOp> getImages() const { return images.getArrayRef(); }
  bool hasFunctions() const { return !functions.empty(); }

  /// What gives the first of them its columns, once it reads these: the
  /// result of another one may be what it reads.
  Operation *layerInFront() const {
    return products.front().columns->getOperand(0).getDefiningOp();
  }

  /// Lets products read the columns of the signal.
  void join() {
    for (ConvOp image : images) {
      OpBuilder builder(image);
      ReshapeOp signal = signalBehind(image);
      SmallVector<Value, 3> operands(image->getOperands());
      operands.front() = signalOf(image.getX());
      Operation *columns =
          cloneWith(builder, image, operands, shapeOf(signal.getResult()));
      products.push_back({columns, shapeOf(image.getX())[H]});
      signal->replaceAllUsesWith(columns);
      Operation *reshape = image.getX().getDefiningOp();
      signal->erase();
      image->erase();
      if (reshape->use_empty())
        reshape->erase();
    }
  }

  /// Lets them read rows again.
  void part() {
    llvm::DenseMap<Value, Value> imageOf;
    for (auto [columns, rows] : products) {
      OpBuilder builder(columns);
      Location location = columns->getLoc();
      SmallVector<Value, 3> operands(columns->getOperands());
      Value &image = imageOf[operands.front()];
      if (!image) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointAfterValue(operands.front());
        image = reshapeTo(builder, location, operands.front(),
                          inRows(operands.front(), rows));
      }
      operands.front() = image;
      Value result = columns->getResult(0);
      Operation *product =
          cloneWith(builder, columns, operands, inRows(result, rows));
      result.replaceAllUsesWith(
          reshapeTo(builder, location, product->getResult(0), shapeOf(result)));
    }
    // Not before: what one has read may be what another one gave.
    for (const Product &product : products)
      product.columns->erase();
  }

private:
  static SmallVector<int64_t> inRows(Value signal, int64_t rows) {
    SmallVector<int64_t> shape(shapeOf(signal));
    shape[H] = rows;
    shape[W] /= rows;
    return shape;
  }

  void add(ConvOp product) {
    if (signalBehind(product))
      images.insert(product);
  }

  void addReaders(Value outputs) {
    for (Operation *user : outputs.getUsers()) {
      if (isa<ReshapeOp>(user)) {
        for (Operation *reader : user->getUsers())
          add(dyn_cast<ConvOp>(reader));
      } else if (user->hasTrait<Elementwise>() &&
                 shapeOf(user->getResult(0)) == shapeOf(outputs) &&
                 functions.insert(user)) {
        for (Value operand : user->getOperands())
          if (auto reshape = operand.getDefiningOp<ReshapeOp>())
            add(reshape.getX().getDefiningOp<ConvOp>());
        addReaders(user->getResult(0));
      }
    }
  }

  llvm::SetVector<ConvOp> images;
  llvm::SetVector<Operation *> functions;
  struct Product {
    Operation *columns;
    int64_t rows; ///< of the image
  };
  SmallVector<Product> products;
};

} // namespace

unsigned zin::joinColumns(ProcedureOp procedure, RegionFinder &finder) {
  unsigned count = 0;
  llvm::DenseSet<Operation *> seen;
  for (auto conv :
       llvm::to_vector(procedure.getBody().front().getOps<ConvOp>())) {
    if (seen.contains(conv) || !signalBehind(conv) ||
        shapeOf(conv.getResult())[C] < partsOfGroup * outputsOfPart)
      continue;
    FeedForward layer(conv);
    seen.insert_range(layer.getImages());
    if (!signalOf(conv.getX()).getDefiningOp() || !layer.hasFunctions())
      continue;
    layer.join();
    bool runsParts = llvm::any_of(
        finder.around(layer.layerInFront()),
        [](const LayerRegion &part) { return !part.groups.empty(); });
    finder.forget();
    if (runsParts)
      count += layer.getImages().size();
    else
      layer.part();
  }
  return count;
}
