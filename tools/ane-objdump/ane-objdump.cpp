//===- ane-objdump.cpp - Show what is in a container ----------------------===//

#include "CommandLine.h"
#include "ConvertTd.h"
#include "Options.h"
#include "Parts.h"
#include "Print.h"
#include "Spellings.h"
#include "ane/Support/FileError.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"

using namespace ane;
using namespace ane::objdump;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

/// Exit codes of --diff, which are those of diff(1).
constexpr int exitSame = 0;
constexpr int exitDifferent = 1;
constexpr int exitTrouble = 2;

Expected<Input> readInput(StringRef path, const Options &options) {
  return options.rawText ? readRawText(path) : readContainer(path);
}

/// Reads what the chosen parts need, and lists them.
Error listParts(Input &input, const Options &options,
                std::vector<Part> &parts) {
  if (options.e5)
    if (Error error = readDescriptors(input, /*required=*/options.requireE5))
      return error;
  if (input.object) {
    if (options.header)
      parts.push_back(headerPart(*input.object));
    if (options.commands)
      parts.push_back(commandsPart(*input.object));
    if (options.symbols)
      parts.push_back(symbolsPart(*input.object));
    if (options.relocations)
      parts.push_back(relocationsPart(*input.object));
  }
  Error tasks = Error::success();
  if (options.needsTasks())
    tasks = decodeTasks(input);
  if (options.ports && input.object)
    parts.push_back(portsPart(input));
  // What can be shown is shown, whatever the tasks are like.
  if (tasks)
    return tasks;
  if (options.tasks)
    parts.push_back(tasksPart(input, options.allFields));
  if (options.registers)
    parts.push_back(registersPart(input));
  if (options.lanes)
    parts.push_back(lanesPart(input));
  if (options.cost)
    parts.push_back(costPart(input));
  if (!input.descriptors.empty())
    parts.push_back(e5Part(input));
  return Error::success();
}

int refuse(Error error, StringRef path) {
  reportErrors(std::move(error), path);
  return ExitRefused;
}

int show(const Options &options) {
  Expected<Input> input = readInput(options.input, options);
  if (!input)
    return refuse(input.takeError(), options.input);
  std::vector<Part> parts;
  Error error = listParts(*input, options, parts);
  if (options.json) {
    // Half a document is none.
    if (error)
      return refuse(std::move(error), options.input);
    printJson(llvm::outs(), options.input, parts);
    return ExitDone;
  }
  printText(llvm::outs(), parts, options.useColor(llvm::outs()));
  llvm::outs().flush();
  return error ? refuse(std::move(error), options.input) : ExitDone;
}

int compare(const Options &options) {
  std::optional<Input> inputs[2];
  std::vector<Part> parts[2];
  for (auto [index, path] : {std::pair(0, StringRef(options.input)),
                             std::pair(1, StringRef(options.other))}) {
    Expected<Input> input = readInput(path, options);
    Error error = input ? Error::success() : input.takeError();
    if (!error) {
      inputs[index] = std::move(*input);
      error = listParts(*inputs[index], options, parts[index]);
      // To name the task that a byte of no field is near.
      if (!options.needsTasks())
        llvm::consumeError(decodeTasks(*inputs[index]));
    }
    if (error) {
      reportErrors(std::move(error), path);
      return exitTrouble;
    }
  }
  return printDifferences(llvm::outs(), *inputs[0], parts[0], *inputs[1],
                          parts[1])
             ? exitSame
             : exitDifferent;
}

int checkBytes(const Options &options) {
  Expected<Input> input = readInput(options.input, options);
  if (!input)
    return refuse(input.takeError(), options.input);
  if (Error error = decodeTasks(*input))
    return refuse(std::move(error), options.input);
  if (Error error = checkRoundTrip(*input))
    return refuse(std::move(error), options.input);
  llvm::outs() << options.input << ": " << input->bytes().size()
               << " bytes, rewritten as they are\n";
  return ExitDone;
}

int convert(const Options &options) {
  if (Error error =
          convertTd(options.input, *options.taskFormat, options.output))
    return refuse(std::move(error), options.input);
  return ExitDone;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CLI::App app("Shows what is in a Neural Engine container (.hwx), and turns "
               "containers into text and back.",
               "ane-objdump");
  Options options;
  addVersionFlag(app);
  options.addTo(app);
  if (std::optional<int> code =
          parseCommandLine(app, argc, argv, [&] { options.finish(); }))
    return *code;
  if (!options.output.empty() &&
      llvm::sys::fs::equivalent(options.output, options.input))
    return refuse(makeFileError(options.output, 0,
                                "the output would replace the input; choose "
                                "another name with -o"),
                  options.input);
  switch (options.mode) {
  case Mode::Show:
    return endTool(show(options));
  case Mode::Diff:
    return endTool(compare(options), exitTrouble);
  case Mode::RoundTrip:
    return endTool(checkBytes(options));
  case Mode::ToYaml:
    return writeYaml(options);
  case Mode::FromYaml:
    return readYaml(options);
  case Mode::ConvertTd:
    return convert(options);
  }
}
