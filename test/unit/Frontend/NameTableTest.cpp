//===- NameTableTest.cpp - What the names of a function stand for ---------===//

#include "Parse/NameTable.h"
#include "gmock/gmock.h"
#include <string>
#include <vector>

using namespace ane::frontend;

namespace {

TEST(NameTable, AnEmptyOneHasNoName) {
  NameTable table;
  table.prefetch("a");
  EXPECT_EQ(table.find("a"), nullptr);
}

TEST(NameTable, TheFirstSymbolOfANameStays) {
  NameTable table;
  auto [first, isNew] = table.insert({"a", {}, {1, 2}});
  EXPECT_TRUE(isNew);
  auto [second, isSecondNew] = table.insert({"a", {}, {3, 4}});
  EXPECT_FALSE(isSecondNew);
  EXPECT_EQ(first, second);
  EXPECT_EQ(second->position.line, 1u);
}

// Symbols stay where they are while the table grows.
TEST(NameTable, FindsEachOfManyNames) {
  constexpr size_t count = 10'000;
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i)
    names.push_back("x" + std::to_string(i));
  NameTable table;
  std::vector<Symbol *> symbols;
  for (const std::string &name : names)
    symbols.push_back(table.insert({name, {}, {}}).first);
  for (size_t i = 0; i < count; ++i) {
    EXPECT_EQ(table.find(names[i]), symbols[i]);
    EXPECT_EQ(symbols[i]->name, names[i]);
  }
  EXPECT_EQ(table.find("x" + std::to_string(count)), nullptr);
}

TEST(NameTable, KeepsTheOrderAndForgetsAll) {
  NameTable table;
  for (llvm::StringRef name : {"c", "a", "b", "a"})
    table.insert({name, {}, {}});
  std::vector<llvm::StringRef> names;
  for (const Symbol &symbol : table)
    names.push_back(symbol.name);
  EXPECT_THAT(names, testing::ElementsAre("c", "a", "b"));
  table.clear();
  EXPECT_EQ(table.find("c"), nullptr);
  EXPECT_TRUE(table.insert({"c", {}, {}}).second);
}

} // namespace
