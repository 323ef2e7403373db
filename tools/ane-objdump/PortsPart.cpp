//===- PortsPart.cpp - The tensors of a program ---------------------------===//

#include "Parts.h"
#include "ane/TaskDescriptor/RegisterImage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ane;
using namespace ane::object;
using namespace ane::objdump;
using llvm::StringRef;
using enum ane::td::Evidence;

namespace {

/// A place in a task that names a BAR.
struct BarUse {
  td::Field enable;
  td::Field bar;
  bool isWrite;
};
constexpr BarUse barUses[] = {
    {td::Field::RBE0, td::Field::RBase0, false},
    {td::Field::RBE1, td::Field::RBase1, false},
    {td::Field::KBE0, td::Field::KBase0, false},
    {td::Field::WBE, td::Field::WBase, true},
};

bool usesBar(const td::RegisterImage &image, unsigned bar, bool isWrite) {
  return llvm::any_of(barUses, [&](const BarUse &use) {
    return use.isWrite == isWrite && image.isSet(use.enable) &&
           image.get(use.bar) == bar;
  });
}

Entry tasksEntry(const Input &input, size_t procedure, StringRef name,
                 unsigned bar, bool isWrite) {
  llvm::json::Array indices;
  std::string text;
  for (const PlacedTask &task : input.tasks)
    if (task.procedure == procedure && usesBar(task.task.image, bar, isWrite)) {
      indices.push_back(int64_t(task.index));
      text += (text.empty() ? "" : " ") + llvm::utostr(task.index);
    }
  return valueEntry(name, std::move(indices), text.empty() ? "-" : text,
                    Verified,
                    isWrite ? "tasks that write it" : "tasks that read it");
}

/// Which BAR of a procedure a port is, and which tasks use it.
void addUses(const Input &input, size_t index, const Port &port, Item &item) {
  std::optional<unsigned> bar =
      input.object->barOfAddress(*input.programs[index], port.address);
  if (!bar)
    return;
  auto name = [&, where = input.describe(index)](StringRef what) {
    return what.str() + where;
  };
  item.entries.push_back(
      decimalEntry(name("bar"), *bar, Verified, "base address register"));
  item.entries.push_back(
      tasksEntry(input, index, name("readBy"), *bar, /*isWrite=*/false));
  item.entries.push_back(
      tasksEntry(input, index, name("writtenBy"), *bar, /*isWrite=*/true));
}

/// What a descriptor says of the surface at an address; null if none does.
const e5::Port *findHost(const Input &input, uint64_t address) {
  for (const NamedDescriptor &named : input.descriptors)
    for (const auto *hosts :
         {&named.descriptor.inputs, &named.descriptor.outputs})
      for (const e5::Port &host : *hosts)
        if (host.address == address)
          return &host;
  return nullptr;
}

Item portItem(const Input &input, const Port &port) {
  const Object &object = *input.object;
  Item item;
  item.title = "port " + printable(port.name);
  auto add = [&](Entry entry) { item.entries.push_back(std::move(entry)); };
  if (const OperandDescriptor *operand = object.findOperand(port.name)) {
    const TensorLayout &layout = operand->layout;
    add(textEntry("direction",
                  operand->direction == PortDirection::Input ? "input"
                                                             : "output",
                  Verified));
    add(textEntry("element", elementName(layout.elementType), Verified));
    std::string shape;
    llvm::raw_string_ostream(shape)
        << "N=" << layout.n << " C=" << layout.c << " H=" << layout.h
        << " W=" << layout.w << " D=" << layout.d;
    add(valueEntry(
        "shape",
        llvm::json::Array{layout.n, layout.c, layout.h, layout.w, layout.d},
        shape, Verified));
    std::string strides;
    llvm::json::Array strideValues;
    for (uint64_t stride :
         {layout.batchStride, layout.planeStride, layout.rowStride,
          layout.elementStride, layout.depthStride}) {
      strides += (strides.empty() ? "" : " ") + hex(stride);
      strideValues.push_back(stride);
    }
    add(valueEntry("strides", std::move(strideValues), strides, Verified,
                   "bytes: batch, channel, row, element, depth"));
    add(hexEntry("bytes", operand->byteSize, Verified, "of the surface"));
  }
  add(hexEntry("address", port.address, Verified, "device address"));
  for (size_t index = 0; index < input.programs.size(); ++index)
    addUses(input, index, port, item);
  if (const e5::Port *host = findHost(input, port.address))
    add(textEntry("host", host->name, Assigned,
                  "its name in the dispatch descriptor"));
  return item;
}

} // namespace

Part objdump::portsPart(const Input &input) {
  Part part;
  part.name = "ports";
  part.title = "ports";
  auto ports = input.object->all<Port>();
  part.count = ports.size();
  part.item = [&input, ports](size_t index) {
    return portItem(input, *ports[index]);
  };
  return part;
}
