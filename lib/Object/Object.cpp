//===- Object.cpp - A hardware container as plain data --------------------===//

#include "ane/Object/Object.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace ane::object;

std::optional<TensorLayout> TensorLayout::packed(uint32_t n, uint32_t c,
                                                 uint32_t h, uint32_t w,
                                                 uint32_t d) {
  if (!n || !c || !h || !w || !d)
    return std::nullopt;
  TensorLayout layout;
  layout.n = n;
  layout.c = c;
  layout.h = h;
  layout.w = w;
  layout.d = d;
  layout.rowStride = llvm::alignTo(w * layout.elementStride, granuleBytes);
  std::optional<uint64_t> plane =
      llvm::checkedMulUnsigned<uint64_t>(layout.rowStride, h);
  std::optional<uint64_t> depth =
      plane ? llvm::checkedMulUnsigned<uint64_t>(*plane, c) : std::nullopt;
  std::optional<uint64_t> batch =
      depth ? llvm::checkedMulUnsigned<uint64_t>(*depth, d) : std::nullopt;
  if (!batch)
    return std::nullopt;
  layout.planeStride = *plane;
  layout.depthStride = *depth;
  layout.batchStride = *batch;
  return layout;
}

std::optional<uint64_t> TensorLayout::totalBytes() const {
  return llvm::checkedMulUnsigned<uint64_t>(batchStride, n);
}

std::optional<uint64_t> TensorLayout::exactBytes() const {
  if (!n || !c || !h || !w || !d)
    return std::nullopt;
  std::optional<uint64_t> bytes = 0;
  auto addSteps = [&](uint64_t stride, uint64_t steps) {
    std::optional<uint64_t> length = llvm::checkedMulUnsigned(stride, steps);
    bytes = bytes && length ? llvm::checkedAddUnsigned(*bytes, *length)
                            : std::nullopt;
  };
  addSteps(batchStride, n - 1);
  addSteps(depthStride, d - 1);
  uint64_t together = std::min(interleave, c);
  addSteps(planeStride, interleave ? (c - 1) / interleave : 0);
  addSteps(rowStride, h - 1);
  addSteps(elementStride, (w - 1) * uint64_t(interleave) + together);
  return bytes;
}

namespace {

/// Passes on a window of what is written to it.
class WindowStream : public llvm::raw_ostream {
public:
  WindowStream(llvm::raw_ostream &out, uint64_t begin, uint64_t end)
      : out(out), begin(begin), end(end) {
    SetUnbuffered();
  }

private:
  void write_impl(const char *data, size_t size) override {
    uint64_t from = std::clamp(position, begin, end);
    uint64_t to = std::clamp(position + size, begin, end);
    out.write(data + (from - position), to - from);
    position += size;
  }
  uint64_t current_pos() const override { return position; }

  llvm::raw_ostream &out;
  uint64_t begin;
  uint64_t end;
  uint64_t position = 0;
};

} // namespace

Chunk Chunk::slice(uint64_t offset, uint64_t size) const {
  if (offset == 0 && size == length)
    return *this;
  if (!data.empty())
    return bytes(data.slice(offset, size));
  if (!producer)
    return zeros(size);
  return produced(size,
                  [whole = producer, offset, size](llvm::raw_ostream &os) {
                    WindowStream window(os, offset, offset + size);
                    whole(window);
                  });
}

/// Writes bytes that may belong to a mapped file. A write from pages that are
/// not there yet falls back to copying them one by one, at less than half the
/// speed, so each page is read once before.
static void writeMapped(llvm::ArrayRef<uint8_t> data, llvm::raw_ostream &os) {
  constexpr size_t pieceBytes = 1u << 20;
  constexpr size_t hostPageBytes = 4096;
  while (!data.empty()) {
    llvm::ArrayRef<uint8_t> piece =
        data.take_front(std::min(pieceBytes, data.size()));
    for (size_t i = 0; i < piece.size(); i += hostPageBytes)
      (void)*static_cast<const volatile uint8_t *>(&piece[i]);
    os.write(reinterpret_cast<const char *>(piece.data()), piece.size());
    data = data.drop_front(piece.size());
  }
}

llvm::Error Chunk::write(llvm::raw_ostream &os) const {
  if (!data.empty()) {
    writeMapped(data, os);
    return llvm::Error::success();
  }
  if (producer) {
    uint64_t start = os.tell();
    producer(os);
    uint64_t written = os.tell() - start;
    if (written != length)
      return llvm::createStringError("a run of section contents has " +
                                     llvm::Twine(written) + " bytes, but " +
                                     llvm::Twine(length) + " were announced");
    return llvm::Error::success();
  }
  // raw_ostream counts zeros in 32 bits.
  constexpr uint64_t most = 1u << 30;
  uint64_t rest = length;
  for (; rest > most; rest -= most)
    os.write_zeros(most);
  os.write_zeros(rest);
  return llvm::Error::success();
}

uint64_t ane::object::totalSize(llvm::ArrayRef<Chunk> chunks) {
  uint64_t size = 0;
  for (const Chunk &chunk : chunks)
    size += chunk.size();
  return size;
}

llvm::SmallVector<const Section *, 16> Object::sections() const {
  llvm::SmallVector<const Section *, 16> result;
  for (const Segment *segment : all<Segment>())
    for (const Section &section : segment->sections)
      result.push_back(&section);
  return result;
}

const Section *Object::findSection(SectionType type) const {
  for (const Section *section : sections())
    if (section->type() == type)
      return section;
  return nullptr;
}

const OperandDescriptor *Object::findOperand(llvm::StringRef portName) const {
  for (const OperandDescriptor *operand : all<OperandDescriptor>())
    if (operand->port == portName)
      return operand;
  return nullptr;
}

std::optional<unsigned> Object::barOfAddress(uint64_t address) const {
  const auto *program = first<ProgramDescriptor>();
  return program ? barOfAddress(*program, address) : std::nullopt;
}

std::optional<unsigned> Object::barOfAddress(const ProgramDescriptor &program,
                                             uint64_t address) {
  if (address == 0)
    return std::nullopt;
  for (unsigned index = 0; index < maxBars; ++index)
    if (program.bars[index] == address)
      return index;
  return std::nullopt;
}
