//===- Arguments.cpp - The command line of ane-run ------------------------===//

#include "Arguments.h"
#include "WeightOptions.h"
#include "ane/Dialect/MIL/Transforms/ShapeRequests.h"
#include "llvm/ADT/StringSet.h"
#include <array>

using namespace ane;

namespace {

/// Splits `NAME=FILE` arguments; names must not repeat.
std::vector<TensorFile> tensorFiles(const std::vector<std::string> &arguments,
                                    const std::string &option) {
  std::vector<TensorFile> files;
  llvm::StringSet<> names;
  for (llvm::StringRef argument : arguments) {
    auto [name, path] = argument.split('=');
    if (name.empty() || path.empty())
      throw CLI::ValidationError(option, "expected NAME=FILE.npy, not '" +
                                             argument.str() + "'");
    if (!names.insert(name).second)
      throw CLI::ValidationError(option, "'" + name.str() + "' is given twice");
    files.push_back({name.str(), path.str()});
  }
  return files;
}

/// Splits `INPUT:AXIS=VALUE` arguments.
std::vector<loader::LiveInValue>
liveInValues(const std::vector<std::string> &arguments) {
  std::vector<loader::LiveInValue> values;
  for (llvm::StringRef argument : arguments) {
    auto [place, number] = argument.rsplit('=');
    auto [input, axis] = place.rsplit(':');
    loader::LiveInValue value;
    if (input.empty() || axis.size() != 1 ||
        !llvm::StringRef("ndchw").contains(axis) ||
        number.getAsInteger(10, value.value))
      throw CLI::ValidationError("--live-in", "expected INPUT:AXIS=VALUE with "
                                              "an axis n, d, c, h or w, not '" +
                                                  argument.str() + "'");
    value.input = input.str();
    value.axis = axis.front();
    for (const loader::LiveInValue &other : values)
      if (other.input == value.input && other.axis == value.axis)
        throw CLI::ValidationError("--live-in",
                                   "'" + place.str() + "' is given twice");
    values.push_back(std::move(value));
  }
  return values;
}

constexpr Named<engine::BreakOn> breakOnNames[] = {
    {engine::BreakOn::Any, "any"},
    {engine::BreakOn::NaN, "nan"},
    {engine::BreakOn::Infinity, "inf"}};

/// The argument of --break-on-nan; nothing if it is not given.
std::optional<engine::BreakOn> breakOnValue(llvm::StringRef text) {
  if (text.empty())
    return std::nullopt;
  if (std::optional<engine::BreakOn> value = valueIn(breakOnNames, text))
    return value;
  throw CLI::ValidationError(
      "--break-on-nan", "expected any, nan or inf, not '" + text.str() + "'");
}

/// Reads a number in any base that C has.
uint64_t loadAddress(llvm::StringRef text) {
  uint64_t address = 0;
  if (text.getAsInteger(0, address))
    throw CLI::ValidationError("--load-address",
                               "expected a number, not '" + text.str() + "'");
  return address;
}

/// An option and whether it is given.
struct GivenOption {
  const char *name;
  bool isGiven;
};

/// Refuses options that mean something for the other kind of model only.
void checkKind(const RunOptions &options) {
  if (options.model == "-")
    throw CLI::ValidationError(
        "model", "standard input has no name, which would say what it holds, "
                 "and no weights or descriptor beside it; give a file");
  const GivenOption ofContainers[] = {
      {"--e5", !options.descriptor.empty()},
      {"--procedure", !options.procedure.empty()},
      {"--live-in", !options.load.liveIns.empty()},
      {"--load-address", options.load.address.has_value()},
      {"--dump-loaded", !options.loadedImage.empty()},
      {"--numerics", options.numerics.has_value()},
      {"--threads", options.threads.has_value()},
      {"--stats", !options.stats.empty()},
      {"--trace", !options.trace.empty()},
      {"--trace-host", options.traceHost},
      {"--dump-task", options.dumpTask.has_value()},
      {"--break-on-nan", options.breakOn.has_value()},
      {"--check", options.check},
  };
  const GivenOption ofText[] = {
      {"--state", !options.states.empty()},
      {"--state-out", !options.statesAfter.empty()},
      {"--missing-weights", options.missingWeights != MissingWeights::Error},
      {"--weight-types", options.weightTypes != WeightTypes::Strict},
      {"--shape", !options.shapes.empty()},
      {"--model-path", !options.modelPath.empty()},
      {"--function", !options.function.empty()},
  };
  auto refuse = [](llvm::ArrayRef<GivenOption> given, const char *kind) {
    for (const GivenOption &option : given)
      if (option.isGiven)
        throw CLI::ValidationError(option.name, std::string("it goes with ") +
                                                    kind + " only");
  };
  if (options.isMil())
    refuse(ofContainers, "a container");
  else
    refuse(ofText, "MIL text");
}

/// Refuses options that would have no effect beside others.
void checkTogether(const RunOptions &options) {
  if (options.traceHost && options.trace.empty())
    throw CLI::ValidationError("--trace-host", "it needs --trace");
  if (!options.list)
    return;
  const GivenOption notListed[] = {
      {"--input", !options.inputs.empty()},
      {"--output", !options.outputs.empty()},
      {"--state", !options.states.empty()},
      {"--state-out", !options.statesAfter.empty()},
      {"--dump-loaded", !options.loadedImage.empty()},
      {"--numerics", options.numerics.has_value()},
      {"--threads", options.threads.has_value()},
      {"--stats", !options.stats.empty()},
      {"--trace", !options.trace.empty()},
      {"--dump-task", options.dumpTask.has_value()},
      {"--break-on-nan", options.breakOn.has_value()},
      {"--check", options.check},
  };
  for (const GivenOption &option : notListed)
    if (option.isGiven)
      throw CLI::ValidationError(
          "--list", std::string("it runs and writes nothing, so ") +
                        option.name + " does not go with it");
}

} // namespace

