//===- KernelDMASrc.td - Coefficient streams ------------------------------===//
//
// Sixteen coefficient lanes, one for each NE, and four auxiliary streams. All
// H13 programs seen leave the auxiliary streams off: bias rows and lookup
// tables travel in the lanes.
//
//===----------------------------------------------------------------------===//

def KernelDMASrc : Block<"KernelDMASrc", 0x1f800, 62,
    "Kernel DMA: sixteen coefficient lanes and four auxiliary streams.">;

def KernelDMASparse : Field<KernelDMASrc, 0x00, "Master", "SparseStream", 5, 1,
    "the coefficient stream skips zeros", Verified> {
  let v10 = V10<G0, 0>;
}
def KernelDMAEnable : Field<KernelDMASrc, 0x00, "Master", "Enable", 6, 1,
    "a coefficient lane is in use", Verified> {
  let v10 = V10<G0, 0>;
}

class Lane<int off, string reg, string n, int low, int w, string text,
           Evidence e> : Field<KernelDMASrc, off, reg, n, low, w, text, e> {
  let count = 16;
}
def CoeffEn : Lane<0x08, "CoeffDMAConfig", "En", 0, 1, "the lane is in use",
    Verified> {
  let v10 = V10<G0, 4, 0>;
}
def CoeffCrH : Lane<0x08, "CoeffDMAConfig", "CrH", 4, 2, "always 0",
    Documented> {
  let v10 = V10<G2, 21, 0>;
}
def CoeffCacheHint : Lane<0x08, "CoeffDMAConfig", "CacheHint", 6, 4,
    "always 2", Verified> {
  let defaultValue = 2;
  let v10 = V10<G0, 4, 1>;
}
def CoeffPrefetch : Lane<0x08, "CoeffDMAConfig", "PrefetchParticipateEn", 28, 1,
    "never seen set", Documented> {
  let v10 = V10<G0, 4, 5>;
}
def CoeffBase : Lane<0x48, "CoeffBaseAddr", "Addr", 6, 26,
    "start of the lane's coefficients, relative to the kernel BAR", Verified> {
  let unit = 64;
  let v10 = V10<G0, 4>;
}
def CoeffSize : Lane<0x88, "CoeffBfrSize", "MemBfrSize", 6, 26,
    "bytes of the lane's coefficients; 64 in an idle lane", Verified> {
  let unit = 64;
  let defaultValue = 1;
  let v10 = V10<G2, 21>;
}

/// Auxiliary stream i: 0 bias, 1 post-scale, 2 palette, 3 activation table.
class Stream<int off, string reg, string n, int low, int w, string text,
             Evidence e> : Field<KernelDMASrc, off, reg, n, low, w, text, e> {
  let count = 4;
}
def StreamEn : Stream<0xc8, "StreamDMAConfig", "En", 0, 1,
    "the stream is in use; never seen set", Documented> {
  let v10 = V10<G2, 41>;
}
def StreamCrH : Stream<0xc8, "StreamDMAConfig", "CrH", 4, 2, "always 0",
    Documented> {
  let v10 = V10<G2, 41>;
}
def StreamCacheHint : Stream<0xc8, "StreamDMAConfig", "CacheHint", 6, 4,
    "always 2", Verified> {
  let defaultValue = 2;
  let v10 = V10<G2, 41>;
}
// The slots are 0x1554, 0x1558, 0x155c and 0x1560: four words apart.
def StreamBiasBase : Field<KernelDMASrc, 0xd8, "StreamBaseAddr[bias]", "Addr",
    6, 26, "start of the bias stream", Documented> {
  let unit = 64;
  let v10 = V10<G0, 20, -1, Documented, 0x1554>;
}
def StreamPostScaleBase : Field<KernelDMASrc, 0xdc, "StreamBaseAddr[postscale]",
    "Addr", 6, 26, "start of the post-scale stream", Documented> {
  let unit = 64;
  let v10 = V10<G0, 24, -1, Documented, 0x1558>;
}
def StreamPaletteBase : Field<KernelDMASrc, 0xe0, "StreamBaseAddr[palette]",
    "Addr", 6, 26, "start of the palette stream", Documented> {
  let unit = 64;
  let v10 = V10<G0, 28, -1, Documented, 0x155c>;
}
def StreamLutBase : Field<KernelDMASrc, 0xe4, "StreamBaseAddr[lut]", "Addr",
    6, 26, "start of the activation table stream", Documented> {
  let unit = 64;
  let v10 = V10<G0, 32, -1, Documented, 0x1560>;
}
def StreamSize : Stream<0xe8, "StreamBfrSize", "MemBfrSize", 6, 26,
    "bytes of the stream; 64 in an idle stream", Verified> {
  let unit = 64;
  let defaultValue = 1;
  let v10 = V10<G2, 37>;
}
