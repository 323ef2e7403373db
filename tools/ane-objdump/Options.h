//===- Options.h - The command line of ane-objdump --------------*- C++ -*-===//

#ifndef ANE_TOOLS_OBJDUMP_OPTIONS_H
#define ANE_TOOLS_OBJDUMP_OPTIONS_H

#include "CommandLine.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace ane::objdump {

/// When text has colours.
enum class Color { Auto, Always, Never };

enum class Mode { Show, Diff, RoundTrip, ToYaml, FromYaml, ConvertTd };

struct Options {
  Mode mode = Mode::Show;
  std::string input;
  std::string other;  ///< the second file of --diff
  std::string output; ///< of --yaml, --from-yaml and --convert-td
  /// What --convert-td spells the tasks in.
  std::optional<td::Format> taskFormat;
  Color color = Color::Auto;

  bool header = false;
  bool commands = false;
  bool symbols = false;
  bool relocations = false;
  bool ports = false;
  bool tasks = false;
  bool registers = false;
  bool lanes = false;
  bool cost = false;
  bool e5 = false;
  /// A dispatch descriptor that is not there is an error.
  bool requireE5 = false;
  /// Also the fields of a task that are zero.
  bool allFields = false;
  bool json = false;
  bool rawText = false;

  void addTo(CLI::App &app);
  /// Decides what depends on several options. Throws CLI::ValidationError.
  void finish();

  bool needsTasks() const {
    return ports || tasks || registers || lanes || cost;
  }
  bool useColor(llvm::raw_ostream &os) const;

private:
  // What `mode` and the choice of parts come from.
  bool all = false, diff = false, roundTrip = false, toYaml = false;
  std::string fromYaml;
};

/// --yaml: writes a container as text.
int writeYaml(const Options &options);
/// --from-yaml: writes the container that a text describes.
int readYaml(const Options &options);

} // namespace ane::objdump

#endif // ANE_TOOLS_OBJDUMP_OPTIONS_H
