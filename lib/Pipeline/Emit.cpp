//===- Emit.cpp - Writing what a phase produced ---------------------------===//

#include "Emit.h"
#include "ane/InitAll.h"
#include "ane/Object/Layout.h"
#include "ane/Object/Writer.h"
#include "ane/Support/FileError.h"
#include "ane/Support/OutputFile.h"
#include "ane/Support/Version.h"
#include "ane/TaskDescriptor/Disassembler.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace ane;

namespace {

/// Passes bytes on and hashes them on the way.
class HashingStream : public llvm::raw_ostream {
public:
  explicit HashingStream(llvm::raw_ostream &out) : out(out) { SetUnbuffered(); }
  std::string hexDigest() {
    return llvm::toHex(hash.final(), /*LowerCase=*/true);
  }

private:
  void write_impl(const char *data, size_t size) override {
    hash.update(StringRef(data, size));
    out.write(data, size);
    position += size;
  }
  uint64_t current_pos() const override { return position; }

  llvm::raw_ostream &out;
  llvm::SHA256 hash;
  uint64_t position = 0;
};

LogicalResult report(llvm::Error error, const CompileOptions &options) {
  if (!error)
    return success();
  reportErrors(std::move(error), options.input);
  return failure();
}

/// Lines of the container's banner: what made it, for what, and how.
std::vector<std::string> bannerLines(const CompileOptions &options) {
  std::vector<std::string> lines = {
      "ANEC v1", "ane-mlir v" + std::string(version),
      "\t-t " + options.phases.target,
      "\t--td-format=" + td::stringifyFormat(options.format).str()};
  for (const std::string &shape : options.phases.shapes)
    lines.push_back("\t--shape " + shape);
  if (options.phases.defaultShapes)
    lines.push_back("\t--default-shapes");
  if (options.phases.seedMissingWeights)
    lines.push_back("\t--missing-weights=seeded");
  return lines;
}

/// Keys and values of the descriptor's build information.
std::vector<std::pair<std::string, std::string>>
buildInfo(const CompileOptions &options) {
  return {
      {"component", "ane-mlir"},
      {"component-version", version},
      {"input-file", llvm::sys::path::filename(options.input).str()},
      {"on-device-compilation", "false"},
      {"target", options.phases.target},
      {"task-descriptor-format", td::stringifyFormat(options.format).str()}};
}

/// IR as bytecode into a file that is named `.mlirbc`, otherwise as text.
llvm::Error writeIR(ModuleOp module, const CompileOptions &options,
                    llvm::raw_ostream &os) {
  if (!StringRef(options.output).ends_with(".mlirbc")) {
    module.print(os, options.elideConstants ? debugPrintingFlags()
                                            : OpPrintingFlags());
    os << '\n';
    return llvm::Error::success();
  }
  if (failed(writeBytecodeToFile(module, os)))
    return makeFileError(options.output, 0, "cannot write bytecode");
  return llvm::Error::success();
}

/// Whether a dispatch descriptor belongs beside the output: not beside a pipe,
/// a device or standard output.
bool hasCompanion(StringRef output) {
  if (output == "-")
    return false;
  llvm::sys::fs::file_status status;
  return llvm::sys::fs::status(output, status) ||
         llvm::sys::fs::is_regular_file(status);
}

/// Tells the descriptor where the container puts its surfaces.
void addAddresses(const object::Object &container, e5::Descriptor &descriptor) {
  auto find = [&](e5::Port &port, const std::string &name) {
    for (const object::Port *candidate : container.all<object::Port>())
      if (candidate->name == name)
        port.address = candidate->address;
  };
  for (e5::Port &port : descriptor.inputs)
    find(port, port.name);
  for (e5::Port &port : descriptor.outputs)
    find(port, port.name + object::outputSuffix);
}

/// The dispatch descriptor that goes with a container.
llvm::SmallString<128> companionPath(StringRef output) {
  llvm::SmallString<128> path(output);
  llvm::sys::path::replace_extension(path, "e5");
  return path;
}

} // namespace

LogicalResult ane::checkOutput(const CompileOptions &options) {
  llvm::SmallVector<std::string, 2> paths;
  if (options.output != "-")
    paths.push_back(options.output);
  if (options.emit == "hwx" && hasCompanion(options.output))
    paths.push_back(companionPath(options.output).str().str());
  if (paths.size() == 2 && paths[0] == paths[1])
    return report(makeFileError(options.output, 0,
                                "this is the name of the dispatch descriptor "
                                "beside the container; name the container "
                                "*.hwx, or use --emit=e5"),
                  options);
  for (const std::string &path : paths)
    if (llvm::sys::fs::equivalent(path, options.input))
      return report(makeFileError(path, 0,
                                  "the output would replace the input; choose "
                                  "another name with -o"),
                    options);
  return success();
}

LogicalResult ane::emitIR(ModuleOp module, const CompileOptions &options) {
  return report(writeOutputFile(options.output,
                                [&](llvm::raw_ostream &os) {
                                  return writeIR(module, options, os);
                                }),
                options);
}

LogicalResult ane::emitTaskDescriptors(const GeneratedProgram &program,
                                       const CompileOptions &options) {
  return report(writeOutputFile(options.output,
                                [&](llvm::raw_ostream &os) {
                                  for (auto [index, task] :
                                       llvm::enumerate(program.tasks))
                                    td::printTask(os, task, index);
                                  return llvm::Error::success();
                                }),
                options);
}

FailureOr<object::Object> ane::layout(GeneratedProgram &program,
                                      const CompileOptions &options) {
  program.container.banner = bannerLines(options);
  llvm::Expected<object::Object> container =
      object::layoutObject(std::move(program.container));
  if (container)
    return std::move(*container);
  reportErrors(container.takeError(), options.input);
  return failure();
}

LogicalResult ane::writeFiles(const object::Object &container,
                              e5::Descriptor descriptor,
                              const CompileOptions &options) {
  descriptor.buildInfo = buildInfo(options);
  addAddresses(container, descriptor);
  auto describe = [&](StringRef containerPath, std::string hash) {
    descriptor.containerPath = llvm::sys::path::filename(containerPath).str();
    descriptor.containerHash = std::move(hash);
  };
  if (options.emit == "e5") {
    HashingStream hashing(llvm::nulls());
    if (llvm::Error error = object::writeObject(container, hashing))
      return report(std::move(error), options);
    llvm::SmallString<128> path(options.output);
    llvm::sys::path::replace_extension(path, "hwx");
    describe(path, hashing.hexDigest());
    return report(writeOutputFile(options.output,
                                  [&](llvm::raw_ostream &os) {
                                    return e5::writeE5(descriptor, os);
                                  }),
                  options);
  }
  // The descriptor holds the container's hash. It is written before the
  // container gets its name, so both appear or neither does.
  return report(
      writeOutputFile(
          options.output,
          [&](llvm::raw_ostream &os) -> llvm::Error {
            HashingStream hashing(os);
            if (llvm::Error error = object::writeObject(container, hashing))
              return error;
            if (!hasCompanion(options.output))
              return llvm::Error::success();
            describe(options.output, hashing.hexDigest());
            return e5::writeE5(descriptor, companionPath(options.output));
          }),
      options);
}

LogicalResult ane::emitContainer(GeneratedProgram program,
                                 const CompileOptions &options) {
  FailureOr<object::Object> container = layout(program, options);
  if (failed(container))
    return failure();
  return writeFiles(*container, std::move(program.descriptor), options);
}
