//===- Spellings.h - Options whose values have names ------------*- C++ -*-===//

#ifndef ANE_TOOLS_SPELLINGS_H
#define ANE_TOOLS_SPELLINGS_H

#include "ane/Support/Named.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "llvm/ADT/ArrayRef.h"
#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ane {

/// Values and their words, in the order of the help text.
template <typename Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// Of values that a function names.
template <typename Values, typename Name>
auto choicesOf(const Values &values, Name name) {
  Choices<std::decay_t<decltype(*std::begin(values))>> choices;
  for (const auto &value : values)
    choices.push_back({name(value).str(), value});
  return choices;
}

template <typename Value, size_t count>
Choices<Value> choicesOf(const Named<Value> (&table)[count]) {
  Choices<Value> choices;
  for (const Named<Value> &entry : table)
    choices.push_back({entry.name.str(), entry.value});
  return choices;
}

/// Adds an option that sets `target` to what its word stands for. The help text
/// names what `target` has by now, unless it is an empty std::optional.
template <typename Value, typename Target>
CLI::Option *addChoice(CLI::App &app, const std::string &name, Target &target,
                       Choices<Value> choices, const std::string &help) {
  std::vector<std::string> words;
  std::string standard;
  for (const auto &[word, value] : choices) {
    words.push_back(word);
    if (target == value)
      standard = word;
  }
  auto set = [&target, choices = std::move(choices)](const std::string &given) {
    for (const auto &[word, value] : choices)
      if (word == given)
        target = value;
  };
  return app.add_option_function<std::string>(name, set, help)
      ->check(CLI::IsMember(words))
      ->default_str(standard);
}

/// Of task descriptors. The one that new containers have comes first.
inline Choices<td::Format> formatChoices() {
  return choicesOf(llvm::ArrayRef({td::Format::V10, td::Format::V7}),
                   td::stringifyFormat);
}

} // namespace ane

#endif // ANE_TOOLS_SPELLINGS_H
