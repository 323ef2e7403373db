//===- NeuralPairsTest.cpp - Tasks that take channels two by two ----------===//

#include "Fixtures.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using td::Field;
using testing::HasSubstr;

namespace {

/// As the last task of a real power multiplies y and ln x.
TEST(NeuralPairs, ProductOfPairsOfChannels) {
  Extents in{1, 1, 10, 3, 7}, out{1, 1, 5, 3, 7};
  auto unaryOf = [&](auto change) {
    Unary unary(in, out);
    unary.task.set(Field::MACOpMode, 2);
    unary.task.set(Field::KernelMode, 1);
    unary.task.set(Field::ElemMultMode, 1);
    unary.task.set(Field::UnicastEn, 1);
    unary.task.set(Field::UnicastCin, 2);
    change(unary.task);
    return unary;
  };
  Array x = randomArray(in, 28), y(out);
  forEach(out, [&](uint32_t, uint32_t, uint32_t c, uint32_t h, uint32_t w) {
    y.at(0, 0, c, h, w) = x.at(0, 0, 2 * c, h, w) * x.at(0, 0, 2 * c + 1, h, w);
  });
  expectRounded(unaryOf([](auto &) {}).run(x), y);

  auto message = [&](auto change) {
    Unary unary = unaryOf(change);
    unary.model.add(unary.task);
    return refusal(unary.model);
  };
  EXPECT_THAT(message([](auto &task) { task.set(Field::ElemMultMode, 0); }),
              HasSubstr("NE.MACCfg.OpMode says otherwise"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::MACOpMode, 0); }),
              HasSubstr("NE.MACCfg.OpMode says otherwise"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::KernelMode, 0); }),
              HasSubstr("a product of channels takes no coefficients"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::UnicastCin, 5); }),
              HasSubstr("Common.GroupConvCfg.UnicastCin"));
  EXPECT_THAT(message([](auto &task) { task.set(Field::Kw, 3); }),
              HasSubstr("known element by element only"));
}

} // namespace
