//===- TensorTest.cpp - Values of the reference interpreter ---------------===//

#include "ane/Reference/Tensor.h"
#include "Fixture.h"
#include "mlir/IR/Builders.h"
#include <cmath>

using namespace mlir;
using namespace ane::reference;
using namespace ane::reference::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;

namespace {

class TensorTest : public ReferenceTest {
protected:
  Tensor floatTensor(Type element, ArrayRef<double> values) {
    Tensor tensor(RankedTensorType::get(int64_t(values.size()), element));
    llvm::copy(values, tensor.floats().begin());
    return tensor;
  }
  Tensor intTensor(Type element, ArrayRef<int64_t> values) {
    Tensor tensor(RankedTensorType::get(int64_t(values.size()), element));
    llvm::copy(values, tensor.ints().begin());
    return tensor;
  }
  std::vector<double> rounded(Type element, ArrayRef<double> values) {
    Tensor tensor = floatTensor(element, values);
    tensor.roundToElementType();
    return tensor.floats().vec();
  }
  std::vector<int64_t> wrapped(Type element, ArrayRef<int64_t> values) {
    Tensor tensor = intTensor(element, values);
    tensor.roundToElementType();
    return tensor.ints().vec();
  }
  std::string refusalOf(Type type) {
    return llvm::toString(Tensor::check(type));
  }

  Builder builder{&context};
};

/// Ties go to even, and nothing is rounded to fp32 on the way: the bit 2^-40
/// takes the second value off the tie.
TEST_F(TensorTest, RoundsToHalfOnce) {
  EXPECT_THAT(rounded(builder.getF16Type(),
                      {1 + 0x1p-11, 1 + 0x1p-11 + 0x1p-40, 1 + 0x3p-11, 65519.9,
                       65520, -1e300, 0x1p-25, 0x1.8p-25, -0x1p-30, NAN}),
              ElementsAre(1, 1 + 0x1p-10, 1 + 0x1p-9, 65504, INFINITY,
                          -INFINITY, 0, 0x1p-24, 0, IsNan()));
}

TEST_F(TensorTest, RoundsToBFloat) {
  EXPECT_THAT(rounded(builder.getBF16Type(), {1 + 0x1p-8, 1 + 0x1p-8 + 0x1p-40,
                                              1 + 0x3p-8, 3.39e38, 1e39, NAN}),
              ElementsAre(1, 1 + 0x1p-7, 1 + 0x1p-6, 0x1p+128 - 0x1p+120,
                          INFINITY, IsNan()));
}

TEST_F(TensorTest, RoundsToSingle) {
  EXPECT_THAT(rounded(builder.getF32Type(), {1 + 0x1p-24, 1 + 0x3p-24, 1e39}),
              ElementsAre(1, 1 + 0x1p-22, INFINITY));
  EXPECT_THAT(rounded(builder.getF64Type(), {0.1}), ElementsAre(0.1));
}

TEST_F(TensorTest, WrapsIntegers) {
  EXPECT_THAT(wrapped(builder.getI32Type(), {0x80000000, -1, 0x100000001}),
              ElementsAre(-2147483648, -1, 1));
  EXPECT_THAT(wrapped(builder.getIntegerType(8, false), {-1, 256, 255}),
              ElementsAre(255, 0, 255));
  EXPECT_THAT(wrapped(builder.getI8Type(), {128, -129}),
              ElementsAre(-128, 127));
  EXPECT_THAT(wrapped(builder.getI1Type(), {0, 1, 2}), ElementsAre(0, 1, 1));
}

TEST_F(TensorTest, Refuses) {
  Type f16 = builder.getF16Type();
  EXPECT_EQ(refusalOf(RankedTensorType::get({2, 3}, f16)), "");
  EXPECT_THAT(refusalOf(RankedTensorType::get({ShapedType::kDynamic}, f16)),
              HasSubstr("tensor<fp16, [?]>: the shape is not known"));
  EXPECT_THAT(refusalOf(RankedTensorType::get({1 << 20, 1 << 11}, f16)),
              HasSubstr("more than the 1073741824 elements"));
  EXPECT_THAT(refusalOf(RankedTensorType::get(
                  {int64_t(1) << 40, int64_t(1) << 40}, f16)),
              HasSubstr("more than the 1073741824 elements"));
  EXPECT_THAT(refusalOf(RankedTensorType::get({2}, builder.getIntegerType(5))),
              HasSubstr("have no reference"));
  EXPECT_THAT(refusalOf(f16), HasSubstr("not a tensor"));
}

TEST_F(TensorTest, ConvertsToUnsigned64) {
  Type ui64 = builder.getIntegerType(64, false);
  Tensor tensor =
      convert(floatTensor(builder.getF64Type(), {0x1p63, 1e30, -1}), ui64);
  EXPECT_THAT(tensor.ints(), ElementsAre(INT64_MIN, -1, 0));
  EXPECT_THAT(convert(tensor, builder.getF64Type()).floats(),
              ElementsAre(0x1p63, 0x1p64, 0));
}

} // namespace
