//===- OpSpec.h - Signature of a MIL op -------------------------*- C++ -*-===//
//
// What an op's inputs are called, which may be absent or must be constant, and
// which element types they take, by opset. The tables are generated from the
// op definitions in dialects/MIL.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_OPSPEC_H
#define ANE_DIALECT_MIL_IR_OPSPEC_H

#include "ane/Support/Constraint.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <array>
#include <optional>

namespace ane::mil {

class MILOp;

/// Sets of element types.
namespace dtype {
enum Mask : uint32_t {
  Fp16 = 1 << 0,
  Fp32 = 1 << 1,
  Fp64 = 1 << 2,
  Bf16 = 1 << 3,
  Int4 = 1 << 4,
  Int8 = 1 << 5,
  Int16 = 1 << 6,
  Int32 = 1 << 7,
  Int64 = 1 << 8,
  UInt1 = 1 << 9,
  UInt2 = 1 << 10,
  UInt3 = 1 << 11,
  UInt4 = 1 << 12,
  UInt6 = 1 << 13,
  UInt8 = 1 << 14,
  UInt16 = 1 << 15,
  UInt32 = 1 << 16,
  UInt64 = 1 << 17,
  Bool = 1 << 18,
  String = 1 << 19,
  Float = Fp16 | Fp32,
  Int = Int8 | Int16 | Int32 | UInt8 | UInt16,
  All = (1 << 20) - 1,
};
} // namespace dtype

/// The mask bit of an element type, 0 for a type MIL does not have.
uint32_t dtypeMask(mlir::Type elementType);

/// The name of an element type in MIL text: `fp16`, `int32`, `string`.
llvm::StringRef dtypeName(mlir::Type elementType);

/// The element type of a MIL name; null if there is none of that name.
mlir::Type dtypeFromName(mlir::MLIRContext *context, llvm::StringRef name);

/// `fp16, fp32` for a mask.
std::string formatDTypes(uint32_t mask);

/// A type as MIL text writes it: `tensor<fp16, [1, ?, 8]>`. A scalar is
/// `tensor<fp16, []>`, or with `bareScalars` just `fp16`. A tensor with a
/// layout is a `tensor_buffer`.
void printType(llvm::raw_ostream &os, mlir::Type type, bool bareScalars);
std::string formatType(mlir::Type type);

/// `[1, ?, 8]` for the extents of a tensor.
std::string formatExtents(llvm::ArrayRef<int64_t> extents);

/// Whether a tensor, or that of a state, has extents that are not known.
bool isDynamic(mlir::Type type);

using ane::refuse;

/// An opset as a number: 15 for ios15. Opsets the text may also call CoreML5 to
/// CoreML9, which is ios26, as is ios19, its name before the numbers of systems
/// became years (found in published programs). Null for an unknown name.
std::optional<unsigned> parseOpset(llvm::StringRef name);

/// What is said of an unknown name: the known ones, and the one that differs
/// from it in case alone.
std::string describeUnknownOpset(llvm::StringRef name);

struct ArgSpec {
  llvm::StringLiteral name;
  /// A type variable of the op, the name of an element type, or one of the
  /// kinds `list`, `state` and `any`.
  llvm::StringLiteral type;
  llvm::StringLiteral typeSince17;
  bool optional;
  bool variadic;
  /// What an absent input stands for: a number, a flag, a string, or words for
  /// what follows from other inputs.
  llvm::StringLiteral defaultValue;
  /// The input must be constant in opsets below this one.
  unsigned constantBefore;
  /// The input exists in opsets [since, before).
  unsigned since;
  unsigned before;

  llvm::StringRef typeIn(unsigned opset) const {
    return opset >= 17 ? typeSince17 : type;
  }
  bool existsIn(unsigned opset) const {
    return opset >= since && opset < before;
  }
  bool isConstantIn(unsigned opset) const { return opset < constantBefore; }
  bool isRequiredIn(unsigned opset) const {
    return existsIn(opset) && !optional && !variadic;
  }
  /// A default that is a number, or a flag as 0 or 1.
  double getDefaultNumber() const;
};

struct TypeVarSpec {
  llvm::StringLiteral name;
  uint32_t domains[4]; ///< ios15, ios16, ios17, ios18 and later

  uint32_t domainIn(unsigned opset) const {
    return domains[std::clamp(opset, 15u, 18u) - 15];
  }
};

struct OpSpec {
  llvm::StringLiteral name;
  llvm::ArrayRef<ArgSpec> args;
  llvm::ArrayRef<TypeVarSpec> typeVars;
  unsigned since; ///< the first opset that has the op

