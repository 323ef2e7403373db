//===- Constants.cpp - The constant section of a container ----------------===//

#include "Constants.h"
#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/Transforms/KernelShape.h"
#include "ane/Object/HashName.h"
#include "ane/Support/Constraint.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"

using namespace mlir;
using namespace ane;
using namespace ane::codegen;
using namespace ane::zin;

namespace {

/// Pieces of the constant section start at multiples of this. Verified.
constexpr int64_t constantAlignment = 64;

bool isConstant(BufferOp buffer) {
  return buffer.getKind() == BufferKind::constant;
}

/// What a kernel takes if it is not compressed. The lanes of a task are equally
/// long, so that may be about twice what its weights do. What has no layout is
/// reported when it is packed.
int64_t bytesInLanes(KernelOp kernel) {
  if (!kernel.getWeights())
    return td::lutBytes * td::numLanes;
  llvm::Expected<td::KernelLayout> layout =
      td::KernelLayout::create(kernelShapeOf(kernel));
  if (layout)
    return layout->totalBytes();
  llvm::consumeError(layout.takeError());
  return 0;
}

} // namespace

LogicalResult ConstantPlacer::placeOperands() {
  for (TaskOp task : parts.tasks)
    if (failed(placeOperands(task)))
      return failure();
  return success();
}

LogicalResult ConstantPlacer::place() {
  if (failed(findKernels()) || failed(nameKernels()))
    return failure();
  bool mayBeOperands = hasOperands();
  for (TaskOp task : parts.tasks) {
    if (mayBeOperands && failed(placeOperands(task)))
      return failure();
    if (FlatSymbolRefAttr kernel = task.getKernelAttr())
      if (failed(placeKernel(kernels[kernelOf.at(kernel.getAttr())])))
        return failure();
  }
  return success();
}

bool ConstantPlacer::hasOperands() const {
  return llvm::any_of(parts.buffers, isConstant);
}

int64_t ConstantPlacer::expectedBytes() const {
  int64_t expected = 0;
  for (BufferOp buffer : parts.buffers)
    if (isConstant(buffer))
      expected += buffer.getBytes();
  for (KernelOp kernel : parts.kernels)
    expected += bytesInLanes(kernel);
  return expected;
}

LogicalResult ConstantPlacer::findKernels() {
  for (TaskOp task : parts.tasks)
    if (FlatSymbolRefAttr kernel = task.getKernelAttr())
      if (!kernelOf.contains(kernel.getAttr()) &&
          failed(addKernel(symbols.lookup<KernelOp>(kernel.getAttr()),
                           kernelWindowOf(task))))
        return failure();
  return success();
}

LogicalResult ConstantPlacer::addKernel(KernelOp op,
                                        const td::KernelWindow &window) {
  std::unique_ptr<NamedKernel> named;
  if (ahead)
    named = ahead->take(op, window);
  if (!named) {
    FailureOr<PackedKernel> packed = PackedKernel::create(op, window);
    if (failed(packed))
      return failure();
    named = std::make_unique<NamedKernel>(std::move(*packed));
  }
  kernelOf.insert({op.getSymNameAttr(), kernels.size()});
  kernels.push_back({op, std::move(named), {}});
  return success();
}

/// Those that have no name yet.
LogicalResult ConstantPlacer::nameKernels() {
  uint64_t bytes = 0;
  for (const Kernel &kernel : kernels)
    if (!kernel.named->isDone())
      bytes += kernel.named->packed.denseBytes();
  auto name = [](Kernel &kernel) { kernel.named->name(); };
  if (bytes >= leastForThreads)
    llvm::parallelForEach(kernels, name);
  else
    llvm::for_each(kernels, name);
  LogicalResult result = success();
  for (const Kernel &kernel : kernels)
    if (!kernel.named->problem.empty()) {
      InFlightDiagnostic error = KernelOp(kernel.op).emitError()
                                 << kernel.named->problem;
      // Without bytes its form does not suit it.
      if (kernel.named->chunks.empty())
        error << ConstraintId("zin-kernel-c3");
      result = failure();
    }
  return result;
}

