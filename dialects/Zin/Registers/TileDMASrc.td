//===- TileDMASrc.td - Operand reads --------------------------------------===//

def TileDMASrc : Block<"TileDMASrc", 0x13800, 28,
    "Tile DMA of the two operands: address, strides, format.">;

class SrcField<int off, string reg, string n, int low, int w, string text,
               Evidence e> : Field<TileDMASrc, off, reg, n, low, w, text, e>;

/// The DMA configuration word of source 1 or 2.
multiclass SrcConfig<int off, string reg, int word, int en, string enText,
                     int reuse, int noReuse> {
  def En : SrcField<off, reg, "En", 0, 1, enText, Verified> {
    let defaultValue = en;
    let v10 = V10<G2, word>;
  }
  def CrH : SrcField<off, reg, "CrH", 4, 2, "always 0", Documented> {
    let v10 = V10<G2, word>;
  }
  def CacheHint : SrcField<off, reg, "CacheHint", 6, 4,
      "cache hint", Verified> {
    let values = SourceCacheHintValues;
    let defaultValue = 2;
    let v10 = V10<G2, word>;
  }
  def HintReuse : SrcField<off, reg, "CacheHintReuse", 10, 4,
      "cache hint of what is read again", Verified> {
    let values = SourceCacheHintValues;
    let defaultValue = reuse;
    let v10 = V10<G2, word>;
  }
  def HintNoReuse : SrcField<off, reg, "CacheHintNoReuse", 14, 4,
      "cache hint of what is not read again", Verified> {
    let values = SourceCacheHintValues;
    let defaultValue = noReuse;
    let v10 = V10<G2, word>;
  }
  def Dependency : SrcField<off, reg, "DependencyMode", 18, 2,
      "what the read waits for", Verified> {
    let values = DependencyModeValues;
    let v10 = V10<G2, word>;
  }
}
defm Src1DMA : SrcConfig<0x00, "DMAConfig", 0, 1,
    "a source is read from memory, the first or the second", 0xe, 0xc>;
defm Src2DMA : SrcConfig<0x04, "DMAConfig2", 1, 0,
    "0 also where source 2 is read from memory: DMAConfig.En serves both", 2,
    2>;

class SrcStride<int off, string reg, int word, string text>
    : SrcField<off, reg, "Stride", 6, 26, text, Verified> {
  let unit = 64;
  let isSigned = 1;
  let v10 = V10<G2, word>;
}
def Src1Base : SrcField<0x08, "BaseAddr", "Addr", 6, 26,
    "offset of source 1 in its buffer", Verified> {
  let unit = 64;
  let v10 = V10<G2, 4, -1, Documented, 0x1344>;
}
def Src1RowStride : SrcStride<0x0c, "RowStride", 6, "bytes between rows">;
def Src1PlaneStride : SrcStride<0x10, "PlaneStride", 7,
    "bytes between channels">;
def Src1DepthStride : SrcStride<0x14, "DepthStride", 8,
    "bytes between depth slices">;
def Src1GroupStride : SrcStride<0x18, "GroupStride", 9, "bytes between groups">;
def Src2Base : SrcField<0x1c, "BaseAddr2", "Addr", 6, 26,
    "offset of source 2 in its buffer", Verified> {
  let unit = 64;
  let v10 = V10<G2, 10, -1, Documented, 0x134a>;
}
def Src2RowStride : SrcStride<0x20, "RowStride2", 12, "bytes between rows">;
def Src2PlaneStride : SrcStride<0x24, "PlaneStride2", 13,
    "bytes between channels">;
def Src2DepthStride : SrcStride<0x28, "DepthStride2", 14,
    "bytes between depth slices">;
def Src2GroupStride : SrcStride<0x2c, "GroupStride2", 15,
    "bytes between groups">;

/// The memory format word of source 1 or 2.
multiclass SrcFormat<int off, string reg, int word, int mode, int trunc,
                     int mem, int inter, string interText> {
  def FmtMode : SrcField<off, reg, "FmtMode", 0, 2,
      "sign of the elements", Verified> {
    let values = FormatModeValues;
    let defaultValue = mode;
    let v10 = V10<G2, word>;
  }
  def Truncate : SrcField<off, reg, "Truncate", 4, 2, "bits that are kept",
      Verified> {
    let values = TruncationValues;
    let defaultValue = trunc;
    let v10 = V10<G2, word>;
  }
  def Shift : SrcField<off, reg, "Shift", 8, 1, "never seen set", Documented> {
    let v10 = V10<G2, word>;
  }
  def MemFmt : SrcField<off, reg, "MemFmt", 12, 2, "element in memory",
      Verified> {
    let values = MemoryFormatValues;
    let defaultValue = mem;
    let v10 = V10<G2, word>;
  }
  def OffsetCh : SrcField<off, reg, "OffsetCh", 16, 3, "never seen set",
      Documented> {
    let v10 = V10<G2, word>;
  }
  def Interleave : SrcField<off, reg, "Interleave", 24, 4, interText,
      Verified> {
    let defaultValue = inter;
    let v10 = V10<G2, word>;
  }
  def CmpVec : SrcField<off, reg, "CmpVec", 28, 4, "never seen set",
      Documented> {
    let v10 = V10<G2, word>;
  }
}
defm Src1 : SrcFormat<0x38, "Fmt", 2, 1, 3, 2, 1,
    "channels stored side by side">;
defm Src2 : SrcFormat<0x3c, "Fmt2", 3, 0, 0, 0, 0,
    "always 0: SourceCfg.DMAInterleave is that of source 2, too">;

def SrcUnknown40 : SrcField<0x40, "Unknown13840", "Value", 0, 32,
    "0x100 but in some older PE tasks; meaning unknown", Verified> {
  let defaultValue = 0x100;
  let v10 = V10<G2, 16>;
}
def SrcPixelOffset : SrcField<0x50, "PixelOffset", "Offset", 0, 16,
    "never seen set", Documented> {
  let count = 4;
  let v10 = V10<G2, 17>;
}
