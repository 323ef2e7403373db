//===- ByteRanges.h - Which bytes of a memory are meant ---------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_WATCH_BYTERANGES_H
#define ANE_LIB_ENGINE_WATCH_BYTERANGES_H

#include "Watch/TaskView.h"
#include "llvm/ADT/BitVector.h"
#include <map>

namespace ane::engine {

struct Range {
  uint64_t begin, end;
  bool operator==(const Range &) const = default;
};

/// The bytes of an operand, at its addresses, as contiguous pieces. A piece
/// that strides lead to many times counts once, and pieces that touch along an
/// axis are one, so that an operand has few of them, whatever its extents.
class Pieces {
public:
  explicit Pieces(const View &view);

  template <typename Body> void forEach(Body body) const {
    for (const Box &box : boxes)
      forEach(box, box.axes, box.begin, body);
  }

  /// The first byte that strides lead to twice. Of pieces that overlap, but
  /// whose strides have no common measure, it says nothing.
  std::optional<uint64_t> repeated() const { return twice; }

private:
  struct Axis {
    uint64_t stride, extent;
  };
  /// Pieces of one length.
  struct Box {
    uint64_t begin, length;
    llvm::SmallVector<Axis, 7> axes; ///< the largest stride last
  };

  void add(uint64_t begin, int64_t elementBytes,
           llvm::ArrayRef<std::pair<int64_t, uint64_t>> axes);

  template <typename Body>
  static void forEach(const Box &box, llvm::ArrayRef<Axis> axes, uint64_t at,
                      Body &body) {
    if (axes.empty())
      return body(Range{at, at + box.length});
    for (uint64_t i = 0; i < axes.back().extent; ++i)
      forEach(box, axes.drop_back(), at + i * axes.back().stride, body);
  }

  llvm::SmallVector<Box, 1> boxes;
  std::optional<uint64_t> twice;
};

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
  explicit Ranges(const View &view);

  void add(const View &view) { add(Pieces(view)); }

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
  void add(const Pieces &pieces) {
    pieces.forEach([&](Range range) { all.push_back(range); });
  }

  std::vector<Range> all;
  std::optional<uint64_t> common;
};

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_WATCH_BYTERANGES_H
