//===- TaskBuilder.cpp - Makes buffers, kernels and tasks -----------------===//

#include "TaskBuilder.h"
#include "CopyOrder.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Support/CheckedProduct.h"
#include "ane/Support/ResourceElements.h"
#include "ane/TaskDescriptor/Broadcast.h"
#include "ane/TaskDescriptor/Fields.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::tasks;
using namespace ane::zin;

namespace {

/// Calls `fn(begin, count)` for runs of at most `limit` out of `extent`.
template <typename Fn> void forChunks(int64_t extent, int64_t limit, Fn fn) {
  for (int64_t begin = 0; begin < extent; begin += limit)
    fn(begin, std::min(limit, extent - begin));
}

/// The same for runs of about one length: none is so short that it passes for
/// something else.
template <typename Fn>
void forEvenChunks(int64_t extent, int64_t limit, Fn fn) {
  forChunks(extent, llvm::divideCeil(extent, llvm::divideCeil(extent, limit)),
            fn);
}

/// The bit of each dimension; a group has none.
constexpr int64_t broadcastBits[] = {
    /*N*/ 0, /*D*/ td::broadcastDepth, /*C*/ td::broadcastChannels,
    /*H*/ td::broadcastRows, /*W*/ td::broadcastColumns};

/// Along which dimensions an operand has one element for all of the result.
int64_t broadcastOf(const View &operand, const View &result) {
  int64_t bits = 0;
  for (unsigned dim = 0; dim < numDims; ++dim)
    if (operand.shape[dim] == 1 && result.shape[dim] > 1)
      bits |= broadcastBits[dim];
  return bits;
}

/// As many channels or less that no task need part.
int64_t sideBySide(int64_t channels, const View &result) {
  return std::max(channels / result.interleave, int64_t(1)) * result.interleave;
}

/// Slices of the depth that a task has beside its channels: a row of each is in
/// L2 at a time, too. `most` are the channels that there is room for.
int64_t slicesBeside(int64_t most, int64_t channels) {
  return std::max<int64_t>(most / std::min(most, channels), 1);
}

/// A group is no dimension that a flag can repeat; a stride of 0 repeats it.
View repeatGroups(View operand, const View &result) {
  if (operand.shape[N] == 1 && result.shape[N] > 1) {
    operand.shape[N] = result.shape[N];
    operand.strides[N] = 0;
  }
  return operand;
}

/// How the tensor of the host lies, if the port says so.
DenseI64ArrayAttr hostStridesOf(DictionaryAttr port) {
  return port ? port.getAs<DenseI64ArrayAttr>(ProcedureOp::hostStridesAttrName)
              : DenseI64ArrayAttr();
}

/// Spreads a packed port out as the tensor of the host lies, in elements. The
/// program was checked to say nothing that a port cannot have. What is no fp16
/// is cast on its way, and a long row is in parts, which are packed.
void layOut(View &view, Type hostType, ArrayRef<int64_t> hostStrides) {
  auto host = cast<RankedTensorType>(hostType);
  int64_t rank = host.getRank();
  if (!host.getElementType().isF16() || rank == 0 ||
      host.getShape().back() > view.shape[W])
    return;
  // The last dimensions of the surface; up to rank 4 the depth is none of them.
  SmallVector<unsigned> dims = {H, C, D, N};
  if (rank < int64_t(numDims))
    dims = {H, C, N, D};
  int64_t packed = view.strides[H];
  for (auto [index, dim] : llvm::enumerate(dims)) {
    int64_t axis = rank - 2 - int64_t(index);
    bool isStated = axis >= 0 && view.shape[dim] > 1;
    view.strides[dim] = isStated ? hostStrides[axis] * elementBytes : packed;
    packed = view.strides[dim] * view.shape[dim];
  }
  if (rank < int64_t(numDims))
    view.strides[D] = view.strides[C] * view.shape[C];
}

} // namespace

TaskBuilder::TaskBuilder(ProgramOp program, const TargetDescription &target)
    : target(target), block(&program.getBody().emplaceBlock()),
      tasks(program.getContext()),
      zero(tasks.getFloatAttr(tasks.getF16Type(), 0)),
      one(tasks.getFloatAttr(tasks.getF16Type(), 1)),
      location(program.getLoc()) {
  tasks.setInsertionPointToEnd(block);
}

