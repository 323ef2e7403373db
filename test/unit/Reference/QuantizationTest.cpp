//===- QuantizationTest.cpp - Compressed and quantized tensors ------------===//

#include "Fixture.h"
#include "ane/Reference/Conversions.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace ane::reference;
using namespace ane::reference::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class QuantizationTest : public ReferenceTest {};

TEST_F(QuantizationTest, AffineDequantizeAlongAnAxis) {
  std::string data = R"(
    %q = mil.const dense<[[-128, 0, 127], [1, 2, 3]]> : tensor<2x3xi8>
    %s = mil.const dense<[0.5, 2.0]> : tensor<2xf16>
    %z = mil.const dense<1> : tensor<i8>
    )";
  EXPECT_THAT(floats(data + int32("axis", -2) + R"(
    %y = mil.constexpr_affine_dequantize(quantized_data = %q, zero_point = %z,
        scale = %s, axis = %axis)
        : (tensor<2x3xi8>, tensor<i8>, tensor<2xf16>, tensor<i32>)
        -> tensor<2x3xf16>)"),
              ElementsAre(-64.5, -0.5, 63, 0, 2, 4));
}

TEST_F(QuantizationTest, DequantizeUnsigned) {
  EXPECT_THAT(floats(R"(
    %q = mil.const dense<[0, 200, 255]> : tensor<3xui8>
    %s = mil.const dense<0.25> : tensor<f32>
    %z = mil.const dense<200> : tensor<ui8>
    %y = mil.dequantize(input = %q, zero_point = %z, scale = %s)
        : (tensor<3xui8>, tensor<ui8>, tensor<f32>) -> tensor<3xf32>)"),
              ElementsAre(-50, 0, 13.75));
}

/// Ties go to even, and the ends of the range hold.
TEST_F(QuantizationTest, Quantize) {
  std::string x = R"(
    %x = mil.const dense<[1.0, 3.0, 5.0, -1.0, 1000.0, -1000.0]>
        : tensor<6xf16>
    %s = mil.const dense<2.0> : tensor<f16>
    )";
  EXPECT_THAT(ints(x + text("dtype", "int8") + R"(
    %y = mil.quantize(input = %x, scale = %s, output_dtype = %dtype)
        : (tensor<6xf16>, tensor<f16>, tensor<!mil.string>)
        -> tensor<6xi8>)"),
              ElementsAre(0, 2, 2, 0, 127, -128));
  EXPECT_THAT(ints(x + text("dtype", "uint8") + R"(
    %z = mil.const dense<10> : tensor<ui8>
    %y = mil.quantize(input = %x, zero_point = %z, scale = %s,
        output_dtype = %dtype)
        : (tensor<6xf16>, tensor<ui8>, tensor<f16>, tensor<!mil.string>)
        -> tensor<6xui8>)"),
              ElementsAre(10, 12, 12, 10, 255, 0));
}

/// 0b11'10'01'00 is 0, 1, 2, 3 from the least significant bit on.
TEST_F(QuantizationTest, PaletteAsAStreamOfBits) {
  EXPECT_THAT(floats(R"(
    %i = mil.const dense<[228, 1]> : tensor<2xui8>
    %t = mil.const dense<[1.0, 10.0, 100.0, 1000.0]> : tensor<4xf16>
    %s = mil.const dense<[5, 1]> : tensor<2xui32>
    %y = mil.constexpr_lut_to_dense(indices = %i, lut = %t, shape = %s)
        : (tensor<2xui8>, tensor<4xf16>, tensor<2xui32>) -> tensor<5x1xf16>)",
                     "ios16"),
              ElementsAre(1, 10, 100, 1000, 10));
}

/// Indices of three bits cross bytes: 7, 0, 5 are 0b01'000'111 and 0b1.
TEST_F(QuantizationTest, PaletteWithIndicesAcrossBytes) {
  EXPECT_THAT(ints(R"(
    %i = mil.const dense<[71, 1]> : tensor<2xui8>
    %t = mil.const dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi8>
    %s = mil.const dense<[3]> : tensor<1xui32>
    %y = mil.constexpr_lut_to_dense(indices = %i, lut = %t, shape = %s)
        : (tensor<2xui8>, tensor<8xi8>, tensor<1xui32>) -> tensor<3xi8>)",
                   "ios16"),
              ElementsAre(7, 0, 5));
}

