//===- CheckNetPlist.cpp - What a description must satisfy ----------------===//

#include "CheckNetPlist.h"
#include "Fields.h"
#include "PlistText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace ane::netplist;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// Whether XML can hold the text.
bool isText(StringRef text) {
  return llvm::json::isUTF8(text) && llvm::all_of(text, [](char c) {
           return static_cast<unsigned char>(c) >= 0x20 || c == '\t' ||
                  c == '\n';
         });
}

/// Whether a parameter can be written and read back. `depth` containers are
/// around it.
bool isWritable(const Value &value, unsigned depth) {
  if (const auto *real = std::get_if<double>(&value.data))
    return std::isfinite(*real);
  if (const auto *text = std::get_if<std::string>(&value.data))
    return isText(*text);
  if (const auto *array = std::get_if<Array>(&value.data))
    return depth < maxDepth &&
           llvm::all_of(
               *array,
               [&](const Value &item) { return isWritable(item, depth + 1); });
  if (const auto *dict = std::get_if<Dict>(&value.data)) {
    for (size_t i = 1; i < dict->size(); ++i)
      if ((*dict)[i - 1].first >= (*dict)[i].first)
        return false;
    return depth < maxDepth && llvm::all_of(
                                   *dict,
                                   [&](const auto &entry) {
                                     return isText(entry.first) &&
                                            isWritable(entry.second, depth + 1);
                                   });
  }
  return true;
}

class Checker {
public:
  explicit Checker(const NetPlist &description) : description(description) {}

  Problem check() {
    bool isOld = description.version == oldVersion;
    if (description.version != version && !isOld)
      say("", "",
          "version '" + description.version + "'; versions " + oldVersion +
              " and " + version + " are known");
    if (description.networks.empty())
      say("", "", "no network");
    if (isOld && !description.procedures.empty())
      say("", "", Twine("procedures in version ") + oldVersion);
    if (!isOld && description.procedures.empty())
      say("", "", "no procedure");
    indexNetworks();
    llvm::StringSet<> names = {versionKey, networksKey, proceduresKey};
    for (const Network &network : description.networks) {
      checkName(names, "", network.name);
      checkNetwork(network, isOld);
    }
    llvm::StringSet<> procedures;
    for (const Procedure &procedure : description.procedures) {
      checkName(procedures, "", procedure.name);
      checkProcedure(procedure);
    }
    return std::move(problem);
  }

private:
  /// What is looked up in a network.
  struct Index {
    llvm::StringSet<> inputs;  ///< that procedures pass
    llvm::StringSet<> edges;   ///< unit and what it reads, see pair
    llvm::StringSet<> outputs; ///< output and the unit it is of, see pair
    llvm::StringSet<> taken;   ///< outputs that procedures pass on
  };
  using Operations = llvm::StringMap<Index *>;

  static std::string pair(StringRef first, StringRef second) {
    return (first + Twine('\0') + second).str();
  }

  void indexNetworks() {
    for (const Network &network : description.networks) {
      Index &index = indices[network.name];
      for (const Unit &unit : network.units)
        for (const std::string &bottom : unit.bottoms)
          index.edges.insert(pair(unit.name, bottom));
      for (const Output &output : network.outputs)
        index.outputs.insert(pair(output.name, output.bottom));
    }
    for (const Procedure &procedure : description.procedures) {
      Operations operations = operationsOf(procedure);
      for (const Input &input : procedure.inputs)
        if (Index *index = operations.lookup(input.operation))
          index->inputs.insert(input.name);
      for (const ProcedureOutput &output : procedure.outputs)
        if (Index *index = operations.lookup(output.operation))
          index->taken.insert(output.name);
    }
  }

  /// The networks that the operations of a procedure run.
  Operations operationsOf(const Procedure &procedure) {
    Operations operations;
    for (const Operation &operation : procedure.operations)
      if (auto found = indices.find(operation.network); found != indices.end())
        operations.try_emplace(operation.name, &found->second);
    return operations;
  }

  void say(StringRef owner, StringRef name, const Twine &message) {
    if (problem.message.empty())
      problem = {message.str(), owner.str(), name.str()};
  }

  void checkName(llvm::StringSet<> &names, StringRef owner, StringRef name) {
    if (name.empty() || !isText(name))
      say(owner, name, "a name is empty or no text");
    else if (!names.insert(name).second)
      say(owner, name, "the name '" + name + "' is taken");
  }

  void checkShape(StringRef owner, StringRef name, const Shape &shape) {
    for (uint64_t extent : {shape.batch, shape.channels, shape.depth,
                            shape.height, shape.width, shape.interleave})
      if (extent == 0 || extent > INT32_MAX)
        say(owner, name,
            "'" + name + "' has an extent of " + Twine(extent) +
                "; extents are from 1 to 2147483647");
  }

  void checkNumbers(StringRef owner, StringRef name,
                    std::initializer_list<std::optional<uint64_t>> numbers) {
    for (std::optional<uint64_t> number : numbers)
      if (number.value_or(0) > INT64_MAX)
        say(owner, name,
            "'" + name + "' has a number of " + Twine(*number) +
                ", past 63 bits");
  }

