//===- Values.td - Values of fields that have a name ----------------------===//
//
// Code generation, executor and disassembler know a value by the enumerator
// that is generated from here: include/ane/TaskDescriptor/Values.h.
//
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

def LogEventValues : ValueSet<"LogEvent",
    "events of the log", [
  Value<"First", 0x8, "the first task; not by v4.2.1">,
  Value<"Last", 0x22, "the last task">,
  Value<"Always", 0x400, "every task">
]> {
  let isMask = 1;
}

def DebugLogEventValues : ValueSet<"DebugLogEvent",
    "events of the debug log", [
  Value<"Last", 0x2, "the last task">,
  Value<"Edge", 0x68, "the first task and the last one">,
  Value<"KeepsExponent", 0x2000,
      "a task that computes, unless its table negates the exponent">,
  Value<"Computes", 0xffd800, "the task does not only move data">
]> {
  let isMask = 1;
}

//===----------------------------------------------------------------------===//
// Common
//===----------------------------------------------------------------------===//

def ElementFormatValues : ValueSet<"ElementFormat",
    "element of an operand or result", [
  Value<"UInt8", 0, "8-bit, unsigned; also a source 2 that is not there">,
  Value<"Int8", 1, "8-bit, signed", Documented>,
  Value<"Half", 2, "fp16">
]>;

def TaskTypeValues : ValueSet<"TaskType",
    "engine and number of sources", [
  Value<"NE", 0, "neural engine">,
  Value<"OneSource", 2, "planar engine, source 1 only">,
  Value<"TwoSources", 3, "planar engine, both sources">,
  Value<"VectorPair", 4,
      "planar engine, source 2 holds an addend and a factor for each channel">,
  Value<"Reduction", 5, "planar engine, source 1 reduced">,
  Value<"ReductionOfTwo", 6,
      "planar engine, both sources combined and reduced">
]>;

//===----------------------------------------------------------------------===//
// Tile DMA
//===----------------------------------------------------------------------===//

def SourceCacheHintValues : ValueSet<"SourceCacheHint",
    "how long the cache keeps a source", [
  Value<"Stream", 0x2, "read once; also a source that is off">,
  Value<"LastUse", 0x4, "the last read of a surface">,
  Value<"NoReuse", 0xc, "the part that is not read again">,
  Value<"Reuse", 0xe, "the part that is read again">
]>;

def ResultCacheHintValues : ValueSet<"ResultCacheHint",
    "how long the cache keeps a result", [
  Value<"Final", 0x3, "no task reads it">,
  Value<"Intermediate", 0xf, "a later task reads it">
]>;

def DependencyModeValues : ValueSet<"DependencyMode",
    "what a transfer waits for", [
  Value<"None", 0, "nothing">,
  Value<"Earlier", 1, "an earlier transfer of the same bytes">,
  Value<"EarlierKernel", 2,
      "an earlier kernel transfer of the same bytes; inferred">
]>;

def FormatModeValues : ValueSet<"FormatMode",
    "sign of the elements in memory", [
  Value<"Unsigned", 0, "unsigned 8-bit; also a source 2 of any format">,
  Value<"Signed", 1, "fp16 or signed 8-bit">
]>;

def TruncationValues : ValueSet<"Truncation",
    "bits that a transfer keeps", [
  Value<"Byte", 0, "8-bit">,
  Value<"Half", 3, "fp16">
]>;

def MemoryFormatValues : ValueSet<"MemoryFormat",
    "element in memory", [
  Value<"Byte", 0, "8-bit">,
  Value<"Half", 2, "fp16">
]>;

//===----------------------------------------------------------------------===//
// L2
//===----------------------------------------------------------------------===//

def PaddingModeValues : ValueSet<"PaddingMode",
    "what lies around the input", [
  Value<"Zero", 0, "zeros">,
  Value<"Lowest", 1, "the lowest value: in every max reduction">
]>;

def ResidenceValues : ValueSet<"Residence",
    "where an operand comes from or a result goes", [
  Value<"InL2", 0, "the scratchpad">,
  Value<"Kept", 1, "memory, with a copy in the scratchpad for later tasks">,
  Value<"Streamed", 2, "memory, through the scratchpad">,
  Value<"Chained", 3, "handed from one task to the next in pieces">
]>;

// By engine, whichever reads: in all tasks at hand 1 is behind a task of the NE,
// and 2 behind one of the PE, in tasks of both.
def SourceWriterValues : ValueSet<"SourceWriter",
    "which task wrote a source in the scratchpad", [
  Value<"None", 0, "none that matters">,
  Value<"NE", 1, "the task before, of the neural engine">,
  Value<"PE", 2, "the task before, of the planar engine">
]>;

def L2FormatValues : ValueSet<"L2Format",
    "element on the DMA side of the scratchpad", [
  Value<"Byte", 0, "8-bit">,
  Value<"Half", 1, "fp16">
]>;

//===----------------------------------------------------------------------===//
// Planar engine
//===----------------------------------------------------------------------===//

def PEPoolModeValues : ValueSet<"PEPoolMode",
    "reduction of the planar engine", [
  Value<"Sum", 0, "sum; also a task that does not reduce">,
  Value<"Max", 2, "maximum">
]>;

def PEOpModeValues : ValueSet<"PEOpMode",
    "operation of the planar engine on two values", [
  Value<"Add", 0, "sum">,
  Value<"Multiply", 1, "product">,
  Value<"Max", 2, "maximum">,
  Value<"Min", 3, "minimum">,
  Value<"SquareOfSum", 4, "square of the sum">
]>;

def PEPostFunctionValues : ValueSet<"PEPostFunction",
    "function of a reduced value", [
  Value<"None", 0, "none">,
  Value<"Reciprocal", 1, "reciprocal">,
  Value<"ReciprocalSquareRoot", 2, "reciprocal square root">
]>;

//===----------------------------------------------------------------------===//
// Neural engine
//===----------------------------------------------------------------------===//

def KernelFormatValues : ValueSet<"KernelFormat",
    "coefficient", [
  Value<"None", 0, "no coefficients: planar engine tasks, and passes of 8 bits">,
  Value<"Int8", 1, "8-bit, signed">,
  Value<"Half", 2, "fp16">
]>;

def MACOpModeValues : ValueSet<"MACOpMode",
    "operation of the neural engine", [
  Value<"MAC", 0, "multiply and accumulate">,
  Value<"Multiply", 2, "product of input channels">,
  Value<"Max", 3, "maximum">,
  Value<"Pass", 4, "the input as it is">
]>;

def BinaryPointValues : ValueSet<"BinaryPoint",
    "binary point of the accumulator", [
  Value<"None", 0, "planar engine tasks, and older passes">,
  Value<"Half", 28, "fp16">
]>;

def NonlinearModeValues : ValueSet<"NonlinearMode",
    "function behind the accumulator", [
  Value<"None", 0, "none">,
  Value<"ReLU", 1, "the larger of the value and 0">,
  Value<"Table", 2, "lookup table at the start of every lane">
]>;
