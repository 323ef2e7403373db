//===- TasksPart.cpp - Task descriptors and their coefficient lanes -------===//

#include "Parts.h"
#include "ane/TaskDescriptor/Summary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace ane;
using namespace ane::objdump;
using llvm::StringRef;
using enum ane::td::Evidence;

namespace {

constexpr unsigned fieldNameWidth = 40;

std::string spell(const td::RegisterImage &image, td::Field field,
                  const td::FieldInfo &info, unsigned index) {
  uint32_t bits = image.get(field, index);
  if (info.unit > 1) {
    int64_t bytes = image.getScaled(field, index);
    return (bytes < 0 ? "-" + hex(-uint64_t(bytes)) : hex(bytes)) + " bytes";
  }
  std::string text = llvm::utostr(bits);
  if (const td::ValueSetInfo *values = td::valueSetOf(info)) {
    std::string name = values->nameOf(bits);
    if (!name.empty())
      return text + " " + name;
  }
  return info.width > 8 ? text + " (" + hex(bits) + ")" : text;
}

/// A field with all its elements; nothing if it is zero and `all` is not set.
std::optional<Entry> fieldEntry(const td::RegisterImage &image, td::Field field,
                                const td::FieldInfo &info, bool all) {
  Entry entry;
  entry.name = (info.registerName + "." + info.name).str();
  entry.meaning = info.meaning.str();
  entry.evidence = info.evidence;
  for (unsigned first = 0; first < info.count;) {
    unsigned last = first;
    while (last + 1 < info.count &&
           image.get(field, last + 1) == image.get(field, first))
      ++last;
    if (all || image.isSet(field, first)) {
      std::string name = info.registerName.str();
      if (info.count > 1)
        name += "[" + llvm::utostr(first) +
                (last > first ? ".." + llvm::utostr(last) : "") + "]";
      entry.lines.push_back(
          {name + "." + info.name.str(), spell(image, field, info, first)});
    }
    first = last + 1;
  }
  if (entry.lines.empty())
    return std::nullopt;
  if (info.count == 1) {
    entry.value = image.getScaled(field);
    return entry;
  }
  llvm::json::Array values;
  for (unsigned i = 0; i < info.count; ++i)
    values.push_back(image.getScaled(field, i));
  entry.value = std::move(values);
  return entry;
}

Item blockItem(const td::RegisterImage &image, td::Block block, bool all) {
  const td::BlockInfo &blockInfo = td::blockInfo(block);
  Item item;
  item.title = blockInfo.symbol.str();
  for (auto [index, info] : llvm::enumerate(td::fieldTable()))
    if (info.block == block)
      if (std::optional<Entry> entry =
              fieldEntry(image, static_cast<td::Field>(index), info, all))
        item.entries.push_back(std::move(*entry));
  for (unsigned word = 0; word < blockInfo.words; ++word)
    if (uint32_t bits = image.unnamedBits(block, word))
      item.entries.push_back(
          hexEntry("register " + hex(blockInfo.address + 4 * word), bits,
                   std::nullopt, "bits of no known field"));
  return item;
}

/// Bytes of the streams in memory that `pick` chooses.
uint64_t streamBytes(const td::TaskSummary &summary,
                     llvm::function_ref<bool(td::Stream::Role)> pick) {
  uint64_t bytes = 0;
  for (const td::Stream &stream : summary.streams)
    if (stream.inMemory() && pick(stream.role))
      bytes = llvm::SaturatingAdd(bytes, stream.bytes);
  return bytes;
}

std::string streamPlace(const td::Stream &stream) {
  switch (stream.residence) {
  case td::Residence::InL2:
    return "in L2";
  case td::Residence::Chained:
    return "chained";
  default:
    return (stream.bar ? "BAR[" + llvm::utostr(*stream.bar) + "]" : "memory") +
           "+" + hex(stream.offset);
  }
}

/// What a task does, as its title and first lines.
Item summaryItem(const td::TaskSummary &summary, StringRef name) {
  auto isSource = [](td::Stream::Role role) {
    return role == td::Stream::Source1 || role == td::Stream::Source2;
  };
  auto isResult = [](td::Stream::Role role) {
    return role == td::Stream::Result;
  };
  uint64_t in = streamBytes(summary, isSource);
  uint64_t out = streamBytes(summary, isResult);
  Item item;
  item.title = name.str() + ": " + summary.text() + "; " + llvm::utostr(in) +
               " bytes in, " + llvm::utostr(out) + " out, " +
               llvm::utostr(summary.lanes) + " lanes of " +
               llvm::utostr(summary.laneBytes) + ", ExeCycles " +
               llvm::utostr(summary.exeCycles);
  item.entries = {
      textEntry("engine", td::stringifyEngine(summary.engine), Verified),
      textEntry("operation", td::stringifyOperation(summary.operation),
                Verified),
      decimalEntry("bytesIn", in, Verified, "operands read from memory"),
      decimalEntry("bytesOut", out, Verified, "result written to memory"),
      decimalEntry("laneBytes", summary.laneBytes, Verified,
                   "coefficients of all lanes")};
  for (const td::Stream &stream : summary.streams)
    item.entries.push_back(
        textEntry("stream." + td::stringifyRole(stream.role).str(),
                  llvm::utostr(stream.bytes) + " bytes " + streamPlace(stream),
                  Verified));
  return item;
}

Item taskItem(const Input &input, size_t index, bool all) {
  const PlacedTask &task = input.tasks[index];
  Item item = summaryItem(td::summarize(task.task.image),
                          "task " + llvm::utostr(task.index) +
                              input.describe(task.procedure));
  if (input.procedures.size() > 1)
    item.entries.push_back(textEntry(
        "procedure", input.procedureOf(task).descriptor->procedure, Verified));
  item.entries.push_back(
      hexEntry("offset", task.offset, Verified, "in the text"));
  item.entries.push_back(
      decimalEntry("words", task.words, Verified, "32-bit words"));
  for (size_t block = 0; block < td::blockTable().size(); ++block) {
    Item registers =
        blockItem(task.task.image, static_cast<td::Block>(block), all);
    if (!registers.entries.empty())
      item.items.push_back(std::move(registers));
  }
  return item;
}

/// The first name that a container has for each address.
std::map<uint64_t, StringRef> symbolNames(const Input &input) {
  std::map<uint64_t, StringRef> names;
  const object::SymbolTable *table =
      input.object ? input.object->first<object::SymbolTable>() : nullptr;
  if (table)
    for (const object::Symbol &symbol : table->symbols)
      if (symbol.type == object::definedSymbol)
        names.try_emplace(symbol.value, table->name(symbol));
  return names;
}

struct Lane {
  size_t task;
  unsigned lane;
};

} // namespace

