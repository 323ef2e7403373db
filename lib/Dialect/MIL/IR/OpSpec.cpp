//===- OpSpec.cpp - Signature of a MIL op ---------------------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ane::mil;

namespace {

struct DTypeInfo {
  uint32_t mask;
  llvm::StringLiteral name;
  Type (*make)(MLIRContext *);
};

template <unsigned Width> Type signedInt(MLIRContext *context) {
  return IntegerType::get(context, Width);
}
template <unsigned Width> Type unsignedInt(MLIRContext *context) {
  return IntegerType::get(context, Width, IntegerType::Unsigned);
}

// Signed integers are signless in MLIR, so bool, which is i1, stays apart from
// uint1, which is ui1.
constexpr DTypeInfo dtypes[] = {
    {dtype::Fp16, "fp16",
     [](MLIRContext *c) -> Type { return Float16Type::get(c); }},
    {dtype::Fp32, "fp32",
     [](MLIRContext *c) -> Type { return Float32Type::get(c); }},
    {dtype::Fp64, "fp64",
     [](MLIRContext *c) -> Type { return Float64Type::get(c); }},
    {dtype::Bf16, "bf16",
     [](MLIRContext *c) -> Type { return BFloat16Type::get(c); }},
    {dtype::Int4, "int4", signedInt<4>},
    {dtype::Int8, "int8", signedInt<8>},
    {dtype::Int16, "int16", signedInt<16>},
    {dtype::Int32, "int32", signedInt<32>},
    {dtype::Int64, "int64", signedInt<64>},
    {dtype::UInt1, "uint1", unsignedInt<1>},
    {dtype::UInt2, "uint2", unsignedInt<2>},
    {dtype::UInt3, "uint3", unsignedInt<3>},
    {dtype::UInt4, "uint4", unsignedInt<4>},
    {dtype::UInt6, "uint6", unsignedInt<6>},
    {dtype::UInt8, "uint8", unsignedInt<8>},
    {dtype::UInt16, "uint16", unsignedInt<16>},
    {dtype::UInt32, "uint32", unsignedInt<32>},
    {dtype::UInt64, "uint64", unsignedInt<64>},
    {dtype::Bool, "bool", signedInt<1>},
    {dtype::String, "string",
     [](MLIRContext *c) -> Type { return StringType::get(c); }},
};

const DTypeInfo *findDType(Type type) {
  for (const DTypeInfo &info : dtypes)
    if (info.make(type.getContext()) == type)
      return &info;
  return nullptr;
}

/// The element types an input may have: the domain of its type variable, or the
/// one type it names.
uint32_t domainOf(const OpSpec &spec, llvm::StringRef type, unsigned opset) {
  for (const TypeVarSpec &var : spec.typeVars)
    if (var.name == type)
      return opset >= 17 ? var.domainSince17 : var.domain;
  for (const DTypeInfo &info : dtypes)
    if (info.name == type)
      return info.mask;
  llvm_unreachable("input of a type nobody declares");
}

/// Whether a value is known at compile time. Gives up, with no, on a value that
/// more than `limit` ops or operands lead to, so that checking a program takes
/// linear time.
bool isConstant(Value value) {
  constexpr size_t limit = 256;
  llvm::SmallVector<Value> pending = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!pending.empty()) {
    Operation *producer = pending.pop_back_val().getDefiningOp();
    if (!producer)
      return false;
    if (isa<ConstOp>(producer) || !seen.insert(producer).second)
      continue;
    if (seen.size() > limit || producer->getNumOperands() > limit)
      return false;
    llvm::append_range(pending, producer->getOperands());
  }
  return true;
}

LogicalResult verifyInputs(MILOp op, unsigned opset) {
  const OpSpec &spec = op.getOpSpec();
  /// The first element type seen of each type variable.
  llvm::SmallVector<std::pair<llvm::StringRef, Type>, 2> bound;
  for (auto [index, arg] : llvm::enumerate(spec.args)) {
    llvm::StringRef typeName = opset >= 17 ? arg.typeSince17 : arg.type;
    for (Value value : op.getInput(index)) {
      if (arg.constant && !isConstant(value))
        return refuse(op, "mil-sig-c1",
                      "input '" + arg.name + "' must be known at compile time");
      auto tensor = dyn_cast<TensorType>(value.getType());
      if (!tensor)
        continue;
      Type element = tensor.getElementType();
      uint32_t domain = domainOf(spec, typeName, opset);
      if (!(dtypeMask(element) & domain))
        return refuse(op, "mil-sig-c2",
                      "input '" + arg.name + "' is " + dtypeName(element) +
                          "; in ios" + Twine(opset) + " it may be " +
                          formatDTypes(domain));
      if (typeName == "bool" &&
          (!tensor.hasStaticShape() || tensor.getNumElements() != 1))
        return refuse(op, "mil-sig-c2",
                      "input '" + arg.name + "' is " + formatType(tensor) +
                          "; a flag has one element");
      auto *seen = llvm::find_if(
          bound, [&](const auto &entry) { return entry.first == typeName; });
      if (seen == bound.end())
        bound.push_back({typeName, element});
      else if (seen->second != element)
        return refuse(op, "mil-sig-c3",
                      "input '" + arg.name + "' is " + dtypeName(element) +
                          ", but an input of the same type is " +
                          dtypeName(seen->second) + "; insert a cast");
    }
  }
  return success();
}

