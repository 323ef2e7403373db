//===- E5Part.cpp - The dispatch descriptor -------------------------------===//

#include "Parts.h"
#include "ane/Support/Sha256.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace ane;
using namespace ane::objdump;
using llvm::StringRef;
using enum ane::td::Evidence;

namespace {

std::string join(llvm::ArrayRef<uint64_t> values) {
  std::string text = "[";
  for (uint64_t value : values)
    text += (text.size() == 1 ? "" : ", ") + llvm::utostr(value);
  return text + "]";
}

Entry listEntry(StringRef name, llvm::ArrayRef<uint64_t> values,
                Evidence evidence, StringRef meaning) {
  llvm::json::Array array;
  for (uint64_t value : values)
    array.push_back(value);
  return valueEntry(name, std::move(array), join(values), evidence, meaning);
}

/// What is said of an input beyond its type and shape.
template <typename Input> void addInputEntries(const Input &input, Item &item) {
  if (input.limit)
    item.entries.push_back(textEntry("limit", formatLimit(*input.limit),
                                     Assigned,
                                     "the largest magnitude that enters, or "
                                     "the range"));
  if (input.isState)
    item.entries.push_back(textEntry("state", "zeros", Assigned,
                                     "what it holds where nothing is given"));
}

void addPortEntries(const e5::Port &port, Item &item) {
  if (!port.hostStrides.empty())
    item.entries.push_back(
        listEntry("hostStrides", port.hostStrides, Assigned,
                  "bytes between neighbours in the host tensor"));
  addInputEntries(port, item);
  if (port.isShared)
    item.entries.push_back(textEntry("surface", "shared", Assigned,
                                     "the output of the name lies in it, too"));
}

Item portItem(const e5::Port &port, StringRef direction) {
  const e5::EngineShape &shape = port.engine;
  Item item;
  item.title = (direction + " " + printable(port.name)).str();
  item.entries = {
      textEntry("hostType", e5::typeName(port.hostType), Documented,
                "elements of the host tensor"),
      textEntry("deviceType", e5::typeName(port.deviceType), Documented,
                "elements of the surface"),
      listEntry("shape", port.shape, Documented, "of the MIL tensor"),
      listEntry("strides", port.strides, Assigned,
                "bytes between neighbours in the surface"),
      listEntry(
          "engineShape",
          {shape.batch, shape.channels, shape.height, shape.width, shape.depth},
          Documented, "N C H W D"),
      listEntry("engineStrides",
                {shape.strideBatch, shape.strideChannels, shape.strideHeight,
                 shape.strideWidth, shape.strideDepth},
                Documented, "bytes"),
      hexEntry("bytes", port.byteSize, Documented, "of the surface"),
      hexEntry("address", port.address, Documented, "device address"),
  };
  addPortEntries(port, item);
  return item;
}

/// The names of what a segment has.
Entry namesEntry(StringRef name, llvm::ArrayRef<StringRef> values,
                 Evidence evidence) {
  llvm::json::Array names;
  std::string text;
  for (StringRef value : values) {
    names.push_back(llvm::json::fixUTF8(value));
    text += (text.empty() ? "" : " ") + printable(value);
  }
  return valueEntry(name, std::move(names), text, evidence);
}

Entry portsEntry(const e5::Descriptor &descriptor, StringRef name,
                 llvm::ArrayRef<e5::PortRef> refs) {
  return namesEntry(name,
                    llvm::map_to_vector(refs,
                                        [&](const e5::PortRef &ref) {
                                          return StringRef(
                                              descriptor.port(ref).name);
                                        }),
                    Documented);
}

Item segmentItem(const e5::Descriptor &descriptor, const e5::Segment &segment,
                 size_t index) {
  Item item;
  item.title = "segment " + llvm::utostr(index);
  item.entries = {
      textEntry("procedure", segment.procedure, Documented, "of the container"),
      portsEntry(descriptor, "inputs", segment.inputs),
      portsEntry(descriptor, "outputs", segment.outputs)};
  return item;
}

Item tensorItem(const e5::HostTensor &tensor, StringRef direction) {
  Item item;
  item.title = (direction + " " + printable(tensor.name)).str();
  item.entries = {
      textEntry("hostType", e5::typeName(tensor.type), Documented,
                "elements of the host tensor"),
      listEntry("shape", tensor.shape, Documented, "of the MIL tensor")};
  addInputEntries(tensor, item);
  return item;
}

/// The names of tensors of a partition.
Entry tensorsEntry(const e5::Partition &partition, StringRef name,
                   llvm::ArrayRef<size_t> tensors) {
  return namesEntry(name,
                    llvm::map_to_vector(tensors,
                                        [&](size_t tensor) {
                                          return StringRef(
                                              partition.tensors[tensor].name);
                                        }),
                    Assigned);
}

Item stageItem(const e5::Partition &partition, const e5::Stage &stage,
               size_t index) {
  Item item;
  item.title = "segment " + llvm::utostr(index) +
               (stage.isEngine() ? ": AneInference" : ": CpuInference");
  if (stage.isEngine())
    item.entries = {textEntry("procedure", stage.procedure, Documented,
                              "of the container")};
  item.entries.push_back(tensorsEntry(partition, "inputs", stage.inputs));
  item.entries.push_back(tensorsEntry(partition, "outputs", stage.outputs));
  for (const e5::Port &port : stage.inputPorts)
    item.items.push_back(portItem(port, "input"));
  for (const e5::Port &port : stage.outputPorts)
    item.items.push_back(portItem(port, "output"));
  if (stage.isEngine())
    return item;
  item.entries.push_back(hexEntry("weights", stage.weights.size(), Assigned,
                                  "bytes that the text calls its weights"));
  llvm::SmallVector<StringRef> lines;
  StringRef(stage.text).split(lines, '\n');
  for (auto [number, line] : llvm::enumerate(lines))
    item.entries.push_back(
        textEntry("text[" + llvm::utostr(number) + "]", line, Assigned));
  return item;
}

/// What a program that was cut has instead of ports and segments.
void addPartition(const e5::Partition &partition, Item &item) {
  for (auto [index, tensor] : llvm::enumerate(partition.tensors))
    item.items.push_back(
        tensorItem(tensor, index < partition.numInputs ? "input" : "tensor"));
  for (const e5::PartitionOutput &output : partition.outputs) {
    Item &named = item.items.emplace_back();
    named.title = "output " + printable(output.name);
    named.entries = {tensorsEntry(partition, "tensor", output.tensor)};
  }
  for (auto [index, stage] : llvm::enumerate(partition.stages))
    item.items.push_back(stageItem(partition, stage, index));
}

Item descriptorItem(const Input &input, size_t place) {
  const e5::Descriptor &descriptor = input.descriptors[place].descriptor;
  Item item;
  item.title = "dispatch descriptor";
  if (input.descriptors.size() > 1)
    item.title += " " + input.descriptors[place].path;
  auto add = [&](Entry entry) { item.entries.push_back(std::move(entry)); };
  add(textEntry("function", descriptor.function, Documented));
  add(textEntry("containerPath", descriptor.containerPath, Assigned,
                "file name of the container"));
  bool isSame =
      sha256Of(input.bytes()) == StringRef(descriptor.containerHash).lower();
  add(textEntry("containerHash", descriptor.containerHash, Assigned,
                isSame ? "SHA-256 of this container"
                       : "not the SHA-256 of this container"));
  add(textEntry("compilerOptions", descriptor.compilerOptions, Documented));
  size_t index = 0;
  for (const auto &[key, value] : descriptor.buildInfo)
    add(textEntry("buildInfo[" + llvm::utostr(index++) + "]",
                  (llvm::Twine(key) + " = " + value).str(), Documented));
  for (const e5::Port &port : descriptor.inputs)
    item.items.push_back(portItem(port, "input"));
  for (const e5::Port &port : descriptor.outputs)
    item.items.push_back(portItem(port, "output"));
  for (const e5::Port &port : descriptor.intermediates)
    item.items.push_back(portItem(port, "intermediate"));
  for (auto [index, segment] : llvm::enumerate(descriptor.segments))
    item.items.push_back(segmentItem(descriptor, segment, index));
  addPartition(descriptor.partition, item);
  return item;
}

} // namespace

Part objdump::e5Part(const Input &input) {
  Part part;
  part.name = "e5";
  part.count = input.descriptors.size();
  part.isSingle = part.count == 1;
  part.item = [&](size_t place) { return descriptorItem(input, place); };
  return part;
}
