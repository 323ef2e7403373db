//===- Common.td - Shape of the operation ---------------------------------===//

def Common : Block<"Common", 0x00000, 16,
    "Dimensions, formats, convolution window, grouping, task type.">;

class CommonField<int off, string reg, string n, int low, int w, string text,
                  Evidence e> : Field<Common, off, reg, n, low, w, text, e>;

def Win : CommonField<0x00, "InDim", "Win", 0, 15, "input width", Verified> {
  let defaultValue = 1;
  let v10 = V10<G1, 0, -1, Documented>;
}
def Hin : CommonField<0x00, "InDim", "Hin", 16, 15, "input height", Verified> {
  let defaultValue = 1;
  let v10 = V10<G1, 0, -1, Documented>;
}
def Din : CommonField<0x04, "InDepth", "Din", 0, 15, "input depth", Verified> {
  let defaultValue = 1;
  let v10 = V10<G1, 1>;
}
def InFmt : CommonField<0x08, "ChCfg", "InFmt", 0, 2,
    "element format of source 1", Verified> {
  let values = ElementFormatValues;
  let defaultValue = 2;
  let v10 = V10<G1, 2>;
}
def Src2Fmt : CommonField<0x08, "ChCfg", "Src2Fmt", 2, 2,
    "element format of source 2", Verified> {
  let values = ElementFormatValues;
  let v10 = V10<G1, 2>;
}
def OutFmt : CommonField<0x08, "ChCfg", "OutFmt", 4, 2,
    "element format of the result", Verified> {
  let values = ElementFormatValues;
  let defaultValue = 2;
  let v10 = V10<G1, 2>;
}
def Cin : CommonField<0x0c, "Cin", "Cin", 0, 17,
    "input channels, of one group", Verified> {
  let defaultValue = 1;
  let v10 = V10<G1, 3, -1, Documented>;
}
def Cout : CommonField<0x10, "Cout", "Cout", 0, 17,
    "output channels, of one group", Verified> {
  let defaultValue = 1;
  let v10 = V10<G1, 4, -1, Documented>;
}
def Wout : CommonField<0x14, "OutDim", "Wout", 0, 15, "output width",
    Verified> {
  let defaultValue = 1;
  let v10 = V10<G1, 5>;
}
def Hout : CommonField<0x14, "OutDim", "Hout", 16, 15, "output height",
    Verified> {
  let defaultValue = 1;
  let v10 = V10<G1, 5>;
}
def Dout : CommonField<0x18, "OutDepth", "Dout", 0, 15, "output depth",
    Verified> {
  let defaultValue = 1;
  let v10 = V10<G1, 6>;
}

class ConvCfg<string n, int low, int w, string text, int value, Evidence e>
    : CommonField<0x1c, "ConvCfg", n, low, w, text, e> {
  let defaultValue = value;
  let v10 = V10<G1, 7>;
}
def Kw : ConvCfg<"Kw", 0, 5, "kernel width", 1, Verified>;
def Kh : ConvCfg<"Kh", 5, 5, "kernel height", 1, Verified>;
def OCGSize : CommonField<0x1c, "ConvCfg", "OCGSize", 10, 3,
    "log2 of the output channels interleaved in one NE's weight plane",
    Verified> {
  let v10 = V10<G1, 9, 0, Documented>;
}
def Sx : ConvCfg<"Sx", 13, 2, "stride in W", 1, Verified>;
def Sy : ConvCfg<"Sy", 15, 2, "stride in H", 1, Verified>;
def Px : ConvCfg<"Px", 17, 5, "left padding; the right one follows from Wout",
    0, Verified>;
def Py : ConvCfg<"Py", 22, 5, "top padding; the bottom one follows from Hout",
    0, Verified>;
def Ox : ConvCfg<"Ox", 28, 2, "outputs of one step in W", 1, Verified>;
def Oy : ConvCfg<"Oy", 30, 2, "outputs of one step in H", 1, Verified>;

class ConvCfg3d<string n, int low, int w, string text, int value>
    : CommonField<0x20, "ConvCfg3d", n, low, w, text, Documented> {
  let defaultValue = value;
  let v10 = V10<G1, 8>;
}
def Kd : ConvCfg3d<"Kd", 0, 5, "kernel depth, always 1", 1>;
def Sz : ConvCfg3d<"Sz", 6, 2, "stride in D, always 1", 1>;
def Oz : ConvCfg3d<"Oz", 13, 2, "outputs of one step in D, always 1", 1>;

class GroupConvCfg<string n, int low, int w, string text, int value, Evidence e,
                   Evidence e10 = Assigned>
    : CommonField<0x24, "GroupConvCfg", n, low, w, text, e> {
  let defaultValue = value;
  let v10 = V10<G1, 10, -1, e10>;
}
def NumGroups : GroupConvCfg<"NumGroups", 0, 13,
    "convolution groups; the batch for tasks without a grouped kernel", 1,
    Verified, Documented>;
def UnicastEn : GroupConvCfg<"UnicastEn", 14, 1,
    "each output channel reads UnicastCin input channels instead of all", 0,
    Verified>;
// With OpMode 2 of the NE, in the last task of a real power of two operands,
// which finds y and ln x in turn as its channels: exp(y * ln x).
def ElemMultMode : GroupConvCfg<"ElemMultMode", 15, 1,
    "input channels of one output channel are multiplied with each other", 0,
    Verified>;
