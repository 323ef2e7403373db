//===- MILDialect.cpp - The MIL dialect -----------------------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane::mil;

#include "ane/Dialect/MIL/IR/MILDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ane/Dialect/MIL/IR/MILTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/MIL/IR/MILAttrs.cpp.inc"

#include "ane/Dialect/MIL/IR/MILInterfaces.cpp.inc"

void MILDialect::initialize() {
  registerTypes();
  registerAttributes();
  registerActivationOps();
  registerBufferOps();
  registerControlFlowOps();
  registerConvOps();
  registerElementwiseOps();
  registerImageOps();
  registerIndexingOps();
  registerLinearOps();
  registerListOps();
  registerNormalizationOps();
  registerPoolOps();
  registerProgramOps();
  registerQuantizationOps();
  registerRandomOps();
  registerRecurrentOps();
  registerReductionOps();
  registerStateOps();
  registerTensorOps();
  registerTransformOps();
  registerUnaryOps();
}

void MILDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ane/Dialect/MIL/IR/MILTypes.cpp.inc"
      >();
}

void MILDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ane/Dialect/MIL/IR/MILAttrs.cpp.inc"
      >();
}

Operation *MILDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location location) {
  return ConstOp::create(builder, location, type, value, /*label=*/std::nullopt,
                         /*result_names=*/{}, /*text_attrs=*/nullptr);
}

Type ListType::parse(AsmParser &parser) {
  Type element;
  int64_t length = ShapedType::kDynamic;
  if (parser.parseLess() || parser.parseType(element) || parser.parseComma())
    return {};
  if (failed(parser.parseOptionalQuestion()) && parser.parseInteger(length))
    return {};
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), element, length);
}

void ListType::print(AsmPrinter &printer) const {
  printer << '<' << getElementType() << ", ";
  if (ShapedType::isDynamic(getLength()))
    printer << '?';
  else
    printer << getLength();
  printer << '>';
}
