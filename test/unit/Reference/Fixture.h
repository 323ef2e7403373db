//===- Fixture.h - Evaluating MIL assembly in tests -------------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_REFERENCE_FIXTURE_H
#define ANE_TEST_UNIT_REFERENCE_FIXTURE_H

#include "ane/Reference/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "gmock/gmock.h"
#include <string>
#include <vector>

namespace ane::reference::test {

/// A context with the MIL dialect. What it reports is kept in `diagnostics`.
class ReferenceTest : public testing::Test {
protected:
  ReferenceTest();

  /// Parses a whole program.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef program);

  /// Evaluates `ops`, a list of ops on constants, and gives the results of the
  /// last one.
  llvm::FailureOr<llvm::SmallVector<Tensor>> run(llvm::StringRef ops,
                                                 llvm::StringRef opset);

  /// The elements of the one result of the last op; fails the test on error.
  std::vector<double> floats(llvm::StringRef ops,
                             llvm::StringRef opset = "ios18");
  std::vector<int64_t> ints(llvm::StringRef ops,
                            llvm::StringRef opset = "ios18");

  /// What evaluation reports; fails the test if it succeeds.
  std::string errorOf(llvm::StringRef ops, llvm::StringRef opset = "ios18");

  mlir::MLIRContext context;
  std::string diagnostics;
};

/// The assembly of a constant: `%name = mil.const dense<...> : tensor<...>`.
std::string constant(llvm::StringRef name, llvm::StringRef elementType,
                     llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int64_t> values);
std::string int32s(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
std::string int32(llvm::StringRef name, int64_t value);
std::string boolean(llvm::StringRef name, bool value);
std::string text(llvm::StringRef name, llvm::StringRef value);

/// `tensor<2x3xf16>`.
std::string tensorType(llvm::ArrayRef<int64_t> shape,
                       llvm::StringRef elementType);

} // namespace ane::reference::test

#endif // ANE_TEST_UNIT_REFERENCE_FIXTURE_H
