//===- SliceOps.cpp - Slices ----------------------------------------------===//

#include "ShapeParams.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "ane/Support/FormatShape.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

std::optional<std::pair<Value, int64_t>> ane::mil::joinedPart(Value list,
                                                              int64_t index) {
  auto concat = list.getDefiningOp<ConcatOp>();
  auto stack = list.getDefiningOp<StackOp>();
  if (!(concat && concat.getInterleaveOrDefault() == false) && !stack)
    return std::nullopt;
  for (Value part : concat ? concat.getValues() : stack.getValues()) {
    RankedTensorType type = tensorType(part);
    if (!type || !type.hasStaticShape() || type.getRank() > (concat ? 1 : 0))
      return std::nullopt;
    if (index < type.getNumElements())
      return std::pair(part, index);
    index -= type.getNumElements();
  }
  return std::nullopt;
}

namespace {

/// Where a bound of a slice of Python is.
int64_t placeBound(int64_t bound, int64_t extent, int64_t stride) {
  int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? extent : extent - 1;
  return std::clamp(fromFront(bound, extent), low, high);
}

/// The indices of a slice of Python. A bound that is not given is at the edge.
SliceDim placeSlice(int64_t extent, MaybeInt begin, MaybeInt end,
                    int64_t stride) {
  bool forwards = stride > 0;
  auto place = [&](MaybeInt bound, int64_t edge) {
    return bound ? placeBound(*bound, extent, stride) : edge;
  };
  int64_t first = place(begin, forwards ? 0 : extent - 1);
  int64_t last = place(end, forwards ? extent : -1);
  int64_t distance = forwards ? last - first : first - last;
  int64_t step = forwards ? stride : -stride;
  return {first, stride, distance <= 0 ? 0 : (distance - 1) / step + 1};
}

/// The one element that a slice takes in a squeezed dimension, in
/// [-extent, extent) of a valid op. A mask puts `begin` to the front before the
/// dimension is squeezed, which makes its stride irrelevant (documented).
int64_t squeezedIndex(int64_t begin, bool beginMask) {
  return beginMask ? 0 : begin;
}

/// The shape that bounds, strides and masks cut out of `x`; nothing if not even
/// its rank is known. Constraints `mil-vector-c1`, `mil-slice-c1` and
/// `mil-slice-c2`.
template <typename Op>
FailureOr<MaybeInts> inferSlice(Op op, RankedTensorType x) {
  int64_t rank = x.getRank();
  FailureOr<MaybeInts> begin = listInts(op, op.getBegin(), "begin", rank);
  FailureOr<MaybeInts> end = listInts(op, op.getEnd(), "end", rank);
  if (failed(begin) || failed(end))
    return failure();
  auto optional = [&](Value value, StringRef name,
                      int64_t defaultValue) -> FailureOr<MaybeInts> {
    if (!value)
      return MaybeInts(std::in_place, size_t(rank), defaultValue);
    return listInts(op, value, name, rank);
  };
  FailureOr<MaybeInts> stride = optional(op.getStride(), "stride", 1);
  FailureOr<MaybeInts> beginMask =
      optional(op.getBeginMask(), "begin_mask", false);
  FailureOr<MaybeInts> endMask = optional(op.getEndMask(), "end_mask", false);
  FailureOr<MaybeInts> squeezeMask =
      optional(op.getSqueezeMask(), "squeeze_mask", false);
  if (failed(stride) || failed(beginMask) || failed(endMask) ||
      failed(squeezeMask))
    return failure();
  if (*stride && llvm::is_contained(**stride, 0))
    return LogicalResult(
        refuse(op, "mil-slice-c1",
               "'stride' is " + formatShape(**stride) + "; no entry may be 0"));
  if (!*squeezeMask)
    return MaybeInts();

  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t extent = x.getDimSize(dim);
    bool known = !ShapedType::isDynamic(extent);
    if ((**squeezeMask)[dim]) {
      if (!known || !*begin || !*beginMask)
        continue;
      int64_t index = squeezedIndex((**begin)[dim], (**beginMask)[dim]);
      if (index < -extent || index >= extent)
        return LogicalResult(refuse(
            op, "mil-slice-c2",
            "index " + Twine(index) + " of squeezed dimension " + Twine(dim) +
                " is outside [" + Twine(-extent) + ", " + Twine(extent) + ")"));
      continue;
    }
    // A mask says what a bound does not need to.
    bool fromEdge = *beginMask && (**beginMask)[dim];
    bool toEdge = *endMask && (**endMask)[dim];
    if (!*stride || (!fromEdge && (!*beginMask || !*begin)) ||
        (!toEdge && (!*endMask || !*end))) {
      shape.push_back(ShapedType::kDynamic);
      continue;
    }
    int64_t step = (**stride)[dim];
    if (!known) {
      shape.push_back(ShapedType::kDynamic);
      continue;
    }
    shape.push_back(placeSlice(extent, fromEdge ? MaybeInt() : (**begin)[dim],
                               toEdge ? MaybeInt() : (**end)[dim], step)
                        .extent);
  }
  return MaybeInts(shape);
}

