//===- DocumentTraits.cpp - YAML of a document ----------------------------===//

#include "DocumentTraits.h"
#include "ane/Support/Hex.h"
#include "llvm/ADT/STLExtras.h"

using namespace ane;
using namespace ane::object;
using namespace ane::objectyaml;

namespace llvm::yaml {

template <> struct ScalarEnumerationTraits<Dialect> {
  static void enumeration(IO &io, Dialect &value) {
    for (Dialect dialect : allDialects)
      io.enumCase(value, stringifyDialect(dialect), dialect);
  }
};

template <> struct ScalarEnumerationTraits<td::Format> {
  static void enumeration(IO &io, td::Format &value) {
    for (td::Format format : {td::Format::V7, td::Format::V10})
      io.enumCase(value, td::stringifyFormat(format), format);
  }
};

template <> struct ScalarEnumerationTraits<PortDirection> {
  static void enumeration(IO &io, PortDirection &value) {
    io.enumCase(value, "input", PortDirection::Input);
    io.enumCase(value, "output", PortDirection::Output);
  }
};

} // namespace llvm::yaml

using namespace llvm::yaml;
using llvm::is_contained;
using llvm::isa;
using llvm::StringRef;

namespace {

/// Whether there is something to read. Input::keys takes it for granted.
bool hasNode(IO &io) {
  const Node *node = static_cast<Input &>(io).getCurrentNode();
  return node && isa<MappingNode>(node);
}

bool hasKey(IO &io, StringRef key) {
  return hasNode(io) && is_contained(io.keys(), key);
}

/// A number, in hexadecimal. A key that is not there stands for `usual`, and a
/// number that is `usual` is not written.
template <typename T>
void mapHex(IO &io, const char *key, T &value, uint64_t usual) {
  Hex64 number(value);
  io.mapOptional(key, number, Hex64(usual));
  if (io.outputting())
    return;
  if (number > std::numeric_limits<T>::max())
    return io.setError(llvm::Twine(key) + " " + hex(number) + " does not fit " +
                       llvm::Twine(8 * sizeof(T)) + " bits");
  value = number;
}

void mapText(IO &io, const char *key, std::string &value,
             std::optional<std::string> usual = std::nullopt) {
  Text text{value};
  if (usual)
    io.mapOptional(key, text, Text{*usual});
  else
    io.mapRequired(key, text);
  value = std::move(text.value);
}

void mapTexts(IO &io, const char *key, std::vector<std::string> &values,
              const std::vector<std::string> &usual) {
  if (io.outputting() && values == usual)
    return;
  std::vector<Text> texts;
  texts.reserve(values.size());
  for (std::string &value : values)
    texts.push_back({value});
  bool isThere = io.outputting() || hasKey(io, key);
  if (!isThere) {
    values = usual;
    return;
  }
  io.mapOptional(key, texts);
  values.clear();
  for (Text &text : texts)
    values.push_back(std::move(text.value));
}

/// A list of scalars that wrap elements of the model.
template <typename Wrapper, typename T>
void mapItems(IO &io, const char *key, std::vector<T> &values,
              T Wrapper::*member) {
  std::vector<Wrapper> items;
  if (io.outputting())
    for (T &value : values)
      items.emplace_back().*member = value;
  io.mapOptional(key, items);
  if (io.outputting())
    return;
  values.clear();
  for (Wrapper &item : items)
    values.push_back(std::move(item.*member));
}

/// What the style says differently from that of the dialect.
struct StyleKeys {
  Dialect dialect;
  ContainerStyle &style;
};

/// The whole text as bytes.
struct RawKeys {
  RawText &raw;
};

struct Strides {
  TensorLayout &layout;
};

bool fitsMemory(const Content &content) {
  uint64_t size = 0;
  for (const Run &run : content.runs) {
    size += run.size();
    if (size > maxTextBytes)
      return false;
  }
  return true;
}

} // namespace

