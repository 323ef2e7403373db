//===- OpSpec.cpp - Signature of a MIL op ---------------------------------===//

#include "Inference.h"
#include "ane/Support/Counted.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// An element type: how to make it, and how to tell it without making it, which
/// would look it up in the context.
struct DTypeInfo {
  uint32_t mask;
  llvm::StringLiteral name;
  Type (*make)(MLIRContext *);
  /// Tells a type that is no integer.
  bool (*is)(Type) = nullptr;
  unsigned width = 0; ///< of an integer
  IntegerType::SignednessSemantics signedness = IntegerType::Signless;
};

template <typename T>
constexpr DTypeInfo other(dtype::Mask mask, llvm::StringLiteral name) {
  return {mask, name, [](MLIRContext *c) -> Type { return T::get(c); },
          [](Type type) { return isa<T>(type); }};
}

template <unsigned Width, IntegerType::SignednessSemantics Semantics>
constexpr DTypeInfo integer(dtype::Mask mask, llvm::StringLiteral name) {
  return {mask,
          name,
          [](MLIRContext *c) -> Type {
            return IntegerType::get(c, Width, Semantics);
          },
          /*is=*/nullptr,
          Width,
          Semantics};
}

// Signed integers are signless in MLIR, so bool, which is i1, stays apart from
// uint1, which is ui1.
template <unsigned Width>
constexpr DTypeInfo signedInt(dtype::Mask mask, llvm::StringLiteral name) {
  return integer<Width, IntegerType::Signless>(mask, name);
}
template <unsigned Width>
constexpr DTypeInfo unsignedInt(dtype::Mask mask, llvm::StringLiteral name) {
  return integer<Width, IntegerType::Unsigned>(mask, name);
}

constexpr DTypeInfo dtypes[] = {
    other<Float16Type>(dtype::Fp16, "fp16"),
    other<Float32Type>(dtype::Fp32, "fp32"),
    other<Float64Type>(dtype::Fp64, "fp64"),
    other<BFloat16Type>(dtype::Bf16, "bf16"),
    signedInt<4>(dtype::Int4, "int4"),
    signedInt<8>(dtype::Int8, "int8"),
    signedInt<16>(dtype::Int16, "int16"),
    signedInt<32>(dtype::Int32, "int32"),
    signedInt<64>(dtype::Int64, "int64"),
    unsignedInt<1>(dtype::UInt1, "uint1"),
    unsignedInt<2>(dtype::UInt2, "uint2"),
    unsignedInt<3>(dtype::UInt3, "uint3"),
    unsignedInt<4>(dtype::UInt4, "uint4"),
    unsignedInt<6>(dtype::UInt6, "uint6"),
    unsignedInt<8>(dtype::UInt8, "uint8"),
    unsignedInt<16>(dtype::UInt16, "uint16"),
    unsignedInt<32>(dtype::UInt32, "uint32"),
    unsignedInt<64>(dtype::UInt64, "uint64"),
    signedInt<1>(dtype::Bool, "bool"),
    other<StringType>(dtype::String, "string"),
};

const DTypeInfo *findDType(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  for (const DTypeInfo &info : dtypes)
    if (integer ? info.width == integer.getWidth() &&
                      info.signedness == integer.getSignedness()
                : info.is && info.is(type))
      return &info;
  return nullptr;
}

/// That the op and its inputs exist in the opset.
LogicalResult verifyVersion(MILOp op, unsigned opset) {
  const OpSpec &spec = op.getOpSpec();
  std::string here = ("in ios" + Twine(opset)).str();
  if (opset < spec.since)
    return refuse(op, "mil-sig-c4",
                  "there is no such op " + here + "; it exists from ios" +
                      Twine(spec.since) + " on");
  for (auto [index, arg] : llvm::enumerate(spec.args)) {
    bool given = !op.getInput(index).empty();
    if (given && opset < arg.since)
      return refuse(op, "mil-sig-c4",
                    "there is no input '" + arg.name + "' " + here +
                        "; it exists from ios" + Twine(arg.since) + " on");
    if (given && opset >= arg.before)
      return refuse(op, "mil-sig-c4",
                    "there is no input '" + arg.name + "' " + here +
                        "; it exists up to ios" + Twine(arg.before - 1));
    if (!given && arg.isRequiredIn(opset))
      return refuse(op, "mil-sig-c4",
                    "input '" + arg.name + "' is missing; it is required " +
                        here);
  }
  return success();
}

/// That a value which is no tensor is one of the kind the input takes.
LogicalResult verifyKind(MILOp op, const ArgSpec &arg, llvm::StringRef typeName,
                         Type type) {
  if (typeName == "any" || (typeName == "list" && isa<ListType>(type)) ||
      (typeName == "state" && isa<StateType>(type)))
    return success();
  bool wantsOther = typeName == "list" || typeName == "state";
  return refuse(op, "mil-sig-c2",
                "input '" + arg.name + "' is " + formatType(type) +
                    "; it must be a " + (wantsOther ? typeName : "tensor"));
}

