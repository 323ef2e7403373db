//===- NeuralStream.h - Tasks of the neural engine in one go ----*- C++ -*-===//
//
// From fp16 memory to fp16 memory without arrays of floats in between, or with
// just those of one plane. Gives the bits of the general way.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_EXECUTE_NEURALSTREAM_H
#define ANE_LIB_ENGINE_EXECUTE_NEURALSTREAM_H

#include "Execute/Execute.h"

namespace ane::engine {

/// What leaves the accumulator overflows where it rounds to 2^15 in fp16.
/// Measured on M1: 32752 passes, 32768 does not.
constexpr float portLimit = 32760;

/// Whether the task passes its operand, from and to rows of fp16, and the
/// instructions suffice.
bool canStream(Instructions instructions, const NeuralTask &task);

/// Whether such a task goes value by value, so that a table of all fp16 is
/// faster (NeuralTask::halves).
bool canTabulate(const NeuralTask &task);

/// All rows of such a task whose result lies apart from its operand.
void stream(Instructions instructions, const NeuralTask &task);

/// Executes a channel-wise sum plane by plane. False, and nothing is done,
/// unless operand and result are rows of fp16 that lie apart and the pixels of
/// a row follow each other in the operand.
bool streamPlanes(Execution &execution, const NeuralTask &task);

} // namespace ane::engine

#endif // ANE_LIB_ENGINE_EXECUTE_NEURALSTREAM_H
