//===- CompareOutputsTest.cpp - How far two results are apart -------------===//

#include "Verify/CompareOutputs.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"

using namespace mlir;
using namespace ane;
using reference::Tensor;
using testing::HasSubstr;

namespace {

class CompareOutputsTest : public testing::Test {
protected:
  Tensor make(ArrayRef<double> numbers) {
    Tensor tensor(RankedTensorType::get(int64_t(numbers.size()),
                                        Float16Type::get(&context)));
    llvm::copy(numbers, tensor.floats().begin());
    return tensor;
  }
  std::optional<Disagreement> compare(const Tensor &got, const Tensor &want) {
    return compareOutput("y", got, want, /*numTies=*/0, /*decisions=*/{},
                         llvm::nulls());
  }

  MLIRContext context;
};

TEST_F(CompareOutputsTest, AgreesWithinTheLimit) {
  EXPECT_FALSE(compare(make({1, 2.001, 3}), make({1, 2, 3})));
  EXPECT_TRUE(compare(make({1, 2.5, 3}), make({1, 2, 3})));
}

TEST_F(CompareOutputsTest, HasAsManyElements) {
  for (const Tensor &got : {make({1, 2}), make({1, 2, 3, 4})}) {
    std::optional<Disagreement> fault = compare(got, make({1, 2, 3}));
    ASSERT_TRUE(fault);
    EXPECT_FALSE(fault->isUndefined);
    EXPECT_THAT(fault->text, HasSubstr("that of the reference [3]"));
  }
}

} // namespace
