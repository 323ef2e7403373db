//===- L2PlanTest.cpp - Where operands pass through the scratchpad --------===//

#include "ane/Dialect/Zin/Transforms/L2Plan.h"
#include "ane/Dialect/Zin/IR/L2Place.h"
#include "ane/Target/H13.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace ane;
using namespace ane::zin;
using namespace mlir;

namespace {

/// A packed view of a whole buffer; `pitch` is the distance of its rows.
std::string view(std::array<int64_t, numDims> shape, int64_t pitch = 0) {
  if (!pitch)
    pitch = llvm::alignTo(shape[W] * 2, 64);
  int64_t channel = pitch * shape[H], depth = channel * shape[C],
          group = depth * shape[D];
  auto list = [](ArrayRef<int64_t> numbers) {
    std::string text;
    for (int64_t number : numbers)
      text += (text.empty() ? "" : ", ") + std::to_string(number);
    return "[" + text + "]";
  };
  return "<@b + 0, " + list(shape) + ", " +
         list({group, depth, channel, pitch}) + "> ";
}

std::string neural(const std::string &from, const std::string &to,
                   const std::string &config, const std::string &more = "") {
  return "zin.task <NEFUSED_CONV> on <NEConv> reads " + from + "writes " + to +
         "computes #zin.ne<" + config + ">" + more;
}

std::string planar(const std::string &from, const std::string &to,
                   const std::string &config) {
  return "zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads " + from +
         "writes " + to + "computes #zin.pe<" + config + ">";
}

const std::string one = "window = [1, 1], stride = [1, 1], padding = [0, 0]",
                  pass =
                      "op = pass, " + one + ", unicast = 1, kernelless = true",
                  sum = "op = add, reduce = none, post = none";

class L2PlanTest : public testing::Test {
protected:
  L2PlanTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<ZinDialect>();
  }

  TaskOp parse(const std::string &task) {
    ParserConfig config(&context, /*verifyAfterParse=*/false);
    module = parseSourceString<ModuleOp>("zin.program @main {\n" + task + "\n}",
                                         config);
    EXPECT_TRUE(module) << task;
    return *(*module->getOps<ProgramOp>().begin()).getOps<TaskOp>().begin();
  }

  /// With all of L2, unless `bytes` are said.
  L2Plan plan(const std::string &task, L2Use use = {}) {
    if (!use.bytes)
      use.bytes = h13.l2Bytes;
    std::optional<L2Plan> result = planL2(parse(task), use, h13);
    EXPECT_TRUE(result) << task;
    return result.value_or(L2Plan());
  }

