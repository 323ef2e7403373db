//===- WeightOptions.h - What becomes of weights ----------------*- C++ -*-===//

#ifndef ANE_TOOLS_WEIGHTOPTIONS_H
#define ANE_TOOLS_WEIGHTOPTIONS_H

#include "Spellings.h"
#include "ane/Pipeline/Choices.h"

namespace ane {

/// Adds --missing-weights and --weight-types, for weights that are not as the
/// program says. `what` starts their help.
inline void addWeightOptions(CLI::App &app, MissingWeights &missing,
                             WeightTypes &types, const std::string &what) {
  addChoice(app, "--missing-weights", missing, choicesOf(missingWeightsNames),
            what + " a weight file that does not exist is: an error, or "
                   "seeded: its weights get stand-in values, the same in "
                   "every run");
  addChoice(app, "--weight-types", types, choicesOf(weightTypesNames),
            what + " a weight is whose record names another type than "
                   "the program does, or no place: strict: an error; by-size: "
                   "integers of up to 8 bits are read if their size is "
                   "right, and what has no place from behind its record, with "
                   "a warning");
}

} // namespace ane

#endif // ANE_TOOLS_WEIGHTOPTIONS_H
