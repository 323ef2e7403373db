//===- RangeLength.h - How many numbers range_1d makes ----------*- C++ -*-===//

#ifndef ANE_DIALECT_MIL_IR_RANGELENGTH_H
#define ANE_DIALECT_MIL_IR_RANGELENGTH_H

#include "mlir/IR/Types.h"

namespace ane::mil {

/// ceil((end - start) / step), or 0 if that is negative; infinite or no number
/// if so many numbers do not reach the end. Of floats the difference and the
/// quotient are rounded to the element type, as np.arange and the types that
/// Core ML Tools declares have them: from 0 to 1 by fp16(0.1), which is a
/// little less, there are 10 (documented).
double rangeLength(mlir::Type elementType, double start, double end,
                   double step);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_RANGELENGTH_H
