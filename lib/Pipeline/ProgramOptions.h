//===- ProgramOptions.h - The options that programs depend on ---*- C++ -*-===//
//
// One table says which options the banner of a container records and ane-patch
// takes from it, and which have no use where MIL is left behind.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_PIPELINE_PROGRAMOPTIONS_H
#define ANE_LIB_PIPELINE_PROGRAMOPTIONS_H

#include "ane/Pipeline/Compile.h"

namespace ane {

/// The lines of a banner that say which options were given.
std::vector<std::string> optionLines(const CompileOptions &options);

/// Takes an option from a line of a banner, and yields its name; of any other
/// line nothing.
llvm::StringRef takeOptionLine(llvm::StringRef line, CompileOptions &options);

/// The option that every banner has.
constexpr llvm::StringLiteral formatOption = "--td-format";

/// The first option that is given and is for passes over MIL; nothing if there
/// is none.
llvm::StringRef optionOfMIL(const CompileOptions &options);

} // namespace ane

#endif // ANE_LIB_PIPELINE_PROGRAMOPTIONS_H
