//===- MlirOpt.h - How long mlir-opt parses ---------------------*- C++ -*-===//

#ifndef ANE_BENCH_MLIROPT_H
#define ANE_BENCH_MLIROPT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ane::bench {

/// The seconds that `mlir-opt-22`, run as a program of its own, says its parser
/// took for IR in generic form, the least of several runs. It knows neither the
/// ops nor their constraints, so it checks less than whoever registers them.
llvm::Expected<double> timeMlirOpt(llvm::StringRef genericIR, unsigned runs);

} // namespace ane::bench

#endif // ANE_BENCH_MLIROPT_H
