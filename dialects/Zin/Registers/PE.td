//===- PE.td - Planar engine ----------------------------------------------===//

def PE : Block<"PE", 0x08800, 4,
    "Planar engine: element-wise operation, reduction, scales.">;

class PEField<int off, string reg, string n, int low, int w, int word,
              string text, Evidence e>
    : Field<PE, off, reg, n, low, w, text, e> {
  let v10 = V10<G3, word>;
}
def PEPoolMode : PEField<0x00, "Cfg", "PoolMode", 0, 2, 0,
    "reduction", Verified> {
  let values = PEPoolModeValues;
}
def PEOpMode : PEField<0x00, "Cfg", "OpMode", 2, 3, 0,
    "operation on two values", Verified> {
  let values = PEOpModeValues;
}
def PERelu : PEField<0x00, "Cfg", "ReluEn", 5, 1, 0, "relu on the result",
    Verified>;
def PEAbs : PEField<0x00, "Cfg", "Abs", 6, 1, 0, "absolute value", Verified>;
def PEPostFunction : PEField<0x00, "Cfg", "NLMode", 12, 2, 0,
    "function of the reduced value", Verified> {
  let values = PEPostFunctionValues;
}
def PESrc1Negate : PEField<0x00, "Cfg", "Src1Neg", 16, 1, 0,
    "source 1 is negated", Verified>;
def PESrc2Negate : PEField<0x00, "Cfg", "Src2Neg", 18, 1, 0,
    "source 2 is negated", Verified>;
def PETwoSource : PEField<0x00, "Cfg", "TwoSource", 19, 1, 0,
    "there is a source 2", Verified>;
def PEBias : PEField<0x04, "BiasScale", "Bias", 0, 16, 1,
    "fp16 addend of what the operation gives", Verified>;
def PEScale : PEField<0x04, "BiasScale", "Scale", 16, 16, 1,
    "fp16 factor behind the bias", Verified>;
def PEEpsilon : PEField<0x08, "PreScale", "Epsilon", 0, 16, 2,
    "fp16 addend in front of the post function", Verified>;
def PEPreScale : PEField<0x08, "PreScale", "PreScale", 16, 16, 2,
    "fp16 factor of source 1", Verified>;
def PEFinalScale : PEField<0x0c, "FinalScale", "FinalScale", 0, 32, 3,
    "fp32 factor of a reduction: 1/N for a mean", Verified>;
