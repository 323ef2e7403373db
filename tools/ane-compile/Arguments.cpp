//===- Arguments.cpp - The command line of ane-compile --------------------===//

#include "Arguments.h"
#include "Spellings.h"
#include "WeightOptions.h"
#include "ane/Dialect/MIL/Transforms/ShapeRequests.h"
#include "ane/Target/Target.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

using namespace ane;

namespace {

/// `mil`, `zin`, ... with what they stand for, for the help text.
std::string describePhases() {
  std::string text = "What to write:";
  for (const Phase &phase : allPhases())
    text += "\n  " + phase.name.str() + ": " + phase.description.str();
  return text + "\nIR goes as bytecode into a file named *.mlirbc";
}

Choices<PhaseKind> phaseChoices() {
  Choices<PhaseKind> choices;
  for (const Phase &phase : allPhases())
    choices.push_back({phase.name.str(), phase.kind});
  return choices;
}

/// `mil, zin and tasks`: the phases that an option goes with.
std::string listPhases(bool (Phase::*isOne)() const) {
  std::vector<std::string> names;
  for (const Phase &phase : allPhases())
    if ((phase.*isOne)())
      names.push_back(phase.name.str());
  std::string last = names.back();
  names.pop_back();
  return llvm::join(names, ", ") + " and " + last;
}

std::vector<std::string> targetNames() {
  std::vector<std::string> names;
  for (const TargetDescription &target : allTargets())
    names.push_back(target.name.str());
  return names;
}

/// What is wrong with an argument of --unroll-limit; nothing if it is right.
std::string isStepCount(const std::string &text) {
  int64_t steps;
  if (!llvm::StringRef(text).getAsInteger(10, steps) && steps >= 0)
    return "";
  return "expected a number of steps from 0 to " +
         std::to_string(std::numeric_limits<int64_t>::max()) + ", not '" +
         text + "'";
}

} // namespace

void Arguments::addTo(CLI::App &app) {
  addFiles(app);
  addProgram(app);
  addNumerics(app);
  addParts(app);
  addOutput(app);
  addWatch(app);
}

void Arguments::addFiles(CLI::App &app) {
  takeFolders(app.add_option("input", options.input,
                             "MIL text, a folder with a model.mil, such as a "
                             "*.mlmodelc, or - for standard input; *.mlir and "
                             "*.mlirbc are IR that --emit wrote, of any phase")
                  ->required()
                  ->type_name("FILE|DIR"));
  app.add_option("-o,--output", options.output,
                 "Output file; - for standard output")
      ->required()
      ->type_name("FILE");
  app.add_option("--target", options.phases.target, "Chip to compile for")
      ->check(CLI::IsMember(targetNames()))
      ->capture_default_str();
  addChoice(app, "--td-format", options.format, formatChoices(),
            "Spelling of task descriptors: v10, or v7 of real M1 programs");
  addChoice(app, "--container", options.container,
            choicesOf(object::allDialects, object::stringifyDialect),
            "Spelling of the container: v4.2.1 of real M1 programs, "
            "macos26, or v9.509; default: v4.2.1 for v7, v9.509 for v10");
}

void Arguments::addProgram(CLI::App &app) {
  app.add_option("--return", options.phases.returns,
                 "Value to return in the place of the outputs of the program, "
                 "by its name; repeat for each value")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("--shape", options.phases.shapes,
                 "Shape of an input with unknown extents, such as x=1x129x4; "
                 "repeat for each input")
      ->type_name("NAME=SHAPE")
      ->check(
          [](const std::string &text) { return mil::checkShapeRequest(text); })
      ->allow_extra_args(false);
  app.add_flag("--default-shapes", options.phases.defaultShapes,
               "Give other inputs the default shapes that the program states");
  app.add_flag("--enumerated-shapes", options.phases.enumeratedShapes,
               "Make a procedure for each set of shapes that a function lists; "
               "it is called FUNCTION_KEY");
  app.add_option("--model-path", options.phases.modelPath,
                 "Folder that @model_path stands for; default: that of the "
                 "input")
      ->type_name("DIR");
  addWeightOptions(app, options.phases.missingWeights,
                   options.phases.weightTypes, "What");
}

void Arguments::addNumerics(CLI::App &app) {
  PhaseOptions &phases = options.phases;
  addChoice(app, "--precision", phases.precision, choicesOf(precisionNames),
            "What fp32 computes in: engine: in fp16, with a warning; "
            "strict: it is refused");
  addChoice(
      app, "--sigmoid", phases.sigmoid, choicesOf(sigmoidNames),
      "How sigmoid, silu and gelu are computed: refined: by tables "
      "of our own, off by up to 0.0012 or 0.0012 x, and a sigmoid that is "
      "returned within 0.4 % of itself, in a task more; table: by the "
      "tables of Apple's compiler, in a task less for silu and gelu, "
      "off by up to 0.0034, 0.015 and 0.006");
  addChoice(app, "--means", phases.means, choicesOf(meansNames),
            "How layer_norm and instance_norm subtract a mean: rounded: to "
            "fp16, as Apple's compiler does it, which puts results off by "
            "0.4 % where it is 25 times the deviation; refined: twice, in "
            "two tasks more; auto: refined in norms of up to 16 numbers");
}

