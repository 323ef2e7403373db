//===- WeightFiles.cpp - The files that weights are in --------------------===//

#include "ane/Dialect/MIL/Transforms/WeightFiles.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

std::optional<std::string>
mil::weightFileName(Location location, StringRef path, StringRef modelPath) {
  if (!path.consume_front("@model_path") && llvm::sys::path::is_absolute(path))
    return path.str();
  llvm::SmallString<128> result(modelPath);
  if (result.empty()) {
    auto place = location->findInstanceOf<FileLineColLoc>();
    if (!place)
      return std::nullopt;
    result = llvm::sys::path::parent_path(place.getFilename());
  }
  // Two slashes would start the name of a network, which is no folder.
  llvm::sys::path::append(result, path.ltrim('/'));
  llvm::sys::path::remove_dots(result);
  return std::string(result);
}

llvm::Error mil::addWeightFiles(Operation *root, StringRef modelPath,
                                FilePlan &files) {
  llvm::Error error = llvm::Error::success();
  llvm::StringSet<> seen;
  root->walk([&](ConstOp op) {
    auto reference = dyn_cast<BlobFileAttr>(op.getValue());
    if (!reference)
      return WalkResult::advance();
    std::optional<std::string> name =
        weightFileName(op.getLoc(), reference.getPath(), modelPath);
    if (name && seen.insert(*name).second)
      error = llvm::joinErrors(std::move(error),
                               files.addLateInput(*name, "a file of weights"));
    return error ? WalkResult::interrupt() : WalkResult::advance();
  });
  return error;
}
