//===- ProgramOptions.cpp - The options that programs depend on -----------===//

#include "ProgramOptions.h"

using namespace ane;
using llvm::StringRef;

namespace {

using Values = std::vector<std::string>;

struct ProgramOption {
  llvm::StringLiteral name;
  /// Between the name and a value; empty for a flag.
  llvm::StringLiteral assign;
  /// Whether it is for passes over MIL.
  bool isOfMIL;
  /// Whether it is in banners. Others do not change a container, or only where
  /// its weights come from.
  bool isRecorded;
  /// What it was given, each time; an empty word for a flag. Nothing where it
  /// says what holds without it.
  Values (*given)(const CompileOptions &);
  /// Takes what `given` said; null if nobody does.
  void (*take)(CompileOptions &, StringRef value) = nullptr;
};

/// What is given of a flag, or of an option that has one value but its default.
Values onlyIf(bool isGiven, StringRef value = "") {
  return isGiven ? Values{value.str()} : Values();
}

template <bool PhaseOptions::*member>
ProgramOption flag(llvm::StringLiteral name) {
  return {name,
          "",
          /*isOfMIL=*/true,
          /*isRecorded=*/true,
          [](const CompileOptions &options) {
            return onlyIf(options.phases.*member);
          },
          [](CompileOptions &options, StringRef) {
            options.phases.*member = true;
          }};
}

/// An option whose values have names. Of a word that is none it takes nothing.
template <const auto &names, auto member>
ProgramOption choice(llvm::StringLiteral name, bool isRecorded) {
  return {name,
          "=",
          /*isOfMIL=*/true,
          isRecorded,
          [](const CompileOptions &options) {
            auto value = options.phases.*member;
            return onlyIf(value != PhaseOptions().*member,
                          nameIn(names, value));
          },
          [](CompileOptions &options, StringRef word) {
            if (auto value = valueIn(names, word))
              options.phases.*member = *value;
          }};
}

/// In the order of a banner.
const ProgramOption programOptions[] = {
    {formatOption, "=", /*isOfMIL=*/false, /*isRecorded=*/true,
     [](const CompileOptions &options) -> Values {
       return {td::stringifyFormat(options.format).str()};
     },
     [](CompileOptions &options, StringRef value) {
       options.format = value == td::stringifyFormat(td::Format::V7)
                            ? td::Format::V7
                            : td::Format::V10;
     }},
    {"--return", " ", true, true,
     [](const CompileOptions &options) { return options.phases.returns; },
     [](CompileOptions &options, StringRef value) {
       options.phases.returns.push_back(value.str());
     }},
    {"--shape", " ", true, true,
     [](const CompileOptions &options) { return options.phases.shapes; },
     [](CompileOptions &options, StringRef value) {
       options.phases.shapes.push_back(value.str());
     }},
    flag<&PhaseOptions::defaultShapes>("--default-shapes"),
    flag<&PhaseOptions::enumeratedShapes>("--enumerated-shapes"),
    {"--model-path", "=", true, false,
     [](const CompileOptions &options) {
       return onlyIf(!options.phases.modelPath.empty(),
                     options.phases.modelPath);
     }},
    choice<missingWeightsNames, &PhaseOptions::missingWeights>(
        "--missing-weights", /*isRecorded=*/true),
    choice<weightTypesNames, &PhaseOptions::weightTypes>("--weight-types",
                                                         true),
    choice<precisionNames, &PhaseOptions::precision>("--precision", false),
    choice<sigmoidNames, &PhaseOptions::sigmoid>("--sigmoid", true),
    choice<meansNames, &PhaseOptions::means>("--means", true),
    {"--unroll-limit", "=", true, true,
     [](const CompileOptions &options) {
       return onlyIf(options.phases.unrollLimit != defaultUnrollLimit,
                     std::to_string(options.phases.unrollLimit));
     },
     [](CompileOptions &options, StringRef value) {
       value.getAsInteger(10, options.phases.unrollLimit);
     }},
    {"--input-range", " ", true, false,
     [](const CompileOptions &options) {
       return Values(options.inputRanges.size());
     }},
    {"--verify", "", true, false,
     [](const CompileOptions &options) { return onlyIf(options.verify); }},
    // A program that was cut is compiled again.
    {"--partition", "", true, true,
     [](const CompileOptions &options) { return onlyIf(options.partition); }},
};

} // namespace

std::vector<std::string> ane::optionLines(const CompileOptions &options) {
  std::vector<std::string> lines;
  for (const ProgramOption &option : programOptions)
    if (option.isRecorded)
      for (const std::string &value : option.given(options))
        lines.push_back(("\t" + option.name + option.assign + value).str());
  return lines;
}

StringRef ane::takeOptionLine(StringRef line, CompileOptions &options) {
  for (const ProgramOption &option : programOptions) {
    StringRef value = line.trim();
    if (!option.isRecorded || !option.take ||
        !value.consume_front(option.name) ||
        !value.consume_front(option.assign) ||
        (option.assign.empty() && !value.empty()))
      continue;
    option.take(options, value);
    return option.name;
  }
  return "";
}

StringRef ane::optionOfMIL(const CompileOptions &options) {
  for (const ProgramOption &option : programOptions)
    if (option.isOfMIL && !option.given(options).empty())
      return option.name;
  return "";
}
