//===- PartOps.cpp - Ops on parts of a joined value -----------------------===//

#include "Simplify/PartOps.h"
#include "Simplify/JoinedProducts.h"
#include "TransposeSteps.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

using Shape = SmallVector<int64_t>;

namespace {

/// The dimension of an operand that meets `dim` of a result with so many
/// dimensions; negative if the operand has too few.
int64_t alignedDim(Value operand, int64_t dim, int64_t rank) {
  return dim - rank + int64_t(shapeOf(operand).size());
}

/// What a slice takes of each dimension, if that is known.
std::optional<SmallVector<SliceDim>> sliceOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<SmallVector<SliceDim>>>(op)
      .Case<SliceByIndexOp, SliceBySizeOp>([](auto op) { return getSlice(op); })
      .Default(std::nullopt);
}

/// The axis of an op along one dimension, if that is another one.
std::optional<int64_t> axisBeside(std::optional<int64_t> axis, int64_t dim,
                                  Value x) {
  if (!axis)
    return std::nullopt;
  int64_t fromStart = fromFront(*axis, shapeOf(x).size());
  return fromStart == dim ? std::nullopt : std::optional(fromStart);
}

std::optional<int64_t> axisOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([](SoftmaxOp softmax) { return softmax.getAxisOrDefault(); })
      .Case<ConcatOp, SplitOp>(
          [](auto op) { return getConstantInt(op.getAxis()); })
      .Default(std::nullopt);
}

/// Some elements along a dimension: one of the values that are joined along it
/// where those are all that it has.
Value partAlong(Replacer &r, Value x, int64_t axis, const SliceDim &cut) {
  auto concat = x.getDefiningOp<ConcatOp>();
  if (concat && cut.step == 1 && joinsAlong(concat, axis)) {
    int64_t begin = 0;
    for (Value value : concat.getValues()) {
      int64_t extent = shapeOf(value)[axis];
      if (begin == cut.begin && extent == cut.extent)
        return value;
      begin += extent;
    }
  }
  return r.slice(x, axis, cut.begin, cut.extent, cut.step);
}

} // namespace

SmallVector<int64_t> PartOps::shapeOfPart(ArrayRef<int64_t> shape, int64_t dim,
                                          ArrayRef<int64_t> extents) {
  SmallVector<int64_t> result(shape.take_front(dim));
  llvm::append_range(result, extents);
  llvm::append_range(result, shape.drop_front(dim + 1));
  return result;
}

bool PartOps::follow(Operation *op) {
  if (op->getNumResults() == 0 ||
      !llvm::all_of(op->getResults(),
                    [](Value value) { return bool(staticType(value)); }))
    return false;
  std::optional<int64_t> dim = dimBehind(op);
  if (!dim)
    return false;
  for (Value result : op->getResults())
    dims[result] = *dim;
  return true;
}

void PartOps::forget(Operation *op) {
  for (Value result : op->getResults())
    dims.erase(result);
}

/// Operands that broadcast have all places, at the same dimension from the
/// end, or none.
std::optional<int64_t> PartOps::dimOfElements(Operation *op) const {
  int64_t rank = shapeOf(op->getResult(0)).size();
  std::optional<int64_t> dim;
  for (Value operand : op->getOperands()) {
    if (!isJoined(operand))
      continue;
    int64_t own = dimOf(operand) + rank - shapeOf(operand).size();
    if (dim && *dim != own)
      return std::nullopt;
    dim = own;
  }
  if (!dim)
    return std::nullopt;
  if (op->hasTrait<ChannelParameters>())
    return isJoined(op->getOperand(0)) && *dim > 1 ? dim : std::nullopt;
  for (Value operand : op->getOperands()) {
    if (isJoined(operand))
      continue;
    RankedTensorType type = staticType(operand);
    if (!type) {
      if (!isConst(operand))
        return std::nullopt;
      continue;
    }
    int64_t own = alignedDim(operand, *dim, rank);
    if (own >= 0 && type.getDimSize(own) != 1 && !isConst(operand))
      return std::nullopt;
  }
  return dim;
}

std::optional<int64_t> PartOps::dimBehindElements(ArrayRef<int64_t> shape,
                                                  int64_t before) const {
  int64_t product = 1;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (product == before && extent == places)
      return dim;
    product *= extent;
  }
  return std::nullopt;
}

/// Where what is in front of the places stays together, and what is behind.
std::optional<int64_t> PartOps::dimBehindReshape(Operation *op) const {
  Value x = op->getOperand(0);
  if (!isJoined(x))
    return std::nullopt;
  ArrayRef<int64_t> from = shapeOf(x), to = shapeOf(op->getResult(0));
  return dimBehindElements(to, llvm::product_of(from.take_front(dimOf(x))));
}