void Arguments::addParts(CLI::App &app) {
  app.add_option("--unroll-limit", options.phases.unrollLimit,
                 "Steps of the longest recurrent layer (lstm, gru, rnn), and "
                 "turns of the longest loop with those in it, to write out; a "
                 "longer one is refused")
      ->check(isStepCount, "")
      ->type_name("STEPS")
      ->capture_default_str();
  app.add_option("--function", options.function,
                 "Function to compile, of a program that has several; without "
                 "it each becomes a procedure of the container")
      ->type_name("NAME");
}

void Arguments::addOutput(CLI::App &app) {
  addChoice(app, "--emit", options.emit, phaseChoices(), describePhases());
  app.add_flag("--elide-constants", options.elideConstants,
               "Leave the elements of large constants out of emitted IR, for "
               "reading it; it cannot be compiled further then");
  app.add_flag("--print-locations", options.printLocations,
               "Write the place in the source of each op into IR as text, that "
               "of --dump-phases too: who compiles it further is told these");
  app.add_flag("--verify", options.verify,
               "Run the container and the reference interpreter on the same "
               "inputs and print how far apart they are; refuse more than 1 % "
               "(L2) or 5 % (an element), each plus a floor of 2 % of the "
               "largest magnitude, at most 0.002");
  app.add_option("--input-range", ranges,
                 "Between which numbers the elements of an input of floats "
                 "lie, such as x=0:255, for what --verify runs on and what may "
                 "overflow in a report; without it between -1 and 1; repeat "
                 "for each input")
      ->type_name("NAME=LOW:HIGH")
      ->allow_extra_args(false);
  app.add_flag("--partition", options.partition,
               "Where the engine cannot run an op, cut the program: the engine "
               "runs segments of it, the reference interpreter of ane-run what "
               "is between; without it such a program is refused");
  app.add_flag("--report{-}", options.report,
               "Print what each op and task should cost, what bounds it and "
               "what may overflow; with =FILE into a file, as JSON or as a "
               "page if it is named so")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw)
      ->type_name("[=FILE|FILE.json|FILE.html]");
}

void Arguments::addWatch(CLI::App &app) {
  app.add_option("--dump-phases", options.watch.dumpFolder,
                 "Write a file for each phase that is reached into this "
                 "folder: IR as text, tasks field by field")
      ->type_name("DIR");
  app.add_flag("--print-ir-after-all", options.watch.printIRAfterAll,
               "Print the IR after each pass to standard error");
  app.add_flag("--mlir-timing", options.watch.timing,
               "Print the time each step and pass took to standard error");
  app.add_flag("--mlir-pass-statistics", options.watch.statistics,
               "Print what each pass has counted to standard error");
  app.add_flag(
      "--verify-each", options.watch.verifyEach,
      "Verify the IR after each pass, not only what is written down or "
      "code is generated from");
  app.add_option("--crash-reproducer", options.watch.crashReproducer,
                 "Where a pass fails or crashes, write its input and options "
                 "here, for ane-opt --run-reproducer; what is refused behind "
                 "all passes, when code is generated, leaves none")
      ->type_name("FILE");
}

void Arguments::finish() {
  options.leavesMemory = true;
  auto fail = [](const std::string &message) {
    throw CLI::ValidationError(message);
  };
  for (const std::string &text : ranges) {
    llvm::Expected<InputRange> range = parseInputRange(text);
    if (!range)
      fail("--input-range: " + llvm::toString(range.takeError()));
    if (boundsOfInput(options.inputRanges, range->name))
      fail("--input-range: input '" + range->name + "' has two ranges");
    options.inputRanges.push_back(std::move(*range));
  }
  if (!ranges.empty() && !options.verify && options.report.empty())
    fail("--input-range goes with --verify or --report");
  const Phase &phase = getPhase(options.emit);
  if (options.verify && phase.kind != PhaseKind::Container)
    fail("--verify goes with --emit=hwx");
  if (options.partition && !options.report.empty())
    fail("--report is of programs that run whole, without --partition");
  if (!options.report.empty() && !phase.isCode())
    fail("--report goes with --emit=" + listPhases(&Phase::isCode));
  if (options.elideConstants && phase.isCode())
    fail("--elide-constants goes with --emit=" + listPhases(&Phase::isIR));
  if (options.elideConstants &&
      llvm::StringRef(options.output).ends_with(".mlirbc"))
    fail("--elide-constants is for text; bytecode has all elements");
  if (options.printLocations && phase.isCode() &&
      options.watch.dumpFolder.empty())
    fail("--print-locations goes with --dump-phases, or --emit=" +
         listPhases(&Phase::isIR));
  if (options.phases.enumeratedShapes && phase.hasOneProcedure())
    fail("--enumerated-shapes makes several procedures; --emit=" +
         phase.name.str() + " has room for one");
}
