//===- RowGroupsTest.cpp - Tasks that run row by row together -------------===//

#include "Execute/RowGroups.h"
#include "Surfaces.h"
#include "Tables.h"
#include "gtest/gtest.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

namespace {

constexpr Extents whole{1, 1, 4, 50, 400};
constexpr Extents narrow{1, 1, 4, 50, 1};

/// With rows as groups.
void exchange(Extents &extents, Strides &strides) {
  std::swap(extents.groups, extents.height);
  std::swap(strides.group, strides.row);
}
Operand asGroups(const Surface &surface) {
  Operand result = surface.operand();
  exchange(result.extents, result.source->strides);
  return result;
}
Result asGroups(Surface &surface) {
  Result result = surface.result();
  exchange(result.extents, result.destinations.front().strides);
  return result;
}

/// A softmax over columns, as Apple's compiler has it: maximum, difference,
/// 2^x, 1 / sum, product. Rows are groups but for 2^x.
struct Softmax {
  Surface x{whole, 1, Kind::Any}, largest{narrow}, difference{whole},
      power{whole}, sum{narrow}, y{whole};
  std::vector<TaskPlan> plans;

  Softmax() {
    PlanarTask task;
    task.extents = asGroups(std::as_const(x)).extents;
    PlanarTask reduction = task;
    reduction.reduction.emplace();
    reduction.reduction->maximum = true;
    reduction.first = asGroups(std::as_const(x));
    reduction.result = asGroups(largest);
    plans.push_back(reduction);

    task.first = asGroups(std::as_const(x));
    task.second = asGroups(std::as_const(largest));
    task.secondFactor = -1;
    task.scale = 1.4423828125f;
    task.result = asGroups(difference);
    plans.push_back(task);

    NeuralTask exp2;
    exp2.source = difference.operand();
    exp2.result = power.result();
    exp2.nonlinearity = Nonlinearity::Table;
    exp2.table = llvm::cantFail(ActivationTable::create(exp2Table()));
    plans.push_back(exp2);

    reduction.reduction->maximum = false;
    reduction.reduction->post = PostFunction::Reciprocal;
    reduction.first = asGroups(std::as_const(power));
    reduction.result = asGroups(sum);
    plans.push_back(reduction);

    task.op = PlanarOp::Multiply;
    task.first = asGroups(std::as_const(power));
    task.second = asGroups(std::as_const(sum));
    task.secondFactor = 1;
    task.scale = 1;
    task.result = asGroups(y);
    plans.push_back(task);
  }

  PlanarTask &planar(unsigned index) {
    return std::get<PlanarTask>(plans[index]);
  }

  std::vector<uint8_t> oneByOne(Instructions instructions) {
    Execution execution{Workers(1), Numerics::Documented, {}, instructions};
    for (const TaskPlan &plan : plans)
      std::visit([&](const auto &task) { execute(execution, task); }, plan);
    return std::exchange(y.bytes, std::vector<uint8_t>(y.bytes.size()));
  }
};

std::vector<std::pair<unsigned, unsigned>>
groupsOf(llvm::ArrayRef<TaskPlan> plans) {
  std::vector<std::pair<unsigned, unsigned>> result;
  for (const RowGroup &group : findRowGroups(plans))
    result.push_back({group.begin, group.end});
  return result;
}
using Groups = std::vector<std::pair<unsigned, unsigned>>;

TEST(RowGroups, SoftmaxInOneGo) {
  std::vector<uint8_t> expected = Softmax().oneByOne(Instructions::Portable);
  for (Instructions each :
       {Instructions::Portable, Instructions::AVX2, Instructions::AVX512}) {
    if (!hasInstructions(each))
      continue;
    EXPECT_TRUE(Softmax().oneByOne(each) == expected);
    for (unsigned threads : {1u, 2u, 3u}) {
      Softmax softmax;
      std::vector<RowGroup> groups = findRowGroups(softmax.plans);
      ASSERT_EQ(groups.size(), 1u);
      EXPECT_EQ(groups.front().begin, 0u);
      EXPECT_EQ(groups.front().end, 5u);
      // The results of bands go where the results go.
      uint8_t *target = softmax.y.bytes.data();
      EXPECT_EQ(groups.front().tasks.back().accesses.back().origin, target);
      Execution execution{Workers(threads), Numerics::Documented, {}, each};
      bool isVector = each != Instructions::Portable;
      EXPECT_EQ(execute(execution, groups.front()), isVector);
      if (isVector) {
        EXPECT_TRUE(softmax.y.bytes == expected) << threads;
      }
    }
  }
}

TEST(RowGroups, OfRowsThatMeetTheirOwnOnly) {
  // What follows reads the rows of another plane, or all of a plane at once.
  Softmax softmax;
  softmax.planar(4).second->source->strides.channel = 0;
  EXPECT_EQ(groupsOf(softmax.plans), (Groups{{0, 4}}));
  softmax = Softmax();
  softmax.planar(4).first.source->origin += softmax.power.strides.row;
  EXPECT_EQ(groupsOf(softmax.plans), (Groups{{0, 4}}));
  softmax = Softmax();
  softmax.planar(1).second->extents.groups = 1;
  EXPECT_EQ(groupsOf(softmax.plans), (Groups{{1, 5}}));
}

TEST(RowGroups, WrittenOverWhatIsReadLater) {
  // The last result over the first operand: row by row it may, rows apart not.
  Softmax softmax;
  Destination &last = softmax.planar(4).result.destinations.front();
  last.origin = softmax.x.bytes.data();
  EXPECT_EQ(groupsOf(softmax.plans), (Groups{{0, 5}}));
  last.origin += softmax.x.strides.row;
  EXPECT_EQ(groupsOf(softmax.plans), (Groups{{0, 4}}));
}

TEST(RowGroups, OfTasksAlike) {
  Softmax softmax;
  // In place, but not over other rows of what is read.
  Destination &difference = softmax.planar(1).result.destinations.front();
  difference.origin = softmax.x.bytes.data();
  EXPECT_EQ(groupsOf(softmax.plans), (Groups{{0, 5}}));
  difference.origin += softmax.x.strides.row;
  EXPECT_EQ(groupsOf(softmax.plans), (Groups{{2, 5}}));
  // Sums whose order matters.
  softmax = Softmax();
  softmax.planar(3).firstFactor = 0.5f;
  EXPECT_EQ(groupsOf(softmax.plans), (Groups{{0, 3}}));
  // Other rows.
  softmax = Softmax();
  for (Operand *operand :
       {&softmax.planar(4).first, &*softmax.planar(4).second})
    operand->extents.groups = 49;
  softmax.planar(4).extents.groups = 49;
  softmax.planar(4).result.extents.groups = 49;
  EXPECT_EQ(groupsOf(softmax.plans), (Groups{{0, 4}}));
  // Small ones stay in a cache.
  softmax = Softmax();
  for (unsigned index : {0u, 1u, 3u, 4u})
    softmax.planar(index).extents.channels = 1;
  EXPECT_EQ(groupsOf(softmax.plans), Groups());
}

} // namespace
