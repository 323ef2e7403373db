//===- ZinDialect.cpp - The Zin dialect -----------------------------------===//

#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/Support/Constraint.h"
#include "ane/Support/Counted.h"
#include "ane/TaskDescriptor/Broadcast.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane::zin;

namespace ane::zin {

/// `[1, 2]`, in the syntax of attributes.
static FailureOr<SmallVector<int64_t>> parseInts(AsmParser &parser) {
  SmallVector<int64_t> values;
  auto parseOne = [&] { return parser.parseInteger(values.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  return values;
}

static void printInts(AsmPrinter &printer, ArrayRef<int64_t> values) {
  printer << '[';
  llvm::interleaveComma(values, printer);
  printer << ']';
}

} // namespace ane::zin

#include "ane/Dialect/Zin/IR/ZinDialect.cpp.inc"
#include "ane/Dialect/Zin/IR/ZinEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/Zin/IR/ZinAttrs.cpp.inc"

#include "ane/Dialect/Zin/IR/ZinInterfaces.cpp.inc"

void ZinDialect::initialize() {
  registerAttributes();
  registerOps();
}

void ZinDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ane/Dialect/Zin/IR/ZinAttrs.cpp.inc"
      >();
}

std::array<int64_t, numDims - 1>
ane::zin::packedStrides(ArrayRef<int64_t> shape, int64_t pitch) {
  std::array<int64_t, numDims - 1> strides;
  for (unsigned dim = strides.size(); dim-- > 0;) {
    strides[dim] = pitch;
    pitch *= shape[dim];
  }
  return strides;
}

StringRef ane::zin::stringifyDim(unsigned dim) {
  static constexpr StringLiteral names[] = {"N", "D", "C", "H", "W"};
  return names[dim];
}

LogicalResult NeuronAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 NonLinearMode mode, FloatAttr alpha,
                                 FloatAttr beta) {
  bool hasBeta = mode == NonLinearMode::clamped_relu ||
                 mode == NonLinearMode::sigmoid_hard;
  bool hasAlpha = hasBeta || mode == NonLinearMode::prelu ||
                  mode == NonLinearMode::thresholded_relu;
  auto fits = [](FloatAttr parameter, bool wanted) {
    return wanted ? parameter && parameter.getType().isF16() : !parameter;
  };
  if (!fits(alpha, hasAlpha) || !fits(beta, hasBeta))
    return emitError() << "activation '" << stringifyNonLinearMode(mode)
                       << "' has "
                       << counted(int(hasAlpha) + int(hasBeta), "parameter")
                       << " of fp16" << ConstraintId("zin-neuron-c1");
  // Not so if one of them is NaN.
  if (mode == NonLinearMode::clamped_relu &&
      !(alpha.getValue() <= beta.getValue()))
    return emitError() << "activation '" << stringifyNonLinearMode(mode)
                       << "' has the bounds " << alpha.getValueAsDouble()
                       << " and " << beta.getValueAsDouble()
                       << "; the first is not above the second"
                       << ConstraintId("zin-neuron-c2");
  return success();
}

/// The step of the DMA registers, for offsets and strides. Verified: their
/// fields are [31:6].
constexpr int64_t viewStep = 64;

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> strides,
                                 int64_t interleave) {
  if (shape.size() != numDims || strides.size() != numDims - 1)
    return emitError() << "a view has 5 extents and 4 strides";
  for (int64_t extent : shape)
    if (extent < 1)
      return emitError() << "extent " << extent << " of a view is not positive";
  for (int64_t stride : strides)
    if (stride < 0 || stride % viewStep != 0)
      return emitError() << "stride " << stride
                         << " of a view is no positive multiple of "
                         << viewStep;
  // Documented: the factors that there are.
  constexpr int64_t factors[] = {1, 2, 3, 4, 8};
  if (!llvm::is_contained(factors, interleave) || shape[C] % interleave != 0)
    return emitError() << shape[C] << " channels of a view cannot lie "
                       << interleave << " side by side";
  return success();
}

