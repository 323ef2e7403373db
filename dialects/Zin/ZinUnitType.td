//===- ZinUnitType.td - Engine units ----------------------------------------===//
//
// The operation class that a layer routes to, ZinUnitType. Numbers and names
// are documented (decoded from the compiler).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_ZIN_UNITTYPE_TD
#define ANE_ZIN_UNITTYPE_TD

include "mlir/IR/EnumAttr.td"

def Zin_UnitType : I32Enum<"UnitType", "engine unit of a layer", [
  I32EnumCase<"Conv", 1>,
  I32EnumCase<"Pooling", 2>,
  I32EnumCase<"Concat", 3>,
  I32EnumCase<"ElementWise", 4>,
  I32EnumCase<"ScaledElementWise", 5>,
  I32EnumCase<"Neuron", 6>,
  I32EnumCase<"NeuronCustom", 7>,
  I32EnumCase<"GOC", 8>,
  I32EnumCase<"DynamicGOC", 9>,
  I32EnumCase<"ConstMatrixMatrixMult", 10>,
  I32EnumCase<"Flatten", 11>,
  I32EnumCase<"Unflatten", 12>,
  I32EnumCase<"CrossCorrelation", 13>,
  I32EnumCase<"KernelRasterizer", 14>,
  I32EnumCase<"ArgMinMax", 15>,
  I32EnumCase<"GlobalArgMinMax", 16>,
  I32EnumCase<"InputView", 17>,
  I32EnumCase<"MatrixMultiplication", 18>,
  I32EnumCase<"Broadcast", 19>,
  I32EnumCase<"Reduction", 20>,
  I32EnumCase<"Transpose", 21>,
  I32EnumCase<"Reshape", 22>,
  I32EnumCase<"Shape", 23>,
  I32EnumCase<"Softmax", 24>,
  I32EnumCase<"InstanceNormalization", 25>,
  I32EnumCase<"L2Normalization", 26>,
  I32EnumCase<"MinMaxNormalization", 27>,
  I32EnumCase<"LayerNormalization", 28>,
  I32EnumCase<"LocalResponseNormalization", 29>,
  I32EnumCase<"CostVolume", 30>,
  I32EnumCase<"PixelShuffle", 31>,
  I32EnumCase<"PixelUnshuffle", 32>,
  I32EnumCase<"FurthestPointSampling", 33>,
  I32EnumCase<"SpaceToBatch", 34>,
  I32EnumCase<"BatchToSpace", 35>,
  I32EnumCase<"SpaceToChannel", 36>,
  I32EnumCase<"ChannelToSpace", 37>,
  I32EnumCase<"RadiusSearch", 38>,
  I32EnumCase<"Gather", 39>,
  I32EnumCase<"AffineTransform", 40>,
  I32EnumCase<"Resize", 41>,
  I32EnumCase<"ResizeAs", 42>,
  I32EnumCase<"Resample", 43>,
  I32EnumCase<"Padding", 44>,
  I32EnumCase<"Tile", 45>,
  I32EnumCase<"CropResize", 46>,
  I32EnumCase<"DynamicSlice", 47>,
  I32EnumCase<"PlaneReader", 48>,
  I32EnumCase<"PlaneWriter", 49>,
  I32EnumCase<"Sort", 50>,
  I32EnumCase<"TopK", 51>,
  I32EnumCase<"NMS", 52>,
  I32EnumCase<"MatrixDecomposition", 53>,
  I32EnumCase<"Dropout", 54>,
  I32EnumCase<"RandomGenerator", 55>,
  I32EnumCase<"Alias", 56>,
  I32EnumCase<"CrossProduct", 57>,
  I32EnumCase<"Quant", 58>,
  I32EnumCase<"DeQuant", 59>,
  I32EnumCase<"Linear", 60>,
  I32EnumCase<"RingBufferWriter", 61>,
  I32EnumCase<"RingBufferReader", 62>,
  I32EnumCase<"BatchNorm", 63>,
  I32EnumCase<"Phi", 64>,
  I32EnumCase<"Condition", 65>,
  I32EnumCase<"WaitForEvent", 66>,
  I32EnumCase<"SignalEvent", 67>,
  I32EnumCase<"NEConv", 68>,
  I32EnumCase<"NEMatMul", 69>,
  I32EnumCase<"NEPool", 70>,
  I32EnumCase<"NEBypass", 71>,
  I32EnumCase<"PEPool", 72>,
  I32EnumCase<"PEElementWise", 73>,
  I32EnumCase<"PEGOC", 74>,
  I32EnumCase<"AllSlice", 75>,
  I32EnumCase<"AllGather", 76>,
  I32EnumCase<"SDPA", 77>,
  I32EnumCase<"AllReduce", 78>,
  I32EnumCase<"FunctionCall", 79>
]> {
  let cppNamespace = "::ane::zin";
}

#endif // ANE_ZIN_UNITTYPE_TD
