//===- Codegen.cpp - From tasks to container contents ---------------------===//

#include "ane/Codegen/Codegen.h"
#include "EncodeTask.h"
#include "ane/Object/HashName.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::codegen;
using namespace ane::zin;

namespace {

/// Pieces of the constant section start at multiples of this. Verified.
constexpr int64_t constantAlignment = 64;

constexpr unsigned scratchBar = object::BarScratch;
constexpr unsigned constantsBar = object::BarConstants;

e5::TensorDataType hostType(Type element) {
  if (element.isInteger(1))
    return e5::TensorDataType::Bool;
  return element.isF32() ? e5::TensorDataType::Float32
                         : e5::TensorDataType::Float16;
}

object::TensorLayout tensorLayout(ViewAttr view) {
  object::TensorLayout layout;
  layout.n = view.getGroups();
  layout.d = view.getDepth();
  layout.c = view.getChannels();
  layout.h = view.getRows();
  layout.w = view.getColumns();
  layout.rowStride = view.getRowStride();
  layout.planeStride = view.getPlaneStride();
  layout.depthStride = view.getDepthStride();
  layout.batchStride = view.getGroupStride();
  return layout;
}

/// A port as the dispatch descriptor has it: the host's tensor over the bytes
/// of the surface.
e5::Port describePort(BufferOp buffer) {
  auto type = cast<RankedTensorType>(*buffer.getHostType());
  ViewAttr layout = buffer.getLayout();
  e5::Port port;
  port.name = *buffer.getPort();
  port.hostType = hostType(type.getElementType());
  port.byteSize = buffer.getBytes();
  port.engine.width = layout.getColumns();
  port.engine.height = layout.getRows();
  port.engine.channels = layout.getChannels();
  port.engine.depth = layout.getDepth();
  port.engine.batch = layout.getGroups();
  port.engine.strideWidth = elementBytes;
  port.engine.strideHeight = layout.getRowStride();
  port.engine.strideChannels = layout.getPlaneStride();
  port.engine.strideDepth = layout.getDepthStride();
  port.engine.strideBatch = layout.getGroupStride();
  // The dimensions of the host tensor are the last ones of the surface; up to
  // rank 4 the depth, which is then 1, is not among them.
  SmallVector<int64_t> strides(layout.getStrides());
  strides.push_back(elementBytes);
  if (type.getRank() < int64_t(numDims))
    strides.erase(strides.begin() + D);
  for (auto [index, extent] : llvm::enumerate(type.getShape())) {
    port.shape.push_back(extent);
    port.strides.push_back(strides[strides.size() - type.getRank() + index]);
  }
  return port;
}

class ProgramGenerator {
public:
  ProgramGenerator(ProgramOp program, const TargetDescription &target,
                   td::Format format)
      : program(program), target(target), format(format), symbols(program) {}

  FailureOr<GeneratedProgram> run() {
    if (failed(placePorts()) || failed(placeConstants()) ||
        failed(encodeTasks()) || failed(fillContainer()))
      return failure();
    return std::move(result);
  }

private:
  LogicalResult placePorts();
  LogicalResult placeConstants();
  LogicalResult placeKernel(KernelOp op);
  void placeConstant(BufferOp op);
  LogicalResult encodeTasks();
  LogicalResult fillContainer();

  BufferPlace placeOf(ViewAttr view) {
    return buffers.lookup(view.getBuffer().getAttr());
  }

  /// Fills up the constant section to the next start of a piece.
  void alignConstants() {
    int64_t aligned = llvm::alignTo(constantBytes, constantAlignment);
    if (aligned != constantBytes)
      result.container.constants.push_back(
          object::Chunk::zeros(aligned - constantBytes));
    constantBytes = aligned;
  }