OpBuilder TaskBuilder::declarationBuilder() {
  OpBuilder builder(tasks.getContext());
  if (lastDeclaration)
    builder.setInsertionPointAfter(lastDeclaration);
  else
    builder.setInsertionPointToStart(block);
  return builder;
}

std::optional<int64_t> TaskBuilder::packedBytes(ArrayRef<int64_t> shape) const {
  return checkedProduct(target.rowPitch(shape[W]), shape.drop_back());
}

View TaskBuilder::packedView(ArrayRef<int64_t> shape) const {
  View view;
  llvm::copy(shape, view.shape.begin());
  view.strides = packedStrides(shape, target.rowPitch(shape[W]));
  return view;
}

FlatSymbolRefAttr TaskBuilder::nextName(StringRef prefix) {
  Names &known = names[prefix];
  if (known.ahead.empty()) {
    // As many as there are.
    unsigned begin = known.made;
    known.made += std::clamp(begin, 1u, mostNamesAhead);
    SmallVector<StringAttr> strings;
    for (unsigned index = begin; index < known.made; ++index)
      strings.push_back(tasks.getStringAttr(prefix + "_" + Twine(index)));
    for (StringAttr string : llvm::reverse(strings))
      known.ahead.push_back(FlatSymbolRefAttr::get(string));
  }
  return known.ahead.pop_back_val();
}

View TaskBuilder::makeBuffer(BufferKind kind, ArrayRef<int64_t> shape,
                             StringRef prefix, DictionaryAttr port,
                             ElementsAttr value) {
  View view = packedView(shape);
  if (auto hostStrides = hostStridesOf(port))
    layOut(view, port.getAs<TypeAttr>(ProcedureOp::hostTypeAttrName).getValue(),
           hostStrides);
  addBuffer(kind, view, prefix, port, value);
  return view;
}

void TaskBuilder::addBuffer(BufferKind kind, View &view, StringRef prefix,
                            DictionaryAttr port, ElementsAttr value) {
  OpBuilder builder = declarationBuilder();
  FlatSymbolRefAttr symbol = nextName(prefix);
  View layout = view.swapped(C, view.interleaved);
  view.buffer = ViewAttr::get(builder.getContext(), symbol, /*offset=*/0,
                              layout.shape, layout.strides, layout.interleave);
  if (kind != BufferKind::scratch)
    fixed.insert(view.buffer);
  StringAttr portName;
  TypeAttr hostType;
  UnitAttr state;
  if (port) {
    portName = port.getAs<StringAttr>(ProcedureOp::portNameAttrName);
    hostType = port.getAs<TypeAttr>(ProcedureOp::hostTypeAttrName);
    state = port.getAs<UnitAttr>(ProcedureOp::stateAttrName);
  }
  lastDeclaration = BufferOp::create(
      builder, location, symbol.getAttr(),
      BufferKindAttr::get(builder.getContext(), kind),
      builder.getI64IntegerAttr(wholeBytes(view.buffer)), view.buffer, portName,
      hostType, state, /*shared=*/UnitAttr(), value, /*offset=*/IntegerAttr(),
      L2PlaceAttr(), hostStridesOf(port));
}

View TaskBuilder::makePort(BufferKind kind, DictionaryAttr attrs,
                           ArrayRef<int64_t> shape) {
  return makeBuffer(kind, shape, stringifyBufferKind(kind), attrs, {});
}

View TaskBuilder::makeScratch(ArrayRef<int64_t> shape) {
  return makeBuffer(BufferKind::scratch, shape, "scratch", {}, {});
}

View TaskBuilder::makeInterleaved(ArrayRef<int64_t> shape, unsigned dim,
                                  int64_t interleave) {
  if (interleave == 1)
    return makeScratch(shape);
  View view;
  llvm::copy(shape, view.shape.begin());
  view.interleave = interleave;
  view.interleaved = dim;
  std::array<int64_t, numDims> planes = view.shape;
  planes[dim] /= interleave;
  view.strides = packedStrides(planes, target.rowPitch(shape[W] * interleave));
  addBuffer(BufferKind::scratch, view, "scratch", {}, {});
  return view;
}

