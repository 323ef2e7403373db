//===- HostPort.cpp - Tensors of a program on the host --------------------===//

#include "ane/Engine/HostPort.h"
#include "ane/Support/FileError.h"
#include "ane/Support/FormatShape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>
#include <type_traits>

using namespace ane;
using namespace ane::engine;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using object::PortDirection;

namespace {

llvm::SmallVector<int64_t, 5> withoutOnes(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t, 5> result;
  llvm::copy_if(shape, std::back_inserter(result),
                [](int64_t extent) { return extent != 1; });
  return result;
}

/// Whether an array of one type may be given to a port of another. The ports
/// have no unsigned types above 8 bits.
bool typeFits(ElementType port, ElementType array) {
  return array == port ||
         (port == ElementType::Int16 && array == ElementType::UInt16) ||
         (port == ElementType::Int32 && array == ElementType::UInt32);
}

/// Refuses unsigned numbers that the signed type of a port does not have.
template <typename T>
Error checkUnsigned(const HostPort &port, const NpyArray &array,
                    StringRef source) {
  constexpr T largest = std::numeric_limits<std::make_signed_t<T>>::max();
  for (size_t i = 0; i < array.bytes.size() / sizeof(T); ++i) {
    auto value = llvm::support::endian::read<T, llvm::endianness::little>(
        array.bytes.data() + i * sizeof(T));
    if (value > largest)
      return makeFileError(source, 0, describeBeyond(port, i, value));
  }
  return Error::success();
}

} // namespace

StringRef engine::directionName(PortDirection direction) {
  return direction == PortDirection::Input ? "input" : "output";
}

std::optional<ElementType> engine::hostType(e5::TensorDataType type) {
  switch (type) {
  case e5::TensorDataType::Float16:
    return ElementType::Float16;
  case e5::TensorDataType::Float32:
    return ElementType::Float32;
  case e5::TensorDataType::Bool:
    return ElementType::Bool;
  case e5::TensorDataType::Int8:
    return ElementType::Int8;
  case e5::TensorDataType::UInt8:
    return ElementType::UInt8;
  case e5::TensorDataType::Int16:
    return ElementType::Int16;
  case e5::TensorDataType::Int32:
    return ElementType::Int32;
  default:
    return std::nullopt;
  }
}

Expected<const HostPort *> engine::findPort(llvm::ArrayRef<HostPort> ports,
                                            StringRef name,
                                            PortDirection direction,
                                            StringRef file) {
  llvm::SmallVector<StringRef, 8> names;
  for (const HostPort &port : ports) {
    if (port.direction != direction)
      continue;
    if (port.name == name)
      return &port;
    names.push_back(port.name);
  }
  return makeFileError(file, 0,
                       "there is no " + directionName(direction) + " '" + name +
                           "'; there is " +
                           (names.empty() ? "none" : llvm::join(names, ", ")));
}

Error engine::checkArray(const HostPort &port, const NpyArray &array,
                         StringRef source) {
  bool shapeFits = port.exactShape
                       ? llvm::equal(array.shape, port.shape)
                       : withoutOnes(array.shape) == withoutOnes(port.shape);
  if (!typeFits(port.type, array.type) || !shapeFits)
    return makeFileError(
        source, 0,
        "input '" + port.name + "' is " + milName(port.type) + " " +
            formatShape(port.shape) + ", but the array is " +
            milName(array.type) + " " + formatShape(array.shape) +
            describeConversion(array, port.type, port.shape, shapeFits));

  if (array.type == ElementType::UInt16)
    return checkUnsigned<uint16_t>(port, array, source);
  if (array.type == ElementType::UInt32)
    return checkUnsigned<uint32_t>(port, array, source);
  return Error::success();
}

std::string engine::describeBeyond(const HostPort &port, int64_t element,
                                   int64_t value) {
  return llvm::formatv("element {0} of input '{1}' is {2}; the program is "
                       "exact for integers from {3} to {4}: give numbers in "
                       "that range, or compute on them as fp16",
                       element, port.name, value, port.limit.least(),
                       port.limit.most)
      .str();
}

Error engine::checkInputs(llvm::ArrayRef<HostPort> ports,
                          const std::vector<bool> &isSet, StringRef file) {
  for (auto [port, set] : llvm::zip_equal(ports, isSet))
    if (port.isInput() && !set && !port.isState)
      return makeFileError(file, 0,
                           "input '" + port.name + "' (" + milName(port.type) +
                               " " + formatShape(port.shape) +
                               ") is not given");
  return Error::success();
}
