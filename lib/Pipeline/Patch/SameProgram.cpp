//===- SameProgram.cpp - Containers that differ in weights only -----------===//

#include "Patch/SameProgram.h"
#include "ane/Engine/HostPort.h"
#include "ane/Support/FileError.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using object::SectionType;

namespace {

StringRef directionOf(const object::OperandDescriptor &operand) {
  return operand.direction == object::PortDirection::Input ? "input" : "output";
}

std::string shapeOf(const object::TensorLayout &layout) {
  return llvm::formatv("[N {0}, D {1}, C {2}, H {3}, W {4}]", layout.n,
                       layout.d, layout.c, layout.h, layout.w)
      .str();
}

/// What a port takes, as the descriptor says it.
std::string limitOf(const e5::Port &port) {
  return formatLimit(port.limit.value_or(engine::exactIntegers));
}

/// Goes through both containers in the order in which a reader would ask.
class ProgramComparer {
public:
  ProgramComparer(const object::Object &old, StringRef file,
                  const object::Object &made)
      : old(old), file(file), made(made) {}

  Error compare() {
    if (Error error = compareBanners())
      return error;
    if (Error error = comparePorts())
      return error;
    if (Error error = compareTasks())
      return error;
    return compareCoefficients();
  }

private:
  Error fail(uint64_t offset, const llvm::Twine &message) const {
    return makeFileError(file, offset, message + onlyWeights);
  }

  template <typename T> uint64_t offsetOf(const T *body) const {
    for (const object::LoadCommand &command : old.commands)
      if (std::get_if<T>(&command.body) == body)
        return command.fileOffset;
    return 0;
  }

  Error compareBanners() const {
    const auto *a = old.first<object::Ident>();
    const auto *b = made.first<object::Ident>();
    auto [was, is] = std::pair(StringRef(a->text), StringRef(b->text));
    while (!was.empty() || !is.empty()) {
      auto [oldLine, oldRest] = was.split('\n');
      auto [newLine, newRest] = is.split('\n');
      if (oldLine != newLine)
        return fail(offsetOf(a), "the banner says '" + oldLine.trim() +
                                     "', a compilation now says '" +
                                     newLine.trim() + "'");
      was = oldRest;
      is = newRest;
    }
    return Error::success();
  }

  Error comparePorts() const {
    auto before = old.all<object::OperandDescriptor>();
    auto after = made.all<object::OperandDescriptor>();
    for (auto [a, b] : llvm::zip(before, after)) {
      if (a->port != b->port || a->direction != b->direction)
        return fail(offsetOf(a), directionOf(*a) + " '" + a->port + "' is " +
                                     directionOf(*b) + " '" + b->port +
                                     "' in the model");
      if (a->layout != b->layout)
        return fail(offsetOf(a), directionOf(*a) + " '" + a->port + "' is " +
                                     shapeOf(a->layout) + ", but " +
                                     shapeOf(b->layout) + " in the model");
    }
    if (before.size() != after.size())
      return fail(0, llvm::formatv("the container has {0} ports, the model {1}",
                                   before.size(), after.size()));
    return Error::success();
  }

  /// The program of a container as text and as tasks.
  struct Program {
    const object::Section *text;
    std::vector<td::TaskDescriptor> tasks;
  };

  Expected<Program> programOf(const object::Object &object) const {
    const object::Section *text = object.findSection(SectionType::Text);
    const auto *descriptor = object.first<object::ProgramDescriptor>();
    if (!text || !descriptor || descriptor->entry < text->address)
      return makeFileError(file, 0, "the container has no program");
    Expected<std::vector<td::TaskDescriptor>> tasks =
        td::decodeProgram({file,
                           text->fileOffset,
                           text->bytes(),
                           uint32_t(descriptor->entry - text->address),
                           descriptor->firstTaskWordsLessOne + 1,
                           descriptor->taskCount,
                           {}});
    if (!tasks)
      return tasks.takeError();
    return Program{text, std::move(*tasks)};
  }

