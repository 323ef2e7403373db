//===- L2.td - Scratchpad placement of operands and result ----------------===//

def L2 : Block<"L2", 0x04800, 18,
    "Where operands and result lie in the 2 MB scratchpad.">;

class L2Field<int off, string reg, string n, int low, int w, string text,
              Evidence e> : Field<L2, off, reg, n, low, w, text, e>;

def InputReLU : L2Field<0x00, "L2Cfg", "InputReLU", 0, 1, "relu on source 1",
    Documented> {
  let v10 = V10<G3, 4>;
}
def PaddingMode : L2Field<0x00, "L2Cfg", "PaddingMode", 2, 2,
    "what lies around the input", Verified> {
  let values = PaddingModeValues;
  let v10 = V10<G3, 4>;
}
def Input2ReLU : L2Field<0x00, "L2Cfg", "Input2ReLU", 4, 1, "relu on source 2",
    Verified> {
  let v10 = V10<G3, 4>;
}

/// What SourceCfg and ResultCfg have in common.
multiclass L2Side<int off, string reg, int word> {
  def AliasConvSrc : L2Field<off, reg, "AliasConvSrc", 4, 1,
      "hazard: an NE task's source may overlap", Verified> {
    let defaultValue = 1;
    let v10 = V10<G4, word>;
  }
  def AliasConvRslt : L2Field<off, reg, "AliasConvRslt", 5, 1,
      "hazard: an NE task's result may overlap", Verified> {
    let defaultValue = 1;
    let v10 = V10<G4, word>;
  }
  def DMAFmt : L2Field<off, reg, "DMAFmt", 6, 2, "element on the DMA side",
      Verified> {
    let values = L2FormatValues;
    let defaultValue = 1;
    let v10 = V10<G4, word>;
  }
  def DMAInterleave : L2Field<off, reg, "DMAInterleave", 8, 4,
      "interleave on the DMA side", Verified> {
    let defaultValue = 1;
    let v10 = V10<G4, word>;
  }
  def DMACmpVec : L2Field<off, reg, "DMACmpVec", 12, 4, "never seen set",
      Documented> {
    let v10 = V10<G4, word>;
  }
  def DMAOffsetCh : L2Field<off, reg, "DMAOffsetCh", 16, 3, "never seen set",
      Documented> {
    let v10 = V10<G4, word>;
  }
  def AliasPlanarSrc : L2Field<off, reg, "AliasPlanarSrc", 20, 1,
      "hazard: a PE task's source may overlap", Verified> {
    let defaultValue = 1;
    let v10 = V10<G4, word>;
  }
  def AliasPlanarRslt : L2Field<off, reg, "AliasPlanarRslt", 22, 1,
      "hazard: a PE task's result may overlap", Verified> {
    let defaultValue = 1;
    let v10 = V10<G4, word>;
  }
}

def SourceType : L2Field<0x04, "SourceCfg", "SourceType", 0, 2,
    "where source 1 comes from", Verified> {
  let values = ResidenceValues;
  let defaultValue = 2;
  let v10 = V10<G4, 0>;
}
def SourceDependent : L2Field<0x04, "SourceCfg", "Dependent", 2, 2,
    "which task wrote source 1", Verified> {
  let values = SourceWriterValues;
  let v10 = V10<G4, 0>;
}
// Bit 26 alone is set: where the PE task before wrote source 2, of the same
// extents, and nothing else of the task has to wait for that one. So this is the
// 2 of Dependent (inferred).
def Source2Dependent : L2Field<0x04, "SourceCfg", "Dependent2", 25, 2,
    "which task wrote source 2", Verified> {
  let values = SourceWriterValues;
  let v10 = V10<G4, 0>;
}
defm Source : L2Side<0x04, "SourceCfg", 0>;
// With Src2FromDMA the values of SourceType, one bit further up: 1 kept, 2
// streamed. One real task has it, which fetches its source 2 (inferred).
def Src2Kept : L2Field<0x04, "SourceCfg", "Src2Kept", 23, 1,
    "source 2 is fetched by DMA and stays in L2", Verified> {
  let v10 = V10<G4, 0>;
}
def Src2FromDMA : L2Field<0x04, "SourceCfg", "Src2FromDMA", 24, 1,
    "source 2 is fetched by DMA", Verified> {
  let v10 = V10<G4, 0>;
}

class L2Address<int off, string reg, string n, Group g, int word, string text>
    : L2Field<off, reg, n, 4, 17, text, Verified> {
  let unit = 16;
  let v10 = V10<g, word>;
}
def L2Src1Base : L2Address<0x08, "SourceBase", "Addr", G4, 2,
    "L2 address of source 1">;
def L2Src1ChannelStride : L2Address<0x0c, "SourceChannelStride", "Stride", G4, 3,
    "bytes between channels">;
def L2Src1RowStride : L2Address<0x10, "SourceRowStride", "Stride", G4, 4,
    "bytes between rows">;
def L2Src1DepthStride : L2Address<0x14, "SourceDepthStride", "Stride", G4, 5,
    "bytes between depth slices">;
def L2Src1GroupStride : L2Address<0x18, "SourceGroupStride", "Stride", G4, 6,
    "bytes between groups">;
def L2Src2Base : L2Address<0x1c, "Source2Base", "Addr", G4, 7,
    "L2 address of source 2">;
def L2Src2ChannelStride : L2Address<0x20, "Source2ChannelStride", "Stride", G4,
    8, "bytes between channels">;
def L2Src2RowStride : L2Address<0x24, "Source2RowStride", "Stride", G4, 9,
    "bytes between rows">;
def L2Src2DepthStride : L2Address<0x28, "Source2DepthStride", "Stride", G4, 10,
    "bytes between depth slices">;
def L2Src2GroupStride : L2Address<0x2c, "Source2GroupStride", "Stride", G4, 11,
    "bytes between groups">;

def ResultType : L2Field<0x30, "ResultCfg", "ResultType", 0, 2,
    "where the result goes", Verified> {
  let values = ResidenceValues;
  let defaultValue = 2;
  let v10 = V10<G4, 1>;
}
def ResultL2BfrMode : L2Field<0x30, "ResultCfg", "L2BfrMode", 3, 1,
    "the result drains through a buffer; result strides are 0", Verified> {
  let defaultValue = 1;
  let v10 = V10<G4, 1>;
}
defm Result : L2Side<0x30, "ResultCfg", 1>;
def L2ResultBase : L2Address<0x34, "ResultBase", "Addr", G6, 8,
    "L2 address of the result">;
def L2ResultChannelStride : L2Address<0x38, "ResultChannelStride", "Stride", G6,
    9, "bytes between channels">;
def L2ResultRowStride : L2Address<0x3c, "ResultRowStride", "Stride", G6, 10,
    "bytes between rows">;
def L2ResultDepthStride : L2Address<0x40, "ResultDepthStride", "Stride", G6, 11,
    "bytes between depth slices">;
def L2ResultGroupStride : L2Address<0x44, "ResultGroupStride", "Stride", G6, 12,
    "bytes between groups">;
