//===- Input.h - The file to show -------------------------------*- C++ -*-===//

#ifndef ANE_TOOLS_OBJDUMP_INPUT_H
#define ANE_TOOLS_OBJDUMP_INPUT_H

#include "ane/E5/E5.h"
#include "ane/Object/Object.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"

namespace ane::objdump {

/// A task descriptor and its place in the text.
struct PlacedTask {
  td::TaskDescriptor task;
  uint64_t offset = 0;
  uint32_t words = 0;
  size_t procedure = 0; ///< index into Input::procedures
  size_t index = 0;     ///< in the procedure
};

/// A chain of task descriptors. A container may have several, in one text; a
/// bare text is one without a name.
struct Procedure {
  const object::ProgramDescriptor *descriptor = nullptr;
  const object::Section *section = nullptr;
  /// Where the descriptors are. No tasks if a container has no text.
  td::EncodedText text = {};
  td::Format format = td::Format::V7;
};

/// A dispatch descriptor and its file.
struct NamedDescriptor {
  std::string path;
  e5::Descriptor descriptor;
};

/// A container, or the text and coefficients of a program without one.
struct Input {
  std::string path;
  /// The bytes of the file; for a container, `object` owns them.
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  /// Nothing for a bare text.
  std::optional<object::Object> object;

  /// Of the procedures of a container, decoded or not.
  llvm::SmallVector<const object::ProgramDescriptor *, 8> programs;
  /// Those whose tasks are decoded, in the same order.
  std::vector<Procedure> procedures;
  /// The tasks of all procedures, one procedure after the other.
  std::vector<PlacedTask> tasks;

  /// Coefficients, their offset in the file and their device address.
  llvm::ArrayRef<uint8_t> constants;
  uint64_t constantsOffset = 0;
  uint64_t constantsAddress = 0;

  /// The descriptors beside the container that were read.
  std::vector<NamedDescriptor> descriptors;

  llvm::StringRef bytes() const {
    return (object ? object->buffer : buffer)->getBuffer();
  }

  const Procedure &procedureOf(const PlacedTask &task) const {
    return procedures[task.procedure];
  }

  /// How titles name a procedure of the container, decoded or not: nothing
  /// where it is the only one, otherwise ` of 'name'`.
  std::string describe(size_t procedure) const;

  /// The spelling of the tasks, for titles.
  std::string formatName() const;
};

/// Reads a container, without its tasks.
llvm::Expected<Input> readContainer(llvm::StringRef path);

/// Reads a text without a container: descriptors from the start of the file,
/// coefficients from the next multiple of 64 bytes. No field of it holds the
/// length of the first descriptor; a v7 descriptor ends with the record that
/// writes the last register of TileDMADst (verified).
llvm::Expected<Input> readRawText(llvm::StringRef path);

/// Decodes the tasks of all procedures of a container. Errors are located in
/// the file.
llvm::Error decodeTasks(Input &input);

/// Reads the `.e5` beside the file; if the container has several procedures,
/// those of their functions and one of all of them. Without any it is an error
/// if `required`.
llvm::Error readDescriptors(Input &input, bool required);

} // namespace ane::objdump

#endif // ANE_TOOLS_OBJDUMP_INPUT_H
