//===- TaskDescriptor.h - One task and a program of tasks -------*- C++ -*-===//

#ifndef ANE_TASKDESCRIPTOR_TASKDESCRIPTOR_H
#define ANE_TASKDESCRIPTOR_TASKDESCRIPTOR_H

#include "ane/TaskDescriptor/RegisterImage.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace ane::td {

/// The two spellings of a program.
enum class Format { V7, V10 };
llvm::StringRef stringifyFormat(Format format);

/// A run of consecutive registers that a v7 record writes.
struct RegisterRun {
  Block block;
  uint16_t firstWord; ///< word of the block
  uint16_t words;
  bool operator==(const RegisterRun &other) const = default;
};

/// A task: what its registers say, and how a v7 stream that it was read from
/// said it. A new task leaves both `runs` and `textOffset` alone.
struct TaskDescriptor {
  RegisterImage image;
  /// The registers that the records wrote, record by record. The others are at
  /// their default in `image`; the hardware keeps the value that an earlier
  /// task gave them, see convertProgram. Empty: all are meant.
  llvm::SmallVector<RegisterRun, 8> runs;
  /// Where the descriptor was. It goes there again if there is room.
  std::optional<uint32_t> textOffset;
};

/// A place in the encoded text whose value the loader completes.
struct RelocationSite {
  enum class Target {
    Coefficients, ///< a lane base, relative to the constants
    Buffer,       ///< an operand base, relative to the buffer of a BAR
  };
  uint32_t offset; ///< of the 32-bit word in the text
  Target target;
  uint8_t bar; ///< of the buffer, or of the coefficients
};

/// What switches a coefficient stream on.
struct CoefficientSwitch {
  Field enable;
  unsigned index; ///< of the lane or of the auxiliary stream
};

/// The switch of the lane or auxiliary stream whose start a register word is;
/// nothing for any other word. A v7 stream has a relocation for the start of
/// each that is on: verified for lanes, assigned for auxiliary streams.
std::optional<CoefficientSwitch> coefficientSwitch(Block block, unsigned word);

/// A program as text section bytes.
struct EncodedProgram {
  std::vector<uint8_t> text;
  uint32_t entry = 0;          ///< offset of the first descriptor
  uint32_t firstTaskWords = 0; ///< words of the first descriptor
  std::vector<RelocationSite> relocations;
};

/// Writes into a header what follows from the place of the task among the
/// `count` of its program: TID, LNID, EON, LogEvents, DebugLogEvents, TBE. Size
/// and offset of the next descriptor are the encoder's.
void linkTask(RegisterImage &image, size_t index, size_t count);

/// The same for all tasks of a program.
void linkTasks(llvm::MutableArrayRef<TaskDescriptor> tasks);

/// Encodes a linked program. Fails when a descriptor cannot be spelled in the
/// format, naming the task and the register: in v10 bits of no known field and
/// a base whose buffer the header does not name, in v7 a register that is not
/// at its default and that none of `runs` writes.
llvm::Expected<EncodedProgram> encodeProgram(llvm::ArrayRef<TaskDescriptor>,
                                             Format format);

/// Several linked programs as one text, each behind the one before, in that
/// order. The first has the text of all, and each the relocations of its own
/// tasks; v10 has one header in front of all (assigned).
llvm::Expected<std::vector<EncodedProgram>>
encodePrograms(llvm::ArrayRef<llvm::ArrayRef<TaskDescriptor>> programs,
               Format format);

/// Where encoded text came from, for decoding it.
struct EncodedText {
  llvm::StringRef file; ///< for errors
  uint64_t fileOffset;  ///< of the text in the file
  llvm::ArrayRef<uint8_t> bytes;
  uint32_t entry;          ///< offset of the first descriptor
  uint32_t firstTaskWords; ///< words of the first descriptor
  uint32_t numTasks;
  /// Addresses of the buffers. A v10 stream whose slots the loader resolved is
  /// read relative to them; empty for the text as it lies in the file.
  llvm::ArrayRef<uint64_t> bars;
};

/// The format of a program text: a v10 text starts with its program header.
Format detectFormat(llvm::ArrayRef<uint8_t> text);

/// Decodes all descriptors of a program by following the next pointers.
/// Refuses, at a file offset, a chain that leaves the text, goes back or does
/// not have `numTasks` members, and every record that is not well formed. What
/// is accepted encodes to the same bytes again; in a v10 text with `bars`, but
/// for the slots. The memory it takes is in proportion to the text.
llvm::Expected<std::vector<TaskDescriptor>> decodeProgram(const EncodedText &);

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_TASKDESCRIPTOR_H
