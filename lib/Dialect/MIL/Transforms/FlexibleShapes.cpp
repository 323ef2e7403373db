//===- FlexibleShapes.cpp - Shapes that a dynamic input may take ----------===//

#include "FlexibleShapes.h"
#include "ane/Support/Npy.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The keys and values of a dictionary literal; nothing for another literal.
using Pair = std::pair<StringRef, Attribute>;
std::optional<SmallVector<Pair>> readDict(Attribute attribute) {
  auto dict = dyn_cast_or_null<DictAttr>(attribute);
  if (!dict || dict.getKeysAndValues().size() % 2 != 0)
    return std::nullopt;
  SmallVector<Pair> pairs;
  ArrayRef<Attribute> entries = dict.getKeysAndValues().getValue();
  for (size_t i = 0; i < entries.size(); i += 2) {
    auto key = dyn_cast<StringAttr>(entries[i]);
    if (!key)
      return std::nullopt;
    pairs.push_back({key.getValue(), entries[i + 1]});
  }
  return pairs;
}

std::optional<SmallVector<int64_t>> readInts(Attribute attribute) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  if (!list)
    return std::nullopt;
  SmallVector<int64_t> values;
  for (Attribute entry : list) {
    auto integer = dyn_cast<IntegerAttr>(entry);
    if (!integer || integer.getValue().getBitWidth() > 64)
      return std::nullopt;
    values.push_back(integer.getValue().getSExtValue());
  }
  return values;
}

bool readRanges(Attribute content, FlexibleShapes &shapes) {
  std::optional<SmallVector<Pair>> inputs = readDict(content);
  if (!inputs)
    return false;
  for (auto [name, list] : *inputs) {
    FlexibleShapes::InputRange &range = shapes.ranges.emplace_back();
    range.name = name;
    auto entries = dyn_cast<ArrayAttr>(list);
    if (!entries)
      return false;
    for (Attribute entry : entries) {
      std::optional<SmallVector<int64_t>> bounds = readInts(entry);
      if (!bounds || bounds->size() != 2)
        return false;
      range.extents.push_back({bounds->front(), bounds->back()});
    }
  }
  return true;
}

bool readShapes(Attribute content, SmallVectorImpl<NamedShape> &shapes) {
  std::optional<SmallVector<Pair>> inputs = readDict(content);
  if (!inputs)
    return false;
  for (auto [name, list] : *inputs) {
    std::optional<SmallVector<int64_t>> shape = readInts(list);
    if (!shape)
      return false;
    shapes.push_back({name, *shape});
  }
  return true;
}

bool readEnumerated(Attribute content, FlexibleShapes &shapes) {
  std::optional<SmallVector<Pair>> sets = readDict(content);
  if (!sets)
    return false;
  for (auto [key, value] : *sets) {
    FlexibleShapes::ShapeSet &set = shapes.enumerated.emplace_back();
    set.key = key;
    if (!readShapes(value, set.shapes))
      return false;
  }
  return true;
}

LogicalResult checkRange(FuncOp func, const FlexibleShapes::InputRange &range,
                         ArrayRef<int64_t> shape) {
  if (range.extents.size() != shape.size())
    return func->emitError()
           << "input '" << range.name << "' has " << shape.size()
           << " dimensions, its RangeDims " << range.extents.size();
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    auto [low, high] = range.extents[dim];
    if (extent >= low && (high < 0 || extent <= high))
      continue;
    InFlightDiagnostic diagnostic =
        func->emitError() << "shape " << formatShape(shape) << " of input '"
                          << range.name << "': extent " << extent
                          << " of dimension " << dim << " is outside [" << low
                          << ", ";
    if (high < 0)
      diagnostic << "unbounded";
    else
      diagnostic << high;
    return diagnostic << "], its RangeDims";
  }
  return success();
}

} // namespace

const NamedShape *mil::findShape(ArrayRef<NamedShape> shapes, StringRef name) {
  const NamedShape *shape = llvm::find_if(
      shapes, [&](const NamedShape &entry) { return entry.first == name; });
  return shape == shapes.end() ? nullptr : shape;
}

FailureOr<FlexibleShapes> FlexibleShapes::read(FuncOp func) {
  FlexibleShapes shapes;
  DictionaryAttr attributes = func.getTextAttrsAttr();
  Attribute attribute =
      attributes ? attributes.get(flexibleShapesName) : Attribute();
  if (!attribute)
    return shapes;
  auto malformed = [&]() -> LogicalResult {
    return func->emitError() << flexibleShapesName
                             << " is not a tuple of named dictionaries of "
                                "shapes";
  };
  auto literal = dyn_cast<LiteralAttr>(attribute);
  auto sections =
      literal ? dyn_cast<TupleAttr>(literal.getContent()) : TupleAttr();
  if (!sections)
    return malformed();
  for (Attribute entry : sections.getElements()) {
    auto section = dyn_cast<TupleAttr>(entry);
    if (!section || section.getElements().size() != 2)
      return malformed();
    auto name = dyn_cast<StringAttr>(section.getElements()[0]);
    Attribute content = section.getElements()[1];
    bool isValid = name != nullptr;
    if (isValid && name == "DefaultShapes")
      isValid = readShapes(content, shapes.defaults);
    else if (isValid && name == "RangeDims")
      isValid = readRanges(content, shapes);
    else if (isValid && name == "EnumeratedShapes")
      isValid = readEnumerated(content, shapes);
    if (!isValid)
      return malformed();
  }
  return shapes;
}

LogicalResult FlexibleShapes::check(FuncOp func,
                                    ArrayRef<NamedShape> shapes) const {
  for (const InputRange &range : ranges)
    if (const NamedShape *shape = findShape(shapes, range.name))
      if (failed(checkRange(func, range, shape->second)))
        return failure();

  auto agrees = [&](const ShapeSet &set) {
    return llvm::all_of(set.shapes, [&](const NamedShape &listed) {
      const NamedShape *shape = findShape(shapes, listed.first);
      return !shape || shape->second == listed.second;
    });
  };
  if (enumerated.empty() || llvm::any_of(enumerated, agrees))
    return success();
  InFlightDiagnostic diagnostic = func->emitError()
                                  << "the shapes of the inputs are none of "
                                     "the EnumeratedShapes of '"
                                  << func.getName() << "'; these are";
  constexpr size_t maxListed = 8;
  for (const ShapeSet &set : ArrayRef(enumerated).take_front(maxListed)) {
    diagnostic << " {";
    llvm::interleaveComma(set.shapes, diagnostic, [&](const NamedShape &shape) {
      diagnostic << shape.first << " = " << formatShape(shape.second);
    });
    diagnostic << "}";
  }
  if (enumerated.size() > maxListed)
    diagnostic << " and " << enumerated.size() - maxListed << " more";
  return diagnostic;
}
