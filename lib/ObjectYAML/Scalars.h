//===- Scalars.h - Values of the text form ----------------------*- C++ -*-===//
//
// Lists of numbers, shapes and bytes are single scalars of YAML. The text form
// has no flow collections at all, which keeps lines short to write and nesting
// bounded (CheckText.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_OBJECTYAML_SCALARS_H
#define ANE_LIB_OBJECTYAML_SCALARS_H

#include "ane/Object/Builder.h"
#include "llvm/Support/YAMLTraits.h"

namespace ane::objectyaml {

/// A string. Bytes that are not plain are `%5B`, two hexadecimal digits.
struct Text {
  std::string value;
  bool operator==(const Text &) const = default;
};

/// Numbers with blanks between.
struct Numbers {
  std::vector<uint64_t> values;
  bool operator==(const Numbers &) const = default;
};

/// `1x3x8x8`: N, C, H, W and, if it is not 1, D.
struct Shape {
  uint32_t n = 1, c = 1, h = 1, w = 1, d = 1;
};

/// The name or number of an element type.
struct Element {
  object::ElementCode code = object::ElementCode::Float16;
  bool operator==(const Element &) const = default;
};

/// `4`: channels side by side.
struct Interleave {
  uint32_t count = 1;
  bool operator==(const Interleave &) const = default;
};

/// `Text Scratch Inputs Outputs`.
struct Order {
  std::vector<object::MemoryPart> parts;
  bool operator==(const Order &) const = default;
};

/// `9 0000000000000000`: an id and bytes.
struct PropertyItem {
  object::Property property;
};

/// `0x40 K..._ne_1`: an offset in the coefficients and a name.
struct SymbolItem {
  object::CoefficientSymbol symbol;
};

/// `0x74 constants`, `0x148 port 2 address`.
struct RelocationItem {
  object::TextRelocation relocation;
};

/// `0123456789abcdef` or `zeros 0x4000`.
struct Run {
  uint64_t zeros = 0;
  llvm::ArrayRef<uint8_t> bytes;
  std::vector<uint8_t> owned; ///< what `bytes` refers to, of a text

  uint64_t size() const { return zeros + bytes.size(); }
};

/// Bytes in lines.
struct Content {
  std::vector<Run> runs;

  static Content of(llvm::ArrayRef<uint8_t> bytes);
  void append(llvm::ArrayRef<uint8_t> bytes);
  uint64_t size() const;
  /// All bytes together; `size` must fit into memory.
  std::vector<uint8_t> bytes() const;
};

} // namespace ane::objectyaml

namespace llvm::yaml {

#define ANE_SCALAR(type)                                                       \
  template <> struct ScalarTraits<ane::objectyaml::type> {                     \
    static void output(const ane::objectyaml::type &value, void *,             \
                       raw_ostream &os);                                       \
    static StringRef input(StringRef text, void *,                             \
                           ane::objectyaml::type &value);                      \
    /* Values quote themselves. */                                             \
    static QuotingType mustQuote(StringRef) { return QuotingType::None; }      \
  };
ANE_SCALAR(Text)
ANE_SCALAR(Numbers)
ANE_SCALAR(Shape)
ANE_SCALAR(Element)
ANE_SCALAR(Interleave)
ANE_SCALAR(Order)
ANE_SCALAR(PropertyItem)
ANE_SCALAR(SymbolItem)
ANE_SCALAR(RelocationItem)
ANE_SCALAR(Run)
#undef ANE_SCALAR

} // namespace llvm::yaml

LLVM_YAML_IS_SEQUENCE_VECTOR(ane::objectyaml::Text)
LLVM_YAML_IS_SEQUENCE_VECTOR(ane::objectyaml::PropertyItem)
LLVM_YAML_IS_SEQUENCE_VECTOR(ane::objectyaml::SymbolItem)
LLVM_YAML_IS_SEQUENCE_VECTOR(ane::objectyaml::RelocationItem)
LLVM_YAML_IS_SEQUENCE_VECTOR(ane::objectyaml::Run)

#endif // ANE_LIB_OBJECTYAML_SCALARS_H