View TaskBuilder::makeConstant(ElementsAttr elements, ArrayRef<int64_t> shape) {
  return makeBuffer(BufferKind::constant, shape, "constant", {}, elements);
}

/// Whether layers with these weights share a kernel. A few numbers are equal by
/// chance, which new ones would not be; neither would be what comes for weights
/// of a file that are one number, such as the zeros of an adapter that was not
/// trained yet.
static bool areShared(ElementsAttr weights) {
  std::optional<HalfElements> elements = HalfElements::get(weights);
  return elements && elements->size() > maxInlineElements &&
         (isa<DenseElementsAttr>(weights) || !elements->isUniform());
}

FlatSymbolRefAttr TaskBuilder::makeKernel(const KernelParams &params) {
  OpBuilder builder = declarationBuilder();
  UnitAttr channelwise =
      params.channelwise ? builder.getUnitAttr() : UnitAttr();
  FlatSymbolRefAttr *known = nullptr;
  if (!params.weights || areShared(params.weights)) {
    // A table alone is the same for all tasks that enable as many lanes.
    int64_t outputs = params.weights
                          ? params.outputs
                          : std::min<int64_t>(params.outputs, td::numLanes);
    known =
        &kernels[{{params.weights, params.bias, params.activation, channelwise},
                  {outputs, params.taps, params.groups, params.ocgSize}}];
    if (*known)
      return *known;
  }
  FlatSymbolRefAttr symbol = nextName("kernel");
  auto i64 = [&](int64_t value) { return builder.getI64IntegerAttr(value); };
  lastDeclaration = KernelOp::create(
      builder, location, symbol.getAttr(), params.weights, params.bias,
      params.activation, i64(params.outputs), i64(params.taps),
      i64(params.groups), i64(params.ocgSize), channelwise,
      /*storage=*/KernelStorageAttr());
  if (known)
    *known = symbol;
  return symbol;
}

FloatAttr TaskBuilder::half(double value) {
  if (value == 1)
    return one;
  if (value == 0 && !std::signbit(value))
    return zero;
  return tasks.getFloatAttr(tasks.getF16Type(), value);
}

/// Columns are left out: vectors of channels lie along them.
void TaskBuilder::noteExcess(const View &view) {
  const std::tuple<unsigned, int64_t, StringRef> limits[] = {
      {D, target.maxDepth, "planes"},
      {C, target.maxChannels, "channels"},
      {H, target.maxHeight, "rows"}};
  for (auto [dim, limit, name] : limits)
    if (view.shape[dim] > limit && excess.empty())
      excess = (Twine(view.shape[dim]) + " " + name + ", the limit is " +
                Twine(limit))
                   .str();
}

void TaskBuilder::emitTask(Opcode opcode, UnitType unit, const View &source1,
                           const View *source2, const View &result,
                           Attribute config, FlatSymbolRefAttr kernel,
                           const View *computedKernel) {
  for (const View *view : {&source1, source2, &result})
    if (view)
      noteExcess(*view);
  TaskOp::create(tasks, location, opcode, unit, source1.attr(),
                 source2 ? source2->attr() : ViewAttr(), result.attr(), config,
                 kernel, computedKernel ? computedKernel->attr() : ViewAttr(),
                 L2Attr());
  ++numTasks;
}