/// Two blocks of columns, each with its own table.
TEST_F(QuantizationTest, PaletteInBlocks) {
  EXPECT_THAT(floats(R"(
    %i = mil.const dense<[[0, 1, 0, 1], [1, 1, 0, 0]]> : tensor<2x4xui1>
    %t = mil.const dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]>
        : tensor<1x2x2x1xf16>
    %y = mil.constexpr_lut_to_dense(indices = %i, lut = %t)
        : (tensor<2x4xui1>, tensor<1x2x2x1xf16>) -> tensor<2x4xf16>)"),
              ElementsAre(1, 2, 3, 4, 2, 2, 3, 3));
}

/// Entries of two elements lie along the first or along the last dimension.
TEST_F(QuantizationTest, PaletteOfVectors) {
  std::string data = R"(
    %i = mil.const dense<[[0, 1], [1, 0]]> : tensor<2x2xui1>
    %t = mil.const dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf16>
    )";
  EXPECT_THAT(floats(data + int32("axis", 0) + R"(
    %y = mil.constexpr_lut_to_dense(indices = %i, lut = %t, vector_axis = %axis)
        : (tensor<2x2xui1>, tensor<1x1x2x2xf16>, tensor<i32>)
        -> tensor<4x2xf16>)"),
              ElementsAre(1, 3, 2, 4, 3, 1, 4, 2));
  EXPECT_THAT(floats(data + int32("axis", -1) + R"(
    %y = mil.constexpr_lut_to_dense(indices = %i, lut = %t, vector_axis = %axis)
        : (tensor<2x2xui1>, tensor<1x1x2x2xf16>, tensor<i32>)
        -> tensor<2x4xf16>)"),
              ElementsAre(1, 2, 3, 4, 3, 4, 1, 2));
}

constexpr llvm::StringLiteral sparse = R"(
  %m = mil.const dense<[[0, 1, 1], [1, 0, 0]]> : tensor<2x3xui1>
  %n = mil.const dense<[1.0, 2.0, 3.0]> : tensor<3xf16>
)";

TEST_F(QuantizationTest, SparseToDense) {
  EXPECT_THAT(floats((sparse + R"(
    %y = mil.constexpr_sparse_to_dense(nonzero_data = %n, mask = %m)
        : (tensor<3xf16>, tensor<2x3xui1>) -> tensor<2x3xf16>)")
                         .str()),
              ElementsAre(0, 1, 2, 3, 0, 0));
  // 0b00'1110 is the same mask as a stream of bits.
  EXPECT_THAT(floats(sparse.str() + R"(
    %b = mil.const dense<[14]> : tensor<1xui8>
    %s = mil.const dense<[2, 3]> : tensor<2xui32>
    %y = mil.constexpr_sparse_to_dense(nonzero_data = %n, mask = %b, shape = %s)
        : (tensor<3xf16>, tensor<1xui8>, tensor<2xui32>) -> tensor<2x3xf16>)",
                     "ios17"),
              ElementsAre(0, 1, 2, 3, 0, 0));
}

TEST_F(QuantizationTest, SparseMaskMustFit) {
  EXPECT_THAT(errorOf(R"(
    %m = mil.const dense<[0, 1, 1]> : tensor<3xui1>
    %n = mil.const dense<[1.0]> : tensor<1xf16>
    %y = mil.constexpr_sparse_to_dense(nonzero_data = %n, mask = %m)
        : (tensor<1xf16>, tensor<3xui1>) -> tensor<3xf16>)"),
              HasSubstr("constexpr_sparse_to_dense: the mask has 2 ones, but "
                        "there are 1 nonzero elements; give one for each of "
                        "the ones [mil-sparse-c4]"));
}

TEST_F(QuantizationTest, Blockwise) {
  EXPECT_THAT(floats(R"(
    %q = mil.const dense<[[-8, 7, 1, 2], [3, 4, 5, 6]]> : tensor<2x4xi4>
    %s = mil.const dense<[[1.0, 10.0]]> : tensor<1x2xf16>
    %o = mil.const dense<[[1, -1]]> : tensor<1x2xi4>
    %y = mil.constexpr_blockwise_shift_scale(data = %q, scale = %s, offset = %o)
        : (tensor<2x4xi4>, tensor<1x2xf16>, tensor<1x2xi4>)
        -> tensor<2x4xf16>)"),
              ElementsAre(-9, 6, 20, 30, 2, 3, 60, 70));
}

