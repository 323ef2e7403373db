//===- CpuText.cpp - A segment of the processor as MIL text ---------------===//

#include "Partition/CpuText.h"
#include "ane/Frontend/Export.h"
#include "ane/Frontend/ExportWeights.h"

using namespace mlir;
using namespace ane;

/// Constants of more bytes than this are weights; in text an element takes
/// several times as much room.
static constexpr size_t mostInText = 256;

LogicalResult ane::writeCpuText(ModuleOp module, e5::Stage &stage) {
  frontend::WeightFile weights(e5::cpuWeightsPath);
  module.walk([&](mil::ConstOp op) {
    std::optional<ArrayRef<char>> bytes = frontend::getResourceBytes(op);
    if (bytes && bytes->size() > mostInText)
      weights.move(op);
  });
  if (!weights.empty()) {
    llvm::raw_string_ostream os(stage.weights);
    weights.write(os);
  }
  llvm::raw_string_ostream text(stage.text);
  return frontend::exportMIL(module, text);
}