Attribute ViewAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  FlatSymbolRefAttr buffer;
  int64_t offset, interleave = 1;
  if (parser.parseLess() || parser.parseAttribute(buffer) ||
      parser.parsePlus() || parser.parseInteger(offset) || parser.parseComma())
    return {};
  FailureOr<SmallVector<int64_t>> shape = parseInts(parser);
  if (failed(shape) || parser.parseComma())
    return {};
  FailureOr<SmallVector<int64_t>> strides = parseInts(parser);
  if (failed(strides))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("interleave") || parser.parseEqual() ||
       parser.parseInteger(interleave)))
    return {};
  if (parser.parseGreater())
    return {};
  MLIRContext *context = parser.getContext();
  auto layout = parser.getChecked<LayoutAttr>(start, context, *shape, *strides,
                                              interleave);
  if (!layout)
    return {};
  return parser.getChecked<ViewAttr>(start, context, buffer, offset, layout);
}

void ViewAttr::print(AsmPrinter &printer) const {
  printer << '<' << getBuffer() << " + " << getOffset() << ", ";
  printInts(printer, getShape());
  printer << ", ";
  printInts(printer, getStrides());
  if (getInterleave() != 1)
    printer << ", interleave = " << getInterleave();
  printer << '>';
}

LogicalResult ViewAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               FlatSymbolRefAttr, int64_t offset, LayoutAttr) {
  if (offset < 0 || offset % viewStep != 0)
    return emitError() << "offset " << offset
                       << " of a view is no positive multiple of " << viewStep;
  return success();
}

int64_t ViewAttr::getRowBytes() const {
  return getColumns() * getInterleave() * elementBytes;
}

LogicalResult NEConfigAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   MACOp, ArrayRef<int64_t> window,
                                   ArrayRef<int64_t> stride,
                                   ArrayRef<int64_t> padding, int64_t groups,
                                   int64_t unicast, bool, bool, bool, bool,
                                   bool, FloatAttr, FloatAttr) {
  auto check = [&](StringRef name, ArrayRef<int64_t> pair, int64_t lowest) {
    if (pair.size() != 2)
      return emitError() << name << " has " << counted(pair.size(), "element")
                         << "; rows and columns are 2";
    for (int64_t value : pair)
      if (value < lowest)
        return emitError() << name << " has " << value << ", the lowest is "
                           << lowest;
    return InFlightDiagnostic();
  };
  if (failed(check("window", window, 1)) ||
      failed(check("stride", stride, 1)) ||
      failed(check("padding", padding, 0)))
    return failure();
  if (groups < 1)
    return emitError() << "groups is " << groups << ", the lowest is 1";
  if (unicast < 0)
    return emitError() << "unicast is " << unicast << ", the lowest is 0";
  return success();
}

LogicalResult PEConfigAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   PEOp, PEReduce, PEPost, bool, bool, bool,
                                   bool, bool, int64_t broadcast1,
                                   int64_t broadcast2, bool, bool, bool,
                                   FloatAttr, FloatAttr, FloatAttr, FloatAttr,
                                   FloatAttr) {
  for (int64_t broadcast : {broadcast1, broadcast2})
    if (broadcast < 0 || broadcast > td::allBroadcasts)
      return emitError() << "a broadcast is " << broadcast
                         << ", not a set of bits from 0 to "
                         << td::allBroadcasts;
  return success();
}

LogicalResult L2PlaceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t base, ArrayRef<int64_t> strides) {
  if (strides.size() != numDims - 1)
    return emitError() << "a place has " << strides.size() << " strides, not 4";
  for (int64_t value : llvm::concat<const int64_t>(ArrayRef(base), strides))
    if (value < 0 || value % l2Granule != 0)
      return emitError() << "a place in L2 has " << value
                         << ", no positive multiple of " << l2Granule;
  return success();
}

LogicalResult L2Attr::verify(function_ref<InFlightDiagnostic()> emitError,
                             Residence source1, Residence source2, Residence,
                             int64_t begin, int64_t bytes, L2PlaceAttr place) {
  if (begin < 0 || begin % l2Granule != 0 || bytes < 0)
    return emitError() << "the window of " << counted(bytes, "byte") << " at "
                       << begin << " does not start at a multiple of "
                       << l2Granule << " or ends before it starts";
  if (source2 == Residence::kept)
    return emitError() << "a second source is not kept";
  if (place && source1 == Residence::streamed)
    return emitError() << "what streams has no place in L2";
  return success();
}
