//===- CheckE5.cpp - What a dispatch descriptor must satisfy --------------===//

#include "CheckE5.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace ane::e5;
using llvm::StringRef;

namespace {

struct TypeInfo {
  StringRef name;
  unsigned bytes;
};

// In the order of TensorDataType.
constexpr TypeInfo typeInfos[] = {
    {"invalid", 0}, {"fp16", 2},  {"fp32", 4},  {"int8", 1},
    {"uint8", 1},   {"int16", 2}, {"int32", 4}, {"int4", 0},
    {"bool", 1},    {"e4m3", 1},  {"e5m2", 1},
};

const TypeInfo &info(TensorDataType type) {
  auto index = llvm::to_underlying(type);
  bool known = index >= 0 && size_t(index) < std::size(typeInfos);
  return typeInfos[known ? index : 0];
}

/// Where the last element ends, or nothing if that passes 64 bits.
std::optional<uint64_t> extent(const Port &port) {
  std::optional<uint64_t> end = byteSize(port.deviceType);
  for (auto [length, stride] : llvm::zip_equal(port.shape, port.strides)) {
    auto steps = llvm::checkedMulUnsigned<uint64_t>(length - 1, stride);
    end = end && steps ? llvm::checkedAddUnsigned(*end, *steps) : std::nullopt;
  }
  return end;
}

bool hasNul(StringRef text) { return text.contains('\0'); }

std::string checkNames(llvm::ArrayRef<Port> ports, StringRef what) {
  llvm::StringSet<> names;
  for (const Port &port : ports)
    if (!names.insert(port.name).second)
      return ("two " + what + " are named '" + port.name + "'").str();
  return {};
}

} // namespace

StringRef ane::e5::typeName(TensorDataType type) { return info(type).name; }
unsigned ane::e5::byteSize(TensorDataType type) { return info(type).bytes; }

std::string ane::e5::checkPort(const Port &port) {
  std::string problem;
  llvm::raw_string_ostream os(problem);
  if (port.name.empty())
    return "a tensor without a name";
  if (hasNul(port.name))
    return "the name of a tensor contains a NUL";
  os << "tensor '" << port.name << "': ";
  for (TensorDataType type : {port.hostType, port.deviceType})
    if (byteSize(type) == 0) {
      os << "element type " << llvm::to_underlying(type) << " ("
         << typeName(type) << ") is not one of whole bytes";
      return problem;
    }
  if (port.shape.size() > maxRank) {
    os << "rank " << port.shape.size() << ", the most is " << maxRank;
    return problem;
  }
  if (port.shape.size() != port.strides.size()) {
    os << "rank " << port.shape.size() << ", but " << port.strides.size()
       << " strides";
    return problem;
  }
  if (llvm::is_contained(port.shape, 0)) {
    os << "a dimension of 0";
    return problem;
  }
  std::optional<uint64_t> bytes = extent(port);
  if (bytes && *bytes <= port.byteSize)
    return {};
  os << "shape [";
  llvm::interleaveComma(port.shape, os);
  os << "] with strides [";
  llvm::interleaveComma(port.strides, os);
  os << "] needs " << (bytes ? llvm::utostr(*bytes) : "more than 2^64")
     << " bytes, but the surface has " << port.byteSize;
  return problem;
}

std::string ane::e5::checkProgram(const Descriptor &descriptor) {
  StringRef hash = descriptor.containerHash;
  if (hash.size() != 64 || !llvm::all_of(hash, llvm::isHexDigit))
    return ("the container's hash '" + hash +
            "' is not of 64 hexadecimal digits")
        .str();
  if (hasNul(descriptor.function) || hasNul(descriptor.procedure) ||
      hasNul(descriptor.containerPath) || hasNul(descriptor.compilerOptions) ||
      llvm::any_of(descriptor.buildInfo, [](const auto &entry) {
        return hasNul(entry.first) || hasNul(entry.second);
      }))
    return "a string contains a NUL";
  if (descriptor.function.empty())
    return "the function has no name";
  if (descriptor.procedure.empty())
    return "the procedure has no name";
  if (std::string problem = checkNames(descriptor.inputs, "inputs");
      !problem.empty())
    return problem;
  return checkNames(descriptor.outputs, "outputs");
}