  /// The element types that an input of a type may have: the domain of a type
  /// variable, or the one type that is named; none for another kind of input.
  uint32_t domainOf(llvm::StringRef type, unsigned opset) const;

  /// The place of an input that the op has.
  unsigned indexOf(llvm::StringRef input) const;
};

/// Assembly form `(name = %value, ...) {attributes} : types -> type`.
mlir::ParseResult parseNamedInputs(mlir::OpAsmParser &parser,
                                   mlir::OperationState &result,
                                   const OpSpec &spec);
void printNamedInputs(mlir::OpAsmPrinter &printer, mlir::Operation *op);

/// What an op calls itself and its results.
struct OpNames {
  std::optional<std::string> label;
  llvm::SmallVector<std::string, 1> results;
};

/// `{attributes}`, with the names among them.
mlir::ParseResult parseAttributes(mlir::OpAsmParser &parser,
                                  mlir::OperationState &result, OpNames &names);
void printAttributes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     llvm::ArrayRef<llvm::StringRef> elided);

/// Checks an op against its signature, infers its result types and compares
/// them with the declared ones.
///
/// * `mil-sig-c1`: a constant input is the result of a `mil.const` or of an op
///   on constants.
/// * `mil-sig-c2`: the element type of an input lies in the domain of its type,
///   and a flag has one element.
/// * `mil-sig-c3`: inputs of one type variable have one element type.
/// * `mil-sig-c4`: the op and its inputs exist in the opset, and what the opset
///   requires is there.
/// * `mil-result-c1`: the declared result type is the inferred one.
/// * `mil-result-c2`: there are as many results as the inputs give.
llvm::LogicalResult verifyMILOp(mlir::Operation *op);

/// That an op neither reads nor makes a `tensor_buffer` unless it is for that.
/// Constraint `mil-buffer-c4`.
llvm::LogicalResult verifyNoBuffers(mlir::Operation *op);

/// That the opset which the text names at an op is known. Constraint
/// `mil-opset-c1`.
llvm::LogicalResult verifyOwnOpset(mlir::Operation *op);

/// Whether an input that chooses what the op does, such as axes or a flag, is
/// computed by another op. The dialect reads such inputs from constants only.
bool hasComputedParameter(mlir::Operation *op);

/// The types that the inputs of an op give its results, as many as it has.
/// Constraint `mil-result-c2`. As long as a parameter is computed they are
/// those declared: who makes it a constant verifies the op again.
llvm::LogicalResult inferResultTypes(MILOp op,
                                     llvm::SmallVectorImpl<mlir::Type> &types);

/// Reports a result type that the inputs contradict. Constraint
/// `mil-result-c1`.
llvm::LogicalResult refuseResultType(mlir::Operation *op, mlir::Type declared,
                                     mlir::Type inferred);

/// What the text says of an op under `name`, if anything. It stands in the op
/// itself, not in a table of the context: nearly every op has one of its own.
std::optional<llvm::StringRef> getLabel(mlir::Operation *op);
void setLabel(mlir::Operation *op, std::optional<llvm::StringRef> label);

/// The names of the results of an op, each may be empty; none where the label
/// says the name of the only one. They stand in the op, as its label does.
llvm::ArrayRef<std::string> getResultNames(mlir::Operation *op);
void setResultNames(mlir::Operation *op, llvm::ArrayRef<std::string> names);

/// The name that other statements use for a result: its entry in
/// `result_names`, or where the op lists none and has this result only, its
/// label. Empty for a result without a name.
llvm::StringRef getResultName(mlir::OpResult result);

/// Gives `made`, the only result of its op, the label and the name that belong
/// to `old`, which may be those of an output.
void takeNames(mlir::OpResult made, mlir::OpResult old);
/// Takes label and names from an op, such as a copy of one that keeps them.
void dropNames(mlir::Operation *op);

/// ios15 and ios18; ios26 has the ops of ios18 and no others.
constexpr unsigned oldestOpset = 15;
constexpr unsigned newestOpset = 18;

/// The opset that the text names at an op; empty where it leaves that to the
/// function.
llvm::StringRef getOwnOpset(mlir::Operation *op);

/// The opset of an op: its own, or that of the function that it is in, or is;
/// the newest where there is none.
unsigned getOpset(mlir::Operation *op);

} // namespace ane::mil

#endif // ANE_DIALECT_MIL_IR_OPSPEC_H
