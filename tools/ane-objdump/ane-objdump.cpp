//===- ane-objdump.cpp - Show what is in a container ----------------------===//

#include "CommandLine.h"
#include "Dump.h"
#include "ane/Object/Reader.h"
#include "ane/Support/FileError.h"
#include "llvm/Support/InitLLVM.h"

using namespace ane;

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  std::string input;
  objdump::DumpOptions options;
  bool everything = false;

  CLI::App app("Shows what is in a Neural Engine container (.hwx): header, "
               "load commands, symbols,\nrelocations, task descriptors.",
               "ane-objdump");
  app.footer("Without a choice of parts, all are shown. Exit codes: 0 done, 1 "
             "bad input, 2 bad command line.");
  addVersionFlag(app);
  app.add_option("input", input, "Container to show")->required();
  app.add_flag("--header", options.header, "The file header");
  app.add_flag("--commands", options.commands, "The load commands");
  app.add_flag("--symbols", options.symbols, "The symbol table");
  app.add_flag("--relocs", options.relocations, "The relocations");
  app.add_flag("--tasks", options.tasks,
               "The task descriptors, each field by name");
  app.add_flag("--all", everything, "All parts");
  app.add_flag("--all-fields", options.allFields,
               "Also the fields of task descriptors that are zero");
  if (std::optional<ExitCode> code = parseCommandLine(app, argc, argv))
    return *code;
  if (everything || !(options.header || options.commands || options.symbols ||
                      options.relocations || options.tasks))
    options.header = options.commands = options.symbols = options.relocations =
        options.tasks = true;

  auto object = object::readObject(input);
  llvm::Error error = object
                          ? objdump::dump(*object, input, options, llvm::outs())
                          : object.takeError();
  if (!error)
    return ExitDone;
  reportErrors(std::move(error), input);
  return ExitRefused;
}
