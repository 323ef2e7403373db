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
    {"--shape", " ", true, true,
     [](const CompileOptions &options) { return options.phases.shapes; },
     [](CompileOptions &options, StringRef value) {
       options.phases.shapes.push_back(value.str());
     }},
    {"--default-shapes", "", true, true,
     [](const CompileOptions &options) {
       return onlyIf(options.phases.defaultShapes);
     },
     [](CompileOptions &options, StringRef) {
       options.phases.defaultShapes = true;
     }},
    {"--enumerated-shapes", "", true, true,
     [](const CompileOptions &options) {
       return onlyIf(options.phases.enumeratedShapes);
     },
     [](CompileOptions &options, StringRef) {
       options.phases.enumeratedShapes = true;
     }},
    {"--model-path", "=", true, false,
     [](const CompileOptions &options) {
       return onlyIf(!options.phases.modelPath.empty(),
                     options.phases.modelPath);
     }},
    {"--missing-weights", "=", true, true,
     [](const CompileOptions &options) {
       return onlyIf(options.phases.seedMissingWeights, "seeded");
     },
     [](CompileOptions &options, StringRef value) {
       options.phases.seedMissingWeights = value == "seeded";
     }},
    {"--weight-types", "=", true, true,
     [](const CompileOptions &options) {
       return onlyIf(options.phases.weightsBySize, "by-size");
     },
     [](CompileOptions &options, StringRef value) {
       options.phases.weightsBySize = value == "by-size";
     }},
    {"--precision", "=", true, false,
     [](const CompileOptions &options) {
       return onlyIf(options.phases.strictPrecision, "strict");
     }},
    {"--sigmoid", "=", true, true,
     [](const CompileOptions &options) {
       return onlyIf(!options.phases.refineSigmoid, "table");
     },
     [](CompileOptions &options, StringRef value) {
       options.phases.refineSigmoid = value != "table";
     }},
    {"--means", "=", true, true,
     [](const CompileOptions &options) {
       return onlyIf(options.phases.means != PhaseOptions::Means::Automatic,
                     stringifyMeans(options.phases.means));
     },
     [](CompileOptions &options, StringRef value) {
       if (std::optional<PhaseOptions::Means> means = parseMeans(value))
         options.phases.means = *means;
     }},
    {"--unroll-limit", "=", true, true,
     [](const CompileOptions &options) {
       return onlyIf(options.phases.unrollLimit != defaultUnrollLimit,
                     std::to_string(options.phases.unrollLimit));
     },
     [](CompileOptions &options, StringRef value) {
       value.getAsInteger(10, options.phases.unrollLimit);
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
    if (!option.take || !value.consume_front(option.name) ||
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
