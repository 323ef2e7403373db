//===- Coefficients.cpp - Kernels of convolutions and products ------------===//

#include "Coefficients.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

ElementsAttr tasks::sliceElements(ElementsAttr elements, int64_t begin,
                                  int64_t count, int64_t times) {
  auto type = RankedTensorType::get({count * times}, elements.getElementType());
  bool isWhole = count == elements.getNumElements();
  if (times == 1 && (isWhole || isa<DenseResourceElementsAttr>(elements)))
    return zin::sliceElements(elements, type, begin);
  std::optional<HalfElements> source = HalfElements::get(elements);
  assert(source && "layers whose kernel or bias has no elements are refused");
  std::vector<uint16_t> bits;
  bits.reserve(count * times);
  for (int64_t i = 0; i < count * times; ++i)
    bits.push_back((*source)[begin + i % count]);
  return makeHalfElements(type, std::move(bits));
}

bool tasks::isRelu(NeuronAttr activation) {
  return activation && activation.getMode() == NonLinearMode::relu;
}