std::optional<int64_t> PartOps::dimBehind(Operation *op) const {
  if (isa<CastOp>(op))
    return std::nullopt;
  if (op->hasTrait<Reshapes>())
    return dimBehindReshape(op);
  if (op->hasTrait<Elementwise>())
    return dimOfElements(op);
  if (op->getNumOperands() == 0 || !isJoined(op->getOperand(0)))
    return std::nullopt;
  Value x = op->getOperand(0);
  int64_t dim = dimOf(x), rank = shapeOf(x).size();
  auto ifSo = [&](bool holds) {
    return holds ? std::optional(dim) : std::nullopt;
  };
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([&](TransposeOp) -> std::optional<int64_t> {
        auto perm = permutationOf(op);
        if (!perm)
          return std::nullopt;
        return std::distance(perm->begin(), llvm::find(*perm, dim));
      })
      .Case<SoftmaxOp, SplitOp>([&](auto op) {
        return ifSo(axisBeside(axisOf(op), dim, x).has_value());
      })
      .Case([&](ConcatOp concat) {
        return ifSo(concat.getInterleaveOrDefault() == false &&
                    axisBeside(axisOf(concat), dim, x).has_value() &&
                    llvm::all_of(concat.getValues(), [&](Value value) {
                      return isJoined(value) && dimOf(value) == dim;
                    }));
      })
      .Case([&](Reduction reduction) -> std::optional<int64_t> {
        auto axes = reducedAxes(reduction.getAxes(), rank);
        std::optional<bool> keeps = reduction.getKeepDimsOrDefault();
        if (!axes || !keeps || llvm::is_contained(*axes, dim))
          return std::nullopt;
        return *keeps ? dim : dim - llvm::count_if(*axes, [&](int64_t axis) {
                                return axis < dim;
                              });
      })
      .Case<SliceByIndexOp, SliceBySizeOp>(
          [&](auto slice) -> std::optional<int64_t> {
            auto cuts = getSlice(slice);
            if (!cuts || (*cuts)[dim].extent != places ||
                !llvm::all_of(*cuts,
                              [](const SliceDim &cut) { return cut.step > 0; }))
              return std::nullopt;
            // Dimensions of one element may be gone.
            int64_t before = 1;
            for (const SliceDim &cut : ArrayRef(*cuts).take_front(dim))
              before *= cut.extent;
            return dimBehindElements(shapeOf(slice.getResult()), before);
          })
      .Case([&](LayerNormOp norm) {
        auto axes = reducedAxes(norm.getAxes(), rank);
        return ifSo(axes && !llvm::is_contained(*axes, dim));
      })
      .Case([&](MatmulOp product) {
        Value y = product.getY();
        return ifSo(isJoined(y) && dimOf(y) == dim && dim < rank - 2 &&
                    int64_t(shapeOf(y).size()) == rank);
      })
      .Case([&](ConvOp conv) {
        return ifSo(multipliesEachPixel(conv) && dim > 1);
      })
      .Default(std::nullopt);
}

/// Makes an op for one part.
class PartOps::Maker {
public:
  Maker(const PartOps &ops, Replacer &r, Operation *op, const JoinedPart &part,
        const llvm::DenseMap<Value, Value> &made)
      : ops(ops), r(r), op(op), part(part), made(made), x(op->getOperand(0)),
        dim(ops.dimOf(x)), more(int64_t(part.extents.size()) - 1) {}

  Values make() {
    if (op->hasTrait<Reshapes>())
      return {r.reshape(source(), partShape(op->getResult(0)))};
    return llvm::TypeSwitch<Operation *, Values>(op)
        .Case<TransposeOp, SoftmaxOp, ConcatOp, SplitOp, Reduction, LayerNormOp,
              ConvOp>([&](auto op) { return makeOf(op); })
        .Case<SliceByIndexOp, SliceBySizeOp>([&](auto) { return makeSlice(); })
        .Default([&](Operation *) { return clone({}, {}); });
  }

private:
  Value source() const { return made.lookup(x); }
  Shape partShape(Value value) const {
    return shapeOfPart(shapeOf(value), ops.dimOf(value), part.extents);
  }
  /// Where a dimension of the joined value is in a part.
  int64_t moved(int64_t axis) const { return axis > dim ? axis + more : axis; }
  int64_t ownAxis() const { return *axisBeside(axisOf(op), dim, x); }
  Shape movedAxes(Value axes) const {
    return llvm::map_to_vector(*reducedAxes(axes, shapeOf(x).size()),
                               [&](int64_t axis) { return moved(axis); });
  }

