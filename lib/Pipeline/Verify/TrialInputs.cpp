//===- TrialInputs.cpp - Inputs that a program is tried on ----------------===//

#include "Verify/TrialInputs.h"
#include "ane/Dialect/MIL/IR/Choice.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Dialect/MIL/IR/Slice.h"
#include "ane/Reference/Conversions.h"
#include "ane/Support/Half.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/Endian.h"
#include <bit>
#include <climits>
#include <cmath>
#include <random>

using namespace mlir;
using namespace ane;

namespace {

/// The inputs are the same in every run.
constexpr std::mt19937::result_type seed = std::mt19937::default_seed;

/// What inputs are made from: one of 2048 steps, evenly, or one of two halves.
constexpr unsigned numSteps = 2048;

/// Floats are low + step * width, for fewer steps than `steps`; fp16 holds
/// them.
struct FloatRange {
  double low, width;
  unsigned steps;
};
constexpr FloatRange floatRanges[] = {{-1, 0x1p-10, numSteps},
                                      {0x1p-11, 0x1p-11, numSteps - 1},
                                      {1, 0x1p-10, numSteps / 2}};

/// What integers are.
struct IntegerPair {
  uint64_t low, high;
};
constexpr IntegerPair integerPairs[] = {{1, 2}, {1, 1}, {0, 0}};

class Drawer {
public:
  Drawer(mil::FuncOp func, ArrayRef<engine::HostPort> ports,
         ArrayRef<InputRange> ranges)
      : func(func), ports(ports), ranges(ranges) {
    for (BlockArgument argument : func.getArguments())
      for (Operation *user : argument.getUsers())
        if (std::optional<mil::Choice> choice = mil::getChoice(user);
            choice && choice->indices == argument)
          narrow(func.getParameterName(argument.getArgNumber()),
                 choice->extents);
    func.walk([&](mil::SliceByIndexOp op) { bound(op, op.getEnd()); });
    func.walk([&](mil::SliceUpdateOp op) { bound(op, op.getEnd()); });
    func.walk([&](mil::SliceBySizeOp op) { bound(op, Value()); });
  }

  FailureOr<Trial> draw() {
    FailureOr<Trial> trial = drawIntegers();
    if (failed(trial))
      return failure();
    size_t specials = countSpecials(*trial);
    for (FloatRange range : ArrayRef(floatRanges).drop_front()) {
      if (specials == 0)
        break;
      FailureOr<Trial> other = tryQuietly(range, integers);
      size_t remaining = succeeded(other) ? countSpecials(*other) : specials;
      if (remaining < specials) {
        trial = std::move(other);
        specials = remaining;
      }
    }
    return trial;
  }

private:
  /// Of several gathers that take an input, the smallest extents count.
  void narrow(StringRef name, ArrayRef<int64_t> extents) {
    SmallVector<int64_t> &known = indexExtents[name];
    if (known.empty())
      known.assign(extents.begin(), extents.end());
    else if (known.size() == extents.size())
      for (auto [a, b] : llvm::zip_equal(known, extents))
        a = std::min(a, b);
    else
      known.assign(
          1, std::min(*llvm::min_element(known), *llvm::min_element(extents)));
  }

  /// An entry of a list: of an input, or known.
  struct Entry {
    BlockArgument input;
    int64_t place = 0;
    std::optional<int64_t> known;
  };

  /// Where an entry of a list comes from, which may be joined of scalars.
  Entry entryOf(Value list, int64_t index) {
    if (auto input = dyn_cast<BlockArgument>(list)) {
      // Variables of a loop are no inputs.
      bool isOfFunction = input.getOwner() == &func.getBody().front();
      return isOfFunction ? Entry{input, index, std::nullopt} : Entry();
    }
    if (auto all = mil::getConstantInts(list))
      return {{}, 0, (*all)[index]};
    if (auto part = mil::joinedPart(list, index))
      return entryOf(part->first, part->second);
    Operation *op = list.getDefiningOp();
    if (op && (isa<mil::CastOp>(op) || op->hasTrait<mil::Reshapes>()))
      return entryOf(op->getOperand(0), index);
    return {};
  }

