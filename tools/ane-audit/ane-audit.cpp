//===- ane-audit.cpp - Hold a firmware package against its rules ----------===//

#include "CommandLine.h"
#include "ane/Firmware/Audit.h"
#include "ane/Support/FileError.h"
#include "ane/Support/InputFile.h"
#include "llvm/Support/InitLLVM.h"

using namespace ane;

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CLI::App app("Audits a firmware package: one line for each rule, with its "
               "source and what violates it.",
               "ane-audit");
  addVersionFlag(app);
  app.footer("Exit codes: 0 every rule holds, 1 one does not or the file "
             "cannot be read, 2 bad command line.");
  std::string path;
  app.add_option("package", path, "The package to audit; - for standard input")
      ->required()
      ->type_name("FILE.fw");
  if (std::optional<int> code = parseCommandLine(app, argc, argv))
    return *code;

  auto buffer = readInputFile(path);
  if (!buffer) {
    reportErrors(buffer.takeError(), path);
    return ExitRefused;
  }
  firmware::AuditReport report =
      firmware::auditPackage((*buffer)->getMemBufferRef());
  report.print(llvm::outs());
  return endTool(report.passed() ? ExitDone : ExitRefused);
}
