//===- ReadNetPlist.cpp - Reads network descriptions ----------------------===//

#include "CheckNetPlist.h"
#include "Fields.h"
#include "PlistText.h"
#include "ane/Support/FileError.h"
#include "ane/Support/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ane;
using namespace ane::netplist;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// The first thing that is wrong.
struct Failure {
  bool happened = false;
  Place place;
  std::string message;

  void say(const Place &where, const Twine &what) {
    if (happened)
      return;
    happened = true;
    place = where;
    message = what.str();
  }
};

Value toValue(const Node &node) {
  if (const auto *items = std::get_if<NodeArray>(&node.data)) {
    Array array;
    for (const Node &item : *items)
      array.push_back(toValue(item));
    return array;
  }
  if (const auto *entries = std::get_if<NodeDict>(&node.data)) {
    Dict dict;
    for (const auto &[key, item] : *entries)
      dict.emplace_back(key, toValue(item));
    return makeDict(std::move(dict));
  }
  if (const auto *value = std::get_if<bool>(&node.data))
    return *value;
  if (const auto *value = std::get_if<int64_t>(&node.data))
    return *value;
  if (const auto *value = std::get_if<double>(&node.data))
    return *value;
  return std::get<std::string>(node.data);
}

/// Takes the entries of a dictionary one by one. What nobody took is unknown.
class DictReader {
public:
  DictReader(const Node &node, const Twine &what, Failure &failure)
      : place(node.place), what(what.str()), failure(failure) {
    const auto *dict = std::get_if<NodeDict>(&node.data);
    if (!dict) {
      failure.say(place, this->what + " is no <dict>");
      return;
    }
    for (const auto &[key, value] : *dict)
      entries.try_emplace(key, &value);
  }

  const Node *take(StringRef key) {
    auto found = entries.find(key);
    if (found == entries.end())
      return nullptr;
    const Node *node = found->second;
    entries.erase(found);
    return node;
  }

  const Node *require(StringRef key) {
    const Node *node = take(key);
    if (!node)
      failure.say(place, what + " has no '" + key + "'");
    return node;
  }

  /// Fields, as Fields.h visits them.
  template <typename T> void operator()(StringRef key, T &field) {
    if (const Node *node = require(key))
      read(*node, key, field);
  }
  template <typename T> void optional(StringRef key, std::optional<T> &field) {
    if (const Node *node = take(key))
      read(*node, key, field.emplace());
  }
  template <typename T> void optional(StringRef key, std::vector<T> &field) {
    if (const Node *node = take(key))
      read(*node, key, field);
  }

  void finish() {
    // The first by place, so that the message does not depend on hashing.
    const Node *first = nullptr;
    StringRef key;
    for (const auto &entry : entries)
      if (const Node *node = entry.second;
          !first || std::tie(node->place.line, node->place.column) <
                        std::tie(first->place.line, first->place.column)) {
        first = node;
        key = entry.first();
      }
    if (first)
      failure.say(first->place, what + " has an unknown key '" + key + "'");
  }

private:
  template <typename T>
  const T *expect(const Node &node, StringRef key, StringRef kind) {
    const T *value = std::get_if<T>(&node.data);
    if (!value)
      failure.say(node.place, "'" + key + "' of " + what + " is no " + kind);
    return value;
  }

  void read(const Node &node, StringRef key, std::string &field) {
    if (const auto *text = expect<std::string>(node, key, "<string>"))
      field = *text;
  }
  void read(const Node &node, StringRef key, uint64_t &field) {
    const auto *number = expect<int64_t>(node, key, "<integer>");
    if (!number)
      return;
    if (*number < 0)
      failure.say(node.place, "'" + key + "' of " + what + " is " +
                                  Twine(*number) + ", below 0");
    field = *number;
  }
  void read(const Node &node, StringRef key, ElementType &field) {
    const auto *text = expect<std::string>(node, key, "<string>");
    if (!text)
      return;
    for (auto index : llvm::seq(int(ElementType::UInt16) + 1)) {
      field = ElementType(index);
      if (stringify(field) == *text)
        return;
    }
    failure.say(node.place, "'" + key + "' of " + what + " is '" + *text +
                                "', which is no element type");
  }
  void read(const Node &node, StringRef key, Dict &field) {
    if (expect<NodeDict>(node, key, "<dict>"))
      field = std::get<Dict>(toValue(node).data);
  }
  template <typename T>
  void read(const Node &node, StringRef key, std::vector<T> &field) {
    if (const auto *items = expect<NodeArray>(node, key, "<array>"))
      for (const Node &item : *items)
        read(item, key, field.emplace_back());
  }

  Place place;
  std::string what;
  Failure &failure;
  llvm::StringMap<const Node *> entries;
};

class Reader {
public:
  explicit Reader(StringRef file) : file(file) {}

  Expected<NetPlist> read(const Node &root) {
    readDescription(root);
    if (!failure.happened)
      if (Problem problem = checkNetPlist(description);
          !problem.message.empty())
        failure.say(places.lookup(problem.owner + separator + problem.name),
                    problem.message);
    if (failure.happened)
      return llvm::make_error<FileError>(file, failure.place.line,
                                         failure.place.column, failure.message);
    return std::move(description);
  }

private:
  /// Between the parts of a name in `places`; no text has it.
  static constexpr char separator = '\0';

