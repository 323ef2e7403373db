//===- ConversionsTest.cpp - Tensors from and to attributes and arrays ----===//

#include "ane/Reference/Conversions.h"
#include "Fixture.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::reference;
using namespace ane::reference::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class ConversionsTest : public ReferenceTest {
protected:
  /// A resource of raw bytes.
  ElementsAttr resource(ArrayRef<int64_t> shape, Type element,
                        ArrayRef<uint8_t> bytes) {
    ArrayRef data(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    return DenseResourceElementsAttr::get(
        RankedTensorType::get(shape, element), "weight",
        HeapAsmResourceBlob::allocateAndCopyWithAlign(data, 64));
  }
  std::vector<int64_t> intsOf(Type element, ArrayRef<uint8_t> bytes,
                              int64_t count) {
    llvm::Expected<Tensor> tensor =
        fromElementsAttr(resource(count, element, bytes));
    EXPECT_TRUE(bool(tensor)) << llvm::toString(tensor.takeError());
    return tensor ? tensor->ints().vec() : std::vector<int64_t>();
  }
  std::vector<double> floatsOf(Type element, ArrayRef<uint8_t> bytes,
                               int64_t count) {
    llvm::Expected<Tensor> tensor =
        fromElementsAttr(resource(count, element, bytes));
    EXPECT_TRUE(bool(tensor)) << llvm::toString(tensor.takeError());
    return tensor ? tensor->floats().vec() : std::vector<double>();
  }
  std::string refusalOf(ElementsAttr attr) {
    llvm::Expected<Tensor> tensor = fromElementsAttr(attr);
    return tensor ? "no error" : llvm::toString(tensor.takeError());
  }
  Type integer(unsigned width, bool isSigned = true) {
    return isSigned ? builder.getIntegerType(width)
                    : builder.getIntegerType(width, false);
  }

  Builder builder{&context};
};

TEST_F(ConversionsTest, ReadsRawFloats) {
  EXPECT_THAT(
      floatsOf(builder.getF16Type(), {0x00, 0x3c, 0x01, 0x00, 0x00, 0xfc}, 3),
      ElementsAre(1, 0x1p-24, -INFINITY));
  EXPECT_THAT(floatsOf(builder.getBF16Type(), {0x80, 0x3f, 0x20, 0xc1}, 2),
              ElementsAre(1, -10));
  EXPECT_THAT(floatsOf(builder.getF32Type(), {0xcd, 0xcc, 0xcc, 0x3d}, 1),
              ElementsAre(0x1.99999ap-4));
  EXPECT_THAT(floatsOf(builder.getF64Type(), {0, 0, 0, 0, 0, 0, 0xf8, 0xbf}, 1),
              ElementsAre(-1.5));
}

TEST_F(ConversionsTest, ReadsRawIntegers) {
  EXPECT_THAT(intsOf(integer(8), {0x80, 0x7f}, 2), ElementsAre(-128, 127));
  EXPECT_THAT(intsOf(integer(8, false), {0x80}, 1), ElementsAre(128));
  EXPECT_THAT(intsOf(integer(16), {0xfe, 0xff}, 1), ElementsAre(-2));
  EXPECT_THAT(intsOf(integer(16, false), {0xfe, 0xff}, 1), ElementsAre(65534));
  EXPECT_THAT(intsOf(integer(32), {1, 2, 0, 0x80}, 1),
              ElementsAre(-2147483648 + 513));
  EXPECT_THAT(intsOf(integer(32, false), {1, 2, 0, 0x80}, 1),
              ElementsAre(2147483648 + 513));
  EXPECT_THAT(intsOf(integer(64), {1, 0, 0, 0, 1, 0, 0, 0}, 1),
              ElementsAre(0x100000001));
  EXPECT_THAT(intsOf(integer(1), {0, 1, 2}, 3), ElementsAre(0, 1, 1));
  EXPECT_THAT(intsOf(integer(4), {0x78}, 2), ElementsAre(-8, 7));
  EXPECT_THAT(intsOf(integer(1, false), {5}, 3), ElementsAre(1, 0, 1));
}

TEST_F(ConversionsTest, RefusesWrongSizes) {
  EXPECT_EQ(refusalOf(resource({2, 2}, builder.getF16Type(), {1, 2, 3, 4})),
            "tensor<fp16, [2, 2]> takes 8 bytes, but there are 4");
  EXPECT_EQ(refusalOf(resource({3}, integer(4), {0x12})),
            "tensor<int4, [3]> is packed, but there are 1 bytes");
  EXPECT_THAT(refusalOf(resource({1}, integer(128), {0})),
              HasSubstr("have no reference"));
}

TEST_F(ConversionsTest, ReadsDenseAttributes) {
  auto type = RankedTensorType::get({2}, integer(1));
  EXPECT_THAT(llvm::cantFail(
                  fromElementsAttr(DenseElementsAttr::get(type, {true, false})))
                  .ints(),
              ElementsAre(1, 0));
  EXPECT_THAT(
      llvm::cantFail(fromElementsAttr(DenseElementsAttr::get(type, true)))
          .ints(),
      ElementsAre(1, 1));
  EXPECT_THAT(
      llvm::cantFail(fromElementsAttr(DenseElementsAttr::get(
                         RankedTensorType::get({3}, integer(16)), int16_t(-7))))
          .ints(),
      ElementsAre(-7, -7, -7));
}

/// A small tensor becomes a dense attribute and a large one a resource; either
/// reads back as it was.
TEST_F(ConversionsTest, AttributeRoundTrip) {
  for (Type element :
       {Type(builder.getF16Type()), Type(builder.getBF16Type()),
        Type(builder.getF32Type()), Type(builder.getF64Type()), integer(1),
        integer(8), integer(8, false), integer(16), integer(16, false),
        integer(32), integer(32, false), integer(64), integer(64, false)})
    for (int64_t count : {0, 1, 6, 1024, 1025}) {
      Tensor tensor(RankedTensorType::get(count, element));
      withPayload(tensor, [&](auto payload) {
        for (auto [i, value] :
             llvm::enumerate(tensor.values<decltype(payload)>()))
          value = static_cast<decltype(payload)>(i) / 3 - 5;
      });
      tensor.roundToElementType();
      ElementsAttr attr = toElementsAttr(tensor);
      EXPECT_EQ(isa<DenseResourceElementsAttr>(attr), count > 1024);
      Tensor back = llvm::cantFail(fromElementsAttr(attr));
      EXPECT_EQ(back.getType(), tensor.getType());
      withPayload(tensor, [&](auto payload) {
        using T = decltype(payload);
        EXPECT_EQ(back.values<T>(), tensor.values<T>());
      });
    }
}

TEST_F(ConversionsTest, NpyRoundTrip) {
  NpyArray array;
  array.type = ElementType::Float16;
  array.shape = {2, 1};
  array.bytes = {0x00, 0x3c, 0x00, 0xc0};
  Tensor tensor = llvm::cantFail(fromNpy(&context, array));
  EXPECT_EQ(tensor.getType(),
            RankedTensorType::get({2, 1}, builder.getF16Type()));
  EXPECT_THAT(tensor.floats(), ElementsAre(1, -2));
  NpyArray back = toNpy(tensor);
  EXPECT_EQ(back.type, array.type);
  EXPECT_EQ(back.shape, array.shape);
  EXPECT_EQ(back.bytes, array.bytes);

  array.bytes.pop_back();
  llvm::Expected<Tensor> shortOne = fromNpy(&context, array);
  ASSERT_FALSE(bool(shortOne));
  EXPECT_EQ(llvm::toString(shortOne.takeError()),
            "tensor<fp16, [2, 1]> takes 4 bytes, but there are 3");
}

TEST_F(ConversionsTest, NpyOfBoolAndBFloat) {
  Tensor flags(RankedTensorType::get({2}, integer(1)));
  flags.ints()[1] = 1;
  NpyArray array = toNpy(flags);
  EXPECT_EQ(array.type, ElementType::Bool);
  EXPECT_THAT(array.bytes, ElementsAre(0, 1));

  Tensor brain(RankedTensorType::get({1}, builder.getBF16Type()));
  brain.floats()[0] = 1.5;
  array = toNpy(brain);
  EXPECT_EQ(array.type, ElementType::Float32);
  EXPECT_THAT(array.bytes, ElementsAre(0, 0, 0xc0, 0x3f));
}

} // namespace
