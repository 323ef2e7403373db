//===- Npy.h - NumPy array files --------------------------------*- C++ -*-===//
//
// Tensors enter and leave the executors as .npy files, format version 1.0 to
// 3.0, little endian or single byte, C order.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_NPY_H
#define ANE_SUPPORT_NPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ane {

/// Element types that both NumPy and MIL have.
enum class ElementType {
  Bool,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Float16,
  Float32,
  Float64,
};

/// The NumPy type string (`<f2`), the MIL name (`fp16`) and the size in bytes.
llvm::StringRef npyDescr(ElementType type);
llvm::StringRef milName(ElementType type);
unsigned byteSize(ElementType type);
/// The type with that MIL name; nothing for one that NumPy does not have.
std::optional<ElementType> elementTypeCalled(llvm::StringRef milName);

/// A dense row-major array.
struct NpyArray {
  ElementType type = ElementType::Float32;
  llvm::SmallVector<int64_t, 5> shape;
  std::vector<uint8_t> bytes;

  int64_t numElements() const;
};

/// What numpy calls turn an array into one of another type and shape, as the
/// end of a message; nothing if none do.
std::string describeConversion(const NpyArray &array, ElementType type,
                               llvm::ArrayRef<int64_t> shape, bool shapeFits);

/// Reads an array. Refuses, at a byte offset, what is not one: a wrong magic, a
/// header that is not a dictionary of the three keys, Fortran order, big endian
/// or structured types, a size that does not match the shape.
llvm::Expected<NpyArray> readNpy(llvm::StringRef path);

/// An array and the file it goes to; `-` is standard output.
struct NpyFile {
  std::string path;
  NpyArray array;
};

/// Writes arrays by way of temporary files: no file gets its name before all
/// have been written and `then`, if there is one, went well.
llvm::Error writeNpyFiles(llvm::ArrayRef<NpyFile> files,
                          llvm::function_ref<llvm::Error()> then = nullptr);

} // namespace ane

#endif // ANE_SUPPORT_NPY_H
