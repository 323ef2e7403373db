//===- TensorLayoutTest.cpp - Strides and sizes of tensors ----------------===//

#include "ane/Object/Object.h"
#include "gtest/gtest.h"

using namespace ane::object;

namespace {

TEST(TensorLayout, PadsRows) {
  TensorLayout layout = *TensorLayout::packed(2, 3, 4, 33, 5);
  EXPECT_EQ(layout.elementStride, 2u);
  EXPECT_EQ(layout.rowStride, 128u);
  EXPECT_EQ(layout.planeStride, 4u * 128);
  EXPECT_EQ(layout.depthStride, 3u * 4 * 128);
  EXPECT_EQ(layout.batchStride, 5u * 3 * 4 * 128);
  EXPECT_EQ(layout.totalBytes(), 2u * 5 * 3 * 4 * 128);
  // All but the padding of the last row.
  EXPECT_EQ(layout.exactBytes(), 2u * 5 * 3 * 4 * 128 - 128 + 66);
}

TEST(TensorLayout, RefusesWhatDoesNotFit) {
  EXPECT_FALSE(TensorLayout::packed(1, 0, 1, 1));
  EXPECT_FALSE(TensorLayout::packed(1, 1u << 31, 1u << 31, 1));
  EXPECT_FALSE(TensorLayout::packed(1, 1, UINT32_MAX, UINT32_MAX));
  TensorLayout layout = *TensorLayout::packed(1, 1, 1, 1);
  layout.batchStride = UINT64_MAX;
  layout.n = 2;
  EXPECT_FALSE(layout.totalBytes());
  EXPECT_FALSE(layout.exactBytes());
  layout.n = 0;
  EXPECT_FALSE(layout.exactBytes());
}

} // namespace
