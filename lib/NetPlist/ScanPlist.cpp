//===- ScanPlist.cpp - Goes through the text of a property list -----------===//

#include "PlistText.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace ane;
using namespace ane::netplist;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {

enum class Tag { None, Plist, Dict, Array, Key, String, Integer, Real, Bool };

/// What is open around a place.
struct Level {
  Tag tag = Tag::None;
  StringRef name;
  bool wantsValue = false; ///< of a dict: its key has been read
  unsigned numValues = 0;
  llvm::StringSet<> keys;
};

class Scanner {
public:
  explicit Scanner(llvm::MemoryBufferRef buffer)
      : file(buffer.getBufferIdentifier()), text(buffer.getBuffer()) {}

  Expected<std::vector<Place>> scan() {
    if (Error error = scanAll())
      return error;
    return std::move(places);
  }

private:
  Error scanAll() {
    if (text.size() > maxBytes)
      return fail("a property list of " + Twine(text.size()) +
                  " bytes; the most is " + Twine(maxBytes));
    if (!llvm::json::isUTF8(text))
      return fail("the text is not UTF-8");
    skipSpace();
    if (text.substr(next).starts_with("<?xml"))
      if (Error error = skipPast("?>", "the XML declaration"))
        return error;
    skipSpace();
    if (text.substr(next).starts_with("<!DOCTYPE")) {
      size_t subset = text.find('[', next), end = text.find('>', next);
      if (subset < end) {
        advance(subset - next);
        return fail("a DOCTYPE with declarations of its own");
      }
      if (Error error = skipPast(">", "the DOCTYPE"))
        return error;
    }
    levels.emplace_back();
    while (true) {
      skipSpace();
      if (next == text.size())
        return finish();
      if (Error error = scanItem())
        return error;
    }
  }

  Error finish() {
    if (levels.size() > 1)
      return fail("<" + levels.back().name + "> is not closed");
    if (levels.back().numValues == 0)
      return fail("no <plist>");
    return Error::success();
  }

  /// A tag, or a leaf from its start to its end, or a comment.
  Error scanItem() {
    if (text.substr(next).starts_with("<!--"))
      return skipPast("-->", "a comment");
    if (text[next] != '<')
      return fail("text outside of <key>, <string>, <integer> and <real>");
    size_t end = text.find('>', next);
    if (end == StringRef::npos)
      return fail("a tag without '>'");
    StringRef tag = text.slice(next + 1, end);
    if (tag.consume_front("/"))
      return close(tag, end);
    bool isEmpty = tag.consume_back("/");
    StringRef name = tag.take_while([](char c) { return !llvm::isSpace(c); });
    StringRef attributes = tag.drop_front(name.size()).trim();
    Tag kind = llvm::StringSwitch<Tag>(name)
                   .Case("plist", Tag::Plist)
                   .Case("dict", Tag::Dict)
                   .Case("array", Tag::Array)
                   .Case("key", Tag::Key)
                   .Case("string", Tag::String)
                   .Case("integer", Tag::Integer)
                   .Case("real", Tag::Real)
                   .Cases({"true", "false"}, Tag::Bool)
                   .Default(Tag::None);
    if (kind == Tag::None)
      return fail("<" + name + "> is not of a network description");
    if (!attributes.empty() &&
        (kind != Tag::Plist || attributes != "version=\"1.0\""))
      return fail("<" + name + "> with attributes '" + attributes + "'");
    if (Error error = open(kind, name))
      return error;
    Place place = {line, column};
    advance(end + 1 - next);
    switch (kind) {
    case Tag::Plist:
    case Tag::Dict:
    case Tag::Array:
      if (isEmpty)
        return Error::success();
      if (levels.size() > maxDepth)
        return fail("nested deeper than " + Twine(maxDepth));
      levels.push_back({kind, name, false, 0, {}});
      return Error::success();
    case Tag::Bool:
      if (!isEmpty)
        return fail("<" + name + "> is written <" + name + "/>");
      return Error::success();
    default:
      return scanLeaf(kind, name, isEmpty, place);
    }
  }

  /// Whether a value or a key may stand here.
  Error open(Tag kind, StringRef name) {
    Level &level = levels.back();
    if ((kind == Tag::Plist) != (level.tag == Tag::None))
      return fail(
          "<" + name + "> " +
          (kind == Tag::Plist ? "inside a value" : "outside of <plist>"));
    if (kind == Tag::Key) {
      if (level.tag != Tag::Dict || level.wantsValue)
        return fail("a <key> where a value is due");
      return Error::success();
    }
    if (level.tag == Tag::Dict && !level.wantsValue)
      return fail("<" + name + "> where a <key> is due");
    if (level.tag != Tag::Dict && level.tag != Tag::Array &&
        level.numValues > 0)
      return fail("a second <" + name + ">");
    level.wantsValue = false;
    ++level.numValues;
    if (kind != Tag::Plist)
      places.push_back({line, column});
    return Error::success();
  }

  Error close(StringRef name, size_t end) {
    Level &level = levels.back();
    if (level.tag == Tag::None || level.name != name)
      return fail("</" + name + "> where " +
                  (level.tag == Tag::None
                       ? "nothing is open"
                       : ("</" + level.name + "> is due").str()));
    if (level.wantsValue)
      return fail("a <key> without a value");
    if (level.tag == Tag::Plist && level.numValues == 0)
      return fail("a <plist> without a value");
    levels.pop_back();
    advance(end + 1 - next);
    return Error::success();
  }

  Error scanLeaf(Tag kind, StringRef name, bool isEmpty, const Place &place) {
    StringRef contents;
    if (!isEmpty) {
      size_t end = text.find('<', next);
      StringRef rest = text.substr(end);
      if (!rest.consume_front("</") || !rest.consume_front(name) ||
          !rest.starts_with(">"))
        return fail("<" + name + "> is not closed");
      contents = text.slice(next, end);
    }
    for (size_t i = 0; i < contents.size(); ++i) {
      unsigned char c = contents[i];
      if (c < 0x20 && c != '\t' && c != '\n' && c != '\r')
        return failAt(place, "a control character in <" + name + ">");
      StringRef entity = contents.substr(i);
      if (c == '&' && !entity.starts_with("&lt;") &&
          !entity.starts_with("&gt;") && !entity.starts_with("&amp;") &&
          !entity.starts_with("&quot;") && !entity.starts_with("&apos;"))
        return failAt(place, "an entity other than &lt; &gt; &amp; &quot; "
                             "&apos; in <" +
                                 name + ">");
    }
    int64_t integer;
    double real;
    if (kind == Tag::Integer && contents.getAsInteger(10, integer))
      return failAt(place,
                    "'" + contents + "' is no decimal number of 64 bits");
    if (kind == Tag::Real &&
        (contents.getAsDouble(real) || !std::isfinite(real)))
      return failAt(place, "'" + contents + "' is no finite number");
    if (kind == Tag::Key) {
      levels.back().wantsValue = true;
      if (!levels.back().keys.insert(contents).second)
        return failAt(place, "the key '" + contents + "' is there twice");
    }
    if (!isEmpty)
      advance(contents.size() + name.size() + strlen("</>"));
    return Error::success();
  }

  void skipSpace() {
    while (next < text.size() && llvm::isSpace(text[next]))
      advance(1);
  }

  Error skipPast(StringRef end, StringRef what) {
    size_t found = text.find(end, next);
    if (found == StringRef::npos)
      return fail(what + " does not end");
    advance(found + end.size() - next);
    return Error::success();
  }

  void advance(size_t count) {
    for (size_t last = next + count; next < last; ++next) {
      ++column;
      if (text[next] == '\n') {
        ++line;
        column = 1;
      }
    }
  }

  Error fail(const Twine &message) { return failAt({line, column}, message); }
  Error failAt(const Place &place, const Twine &message) {
    return llvm::make_error<FileError>(file, place.line, place.column, message);
  }

  static constexpr size_t maxBytes = size_t(1) << 28;

  StringRef file;
  StringRef text;
  size_t next = 0;
  uint64_t line = 1, column = 1;
  std::vector<Level> levels;
  std::vector<Place> places;
};

} // namespace

Expected<std::vector<Place>>
ane::netplist::scanPlist(llvm::MemoryBufferRef buffer) {
  return Scanner(buffer).scan();
}