  bool overwrites(const std::string &task) {
    TaskOp op = parse(task);
    return canOverwrite(op, op.getSource1());
  }
  bool copies(const std::string &task) { return isCopy(parse(task)); }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

const std::string rows = view({1, 1, 1, 64, 32});

TEST_F(L2PlanTest, WhatIsReadOnceInOrderCanBeOverwritten) {
  EXPECT_TRUE(overwrites(neural(rows, rows, pass)));
  EXPECT_TRUE(overwrites(neural(rows, rows, pass + ", relu = true")));
  EXPECT_FALSE(overwrites(neural(rows, view({1, 1, 1, 32, 64}), pass)));
  EXPECT_FALSE(overwrites(neural(rows, rows, pass + ", transposed = true")));
  EXPECT_FALSE(overwrites(neural(
      rows, rows,
      "op = pass, window = [1, 1], stride = [1, 1], padding = [1, 0], unicast "
      "= 1, kernelless = true")));
  EXPECT_TRUE(overwrites(planar(rows, rows, sum)));
  EXPECT_FALSE(
      overwrites(planar(rows, rows, "op = add, reduce = max, post = none")));
  EXPECT_FALSE(overwrites(planar(rows, rows, sum + ", vector1 = true")));
}

TEST_F(L2PlanTest, ACopyChangesNoElement) {
  EXPECT_TRUE(copies(neural(rows, rows, pass)));
  EXPECT_FALSE(copies(neural(rows, rows, pass + ", relu = true")));
  EXPECT_FALSE(copies(neural(rows, rows, pass + ", accBias = 1.0 : f16")));
  EXPECT_FALSE(copies(neural(rows, rows, pass, " with @k")));
  EXPECT_FALSE(copies(planar(rows, rows, sum)));
}

TEST_F(L2PlanTest, ATileHasNoMoreRowsThanTheSource) {
  std::string config =
      "op = mac, window = [3, 1], stride = [1, 1], padding = [1, 0]";
  L2Plan whole = plan(neural(view({1, 1, 16, 8, 64}), view({1, 1, 16, 8, 64}),
                             config, " with @k"));
  EXPECT_EQ(whole.tileHeight, 8);
  int64_t drain =
      leastWeighedBytes({1, 1, 16, 8, 64}, 16, 0, 1, {1, 1, 16, 8, 64}, h13);
  EXPECT_EQ(whole.bytes, 8 * whole.source1.rowStride + drain);

  auto least = [](int64_t sourceRows, int64_t window) {
    return leastWeighedBytes({1, 1, 16, sourceRows, 64}, 16, window, 1,
                             {1, 1, 16, 8, 64}, h13);
  };
  EXPECT_EQ(least(2, 3), least(2, 2));
  EXPECT_LT(least(3, 2), least(3, 3));
}

TEST_F(L2PlanTest, ADrainHasSixteenChannels) {
  auto least = [](int64_t channels) {
    return leastWeighedBytes({1, 1, 16, 1, 64}, 16, 1, 1,
                             {1, 1, channels, 8, 64}, h13);
  };
  EXPECT_LT(least(15), least(16));
  EXPECT_EQ(least(16), least(17));
}

TEST_F(L2PlanTest, ATileHasAsManyRowsAsFit) {
  // A result in L2 leaves the tile of the source alone.
  std::string task = neural(view({1, 1, 16, 64, 64}), view({1, 1, 16, 64, 64}),
                            "op = mac, " + one, " with @k");
  L2Use use;
  use.result = Residence::resident;
  int64_t row = plan(task, use).source1.rowStride;
  for (int64_t less : {0, 1}) {
    use.bytes = 10 * row - less;
    EXPECT_EQ(plan(task, use).tileHeight, 10 - less);
  }
}

TEST_F(L2PlanTest, ARowOfASecondSourceIsThereOnce) {
  std::string row = view({1, 1, 1, 1, 32});
  L2Plan result = plan(planar(row + "and " + rows, rows, sum));
  EXPECT_EQ(result.tileHeight, 64);
  EXPECT_LT(result.source2.base, 2 * result.source1.rowStride);
}

TEST_F(L2PlanTest, AReductionHasTilesOfItsSource) {
  EXPECT_EQ(plan(planar(rows, view({1, 1, 1, 1, 1}),
                        "op = add, reduce = max, post = none"))
                .tileHeight,
            64);
}

TEST_F(L2PlanTest, ALineThatIsTooLongPassesInPieces) {
  std::string kernel = " weighs " + view({1, 1, 1, 16, 64});
  auto channel = [&](std::array<int64_t, numDims> source,
                     const std::string &more) {
    std::array<int64_t, numDims> result = source;
    result[C] = 16;
    return plan(neural(view(source), view(result), "op = mac, " + one, more))
        .source1.channelStride;
  };
  EXPECT_EQ(channel({1, 1, 1024, 1, 512}, kernel), 512 * 2 + l2Granule)
      << "1 MiB has room, spread over banks";
  EXPECT_EQ(channel({1, 1, 2048, 1, 1024}, kernel), h13.neStreamBytes);
  EXPECT_FALSE(planL2(
      parse(neural(view({1, 1, 2048, 1, 1024}), view({1, 1, 16, 1, 1024}),
                   "op = mac, " + one, " with @k")),
      {.bytes = h13.l2Bytes}, h13))
      << "coefficients are read in several passes";
  EXPECT_EQ(channel({1, 1, 1024, 2, 512}, kernel), 512 * 2 + l2Granule)
      << "so are rows";
  EXPECT_FALSE(planL2(
      parse(neural(view({1, 2, 2048, 1, 1024}), view({1, 2, 16, 1, 1024}),
                   "op = mac, " + one, kernel)),
      {.bytes = h13.l2Bytes}, h13))
      << "and slices of depth";
  EXPECT_EQ(channel({1, 1, 1024, 1, 512}, " with @k"), 512 * 2)
      << "of a constant kernel nothing is spread";
}

TEST_F(L2PlanTest, AnExchangeOfRowsIsGathered) {
  auto isGathered = [&](const std::string &from, const std::string &to) {
    return plan(neural(from, to, pass + ", transposed = true")).resultIsTile;
  };
  EXPECT_TRUE(isGathered(view({1, 1, 8, 4, 32}), view({1, 1, 32, 4, 8})));
  EXPECT_FALSE(isGathered(view({1, 1, 1, 4, 32}), view({1, 1, 32, 4, 1})));
  EXPECT_FALSE(isGathered(view({1, 1, 8, 4, 1}), view({1, 1, 1, 4, 8})));
  auto distance = [&](int64_t height) {
    return plan(neural(view({1, 1, 2048, height, 16}),
                       view({1, 1, 16, height, 2048}),
                       pass + ", transposed = true"))
        .result.channelStride;
  };
  EXPECT_EQ(distance(1), 2048 * 2 + l2Granule) << "a line is spread";
  EXPECT_EQ(distance(4), 2048 * 2);
}

TEST_F(L2PlanTest, ACopyOutOfLongerRowsIsGathered) {
  std::string to = view({1, 1, 8, 4, 32}), crop = view({1, 1, 8, 4, 32}, 128);
  EXPECT_TRUE(plan(neural(crop, to, pass)).resultIsTile);
  EXPECT_FALSE(plan(neural(to, to, pass)).resultIsTile);
  EXPECT_FALSE(plan(neural(crop, to, pass + ", relu = true")).resultIsTile);
  EXPECT_FALSE(plan(neural(crop, to, pass, " with @k")).resultIsTile);
  std::string maximum = pass;
  maximum.replace(maximum.find("pass"), 4, "max");
  EXPECT_FALSE(plan(neural(crop, to, maximum)).resultIsTile);
  // Of one row the distance to another one tells nothing.
  std::string line = "<@b + 0, [1, 1, 8, 1, 32], [1024, 1024, 128, 64]> ";
  EXPECT_TRUE(plan(neural(line, view({1, 1, 8, 1, 32}), pass)).resultIsTile);
}

TEST_F(L2PlanTest, RowsOfOnePieceAreNoFurtherApart) {
  std::string maximum = pass;
  maximum.replace(maximum.find("pass"), 4, "max");
  maximum.replace(maximum.find("unicast = 1"), 11, "unicast = 0");
  auto apart = [&](int64_t columns) {
    L2Plan result = plan(neural(view({1, 1, 8, 8, columns}),
                                view({1, 1, 1, 8, columns}), maximum));
    RowsTogether wide = rowsOfPass;
    wide.apart = wideRowsApart;
    EXPECT_NE(wide.spread(result.source1.groupStride),
              rowsOfPass.spread(result.source1.groupStride));
    return result.source1.rowStride == wide.spread(result.source1.groupStride);
  };
  EXPECT_FALSE(apart(128)) << "256 bytes";
  EXPECT_TRUE(apart(136));
}

TEST_F(L2PlanTest, ARepeatedRowIsKept) {
  std::string row = view({1, 1, 1, 1, 32});
  const std::string repeats = sum + ", broadcast1 = 2";
  L2Plan result = plan(planar(row, rows, repeats));
  EXPECT_TRUE(result.source1IsKept && result.resultIsTile);
  EXPECT_FALSE(plan(planar(row + "and " + rows, rows, repeats)).source1IsKept);
  L2Use use;
  use.source1 = Residence::resident;
  EXPECT_FALSE(plan(planar(row, rows, repeats), use).source1IsKept)
      << "it is there already";
}

TEST_F(L2PlanTest, GroupsOfAVectorTakeTurns) {
  auto group = [&](int64_t groups) {
    return plan(planar(view({groups, 1, 8, 1, 32}), view({groups, 1, 1, 1, 8}),
                       "op = add, reduce = sum, post = none, vectorResult = "
                       "true"))
        .result.groupStride;
  };
  EXPECT_GT(group(1), 0);
  EXPECT_EQ(group(2), 0);
}

} // namespace