  ProgramOp program;
  const TargetDescription &target;
  td::Format format;
  SymbolTable symbols;
  GeneratedProgram result;
  llvm::DenseMap<StringAttr, BufferPlace> buffers;
  /// The port of the container behind each BAR from the first port on.
  llvm::DenseMap<unsigned, unsigned> portOfBar;
  llvm::MapVector<StringAttr, std::pair<PackedKernel, int64_t>> kernels;
  int64_t constantBytes = 0;
};

LogicalResult ProgramGenerator::placePorts() {
  SmallVector<BufferOp> ports;
  for (auto buffer : program.getOps<BufferOp>()) {
    if (buffer.getKind() == BufferKind::scratch)
      buffers[buffer.getSymNameAttr()] = {
          scratchBar, int64_t(buffer.getOffset().value_or(0))};
    if (buffer.getKind() != BufferKind::input &&
        buffer.getKind() != BufferKind::output)
      continue;
    ports.push_back(buffer);
    object::PortSpec port;
    port.name = *buffer.getPort();
    bool isInput = buffer.getKind() == BufferKind::input;
    port.direction =
        isInput ? object::PortDirection::Input : object::PortDirection::Output;
    port.layout = tensorLayout(buffer.getLayout());
    port.byteSize = buffer.getBytes();
    result.container.ports.push_back(std::move(port));
    (isInput ? result.descriptor.inputs : result.descriptor.outputs)
        .push_back(describePort(buffer));
  }
  llvm::Expected<SmallVector<unsigned, 8>> bars =
      object::assignBars(result.container.ports);
  if (!bars)
    return program.emitError() << llvm::toString(bars.takeError()) << " ["
                               << target.name << "-port-c1]";
  for (auto [index, bar] : llvm::enumerate(*bars)) {
    buffers[ports[index].getSymNameAttr()] = {bar, 0};
    portOfBar[bar] = index;
  }
  return success();
}

LogicalResult ProgramGenerator::placeKernel(KernelOp op) {
  if (kernels.contains(op.getSymNameAttr()))
    return success();
  FailureOr<PackedKernel> kernel = PackedKernel::create(op);
  if (failed(kernel))
    return failure();
  alignConstants();
  SmallVector<object::Chunk, td::numLanes> chunks = kernel->chunks();
  llvm::Expected<std::string> name = object::hashName(chunks);
  if (!name)
    return op.emitError() << llvm::toString(name.takeError());
  for (auto [lane, chunk] : llvm::enumerate(chunks)) {
    std::string symbol =
        kernel->hasWeights() ? object::laneName(*name, lane) : *name;
    result.container.symbols.push_back(
        {symbol, uint64_t(constantBytes) +
                     (kernel->hasWeights() ? kernel->laneOffset(lane) : 0)});
    result.container.constants.push_back(std::move(chunk));
    if (kernel->table())
      result.tables.push_back(constantBytes + kernel->tableOffset(lane));
  }
  int64_t offset = constantBytes;
  constantBytes += kernel->totalBytes();
  kernels.insert({op.getSymNameAttr(), {std::move(*kernel), offset}});
  return success();
}

/// A constant operand is a surface like any other: padded rows.
void ProgramGenerator::placeConstant(BufferOp op) {
  if (buffers.contains(op.getSymNameAttr()))
    return;
  alignConstants();
  buffers[op.getSymNameAttr()] = {constantsBar, constantBytes};
  ElementsAttr elements = *op.getValue();
  int64_t columns = op.getLayout().getColumns();
  int64_t pitch = op.getLayout().getRowStride();
  result.container.constants.push_back(object::Chunk::produced(
      op.getBytes(), [elements, columns, pitch](llvm::raw_ostream &os) {
        std::optional<HalfElements> halves = HalfElements::get(elements);
        std::vector<char> row(pitch, 0);
        for (size_t i = 0; i < halves->size(); i += columns) {
          for (int64_t x = 0; x < columns; ++x)
            llvm::support::endian::write16le(row.data() + x * elementBytes,
                                             (*halves)[i + x]);
          os.write(row.data(), row.size());
        }
      }));
  constantBytes += op.getBytes();
}

LogicalResult ProgramGenerator::placeConstants() {
  for (auto task : program.getOps<TaskOp>()) {
    for (ViewAttr view :
         {task.getSource1(), task.getSource2().value_or(task.getSource1())}) {
      auto buffer = symbols.lookup<BufferOp>(view.getBuffer().getAttr());
      if (buffer.getKind() == BufferKind::constant)
        placeConstant(buffer);
    }
    if (task.getKernelView()) {
      auto buffer =
          symbols.lookup<BufferOp>(task.getKernelView()->getBuffer().getAttr());
      if (buffer.getKind() == BufferKind::constant)
        placeConstant(buffer);
    }
    if (task.getKernel() &&
        failed(placeKernel(symbols.lookup<KernelOp>(*task.getKernel()))))
      return failure();
  }
  if (constantBytes > target.maxKernelSectionBytes)
    return program.emitError()
           << "the coefficients take " << constantBytes
           << " bytes, the limit of the constant section is "
           << target.maxKernelSectionBytes << " [" << target.name
           << "-memory-c2]";
  return success();
}

LogicalResult ProgramGenerator::encodeTasks() {
  // A layer can become many tasks that fail alike; one of them says it.
  llvm::DenseSet<Location> refused;
  // The last task so far that writes each buffer.
  llvm::DenseMap<StringAttr, int64_t> writers;
  for (auto task : program.getOps<TaskOp>()) {
    if (refused.contains(task.getLoc()))
      continue;
    TaskPlaces places;
    places.source1 = placeOf(task.getSource1());
    if (task.getSource2())
      places.source2 = placeOf(*task.getSource2());
    places.result = placeOf(task.getResult());
    if (task.getKernelAttr()) {
      auto &entry = *kernels.find(task.getKernelAttr().getAttr());
      places.kernel = {&entry.second.first, entry.second.second};
    }
    if (std::optional<ViewAttr> kernel = task.getKernelView()) {
      places.kernelView = placeOf(*kernel);
      auto writer = writers.find(kernel->getBuffer().getAttr());
      if (writer != writers.end())
        places.kernelWriter = writer->second;
    }
    writers[task.getResult().getBuffer().getAttr()] = result.tasks.size();
    FailureOr<td::TaskDescriptor> descriptor = encodeTask(task, places, target);
    if (succeeded(descriptor))
      result.tasks.push_back(std::move(*descriptor));
    else
      refused.insert(task.getLoc());
  }
  return success(refused.empty());
}

LogicalResult ProgramGenerator::fillContainer() {
  td::linkTasks(result.tasks);
  llvm::Expected<td::EncodedProgram> encoded =
      td::encodeProgram(result.tasks, format);
  if (!encoded)
    return program.emitError() << llvm::toString(encoded.takeError());
  object::ContainerSpec &container = result.container;
  container.target = target.name.str();
  container.scratchBytes = program.getScratchBytes().value_or(0);
  container.text = std::move(encoded->text);
  container.entryOffset = encoded->entry;
  container.firstTaskWords = encoded->firstTaskWords;
  container.taskCount = result.tasks.size();
  for (const td::RelocationSite &site : encoded->relocations) {
    object::TextRelocation relocation;
    relocation.offset = site.offset;
    relocation.isAddress = site.target == td::RelocationSite::Target::Buffer;
    unsigned bar = site.bar;
    if (bar == scratchBar)
      relocation.target.kind = object::RelocationTarget::Scratch;
    else if (bar != constantsBar)
      relocation.target = {object::RelocationTarget::Port,
                           portOfBar.lookup(bar)};
    container.relocations.push_back(relocation);
  }
  result.descriptor.function = program.getSymName().str();
  result.descriptor.setSingleSegment(container.procedure);
  return success();
}

} // namespace

FailureOr<GeneratedProgram>
ane::generateProgram(ProgramOp program, const TargetDescription &target,
                     td::Format format) {
  return ProgramGenerator(program, target, format).run();
}
