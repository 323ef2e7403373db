//===- TextPrinter.cpp - Types and values as MIL text ---------------------===//

#include "Export/TextPrinter.h"
#include "Lexer.h"
#include "ane/Dialect/MIL/IR/Limits.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Endian.h"
#include <climits>

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

//===----------------------------------------------------------------------===//
// What can be printed
//===----------------------------------------------------------------------===//

namespace {

/// From one element of a resource to the next. Those narrower than a byte are
/// packed, as in weight files, but for bool.
uint64_t bitsOfElement(Type element) {
  return element.isSignlessInteger(1) ? CHAR_BIT
                                      : element.getIntOrFloatBitWidth();
}

/// The bytes of a resource, if they are at hand and as many as the type says.
std::optional<ArrayRef<char>> getResource(DenseResourceElementsAttr value) {
  AsmResourceBlob *blob = value.getRawHandle().getBlob();
  if (!blob)
    return std::nullopt;
  uint64_t bits = static_cast<uint64_t>(value.getNumElements()) *
                  bitsOfElement(value.getElementType());
  if (blob->getData().size() != llvm::divideCeil(bits, 8))
    return std::nullopt;
  return blob->getData();
}

/// Nested types can hold a tensor as their innermost, which nests further.
constexpr unsigned maxContentNesting = 2 * maxNesting;

bool isPrintableContent(Attribute content, unsigned depth) {
  if (depth > maxContentNesting)
    return false;
  auto all = [&](ArrayAttr entries) {
    return llvm::all_of(entries, [&](Attribute entry) {
      return isPrintableContent(entry, depth + 1);
    });
  };
  return llvm::TypeSwitch<Attribute, bool>(content)
      .Case([&](ArrayAttr list) { return all(list); })
      .Case([&](mil::TupleAttr tuple) { return all(tuple.getElements()); })
      .Case([&](mil::DictAttr dict) {
        return dict.getKeysAndValues().size() % 2 == 0 &&
               all(dict.getKeysAndValues());
      })
      .Case([](StringAttr) { return true; })
      .Case([](TypedAttr scalar) {
        return isa<IntegerAttr, FloatAttr>(scalar) &&
               mil::dtypeMask(scalar.getType()) != 0;
      })
      .Default([](Attribute) { return false; });
}

} // namespace

bool frontend::isPrintable(Type type, unsigned depth) {
  if (depth > maxNesting)
    return false;
  return llvm::TypeSwitch<Type, bool>(type)
      .Case([&](RankedTensorType tensor) {
        return mil::dtypeMask(tensor.getElementType()) != 0 &&
               (!tensor.getEncoding() ||
                (depth == 0 && mil::getBufferLayout(tensor))) &&
               tensor.getRank() <= maxNesting &&
               mil::hasSaneSize(tensor.getShape());
      })
      .Case([&](mil::ListType list) {
        return isPrintable(list.getElementType(), depth + 1);
      })
      .Case([&](mil::DictType dict) {
        return isPrintable(dict.getKeyType(), depth + 1) &&
               isPrintable(dict.getValueType(), depth + 1);
      })
      .Case([&](mil::StateType state) {
        return isPrintable(state.getTensorType(), depth + 1);
      })
      .Case([&](TupleType tuple) {
        return tuple.size() != 0 &&
               llvm::all_of(tuple.getTypes(), [&](Type member) {
                 return isPrintable(member, depth + 1);
               });
      })
      .Default([](Type) { return false; });
}

bool frontend::isPrintable(Attribute value) {
  if (isa<StringAttr>(value))
    return true;
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed)
    return false;
  if (isa<IntegerAttr, FloatAttr>(value))
    return typed.getType().isSignlessInteger(64) || typed.getType().isF64();
  if (!isPrintable(typed.getType()))
    return false;
  return llvm::TypeSwitch<Attribute, bool>(value)
      .Case([](mil::BlobFileAttr) { return true; })
      .Case([](mil::LiteralAttr literal) {
        return isPrintableContent(literal.getContent(), 0);
      })
      .Case([](DenseStringElementsAttr strings) {
        return isa<mil::StringType>(strings.getElementType());
      })
      .Case([](DenseIntOrFPElementsAttr) { return true; })
      .Case([](DenseResourceElementsAttr resource) {
        return !isa<mil::StringType>(resource.getElementType()) &&
               getResource(resource).has_value();
      })
      .Default([](Attribute) { return false; });
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void TextPrinter::printScalarType(llvm::StringRef dtype) {
  if (bareScalars)
    os << dtype;
  else
    os << "tensor<" << dtype << ", []>";
}

void TextPrinter::printString(llvm::StringRef text) {
  os << '"';
  printEscaped(os, text);
  os << '"';
}

