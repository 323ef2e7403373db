//===- ZinInterfaces.td - What every layer can tell about itself ----------===//

#ifndef ANE_ZIN_INTERFACES_TD
#define ANE_ZIN_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Zin_UnitInterface : OpInterface<"UnitOp"> {
  let cppNamespace = "::ane::zin";
  let description = "A layer: an op of the unit level.";
  let methods = [
    StaticInterfaceMethod<"The engine unit the layer routes to.",
                          "::ane::zin::UnitType", "getUnitType">,
  ];
}

#endif // ANE_ZIN_INTERFACES_TD
