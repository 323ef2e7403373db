//===- Factors.cpp - Values as products of others -------------------------===//

#include "Simplify/Factors.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

PartSet mil::setOf(ArrayRef<DimParts> dims) {
  PartSet set = 0;
  for (const DimParts &parts : dims)
    for (unsigned part : parts)
      set |= setOf(part);
  return set;
}

PartSet Factors::constantParts() const {
  PartSet set = 0;
  for (const Factor &factor : constantFactors)
    set |= factor.parts();
  return set;
}

std::optional<SmallVector<DimParts>>
Factors::regroup(ArrayRef<DimParts> dims, ArrayRef<int64_t> shape) const {
  SmallVector<unsigned> parts;
  for (const DimParts &each : dims)
    llvm::append_range(parts, each);
  SmallVector<DimParts> regrouped;
  ArrayRef<unsigned> rest = parts;
  for (int64_t extent : shape) {
    DimParts &dim = regrouped.emplace_back();
    int64_t count = 1;
    while (count < extent && !rest.empty()) {
      dim.push_back(rest.front());
      count *= extents[rest.front()];
      rest = rest.drop_front();
    }
    if (count != extent)
      return std::nullopt;
  }
  if (!rest.empty())
    return std::nullopt;
  return regrouped;
}

bool Factors::findOperand(Value operand, ArrayRef<DimParts> dims,
                          bool divides) {
  RankedTensorType type = staticType(operand);
  if (!type)
    return false;
  SmallVector<DimParts> own(dims.take_back(type.getRank()));
  for (auto [parts, extent] : llvm::zip_equal(own, type.getShape()))
    if (extent == 1)
      parts.clear();
  return find(operand, own, divides);
}

bool Factors::find(Value value, ArrayRef<DimParts> dims, bool divides) {
  // Products of a value with itself are found as often as it is one.
  constexpr size_t mostFactors = 16;
  RankedTensorType type = staticType(value);
  if (!type || !isa<FloatType>(type.getElementType()) ||
      constantFactors.size() + computedFactors.size() == mostFactors)
    return false;
  Factor factor{value, SmallVector<DimParts>(dims), divides};
  if (getConstantElements(value)) {
    constantFactors.push_back(std::move(factor));
    return true;
  }
  SmallVector<unsigned> parts;
  for (const DimParts &each : dims)
    llvm::append_range(parts, each);
  bool isFactor = llvm::any_of(
      sets, [&](PartSet set) { return (factor.parts() & ~set) == 0; });
  if (isFactor && llvm::is_sorted(parts)) {
    computedFactors.push_back(std::move(factor));
    return true;
  }
  visited.try_emplace(value, std::move(factor.dims));
  auto inOtherShape = [&](Value x) {
    RankedTensorType from = staticType(x);
    auto regrouped = from ? regroup(dims, from.getShape()) : std::nullopt;
    return regrouped && find(x, *regrouped, divides);
  };
  Operation *op = value.getDefiningOp();
  return op && llvm::TypeSwitch<Operation *, bool>(op)
                   .Case([&](MulOp product) {
                     return findOperand(product.getX(), dims, divides) &&
                            findOperand(product.getY(), dims, divides);
                   })
                   .Case([&](RealDivOp quotient) {
                     return findOperand(quotient.getX(), dims, divides) &&
                            findOperand(quotient.getY(), dims, !divides);
                   })
                   .Case([&](CastOp cast) {
                     return find(cast.getX(), dims, divides);
                   })
                   .Case([&](TransposeOp transpose) {
                     auto permutation = getConstantInts(transpose.getPerm());
                     if (!permutation)
                       return false;
                     SmallVector<DimParts> before(dims.size());
                     for (auto [to, from] : llvm::enumerate(*permutation))
                       before[fromFront(from, int64_t(dims.size()))] = dims[to];
                     return find(transpose.getX(), before, divides);
                   })
                   .Default([&](Operation *other) {
                     return other->hasTrait<Reshapes>() &&
                            inOtherShape(other->getOperand(0));
                   });
}

SmallVector<double> Factors::constant(ArrayRef<unsigned> order) const {
  int64_t count = 1;
  for (unsigned part : order)
    count *= extents[part];
  SmallVector<double> product(count, 1);
  for (const Factor &factor : constantFactors) {
    SmallVector<double> numbers =
        *getConstantFloats(getConstantElements(factor.value));
    // How far elements that follow each other along a part lie from each other.
    SmallVector<int64_t> strides(extents.size(), 0), places(order.size(), 0);
    int64_t stride = 1;
    for (const DimParts &dim : llvm::reverse(factor.dims))
      for (unsigned part : llvm::reverse(dim)) {
        strides[part] = stride;
        stride *= extents[part];
      }
    int64_t at = 0;
    for (double &each : product) {
      each = factor.divides ? each / numbers[at] : each * numbers[at];
      for (size_t i = order.size(); i-- > 0;) {
        at += strides[order[i]];
        if (++places[i] < extents[order[i]])
          break;
        at -= places[i] * strides[order[i]];
        places[i] = 0;
      }
    }
  }
  return product;
}
