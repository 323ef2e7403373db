//===- Options.cpp - The command line of ane-objdump ----------------------===//

#include "Options.h"
#include "Spellings.h"
#include <cstdlib>

using namespace ane;
using namespace ane::objdump;

static constexpr Named<Color> colorNames[] = {
    {Color::Auto, "auto"}, {Color::Always, "always"}, {Color::Never, "never"}};

void Options::addTo(CLI::App &app) {
  app.footer(
      "Without a choice of parts, all but --registers and --cost are shown; "
      "--e5 then only if the descriptor is there.\n"
      "Exit codes: 0 done, 1 bad input or --roundtrip failed, 2 bad "
      "command line.\n"
      "Those of --diff are diff's: 0 same, 1 different, 2 trouble.");
  app.add_option("input", input, "Container to show; - is standard input")
      ->type_name("FILE");
  app.add_option("other", other, "Second container, for --diff")
      ->type_name("FILE");

  app.add_flag("--header", header, "The file header")->group("Parts");
  app.add_flag("--commands", commands, "The load commands")->group("Parts");
  app.add_flag("--symbols", symbols, "The symbol table")->group("Parts");
  app.add_flag("--relocs", relocations, "The relocations")->group("Parts");
  app.add_flag("--ports", ports, "The tensors of the program, with their users")
      ->group("Parts");
  app.add_flag("--tasks", tasks, "The task descriptors, each field by name")
      ->group("Parts");
  app.add_flag("--registers", registers,
               "The task descriptors as records of raw words")
      ->group("Parts");
  app.add_flag("--lanes", lanes, "The coefficient lanes of the tasks")
      ->group("Parts");
  app.add_flag("--cost", cost,
               "Bytes and cycles that the tasks should take, estimated")
      ->group("Parts");
  app.add_flag("--e5", requireE5, "The dispatch descriptors beside the file")
      ->group("Parts");
  app.add_flag("--all", all, "All parts but --registers and --cost")
      ->group("Parts");
  app.add_flag("--all-fields", allFields,
               "Also the fields of task descriptors that are zero")
      ->group("Parts");

  app.add_flag("--json", json, "JSON instead of text")->group("Form");
  addChoice(app, "--color", color, choicesOf(colorNames),
            "Colours: auto, always or never")
      ->default_str("")
      ->group("Form");
  app.add_flag("--raw-td", rawText,
               "The input is no container: descriptors from its start, then "
               "coefficients")
      ->group("Form");

  app.add_flag("--diff", diff, "Compare two files field by field")
      ->group("Modes");
  app.add_flag("--roundtrip", roundTrip,
               "Rewrite the file from what was decoded and compare the bytes")
      ->group("Modes");
  app.add_flag("--yaml", toYaml, "Write the container as YAML")->group("Modes");
  app.add_option("--from-yaml", fromYaml,
                 "Write the container that a YAML file says")
      ->type_name("FILE")
      ->group("Modes");
  addChoice(app, "--convert-td", taskFormat, formatChoices(),
            "Write the container with its task descriptors as v7 or v10")
      ->group("Modes");
  app.add_option("-o,--output", output,
                 "Where --yaml, --from-yaml and --convert-td write; - is "
                 "standard output")
      ->type_name("FILE")
      ->group("Modes");
}

void Options::finish() {
  auto fail = [](const char *message) {
    throw CLI::ValidationError("ane-objdump", message);
  };
  if (diff + roundTrip + toYaml + !fromYaml.empty() + taskFormat.has_value() >
      1)
    fail("--diff, --roundtrip, --yaml, --from-yaml and --convert-td exclude "
         "each other");
  if (!fromYaml.empty()) {
    mode = Mode::FromYaml;
    if (!input.empty())
      fail("--from-yaml names the input; there cannot be another one");
    if (output.empty())
      fail("--from-yaml needs -o");
    input = fromYaml;
  } else if (taskFormat) {
    mode = Mode::ConvertTd;
    if (output.empty())
      fail("--convert-td needs -o");
    if (rawText)
      fail("--convert-td needs a container");
  } else if (toYaml) {
    mode = Mode::ToYaml;
  } else if (roundTrip) {
    mode = Mode::RoundTrip;
  } else if (diff) {
    mode = Mode::Diff;
    if (other.empty())
      fail("--diff needs two files");
  }
  if (input.empty())
    fail("a file to read is required");
  if (mode != Mode::Diff && !other.empty())
    fail("one file at a time, except for --diff");
  if (!output.empty() && mode != Mode::ToYaml && mode != Mode::FromYaml &&
      mode != Mode::ConvertTd)
    fail("-o goes with --yaml, --from-yaml or --convert-td");
  if (json && mode != Mode::Show)
    fail("--json is of what is shown, without --diff, --roundtrip, --yaml, "
         "--from-yaml or --convert-td");
  if (rawText && (mode == Mode::ToYaml || mode == Mode::FromYaml))
    fail("--raw-td does not go with YAML, which describes containers");
  if (rawText && requireE5)
    fail("--e5 needs a container");

  bool any = header || commands || symbols || relocations || ports || tasks ||
             registers || lanes || cost || requireE5;
  e5 = requireE5;
  if (all || !any) {
    header = commands = symbols = relocations = ports = tasks = lanes = true;
    // Two containers have descriptors of their own, which are not compared.
    e5 = !rawText && (requireE5 || mode == Mode::Show);
  }
}

bool Options::useColor(llvm::raw_ostream &os) const {
  bool isOn =
      color == Color::Always ||
      (color == Color::Auto && !std::getenv("NO_COLOR") && os.has_colors());
  os.enable_colors(isOn);
  return isOn;
}
