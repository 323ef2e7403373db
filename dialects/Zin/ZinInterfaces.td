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

//===----------------------------------------------------------------------===//
// What layers promise of their elements
//===----------------------------------------------------------------------===//

class Zin_ElementTrait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::ane::zin";
}

/// Each element of the result is computed from those at its place of the
/// operands, of which an extent may be 1 instead.
def Zin_Elementwise : Zin_ElementTrait<"Elementwise">;

/// Each element of the result is one of the operands, unchanged, and where it
/// comes from does not depend on what they are.
def Zin_MovesElements : Zin_ElementTrait<"MovesElements">;

#endif // ANE_ZIN_INTERFACES_TD
