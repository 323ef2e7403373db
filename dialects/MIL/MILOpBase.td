//===- MILOpBase.td - How a MIL op is described ---------------------------===//
//
// An op lists its inputs once. From that list come the ODS operands, the
// signature table that parser, printer and verifier read, and the generated
// reference.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_MIL_OPBASE_TD
#define ANE_MIL_OPBASE_TD

include "MIL/MILAttrs.td"
include "MIL/MILInterfaces.td"
include "MIL/MILTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

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
def MIL_ShapeInt : MIL_Domain<"dtype::Int8 | dtype::Int16 | dtype::Int32">;
def MIL_Int32 : MIL_Domain<"dtype::Int32">;
def MIL_Bool : MIL_Domain<"dtype::Bool">;
def MIL_String : MIL_Domain<"dtype::String">;
def MIL_Any : MIL_Domain<"dtype::All">;

/// A type variable: all inputs that name it have the same element type, which
/// lies in the domain. `since17` widens the domain from opset ios17 on.
class MIL_TypeVar<string n, MIL_Domain domain, MIL_Domain since17 = domain> {
  string name = n;
  string cpp = "{\"" # n # "\", " # domain.cpp # ", " # since17.cpp # "}";
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// An input. `type` is the name of a type variable of the op, `type17` the one
/// that replaces it from ios17 on.
class MIL_Arg<string n, string var, string var17, bit optional, bit isConst,
              bit variadic, string default> {
  string name = n;
  bit isOptional = optional;
  bit isVariadic = variadic;
  TypeConstraint constraint =
      !if(variadic, Variadic<MIL_Value>,
          !if(optional, Optional<MIL_Value>, MIL_Value));
  string cpp = "{\"" # n # "\", \"" # var # "\", \"" # var17 # "\", " #
               !if(optional, "true", "false") # ", " #
               !if(isConst, "true", "false") # ", " #
               !if(variadic, "true", "false") # ", \"" # default # "\"}";
}

/// A value computed at run time or constant.
class MIL_In<string n, string var = "T", string var17 = var>
    : MIL_Arg<n, var, var17, 0, 0, 0, "">;
/// An optional one.
class MIL_OptIn<string n, string var = "T", string var17 = var>
    : MIL_Arg<n, var, var17, 1, 0, 0, "">;
/// A value known at compile time.
class MIL_ConstIn<string n, string var = "T", string var17 = var>
    : MIL_Arg<n, var, var17, 0, 1, 0, "">;
/// An optional one, with its default as the documentation says it.
class MIL_OptConstIn<string n, string default, string var = "T",
                     string var17 = var>
    : MIL_Arg<n, var, var17, 1, 1, 0, default>;
/// Several values of one input.
class MIL_VariadicIn<string n, string var = "T">
    : MIL_Arg<n, var, var, 0, 0, 1, "">;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// ODS wants the segment trait exactly where operand counts are ambiguous.
class MIL_SegmentTrait<list<MIL_Arg> inputs> {
  int ambiguous = !foldl(0, inputs, count, input,
                         !if(!or(input.isOptional, input.isVariadic),
                             !add(count, 1), count));
  list<Trait> traits = !if(!ge(ambiguous, 2), [AttrSizedOperandSegments],
                           []<Trait>);
}

/// An op of the MIL op set with one result.
class MIL_Op<string opMnemonic, list<MIL_Arg> inputs, list<MIL_TypeVar> vars,
             list<Trait> traits = []>
    : Op<MIL_Dialect, opMnemonic,
         !listconcat(traits, MIL_SegmentTrait<inputs>.traits,
                     [Pure, DeclareOpInterfaceMethods<MIL_OpInterface,
                                                      ["inferTypes"]>])> {
  list<MIL_Arg> milInputs = inputs;
  list<MIL_TypeVar> milTypeVars = vars;

  let arguments = !con(
      !foldl((ins), inputs, operands, input,
             !con(operands, !dag(ins, [input.constraint], [input.name]))),
      (ins OptionalAttr<StrAttr>:$label,
           OptionalAttr<StrArrayAttr>:$result_names));
  let results = (outs MIL_Value:$result);

  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;

  let extraClassDefinition = [{
    const ::ane::mil::OpSpec &$cppClass::getOpSpec() {
      using namespace ::ane::mil;
      static const ArgSpec args[] = }] # "{" #
        !interleave(!foreach(input, inputs, input.cpp), ", ") # "}" # [{;
      static const TypeVarSpec typeVars[] = }] # "{" #
        !interleave(!foreach(var, vars, var.cpp), ", ") # "}" # [{;
      static const OpSpec spec = {"}] # opMnemonic # [{", args, typeVars};
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
  }];
}

#endif // ANE_MIL_OPBASE_TD
