//===- NE.td - Neural engine ----------------------------------------------===//

def NE : Block<"NE", 0x0c800, 5,
    "Neural engine: kernel format, multiply-accumulate, epilogue.">;

class NEField<int off, string reg, string n, int low, int w, int word,
              string text, int value, Evidence e>
    : Field<NE, off, reg, n, low, w, text, e> {
  let defaultValue = value;
  let v10 = V10<G5, word>;
}
def KernelFmt : NEField<0x00, "KernelCfg", "KernelFmt", 0, 2, 0,
    "coefficient format", 2, Verified> {
  let values = KernelFormatValues;
}
def PalettizedEn : NEField<0x00, "KernelCfg", "PalettizedEn", 2, 1, 0,
    "coefficients are palette indices", 0, Documented>;
def PalettizedBits : NEField<0x00, "KernelCfg", "PalettizedBits", 4, 4, 0,
    "bits of a palette index; 8 without a palette", 8, Verified>;
def SparseFmt : NEField<0x00, "KernelCfg", "SparseFmt", 8, 1, 0,
    "zeros are left out of the coefficient stream", 0, Verified>;
def GroupKernelReuse : NEField<0x00, "KernelCfg", "GroupKernelReuse", 10, 1, 0,
    "all groups use the kernel of the first", 0, Documented>;
// Planar tasks that follow each other are linked as long as results stay in L2,
// whether or not one reads what the one before wrote. A copy by the NE between
// two of them belongs to the links, a task with a table or coefficients does not
// (verified: all PE tasks at hand but those of one select, and 5 such copies). The
// select has a link behind a result that goes to scratch memory.
def LinkOut : NEField<0x00, "KernelCfg", "LinkOut", 12, 1, 0,
    "planar tasks go on behind this one", 0, Verified>;
def LinkIn : NEField<0x00, "KernelCfg", "LinkIn", 14, 1, 0,
    "a PE task behind one with LinkOut", 0, Verified>;
// Set in the one real task whose lanes begin with a palette, which has no stream
// of its own there: that it says so is inferred.
def PaletteInLane : NEField<0x00, "KernelCfg", "PaletteInLane", 15, 1, 0,
    "each lane begins with its palette", 0, Verified>;
def RuntimeKernel : NEField<0x00, "KernelCfg", "RuntimeKernel", 16, 1, 0,
    "coefficients come from a surface", 0, Verified>;

def MACOpMode : NEField<0x04, "MACCfg", "OpMode", 0, 3, 1,
    "operation", 0, Verified> {
  let values = MACOpModeValues;
}
def KernelMode : NEField<0x04, "MACCfg", "KernelMode", 3, 1, 1,
    "no coefficient stream: every coefficient is 1", 0, Verified>;
def BiasMode : NEField<0x04, "MACCfg", "BiasMode", 4, 1, 1,
    "a bias row leads every weight plane", 0, Verified>;
def MatrixBiasEn : NEField<0x04, "MACCfg", "MatrixBiasEn", 6, 1, 1,
    "never seen set", 0, Documented>;
def BinaryPoint : NEField<0x04, "MACCfg", "BinaryPoint", 8, 5, 1,
    "binary point of the accumulator", 28, Verified> {
  let values = BinaryPointValues;
}
def PostScaleMode : NEField<0x04, "MACCfg", "PostScaleMode", 14, 1, 1,
    "never seen set", 0, Documented>;
def NonlinearMode : NEField<0x04, "MACCfg", "NonlinearMode", 16, 2, 1,
    "function behind the accumulator", 0, Verified> {
  let values = NonlinearModeValues;
}
def MACUnknown20 : NEField<0x04, "MACCfg", "Unknown20", 20, 1, 1,
    "1 in every NE task; meaning unknown", 1, Verified>;
def MatrixVectorBias : NEField<0x08, "MatrixVectorBias", "MatrixVectorBias", 0,
    16, 2, "never seen set", 0, Documented>;
def AccBias : NEField<0x0c, "AccBias", "AccBias", 0, 16, 3,
    "fp16 addend of the accumulator", 0, Verified>;
def AccBiasShift : NEField<0x0c, "AccBias", "AccBiasShift", 16, 5, 3,
    "never seen set", 0, Documented>;
def PostScale : NEField<0x10, "PostScale", "PostScale", 0, 16, 4,
    "fp16 factor after the accumulator, before the activation", 0x3c00,
    Verified>;
def PostRightShift : NEField<0x10, "PostScale", "PostRightShift", 16, 5, 4,
    "never seen set", 0, Documented>;