/// What the bounds, strides and masks of an op take.
template <typename Op> std::optional<SmallVector<SliceDim>> sliceOf(Op op) {
  auto x = tensorType(op.getX());
  if (!x || !x.hasStaticShape())
    return std::nullopt;
  size_t rank = x.getRank();
  auto read = [&](Value value, int64_t absent) -> MaybeInts {
    if (!value)
      return SmallVector<int64_t>(rank, absent);
    MaybeInts entries = getConstantInts(value);
    return entries && entries->size() == rank ? entries : std::nullopt;
  };
  MaybeInts begin = read(op.getBegin(), 0), end = read(op.getEnd(), 0),
            stride = read(op.getStride(), 1),
            beginMask = read(op.getBeginMask(), 0),
            endMask = read(op.getEndMask(), 0),
            squeezeMask = read(op.getSqueezeMask(), 0);
  if (!begin || !end || !stride || !beginMask || !endMask || !squeezeMask)
    return std::nullopt;
  SmallVector<SliceDim> slice;
  for (auto [dim, extent] : llvm::enumerate(x.getShape())) {
    if ((*squeezeMask)[dim]) {
      int64_t index = squeezedIndex((*begin)[dim], (*beginMask)[dim]);
      slice.push_back({fromFront(index, extent), 1, 1});
      continue;
    }
    slice.push_back(
        placeSlice(extent, (*beginMask)[dim] ? MaybeInt() : (*begin)[dim],
                   (*endMask)[dim] ? MaybeInt() : (*end)[dim], (*stride)[dim]));
  }
  return slice;
}

/// An entry of a list that may be joined of constants and of what is computed.
std::optional<int64_t> knownEntry(Value list, int64_t index) {
  if (MaybeInts all = getConstantInts(list))
    return index < int64_t(all->size()) ? std::optional((*all)[index])
                                        : std::nullopt;
  auto part = joinedPart(list, index);
  return part ? knownEntry(part->first, part->second) : std::nullopt;
}

/// A slice that bounds cut out and that has the shape `type`.
template <typename Op>
std::optional<SmallVector<ComputedDim>> computedSlice(Op op,
                                                      RankedTensorType type) {
  auto x = tensorType(op.getX());
  if (!x || !x.hasStaticShape() || !type || !type.hasStaticShape())
    return std::nullopt;
  int64_t rank = x.getRank();
  auto read = [&](Value value, int64_t absent) -> MaybeInts {
    return value ? getConstantInts(value) : SmallVector<int64_t>(rank, absent);
  };
  MaybeInts stride = read(op.getStride(), 1),
            squeezeMask = read(op.getSqueezeMask(), 0),
            beginMask = read(op.getBeginMask(), 0),
            endMask = read(op.getEndMask(), 0);
  if (!stride || !squeezeMask || !beginMask || !endMask)
    return std::nullopt;
  SmallVector<ComputedDim> dims;
  ArrayRef<int64_t> extents = type.getShape();
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t full = x.getDimSize(dim);
    bool isSqueezed = (*squeezeMask)[dim];
    int64_t extent = isSqueezed ? 1 : extents.front();
    if (!isSqueezed)
      extents = extents.drop_front();
    int64_t step = isSqueezed ? 1 : (*stride)[dim];
    // From the first element to the last one.
    int64_t reach = step * (extent - 1), length = std::abs(reach) + 1;
    if (length > full)
      return std::nullopt;
    ComputedDim &known = dims.emplace_back(
        ComputedDim{extent, step, std::nullopt, /*clamps=*/!isSqueezed});
    if (length == full || (*beginMask)[dim])
      known.begin = step > 0 ? 0 : full - 1;
    else if (!isSqueezed && (*endMask)[dim] && std::abs(step) == 1)
      known.begin = step > 0 ? full - extent : extent - 1;
    else if (auto begin = knownEntry(op.getBegin(), dim))
      known.begin =
          isSqueezed ? fromFront(*begin, full) : placeBound(*begin, full, step);
    if (known.begin)
      for (int64_t place : {*known.begin, *known.begin + reach})
        if (place < 0 || place >= full)
          return std::nullopt;
  }
  return dims;
}

} // namespace

