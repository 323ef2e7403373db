//===- StreamVectors.h - Vectors of what fp16 memory holds ------*- C++ -*-===//
//
// What the loops that go from fp16 memory to fp16 memory do with a vector, for
// each set of instructions: a `Simd` in the namespace of the set. Such a loop
// is in a file of its own, which EachInstructions.inc includes once for each
// set.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_ENGINE_STREAMVECTORS_H
#define ANE_LIB_ENGINE_STREAMVECTORS_H

#include "StreamVectorsAVX2.h"
#include "StreamVectorsAVX512.h"

#endif // ANE_LIB_ENGINE_STREAMVECTORS_H
