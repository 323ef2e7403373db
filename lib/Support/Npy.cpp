//===- Npy.cpp - NumPy array files ----------------------------------------===//

#include "ane/Support/Npy.h"
#include "ane/Support/BinaryReader.h"
#include "ane/Support/CheckedProduct.h"
#include "ane/Support/FormatShape.h"
#include "ane/Support/InputFile.h"
#include "ane/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace ane;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

struct TypeInfo {
  StringRef descr;
  StringRef mil;
  unsigned size;
};

// In the order of ElementType.
constexpr TypeInfo typeInfos[] = {
    {"|b1", "bool", 1},   {"|i1", "int8", 1},   {"|u1", "uint8", 1},
    {"<i2", "int16", 2},  {"<u2", "uint16", 2}, {"<i4", "int32", 4},
    {"<u4", "uint32", 4}, {"<i8", "int64", 8},  {"<u8", "uint64", 8},
    {"<f2", "fp16", 2},   {"<f4", "fp32", 4},   {"<f8", "fp64", 8},
};

constexpr StringRef magic("\x93NUMPY", 6);

/// Takes apart the header, a Python dictionary literal such as
/// `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
class HeaderParser {
public:
  HeaderParser(const BinaryReader &reader, StringRef text, uint64_t offset)
      : reader(reader), text(text), rest(text), offset(offset) {}

  Error parse(NpyArray &array) {
    bool seenDescr = false, seenOrder = false, seenShape = false;
    if (!take("{"))
      return fail("expected '{'");
    while (!take("}")) {
      std::optional<StringRef> key = takeString();
      if (!key || !take(":"))
        return fail("expected a quoted key and ':'");
      if (*key == "descr" && !seenDescr) {
        seenDescr = true;
        if (Error error = parseDescr(array))
          return error;
      } else if (*key == "fortran_order" && !seenOrder) {
        seenOrder = true;
        if (take("True"))
          return fail("the array is in Fortran order; store it with "
                      "numpy.ascontiguousarray");
        if (!take("False"))
          return fail("expected True or False after 'fortran_order'");
      } else if (*key == "shape" && !seenShape) {
        seenShape = true;
        if (Error error = parseShape(array))
          return error;
      } else {
        return fail("unexpected key '" + *key + "'");
      }
      if (!take(",") && !rest.ltrim().starts_with("}"))
        return fail("expected ',' or '}'");
    }
    if (!seenDescr || !seenOrder || !seenShape)
      return fail("the header lacks one of 'descr', 'fortran_order', 'shape'");
    return Error::success();
  }

private:
  Error parseDescr(NpyArray &array) {
    std::optional<StringRef> descr = takeString();
    if (!descr)
      return fail("expected a plain type string after 'descr'");
    for (size_t i = 0; i < std::size(typeInfos); ++i)
      if (typeInfos[i].descr == *descr) {
        array.type = static_cast<ElementType>(i);
        return Error::success();
      }
    return fail("element type '" + *descr +
                "' is not supported; use bool, an integer of up to 64 bits, or "
                "float16, float32, float64 in little-endian order");
  }

  Error parseShape(NpyArray &array) {
    if (!take("("))
      return fail("expected '(' after 'shape'");
    while (!take(")")) {
      rest = rest.ltrim();
      int64_t extent;
      if (rest.consumeInteger(10, extent) || extent < 0)
        return fail("expected a dimension");
      array.shape.push_back(extent);
      if (!take(",") && !rest.ltrim().starts_with(")"))
        return fail("expected ',' or ')' in the shape");
    }
    return Error::success();
  }

  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  std::optional<StringRef> takeString() {
    rest = rest.ltrim();
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return std::nullopt;
    size_t end = rest.find(rest.front(), 1);
    if (end == StringRef::npos)
      return std::nullopt;
    StringRef value = rest.slice(1, end);
    rest = rest.drop_front(end + 1);
    return value;
  }

  Error fail(const llvm::Twine &message) const {
    return reader.error(offset + (rest.data() - text.data()),
                        "NPY header: " + message);
  }

  const BinaryReader &reader;
  StringRef text;
  StringRef rest;
  uint64_t offset;
};

} // namespace

StringRef ane::npyDescr(ElementType type) {
  return typeInfos[static_cast<int>(type)].descr;
}
StringRef ane::milName(ElementType type) {
  return typeInfos[static_cast<int>(type)].mil;
}
unsigned ane::byteSize(ElementType type) {
  return typeInfos[static_cast<int>(type)].size;
}

