//===- Base.td - How a task descriptor field is described -----------------===//
//
// A field of the task descriptor has one record. From it come the typed image,
// both codecs, the disassembler's names and docs/reference/registers.md.
//
// A field has two positions. In the v7 stream of real H13 programs it is a bit
// range of the register at `block address + offset`. In the v10 image it is a
// bit range of a word of one of the seven groups.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_ZIN_REGISTERS_BASE_TD
#define ANE_ZIN_REGISTERS_BASE_TD

/// How sure we are of a fact.
class Evidence<string n> { string name = n; }
/// Read out of the bytes of real H13 programs.
def Verified : Evidence<"verified">;
/// Stated by a published description, not contradicted by bytes.
def Documented : Evidence<"documented">;
/// Chosen by this project because nothing is published.
def Assigned : Evidence<"assigned">;

/// A contiguous run of 32-bit registers of the v7 stream.
class Block<string sym, int addr, int n, string text> {
  string symbol = sym;
  int address = addr;
  int words = n;
  string description = text;
}

/// One of the seven register groups of the v10 image.
/// `aperture` is the byte address of the first register, `imageBase` and
/// `structBase` the two published offsets of the group in the image object.
class Group<int num, int aper, int n, int image, int strct, string text> {
  int number = num;
  int aperture = aper;
  int words = n;
  int imageBase = image;
  int structBase = strct;
  string description = text;
}

/// Position of a field in the v10 image. Element i of an array field lies
/// i words further. A field with a `slot` is a buffer base: the file holds a
/// relocation slot of that register index instead of a value.
class V10<Group g, int w, int low = -1, Evidence e = Assigned, int relocSlot = 0> {
  Group group = g;
  int word = w;
  int lsb = low; // -1: as in v7
  Evidence evidence = e;
  int slot = relocSlot;
}

/// A value of a field that has a name.
class Value<string n, int v, string text, Evidence e = Verified> {
  string name = n;
  int value = v;
  string meaning = text;
  Evidence evidence = e;
}

/// The named values of one or several fields, a C++ enumeration. The values of
/// a mask are bits that may stand together.
class ValueSet<string n, string text, list<Value> named> {
  string name = n;
  string description = text;
  list<Value> values = named;
  bit isMask = 0;
}

/// A bit range of a v7 register, or of `count` consecutive registers.
///
/// `unit` is what one step of the value means: 1 for a plain number, 64 for
/// DMA addresses and strides in bytes, 16 for L2 addresses in bytes.
class Field<Block b, int off, string reg, string n, int low, int w,
            string text, Evidence e> {
  Block block = b;
  int offset = off;
  string registerName = reg;
  string name = n;
  int lsb = low;
  int width = w;
  string meaning = text;
  Evidence evidence = e;
  int count = 1;
  int defaultValue = 0;
  int unit = 1;
  bit isSigned = 0;
  ValueSet values = ?;
  V10 v10 = ?;
}

/// A field of the descriptor header: ten 32-bit words in front of the register
/// stream, eleven when TDE is set. The v10 descriptor has the same header.
def Header : Block<"Header", 0, 11, "Task identity, chaining, buffer selection.">;
class HeaderField<int word, string reg, string n, int low, int w, string text,
                  Evidence e>
    : Field<Header, !mul(word, 4), reg, n, low, w, text, e>;

#endif // ANE_ZIN_REGISTERS_BASE_TD
