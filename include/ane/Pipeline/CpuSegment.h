//===- CpuSegment.h - Segments that the interpreter runs --------*- C++ -*-===//

#ifndef ANE_PIPELINE_CPUSEGMENT_H
#define ANE_PIPELINE_CPUSEGMENT_H

#include "ane/Engine/PartitionRunner.h"

namespace ane {

/// Prepares a CpuInference for the reference interpreter, for PartitionRunner.
/// The text may read no file but the weights of its stage. What is wrong with
/// it is reported to standard error; the error says that it was.
llvm::Expected<std::unique_ptr<engine::CpuSegment>>
loadCpuSegment(const e5::Partition &partition, const e5::Stage &stage,
               llvm::StringRef name);

} // namespace ane

#endif // ANE_PIPELINE_CPUSEGMENT_H