  void checkNetwork(const Network &network, bool isOld) {
    llvm::StringSet<> names = {unitsKey, weightsKey, constantsKey, inputsKey,
                               outputsKey};
    // What a unit can read. In a new description, the inputs of the
    // procedures that run the network.
    llvm::StringSet<> readable;
    for (const std::string &file : network.weights)
      if (file.empty() || !isText(file))
        say("", network.name, "a name of a weight file is empty or no text");
    if (!isOld && !network.inputs.empty())
      say("", network.name,
          "network '" + network.name +
              "' has inputs of its own, which only version " + oldVersion +
              " has");
    for (const Input &input : network.inputs) {
      checkName(names, network.name, input.name);
      checkShape(network.name, input.name, input.shape);
      checkNumbers(network.name, input.name,
                   {input.rowStride, input.planeStride});
      readable.insert(input.name);
    }
    for (const auto &input : indices[network.name].inputs)
      readable.insert(input.first());
    for (const Constant &constant : network.constants) {
      checkName(names, network.name, constant.name);
      checkShape(network.name, constant.name, constant.shape);
      checkNumbers(network.name, constant.name, {constant.offset});
      if (constant.index >= network.weights.size())
        say(network.name, constant.name,
            "constant '" + constant.name + "' is in weight file " +
                Twine(constant.index) + " of " + Twine(network.weights.size()));
      readable.insert(constant.name);
    }
    llvm::StringSet<> units;
    for (const Unit &unit : network.units) {
      checkName(names, network.name, unit.name);
      checkUnit(network, unit, readable);
      readable.insert(unit.name);
      units.insert(unit.name);
    }
    if (network.outputs.empty())
      say("", network.name, "network '" + network.name + "' has no output");
    for (const Output &output : network.outputs) {
      checkName(names, network.name, output.name);
      checkNumbers(network.name, output.name,
                   {output.interleave, output.rowStride, output.planeStride});
      if (!units.contains(output.bottom))
        say(network.name, output.name,
            "output '" + output.name + "' is of '" + output.bottom +
                "', which is no unit");
      if (!isOld && !indices[network.name].taken.contains(output.name))
        say(network.name, output.name,
            "output '" + output.name + "' is one of no procedure");
    }
  }

  void checkUnit(const Network &network, const Unit &unit,
                 const llvm::StringSet<> &readable) {
    if (unit.type.empty() || !isText(unit.type))
      say(network.name, unit.name, "unit '" + unit.name + "' has no type");
    if (unit.bottoms.empty())
      say(network.name, unit.name, "unit '" + unit.name + "' reads nothing");
    for (const std::string &bottom : unit.bottoms)
      if (!readable.contains(bottom))
        say(network.name, unit.name,
            "unit '" + unit.name + "' reads '" + bottom +
                "', which is no input, no constant and no unit before it");
    if (!unit.inputTypes.empty() &&
        unit.inputTypes.size() != unit.bottoms.size())
      say(network.name, unit.name,
          "unit '" + unit.name + "' has " + Twine(unit.inputTypes.size()) +
              " input types for " + Twine(unit.bottoms.size()) + " bottoms");
    checkNumbers(network.name, unit.name,
                 {unit.outputChannels, unit.numGroups});
    // The description, the network and the unit are around the parameters.
    constexpr unsigned depth = 5;
    if (!isWritable(unit.params, depth))
      say(network.name, unit.name,
          "unit '" + unit.name +
              "' has parameters that are not finite, no "
              "text, not sorted, or nest too deep");
    const Value *kernel = find(unit.params, "KernelIndex");
    const auto *index = kernel ? std::get_if<int64_t>(&kernel->data) : nullptr;
    if (index && (*index < 0 || size_t(*index) >= network.weights.size()))
      say(network.name, unit.name,
          "unit '" + unit.name + "' has its kernel in weight file " +
              Twine(*index) + " of " + Twine(network.weights.size()));
  }

  void checkProcedure(const Procedure &procedure) {
    StringRef name = procedure.name;
    Operations operations = operationsOf(procedure);
    llvm::StringSet<> names;
    for (const Operation &operation : procedure.operations) {
      checkName(names, "", operation.name);
      if (!operations.contains(operation.name))
        say("", name,
            "operation '" + operation.name + "' runs network '" +
                operation.network + "', which does not exist");
    }
    if (procedure.operations.empty())
      say("", name, "procedure '" + name + "' has no operation");
    for (const Input &input : procedure.inputs) {
      checkShape("", name, input.shape);
      checkNumbers("", name, {input.rowStride, input.planeStride});
      Index *index = operations.lookup(input.operation);
      if (!index || !index->edges.contains(pair(input.unit, input.name)))
        say("", name,
            "input '" + input.name + "' goes to unit '" + input.unit +
                "' of operation '" + input.operation +
                "', which does not read it");
    }
    for (const ProcedureOutput &output : procedure.outputs) {
      checkNumbers("", name, {output.interleave});
      Index *index = operations.lookup(output.operation);
      if (!index || !index->outputs.contains(pair(output.name, output.unit)))
        say("", name,
            "output '" + output.name + "' comes from unit '" + output.unit +
                "' of operation '" + output.operation +
                "', which does not give it");
    }
  }

  const NetPlist &description;
  llvm::StringMap<Index> indices; ///< by network
  Problem problem;
};

} // namespace

Problem ane::netplist::checkNetPlist(const NetPlist &description) {
  return Checker(description).check();
}