LogicalResult ConstantPlacer::align(Operation *op, int64_t size) {
  int64_t most = target.maxKernelSectionBytes;
  if (size > most)
    return op->emitError() << "the coefficients of one task take " << size
                           << " bytes, the limit of a constant section is "
                           << most << "; split the weight"
                           << ConstraintId(target.rule("memory-c2"));
  int64_t aligned = llvm::alignTo(section.bytes, constantAlignment);
  if (aligned + size - section.begin > most) {
    aligned = llvm::alignTo(aligned, object::pageBytes);
    section.begin = aligned;
    section.starts.push_back(aligned);
  }
  if (aligned != section.bytes)
    section.chunks.push_back(object::Chunk::zeros(aligned - section.bytes));
  section.bytes = aligned;
  return success();
}

LogicalResult ConstantPlacer::placeKernel(Kernel &kernel) {
  if (kernel.offset)
    return success();
  const PackedKernel &packed = kernel.named->packed;
  const std::string &name = kernel.named->symbol;
  // Gone when they have their place.
  SmallVector<object::Chunk, td::numLanes> chunks =
      std::move(kernel.named->chunks);
  if (auto place = section.kernels.find(name); place != section.kernels.end()) {
    kernel.offset = place->second;
    return success();
  }
  if (failed(align(kernel.op, packed.totalBytes())))
    return failure();
  kernel.offset = section.bytes;
  ownKernels.push_back({name, section.bytes});
  for (auto [lane, chunk] : llvm::enumerate(chunks)) {
    bool isPalette = packed.hasWeights() && lane == packed.lanes();
    std::string symbol = isPalette             ? object::paletteName(name)
                         : packed.hasWeights() ? object::laneName(name, lane)
                                               : name;
    uint64_t offset = packed.hasWeights() ? packed.laneOffset(lane) : 0;
    result.container.symbols.push_back({symbol, section.bytes + offset});
    section.chunks.push_back(std::move(chunk));
    if (packed.table() && !isPalette)
      result.tables.push_back(section.bytes + packed.tableOffset(lane));
  }
  section.bytes += packed.totalBytes();
  return success();
}

/// A constant operand is a surface like any other: padded rows.
LogicalResult ConstantPlacer::placeOperand(BufferOp op) {
  if (operandPlaces.contains(op.getSymNameAttr()))
    return success();
  if (failed(align(op, op.getBytes())))
    return failure();
  // An operand is addressed from the start of the first section, and kernels
  // are not in front of it there.
  if (section.begin != 0)
    return op->emitError() << "constants that are operands take "
                           << section.bytes + op.getBytes()
                           << " bytes and more, the limit is "
                           << target.maxKernelSectionBytes
                           << "; make some of them inputs, or split the model"
                           << ConstraintId(target.rule("memory-c2"));
  std::optional<HalfElements> elements = HalfElements::get(*op.getValue());
  if (!elements)
    return op->emitError()
           << "buffer: the elements of the constant are not fp16 data at hand; "
              "write the IR with them"
           << ConstraintId("zin-buffer-c3");
  operandPlaces[op.getSymNameAttr()] = section.bytes;
  int64_t columns = op.getLayout().getColumns();
  int64_t pitch = op.getLayout().getRowStride();
  section.chunks.push_back(
      object::Chunk::produced(op.getBytes(), [halves = *elements, columns,
                                              pitch](llvm::raw_ostream &os) {
        std::vector<char> row(pitch, 0);
        for (size_t i = 0; i < halves.size(); i += columns) {
          for (int64_t x = 0; x < columns; ++x)
            llvm::support::endian::write16le(row.data() + x * elementBytes,
                                             halves[i + x]);
          os.write(row.data(), row.size());
        }
      }));
  section.bytes += op.getBytes();
  return success();
}

LogicalResult ConstantPlacer::placeOperands(TaskOp task) {
  for (const Access &access : task.getAccesses()) {
    auto buffer = symbols.lookup<BufferOp>(access.buffer());
    if (isConstant(buffer) && failed(placeOperand(buffer)))
      return failure();
  }
  return success();
}

PlacedKernel ConstantPlacer::kernel(StringAttr name) const {
  const Kernel &kernel = kernels[kernelOf.at(name)];
  return {&kernel.named->packed, *kernel.offset};
}

void ConstantPlacer::publish() {
  for (const auto &[name, place] : ownKernels)
    section.kernels.try_emplace(name, place);
}
