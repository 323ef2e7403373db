//===- ScaleSoftmax.cpp - Probabilities that products do not lose ---------===//

#include "PerOutput.h"
#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "ane/Dialect/Zin/Transforms/Probabilities.h"
#include "ane/Support/Half.h"

namespace ane::zin {
#define GEN_PASS_DEF_SCALESOFTMAX
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

class ScaleSoftmax : public ane::zin::impl::ScaleSoftmaxBase<ScaleSoftmax> {
public:
  void runOnOperation() override {
    for (const Probabilities &of : findProbabilities(getOperation()))
      if (!of.products.empty()) {
        multiply(of);
        for (Operation *product : of.products)
          divide(product, of.factor());
        divideForOthers(of);
        ++numScaled;
      } else if (of.inverse && double(of.count) > largestHalf) {
        // The sum of so many exponentials may pass fp16.
        multiply(of);
        for (Operation *layer : of.layers)
          divideWithin(cast<ElementWiseOp>(layer), of);
      }
  }

private:
  /// Exponentials over a part of their sum.
  static void multiply(const Probabilities &of) {
    Builder builder(of.layers.front()->getContext());
    if (auto softmax = dyn_cast<SoftmaxOp>(of.layers.front()))
      softmax.setScaleAttr(builder.getF16FloatAttr(of.factor()));
    for (ReductionOp sum : of.sums)
      sum.setScaleAttr(builder.getF16FloatAttr(1 / of.factor()));
  }

  /// A layer for each value that other layers read.
  static void divideForOthers(const Probabilities &of) {
    llvm::DenseMap<Value, Value> divided;
    for (OpOperand *use : of.otherUses) {
      Value scaled = use->get();
      Value &value = divided[scaled];
      if (!value) {
        OpBuilder builder(scaled.getContext());
        builder.setInsertionPointAfterValue(scaled);
        value = GOCOp::create(builder, scaled.getLoc(), scaled, 1 / of.factor(),
                              /*bias=*/0);
      }
      use->set(value);
    }
  }

  static void divide(Operation *product, double factor) {
    OpBuilder builder(product->getContext());
    auto divideScale = [&](auto layer) {
      layer.setScaleAttr(builder.getF16FloatAttr(scaleOf(layer) / factor));
    };
    if (auto conv = dyn_cast<ConvOp>(product))
      return divideScale(conv);
    if (auto matmul = dyn_cast<MatMulOp>(product))
      return divideScale(matmul);
    // A pool has the scale of its mean.
    Value mean = product->getResult(0);
    builder.setInsertionPointAfter(product);
    auto divided = GOCOp::create(builder, product->getLoc(), mean, 1 / factor,
                                 /*bias=*/0);
    mean.replaceAllUsesExcept(divided, divided);
  }

  static void divideWithin(ElementWiseOp product, const Probabilities &of) {
    OpBuilder builder(product);
    Value inverse = of.inverse->getResult(0);
    Value exponential =
        product.getX() == inverse ? product.getY() : product.getX();
    product.replaceAllUsesWith(
        ScaledElementWiseOp::create(
            builder, product.getLoc(), product.getType(), EWType::Mult,
            exponential, inverse,
            APFloat(builder.getF16FloatAttr(1 / of.factor()).getValue()),
            APFloat(builder.getF16FloatAttr(0).getValue()))
            .getResult());
    product.erase();
  }
};

} // namespace