/// Whether a value of one type may be declared with the other: extents agree
/// where both are known.
bool areCompatible(Type declared, Type inferred) {
  auto a = dyn_cast<RankedTensorType>(declared);
  auto b = dyn_cast<RankedTensorType>(inferred);
  if (!a || !b)
    return declared == inferred;
  return a.getElementType() == b.getElementType() &&
         succeeded(verifyCompatibleShape(a.getShape(), b.getShape()));
}

} // namespace

uint32_t ane::mil::dtypeMask(Type elementType) {
  const DTypeInfo *info = findDType(elementType);
  return info ? info->mask : 0;
}

llvm::StringRef ane::mil::dtypeName(Type elementType) {
  const DTypeInfo *info = findDType(elementType);
  return info ? llvm::StringRef(info->name) : "a type that MIL does not have";
}

Type ane::mil::dtypeFromName(MLIRContext *context, llvm::StringRef name) {
  for (const DTypeInfo &info : dtypes)
    if (info.name == name)
      return info.make(context);
  return {};
}

std::string ane::mil::formatDTypes(uint32_t mask) {
  std::string text;
  for (const DTypeInfo &info : dtypes)
    if (info.mask & mask)
      text += (text.empty() ? "" : ", ") + info.name.str();
  return text;
}

void ane::mil::printType(llvm::raw_ostream &os, Type type, bool bareScalars) {
  auto print = [&](Type member) { printType(os, member, bareScalars); };
  auto printExtent = [&](int64_t extent) {
    if (ShapedType::isDynamic(extent))
      os << '?';
    else
      os << extent;
  };
  llvm::TypeSwitch<Type>(type)
      .Case([&](RankedTensorType tensor) {
        if (bareScalars && tensor.getRank() == 0) {
          os << dtypeName(tensor.getElementType());
          return;
        }
        os << "tensor<" << dtypeName(tensor.getElementType()) << ", [";
        llvm::interleaveComma(tensor.getShape(), os, printExtent);
        os << "]>";
      })
      .Case([&](ListType list) {
        os << "list<";
        print(list.getElementType());
        os << ", ";
        printExtent(list.getLength());
        os << '>';
      })
      .Case([&](DictType dict) {
        os << "dict<";
        print(dict.getKeyType());
        os << ", ";
        print(dict.getValueType());
        os << '>';
      })
      .Case([&](StateType state) {
        os << "state<";
        print(state.getTensorType());
        os << '>';
      })
      .Case([&](TupleType tuple) {
        os << "tuple<";
        llvm::interleaveComma(tuple.getTypes(), os, print);
        os << '>';
      })
      .Default([&](Type other) { os << other; });
}

std::string ane::mil::formatType(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printType(os, type, /*bareScalars=*/false);
  return text;
}

LogicalResult ane::mil::refuse(Operation *op, llvm::StringRef constraint,
                               const Twine &message) {
  llvm::StringRef name = op->getName().stripDialect();
  return op->emitError() << name << ": " << message << " [" << constraint
                         << "]";
}

std::optional<unsigned> ane::mil::parseOpset(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<unsigned>>(name)
      .Cases({"ios15", "CoreML5"}, 15)
      .Cases({"ios16", "CoreML6"}, 16)
      .Cases({"ios17", "CoreML7"}, 17)
      .Cases({"ios18", "CoreML8"}, 18)
      .Default(std::nullopt);
}

unsigned ane::mil::getOpset(Operation *op) {
  constexpr unsigned newest = 18;
  auto func = op->getParentOfType<FuncOp>();
  return func ? parseOpset(func.getOpset()).value_or(newest) : newest;
}

LogicalResult ane::mil::verifyMILOp(Operation *op) {
  auto milOp = cast<MILOp>(op);
  if (failed(verifyInputs(milOp, getOpset(op))))
    return failure();
  llvm::SmallVector<Type, 1> inferred;
  if (failed(milOp.inferTypes(inferred)))
    return failure();
  for (auto [declared, type] : llvm::zip_equal(op->getResultTypes(), inferred))
    if (!areCompatible(declared, type))
      return refuse(op, "mil-result-c1",
                    "the result is declared as " + formatType(declared) +
                        ", but the inputs give " + formatType(type));
  return success();
}
