//===- Instructions.h - Sets of vector instructions -------------*- C++ -*-===//

#ifndef ANE_LIB_ENGINE_INSTRUCTIONS_H
#define ANE_LIB_ENGINE_INSTRUCTIONS_H

namespace ane::engine {

/// What a loop may use. All give the same bits.
enum class Instructions {
  Portable,
  AVX2,   ///< with FMA and F16C
  AVX512, ///< the parts F, DQ and BW
};

bool hasInstructions(Instructions instructions);

/// The fastest that the processor has.
Instructions bestInstructions();

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_INSTRUCTIONS_H
