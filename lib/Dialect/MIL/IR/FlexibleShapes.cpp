//===- FlexibleShapes.cpp - Shapes that a dynamic input may take ----------===//

#include "ane/Dialect/MIL/IR/FlexibleShapes.h"
#include "ane/Support/Constraint.h"
#include "ane/Support/Counted.h"
#include "ane/Support/FormatShape.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

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

bool readDefaults(Attribute content, FlexibleShapes &shapes) {
  return readShapes(content, shapes.defaults);
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

/// A part of the attribute.
struct Section {
  llvm::StringLiteral name;
  llvm::StringLiteral content; ///< what it is a dictionary of
  bool (*read)(Attribute, FlexibleShapes &);
};

constexpr Section sections[] = {
    {"DefaultShapes", "a shape for each input", readDefaults},
    {"RangeDims", "[lowest, highest] for each dimension of each input",
     readRanges},
    {"EnumeratedShapes", "dictionaries of shapes", readEnumerated}};

LogicalResult refuseFunction(FuncOp func, StringRef constraint,
                             const Twine &message) {
  return func->emitError() << "func '" << func.getName() << "': " << message
                           << ConstraintId(constraint);
}

/// The first of some names that is there twice.
template <typename Entries, typename NameOf>
std::optional<StringRef> findRepeated(const Entries &entries, NameOf nameOf) {
  llvm::StringSet<> seen;
  for (const auto &entry : entries)
    if (!seen.insert(nameOf(entry)).second)
      return nameOf(entry);
  return std::nullopt;
}

/// The type of an input that a section lists.
FailureOr<RankedTensorType> findInput(FuncOp func, StringRef section,
                                      StringRef name) {
  std::string known;
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i) {
    auto type = dyn_cast<RankedTensorType>(func.getArgumentTypes()[i]);
    if (!type)
      continue;
    if (func.getParameterName(i) == name)
      return type;
    known += (known.empty() ? "" : ", ") + func.getParameterName(i).str();
  }
  return LogicalResult(refuseFunction(
      func, "mil-flexible-c3",
      section + " lists '" + name + "'; the inputs that are tensors are " +
          (known.empty() ? "none" : known)));
}

/// That the shapes of one section, or of one set, are shapes of inputs.
LogicalResult verifyShapes(FuncOp func, StringRef section,
                           ArrayRef<NamedShape> shapes) {
  auto nameOf = [](const NamedShape &shape) { return shape.first; };
  if (std::optional<StringRef> name = findRepeated(shapes, nameOf))
    return refuseFunction(func, "mil-flexible-c3",
                          section + " lists '" + *name + "' twice");
  for (const auto &[name, shape] : shapes) {
    FailureOr<RankedTensorType> type = findInput(func, section, name);
    if (failed(type))
      return failure();
    if (failed(verifyCompatibleShape(type->getShape(), shape)) ||
        llvm::any_of(shape, [](int64_t extent) { return extent < 0; }))
      return refuseFunction(func, "mil-flexible-c4",
                            section + " gives '" + name + "' the shape " +
                                formatShape(shape) + ", but it is " +
                                formatType(*type));
  }
  return success();
}

LogicalResult verifyRange(FuncOp func,
                          const FlexibleShapes::InputRange &range) {
  FailureOr<RankedTensorType> type = findInput(func, "RangeDims", range.name);
  if (failed(type))
    return failure();
  if (static_cast<int64_t>(range.extents.size()) != type->getRank())
    return refuseFunction(func, "mil-flexible-c4",
                          "RangeDims gives '" + range.name + "' " +
                              counted(range.extents.size(), "dimension") +
                              ", but it is " + formatType(*type));
  for (auto [dim, bounds] : llvm::enumerate(range.extents)) {
    auto [low, high] = bounds;
    std::string place = ("dimension " + Twine(dim) + " of '" + range.name +
                         "' the range " + formatShape({low, high}))
                            .str();
    if (low < 0 || (high < low && high != -1))
      return refuseFunction(
          func, "mil-flexible-c5",
          "RangeDims gives " + place +
              "; the lowest extent is 0 or more, and not above the "
              "highest, which is -1 where there is no bound");
    int64_t extent = type->getDimSize(dim);
    if (!ShapedType::isDynamic(extent) &&
        (extent < low || (high >= 0 && extent > high)))
      return refuseFunction(func, "mil-flexible-c4",
                            "RangeDims gives " + place + ", but it is " +
                                formatType(*type));
  }
  return success();
}

std::optional<std::string>
findExclusion(const FlexibleShapes::InputRange &range,
              ArrayRef<int64_t> shape) {
  if (range.extents.size() != shape.size())
    return ("input '" + range.name + "' has " +
            counted(shape.size(), "dimension") + ", its RangeDims " +
            Twine(range.extents.size()))
        .str();
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    auto [low, high] = range.extents[dim];
    if (extent >= low && (high < 0 || extent <= high))
      continue;
    return ("shape " + formatShape(shape) + " of input '" + range.name +
            "': extent " + Twine(extent) + " of dimension " + Twine(dim) +
            " is outside [" + Twine(low) + ", " +
            (high < 0 ? "unbounded" : Twine(high).str()) + "], its RangeDims")
        .str();
  }
  return std::nullopt;
}

} // namespace

