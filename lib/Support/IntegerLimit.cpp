//===- IntegerLimit.cpp - Which integers an input takes -------------------===//

#include "ane/Support/IntegerLimit.h"

using namespace ane;

/// In front of the largest number where no negative one is allowed.
static constexpr llvm::StringLiteral fromZero = "0..";

std::string ane::formatLimit(IntegerLimit limit) {
  std::string most = std::to_string(limit.most);
  return limit.hasNegative ? most : fromZero.str() + most;
}

std::optional<IntegerLimit> ane::parseLimit(llvm::StringRef text) {
  IntegerLimit limit;
  limit.hasNegative = !text.consume_front(fromZero);
  if (text.getAsInteger(10, limit.most))
    return std::nullopt;
  return limit;
}