std::optional<SmallVector<SliceDim>> ane::mil::getSlice(SliceByIndexOp op) {
  return sliceOf(op);
}
std::optional<SmallVector<SliceDim>> ane::mil::getSlice(SliceUpdateOp op) {
  return sliceOf(op);
}

std::optional<SmallVector<ComputedDim>>
ane::mil::getComputedSlice(SliceByIndexOp op) {
  return computedSlice(op, tensorType(op.getResult()));
}
std::optional<SmallVector<ComputedDim>>
ane::mil::getComputedSlice(SliceUpdateOp op) {
  return computedSlice(op, tensorType(op.getUpdate()));
}
std::optional<SmallVector<ComputedDim>>
ane::mil::getComputedSlice(SliceBySizeOp op) {
  auto x = tensorType(op.getX()), type = tensorType(op.getResult());
  if (!x || !x.hasStaticShape() || !type || !type.hasStaticShape())
    return std::nullopt;
  SmallVector<ComputedDim> dims;
  for (auto [full, extent] : llvm::zip_equal(x.getShape(), type.getShape()))
    dims.push_back({extent, /*step=*/1,
                    extent == full ? MaybeInt(0) : std::nullopt,
                    /*clamps=*/false});
  return dims;
}

std::optional<SmallVector<SliceDim>> ane::mil::getSlice(SliceBySizeOp op) {
  auto x = tensorType(op.getX()), result = tensorType(op.getResult());
  MaybeInts begin = getConstantInts(op.getBegin());
  if (!x || !x.hasStaticShape() || !result.hasStaticShape() || !begin ||
      int64_t(begin->size()) != x.getRank())
    return std::nullopt;
  SmallVector<SliceDim> slice;
  for (auto [first, from, extent] :
       llvm::zip_equal(*begin, x.getShape(), result.getShape()))
    slice.push_back({first < 0 ? first + from : first, 1, extent});
  return slice;
}

std::optional<SmallVector<SliceDim>> ane::mil::getSlice(CropOp op) {
  auto x = tensorType(op.getX()), result = tensorType(op.getResult());
  MaybeInts rows = getConstantInts(op.getCropHeight()),
            columns = getConstantInts(op.getCropWidth());
  if (!x || !x.hasStaticShape() || !result.hasStaticShape() || !rows ||
      !columns || rows->size() != 2 || columns->size() != 2)
    return std::nullopt;
  SmallVector<SliceDim> slice;
  for (int64_t extent : result.getShape())
    slice.push_back({0, 1, extent});
  slice[slice.size() - 2].begin = rows->front();
  slice.back().begin = columns->front();
  return slice;
}

std::optional<SmallVector<SmallVector<SliceDim>>>
ane::mil::getParts(SplitOp op) {
  auto x = tensorType(op.getX());
  std::optional<int64_t> axis = getConstantInt(op.getAxis());
  if (!x || !x.hasStaticShape() || !axis)
    return std::nullopt;
  if (*axis < 0)
    *axis += x.getRank();
  SmallVector<SmallVector<SliceDim>> parts;
  int64_t begin = 0;
  for (Value result : op->getResults()) {
    SmallVector<SliceDim> &part = parts.emplace_back();
    for (int64_t extent : x.getShape())
      part.push_back({0, 1, extent});
    int64_t extent = tensorType(result).getDimSize(*axis);
    if (ShapedType::isDynamic(extent))
      return std::nullopt;
    part[*axis] = {begin, 1, extent};
    begin += extent;
  }
  return parts;
}

