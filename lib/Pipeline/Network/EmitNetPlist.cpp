//===- EmitNetPlist.cpp - Writing the network description -----------------===//

#include "Network/DescribeNetwork.h"
#include "Output/Emit.h"
#include "ane/E5/Companion.h"
#include "ane/Support/FileError.h"
#include "ane/Support/OutputFile.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ane;

/// A description names tensors by their extents alone.
static void warnOfLayouts(zin::ProcedureOp procedure) {
  auto warn = [](Location location, DictionaryAttr attrs) {
    if (attrs && attrs.contains(zin::ProcedureOp::hostStridesAttrName))
      emitWarning(location)
          << "the description has no place for the layout of '"
          << attrs.getAs<StringAttr>(zin::ProcedureOp::portNameAttrName)
                 .getValue()
          << "'; whoever compiles it chooses one";
  };
  for (auto [index, argument] : llvm::enumerate(procedure.getArguments()))
    warn(argument.getLoc(), procedure.getArgAttrDict(index));
  for (unsigned index = 0; index < procedure.getNumResults(); ++index)
    warn(procedure.getLoc(), procedure.getResultAttrDict(index));
}

llvm::SmallString<128> ane::netWeightsPath(const CompileOptions &options) {
  // Standard output has no name; the description then names a file that is not
  // written.
  llvm::SmallString<128> path(options.output == "-" ? "net.plist"
                                                    : options.output);
  llvm::sys::path::replace_extension(path, "weights");
  return path;
}

LogicalResult ane::emitNetPlist(ModuleOp module,
                                const CompileOptions &options) {
  llvm::SmallString<128> weightPath = netWeightsPath(options);
  auto refuse = [&](llvm::Error error) {
    reportErrors(std::move(error), options.input);
    return failure();
  };
  auto procedure = *module.getOps<zin::ProcedureOp>().begin();
  WeightFile weights;
  FailureOr<netplist::NetPlist> description = describeNetwork(
      procedure, llvm::sys::path::filename(weightPath), weights);
  if (failed(description))
    return failure();
  warnOfLayouts(procedure);
  bool hasFile = !weights.empty() && e5::hasCompanion(options.output);
  llvm::Error error = writeOutputFile(
      options.output,
      [&](llvm::raw_ostream &os) {
        return netplist::writeNetPlist(*description, os);
      },
      [&]() -> llvm::Error {
        if (!hasFile)
          return llvm::Error::success();
        return writeOutputFile(weightPath, [&](llvm::raw_ostream &file) {
          weights.write(file);
          return llvm::Error::success();
        });
      });
  if (error)
    return refuse(std::move(error));
  return success();
}
