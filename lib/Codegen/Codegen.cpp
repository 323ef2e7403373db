//===- Codegen.cpp - From tasks to container contents ---------------------===//

#include "ane/Codegen/Codegen.h"
#include "Constants.h"
#include "EncodeTask.h"
#include "PlaceTasks.h"
#include "ane/Dialect/Zin/Transforms/Images.h"
#include "ane/Support/Constraint.h"
#include "ane/TaskDescriptor/TextWriter.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace ane;
using namespace ane::codegen;
using namespace ane::zin;

std::optional<e5::TensorDataType> ane::hostElementType(Type element) {
  if (element.isF32())
    return e5::TensorDataType::Float32;
  if (element.isF16())
    return e5::TensorDataType::Float16;
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || integer.isSigned())
    return std::nullopt;
  switch (integer.getWidth()) {
  case 1:
    if (integer.isUnsigned())
      return std::nullopt;
    return e5::TensorDataType::Bool;
  case 8:
    return integer.isUnsigned() ? e5::TensorDataType::UInt8
                                : e5::TensorDataType::Int8;
  case 16:
    return e5::TensorDataType::Int16;
  case 32:
    return e5::TensorDataType::Int32;
  default:
    return std::nullopt;
  }
}

namespace {

constexpr unsigned scratchBar = object::BarScratch;
constexpr unsigned constantsBar = object::BarConstants;

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

/// The integers that a port takes, where its type says so.
std::optional<IntegerLimit> limitOf(RankedTensorType type) {
  auto range = dyn_cast_or_null<ArrayAttr>(type.getEncoding());
  if (!range || range.size() != 2)
    return std::nullopt;
  auto least = dyn_cast<IntegerAttr>(range[0]);
  auto most = dyn_cast<IntegerAttr>(range[1]);
  if (!least || !most)
    return std::nullopt;
  return IntegerLimit{most.getValue().getLimitedValue(),
                      least.getValue().isNegative()};
}

/// Puts the tensor of the host over the bytes of the surface: its extents, each
/// with its stride there.
void layOut(e5::Port &port, ArrayRef<int64_t> extents, ViewAttr layout) {
  // The dimensions of the host tensor are the last ones of the surface; up to
  // rank 4 the depth, which is then 1, is not among them.
  SmallVector<int64_t> strides(layout.getStrides());
  strides.push_back(elementBytes);
  // Channels of one pixel that are more than those of a surface are a row of
  // it.
  ArrayRef<int64_t> shape = extents;
  if (layout.getColumns() > 1)
    while (shape.size() > 1 && shape.back() == 1)
      shape = shape.drop_back();
  ArrayRef<int64_t> pixel = extents.drop_front(shape.size());
  int64_t rank = shape.size();
  // A row longer than those of the surface is several of them, one behind the
  // other.
  bool isFolded = rank > 0 && shape.back() > layout.getColumns();
  // So are rows that are more than those of a plane: they are several planes.
  bool hasPlanes = !isFolded && rank > 1 && shape[rank - 2] > layout.getRows();
  if (rank + (isFolded || hasPlanes) < int64_t(numDims))
    strides.erase(strides.begin() + D);
  if (isFolded)
    strides.erase(strides.end() - 2);
  if (hasPlanes)
    strides.erase(strides.end() - 3);
  for (auto [index, extent] : llvm::enumerate(shape)) {
    port.shape.push_back(extent);
    port.strides.push_back(strides[strides.size() - rank + index]);
  }
  for (int64_t extent : pixel) {
    port.shape.push_back(extent);
    port.strides.push_back(elementBytes);
  }
}

/// A port as the dispatch descriptor has it: the host's tensor over the bytes
/// of the surface. Fails where IR that somebody wrote says of the host what is
/// no such tensor.
FailureOr<e5::Port> describePort(BufferOp buffer) {
  auto type = dyn_cast<RankedTensorType>(*buffer.getHostType());
  auto element = type ? hostElementType(type.getElementType()) : std::nullopt;
  if (!element || !type.hasStaticShape() || type.getRank() > int64_t(numDims))
    return buffer.emitError()
           << "buffer: the host type of '" << *buffer.getPort() << "' is "
           << *buffer.getHostType()
           << "; it must be a tensor of fp16, fp32, bool or integers of 8 to "
              "32 bits, of known shape and up to "
           << unsigned(numDims) << " dimensions"
           << ConstraintId("zin-buffer-c1");
  ViewAttr layout = buffer.getLayout();
  e5::Port port;
  port.name = *buffer.getPort();
  port.hostType = *element;
  port.limit = limitOf(type);
  port.isState = buffer.getState();
  port.isShared = buffer.getShared();
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
  layOut(port, type.getShape(), layout);
  if (std::optional<ArrayRef<int64_t>> host = buffer.getHostStrides())
    for (int64_t stride : *host)
      port.hostStrides.push_back(uint64_t(stride) *
                                 e5::byteSize(port.hostType));
  return port;
}

/// Generates one procedure. Its container holds what it adds.
class ProgramGenerator {
public:
  ProgramGenerator(ProgramOp program, const TargetDescription &target,
                   bool keepsTasks, NameAhead *ahead, ConstantSection &section)
      : program(program), target(target), keepsTasks(keepsTasks),
        symbols(program), parts(program),
        neighbours(findNeighbours(parts.tasks, findImages(parts.tasks))),
        constants(parts, target, symbols, ahead, section, result) {}