LogicalResult verifyInputs(MILOp op, unsigned opset) {
  const OpSpec &spec = op.getOpSpec();
  /// The first element type seen of each type variable.
  llvm::SmallVector<std::pair<llvm::StringRef, Type>, 2> bound;
  for (auto [index, arg] : llvm::enumerate(spec.args)) {
    llvm::StringRef typeName = arg.typeIn(opset);
    for (Value value : op.getInput(index)) {
      if (arg.isConstantIn(opset) && !isKnownAtCompileTime(value))
        return refuse(op, "mil-sig-c1",
                      "input '" + arg.name + "' must be known at compile time");
      auto tensor = dyn_cast<TensorType>(value.getType());
      if (!tensor || typeName == "list" || typeName == "state" ||
          typeName == "any") {
        if (failed(verifyKind(op, arg, typeName, value.getType())))
          return failure();
        continue;
      }
      Type element = tensor.getElementType();
      uint32_t domain = spec.domainOf(typeName, opset);
      if (!(dtypeMask(element) & domain))
        return refuse(op, "mil-sig-c2",
                      "input '" + arg.name + "' is " + dtypeName(element) +
                          "; in ios" + Twine(opset) + " it may be " +
                          formatDTypes(domain));
      if (typeName == "bool" && arg.constantBefore > opset &&
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

void printExtent(llvm::raw_ostream &os, int64_t extent) {
  if (ShapedType::isDynamic(extent))
    os << '?';
  else
    os << extent;
}

} // namespace

bool ane::mil::isKnownAtCompileTime(Value value) {
  constexpr size_t limit = 256;
  if (value.getDefiningOp<ConstOp>())
    return true;
  llvm::SmallVector<Value> pending = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!pending.empty()) {
    Operation *producer = pending.pop_back_val().getDefiningOp();
    if (!producer || !isMemoryEffectFree(producer))
      return false;
    // A shape is known as soon as the extents of the inputs are.
    if (isa<ConstOp, ShapeOp>(producer) || !seen.insert(producer).second)
      continue;
    if (seen.size() > limit || producer->getNumOperands() > limit)
      return false;
    llvm::append_range(pending, producer->getOperands());
  }
  return true;
}

uint32_t OpSpec::domainOf(llvm::StringRef type, unsigned opset) const {
  for (const TypeVarSpec &var : typeVars)
    if (var.name == type)
      return var.domainIn(opset);
  for (const DTypeInfo &info : dtypes)
    if (info.name == type)
      return info.mask;
  return 0;
}

unsigned OpSpec::indexOf(llvm::StringRef input) const {
  auto found = llvm::find_if(
      args, [&](const ArgSpec &arg) { return arg.name == input; });
  assert(found != args.end() && "an op has no such input");
  return found - args.begin();
}

double ArgSpec::getDefaultNumber() const {
  if (defaultValue == "true" || defaultValue == "false")
    return defaultValue == "true";
  double number = 0;
  bool failed = defaultValue.getAsDouble(number);
  assert(!failed && "the default is no number");
  (void)failed;
  return number;
}

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
  llvm::TypeSwitch<Type>(type)
      .Case([&](RankedTensorType tensor) {
        if (bareScalars && tensor.getRank() == 0) {
          os << dtypeName(tensor.getElementType());
          return;
        }
        llvm::StringRef dtype = dtypeName(tensor.getElementType());
        std::string shape = formatExtents(tensor.getShape());
        if (BufferLayoutAttr layout = getBufferLayout(tensor))
          os << "tensor_buffer<" << dtype << ", shape=" << shape
             << ", strides=" << formatExtents(layout.getStrides())
             << ", interleave_factors="
             << formatExtents(layout.getInterleaveFactors()) << '>';
        else
          os << "tensor<" << dtype << ", " << shape << '>';
      })
      .Case([&](ListType list) {
        os << "list<";
        print(list.getElementType());
        os << ", ";
        printExtent(os, list.getLength());
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

std::string ane::mil::formatExtents(llvm::ArrayRef<int64_t> extents) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(extents, os,
                        [&](int64_t extent) { printExtent(os, extent); });
  os << ']';
  return text;
}

bool ane::mil::isDynamic(Type type) {
  if (auto state = dyn_cast<StateType>(type))
    type = state.getTensorType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

namespace {

struct OpsetNames {
  llvm::StringLiteral name, alias; ///< which may be the same
  unsigned number;
};

constexpr OpsetNames knownOpsets[] = {
    {"ios15", "CoreML5", 15}, {"ios16", "CoreML6", 16},
    {"ios17", "CoreML7", 17}, {"ios18", "CoreML8", 18},
    {"ios19", "ios19", 26},   {"ios26", "CoreML9", 26}};

} // namespace

std::optional<unsigned> ane::mil::parseOpset(llvm::StringRef name) {
  for (const OpsetNames &known : knownOpsets)
    if (name == known.name || name == known.alias)
      return known.number;
  return std::nullopt;
}

std::string ane::mil::describeUnknownOpset(llvm::StringRef name) {
  std::string text = ("opset '" + name + "' is not known; known are ").str();
  std::string hint;
  for (const OpsetNames &known : knownOpsets) {
    if (&known != std::begin(knownOpsets))
      text += &known == std::end(knownOpsets) - 1 ? " and " : ", ";
    text += known.name;
    for (llvm::StringRef spelling : {known.name, known.alias})
      if (spelling.equals_insensitive(name))
        hint = ("; did you mean '" + spelling + "'?").str();
  }
  return text + hint;
}

llvm::StringRef ane::mil::getOwnOpset(Operation *op) {
  auto name = llvm::dyn_cast_or_null<StringAttr>(
      op->getDiscardableAttr(MILDialect::opsetAttrName));
  return name ? name.getValue() : llvm::StringRef();
}

LogicalResult ane::mil::verifyOwnOpset(Operation *op) {
  if (!op->getDiscardableAttr(MILDialect::opsetAttrName))
    return success();
  llvm::StringRef name = getOwnOpset(op);
  if (!parseOpset(name))
    return refuse(op, "mil-opset-c1", describeUnknownOpset(name));
  return success();
}

unsigned ane::mil::getOpset(Operation *op) {
  if (std::optional<unsigned> own = parseOpset(getOwnOpset(op)))
    return *own;
  auto func = dyn_cast<FuncOp>(op);
  if (!func)
    func = op->getParentOfType<FuncOp>();
  return func ? parseOpset(func.getOpset()).value_or(newestOpset) : newestOpset;
}

std::optional<llvm::StringRef> ane::mil::getLabel(Operation *op) {
  if (auto constant = dyn_cast<ConstOp>(op))
    return constant.getLabel();
  auto milOp = dyn_cast<MILOp>(op);
  return milOp ? milOp.getLabel() : std::nullopt;
}

void ane::mil::setLabel(Operation *op, std::optional<llvm::StringRef> label) {
  if (auto constant = dyn_cast<ConstOp>(op))
    constant.setLabel(label);
  else
    cast<MILOp>(op).setLabel(label);
}

ArrayRef<std::string> ane::mil::getResultNames(Operation *op) {
  if (auto constant = dyn_cast<ConstOp>(op))
    return constant.getResultNames();
  auto milOp = dyn_cast<MILOp>(op);
  return milOp ? milOp.getResultNames() : ArrayRef<std::string>();
}

void ane::mil::setResultNames(Operation *op, ArrayRef<std::string> names) {
  if (auto constant = dyn_cast<ConstOp>(op))
    constant.setResultNames(names);
  else
    cast<MILOp>(op).setResultNames(names);
}

llvm::StringRef ane::mil::getResultName(OpResult result) {
  Operation *op = result.getOwner();
  ArrayRef<std::string> names = getResultNames(op);
  if (!names.empty())
    return result.getResultNumber() < names.size()
               ? llvm::StringRef(names[result.getResultNumber()])
               : "";
  return op->getNumResults() == 1 ? getLabel(op).value_or("") : "";
}

void ane::mil::takeNames(OpResult made, OpResult old) {
  Operation *maker = made.getOwner();
  if (std::optional<llvm::StringRef> label = getLabel(old.getOwner()))
    setLabel(maker, label);
  llvm::StringRef name = getResultName(old);
  if (!name.empty() && name != getResultName(made))
    setResultNames(maker, name.str());
}

void ane::mil::dropNames(Operation *op) {
  setLabel(op, std::nullopt);
  setResultNames(op, {});
}

bool ane::mil::areCompatible(Type declared, Type inferred) {
  auto a = dyn_cast<RankedTensorType>(declared);
  auto b = dyn_cast<RankedTensorType>(inferred);
  if (!a || !b)
    return declared == inferred;
  return a.getElementType() == b.getElementType() &&
         a.getEncoding() == b.getEncoding() &&
         succeeded(verifyCompatibleShape(a.getShape(), b.getShape()));
}

LogicalResult ane::mil::verifyMILOp(Operation *op) {
  auto milOp = cast<MILOp>(op);
  unsigned opset = getOpset(op);
  if (failed(verifyOwnOpset(op)) || failed(verifyVersion(milOp, opset)) ||
      failed(verifyNoBuffers(op)) || failed(verifyInputs(milOp, opset)))
    return failure();
  llvm::SmallVector<Type, 1> inferred;
  if (failed(inferResultTypes(milOp, inferred)))
    return failure();
  for (auto [declared, type] : llvm::zip_equal(op->getResultTypes(), inferred))
    if (!areCompatible(declared, type))
      return refuseResultType(op, declared, type);
  return success();
}

LogicalResult ane::mil::inferResultTypes(MILOp op,
                                         llvm::SmallVectorImpl<Type> &types) {
  if (hasComputedParameter(op))
    return keepDeclared(op, types);
  if (failed(op.inferTypes(types)))
    return failure();
  if (types.size() != op->getNumResults())
    return refuse(op, "mil-result-c2",
                  counted(op->getNumResults(), "result") +
                      " declared, but the inputs give " + Twine(types.size()));
  return success();
}

LogicalResult ane::mil::refuseResultType(Operation *op, Type declared,
                                         Type inferred) {
  return refuse(op, "mil-result-c1",
                "the result is declared as " + formatType(declared) +
                    ", but the inputs give " + formatType(inferred));
}
