//===- MILOpBase.td - How a MIL op is described ---------------------------===//
//
// An op lists its inputs once. From that list come the ODS operands, the
// signature table that parser, printer, verifier and interpreter read, and the
// table of inputs in the generated reference.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_MIL_OPBASE_TD
#define ANE_MIL_OPBASE_TD

include "MIL/MILAttrs.td"
include "MIL/MILInterfaces.td"
include "MIL/MILTypes.td"
include "mlir/IR/Properties.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// What the text says of an op under `name`. A property, since nearly every op
/// has one of its own: as an attribute each would be an entry of a table of the
/// context, which costs more than the rest of the op.
def MIL_Label : OptionalProp<StringProp>;

/// The names of the results; none where the label says it. A property for the
/// same reason.
def MIL_ResultNames : ArrayProp<StringProp, "names of results"> {
  // Most ops have none: what they take then is a pointer.
  let storageType = "::llvm::SmallVector<std::string, 0>";
  let defaultValue = "{}";
}

//===----------------------------------------------------------------------===//
// Element type domains
//===----------------------------------------------------------------------===//

/// A set of element types; `cpp` is its mask.
class MIL_Domain<string expression> { string cpp = expression; }

def MIL_Float : MIL_Domain<"dtype::Float">;
def MIL_FloatInt32 : MIL_Domain<"dtype::Float | dtype::Int32">;
def MIL_FloatInt32Bool
    : MIL_Domain<"dtype::Float | dtype::Int32 | dtype::Bool">;
def MIL_Storage : MIL_Domain<"dtype::Float | dtype::Int | dtype::Bool">;
def MIL_Number : MIL_Domain<"dtype::Float | dtype::Int">;
def MIL_Index : MIL_Domain<"dtype::Int">;
def MIL_WideIndex
    : MIL_Domain<"dtype::Int16 | dtype::Int32 | dtype::UInt16">;
def MIL_ShapeInt : MIL_Domain<"dtype::Int8 | dtype::Int16 | dtype::Int32">;
def MIL_Int32 : MIL_Domain<"dtype::Int32">;
def MIL_Bool : MIL_Domain<"dtype::Bool">;
def MIL_String : MIL_Domain<"dtype::String">;
def MIL_Any : MIL_Domain<"dtype::All">;

/// A type variable: all inputs that name it have the same element type, which
/// lies in the domain of the opset, ios15 to ios18.
class MIL_TypeVarBy<string n, MIL_Domain in15, MIL_Domain in16,
                    MIL_Domain in17, MIL_Domain in18> {
  string name = n;
  string cpp = "{\"" # n # "\", {" # in15.cpp # ", " # in16.cpp # ", " #
               in17.cpp # ", " # in18.cpp # "}}";
}
/// One whose domain changes at ios17, if at all.
class MIL_TypeVar<string n, MIL_Domain domain, MIL_Domain since17 = domain>
    : MIL_TypeVarBy<n, domain, domain, since17, since17>;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// An input. `var` is a type variable of the op, the name of an element type, or
/// one of the kinds that are no tensors: `list`, `state`, `any`. `var17` replaces
/// it from ios17 on. The input exists in the opsets [since, before), and must be
/// constant in those below `constBefore`.
class MIL_Arg<string n, string var, string var17, bit optional, bit variadic,
              string default, int constBefore, int since = 15, int before = 99> {
  string name = n;
  string type = var;
  string type17 = var17;
  bit mayBeAbsent = optional;
  bit isVariadic = variadic;
  string defaultValue = default;
  int constantBefore = constBefore;
  int firstOpset = since;
  int endOpset = before;
  // What only some opsets have is optional to ODS; the verifier knows better.
  bit isOptional = !or(optional, !ne(since, 15), !ne(before, 99));
  TypeConstraint constraint =
      !if(variadic, Variadic<MIL_Value>,
          !if(isOptional, Optional<MIL_Value>, MIL_Value));
  string cpp = "{\"" # n # "\", \"" # var # "\", \"" # var17 # "\", " #
               !if(optional, "true", "false") # ", " #
               !if(variadic, "true", "false") # ", \"" # default # "\", " #
               constBefore # ", " # since # ", " # before # "}";
}

/// A value computed at run time or constant.
class MIL_In<string n, string var = "T", string var17 = var>
    : MIL_Arg<n, var, var17, 0, 0, "", 0>;
/// An optional one, with its default as the documentation says it.
class MIL_OptIn<string n, string var = "T", string var17 = var,
                string default = "">
    : MIL_Arg<n, var, var17, 1, 0, default, 0>;
/// A value known at compile time.
class MIL_ConstIn<string n, string var = "T", string var17 = var>
    : MIL_Arg<n, var, var17, 0, 0, "", 99>;
/// An optional one, with its default.
class MIL_OptConstIn<string n, string default, string var = "T",
                     string var17 = var>
    : MIL_Arg<n, var, var17, 1, 0, default, 99>;
/// Several values of one input.
class MIL_VariadicIn<string n, string var = "T">
    : MIL_Arg<n, var, var, 0, 1, "", 0>;
/// Several values known at compile time.
class MIL_VariadicConstIn<string n, string var = "T">
    : MIL_Arg<n, var, var, 0, 1, "", 99>;

/// An input that exists from an opset on.
class MIL_Since<int opset, MIL_Arg arg>
    : MIL_Arg<arg.name, arg.type, arg.type17, arg.mayBeAbsent, arg.isVariadic,
              arg.defaultValue, arg.constantBefore, opset, arg.endOpset>;
