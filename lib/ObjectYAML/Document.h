//===- Document.h - A text form as data -------------------------*- C++ -*-===//
//
// What stands between the YAML and the emission model of a container: the same
// as the model, but tasks are not encoded yet and contents are lines of bytes.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_OBJECTYAML_DOCUMENT_H
#define ANE_LIB_OBJECTYAML_DOCUMENT_H

#include "Scalars.h"
#include "ane/Object/Builder.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "llvm/Support/SMLoc.h"

namespace ane::objectyaml {

/// The most that a text or a note may have: what is in memory stays in
/// proportion to the text form but for runs of zeros.
constexpr uint64_t maxTextBytes = uint64_t(64) << 20;

/// A port and what the model keeps beside it.
struct PortItem {
  object::PortSpec spec;
  std::optional<unsigned> bar;
  llvm::SMLoc place;
};

/// A task and where the text has it.
struct TaskItem {
  td::TaskDescriptor task;
  llvm::SMLoc place;
};

/// Words of a text that is not tasks.
struct RawText {
  Content bytes;
  uint64_t entryOffset = 0;
  uint32_t firstTaskWords = 0;
  uint32_t taskCount = 0;
};

struct NoteItem {
  std::string owner;
  Content bytes;
};

struct Document {
  object::Dialect dialect = object::Dialect::V421;
  /// All of the model but ports, text, relocations, constants and notes.
  object::ContainerSpec spec;
  std::vector<PortItem> ports;
  std::vector<NoteItem> notes;
  Content constants;

  /// The text, either as tasks or as bytes.
  std::optional<RawText> raw;
  td::Format format = td::Format::V7;
  std::vector<TaskItem> tasks;
  /// Nothing for those that follow from the tasks.
  std::optional<std::vector<RelocationItem>> relocations;
};

/// The model of a document. The constants refer to the document. Fails as
/// encoding does; `failed` is the task that did, or null.
llvm::Expected<object::ContainerSpec> makeSpec(const Document &document,
                                               const TaskItem *&failed);

/// The document of a model, whose constants it refers to.
Document makeDocument(object::ContainerSpec spec);

/// Leaves out the word of unknown meaning that the style gives.
void dropUsualWords(Document &document);

/// How many members of a style are not those of a dialect.
unsigned styleDistance(const object::ContainerStyle &style,
                       object::Dialect dialect);
bool isSameProperties(llvm::ArrayRef<object::Property> a,
                      llvm::ArrayRef<object::Property> b);

/// The BAR of each port, if each says so, else what assignBars gives.
std::vector<unsigned> barsOf(llvm::ArrayRef<PortItem> ports);

} // namespace ane::objectyaml

#endif // ANE_LIB_OBJECTYAML_DOCUMENT_H