  void remember(StringRef owner, StringRef name, const Place &place) {
    places.try_emplace(owner.str() + separator + name.str(), place);
  }

  void readDescription(const Node &root) {
    DictReader dict(root, "the description", failure);
    dict(versionKey, description.version);
    std::vector<std::string> names;
    dict(networksKey, names);
    bool isOld = description.version == oldVersion;
    if (!isOld)
      if (const Node *list = dict.require(proceduresKey))
        forEach(*list, proceduresKey,
                [&](const Node &node) { readProcedure(node); });
    for (const std::string &name : names)
      if (const Node *node = dict.require(name))
        readNetwork(*node, name, isOld);
    dict.finish();
  }

  void readProcedure(const Node &node) {
    Procedure &procedure = description.procedures.emplace_back();
    DictReader dict(node, "a procedure", failure);
    dict("Name", procedure.name);
    remember("", procedure.name, node.place);
    readList(
        dict, "InputList", procedure.inputs, "an input",
        [](DictReader &io, Input &item) { procedureInputFields(io, item); });
    readList(
        dict, "OperationList", procedure.operations, "an operation",
        [](DictReader &io, Operation &item) { operationFields(io, item); });
    readList(dict, "OutputList", procedure.outputs, "an output",
             [](DictReader &io, ProcedureOutput &item) {
               procedureOutputFields(io, item);
             });
    dict.finish();
  }

  void readNetwork(const Node &node, const std::string &name, bool isOld) {
    remember("", name, node.place);
    Network &network = description.networks.emplace_back();
    network.name = name;
    DictReader dict(node, "network '" + name + "'", failure);
    std::vector<std::string> units, constants, inputs, outputs;
    dict(unitsKey, units);
    dict(weightsKey, network.weights);
    dict.optional(constantsKey, constants);
    if (isOld) {
      dict(inputsKey, inputs);
      dict(outputsKey, outputs);
    } else {
      outputs = outputsOf(name);
    }
    readNamed(dict, network, inputs, network.inputs,
              [](DictReader &io, Input &item) { inputFields(io, item); });
    readNamed(dict, network, constants, network.constants,
              [](DictReader &io, Constant &item) { constantFields(io, item); });
    readNamed(dict, network, units, network.units,
              [](DictReader &io, Unit &item) { unitFields(io, item); });
    readNamed(dict, network, outputs, network.outputs,
              [&](DictReader &io, Output &item) {
                outputFields(io, item, /*hasName=*/!isOld);
              });
    dict.finish();
  }

  /// The outputs that procedures take from a network, each once. They have no
  /// list of their own there.
  std::vector<std::string> outputsOf(StringRef network) const {
    std::vector<std::string> names;
    llvm::StringMap<bool> seen;
    for (const Procedure &procedure : description.procedures) {
      llvm::StringMap<bool> operations;
      for (const Operation &operation : procedure.operations)
        if (operation.network == network)
          operations.try_emplace(operation.name, true);
      for (const ProcedureOutput &output : procedure.outputs)
        if (operations.contains(output.operation) &&
            seen.try_emplace(output.name, true).second)
          names.push_back(output.name);
    }
    return names;
  }

  /// Reads the entries of a network's dictionary that `names` lists.
  template <typename T, typename Fields>
  void readNamed(DictReader &dict, const Network &network,
                 const std::vector<std::string> &names, std::vector<T> &items,
                 Fields fields) {
    for (const std::string &name : names) {
      const Node *node = dict.require(name);
      if (!node)
        return;
      remember(network.name, name, node->place);
      T &item = items.emplace_back();
      item.name = name;
      DictReader entries(*node, "'" + name + "'", failure);
      fields(entries, item);
      if (item.name != name)
        failure.say(node->place,
                    "'" + name + "' calls itself '" + item.name + "'");
      entries.finish();
    }
  }

  template <typename T, typename Fields>
  void readList(DictReader &dict, StringRef key, std::vector<T> &items,
                StringRef what, Fields fields) {
    if (const Node *list = dict.require(key))
      forEach(*list, key, [&](const Node &node) {
        DictReader entries(node, what, failure);
        fields(entries, items.emplace_back());
        entries.finish();
      });
  }

  template <typename Action>
  void forEach(const Node &list, StringRef key, Action action) {
    const auto *items = std::get_if<NodeArray>(&list.data);
    if (!items)
      return failure.say(list.place, "'" + key + "' is no <array>");
    for (const Node &item : *items)
      action(item);
  }

  StringRef file;
  Failure failure;
  llvm::StringMap<Place> places;
  NetPlist description;
};

} // namespace

Expected<NetPlist> ane::netplist::readNetPlist(llvm::MemoryBufferRef buffer) {
  Expected<Node> root = parsePlist(buffer);
  if (!root)
    return root.takeError();
  return Reader(buffer.getBufferIdentifier()).read(*root);
}

Expected<NetPlist> ane::netplist::readNetPlist(StringRef path) {
  auto buffer = readInputText(path);
  if (!buffer)
    return buffer.takeError();
  return readNetPlist((*buffer)->getMemBufferRef());
}