Part objdump::tasksPart(const Input &input, bool allFields) {
  Part part;
  part.name = "tasks";
  part.title = "tasks, " + input.formatName();
  part.nameWidth = fieldNameWidth;
  part.count = input.tasks.size();
  part.item = [&input, allFields](size_t index) {
    return taskItem(input, index, allFields);
  };
  return part;
}

Part objdump::lanesPart(const Input &input) {
  Part part;
  part.name = "lanes";
  part.title = "lanes";
  part.columns = {{"task", 10, Verified},         {"lane", 10, Verified},
                  {"bar", 10, Verified},          {"base", 10, Verified},
                  {"bytes", 10, Verified},        {"file", 10, Verified},
                  {"symbol", 10, Verified, false}};
  bool isNamed = input.procedures.size() > 1;
  if (isNamed)
    part.columns.insert(part.columns.begin(), {"procedure", 16, Verified});
  std::vector<Lane> lanes;
  for (auto [index, task] : llvm::enumerate(input.tasks))
    for (unsigned lane = 0; lane < td::numLanes; ++lane)
      if (task.task.image.isSet(td::Field::CoeffEn, lane))
        lanes.push_back({index, lane});
  part.count = lanes.size();
  part.item = [&input, isNamed, lanes = std::move(lanes),
               names = symbolNames(input)](size_t index) {
    const PlacedTask &task = input.tasks[lanes[index].task];
    unsigned lane = lanes[index].lane;
    const td::RegisterImage &image = task.task.image;
    uint64_t base = image.getScaled(td::Field::CoeffBase, lane);
    uint32_t bar = image.get(td::Field::KBase0);
    // Other BARs hold kernels that earlier tasks write.
    bool isConstant = bar == object::BarConstants;
    auto symbol =
        isConstant ? names.find(input.constantsAddress + base) : names.end();
    Item item;
    item.title = llvm::utostr(index);
    item.entries = {
        decimalEntry("task", task.index, Verified),
        decimalEntry("lane", lane, Verified),
        decimalEntry("bar", bar, Verified),
        hexEntry("base", base, Verified),
        hexEntry("bytes", image.getScaled(td::Field::CoeffSize, lane),
                 Verified),
        isConstant ? hexEntry("file", input.constantsOffset + base, Verified)
                   : valueEntry("file", nullptr, "-", Verified),
        textEntry("symbol", symbol != names.end() ? symbol->second : "",
                  Verified),
    };
    if (isNamed)
      item.entries.insert(
          item.entries.begin(),
          textEntry("procedure", input.procedureOf(task).descriptor->procedure,
                    Verified));
    return item;
  };
  return part;
}
