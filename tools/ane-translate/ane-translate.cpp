//===- ane-translate.cpp - Between MIL text and IR ------------------------===//

#include "CommandLine.h"
#include "Translate.h"
#include "llvm/Support/InitLLVM.h"

using namespace ane;

static void addOptions(CLI::App &app, translate::Options &options) {
  auto *direction = app.add_option_group("Direction");
  auto *import = direction
                     ->add_option("--import-mil", options.importPath,
                                  "Read MIL text, write IR")
                     ->type_name("FILE.mil");
  direction
      ->add_option("--export-mil", options.exportPath,
                   "Read IR, write MIL text")
      ->type_name("FILE");
  direction->require_option(1);
  app.add_option("-o,--output", options.outputPath, "File to write")
      ->type_name("FILE")
      ->capture_default_str();
  app.add_option("--weights", options.weightsPath,
                 "Export constants of 10 elements and more into a weight file: "
                 "a *.bin below the folder of the output, or a folder there "
                 "for weight.bin")
      ->type_name("FILE|DIR");
  app.add_flag("--emit-bytecode", options.emitBytecode,
               "Write IR as bytecode, as for an output named *.mlirbc")
      ->needs(import);
  app.add_flag("--print-locations", options.printLocations,
               "Write the place in the text of each op into textual IR")
      ->needs(import);
  takeCount(app.add_option("--error-limit", options.errorLimit,
                           "Errors to report before giving up, 0 for all"))
      ->type_name("N")
      ->needs(import)
      ->capture_default_str();
  app.add_flag("--verify-diagnostics", options.verifyDiagnostics,
               "Import, and compare the diagnostics with the expected-error "
               "comments of the text; nothing is written")
      ->needs(import);
}

/// Refuses a place of weights that an export does not have.
static void checkWeightsPath(const translate::Options &options) {
  if (options.weightsPath.empty())
    return;
  if (options.exportPath.empty() || options.outputPath == "-")
    throw CLI::ValidationError(
        "--weights", "goes with --export-mil and an output file (-o)");
  if (!translate::isBelow(options.weightsPath))
    throw CLI::ValidationError(
        "--weights", "names a place below the folder of the output, such as "
                     "weights/weight.bin, not " +
                         options.weightsPath);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CLI::App app("Translates a MIL program between its text and the IR of the "
               "mil dialect.\n"
               "A file name of - is standard input or output.\n",
               "ane-translate");
  app.footer("Examples:\n"
             "  ane-translate --import-mil model.mil -o model.mlir\n"
             "  ane-translate --export-mil model.mlir -o model.mil\n"
             "  ane-translate --export-mil model.mlirbc -o model.mil --weights "
             "weights\n"
             "\n"
             "Weight files are not read: the IR refers to them, until "
             "mil-load-weights reads them.\n"
             "Exit codes: 0 done, 1 bad input, 2 bad command line.");

  addVersionFlag(app);
  translate::Options options;
  addOptions(app, options);
  if (std::optional<int> code =
          parseCommandLine(app, argc, argv, [&] { checkWeightsPath(options); }))
    return *code;
  llvm::LogicalResult done = options.importPath.empty()
                                 ? translate::exportProgram(options)
                                 : translate::importProgram(options);
  return endTool(llvm::succeeded(done) ? ExitDone : ExitRefused);
}