def UnicastCin : GroupConvCfg<"UnicastCin", 16, 16,
    "input channels of one output channel when UnicastEn is set", 1, Verified>;

def TileHeight : CommonField<0x28, "TileCfg", "TileHeight", 0, 15,
    "output rows of one L2 tile", Verified> {
  let defaultValue = 1;
  let v10 = V10<G1, 11>;
}
def PatchLog2W : CommonField<0x2c, "PatchCfg", "Log2W", 0, 4,
    "log2 of the PE patch width; 0 in NE tasks", Verified> {
  let v10 = V10<G1, 12>;
}
def PatchLog2H : CommonField<0x2c, "PatchCfg", "Log2H", 4, 4,
    "log2 of the PE patch height", Verified> {
  let v10 = V10<G1, 12>;
}

class OperandFlag<string n, int low, string text, Evidence e>
    : CommonField<0x30, "PEOperandCfg", n, low, 1, text, e> {
  let v10 = V10<G1, 13>;
}
def Src1BroadcastW : OperandFlag<"Src1BroadcastW", 0,
    "source 1 has one column for all", Verified>;
def Src1BroadcastH : OperandFlag<"Src1BroadcastH", 1,
    "source 1 has one row for all", Verified>;
def Src1BroadcastD : OperandFlag<"Src1BroadcastD", 2,
    "source 1 has one depth slice for all", Assigned>;
def Src1BroadcastC : OperandFlag<"Src1BroadcastC", 3,
    "source 1 has one channel for all", Verified>;
def Src2BroadcastW : OperandFlag<"Src2BroadcastW", 4,
    "source 2 has one column for all", Verified>;
def Src2BroadcastH : OperandFlag<"Src2BroadcastH", 5,
    "source 2 has one row for all", Verified>;
def Src2BroadcastD : OperandFlag<"Src2BroadcastD", 6,
    "source 2 has one depth slice for all", Assigned>;
def Src2BroadcastC : OperandFlag<"Src2BroadcastC", 7,
    "source 2 has one channel for all", Verified>;
def Src1Vector : OperandFlag<"Src1Vector", 8,
    "source 1 holds its channels along W", Verified>;
def Src2Vector : OperandFlag<"Src2Vector", 9,
    "source 2 holds its channels along W", Verified>;
def ResultVector : OperandFlag<"ResultVector", 10,
    "the result is stored with its channels along W", Verified>;

class CfgField<string n, int low, int w, string text, int value, Evidence e,
               Evidence e10 = Assigned>
    : CommonField<0x34, "Cfg", n, low, w, text, e> {
  let defaultValue = value;
  let v10 = V10<G1, 14, -1, e10>;
}
def Src1Stream : CfgField<"Src1Stream", 0, 1,
    "1 but in a PE task whose first source alone lies in L2", 1, Verified>;
def Src2Stream : CfgField<"Src2Stream", 1, 1,
    "source 2 of a PE task is fetched by DMA", 0, Verified>;
def SmallSource : CfgField<"SmallSourceMode", 2, 1,
    "input of at most 8x8 pixels; a performance choice", 0, Verified>;
def TaskType : CfgField<"TaskType", 4, 4,
    "engine and number of sources", 0, Verified, Documented> {
  let values = TaskTypeValues;
}
def ShPref : CfgField<"ShPref", 8, 3, "preferred patch shape", 0, Verified>;
def ShMin : CfgField<"ShMin", 12, 3, "smallest patch shape", 0, Verified>;
def ShMax : CfgField<"ShMax", 16, 3, "largest patch shape", 0, Verified>;
def ActiveNE : CfgField<"ActiveNE", 19, 3, "log2 of the active NEs", 0,
    Verified>;
def CtxSwitchIn : CfgField<"ContextSwitchIn", 22, 1, "never seen set", 0,
    Documented>;
// In two PE tasks, each in front of a copy by the NE that waits for nothing: no
// hazard, no dependency. The same program with a hazard in the copy has it not.
def NextOverlaps : CfgField<"NextOverlaps", 23, 1,
    "the next task, of the other engine, waits for nothing; inferred", 0,
    Verified>;
def CtxSwitchOut : CfgField<"ContextSwitchOut", 24, 1, "never seen set", 0,
    Documented>;
def AccDoubleBuf : CfgField<"AccDoubleBufEn", 26, 1,
    "double-buffered accumulators; a performance choice", 0, Verified>;
def TransposedWrite : CfgField<"TransposedWrite", 28, 1,
    "channels and columns of the result change places", 0, Verified>;

def TaskInfoID : CommonField<0x38, "TaskInfo", "TaskID", 0, 16,
    "never seen set", Documented> {
  let v10 = V10<G1, 15>;
}
def TaskInfoQ : CommonField<0x38, "TaskInfo", "TaskQ", 16, 4, "never seen set",
    Documented> {
  let v10 = V10<G1, 15>;
}
def TaskInfoNID : CommonField<0x38, "TaskInfo", "NID", 20, 8,
    "1 in NE tasks, 0 in PE tasks", Verified> {
  let defaultValue = 1;
  let v10 = V10<G1, 15>;
}
def DPECategory : CommonField<0x3c, "DPE", "Category", 0, 4,
    "1 for a MAC without a coefficient stream, 2 for a product of channels, "
    "else 0", Verified> {
  let v10 = V10<G1, 16>;
}
