//===- Programs.h - Generated MIL programs ----------------------*- C++ -*-===//

#ifndef ANE_BENCH_PROGRAMS_H
#define ANE_BENCH_PROGRAMS_H

#include <cstddef>
#include <string>

namespace ane::bench {

/// A program of `numOps` ops, a multiple of 8, constants included: a chain of
/// conv, add, relu and mul, spelled as coremlc does.
std::string makeChain(size_t numOps);

/// A program with one constant whose literal has about `size` bytes.
std::string makeLiteral(size_t size);

} // namespace ane::bench

#endif // ANE_BENCH_PROGRAMS_H
