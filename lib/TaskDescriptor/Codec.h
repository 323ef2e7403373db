//===- Codec.h - What the two codecs have in common -------------*- C++ -*-===//

#ifndef ANE_LIB_TASKDESCRIPTOR_CODEC_H
#define ANE_LIB_TASKDESCRIPTOR_CODEC_H

#include "ane/Support/BinaryReader.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "ane/TaskDescriptor/V7.h"

namespace ane::td {

using v7::extendedHeaderWords;
using v7::headerWords;

/// v7 descriptors start at multiples of this. Verified.
constexpr uint64_t taskAlignment = 0x100;

/// A base address field and the header fields that name its buffer.
struct BufferBinding {
  Field base;
  Field barEnable;
  Field bar;
};
llvm::ArrayRef<BufferBinding> bufferBindings();

/// The base of each auxiliary coefficient stream.
constexpr Field streamBases[] = {
    Field::StreamBiasBase, Field::StreamPostScaleBase, Field::StreamPaletteBase,
    Field::StreamLutBase};

/// The text of a program as a reader whose errors carry file offsets.
class TextReader {
public:
  explicit TextReader(const EncodedText &text)
      : text(text), reader(text.file, text.bytes) {}

  uint64_t size() const { return text.bytes.size(); }
  llvm::Expected<uint32_t> word(uint64_t offset, const llvm::Twine &what) const;
  llvm::Error error(uint64_t offset, const llvm::Twine &message) const {
    return makeFileError(text.file, text.fileOffset + offset, message);
  }

  const EncodedText &text;

private:
  BinaryReader reader;
};

/// Reads the header words at `offset` into an image; yields how many they are.
llvm::Expected<unsigned> decodeHeader(const TextReader &reader, uint64_t offset,
                                      uint32_t taskWords, RegisterImage &image);

/// One descriptor, `words` 32-bit words at `offset`.
llvm::Expected<TaskDescriptor> decodeTaskV7(const TextReader &reader,
                                            uint64_t offset, uint32_t words);
llvm::Expected<TaskDescriptor> decodeTaskV10(const TextReader &reader,
                                             uint64_t offset, uint32_t words);

/// A descriptor as words, and where in them the loader completes a value
/// (offsets in bytes from the start of the descriptor).
struct EncodedTask {
  std::vector<uint32_t> words;
  std::vector<RelocationSite> relocations;
};

/// Starts a descriptor with its header words.
llvm::Expected<EncodedTask> encodeHeader(const RegisterImage &image);

llvm::Expected<EncodedTask> encodeTaskV7(const TaskDescriptor &task);
llvm::Expected<EncodedTask> encodeTaskV10(const TaskDescriptor &task);

} // namespace ane::td

#endif // ANE_LIB_TASKDESCRIPTOR_CODEC_H