/// An input that exists in the opsets below one.
class MIL_Before<int opset, MIL_Arg arg>
    : MIL_Arg<arg.name, arg.type, arg.type17, arg.mayBeAbsent, arg.isVariadic,
              arg.defaultValue, arg.constantBefore, arg.firstOpset, opset>;
/// An input that must be constant in the opsets below one.
class MIL_ConstBefore<int opset, MIL_Arg arg>
    : MIL_Arg<arg.name, arg.type, arg.type17, arg.mayBeAbsent, arg.isVariadic,
              arg.defaultValue, opset, arg.firstOpset, arg.endOpset>;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// `KeepDims` for `keep_dims`, as ODS names accessors.
class MIL_Camel<string s> {
  int mark = !find(s, "_");
  string head = !if(!lt(mark, 0), s, !substr(s, 0, mark));
  string rest = !if(!lt(mark, 0), "", !substr(s, !add(mark, 1)));
  string ret = !toupper(!substr(head, 0, 1)) # !substr(head, 1) #
               !if(!empty(rest), "", MIL_Camel<rest>.ret);
}

/// `getAxisOrDefault()` of an input with a default that is one number or flag:
/// the default where the input is absent, nothing where it is computed.
class MIL_DefaultAccessor<MIL_Arg input> {
  string default = input.defaultValue;
  bit isFlag = !or(!eq(default, "true"), !eq(default, "false"));
  bit isNumber = !foldl(0, ["-1", "0", "0.0", "0.5", "0.75", "1", "1.0", "8",
                            "1e-4", "1e-5", "1e-6", "1e-12", "1e-45"],
                        found, number, !or(found, !eq(number, default)));
  // Flags of several dimensions are another type variable.
  string kind = !cond(!and(isFlag, !eq(input.type, "bool")): "Bool",
                      !and(isNumber, !eq(input.type, "int32")): "Int",
                      !and(isNumber, !ne(input.type, "string")): "Float",
                      true: "");
  string type = !cond(!eq(kind, "Bool"): "bool", !eq(kind, "Int"): "int64_t",
                      true: "double");
  string name = "get" # MIL_Camel<input.name>.ret;
  string cpp = !if(!empty(kind), "",
                   "std::optional<" # type # "> " # name # "OrDefault() { " #
                   "return ::ane::mil::get" # kind # "Or(" # name # "(), " #
                   default # "); }\n");
}

/// ODS wants the segment trait exactly where operand counts are ambiguous.
class MIL_SegmentTrait<list<MIL_Arg> inputs> {
  int ambiguous = !foldl(0, inputs, count, input,
                         !if(!or(input.isOptional, input.isVariadic),
                             !add(count, 1), count));
  list<Trait> traits = !if(!ge(ambiguous, 2), [AttrSizedOperandSegments],
                           []<Trait>);
}

/// An op of the MIL op set, with one result unless it says otherwise.
class MIL_EffectOp<string opMnemonic, list<MIL_Arg> inputs,
                   list<MIL_TypeVarBy> vars, list<Trait> traits = []>
    : Op<MIL_Dialect, opMnemonic,
         !listconcat(traits, MIL_SegmentTrait<inputs>.traits,
                     [DeclareOpInterfaceMethods<MIL_OpInterface,
                                                ["inferTypes"]>])> {
  list<MIL_Arg> milInputs = inputs;
  list<MIL_TypeVarBy> milTypeVars = vars;
  /// The first opset that has the op.
  int since = 15;
  /// The example of an op that shares its description with others.
  string example = "";
  /// What `inferTypes` returns where ops of a class infer alike, as C++; where it
  /// is empty, the method has a definition of its own.
  string inference = "";

  let arguments = !con(
      !foldl((ins), inputs, operands, input,
             !con(operands, !dag(ins, [input.constraint], [input.name]))),
      (ins MIL_Label:$label,
           MIL_ResultNames:$result_names));
  let results = (outs MIL_Value:$result);

  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;

  let extraClassDeclaration =
      !interleave(!foreach(input, inputs, MIL_DefaultAccessor<input>.cpp), "");

  let extraClassDefinition = [{
    const ::ane::mil::OpSpec &$cppClass::getOpSpec() {
      using namespace ::ane::mil;
      static constexpr std::array<ArgSpec, }] # !size(inputs) # [{> args = {{}] #
        !interleave(!foreach(input, inputs, input.cpp), ", ") # [{}};
      static constexpr std::array<TypeVarSpec, }] # !size(vars) # [{> typeVars = {{}] #
        !interleave(!foreach(var, vars, var.cpp), ", ") # [{}};
      static constexpr OpSpec spec = {"}] # opMnemonic # [{", args, typeVars,
                                  }] # since # [{};
      return spec;
    }
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser,
                                         ::mlir::OperationState &result) {
      return ::ane::mil::parseNamedInputs(parser, result, getOpSpec());
    }
    void $cppClass::print(::mlir::OpAsmPrinter &printer) {
      ::ane::mil::printNamedInputs(printer, *this);
    }
    ::llvm::LogicalResult $cppClass::verify() {
      return ::ane::mil::verifyMILOp(*this);
    }
  }] # !if(!empty(inference), "", [{
    ::llvm::LogicalResult $cppClass::inferTypes(
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return }] # inference # [{;
    }
  }]);
}

/// An op without effects besides its result.
class MIL_Op<string opMnemonic, list<MIL_Arg> inputs, list<MIL_TypeVarBy> vars,
             list<Trait> traits = []>
    : MIL_EffectOp<opMnemonic, inputs, vars, !listconcat(traits, [Pure])>;

#endif // ANE_MIL_OPBASE_TD