int64_t NpyArray::numElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::optional<ElementType> ane::elementTypeCalled(StringRef milName) {
  for (auto [index, info] : llvm::enumerate(typeInfos))
    if (info.mil == milName)
      return ElementType(index);
  return std::nullopt;
}

std::string ane::describeConversion(const NpyArray &array, ElementType type,
                                    llvm::ArrayRef<int64_t> shape,
                                    bool shapeFits) {
  if (array.numElements() != llvm::product_of(shape))
    return "";
  std::string calls;
  if (!shapeFits)
    calls = "reshape(" + formatShape(shape) + ")";
  if (array.type != type)
    calls += (calls.empty() ? "" : " and ") +
             ("astype('" + npyDescr(type) + "')").str();
  return "; convert it with numpy's " + calls;
}

Expected<NpyArray> ane::readNpy(StringRef path) {
  auto buffer = readInputFile(path);
  if (!buffer)
    return buffer.takeError();
  BinaryReader reader(path,
                      llvm::arrayRefFromStringRef((*buffer)->getBuffer()));

  auto preamble = reader.slice(0, 8, "the NPY preamble");
  if (!preamble)
    return preamble.takeError();
  if (llvm::toStringRef(preamble->take_front(6)) != magic)
    return reader.error(0, "not an NPY file: it does not start with "
                           "\"\\x93NUMPY\"");
  uint8_t major = (*preamble)[6];
  if (major < 1 || major > 3)
    return reader.error(6, "NPY format version " +
                               llvm::Twine(unsigned(major)) +
                               " is not supported; versions 1 to 3 are");
  uint64_t headerStart = major == 1 ? 10 : 12;
  uint64_t headerLength;
  if (major == 1) {
    auto length = reader.read<llvm::support::ulittle16_t>(8, "header length");
    if (!length)
      return length.takeError();
    headerLength = *length;
  } else {
    auto length = reader.read<llvm::support::ulittle32_t>(8, "header length");
    if (!length)
      return length.takeError();
    headerLength = *length;
  }
  auto header = reader.slice(headerStart, headerLength, "the NPY header");
  if (!header)
    return header.takeError();

  NpyArray array;
  if (Error error =
          HeaderParser(reader, llvm::toStringRef(*header), headerStart)
              .parse(array))
    return error;

  std::optional<int64_t> size =
      checkedProduct<int64_t>(byteSize(array.type), array.shape);
  uint64_t dataStart = headerStart + headerLength;
  if (!size || static_cast<uint64_t>(*size) != reader.size() - dataStart)
    return reader.error(dataStart,
                        "shape " + formatShape(array.shape) + " of " +
                            milName(array.type) + " needs " +
                            (size ? llvm::Twine(*size).str() : "too many") +
                            " bytes, but the file holds " +
                            llvm::Twine(reader.size() - dataStart));
  auto data = reader.slice(dataStart, *size, "the array data");
  if (!data)
    return data.takeError();
  array.bytes.assign(data->begin(), data->end());
  return array;
}

/// Magic, version 1.0 and the dictionary of the three keys.
static std::string npyHeader(const NpyArray &array) {
  std::string header;
  llvm::raw_string_ostream os(header);
  os << "{'descr': '" << npyDescr(array.type)
     << "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : array.shape)
    os << extent << ", ";
  if (array.shape.size() > 1) // One trailing comma is Python's 1-tuple.
    header.erase(header.size() - 2);
  else if (array.shape.size() == 1)
    header.pop_back();
  os << "), }";
  // The data starts at a multiple of 64 bytes, and the header ends in '\n'.
  constexpr size_t preambleSize = 10;
  header.append(63 - (preambleSize + header.size()) % 64, ' ');
  header.push_back('\n');

  llvm::support::ulittle16_t length(header.size());
  std::string preamble = (magic + "\x01").str();
  preamble.push_back('\0');
  preamble.append(reinterpret_cast<const char *>(&length), sizeof(length));
  return preamble + header;
}

Error ane::writeNpyFiles(llvm::ArrayRef<NpyFile> files,
                         llvm::function_ref<Error()> then) {
  if (files.empty())
    return then ? then() : Error::success();
  const NpyArray &array = files.front().array;
  return writeOutputFile(
      files.front().path,
      [&](llvm::raw_ostream &os) {
        os << npyHeader(array);
        os.write(reinterpret_cast<const char *>(array.bytes.data()),
                 array.bytes.size());
        return Error::success();
      },
      [&] { return writeNpyFiles(files.drop_front(), then); });
}
