//===- Patch.cpp - New weights for a compiled program ---------------------===//

#include "ane/Pipeline/Patch.h"
#include "Generate.h"
#include "Output/Emit.h"
#include "Patch/SameProgram.h"
#include "Patch/WritePatched.h"
#include "ProgramOptions.h"
#include "ane/Dialect/MIL/Transforms/WeightFiles.h"
#include "ane/E5/Companion.h"
#include "ane/Loader/Loader.h"
#include "ane/Object/Reader.h"
#include "ane/Pipeline/SourceProgram.h"
#include "ane/Support/FileError.h"
#include "ane/Support/FilePlan.h"
#include "ane/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace ane;
using llvm::Error;
using llvm::Expected;

namespace {

/// The dialect of a container of ours: each defines another number of types.
std::optional<object::Dialect> dialectOf(const object::Object &container) {
  size_t types = llvm::count_if(container.first<object::SymbolTable>()->symbols,
                                [](const object::Symbol &symbol) {
                                  return symbol.type == llvm::MachO::N_LSYM;
                                });
  for (object::Dialect dialect : object::allDialects)
    if (object::styleOf(dialect).types.size() == types)
      return dialect;
  return std::nullopt;
}

class Patcher {
public:
  explicit Patcher(const PatchOptions &options) : options(options) {}

  LogicalResult run() {
    if (Error error = open())
      return report(std::move(error));
    std::unique_ptr<SourceProgram> source =
        SourceProgram::load(compilation.input, compilation.function);
    if (!source)
      return failure();
    if (Error error = mil::addWeightFiles(source->getModule(),
                                          compilation.phases.modelPath, files))
      return report(std::move(error));
    if (failed(runPhases(source->getModule(), compilation)))
      return failure();
    FailureOr<GeneratedProgram> program =
        generate(source->getModule(), compilation);
    if (failed(program))
      return failure();
    FailureOr<object::Object> made = layout(*program, compilation);
    if (failed(made))
      return failure();
    tables = std::move(program->tables);
    return report(write(
        *made, describe(*made, std::move(program->descriptor), compilation)));
  }

private:
  LogicalResult report(Error error) const {
    return reported(std::move(error), options.container);
  }

  Error fail(const llvm::Twine &message) const {
    return makeFileError(options.container, 0, message);
  }

  /// Reads the container, its descriptor and how they were made.
  Error open() {
    Expected<object::Object> object = object::readObject(options.container);
    if (!object)
      return object.takeError();
    container = std::move(*object);
    if (loader::isLoadedImage(container))
      return fail("this is a loaded image; patch the container it was made "
                  "from");
    if (container.all<object::ProgramDescriptor>().size() > 1)
      return fail("the container has several procedures; compile the model "
                  "again");
    if (!container.first<object::SymbolTable>())
      return fail("the container has no symbols, so its weights have no names");
    files.addInput(options.model, "the model");
    if (Error error = files.addOutput(options.output, "-o"))
      return error;
    if (Error error = readDescriptor())
      return error;
    if (descriptor) {
      if (Error error = e5::checkCompanion(options.output, options.container))
        return error;
      llvm::SmallString<128> companion = e5::companionPath(options.output);
      if (e5::hasCompanion(options.output) &&
          !isSamePlace(companion, options.output))
        if (Error error = files.addOutput(companion, "-o"))
          return error;
    }
    compilation.input = options.model;
    compilation.output = options.output;
    compilation.phases.modelPath = options.modelPath;
    compilation.function = options.function;
    if (compilation.function.empty() && descriptor)
      compilation.function = descriptor->function;
    return readBanner();
  }

  Error readDescriptor() {
    llvm::SmallString<128> path = e5::companionPath(options.container);
    if (!llvm::sys::fs::exists(path))
      return Error::success();
    Expected<e5::Descriptor> read = e5::readE5(path);
    if (!read)
      return read.takeError();
    if (!read->isOf(container.buffer->getBuffer()))
      return makeFileError(
          path, 0,
          "this descriptor belongs to another container than " +
              options.container + "; move it away to patch without it");
    if (read->isPartitioned())
      return makeFileError(path, 0,
                           "the program was cut into segments, and the weights "
                           "of some are in this descriptor; compile it again");
    descriptor = std::move(*read);
    return Error::success();
  }

  /// Takes the options of the compilation from the banner, and the spelling of
  /// the container, which is not an option of the program, from itself.
  Error readBanner() {
    const auto *ident = container.first<object::Ident>();
    if (!ident || !StringRef(ident->text).contains("\nane-mlir v"))
      return fail("the container was not written by ane-compile, so how its "
                  "weights are packed is not known");
    bool hasFormat = false;
    SmallVector<StringRef> lines;
    StringRef(ident->text).split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : lines)
      hasFormat |= takeOptionLine(line, compilation) == formatOption;
    compilation.container = dialectOf(container);
    if (!compilation.container)
      return fail("the container is spelled as ane-compile spells none");
    if (!hasFormat)
      return fail("the banner of the container does not say how it was "
                  "compiled");
    return Error::success();
  }

  Error write(const object::Object &made, const e5::Descriptor &described) {
    StringRef file = options.container;
    if (Error error = checkSameProgram(container, file, made))
      return error;
    auto writeContainer = [&](llvm::raw_ostream &os) {
      return writePatched(container, file, made, tables, os);
    };
    if (!descriptor)
      return writeOutputFile(options.output, writeContainer);
    if (Error error = checkSameTensors(
            *descriptor, e5::companionPath(options.container), described))
      return error;
    return e5::writeWithCompanion(options.output, writeContainer, described);
  }

  const PatchOptions &options;
  FilePlan files;
  CompileOptions compilation;
  object::Object container;
  std::optional<e5::Descriptor> descriptor;
  std::vector<uint64_t> tables;
};

} // namespace

LogicalResult ane::patchWeights(const PatchOptions &options) {
  return Patcher(options).run();
}