void Arguments::addTo(CLI::App &app) {
  addTensors(app);
  addContainer(app);
  addText(app);
  addWatch(app);
}

void Arguments::addTensors(CLI::App &app) {
  takeFolders(
      app.add_option("model", options.model,
                     "The container or MIL text to run, or a folder with a "
                     "model.mil")
          ->required()
          ->type_name("FILE.hwx|FILE.mil|DIR"));
  auto addFiles = [&](const char *name, std::vector<std::string> &files,
                      const char *text) {
    app.add_option(name, files, text)
        ->type_name("NAME=FILE.npy")
        ->allow_extra_args(false);
  };
  addFiles("--input", inputs,
           "Where an input comes from; give one for each input");
  addFiles("--output", outputs, "Where an output goes");
  addFiles("--state", states,
           "MIL text: what a state holds before the run; zeros where it is not "
           "given; of a container it is an input");
  addFiles(
      "--state-out", statesAfter,
      "MIL text: where the content of a state goes after the run; the same "
      "file as --state carries it from run to run; of a container it is an "
      "output");
}

void Arguments::addContainer(CLI::App &app) {
  addWeightOptions(app, options.missingWeights, options.weightTypes,
                   "MIL text: what");
  app.add_option("--e5", options.descriptor,
                 "The dispatch descriptor, if it is not model.e5")
      ->type_name("FILE.e5");
  app.add_option("--procedure", options.procedure,
                 "Container: the procedure to run, of one that has several; "
                 "default: the one that takes the inputs")
      ->type_name("NAME");
  app.add_option("--live-in", liveIns,
                 "Container: the value of a live-in parameter, such as x:h=24 "
                 "for the height of input x")
      ->type_name("INPUT:AXIS=VALUE")
      ->allow_extra_args(false);
  app.add_option("--load-address", address,
                 "Container: where device memory starts, a multiple of 0x4000; "
                 "default: 0x40000000")
      ->type_name("ADDRESS");
  app.add_option("--dump-loaded", options.loadedImage,
                 "Container: where its loaded image goes, which is a container "
                 "again; nothing runs if no tensors are named")
      ->type_name("FILE.hwx");
}

void Arguments::addText(CLI::App &app) {
  app.add_option("--shape", options.shapes,
                 "MIL text: the shape of an input, such as x=1x129x4")
      ->type_name("NAME=SHAPE")
      ->check(
          [](const std::string &text) { return mil::checkShapeRequest(text); })
      ->allow_extra_args(false);
  app.add_option("--model-path", options.modelPath,
                 "MIL text: the folder that @model_path stands for; default: "
                 "that of the text")
      ->type_name("DIR");
  app.add_option("--function", options.function,
                 "MIL text: the function to run, of a program that has several")
      ->type_name("NAME");
}

void Arguments::addWatch(CLI::App &app) {
  addChoice(app, "--numerics", options.numerics,
            choicesOf(std::array{engine::Numerics::Documented,
                                 engine::Numerics::Tile4},
                      engine::numericsName),
            "Container: how products are summed: documented (in fp32) or "
            "tile4 (as the engine does, as far as it is measured); "
            "default: " +
                engine::numericsName(engine::defaultNumerics).str());
  takeCount(app.add_option("--threads", options.threads,
                           "Container: threads to use; 0, the default, is one "
                           "per processor"))
      ->type_name("N");
  app.add_flag("--stats{-}", options.stats,
               "Container: bytes and cycles that each task should take; with "
               "=FILE as JSON")
      ->type_name("[=FILE.json]");
  app.add_option("--trace", options.trace,
                 "Container: where a Chrome trace of the estimate goes")
      ->type_name("FILE.json");
  app.add_flag("--trace-host", options.traceHost,
               "Container: in the trace also what each task took here");
  takeCount(app.add_option("--dump-task", options.dumpTask,
                           "Container: write the operands and the result of a "
                           "task, as task3-result.npy"))
      ->type_name("N");
  app.add_option("--dump-dir", options.dumpDirectory,
                 "Where --dump-task writes; default: the current folder")
      ->type_name("DIR")
      ->needs("--dump-task");
  app.add_flag("--break-on-nan{any}", breakOn,
               "Container: stop at the first task that computes an infinity or "
               "reads a NaN; =nan or =inf for one of them")
      ->type_name("[=any|nan|inf]");
  app.add_flag("--check", options.check,
               "Container: look for reads of what nothing wrote, transfers "
               "outside of tensors, writes that collide, lanes that overrun");
  app.add_flag("--list", options.list,
               "Print the names, types and shapes of inputs and outputs, and "
               "do nothing else");
}

void Arguments::finish() {
  options.inputs = tensorFiles(inputs, "--input");
  options.outputs = tensorFiles(outputs, "--output");
  options.states = tensorFiles(states, "--state");
  options.statesAfter = tensorFiles(statesAfter, "--state-out");
  options.load.liveIns = liveInValues(liveIns);
  if (!address.empty())
    options.load.address = loadAddress(address);
  options.breakOn = breakOnValue(breakOn);
  checkKind(options);
  checkTogether(options);
}
