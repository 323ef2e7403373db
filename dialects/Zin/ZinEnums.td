//===- ZinEnums.td - Enumerations of the layer level ----------------------===//
//
// Numbers and names are documented (decoded from the compiler) unless the
// comment says otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_ZIN_ENUMS_TD
#define ANE_ZIN_ENUMS_TD

include "Zin/ZinDialect.td"
include "Zin/ZinOpcode.td"
include "Zin/ZinUnitType.td"
include "mlir/IR/EnumAttr.td"

class Zin_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Zin_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def Zin_UnitTypeAttr : Zin_EnumAttr<Zin_UnitType, "unit">;
def Zin_OpcodeAttr : Zin_EnumAttr<Zin_Opcode, "opcode">;

/// Modes of the activation unit, NonLinearModeToString.
def Zin_NonLinearMode : I32Enum<"NonLinearMode", "activation function", [
  I32EnumCase<"none", 0>,
  I32EnumCase<"relu", 1>,
  I32EnumCase<"sigmoid", 2>,
  I32EnumCase<"sigmoid_high_precision", 3>,
  I32EnumCase<"relu_sigmoid", 4>,
  I32EnumCase<"sigmoid_hard", 5>,
  I32EnumCase<"tanh", 6>,
  I32EnumCase<"clamped_relu", 7>,
  I32EnumCase<"prelu", 8>,
  I32EnumCase<"relun", 9>,
  I32EnumCase<"swish", 10>,
  I32EnumCase<"swish_hard", 11>,
  I32EnumCase<"dirac", 12>,
  I32EnumCase<"Int", 13, "int">,
  I32EnumCase<"frac", 14>,
  I32EnumCase<"sqrt", 15>,
  I32EnumCase<"rsqrt", 16>,
  I32EnumCase<"clamped_relu_rsqrt", 17>,
  I32EnumCase<"inv", 18>,
  I32EnumCase<"sqr", 19>,
  I32EnumCase<"log2", 20>,
  I32EnumCase<"exp2", 21>,
  I32EnumCase<"exp", 22>,
  I32EnumCase<"elu", 23>,
  I32EnumCase<"sign", 24>,
  I32EnumCase<"equal_zero", 25>,
  I32EnumCase<"not_equal_zero", 26>,
  I32EnumCase<"less_than_zero", 27>,
  I32EnumCase<"less_than_equal_zero", 28>,
  I32EnumCase<"greater_than_equal_zero", 29>,
  I32EnumCase<"greater_than_zero", 30>,
  I32EnumCase<"custom_lut", 31>,
  I32EnumCase<"sin", 32>,
  I32EnumCase<"cos", 33>,
  I32EnumCase<"gelu", 34>,
  I32EnumCase<"gelu_sigmoid_approximation", 35>,
  I32EnumCase<"degamma", 36>,
  I32EnumCase<"round_nearest", 37>,
  I32EnumCase<"trunc", 38>,
  I32EnumCase<"floor", 39>,
  I32EnumCase<"ceil", 40>,
  I32EnumCase<"atan", 41>,
  I32EnumCase<"atan_part1", 42>,
  I32EnumCase<"atan_part2", 43>,
  I32EnumCase<"erf", 44>,
  I32EnumCase<"thresholded_relu", 45>,
  I32EnumCase<"gamma", 46>,
  I32EnumCase<"abs", 47>
]> {
  let cppNamespace = "::ane::zin";
}

/// ZinIrEWType, as far as lowered.
def Zin_EWType : I32Enum<"EWType", "element-wise operation", [
  I32EnumCase<"Add", 1>,
  I32EnumCase<"Mult", 2>,
  I32EnumCase<"Sub", 4>,
  I32EnumCase<"Max", 7>,
  I32EnumCase<"Min", 8>
]> {
  let cppNamespace = "::ane::zin";
}
def Zin_EWTypeAttr : Zin_EnumAttr<Zin_EWType, "ew">;

