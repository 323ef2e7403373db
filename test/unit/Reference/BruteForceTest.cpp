//===- BruteForceTest.cpp - Windows and products against plain loops ------===//
//
// Sweeps over shapes, strides, padding, dilation and groups. The expected
// values come from loops over every index that are written straight from the
// definition. All data are small integers, so sums are exact in any order.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"
#include <algorithm>
#include <cmath>

using namespace ane::reference::test;
using llvm::ArrayRef;

namespace {

/// Deterministic small integers.
class Random {
public:
  int64_t next(int64_t lowest, int64_t highest) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return lowest +
           static_cast<int64_t>((state >> 33) % uint64_t(highest - lowest + 1));
  }
  std::vector<int64_t> list(int64_t count, int64_t lowest, int64_t highest) {
    std::vector<int64_t> values;
    for (int64_t i = 0; i < count; ++i)
      values.push_back(next(lowest, highest));
    return values;
  }

private:
  uint64_t state = 1;
};

int64_t count(ArrayRef<int64_t> shape) {
  int64_t result = 1;
  for (int64_t extent : shape)
    result *= extent;
  return result;
}

/// Windows over three spatial dimensions; fewer are leading ones of extent 1.
struct Windows {
  int64_t batch, channels;
  int64_t in[3] = {1, 1, 1}, kernel[3] = {1, 1, 1}, stride[3] = {1, 1, 1};
  int64_t dilation[3] = {1, 1, 1}, before[3] = {}, after[3] = {};
  int64_t out[3] = {1, 1, 1};
  int rank;

  /// Draws windows that fit.
  Windows(Random &random, bool dilate)
      : batch(random.next(1, 2)), channels(random.next(1, 2)),
        rank(random.next(1, 3)) {
    for (int d = 3 - rank; d < 3; ++d) {
      kernel[d] = random.next(1, 3);
      stride[d] = random.next(1, 3);
      dilation[d] = dilate ? random.next(1, 2) : 1;
      before[d] = random.next(0, kernel[d] - 1);
      after[d] = random.next(0, kernel[d] - 1);
      int64_t reach = dilation[d] * (kernel[d] - 1) + 1;
      in[d] = reach + random.next(0, 4);
      out[d] = (in[d] + before[d] + after[d] - reach) / stride[d] + 1;
    }
  }

  /// The last `rank` entries.
  std::vector<int64_t> list(const int64_t (&values)[3]) const {
    return {values + 3 - rank, values + 3};
  }
  std::vector<int64_t> shape(int64_t n, int64_t c,
                             const int64_t (&values)[3]) const {
    std::vector<int64_t> result = {n, c};
    llvm::append_range(result, list(values));
    return result;
  }
  std::string parameters() const {
    std::vector<int64_t> pad;
    for (int d = 3 - rank; d < 3; ++d) {
      pad.push_back(before[d]);
      pad.push_back(after[d]);
    }
    return int32s("kernel", list(kernel)) + int32s("strides", list(stride)) +
           int32s("dilations", list(dilation)) + int32s("pad", pad) +
           text("type", "custom");
  }
  std::string listType() const { return tensorType({rank}, "i32"); }
  std::string padType() const { return tensorType({2 * rank}, "i32"); }

  /// Calls `fn(kernel index, input index)` for the elements of the window at
  /// (z, y, x); the input index is -1 in the padding.
  template <typename Fn>
  void forEachTap(int64_t z, int64_t y, int64_t x, Fn fn) const {
    for (int64_t i = 0; i < kernel[0]; ++i)
      for (int64_t j = 0; j < kernel[1]; ++j)
        for (int64_t k = 0; k < kernel[2]; ++k) {
          int64_t a = z * stride[0] + i * dilation[0] - before[0];
          int64_t b = y * stride[1] + j * dilation[1] - before[1];
          int64_t c = x * stride[2] + k * dilation[2] - before[2];
          bool inside =
              a >= 0 && a < in[0] && b >= 0 && b < in[1] && c >= 0 && c < in[2];
          fn((i * kernel[1] + j) * kernel[2] + k,
             inside ? (a * in[1] + b) * in[2] + c : -1);
        }
  }
  /// Calls `fn(z, y, x)` for each window.
  template <typename Fn> void forEachWindow(Fn fn) const {
    for (int64_t z = 0; z < out[0]; ++z)
      for (int64_t y = 0; y < out[1]; ++y)
        for (int64_t x = 0; x < out[2]; ++x)
          fn(z, y, x);
  }
};

/// What a convolution reads, transposed or not: %x, %w, %b, %groups and the
/// parameters of its windows.
std::string operandsOf(const Windows &w, llvm::ArrayRef<int64_t> xShape,
                       const std::vector<int64_t> &x,
                       llvm::ArrayRef<int64_t> weightShape,
                       const std::vector<int64_t> &weight,
                       const std::vector<int64_t> &bias, int64_t groups) {
  return constant("x", "f32", xShape, x) +
         constant("w", "f32", weightShape, weight) +
         constant("b", "f32", int64_t(bias.size()), bias) + w.parameters() +
         int32("groups", groups);
}

