//===- WriteNetPlist.cpp - Writes network descriptions --------------------===//

#include "CheckNetPlist.h"
#include "Fields.h"
#include <memory>
#include <plist/plist.h>

using namespace ane::netplist;
using llvm::Error;
using llvm::StringRef;

namespace {

Value toValue(uint64_t number) { return int64_t(number); }
Value toValue(const std::string &text) { return text; }
Value toValue(ElementType type) { return stringify(type).str(); }
Value toValue(const Dict &dict) { return dict; }
template <typename T> Value toValue(const std::vector<T> &list) {
  Array array;
  for (const T &item : list)
    array.push_back(toValue(item));
  return array;
}

/// Collects fields.
class Collector {
public:
  template <typename T> void operator()(StringRef key, const T &field) {
    entries.emplace_back(key.str(), toValue(field));
  }
  template <typename T>
  void optional(StringRef key, const std::optional<T> &field) {
    if (field)
      (*this)(key, *field);
  }
  template <typename T>
  void optional(StringRef key, const std::vector<T> &field) {
    if (!field.empty())
      (*this)(key, field);
  }

  Dict take() { return makeDict(std::move(entries)); }

private:
  Dict entries;
};

/// The fields of a structure that `fields` visits. Visitors are shared with the
/// reader, which fills the structure in, so they take one that is not const.
template <typename T, typename Fields> Dict collect(T item, Fields fields) {
  Collector io;
  fields(io, item);
  return io.take();
}

template <typename T> Value namesOf(const std::vector<T> &list) {
  Array names;
  for (const T &item : list)
    names.push_back(item.name);
  return names;
}

Value networkValue(const Network &network, bool isOld) {
  Dict entries;
  entries.emplace_back(unitsKey, namesOf(network.units));
  entries.emplace_back(weightsKey, toValue(network.weights));
  if (!network.constants.empty())
    entries.emplace_back(constantsKey, namesOf(network.constants));
  if (isOld) {
    entries.emplace_back(inputsKey, namesOf(network.inputs));
    entries.emplace_back(outputsKey, namesOf(network.outputs));
  }
  for (const Input &input : network.inputs)
    entries.emplace_back(input.name,
                         collect(input, [](Collector &io, Input &item) {
                           inputFields(io, item);
                         }));
  for (const Constant &constant : network.constants)
    entries.emplace_back(constant.name,
                         collect(constant, [](Collector &io, Constant &item) {
                           constantFields(io, item);
                         }));
  for (const Unit &unit : network.units)
    entries.emplace_back(
        unit.name,
        collect(unit, [](Collector &io, Unit &item) { unitFields(io, item); }));
  for (const Output &output : network.outputs)
    entries.emplace_back(output.name,
                         collect(output, [&](Collector &io, Output &item) {
                           outputFields(io, item, /*hasName=*/!isOld);
                         }));
  return makeDict(std::move(entries));
}

Value procedureValue(const Procedure &procedure) {
  Array inputs, operations, outputs;
  for (const Input &input : procedure.inputs)
    inputs.push_back(collect(input, [](Collector &io, Input &item) {
      procedureInputFields(io, item);
    }));
  for (const Operation &operation : procedure.operations)
    operations.push_back(collect(operation, [](Collector &io, Operation &item) {
      operationFields(io, item);
    }));
  for (const ProcedureOutput &output : procedure.outputs)
    outputs.push_back(collect(output, [](Collector &io, ProcedureOutput &item) {
      procedureOutputFields(io, item);
    }));
  return makeDict({{"InputList", inputs},
                   {"Name", procedure.name},
                   {"OperationList", operations},
                   {"OutputList", outputs}});
}

Value toValue(const NetPlist &description) {
  bool isOld = description.version == oldVersion;
  Dict entries;
  entries.emplace_back(versionKey, description.version);
  entries.emplace_back(networksKey, namesOf(description.networks));
  for (const Network &network : description.networks)
    entries.emplace_back(network.name, networkValue(network, isOld));
  if (!isOld) {
    Array procedures;
    for (const Procedure &procedure : description.procedures)
      procedures.push_back(procedureValue(procedure));
    entries.emplace_back(proceduresKey, procedures);
  }
  return makeDict(std::move(entries));
}

plist_t toPlist(const Value &value) {
  if (const auto *item = std::get_if<bool>(&value.data))
    return plist_new_bool(*item);
  if (const auto *item = std::get_if<int64_t>(&value.data))
    return plist_new_uint(*item);
  if (const auto *item = std::get_if<double>(&value.data))
    return plist_new_real(*item);
  if (const auto *item = std::get_if<std::string>(&value.data))
    return plist_new_string(item->c_str());
  if (const auto *items = std::get_if<Array>(&value.data)) {
    plist_t array = plist_new_array();
    for (const Value &item : *items)
      plist_array_append_item(array, toPlist(item));
    return array;
  }
  plist_t dict = plist_new_dict();
  for (const auto &[key, item] : std::get<Dict>(value.data))
    plist_dict_set_item(dict, key.c_str(), toPlist(item));
  return dict;
}

} // namespace

Error ane::netplist::writeNetPlist(const NetPlist &description,
                                   llvm::raw_ostream &os) {
  if (Problem problem = checkNetPlist(description); !problem.message.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   problem.message);
  std::unique_ptr<void, void (*)(void *)> plist(toPlist(toValue(description)),
                                                plist_free);
  char *text = nullptr;
  uint32_t length = 0;
  plist_to_xml(plist.get(), &text, &length);
  std::unique_ptr<char, void (*)(char *)> owned(text, plist_to_xml_free);
  os.write(text, length);
  return Error::success();
}