  /// Appends the tasks to the text.
  FailureOr<GeneratedProgram> run(td::TextWriter &text) {
    if (failed(checkScratch()) || failed(checkOutputs()) ||
        failed(placePorts()) || failed(constants.place()))
      return failure();
    for (auto [name, offset] : constants.operands())
      buffers.at(name).place = {constantsBar, offset};
    if (failed(encodeTasks(text)))
      return failure();
    result.container.scratchBytes = program.getScratchBytes().value_or(0);
    result.container.taskCount = neighbours.size();
    result.descriptor.function = program.getSymName().str();
    constants.publish();
    return std::move(result);
  }

  ConstantPlacer &getConstants() { return constants; }

  /// The relocations of the procedure's part of the text.
  std::vector<object::TextRelocation>
  relocations(ArrayRef<td::RelocationSite> sites, unsigned firstPort) const;

private:
  LogicalResult checkScratch();
  LogicalResult checkOutputs();
  LogicalResult placePorts();
  LogicalResult encodeTasks(td::TextWriter &text);

  ProgramOp program;
  const TargetDescription &target;
  const bool keepsTasks;
  SymbolTable symbols;
  const ProgramParts parts;
  std::vector<TaskNeighbours> neighbours;
  GeneratedProgram result;
  ConstantPlacer constants;
  PlacedBuffers buffers;
  /// The port of the container behind each BAR from the first port on.
  llvm::DenseMap<unsigned, unsigned> portOfBar;
};

LogicalResult ProgramGenerator::checkScratch() {
  uint64_t bytes = program.getScratchBytes().value_or(0);
  if (bytes <= uint64_t(target.maxScratchBytes))
    return success();
  return program.emitError()
         << "the program keeps " << bytes
         << " bytes of intermediate values in memory, the limit is "
         << target.maxScratchBytes << "; split the model"
         << ConstraintId(target.rule("memory-c3"));
}

LogicalResult ProgramGenerator::checkOutputs() {
  // A state on its own surface may stay as it is.
  llvm::SmallDenseSet<StringAttr> shared;
  for (BufferOp buffer : parts.buffers)
    if (buffer.getShared())
      shared.insert(buffer.getPortAttr());
  llvm::SmallMapVector<StringAttr, BufferOp, 4> unwritten;
  for (BufferOp buffer : parts.buffers)
    if (buffer.getKind() == BufferKind::output &&
        !shared.contains(buffer.getPortAttr()))
      unwritten.insert({buffer.getSymNameAttr(), buffer});
  for (TaskOp task : parts.tasks)
    unwritten.erase(task.getResult().getBuffer().getAttr());
  if (unwritten.empty())
    return success();
  BufferOp first = unwritten.front().second;
  return first.emitError() << "buffer: no task writes the output '"
                           << *first.getPort() << "'"
                           << ConstraintId("zin-buffer-c5");
}

LogicalResult ProgramGenerator::placePorts() {
  SmallVector<BufferOp> ports;
  buffers.reserve(parts.buffers.size());
  for (BufferOp buffer : parts.buffers) {
    PlacedBuffer &placed = buffers.add(buffer);
    if (buffer.getKind() == BufferKind::scratch)
      placed.place = {scratchBar, int64_t(buffer.getOffset().value_or(0))};
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
    FailureOr<e5::Port> described = describePort(buffer);
    if (failed(described))
      return failure();
    (isInput ? result.descriptor.inputs : result.descriptor.outputs)
        .push_back(std::move(*described));
  }
  llvm::Expected<SmallVector<unsigned, 8>> bars =
      object::assignBars(result.container.ports);
  if (!bars) {
    auto states = llvm::count_if(ports, [](BufferOp port) {
      return port.getState() && port.getKind() == BufferKind::input;
    });
    auto error = program.emitError() << llvm::toString(bars.takeError());
    if (states > 0)
      error << "; " << states
            << " of the inputs are states, of which each is an output as well";
    return error << ConstraintId(target.rule("port-c1"));
  }
  for (auto [index, bar] : llvm::enumerate(*bars)) {
    buffers.at(ports[index].getSymNameAttr()).place = {bar, 0};
    portOfBar[bar] = index;
  }
  return success();
}

/// So many tasks tell how large those of a program are.
constexpr int64_t sampleTasks = 1024;

LogicalResult ProgramGenerator::encodeTasks(td::TextWriter &text) {
  // A layer can become many tasks that fail alike; one of them says it.
  llvm::DenseSet<Location> refused;
  TaskPlacer placer(parts, buffers, neighbours, constants);
  if (keepsTasks)
    result.tasks.reserve(neighbours.size());
  text.beginProgram();
  for (auto [number, op] : llvm::enumerate(parts.tasks)) {
    int64_t index = number;
    TaskOp task = op;
    if (refused.contains(task.getLoc()))
      continue;
    const TaskPlaces &places = placer.place(task, index);
    FailureOr<td::TaskDescriptor> descriptor = encodeTask(task, places, target);
    if (failed(descriptor)) {
      refused.insert(task.getLoc());
      continue;
    }
    if (!refused.empty())
      continue;
    neighbours[index].write(descriptor->image, places.replaces);
    td::linkTask(descriptor->image, index, neighbours.size());
    if (llvm::Error error = text.append(*descriptor))
      return program.emitError() << llvm::toString(std::move(error));
    if (index + 1 == sampleTasks)
      text.reserve(neighbours.size() - sampleTasks);
    if (keepsTasks)
      result.tasks.push_back(std::move(*descriptor));
  }
  return success(refused.empty());
}

std::vector<object::TextRelocation>
ProgramGenerator::relocations(ArrayRef<td::RelocationSite> sites,
                              unsigned firstPort) const {
  std::vector<object::TextRelocation> relocations;
  for (const td::RelocationSite &site : sites) {
    object::TextRelocation relocation;
    relocation.offset = site.offset;
    relocation.isAddress = site.target == td::RelocationSite::Target::Buffer;
    unsigned bar = site.bar;
    if (bar == scratchBar)
      relocation.target.kind = object::RelocationTarget::Scratch;
    else if (bar != constantsBar)
      relocation.target = {object::RelocationTarget::Port,
                           firstPort + portOfBar.lookup(bar)};
    relocations.push_back(relocation);
  }
  return relocations;
}

/// Adds what a procedure has to the container of all.
void join(GeneratedProgram &all, GeneratedProgram part, unsigned procedure) {
  auto append = [](auto &to, auto &from) {
    if (to.empty())
      to = std::move(from);
    else
      to.insert(to.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
  };
  for (object::PortSpec &port : part.container.ports)
    port.procedure = procedure;
  append(all.container.ports, part.container.ports);
  append(all.container.symbols, part.container.symbols);
  append(all.tables, part.tables);
  append(all.tasks, part.tasks);
  all.container.scratchBytes =
      std::max(all.container.scratchBytes, part.container.scratchBytes);
  if (procedure == 0)
    all.descriptor = std::move(part.descriptor);
  else
    all.otherDescriptors.push_back(std::move(part.descriptor));
}

/// Constants come in the order of the tasks, but where all of them may need
/// several sections: operands must lie in the first, those of the last program
/// as well.
LogicalResult
placeConstantOperands(ArrayRef<std::unique_ptr<ProgramGenerator>> generators,
                      const TargetDescription &target) {
  // To know what kernels take is to lay them out once more.
  if (llvm::none_of(generators, [](const auto &generator) {
        return generator->getConstants().hasOperands();
      }))
    return success();
  int64_t expected = 0;
  for (const std::unique_ptr<ProgramGenerator> &generator : generators)
    expected += generator->getConstants().expectedBytes();
  if (expected <= target.maxKernelSectionBytes)
    return success();
  for (const std::unique_ptr<ProgramGenerator> &generator : generators)
    if (failed(generator->getConstants().placeOperands()))
      return failure();
  return success();
}

/// Refuses what memory has no room for.
LogicalResult checkMemory(const GeneratedProgram &all,
                          const TargetDescription &target) {
  const object::ContainerSpec &container = all.container;
  uint64_t bytes = container.scratchBytes + container.text.size() +
                   object::totalSize(container.constants);
  for (const object::PortSpec &port : container.ports)
    bytes = llvm::SaturatingAdd(bytes, port.byteSize);
  if (bytes <= uint64_t(target.maxProgramBytes))
    return success();
  return emitError(*all.location)
         << "inputs, outputs, coefficients, intermediate values and tasks take "
         << bytes << " bytes of memory, the limit is " << target.maxProgramBytes
         << "; split the model" << ConstraintId(target.rule("memory-c3"));
}

} // namespace

FailureOr<GeneratedProgram>
ane::generatePrograms(ArrayRef<ProgramOp> programs,
                      const TargetDescription &target, td::Format format,
                      bool keepsTasks, NameAhead *ahead) {
  ConstantSection section;
  td::TextWriter text(format);
  std::vector<std::unique_ptr<ProgramGenerator>> generators;
  std::vector<size_t> taskCounts, firstPorts;
  GeneratedProgram all;
  all.location = ProgramOp(programs.front()).getLoc();
  for (ProgramOp program : programs)
    generators.push_back(std::make_unique<ProgramGenerator>(
        program, target, keepsTasks, ahead, section));
  if (failed(placeConstantOperands(generators, target)))
    return failure();
  if (ahead)
    ahead->finish();
  for (auto [index, generator] : llvm::enumerate(generators)) {
    FailureOr<GeneratedProgram> part = generator->run(text);
    if (failed(part))
      return failure();
    taskCounts.push_back(part->container.taskCount);
    firstPorts.push_back(all.container.ports.size());
    join(all, std::move(*part), index);
  }
  std::vector<td::EncodedProgram> encoded = std::move(text).finish();

  object::ContainerSpec &container = all.container;
  container.constants = std::move(section.chunks);
  container.kernelStarts = std::move(section.starts);
  container.target = target.name.str();
  container.text = std::move(encoded.front().text);
  bool several = programs.size() > 1;
  for (auto [index, program] : llvm::enumerate(encoded)) {
    std::vector<object::TextRelocation> relocations =
        generators[index]->relocations(program.relocations, firstPorts[index]);
    container.relocations.insert(container.relocations.end(),
                                 relocations.begin(), relocations.end());
    object::ProcedureSpec procedure = {
        ProgramOp(programs[index]).getSymName().str(), program.entry,
        program.firstTaskWords, uint32_t(taskCounts[index])};
    if (several)
      (index == 0 ? all.descriptor : all.otherDescriptors[index - 1])
          .setSingleSegment(procedure.name);
    if (index > 0) {
      container.otherProcedures.push_back(std::move(procedure));
      continue;
    }
    container.entryOffset = program.entry;
    container.firstTaskWords = program.firstTaskWords;
    container.taskCount = taskCounts.front();
    if (several)
      container.procedure = procedure.name;
  }
  if (!several)
    all.descriptor.setSingleSegment(container.procedure);
  if (failed(checkMemory(all, target)))
    return failure();
  return all;
}
