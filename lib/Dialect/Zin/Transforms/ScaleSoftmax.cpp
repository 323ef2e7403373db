//===- ScaleSoftmax.cpp - Probabilities that products do not lose ---------===//

#include "ane/Dialect/Zin/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace ane::zin {
#define GEN_PASS_DEF_SCALESOFTMAX
#include "ane/Dialect/Zin/Transforms/Passes.h.inc"
} // namespace ane::zin

using namespace mlir;
using namespace ane::zin;

namespace {

/// Up to so many probabilities that are added up, those that are denormal are
/// together less than rounding takes from the others. Assigned.
constexpr uint64_t mostUnscaled = 1024;

/// Finds the products behind a value that only changes its place on the way.
/// Whether there is nothing else behind it.
bool findProducts(Value value, SmallVectorImpl<MatMulOp> &products) {
  SmallVector<Value> values = {value};
  while (!values.empty()) {
    Value current = values.pop_back_val();
    for (Operation *user : current.getUsers()) {
      if (isa<ReshapeOp, TransposeOp>(user)) {
        values.push_back(user->getResult(0));
        continue;
      }
      auto product = dyn_cast<MatMulOp>(user);
      // The scale of a product multiplies its bias, too; and one whose operands
      // both come from here would need it twice.
      if (!product || product.getBias() ||
          llvm::is_contained(products, product))
        return false;
      products.push_back(product);
    }
  }
  return !products.empty();
}

class ScaleSoftmax : public ane::zin::impl::ScaleSoftmaxBase<ScaleSoftmax> {
public:
  void runOnOperation() override {
    for (auto softmax : getOperation().getBody().front().getOps<SoftmaxOp>())
      scale(softmax);
  }

private:
  void scale(SoftmaxOp softmax) {
    uint64_t count = shapeOf(softmax.getResult())[softmax.getAxis()];
    if (count <= mostUnscaled || softmax.getScale())
      return;
    SmallVector<MatMulOp> products;
    if (!findProducts(softmax.getResult(), products))
      return;
    double factor = double(llvm::PowerOf2Ceil(count) / mostUnscaled);
    OpBuilder builder(softmax);
    for (MatMulOp product : products) {
      double before =
          product.getScale() ? product.getScale()->convertToDouble() : 1;
      product.setScaleAttr(builder.getF16FloatAttr(before / factor));
    }
    softmax.setScaleAttr(builder.getF16FloatAttr(factor));
    ++numScaled;
  }
};

} // namespace