/// The place of an element in the mask decides its block.
TEST_F(QuantizationTest, SparseChain) {
  EXPECT_THAT(floats(R"(
    %m = mil.const dense<[[0, 1, 1], [1, 0, 0]]> : tensor<2x3xui1>
    %q = mil.const dense<[1, 2, 3]> : tensor<3xi4>
    %s = mil.const dense<[[10.0], [100.0]]> : tensor<2x1xf16>
    %mask, %n = mil.constexpr_sparse_blockwise_shift_scale(data_mask = %m,
        nonzero_data = %q, scale = %s)
        : (tensor<2x3xui1>, tensor<3xi4>, tensor<2x1xf16>)
        -> (tensor<2x3xui1>, tensor<3xf16>)
    %y = mil.constexpr_sparse_to_dense(nonzero_data = %n, mask = %mask)
        : (tensor<3xf16>, tensor<2x3xui1>) -> tensor<2x3xf16>)"),
              ElementsAre(0, 10, 20, 300, 0, 0));
}

/// A mask of places grows with the vectors; the nonzero elements follow it row
/// by row.
TEST_F(QuantizationTest, LutToSparseOfVectors) {
  EXPECT_THAT(floats(R"(
    %m = mil.const dense<[[1, 0, 1]]> : tensor<1x3xui1>
    %i = mil.const dense<[0, 1]> : tensor<2xui1>
    %t = mil.const dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf16>
    )" + int32("axis", 0) +
                     R"(
    %mask, %n = mil.constexpr_lut_to_sparse(indices_mask = %m,
        indices_nonzero_data = %i, lut = %t, vector_axis = %axis)
        : (tensor<1x3xui1>, tensor<2xui1>, tensor<1x1x2x2xf16>, tensor<i32>)
        -> (tensor<2x3xui1>, tensor<4xf16>)
    %y = mil.constexpr_sparse_to_dense(nonzero_data = %n, mask = %mask)
        : (tensor<4xf16>, tensor<2x3xui1>) -> tensor<2x3xf16>)"),
              ElementsAre(1, 0, 3, 2, 0, 4));
}

TEST_F(QuantizationTest, ConstexprCast) {
  EXPECT_THAT(floats(R"(
    %x = mil.const dense<[0.5, 65504.0]> : tensor<2xf16>
    )" + text("dtype", "fp32") +
                     R"(
    %y = mil.constexpr_cast(source_val = %x, output_dtype = %dtype)
        : (tensor<2xf16>, tensor<!mil.string>) -> tensor<2xf32>)"),
              ElementsAre(0.5, 65504));
}

//===----------------------------------------------------------------------===//
// Elements narrower than a byte
//===----------------------------------------------------------------------===//

TEST_F(QuantizationTest, NarrowElementsAreUnpacked) {
  // 7, 0, 5 of three bits, as above; the rest of the last byte is unused.
  auto threes = RankedTensorType::get(
      {3}, IntegerType::get(&context, 3, IntegerType::Unsigned));
  const char bytes[] = {71, 1};
  auto packed = DenseResourceElementsAttr::get(
      threes, "packed", UnmanagedAsmResourceBlob::allocateWithAlign(bytes, 1));
  Tensor tensor = llvm::cantFail(fromElementsAttr(packed));
  EXPECT_THAT(tensor.ints(), ElementsAre(7, 0, 5));
  auto four = RankedTensorType::get({4}, threes.getElementType());
  auto tooLong = DenseResourceElementsAttr::get(
      four, "long",
      UnmanagedAsmResourceBlob::allocateWithAlign(
          llvm::ArrayRef(bytes).take_front(1), 1));
  EXPECT_TRUE(!!fromElementsAttr(tooLong).takeError());
}

TEST_F(QuantizationTest, NarrowElementsSurviveConversion) {
  for (int64_t count : {5, 2000}) {
    for (unsigned width : {1, 2, 3, 4, 6}) {
      auto type = RankedTensorType::get(
          {count}, IntegerType::get(&context, width, IntegerType::Unsigned));
      Tensor tensor(type);
      for (int64_t i = 0; i < count; ++i)
        tensor.ints()[i] = i * 5;
      tensor.roundToElementType();
      EXPECT_EQ(tensor.ints()[3], 15 % (1 << width));
      ElementsAttr attribute = toElementsAttr(tensor);
      Tensor back = llvm::cantFail(fromElementsAttr(attribute));
      EXPECT_EQ(back.ints(), tensor.ints());
      if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute))
        EXPECT_EQ(resource.getRawHandle().getBlob()->getData().size(),
                  (count * width + 7) / 8);
    }
  }
  Tensor nibbles(RankedTensorType::get({2}, IntegerType::get(&context, 4)));
  nibbles.ints()[0] = 8;
  nibbles.ints()[1] = 7;
  nibbles.roundToElementType();
  EXPECT_THAT(nibbles.ints(), ElementsAre(-8, 7));
  EXPECT_EQ(toNpy(nibbles).type, ane::ElementType::Int8);
}

} // namespace
