//===- TileDMADst.td - Result write ---------------------------------------===//

def TileDMADst : Block<"TileDMADst", 0x17800, 7,
    "Tile DMA of the result: address, strides, format.">;

class DstField<int off, string reg, string n, int low, int w, int word,
               string text, int value, Evidence e>
    : Field<TileDMADst, off, reg, n, low, w, text, e> {
  let defaultValue = value;
  let v10 = V10<G6, word>;
}
def DstEn : DstField<0x00, "DMAConfig", "En", 0, 1, 0,
    "the result is written to memory", 1, Verified>;
def DstCrH : DstField<0x00, "DMAConfig", "CrH", 4, 2, 0, "always 0", 0,
    Documented>;
def DstCacheHint : DstField<0x00, "DMAConfig", "CacheHint", 6, 4, 0,
    "cache hint", 3, Verified> {
  let values = ResultCacheHintValues;
}
def DstDependency : DstField<0x00, "DMAConfig", "DependencyMode", 18, 2, 0,
    "what the write waits for", 0, Verified> {
  let values = DependencyModeValues;
}
def DstUnknown22 : DstField<0x00, "DMAConfig", "Unknown22", 22, 2, 0,
    "overlap with tasks in flight; meaning not settled", 0, Verified>;
// In one task of all at hand, which has DependencyMode 2 as well: it writes to
// the start of scratch what the next task streams as its kernel, where by then
// the kernel of another product has been. Eleven tasks of another program write
// kernels to one place, each behind the product that read the one before: they
// have DependencyMode 2 alone (verified). A task that writes the first kernel of
// a program has neither.
def DstUnknown24 : DstField<0x00, "DMAConfig", "Unknown24", 24, 1, 0,
    "in one task with DependencyMode 2, not in others; meaning not settled", 0,
    Verified>;
def DstL2BfrMode : DstField<0x00, "DMAConfig", "L2BfrMode", 26, 1, 0,
    "the result drains through a buffer", 1, Verified>;
def DstBypassEOW : DstField<0x00, "DMAConfig", "BypassEOW", 27, 1, 0,
    "never seen set", 0, Documented>;

def DstBase : Field<TileDMADst, 0x04, "BaseAddr", "Addr", 6, 26,
    "offset of the result in its buffer", Verified> {
  let unit = 64;
  let v10 = V10<G6, 2, -1, Documented, 0x1442>;
}
class DstStride<int off, string reg, int word, string text>
    : DstField<off, reg, "Stride", 6, 26, word, text, 0, Verified> {
  let unit = 64;
  let isSigned = 1;
}
def DstRowStride : DstStride<0x08, "RowStride", 4, "bytes between rows">;
def DstPlaneStride : DstStride<0x0c, "PlaneStride", 5, "bytes between channels">;
def DstDepthStride : DstStride<0x10, "DepthStride", 6,
    "bytes between depth slices">;
def DstGroupStride : DstStride<0x14, "GroupStride", 7, "bytes between groups">;

class DstFmt<string n, int low, int w, string text, int value, Evidence e>
    : DstField<0x18, "Fmt", n, low, w, 1, text, value, e>;
def DstFmtMode : DstFmt<"FmtMode", 0, 2, "sign of the elements", 1, Verified> {
  let values = FormatModeValues;
}
def DstTruncate : DstFmt<"Truncate", 4, 2, "bits that are kept", 3, Verified> {
  let values = TruncationValues;
}
def DstShift : DstFmt<"Shift", 8, 1, "never seen set", 0, Documented>;
def DstMemFmt : DstFmt<"MemFmt", 12, 2, "element in memory", 2, Verified> {
  let values = MemoryFormatValues;
}
def DstOffsetCh : DstFmt<"OffsetCh", 16, 3, "never seen set", 0, Documented>;
def DstZeroPadLast : DstFmt<"ZeroPadLast", 20, 1, "pad the last line", 1,
    Verified>;
def DstZeroPadFirst : DstFmt<"ZeroPadFirst", 21, 1, "pad the first line", 1,
    Verified>;
def DstCmpVecFill : DstFmt<"CmpVecFill", 22, 1, "never seen set", 0,
    Documented>;
def DstInterleave : DstFmt<"Interleave", 24, 4, "channels stored side by side",
    1, Verified>;
def DstCmpVec : DstFmt<"CmpVec", 28, 4, "never seen set", 0, Documented>;
