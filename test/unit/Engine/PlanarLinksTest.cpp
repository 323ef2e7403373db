//===- PlanarLinksTest.cpp - What planar tasks say of others --------------===//

#include "Findings.h"
#include "Fixtures.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using testing::HasSubstr;

namespace {

/// Common.Cfg.TaskType of one source.
constexpr auto One = td::TaskType::OneSource;

/// What is found of two tasks, the first of which leaves its result in the
/// scratchpad, for the second to read or not.
std::string findingsOfPair(
    llvm::function_ref<void(td::RegisterImage &, td::RegisterImage &)> change,
    bool reads = true) {
  Extents extents{1, 1, 2, 1, 4};
  Model model;
  model.input("a", extents);
  model.output("y", extents);
  td::RegisterImage keep = planarTask(One, extents);
  model.readFirst(keep, "a");
  setL2Result(keep, 0x100, 0x10, 0x20);
  td::RegisterImage next = planarTask(One, extents);
  if (reads)
    setL2Source(next, 0x100, 0x10, 0x20);
  else
    model.readFirst(next, "a");
  model.write(next, "y");
  change(keep, next);
  model.add(keep);
  model.add(next);
  return llvm::join(findings(model), "\n");
}

std::string linkFindings(bool linksOut, bool linksIn, bool reads = true) {
  return findingsOfPair(
      [&](td::RegisterImage &first, td::RegisterImage &second) {
        first.set(Field::LinkOut, linksOut);
        second.set(Field::LinkIn, linksIn);
      },
      reads);
}

/// Links say nothing of operands: in a real program there is one in front of a
/// task that reads an older result.
TEST(PlanarLinks, SayNothingOfOperands) {
  EXPECT_EQ(linkFindings(true, true), "");
  EXPECT_EQ(linkFindings(false, false), "");
  EXPECT_EQ(linkFindings(true, true, /*reads=*/false), "");
  EXPECT_THAT(
      linkFindings(false, true),
      HasSubstr("1: NE.KernelCfg.LinkIn (bits 14:14 of register 0x0c800) "
                "is 0x1: the task before has no LinkOut"));
  EXPECT_THAT(linkFindings(true, false),
              HasSubstr("is 0x0: the task before has LinkOut"));
}

/// What the second of two tasks says of who wrote its source.
std::string writerFindings(Field field, uint32_t writer) {
  return findingsOfPair([&](td::RegisterImage &, td::RegisterImage &second) {
    second.set(field, writer);
  });
}

TEST(PlanarLinks, NameWriters) {
  for (Field field : {Field::SourceDependent, Field::Source2Dependent}) {
    EXPECT_EQ(writerFindings(field, 0), "");
    EXPECT_EQ(writerFindings(field, 2), "");
    EXPECT_THAT(
        writerFindings(field, 1),
        HasSubstr("the task before is not of the engine that it names"));
    EXPECT_THAT(writerFindings(field, 3), HasSubstr("only 0 to 2 are known"));
  }
}

/// As in a real select: what is stored in scratch memory and fetched again.
TEST(PlanarLinks, GoByWayOfMemory) {
  Extents extents{2, 2, 3, 4, 19};
  Model model;
  model.input("a", extents);
  model.output("y", extents);
  model.scratchBytes = packedLayout(extents).batchStride * 2;
  td::RegisterImage stored = planarTask(One, extents);
  model.readFirst(stored, "a");
  setResult(stored, object::BarScratch, packedLayout(extents));
  stored.set(Field::LinkOut, 1);
  model.add(stored);
  td::RegisterImage fetched = planarTask(One, extents);
  setSource(fetched, object::BarScratch, packedLayout(extents));
  fetched.set(Field::LinkIn, 1);
  model.write(fetched, "y");
  model.add(fetched);
  Array a = randomArray(extents, 33);
  expectRounded(run(model, {{"a", a}})["y"], a);
}

} // namespace
