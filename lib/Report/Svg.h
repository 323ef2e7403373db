//===- Svg.h - Pictures of a report -----------------------------*- C++ -*-===//

#ifndef ANE_LIB_REPORT_SVG_H
#define ANE_LIB_REPORT_SVG_H

#include "ane/Report/Report.h"

namespace ane::report {

/// Text as the content of an element or attribute.
std::string escape(llvm::StringRef text);

/// Tasks over time, a lane for each engine.
void drawTimeline(llvm::raw_ostream &os, const Report &report);

/// Addresses of a memory of `bytes` over time.
void drawMemory(llvm::raw_ostream &os, const Report &report,
                llvm::ArrayRef<MemoryUse> uses, uint64_t bytes);

} // namespace ane::report

#endif // ANE_LIB_REPORT_SVG_H
