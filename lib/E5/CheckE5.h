//===- CheckE5.h - What a dispatch descriptor must satisfy ------*- C++ -*-===//
//
// The writer refuses what the reader would refuse, so both ask here. Functions
// return what is wrong, or an empty string.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_E5_CHECKE5_H
#define ANE_LIB_E5_CHECKE5_H

#include "ane/E5/E5.h"
#include "llvm/ADT/StringSet.h"

namespace ane::e5 {

/// Value of the root's `format_version`. Documented.
inline constexpr int32_t formatVersion = 4;

/// Rank of the largest tensor that MIL programs have.
inline constexpr size_t maxRank = 5;

/// The two sections of an operation are its name and one of these. The function
/// is a section as well, and must have another name. Documented (listing C.1).
inline constexpr llvm::StringLiteral argFrameSuffix = "__arg_frame";
inline constexpr llvm::StringLiteral attrsSuffix = "__op_attrs";

/// In front of the name of an input whose limit an entry of the build
/// information is. Assigned.
inline constexpr llvm::StringLiteral inputLimitKey = "input-limit:";
/// In front of the name of an input that holds a state, and what the entry
/// says: the content before the first run, or that the output of the name may
/// lie in the same surface, which holds zeros before it as well. Assigned.
inline constexpr llvm::StringLiteral stateKey = "state:";
inline constexpr llvm::StringLiteral zeroState = "zeros";
inline constexpr llvm::StringLiteral sharedState = "shared";

std::string checkPort(const Port &port);

/// Bytes between neighbours in a dense row-major tensor.
llvm::SmallVector<uint64_t, 5> denseStrides(llvm::ArrayRef<uint64_t> shape,
                                            TensorDataType type);

/// Everything but the ports themselves.
std::string checkProgram(const Descriptor &descriptor);

/// What a partition must satisfy, its ports among it.
std::string checkPartition(const Descriptor &descriptor);

/// All of it.
std::string checkDescriptor(const Descriptor &descriptor);

/// That no two of a list of ports or tensors have one name.
template <typename Range>
std::string checkNames(const Range &named, llvm::StringRef what) {
  llvm::StringSet<> names;
  for (const auto &one : named)
    if (!names.insert(one.name).second)
      return ("two " + what + " are named '" + one.name + "'").str();
  return {};
}

} // namespace ane::e5

#endif // ANE_LIB_E5_CHECKE5_H
