//===- ByteRanges.h - Which bytes of a memory are meant ---------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_BYTERANGES_H
#define ANE_LIB_ENGINE_BYTERANGES_H

#include "TaskView.h"
#include "llvm/ADT/BitVector.h"
#include <map>

namespace ane::engine {

struct Range {
  uint64_t begin, end;
  bool operator==(const Range &) const = default;
};

/// Calls `body` with the bytes of each contiguous piece of an operand, at its
/// addresses.
template <typename Body> void forEachPiece(const View &view, Body body) {
  const Strides &strides = view.strides;
  int64_t bytes = strides.elementBytes();
  bool isContiguous = strides.column == bytes && strides.columnInterleave == 1;
  view.forEachRow([&](uint32_t g, uint32_t d, uint32_t c, uint32_t h) {
    uint64_t row = view.address + strides.rowOffset(g, d, c, h);
    if (isContiguous)
      return body(Range{row, row + view.extents.width * bytes});
    for (uint32_t w = 0; w < view.extents.width; ++w) {
      uint64_t element = row + strides.columnOffset(w);
      body(Range{element, element + bytes});
    }
  });
}

/// Which bytes of a memory have been written. Takes memory in proportion to
/// them.
class Written {
public:
  void add(Range range) {
    forEachPage(range, [](llvm::BitVector &page, unsigned begin, unsigned end) {
      page.set(begin, end);
    });
  }

  /// Of bytes that no longer hold what was written there.
  void remove(Range range) {
    forEachPage(range, [](llvm::BitVector &page, unsigned begin, unsigned end) {
      page.reset(begin, end);
    });
  }

  /// The first byte that was not.
  std::optional<uint64_t> missing(Range range) const {
    for (uint64_t at = range.begin; at < range.end;) {
      uint64_t number = at / pageBytes, first = number * pageBytes;
      auto page = pages.find(number);
      if (page == pages.end())
        return at;
      uint64_t end = std::min(range.end, first + pageBytes);
      int unset = page->second.find_first_unset_in(at - first, end - first);
      if (unset >= 0)
        return first + unset;
      at = end;
    }
    return std::nullopt;
  }

private:
  static constexpr uint64_t pageBytes = 4096;

  template <typename Body> void forEachPage(Range range, Body body) {
    for (uint64_t at = range.begin; at < range.end;) {
      uint64_t number = at / pageBytes, first = number * pageBytes;
      uint64_t end = std::min(range.end, first + pageBytes);
      llvm::BitVector &page = pages[number];
      page.resize(pageBytes);
      body(page, at - first, end - first);
      at = end;
    }
  }

  std::map<uint64_t, llvm::BitVector> pages;
};

/// Bytes of a memory: first added, then merged, then looked for.
class Ranges {
public:
  Ranges() = default;
  explicit Ranges(const View &view) {
    add(view);
    common = merge();
  }

  void add(const View &view) {
    forEachPiece(view, [&](Range range) { all.push_back(range); });
  }

  /// The first byte that was added twice.
  std::optional<uint64_t> merge();

  /// The first byte of a range, or of others, that is among them.
  std::optional<uint64_t> find(Range range) const;
  std::optional<uint64_t> find(const Ranges &others) const;

  /// Those of a view that share bytes with each other.
  std::optional<uint64_t> shared() const { return common; }
  bool empty() const { return all.empty(); }
  uint64_t end() const { return all.empty() ? 0 : all.back().end; }
  llvm::ArrayRef<Range> list() const { return all; }

private:
  std::vector<Range> all;
  std::optional<uint64_t> common;
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_BYTERANGES_H