void TaskBuilder::emitNE(Opcode opcode, UnitType unit, const NEParams &params,
                         const View &source, const View &result,
                         FlatSymbolRefAttr kernel, const View *computedKernel) {
  // Rows without neighbours.
  bool isByRow = params.window[0] == 1 && params.stride[0] == 1 &&
                 source.shape[H] == result.shape[H];
  if (isByRow && result.shape[H] > target.maxHeight)
    return forChunks(
        result.shape[H], target.maxHeight, [&](int64_t begin, int64_t rows) {
          emitNE(opcode, unit, params, source.sliced(H, begin, rows),
                 result.sliced(H, begin, rows), kernel, computedKernel);
        });
  // The groups of a grouped kernel belong together; those of a batch do not.
  int64_t groups = params.grouped ? source.shape[N] : target.maxGroups;
  // Where every channel is computed from itself alone, few can go at a time. A
  // table is the same for all channels.
  bool perChannel =
      params.kernelless && params.unicast == 1 && !params.transposed;
  int64_t channels =
      perChannel ? target.maxTileChannels(source.shape[W], target.neStreamBytes)
                 : source.shape[C];
  if (perChannel) {
    // The rows of a window are in L2, and half of it is for what comes out.
    int64_t rows = std::min(params.window[0], source.shape[H]);
    if (rows > 1)
      channels = std::clamp<int64_t>(target.wholeL2Bytes() / rows /
                                         target.l2ChannelBytes(source.shape[W]),
                                     1, channels);
    channels = sideBySide(channels, result);
  }
  forChunks(source.shape[N], groups, [&](int64_t n, int64_t batch) {
    auto config = NEConfigAttr::get(
        tasks.getContext(), params.op, params.window, params.stride,
        params.padding, batch, params.unicast,
        /*reuse=*/!params.kernelless && !params.grouped && batch > 1,
        params.kernelless, params.lowestPadding, params.relu, params.transposed,
        half(params.accBias), half(params.postScale));
    View images = source.sliced(N, n, batch),
         results = result.sliced(N, n, batch);
    int64_t slices = target.maxDepth;
    if (perChannel)
      slices = std::min(slices, slicesBeside(channels, images.shape[C]));
    forChunks(images.shape[D], slices, [&](int64_t d, int64_t depth) {
      View x = images.sliced(D, d, depth), y = results.sliced(D, d, depth);
      forChunks(x.shape[C], channels, [&](int64_t c, int64_t count) {
        emitTask(opcode, unit, x.sliced(C, c, count), nullptr,
                 perChannel ? y.sliced(C, c, count) : y, config, kernel,
                 computedKernel);
      });
    });
  });
}

/// What a planar task computes of operands that are repeated to the extents of
/// `whole`.
PEConfigAttr TaskBuilder::planarConfig(const PEParams &params,
                                       const View &source1, const View *source2,
                                       const View &whole) {
  auto repeats = [&](const View &operand, bool isVector) {
    return broadcastOf(isVector ? operand.swapped(C, W) : operand, whole);
  };
  int64_t broadcast1 = repeats(source1, params.vector1);
  int64_t broadcast2 = source2 ? repeats(*source2, params.vector2) : 0;
  // The factors of a pair are repeated like its addends, without a flag.
  if (source2 && params.reduce == PEReduce::none &&
      source2->shape[H] == pairRows && whole.shape[H] != pairRows)
    broadcast2 &= ~int64_t(td::broadcastColumns);
  if (params.repeatsChannel2)
    broadcast2 |= td::broadcastChannels;
  return PEConfigAttr::get(
      tasks.getContext(), params.op, params.reduce, params.post, params.negate1,
      params.negate2, params.relu2, params.relu, params.abs, broadcast1,
      broadcast2, params.vector1, params.vector2, params.vectorResult,
      half(params.preScale), half(params.scale), half(params.bias),
      half(params.epsilon), tasks.getF32FloatAttr(params.finalScale));
}

