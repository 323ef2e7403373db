//===- EmitFirmware.cpp - Writing the firmware package --------------------===//

#include "Output/Emit.h"
#include "ane/Firmware/Package.h"
#include "ane/Support/FileError.h"
#include "ane/Support/OutputFile.h"

using namespace mlir;
using namespace ane;

LogicalResult ane::emitFirmware(const object::Object &container,
                                const CompileOptions &options) {
  llvm::Error error = writeOutputFile(
      options.output, [&](llvm::raw_ostream &os) -> llvm::Error {
        llvm::Expected<firmware::Package> package =
            firmware::packageContainer(container);
        if (!package)
          return package.takeError();
        return firmware::writePackage(*package, os);
      });
  if (!error)
    return success();
  reportErrors(std::move(error), options.input);
  return failure();
}