std::optional<Cut> ane::mil::getCut(Value value, int64_t dim) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return std::nullopt;
  std::optional<SmallVector<SliceDim>> dims =
      llvm::TypeSwitch<Operation *, std::optional<SmallVector<SliceDim>>>(
          result.getOwner())
          .Case<SliceByIndexOp, SliceBySizeOp>(
              [](auto slice) { return getSlice(slice); })
          .Case([&](SplitOp split) -> std::optional<SmallVector<SliceDim>> {
            auto parts = getParts(split);
            if (!parts)
              return std::nullopt;
            return (*parts)[result.getResultNumber()];
          })
          .Default(std::nullopt);
  if (!dims || dims->empty())
    return std::nullopt;
  int64_t rank = dims->size();
  int64_t wanted = dim < 0 ? dim + rank : dim;
  if (wanted >= rank)
    return std::nullopt;
  Value whole = result.getOwner()->getOperand(0);
  for (auto [index, own] : llvm::enumerate(*dims))
    if (int64_t(index) != wanted &&
        (own.begin != 0 || own.step != 1 ||
         own.extent != tensorType(whole).getDimSize(index)))
      return std::nullopt;
  return Cut{whole, (*dims)[wanted]};
}

LogicalResult SliceByIndexOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  FailureOr<MaybeInts> shape = inferSlice(*this, x);
  if (failed(shape))
    return failure();
  if (!*shape)
    return keepDeclared(*this, types);
  return addResult(*this, types, **shape, x.getElementType());
}

LogicalResult SliceUpdateOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX()), update = tensorType(getUpdate());
  if (!x || !update)
    return keepDeclared(*this, types);
  FailureOr<MaybeInts> shape = inferSlice(*this, x);
  if (failed(shape))
    return failure();
  if (*shape && !agree(update.getShape(), **shape))
    return refuse(*this, "mil-slice_update-c1",
                  "'update' is " + formatType(update) +
                      ", but the slice it replaces is " +
                      formatType(update.clone(**shape)));
  types.push_back(x);
  return success();
}

LogicalResult SliceBySizeOp::inferTypes(SmallVectorImpl<Type> &types) {
  auto x = tensorType(getX());
  if (!x)
    return keepDeclared(*this, types);
  FailureOr<MaybeInts> begin =
      listInts(*this, getBegin(), "begin", x.getRank());
  FailureOr<MaybeInts> size = listInts(*this, getSize(), "size", x.getRank());
  if (failed(begin) || failed(size))
    return failure();

  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < x.getRank(); ++dim) {
    int64_t extent = x.getDimSize(dim);
    MaybeInt first = *begin ? MaybeInt((**begin)[dim]) : std::nullopt;
    MaybeInt count = *size ? MaybeInt((**size)[dim]) : std::nullopt;
    if (count && *count < -1)
      return refuse(*this, "mil-slice_by_size-c1",
                    "'size' is " + formatShape(**size) +
                        "; an entry is a number of elements, or -1 for all up "
                        "to the end");
    if (first && *first < 0)
      first = ShapedType::isDynamic(extent) ? MaybeInt() : *first + extent;
    if (first && !ShapedType::isDynamic(extent) &&
        (*first < 0 || *first > extent || (count && *count > extent - *first)))
      return refuse(*this, "mil-slice_by_size-c2",
                    "the slice of dimension " + Twine(dim) + " from " +
                        Twine((**begin)[dim]) + " on" +
                        (count && *count >= 0
                             ? " of " + Twine(*count).str() + " elements"
                             : std::string()) +
                        " reaches out of its " + Twine(extent));
    if (count && *count >= 0)
      shape.push_back(*count);
    else if (count && first && !ShapedType::isDynamic(extent))
      shape.push_back(extent - *first);
    else
      shape.push_back(ShapedType::kDynamic);
  }
  return addResult(*this, types, shape, x.getElementType());
}