  /// Inputs that are bounds of a slice are at its extents from each other.
  /// `end` is null where sizes say it.
  template <typename Op> void bound(Op op, Value end) {
    std::optional<SmallVector<mil::ComputedDim>> dims =
        mil::getComputedSlice(op);
    if (!dims)
      return;
    for (auto [i, dim] : llvm::enumerate(*dims)) {
      Entry first = entryOf(op.getBegin(), i),
            last = end ? entryOf(end, i) : Entry();
      if (!first.input && !first.known)
        continue;
      int64_t full = cast<RankedTensorType>(op.getX().getType()).getDimSize(i);
      int64_t reach = dim.step * (dim.extent - 1),
              room = full - std::abs(reach) - 1;
      int64_t at = first.known    ? mil::fromFront(*first.known, full)
                   : dim.begin    ? *dim.begin
                   : dim.step > 0 ? std::min<int64_t>(1, room)
                                  : full - 1 - std::min<int64_t>(1, room);
      int64_t behind = at + reach + (dim.step > 0 ? 1 : -1);
      setBound(first, at);
      // In front of the first element there is none that counts from the end.
      setBound(last, behind < 0 ? behind - full : behind);
    }
  }

  void setBound(const Entry &entry, int64_t value) {
    if (!entry.input)
      return;
    auto &values = bounds[func.getParameterName(entry.input.getArgNumber())];
    values.resize(std::max<size_t>(values.size(), entry.place + 1));
    values[entry.place] = value;
  }

  bool hasIntegers() const {
    return llvm::any_of(ports, [](const engine::HostPort &port) {
      return port.isInput() && engine::isInteger(port.type);
    });
  }

  /// With the first integers that the reference takes.
  FailureOr<Trial> drawIntegers() {
    integers = integerPairs[0];
    if (!hasIntegers())
      return tryOnce(floatRanges[0], integers);
    for (IntegerPair pair : integerPairs) {
      FailureOr<Trial> trial = tryQuietly(floatRanges[0], pair);
      if (succeeded(trial)) {
        integers = pair;
        return trial;
      }
    }
    // Once more, to say why.
    if (succeeded(tryOnce(floatRanges[0], integers)))
      llvm_unreachable("the reference is the same in every run");
    return func.emitError()
           << "the inputs to verify with cannot be drawn: the program takes "
              "its integers neither as 1 and 2 nor as 1 nor as 0; compile "
              "without --verify, and compare on inputs of your own what "
              "ane-run makes of the container and of the text";
  }

  FailureOr<Trial> tryQuietly(FloatRange floats, IntegerPair pair) {
    ScopedDiagnosticHandler handler(func.getContext(),
                                    [](Diagnostic &) { return success(); });
    return tryOnce(floats, pair);
  }

  FailureOr<Trial> tryOnce(FloatRange floats, IntegerPair pair) {
    std::mt19937 random(seed);
    Trial trial;
    for (const engine::HostPort &port : ports) {
      if (!port.isInput())
        continue;
      trial.inputs.push_back(drawArray(port, floats, pair, random));
      llvm::Expected<reference::Tensor> tensor =
          reference::fromNpy(func.getContext(), trial.inputs.back());
      if (!tensor)
        return func.emitError() << llvm::toString(tensor.takeError());
      trial.parameters.push_back(asParameter(port.name, std::move(*tensor)));
    }
    auto outputs = reference::evaluate(func, trial.parameters);
    if (failed(outputs))
      return failure();
    trial.outputs = std::move(*outputs);
    return trial;
  }