const NamedShape *mil::findShape(ArrayRef<NamedShape> shapes, StringRef name) {
  const NamedShape *shape = llvm::find_if(
      shapes, [&](const NamedShape &entry) { return entry.first == name; });
  return shape == shapes.end() ? nullptr : shape;
}

FailureOr<FlexibleShapes> FlexibleShapes::readFrom(FuncOp func) {
  FlexibleShapes shapes;
  DictionaryAttr attributes = func.getTextAttrsAttr();
  Attribute attribute =
      attributes ? attributes.get(flexibleShapesName) : Attribute();
  if (!attribute)
    return shapes;
  auto malformed = [&]() -> LogicalResult {
    return refuseFunction(func, "mil-flexible-c1",
                          flexibleShapesName +
                              " is not a tuple of sections, each a "
                              "name and a dictionary of shapes");
  };
  auto literal = dyn_cast<LiteralAttr>(attribute);
  auto tuple =
      literal ? dyn_cast<TupleAttr>(literal.getContent()) : TupleAttr();
  if (!tuple)
    return malformed();
  llvm::StringSet<> seen;
  for (Attribute entry : tuple.getElements()) {
    auto pair = dyn_cast<TupleAttr>(entry);
    if (!pair || pair.getElements().size() != 2)
      return malformed();
    auto name = dyn_cast<StringAttr>(pair.getElements()[0]);
    if (!name)
      return malformed();
    const Section *section = llvm::find_if(sections, [&](const Section &known) {
      return known.name == name.getValue();
    });
    if (section == std::end(sections))
      return LogicalResult(refuseFunction(
          func, "mil-flexible-c2",
          flexibleShapesName + " has no section '" + name.getValue() +
              "'; known are DefaultShapes, RangeDims and "
              "EnumeratedShapes"));
    if (!seen.insert(section->name).second)
      return LogicalResult(refuseFunction(
          func, "mil-flexible-c2",
          flexibleShapesName + " has two sections '" + section->name + "'"));
    if (!section->read(pair.getElements()[1], shapes))
      return LogicalResult(refuseFunction(
          func, "mil-flexible-c1",
          "section '" + section->name + "' of " + flexibleShapesName +
              " is not a dictionary of " + section->content));
  }
  return shapes;
}

LogicalResult FlexibleShapes::verify(FuncOp func) const {
  auto rangeName = [](const InputRange &range) { return range.name; };
  auto setKey = [](const ShapeSet &set) { return set.key; };
  if (std::optional<StringRef> name = findRepeated(ranges, rangeName))
    return refuseFunction(func, "mil-flexible-c3",
                          "RangeDims lists '" + *name + "' twice");
  if (std::optional<StringRef> key = findRepeated(enumerated, setKey))
    return refuseFunction(func, "mil-flexible-c3",
                          "EnumeratedShapes lists '" + *key + "' twice");
  for (const InputRange &range : ranges)
    if (failed(verifyRange(func, range)))
      return failure();
  for (const ShapeSet &set : enumerated)
    if (failed(verifyShapes(func, "EnumeratedShapes", set.shapes)))
      return failure();
  if (failed(verifyShapes(func, "DefaultShapes", defaults)))
    return failure();
  if (defaults.empty())
    return success();
  if (ranges.empty() && enumerated.empty())
    return refuseFunction(func, "mil-flexible-c7",
                          flexibleShapesName +
                              " has DefaultShapes, but neither "
                              "RangeDims nor EnumeratedShapes");
  if (std::optional<std::string> reason = findExclusion(func, defaults))
    return refuseFunction(func, "mil-flexible-c6", "DefaultShapes: " + *reason);
  return success();
}

std::optional<std::string>
FlexibleShapes::findExclusion(FuncOp func, ArrayRef<NamedShape> shapes) const {
  for (const InputRange &range : ranges)
    if (const NamedShape *shape = findShape(shapes, range.name))
      if (auto reason = ::findExclusion(range, shape->second))
        return reason;

  auto agrees = [&](const ShapeSet &set) {
    return llvm::all_of(set.shapes, [&](const NamedShape &listed) {
      const NamedShape *shape = findShape(shapes, listed.first);
      return !shape || shape->second == listed.second;
    });
  };
  if (enumerated.empty() || llvm::any_of(enumerated, agrees))
    return std::nullopt;
  std::string reason;
  llvm::raw_string_ostream os(reason);
  os << "the shapes of the inputs are none of the EnumeratedShapes of '"
     << func.getName() << "'; these are";
  constexpr size_t maxListed = 8;
  for (const ShapeSet &set : ArrayRef(enumerated).take_front(maxListed)) {
    os << " {";
    llvm::interleaveComma(set.shapes, os, [&](const NamedShape &shape) {
      os << shape.first << " = " << formatShape(shape.second);
    });
    os << "}";
  }
  if (enumerated.size() > maxListed)
    os << " and " << enumerated.size() - maxListed << " more";
  return reason;
}

LogicalResult FlexibleShapes::check(FuncOp func,
                                    ArrayRef<NamedShape> shapes) const {
  if (std::optional<std::string> reason = findExclusion(func, shapes))
    return func->emitError() << *reason;
  return success();
}