using BruteForceTest = ReferenceTest;

TEST_F(BruteForceTest, Conv) {
  Random random;
  for (int round = 0; round < 60; ++round) {
    Windows w(random, /*dilate=*/true);
    int64_t groups = random.next(1, 3), outPerGroup = random.next(1, 3);
    int64_t cin = w.channels * groups, cout = outPerGroup * groups;
    std::vector<int64_t> xShape = w.shape(w.batch, cin, w.in);
    std::vector<int64_t> weightShape = w.shape(cout, w.channels, w.kernel);
    std::vector<int64_t> x = random.list(count(xShape), -3, 3);
    std::vector<int64_t> weight = random.list(count(weightShape), -3, 3);
    std::vector<int64_t> bias = random.list(cout, -3, 3);

    std::vector<double> expected;
    int64_t plane = w.in[0] * w.in[1] * w.in[2];
    int64_t taps = w.kernel[0] * w.kernel[1] * w.kernel[2];
    for (int64_t n = 0; n < w.batch; ++n)
      for (int64_t co = 0; co < cout; ++co)
        w.forEachWindow([&](int64_t oz, int64_t oy, int64_t ox) {
          int64_t sum = bias[co];
          for (int64_t ci = 0; ci < w.channels; ++ci) {
            int64_t channel = co / outPerGroup * w.channels + ci;
            w.forEachTap(oz, oy, ox, [&](int64_t tap, int64_t at) {
              if (at >= 0)
                sum += x[(n * cin + channel) * plane + at] *
                       weight[(co * w.channels + ci) * taps + tap];
            });
          }
          expected.push_back(sum);
        });

    std::string xType = tensorType(xShape, "f32");
    std::string weightType = tensorType(weightShape, "f32");
    std::string ops =
        operandsOf(w, xShape, x, weightShape, weight, bias, groups) +
        "%y = mil.conv(x = %x, weight = %w, bias = %b, strides = %strides, "
        "pad_type = %type, pad = %pad, dilations = %dilations, groups = "
        "%groups) : (" +
        xType + ", " + weightType + ", " + tensorType(cout, "f32") + ", " +
        w.listType() + ", tensor<!mil.string>, " + w.padType() + ", " +
        w.listType() + ", tensor<i32>) -> " +
        tensorType(w.shape(w.batch, cout, w.out), "f32");
    ASSERT_EQ(floats(ops), expected) << ops;
  }
}

/// Each place of the input of a transposed convolution adds the kernel to what
/// a window of the convolution sees from there.
TEST_F(BruteForceTest, ConvTranspose) {
  Random random;
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    Windows w(random, /*dilate=*/true);
    for (int d = 0; d < 3; ++d)
      w.in[d] = (w.out[d] - 1) * w.stride[d] +
                w.dilation[d] * (w.kernel[d] - 1) + 1 - w.before[d] -
                w.after[d];
    if (*std::min_element(w.in, w.in + 3) < 1)
      continue;
    ++compared;
    int64_t groups = random.next(1, 3), outPerGroup = random.next(1, 6);
    int64_t cin = w.channels * groups, cout = outPerGroup * groups;
    std::vector<int64_t> xShape = w.shape(w.batch, cin, w.out);
    std::vector<int64_t> weightShape = w.shape(cin, outPerGroup, w.kernel);
    std::vector<int64_t> resultShape = w.shape(w.batch, cout, w.in);
    std::vector<int64_t> x = random.list(count(xShape), -3, 3);
    std::vector<int64_t> weight = random.list(count(weightShape), -3, 3);
    std::vector<int64_t> bias = random.list(cout, -3, 3);

    std::vector<double> expected;
    int64_t from = w.out[0] * w.out[1] * w.out[2];
    int64_t to = w.in[0] * w.in[1] * w.in[2];
    int64_t taps = w.kernel[0] * w.kernel[1] * w.kernel[2];
    for (int64_t n = 0; n < w.batch; ++n)
      for (int64_t co = 0; co < cout; ++co) {
        std::vector<double> plane(to, bias[co]);
        for (int64_t i = 0; i < w.channels; ++i) {
          int64_t ci = co / outPerGroup * w.channels + i;
          const int64_t *in = &x[(n * cin + ci) * from];
          w.forEachWindow([&](int64_t oz, int64_t oy, int64_t ox) {
            w.forEachTap(oz, oy, ox, [&](int64_t tap, int64_t at) {
              if (at >= 0)
                plane[at] +=
                    *in *
                    weight[(ci * outPerGroup + co % outPerGroup) * taps + tap];
            });
            ++in;
          });
        }
        llvm::append_range(expected, plane);
      }

    std::string ops =
        operandsOf(w, xShape, x, weightShape, weight, bias, groups) +
        "%y = mil.conv_transpose(x = %x, weight = %w, bias = %b, pad = %pad, "
        "pad_type = %type, strides = %strides, dilations = %dilations, groups "
        "= %groups) : (" +
        tensorType(xShape, "f32") + ", " + tensorType(weightShape, "f32") +
        ", " + tensorType(cout, "f32") + ", " + w.padType() +
        ", tensor<!mil.string>, " + w.listType() + ", " + w.listType() +
        ", tensor<i32>) -> " + tensorType(resultShape, "f32");
    ASSERT_EQ(floats(ops), expected) << ops;
  }
  EXPECT_GT(compared, 20);
}

