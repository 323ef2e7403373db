//===- PaletteLoss.cpp - Kernels that keep their palettes -----------------===//

#include "Layers/PaletteLoss.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Support/Half.h"
#include "ane/TaskDescriptor/Palettes.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

bool ane::zin::losesPalette(Operation *op, const HalfElements &kernel,
                            ArrayRef<uint16_t> scaled, int64_t outputs,
                            int64_t elements) {
  if (!op->getParentOfType<ProcedureOp>()->hasAttr(
          ZinDialect::palettizedAttrName))
    return false;
  StringRef bits(reinterpret_cast<const char *>(scaled.data()),
                 scaled.size() * halfBytes);
  return td::keepsPalette(
      td::leastPaletteBytes(kernel.bytes(), outputs, kernel.size()),
      td::leastPaletteBytes(bits, outputs, scaled.size()), elements);
}
