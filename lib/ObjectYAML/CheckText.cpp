//===- CheckText.cpp - Bounds of what the YAML parser sees ----------------===//

#include "CheckText.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/STLExtras.h"

using namespace ane;
using llvm::Error;
using llvm::StringRef;

namespace {

/// More than the text form uses, few enough for any stack.
constexpr size_t maxIndent = 64;
constexpr size_t maxIndicators = 8;

bool isIndicator(char c) { return StringRef("-?:").contains(c); }
bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// The block indicators at the start of a line.
size_t countIndicators(StringRef line) {
  size_t count = 0;
  while (!line.empty() && isIndicator(line.front()) &&
         (line.size() == 1 || isBlank(line[1]))) {
    ++count;
    line = line.drop_front().drop_while(isBlank);
  }
  return count;
}

/// Where a line has a flow collection that is not empty.
size_t findFlow(StringRef line) {
  for (size_t i = line.find_first_of("[]{}"); i != StringRef::npos;
       i = line.find_first_of("[]{}", i + 1)) {
    StringRef two = line.substr(i, 2);
    if (two != "[]" && two != "{}")
      return i;
    ++i;
  }
  return StringRef::npos;
}

} // namespace

Error objectyaml::checkText(llvm::MemoryBufferRef buffer) {
  StringRef text = buffer.getBuffer();
  for (uint64_t number = 1; !text.empty(); ++number) {
    // A carriage return ends a line of YAML, too.
    size_t end = text.find_first_of("\r\n");
    StringRef line = text.take_front(end);
    text = end == StringRef::npos ? StringRef() : text.drop_front(end);
    if (!text.consume_front("\r\n"))
      text = text.drop_front(!text.empty());

    StringRef body = line.drop_while(isBlank);
    size_t indent = line.size() - body.size();
    auto fail = [&](size_t column, const llvm::Twine &message) {
      return llvm::make_error<FileError>(buffer.getBufferIdentifier(), number,
                                         column + 1, message);
    };
    if (body.starts_with("#"))
      continue;
    if (indent > maxIndent && !body.empty())
      return fail(maxIndent, "a line indented by more than " +
                                 llvm::Twine(maxIndent) + " columns");
    if (countIndicators(body) > maxIndicators)
      return fail(indent, "more than " + llvm::Twine(maxIndicators) +
                              " block indicators in a row");
    if (size_t flow = findFlow(line); flow != StringRef::npos)
      return fail(flow,
                  "flow collections are not read; write a list in lines, and "
                  "a bracket of a string as %5B, %5D, %7B or %7D");
  }
  return Error::success();
}