namespace llvm::yaml {

template <> struct MappingTraits<StyleKeys> {
  static void mapping(IO &io, StyleKeys &keys) {
    ContainerStyle &style = keys.style;
    const ContainerStyle &usual = styleOf(keys.dialect);
    Order order{style.order};
    io.mapOptional("Order", order, Order{usual.order});
    style.order = std::move(order.parts);
    mapHex(io, "PortCommand", style.portCommand, usual.portCommand);
    io.mapOptional("SuffixedPorts", style.suffixedPorts, usual.suffixedPorts);
    io.mapOptional("ExactOutputBytes", style.exactOutputBytes,
                   usual.exactOutputBytes);
    mapHex(io, "ProgramWords", style.programWords, usual.programWords);
    mapHex(io, "OperandWords", style.operandWords, usual.operandWords);
    bool isThere = io.outputting()
                       ? !isSameProperties(style.properties, usual.properties)
                       : hasKey(io, "Properties");
    if (isThere)
      mapItems(io, "Properties", style.properties, &PropertyItem::property);
    mapHex(io, "Opaque858", style.opaque858, usual.opaque858);
    mapTexts(io, "Types", style.types, usual.types);
    io.mapOptional("KernelSegments", style.kernelSegments,
                   usual.kernelSegments);
    mapHex(io, "MaxKernelBytes", style.maxKernelBytes, usual.maxKernelBytes);
    io.mapOptional("LaneSentinels", style.laneSentinels, usual.laneSentinels);
    mapHex(io, "MinScratchBytes", style.minScratchBytes, usual.minScratchBytes);
  }
};

template <> struct MappingTraits<Strides> {
  static void mapping(IO &io, Strides &strides) {
    TensorLayout &layout = strides.layout;
    mapHex(io, "Batch", layout.batchStride, 0);
    mapHex(io, "Depth", layout.depthStride, 0);
    mapHex(io, "Plane", layout.planeStride, 0);
    mapHex(io, "Row", layout.rowStride, 0);
    mapHex(io, "Element", layout.elementStride, 0);
  }
};

template <> struct MappingTraits<RawKeys> {
  static void mapping(IO &io, RawKeys &keys) {
    mapHex(io, "Entry", keys.raw.entryOffset, 0);
    io.mapRequired("FirstTaskWords", keys.raw.firstTaskWords);
    io.mapRequired("TaskCount", keys.raw.taskCount);
    io.mapOptional("Bytes", keys.raw.bytes.runs);
  }
  static std::string validate(IO &, RawKeys &keys) {
    return fitsMemory(keys.raw.bytes) ? "" : "a text of more than 64 MiB";
  }
};

void MappingTraits<NoteItem>::mapping(IO &io, NoteItem &note) {
  mapText(io, "Owner", note.owner);
  io.mapOptional("Bytes", note.bytes.runs);
  if (!fitsMemory(note.bytes))
    io.setError("a note of more than 64 MiB");
}

void MappingTraits<PortItem>::mapping(IO &io, PortItem &port) {
  port.place = placeOf(io);
  TensorLayout &layout = port.spec.layout;
  mapText(io, "Name", port.spec.name);
  io.mapRequired("Direction", port.spec.direction);
  Shape shape{layout.n, layout.c, layout.h, layout.w, layout.d};
  io.mapRequired("Shape", shape);
  Element element{layout.elementType};
  io.mapOptional("Element", element, Element{});
  Interleave interleave{layout.interleave};
  io.mapOptional("Interleave", interleave, Interleave{});

  std::optional<TensorLayout> usual =
      TensorLayout::packed(shape.n, shape.c, shape.h, shape.w, shape.d);
  if (usual) {
    usual->elementType = element.code;
    usual->interleave = interleave.count;
  }
  if (io.outputting()) {
    if (usual != layout || interleave.count != 1) {
      Strides strides{layout};
      io.mapRequired("Strides", strides);
    }
  } else {
    layout = usual.value_or(TensorLayout());
    layout.n = shape.n, layout.c = shape.c, layout.h = shape.h;
    layout.w = shape.w, layout.d = shape.d;
    layout.elementType = element.code;
    layout.interleave = interleave.count;
    Strides strides{layout};
    if (hasKey(io, "Strides"))
      io.mapRequired("Strides", strides);
    else if (interleave.count != 1)
      io.setError("a port of interleaved channels needs Strides");
    else if (!usual)
      io.setError("an extent is 0, or the tensor passes 64 bits of bytes");
  }
  mapHex(io, "Bytes", port.spec.byteSize, 0);
  io.mapOptional("Bar", port.bar);
}

void MappingTraits<objectyaml::Document>::mapping(
    IO &io, objectyaml::Document &document) {
  ContainerSpec &spec = document.spec;
  io.mapRequired("Dialect", document.dialect);
  if (!io.outputting()) {
    // The reader learns that there is a document.
    *static_cast<bool *>(io.getContext()) = hasNode(io);
    spec.style = styleOf(document.dialect);
  }
  StyleKeys style{document.dialect, spec.style};
  bool hasStyle = io.outputting()
                      ? styleDistance(spec.style, document.dialect) != 0
                      : hasKey(io, "Style");
  if (hasStyle)
    io.mapOptional("Style", style);
  mapText(io, "Target", spec.target, "h13");
  mapText(io, "Procedure", spec.procedure, "net");
  mapTexts(io, "Banner", spec.banner, {});
  io.mapOptional("Notes", document.notes);
  mapHex(io, "Opaque850", spec.opaque850, ContainerSpec().opaque850);
  std::optional<Hex64> opaque858;
  if (spec.opaque858)
    opaque858 = Hex64(*spec.opaque858);
  io.mapOptional("Opaque858", opaque858);
  if (opaque858)
    spec.opaque858 = *opaque858;

  io.mapOptional("Ports", document.ports);
  Numbers order;
  order.values.assign(spec.operandOrder.begin(), spec.operandOrder.end());
  io.mapOptional("OperandOrder", order, Numbers());
  // No program has as many ports; the Layout refuses the number.
  spec.operandOrder.clear();
  for (uint64_t index : order.values)
    spec.operandOrder.push_back(std::min<uint64_t>(index, UINT32_MAX));
  mapHex(io, "Scratch", spec.scratchBytes, 0);

  bool isRaw = io.outputting() ? document.raw.has_value() : hasKey(io, "Text");
  if (isRaw) {
    if (!document.raw)
      document.raw.emplace();
    RawKeys keys{*document.raw};
    io.mapRequired("Text", keys);
  } else {
    io.mapRequired("TaskFormat", document.format);
    io.mapRequired("Tasks", document.tasks);
  }
  bool hasRelocations = io.outputting() ? document.relocations.has_value()
                                        : hasKey(io, "Relocations");
  if (hasRelocations) {
    if (!document.relocations)
      document.relocations.emplace();
    // An empty list is one, too.
    io.mapRequired("Relocations", *document.relocations);
  }
  mapItems(io, "Symbols", spec.symbols, &SymbolItem::symbol);
  Numbers starts{spec.kernelStarts};
  io.mapOptional("KernelStarts", starts, Numbers());
  spec.kernelStarts = std::move(starts.values);
  io.mapOptional("Constants", document.constants.runs);
}

} // namespace llvm::yaml
