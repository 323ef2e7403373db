//===- ZinOps.td - All ops of the dialect ---------------------------------===//

#ifndef ANE_ZIN_OPS_TD
#define ANE_ZIN_OPS_TD

include "Zin/ZinTaskOps.td"
include "Zin/ZinUnitOps.td"

#endif // ANE_ZIN_OPS_TD