void TaskBuilder::emitPE(Opcode opcode, UnitType unit, const PEParams &params,
                         const View &source1, const View *source2,
                         const View &result) {
  int64_t height = result.shape[H];
  auto hasRows = [&](const View &source) {
    return source.shape[H] == height || source.shape[H] == 1 ||
           source.shape[H] == pairRows;
  };
  if (height > target.maxHeight && hasRows(source1) &&
      (!source2 || hasRows(*source2)))
    return forEvenChunks(
        height, target.maxHeight, [&](int64_t begin, int64_t rows) {
          auto part = [&](const View &view) {
            return view.shape[H] == height ? view.sliced(H, begin, rows) : view;
          };
          View second = source2 ? part(*source2) : View();
          emitPE(opcode, unit, params, part(source1),
                 source2 ? &second : nullptr, part(result));
        });
  View first = repeatGroups(source1, result);
  View second = source2 ? repeatGroups(*source2, result) : View();
  bool reduces = params.reduce != PEReduce::none;
  // What a reduction of two sources reduces has the extents of the second.
  const View &whole = reduces ? (source2 ? second : first) : result;
  PEConfigAttr config =
      planarConfig(params, first, source2 ? &second : nullptr, whole);

  // The channels of a vector result lie along its columns.
  int64_t step = target.rowStep();
  int64_t channels = target.maxTileChannels(
      params.vectorResult && !reduces ? first.shape[W] : whole.shape[W],
      target.peStreamBytes);
  bool isVector = params.vector1 || params.vector2 || params.vectorResult;
  if (isVector)
    channels = std::max(channels / step * step, step);
  channels = sideBySide(channels, result);
  auto dimOf = [](bool isVector) -> unsigned { return isVector ? W : C; };
  auto slice = [&](const View &view, unsigned dim, int64_t begin,
                   int64_t count) {
    return view.shape[dim] == 1 ? view : view.sliced(dim, begin, count);
  };
  unsigned resultDim = dimOf(params.vectorResult);
  int64_t depth = result.shape[D];
  int64_t slices =
      reduces ? depth
              : std::min(slicesBeside(channels, result.shape[resultDim]),
                         target.maxDepth);
  forChunks(result.shape[N], target.maxGroups, [&](int64_t n, int64_t batch) {
    forChunks(depth, slices, [&](int64_t d, int64_t planes) {
      auto part = [&](const View &view) {
        View images = view.sliced(N, n, batch);
        return reduces ? images : slice(images, D, d, planes);
      };
      View x1 = part(first), x2 = source2 ? part(second) : View(),
           y = part(result);
      forChunks(y.shape[resultDim], channels, [&](int64_t c, int64_t count) {
        View a = slice(x1, dimOf(params.vector1), c, count);
        View b = source2 ? slice(x2, dimOf(params.vector2), c, count) : View();
        emitTask(opcode, unit, a, source2 ? &b : nullptr,
                 slice(y, resultDim, c, count), config, {});
      });
    });
  });
}

void TaskBuilder::emitChannelMax(const View &source, const View &result) {
  NEParams params;
  params.op = MACOp::max;
  params.lowestPadding = true;
  params.unicast = source.shape[C];
  emitNE(Opcode::NEFUSED_POOL, UnitType::NEPool, params, source, result);
}

void TaskBuilder::emitCopy(const View &source, const View &result) {
  assert(source.shape == result.shape && "a copy keeps the extents");
  unsigned before = numTasks;
  SmallVector<int64_t> order = copyOrder(target, source, result);
  emitNE(Opcode::NEFUSED_BYPASS, UnitType::NEBypass, NEParams(),
         source.permuted(order), result.permuted(order));
  numCopies += numTasks - before;
}

void TaskBuilder::emitTransposedCopy(const View &source, const View &result) {
  unsigned before = numTasks;
  emitTransposed(NEParams(), source, result, {});
  numCopies += numTasks - before;
}

void TaskBuilder::emitTransposed(NEParams params, const View &source,
                                 const View &result, FlatSymbolRefAttr table) {
  params.transposed = true;
  int64_t most = target.maxExchangedChannels(source.shape[W]);
  int64_t channels = std::min(most, source.shape[C]);
  int64_t slices = slicesBeside(most, channels);
  forChunks(source.shape[H], target.maxHeight, [&](int64_t h, int64_t rows) {
    View fromRows = source.sliced(H, h, rows),
         toRows = result.sliced(H, h, rows);
    forChunks(source.shape[D], slices, [&](int64_t d, int64_t depth) {
      View from = fromRows.sliced(D, d, depth), to = toRows.sliced(D, d, depth);
      forChunks(source.shape[C], channels, [&](int64_t c, int64_t count) {
        emitNE(Opcode::NEFUSED_BYPASS, UnitType::NEBypass, params,
               from.sliced(C, c, count), to.sliced(W, c, count), table);
      });
    });
  });
}

void TaskBuilder::emitInterleavedCopy(const View &source, const View &result,
                                      bool isNear) {
  if (isNear)
    return emitCopy(source, result);
  unsigned before = numTasks;
  emitPE(Opcode::PEFUSED_GOC, UnitType::PEGOC, PEParams(), source, nullptr,
         result);
  numCopies += numTasks - before;
}

View TaskBuilder::linearize(const View &view) {
  if (view.linearPitch())
    return view;
  View packed = makeScratch(view.shape);
  emitCopy(view, packed);
  return packed;
}
