//===- Choices.h - What options choose between ------------------*- C++ -*-===//

#ifndef ANE_PIPELINE_CHOICES_H
#define ANE_PIPELINE_CHOICES_H

#include "ane/Dialect/MIL/Transforms/WeightChoices.h"
#include "ane/Support/Named.h"

namespace ane {

/// What becomes of a program that computes in fp32.
enum class Precision {
  Engine, ///< fp16 takes its place, with a warning
  Strict, ///< it is refused
};
inline constexpr Named<Precision> precisionNames[] = {
    {Precision::Engine, "engine"}, {Precision::Strict, "strict"}};

/// By which tables sigmoid, silu and gelu are computed.
enum class SigmoidTables {
  Refined, ///< closer ones than those that the engine has of them
  Table,   ///< those of the engine
};
inline constexpr Named<SigmoidTables> sigmoidNames[] = {
    {SigmoidTables::Refined, "refined"}, {SigmoidTables::Table, "table"}};

/// Which of layer_norm and instance_norm subtract what a rounded mean leaves.
enum class Means {
  Automatic, ///< those of few numbers
  Rounded,   ///< none
  Refined,   ///< all
};
inline constexpr Named<Means> meansNames[] = {{Means::Automatic, "auto"},
                                              {Means::Rounded, "rounded"},
                                              {Means::Refined, "refined"}};

using mil::MissingWeights;
using mil::missingWeightsNames;
using mil::WeightTypes;
using mil::weightTypesNames;

} // namespace ane

#endif // ANE_PIPELINE_CHOICES_H