  Value alignedOperand(Value operand);
  Values clone(Value replaced, Value by);
  Values makeOf(TransposeOp transpose);
  Values makeOf(SoftmaxOp) {
    return {r.with<SoftmaxOp>(source(), r.integer(moved(ownAxis())))};
  }
  Values makeOf(ConcatOp concat) {
    return clone(concat.getAxis(), r.integer(moved(ownAxis())));
  }
  Values makeOf(SplitOp split);
  Values makeOf(Reduction reduction);
  Values makeOf(LayerNormOp norm) {
    return clone(norm.getAxes(), r.ints(movedAxes(norm.getAxes())));
  }
  Values makeOf(ConvOp conv);
  Values makeSlice();

  const PartOps &ops;
  Replacer &r;
  Operation *op;
  const JoinedPart &part;
  const llvm::DenseMap<Value, Value> &made;
  Value x;      ///< the first operand
  int64_t dim;  ///< of it
  int64_t more; ///< dimensions that a part has
};

/// Another operand of an op that works element by element, as a part meets it.
Value PartOps::Maker::alignedOperand(Value operand) {
  RankedTensorType type = staticType(operand);
  if (!type || op->hasTrait<ChannelParameters>())
    return operand;
  Value result = op->getResult(0);
  int64_t dim = alignedDim(operand, ops.dimOf(result), shapeOf(result).size());
  if (dim < 0)
    return operand;
  Shape ones(part.extents.size(), 1);
  ArrayRef<int64_t> extents = ones;
  if (type.getDimSize(dim) != 1) {
    operand = r.slice(operand, dim, part.begin, part.places());
    extents = part.extents;
  }
  return extents.size() == 1
             ? operand
             : r.reshape(operand, shapeOfPart(type.getShape(), dim, extents));
}

/// The op with the operands of the part, one of them replaced.
PartOps::Values PartOps::Maker::clone(Value replaced, Value by) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (ops.isJoined(operand))
      mapping.map(operand, made.lookup(operand));
    else if (op->hasTrait<Elementwise>())
      mapping.map(operand, alignedOperand(operand));
  if (replaced)
    mapping.map(replaced, by);
  Operation *copy = r.rewriter.clone(*op, mapping);
  dropNames(copy);
  for (auto [value, old] :
       llvm::zip_equal(copy->getResults(), op->getResults()))
    value.setType(cast<RankedTensorType>(old.getType()).clone(partShape(old)));
  return llvm::to_vector_of<Value>(copy->getResults());
}

PartOps::Values PartOps::Maker::makeOf(TransposeOp transpose) {
  Shape old = *permutationOf(transpose), perm;
  for (int64_t axis : old) {
    perm.push_back(moved(axis));
    if (axis == dim)
      for (int64_t i = 1; i <= more; ++i)
        perm.push_back(axis + i);
  }
  return {r.transpose(source(), perm)};
}

PartOps::Values PartOps::Maker::makeOf(SplitOp split) {
  int64_t axis = ownAxis();
  Values values;
  SliceDim cut = {0, 1, 0};
  for (Value result : split.getResults()) {
    cut.begin += cut.extent;
    cut.extent = shapeOf(result)[axis];
    values.push_back(partAlong(r, source(), moved(axis), cut));
  }
  return values;
}

PartOps::Values PartOps::Maker::makeOf(Reduction reduction) {
  return {r.reduce(reduction, source(), movedAxes(reduction.getAxes()),
                   *reduction.getKeepDimsOrDefault())};
}

PartOps::Values PartOps::Maker::makeOf(ConvOp conv) {
  Shape weight(shapeOf(conv.getWeight()));
  weight.append(more, 1);
  Value y = op->getResult(0);
  return {ConvOp::create(
      r.rewriter, op->getLoc(),
      cast<RankedTensorType>(y.getType()).clone(partShape(y)), source(),
      r.reshape(conv.getWeight(), weight), conv.getBias(),
      /*strides=*/Value(), /*pad_type=*/Value(), /*pad=*/Value(),
      /*dilations=*/Value(), conv.getGroups())};
}

PartOps::Values PartOps::Maker::makeSlice() {
  SmallVector<SliceDim> cuts = *sliceOf(op);
  Value result = source();
  for (auto [axis, cut] : llvm::enumerate(cuts))
    if (int64_t(axis) != dim && cut.extent != shapeOf(x)[axis])
      result = partAlong(r, result, moved(axis), cut);
  Shape shape = partShape(op->getResult(0));
  return {shapeOf(result) == ArrayRef(shape) ? result
                                             : r.reshape(result, shape)};
}

PartOps::Values PartOps::make(Replacer &r, Operation *op,
                              const JoinedPart &part,
                              const llvm::DenseMap<Value, Value> &made) const {
  return Maker(*this, r, op, part, made).make();
}