  /// The ports of a container have fewer integer types than parameters.
  reference::Tensor asParameter(StringRef name, reference::Tensor tensor) {
    for (BlockArgument argument : func.getArguments())
      if (func.getParameterName(argument.getArgNumber()) == name)
        if (Type element = getElementTypeOrSelf(argument);
            !tensor.isFloat() && element.isInteger())
          return reference::convert(tensor, element);
    return tensor;
  }

  NpyArray drawArray(const engine::HostPort &port, FloatRange floats,
                     IntegerPair pair, std::mt19937 &random) const {
    NpyArray array;
    array.type = port.type;
    array.shape.assign(port.shape.begin(), port.shape.end());
    array.bytes.resize(array.numElements() * byteSize(port.type));
    auto extents = indexExtents.find(port.name);
    auto known = bounds.find(port.name);
    std::optional<Interval> range = boundsOfInput(ranges, port.name);
    for (int64_t i = 0, e = array.numElements(); i < e; ++i) {
      unsigned step = random() % numSteps;
      bool isUpper = step > numSteps / 2;
      uint8_t *place = array.bytes.data() + i * byteSize(port.type);
      if (port.type == ElementType::Bool) {
        *place = isUpper;
      } else if (known != bounds.end() && i < int64_t(known->second.size()) &&
                 known->second[i]) {
        // It may be a float that becomes an integer.
        if (engine::isInteger(port.type))
          writeInteger(place, port.type, *known->second[i]);
        else
          writeFloat(place, port.type, double(*known->second[i]));
      } else if (engine::isInteger(port.type)) {
        uint64_t limit = port.limit.most;
        if (extents != indexExtents.end())
          limit = std::min<uint64_t>(
              limit, extents->second[i % extents->second.size()]);
        writeInteger(place, port.type,
                     std::min(isUpper ? pair.high : pair.low,
                              std::max<uint64_t>(limit, 1) - 1));
      } else {
        writeFloat(place, port.type,
                   range ? numberIn(*range, step)
                         : floats.low + (step % floats.steps) * floats.width);
      }
    }
    return array;
  }

  /// From one end of a range to the other, so that fp16 holds it.
  static double numberIn(Interval range, unsigned step) {
    double share = double(step) / (numSteps - 1);
    return halfToDouble(
        halfFromDouble(range.low * (1 - share) + range.high * share));
  }

  /// Up to 16 bits, little endian; the other bytes are 0.
  static void writeInteger(uint8_t *place, ElementType type, int64_t value) {
    for (size_t i = 0, e = byteSize(type); i < e; ++i)
      place[i] = static_cast<uint8_t>(value >> (CHAR_BIT * i));
  }

  static void writeFloat(uint8_t *place, ElementType type, double value) {
    if (type == ElementType::Float16)
      llvm::support::endian::write16le(place, halfFromDouble(value));
    else
      llvm::support::endian::write32le(
          place, std::bit_cast<uint32_t>(static_cast<float>(value)));
  }

  /// NaN and infinities in what the reference computed.
  static size_t countSpecials(const Trial &trial) {
    size_t count = 0;
    for (const reference::Tensor &output : trial.outputs)
      if (output.isFloat())
        count += llvm::count_if(output.floats(),
                                [](double x) { return !std::isfinite(x); });
    return count;
  }

  mil::FuncOp func;
  ArrayRef<engine::HostPort> ports;
  ArrayRef<InputRange> ranges;
  /// Of inputs that are indices, by name, one for each number of a tuple.
  llvm::StringMap<SmallVector<int64_t>> indexExtents;
  /// Of inputs that have bounds of slices, by name.
  llvm::StringMap<SmallVector<std::optional<int64_t>>> bounds;
  IntegerPair integers = integerPairs[0];
};

} // namespace

FailureOr<Trial> ane::drawTrial(mil::FuncOp func,
                                ArrayRef<engine::HostPort> ports,
                                ArrayRef<InputRange> ranges) {
  return Drawer(func, ports, ranges).draw();
}
