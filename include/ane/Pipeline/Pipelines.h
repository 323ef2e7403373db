//===- Pipelines.h - The phases by name -------------------------*- C++ -*-===//
//
// For hosts of MLIR that put passes together from text. Those that do it in C++
// take the phases themselves, as examples/embed does.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_PIPELINE_PIPELINES_H
#define ANE_PIPELINE_PIPELINES_H

namespace ane {

/// Registers a pipeline for each phase that is IR, from a program of MIL to
/// that phase: `ane-to-mil`, `ane-to-zin`, `ane-to-tasks`. Their options are
/// those of ane-compile that decide what a program becomes, by the same names;
/// where there are several values, they are separated by commas. What a module
/// has beside functions of MIL stays as it is, and a function that becomes a
/// procedure and a program keeps its name. For the whole process, once. The
/// passes themselves need not be registered.
void registerAllPipelines();

} // namespace ane

#endif // ANE_PIPELINE_PIPELINES_H
