//===- TextWriter.h - Task descriptors as text, one by one ------*- C++ -*-===//

#ifndef ANE_TASKDESCRIPTOR_TEXTWRITER_H
#define ANE_TASKDESCRIPTOR_TEXTWRITER_H

#include "ane/TaskDescriptor/TaskDescriptor.h"

namespace ane::td {

/// Encodes the linked tasks of programs as they come, so that nobody needs the
/// descriptors of a long program at one time. See encodePrograms for the text
/// and for what fails.
class TextWriter {
public:
  explicit TextWriter(Format format);

  /// Starts a program behind those before it.
  void beginProgram();

  /// Appends the next task of the program that was begun last.
  llvm::Error append(const TaskDescriptor &task);

  /// Makes room for more tasks of the program, as large as those so far.
  void reserve(size_t numMore);

  /// The programs in their order; the first has the text of all.
  std::vector<EncodedProgram> finish() &&;

private:
  /// Says in the task before where the next one is, and its size in the unit
  /// of Header[1].NextSize: words but one.
  llvm::Error setNext(uint64_t offset, int64_t size);

  Format format;
  std::vector<uint8_t> text;
  std::vector<EncodedProgram> programs;
  /// Tasks of all programs, and of the last one.
  size_t numTasks = 0, index = 0;
  /// Where the task before starts.
  uint64_t previous = 0;
  /// For the fields of its header.
  RegisterImage header;
};

} // namespace ane::td

#endif // ANE_TASKDESCRIPTOR_TEXTWRITER_H