  static std::optional<std::string> compareImages(const td::RegisterImage &a,
                                                  const td::RegisterImage &b,
                                                  bool header) {
    for (auto [number, info] : llvm::enumerate(td::fieldTable())) {
      if ((info.block == td::Block::Header) != header)
        continue;
      for (unsigned i = 0; i < info.count; ++i) {
        uint32_t before = a.get(td::Field(number), i);
        uint32_t after = b.get(td::Field(number), i);
        if (before != after)
          return llvm::formatv("{0} is {1:x}, but {2:x} in the model",
                               info.fullName(i), before, after)
              .str();
      }
    }
    return std::nullopt;
  }

  Error compareTasks() const {
    Expected<Program> before = programOf(old);
    if (!before)
      return before.takeError();
    Expected<Program> after = programOf(made);
    if (!after)
      return after.takeError();
    uint64_t offset = before->text->fileOffset;
    // What a task does comes before how the list of tasks is linked.
    for (bool header : {false, true})
      for (size_t index = 0;
           index < std::min(before->tasks.size(), after->tasks.size()); ++index)
        if (std::optional<std::string> difference = compareImages(
                before->tasks[index].image, after->tasks[index].image, header))
          return fail(offset,
                      "task " + llvm::Twine(index) + ": " + *difference);
    if (before->tasks.size() != after->tasks.size())
      return fail(offset,
                  llvm::formatv("the program has {0} tasks, that of the model "
                                "{1}",
                                before->tasks.size(), after->tasks.size()));
    return Error::success();
  }

  Error compareCoefficients() const {
    auto before = old.sections(), after = made.sections();
    for (auto [a, b] : llvm::zip(before, after))
      if (a->size != b->size)
        return fail(a->fileOffset,
                    llvm::formatv("section '{0},{1}' has {2} bytes, but {3} "
                                  "for the model",
                                  a->segmentName, a->name, a->size, b->size));
    const auto *was = old.first<object::SymbolTable>();
    const auto *is = made.first<object::SymbolTable>();
    if (was->symbols.size() != is->symbols.size())
      return fail(was->symbolOffset,
                  llvm::formatv("the container has {0} symbols, that of the "
                                "model {1}",
                                was->symbols.size(), is->symbols.size()));
    for (auto [index, a, b] : llvm::enumerate(was->symbols, is->symbols))
      if (a.value != b.value)
        return fail(was->symbolOffset + index * sizeof(llvm::MachO::nlist_64),
                    "coefficient block '" + was->name(a) +
                        "' lies elsewhere for the model");
    return Error::success();
  }

  const object::Object &old;
  StringRef file;
  const object::Object &made;
};

} // namespace

Error ane::checkSameProgram(const object::Object &old, StringRef file,
                            const object::Object &made) {
  return ProgramComparer(old, file, made).compare();
}

Error ane::checkSameTensors(const e5::Descriptor &old, StringRef file,
                            const e5::Descriptor &made) {
  auto compare = [&](llvm::ArrayRef<e5::Port> before,
                     llvm::ArrayRef<e5::Port> after, StringRef what) -> Error {
    for (auto [a, b] : llvm::zip(before, after)) {
      if (a == b)
        continue;
      auto fail = [&](const llvm::Twine &difference) {
        return makeFileError(file, 0,
                             what + " '" + a.name + "' " + difference +
                                 " in the model" + onlyWeights);
      };
      if (a.hostType != b.hostType)
        return fail("is " + e5::typeName(a.hostType) + ", but " +
                    e5::typeName(b.hostType));
      if (a.isState != b.isState)
        return fail(a.isState ? "is a state, but none"
                              : "is not a state, but is one");
      if (a.isShared != b.isShared)
        return fail(a.isShared
                        ? "lies where the output does, but does not"
                        : "does not lie where the output does, but does");
      if (a.limit != b.limit)
        return fail("takes integers within " + limitOf(a) + ", but within " +
                    limitOf(b));
      return fail("has another shape");
    }
    return Error::success();
  };
  if (Error error = compare(old.inputs, made.inputs, "input"))
    return error;
  if (Error error = compare(old.outputs, made.outputs, "output"))
    return error;
  if (old.function == made.function && old.segments == made.segments &&
      old.inputs.size() == made.inputs.size() &&
      old.outputs.size() == made.outputs.size() &&
      old.intermediates == made.intermediates)
    return Error::success();
  return makeFileError(file, 0,
                       "the descriptor of the model has another function, or "
                       "other segments or ports" +
                           llvm::Twine(onlyWeights));
}
