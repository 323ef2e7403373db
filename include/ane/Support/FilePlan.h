//===- FilePlan.h - What a command reads and writes -------------*- C++ -*-===//

#ifndef ANE_SUPPORT_FILEPLAN_H
#define ANE_SUPPORT_FILEPLAN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace ane {

/// The files that a command reads and writes, before it writes any: no output
/// may replace one of the others, under whatever name. Standard output, pipes
/// and devices take several outputs and lose none.
class FilePlan {
public:
  /// Says that a file is read, in the words of messages (`the model`). Outputs
  /// that are there already may replace it.
  void addInput(llvm::StringRef path, llvm::StringRef what);

  /// The same of a file that no output may replace, one that is there already
  /// either.
  llvm::Error addLateInput(llvm::StringRef path, llvm::StringRef what);

  /// Says that a file will be written, which `option` names if it is given.
  /// Fails if it would replace an input or another output, or a folder has its
  /// name.
  llvm::Error addOutput(llvm::StringRef path, llvm::StringRef option = "");

private:
  struct Input {
    std::string path, what;
  };
  struct Output {
    std::string path, option;
  };

  static llvm::Error refuse(const Output &output, const Input &input);

  std::vector<Input> inputs;
  std::vector<Output> outputs;
};

} // namespace ane

#endif // ANE_SUPPORT_FILEPLAN_H
