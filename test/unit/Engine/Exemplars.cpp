//===- Exemplars.cpp - What the decoded real programs compute -------------===//

#include "Exemplars.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

double Outcome::worstError() const {
  double worst = 0;
  for (auto [value, wanted] : llvm::zip(actual, expected))
    if (value != wanted) // infinities, too
      worst = std::max(worst, std::abs(value - wanted) /
                                  std::max(std::abs(wanted), 1.0));
  return worst;
}

namespace {

/// What stands for results that are the nearest fp16 numbers.
constexpr llvm::StringLiteral nearest = "nearest fp16";

/// A row of a table in docs/engine.md: a program in code marks comes first, the
/// error last.
struct Row {
  std::string program, description, error;
};

std::string readDocument() {
  auto text = llvm::MemoryBuffer::getFile(ENGINE_DOCUMENT);
  return text ? (*text)->getBuffer().str() : "";
}

std::vector<Row> readRows() {
  std::vector<Row> rows;
  std::string text = readDocument();
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    if (!line.consume_front("| `"))
      continue;
    auto [program, rest] = line.split("` | ");
    auto [description, error] = rest.rsplit(" | ");
    rows.push_back({program.str(), description.str(), error.trim(" |").str()});
  }
  return rows;
}

const std::vector<Row> &rows() {
  static const std::vector<Row> all = readRows();
  return all;
}

std::string rowText(llvm::StringRef program, llvm::StringRef description,
                    const Outcome &outcome) {
  std::string error = outcome.isExact()
                          ? nearest.str()
                          : llvm::formatv("{0:e1}", outcome.worstError()).str();
  return llvm::formatv("| `{0}` | {1} | {2} |", program, description, error)
      .str();
}

/// Whether the document states the error of an outcome: not less, and not much
/// more, which leaves room for another order of additions.
bool states(const Row &row, const Outcome &outcome) {
  if (outcome.isExact())
    return row.error == nearest;
  constexpr double slack = 1.3;
  double documented = 0, worst = outcome.worstError();
  return !llvm::StringRef(row.error).getAsDouble(documented) &&
         worst <= documented * slack && documented <= worst * slack;
}

} // namespace

std::string test::numberText(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

std::vector<std::string> test::documentedPrograms() {
  std::vector<std::string> names;
  for (const Row &row : rows())
    names.push_back(row.program);
  return names;
}

bool test::isDocumented(llvm::StringRef words) {
  return llvm::StringRef(readDocument()).contains(words);
}

void test::expectOutcome(llvm::StringRef program, llvm::StringRef description,
                         const Outcome &outcome) {
  ASSERT_EQ(outcome.actual.size(), outcome.expected.size());
  ASSERT_FALSE(outcome.actual.empty());
  unsigned failures = 0;
  for (size_t i = 0; i < outcome.actual.size() && failures < 5; ++i) {
    double wanted = outcome.expected[i];
    double limit = outcome.absolute + outcome.relative * std::abs(wanted);
    if (outcome.isExact())
      wanted = rounded(wanted);
    double value = outcome.actual[i];
    if (value != wanted && !(std::abs(value - wanted) <= limit)) {
      ADD_FAILURE() << "element " << i << " is " << value << ", expected "
                    << wanted;
      ++failures;
    }
  }
  EXPECT_TRUE(llvm::any_of(rows(),
                           [&](const Row &row) {
                             return row.program == program &&
                                    row.description == description &&
                                    states(row, outcome);
                           }))
      << "docs/engine.md should have the row\n"
      << rowText(program, description, outcome);
}