void TextPrinter::printBits(const ScalarType &scalar, uint64_t bits) {
  switch (scalar.kind) {
  case ScalarType::Bool:
    os << (bits & 1 ? "true" : "false");
    break;
  case ScalarType::Integer:
    if (scalar.isSigned)
      os << llvm::SignExtend64(bits & scalar.mask(), scalar.width);
    else
      os << (bits & scalar.mask());
    break;
  case ScalarType::Float:
    printHexFloat(os, floatFromBits(bits, scalar.format));
    break;
  case ScalarType::String:
    llvm_unreachable("a string has no bits");
  }
}

void TextPrinter::printBrackets(ArrayRef<int64_t> shape,
                                llvm::function_ref<void(int64_t)> element) {
  // counts[d] is the number of entries printed at open bracket d.
  SmallVector<int64_t, 8> counts;
  int64_t index = 0;
  if (shape.empty())
    return element(0);
  os << '[';
  counts.push_back(0);
  while (!counts.empty()) {
    size_t depth = counts.size();
    if (counts.back() == shape[depth - 1]) {
      os << ']';
      counts.pop_back();
      continue;
    }
    if (counts.back()++ != 0)
      os << ", ";
    if (depth == shape.size()) {
      element(index++);
    } else {
      os << '[';
      counts.push_back(0);
    }
  }
}

void TextPrinter::printElements(ElementsAttr value, bool isFlat) {
  auto type = cast<ShapedType>(value.getType());
  int64_t count = type.getNumElements();
  ArrayRef<int64_t> shape = isFlat ? ArrayRef(count) : type.getShape();
  ScalarType scalar(type.getElementType());
  if (auto strings = dyn_cast<DenseStringElementsAttr>(value)) {
    auto elements = strings.getValues<StringRef>();
    printBrackets(shape, [&](int64_t index) { printString(elements[index]); });
    return;
  }
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value);
      dense && scalar.width == 1) {
    auto elements = dense.getValues<bool>();
    printBrackets(shape,
                  [&](int64_t index) { printBits(scalar, elements[index]); });
    return;
  }

  ArrayRef<char> data;
  bool isSplat = false;
  // Dense elements take whole bytes, those of a resource may be packed.
  uint64_t stride = llvm::alignTo(scalar.width, 8);
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value)) {
    data = dense.getRawData();
    isSplat = dense.isSplat();
  } else {
    data = *getResource(cast<DenseResourceElementsAttr>(value));
    stride = bitsOfElement(type.getElementType());
  }
  printBrackets(shape, [&](int64_t index) {
    uint64_t bit = isSplat ? 0 : index * stride;
    // Eight bytes hold any element; those behind the end count as 0.
    char raw[9] = {};
    ArrayRef<char> element = data.drop_front(bit / 8).take_front(9);
    llvm::copy(element, raw);
    uint64_t bits = llvm::support::endian::read64le(raw) >> (bit % 8);
    printBits(scalar, bits & scalar.mask());
  });
}

void TextPrinter::printBlobFile(mil::BlobFileAttr value) {
  os << "BLOBFILE(path = ";
  printScalarType("string");
  os << '(';
  printString(value.getPath());
  os << "), offset = ";
  printScalarType("uint64");
  os << '(' << value.getOffset() << "))";
}

void TextPrinter::printSequence(char open, ArrayAttr entries, char close) {
  os << open;
  llvm::interleaveComma(entries, os,
                        [&](Attribute entry) { printNested(entry); });
  os << close;
}

void TextPrinter::printNested(Attribute content) {
  llvm::TypeSwitch<Attribute>(content)
      .Case([&](ArrayAttr list) { printSequence('[', list, ']'); })
      .Case([&](mil::TupleAttr tuple) {
        printSequence('(', tuple.getElements(), ')');
      })
      .Case([&](mil::DictAttr dict) {
        os << '{';
        ArrayRef<Attribute> entries = dict.getKeysAndValues().getValue();
        for (size_t i = 0; i < entries.size(); i += 2) {
          os << (i == 0 ? "{" : ", {");
          printNested(entries[i]);
          os << ", ";
          printNested(entries[i + 1]);
          os << '}';
        }
        os << '}';
      })
      .Case([&](StringAttr text) { printString(text); })
      .Case([&](IntegerAttr integer) {
        printBits(integer.getType(), integer.getValue().getZExtValue());
      })
      .Case([&](FloatAttr number) {
        printBits(number.getType(),
                  number.getValue().bitcastToAPInt().getZExtValue());
      });
}

void TextPrinter::printValue(Attribute value, bool isFlat) {
  if (auto text = dyn_cast<StringAttr>(value)) {
    printScalarType("string");
    os << '(';
    printString(text);
    os << ')';
    return;
  }
  if (isa<IntegerAttr, FloatAttr>(value))
    return printNested(value);
  printType(cast<TypedAttr>(value).getType());
  os << '(';
  llvm::TypeSwitch<Attribute>(value)
      .Case([&](mil::BlobFileAttr file) { printBlobFile(file); })
      .Case(
          [&](mil::LiteralAttr literal) { printNested(literal.getContent()); })
      .Case([&](ElementsAttr elements) { printElements(elements, isFlat); });
  os << ')';
}
