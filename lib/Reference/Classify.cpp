//===- Classify.cpp - The head of a classifier ----------------------------===//

#include "Classify.h"
#include "OpTable.h"
#include <set>

using namespace mlir;
using namespace ane;
using namespace ane::reference;

namespace {

/// The labels of a literal; null where it is no list of strings or integers.
std::optional<std::vector<Label>> readLabels(mlir::Value classes) {
  auto constant = classes.getDefiningOp<mil::ConstOp>();
  auto literal = constant ? dyn_cast<mil::LiteralAttr>(constant.getValue())
                          : mil::LiteralAttr();
  auto list = literal ? dyn_cast<ArrayAttr>(literal.getContent()) : ArrayAttr();
  if (!list)
    return std::nullopt;
  std::vector<Label> labels;
  for (Attribute entry : list) {
    if (auto text = dyn_cast<StringAttr>(entry))
      labels.emplace_back(text.str());
    else if (auto number = dyn_cast<IntegerAttr>(entry);
             number && number.getType().isSignlessInteger(64))
      labels.emplace_back(number.getInt());
    else
      return std::nullopt;
  }
  return labels;
}

std::string format(const Label &label) {
  if (auto *text = std::get_if<std::string>(&label))
    return "'" + *text + "'";
  return std::to_string(std::get<int64_t>(label));
}

/// A label as a value of its own.
Datum toDatum(const Label &label, Type type) {
  if (auto *text = std::get_if<std::string>(&label))
    return *text;
  Tensor number(cast<RankedTensorType>(type));
  number.ints().front() = std::get<int64_t>(label);
  return number;
}

} // namespace

FailureOr<SmallVector<Datum>>
ane::reference::classify(mil::ClassifyOp op, const Tensor &probabilities) {
  std::optional<std::vector<Label>> labels = readLabels(op.getClasses());
  if (!labels)
    return report(op) << "'classes' is no literal of strings or of int64";
  ArrayRef<double> values = probabilities.floats();
  if (labels->empty() || labels->size() != values.size())
    return report(op) << "there are " << labels->size() << " classes for "
                      << values.size()
                      << " probabilities; as many are needed, and one at least";

  Dictionary dictionary;
  std::set<Label> seen;
  for (auto [label, value] : llvm::zip_equal(*labels, values)) {
    if (!seen.insert(label).second)
      return report(op) << "class " << format(label)
                        << " is listed twice; a dictionary has each key once";
    dictionary.entries.push_back({label, value});
  }
  size_t largest =
      std::max_element(values.begin(), values.end()) - values.begin();
  SmallVector<Datum> results;
  results.push_back(
      toDatum((*labels)[largest], op.getLabelOfLargest().getType()));
  results.push_back(std::move(dictionary));
  return results;
}