/// ZinIrPoolingType, as far as lowered.
def Zin_PoolingType : I32Enum<"PoolingType", "pooling operation", [
  I32EnumCase<"Avg", 1>,
  I32EnumCase<"Max", 2>
]> {
  let cppNamespace = "::ane::zin";
}
def Zin_PoolingTypeAttr : Zin_EnumAttr<Zin_PoolingType, "pooling">;

/// ZinIrReductionType, as far as lowered.
def Zin_ReductionType : I32Enum<"ReductionType", "reduction", [
  I32EnumCase<"Sum", 0>,
  I32EnumCase<"Max", 2>,
  I32EnumCase<"Avg", 3>
]> {
  let cppNamespace = "::ane::zin";
}
def Zin_ReductionTypeAttr : Zin_EnumAttr<Zin_ReductionType, "reduction">;

//===----------------------------------------------------------------------===//
// Task level. Values of the registers that the names stand for; verified.
//===----------------------------------------------------------------------===//

/// MACCfg.OpMode.
def Zin_MACOp : I32Enum<"MACOp", "operation of the neural engine", [
  I32EnumCase<"mac", 0>,
  I32EnumCase<"max", 3>,
  I32EnumCase<"pass", 4>
]> {
  let cppNamespace = "::ane::zin";
}

/// PE Cfg.OpMode.
def Zin_PEOp : I32Enum<"PEOp", "operation of the planar engine", [
  I32EnumCase<"add", 0>,
  I32EnumCase<"mul", 1>,
  I32EnumCase<"max", 2>,
  I32EnumCase<"min", 3>,
  I32EnumCase<"square", 4>
]> {
  let cppNamespace = "::ane::zin";
}

/// Whether a PE task reduces, and how. Numbers are ours: the register has a
/// task type for the first question and PE Cfg.PoolMode for the second.
def Zin_PEReduce : I32Enum<"PEReduce", "reduction of the planar engine", [
  I32EnumCase<"none", 0>,
  I32EnumCase<"sum", 1>,
  I32EnumCase<"max", 2>
]> {
  let cppNamespace = "::ane::zin";
}

/// PE Cfg.NLMode.
def Zin_PEPost : I32Enum<"PEPost", "post function of the planar engine", [
  I32EnumCase<"none", 0>,
  I32EnumCase<"reciprocal", 1>,
  I32EnumCase<"rsqrt", 2>
]> {
  let cppNamespace = "::ane::zin";
}
def Zin_PEPostAttr : Zin_EnumAttr<Zin_PEPost, "post">;

/// How the coefficients of a kernel lie in the container: as fp16 numbers,
/// without their zeros, or as indices into a palette. KernelCfg.SparseFmt,
/// PalettizedEn and PalettizedBits say so; the numbers here are ours.
def Zin_KernelStorage : I32Enum<"KernelStorage", "form of coefficients", [
  I32EnumCase<"dense", 0>,
  I32EnumCase<"sparse", 1>,
  I32EnumCase<"palette4", 2>,
  I32EnumCase<"palette8", 3>
]> {
  let cppNamespace = "::ane::zin";
}
def Zin_KernelStorageAttr : Zin_EnumAttr<Zin_KernelStorage, "kernel_storage">;

/// SourceCfg.SourceType and ResultCfg.ResultType, as far as they are used.
def Zin_Residence : I32Enum<"Residence", "where an operand is", [
  I32EnumCase<"resident", 0>,
  I32EnumCase<"kept", 1>,
  I32EnumCase<"streamed", 2>
]> {
  let cppNamespace = "::ane::zin";
}

/// What a buffer is for.
def Zin_BufferKind : I32Enum<"BufferKind", "role of a buffer", [
  I32EnumCase<"input", 0>,
  I32EnumCase<"output", 1>,
  I32EnumCase<"scratch", 2>,
  I32EnumCase<"constant", 3>
]> {
  let cppNamespace = "::ane::zin";
}
def Zin_BufferKindAttr : Zin_EnumAttr<Zin_BufferKind, "buffer_kind">;

#endif // ANE_ZIN_ENUMS_TD