TEST_F(BruteForceTest, Pool) {
  Random random;
  for (int round = 0; round < 60; ++round) {
    Windows w(random, /*dilate=*/false);
    std::vector<int64_t> xShape = w.shape(w.batch, w.channels, w.in);
    std::vector<int64_t> x = random.list(count(xShape), -9, 9);
    int64_t plane = w.in[0] * w.in[1] * w.in[2];

    std::vector<double> largest, mean, meanOfInput;
    for (int64_t p = 0; p < w.batch * w.channels; ++p)
      w.forEachWindow([&](int64_t oz, int64_t oy, int64_t ox) {
        double best = -INFINITY, sum = 0;
        int64_t covered = 0, inside = 0;
        w.forEachTap(oz, oy, ox, [&](int64_t, int64_t at) {
          ++covered;
          if (at < 0)
            return;
          ++inside;
          best = std::max(best, static_cast<double>(x[p * plane + at]));
          sum += x[p * plane + at];
        });
        largest.push_back(best);
        mean.push_back(static_cast<float>(sum / covered));
        meanOfInput.push_back(static_cast<float>(sum / inside));
      });

    std::string ops = constant("x", "f32", xShape, x) + w.parameters() +
                      boolean("exclude", true);
    std::string inputs = "x = %x, kernel_sizes = %kernel, strides = %strides, "
                         "pad_type = %type, pad = %pad";
    std::string types = tensorType(xShape, "f32") + ", " + w.listType() + ", " +
                        w.listType() + ", tensor<!mil.string>, " + w.padType();
    std::string result = tensorType(w.shape(w.batch, w.channels, w.out), "f32");
    ASSERT_EQ(floats(ops + "%y = mil.max_pool(" + inputs + ") : (" + types +
                     ") -> " + result),
              largest)
        << ops;
    ASSERT_EQ(floats(ops + "%y = mil.avg_pool(" + inputs + ") : (" + types +
                     ") -> " + result),
              mean)
        << ops;
    // A window that sees nothing but padding has no mean.
    if (llvm::any_of(meanOfInput, [](double v) { return std::isnan(v); }))
      continue;
    ASSERT_EQ(floats(ops + "%y = mil.avg_pool(" + inputs +
                     ", exclude_padding_from_average = %exclude) : (" + types +
                     ", tensor<i1>) -> " + result),
              meanOfInput)
        << ops;
  }
}

TEST_F(BruteForceTest, Matmul) {
  Random random;
  for (int round = 0; round < 60; ++round) {
    int64_t batch = random.next(1, 3), m = random.next(1, 5);
    int64_t k = random.next(1, 9), n = random.next(1, 19);
    bool transposeX = random.next(0, 1), transposeY = random.next(0, 1);
    bool sharedY = random.next(0, 1);
    std::vector<int64_t> xShape = {batch, m, k}, yShape = {batch, k, n};
    if (transposeX)
      std::swap(xShape[1], xShape[2]);
    if (transposeY)
      std::swap(yShape[1], yShape[2]);
    if (sharedY)
      yShape[0] = 1;
    std::vector<int64_t> x = random.list(count(xShape), -5, 5);
    std::vector<int64_t> y = random.list(count(yShape), -5, 5);

    std::vector<double> expected;
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          int64_t sum = 0;
          for (int64_t c = 0; c < k; ++c)
            sum += x[b * m * k + (transposeX ? c * m + i : i * k + c)] *
                   y[(sharedY ? 0 : b) * k * n +
                     (transposeY ? j * k + c : c * n + j)];
          expected.push_back(sum);
        }

    std::string ops =
        constant("x", "f16", xShape, x) + constant("y", "f16", yShape, y) +
        boolean("tx", transposeX) + boolean("ty", transposeY) +
        "%z = mil.matmul(x = %x, y = %y, transpose_x = %tx, transpose_y = "
        "%ty) : (" +
        tensorType(xShape, "f16") + ", " + tensorType(yShape, "f16") +
        ", tensor<i1>, tensor<i1>) -> " + tensorType({batch, m, n}, "f16");
    ASSERT_EQ(floats(ops), expected) << ops;
  }
}

} // namespace
