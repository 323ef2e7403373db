//===- TaskOps.cpp - Programs, buffers, kernels, tasks --------------------===//

#include "ane/Dialect/Zin/IR/L2Place.h"
#include "ane/Support/CheckedProduct.h"
#include "ane/Support/Constraint.h"
#include "ane/Support/Counted.h"
#include "ane/TaskDescriptor/Fields.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

namespace {

/// Bytes from the start of the buffer to the end of the view's last element.
/// None if that is no 64-bit number.
std::optional<int64_t> endOf(ViewAttr view) {
  int64_t end = 0;
  bool overflows = llvm::AddOverflow(view.getOffset(), view.getRowBytes(), end);
  for (unsigned dim = 0; dim < numDims - 1; ++dim) {
    int64_t reach = 0;
    overflows |= llvm::MulOverflow(view.getPlaces(dim) - 1,
                                   view.getStrides()[dim], reach) ||
                 llvm::AddOverflow(end, reach, end);
  }
  return overflows ? std::nullopt : std::optional(end);
}

/// Whether the rows of a constant fill its bytes, one behind the other, as they
/// are written.
bool isDense(BufferOp buffer) {
  ViewAttr layout = buffer.getLayout();
  return layout.getOffset() == 0 &&
         layout.getRowStride() >= layout.getRowBytes() &&
         checkedProduct(layout.getRowStride(), layout.getShape().drop_back()) ==
             int64_t(buffer.getBytes());
}

/// `symbols` are those of the program.
LogicalResult verifyView(TaskOp task, ViewAttr view,
                         const SymbolTable &symbols) {
  constexpr td::Field registers[] = {td::Field::NumGroups, td::Field::Din,
                                     td::Field::Cin, td::Field::Hin,
                                     td::Field::Win};
  for (auto [dim, extent, field] :
       llvm::enumerate(view.getShape(), registers)) {
    int64_t limit = td::fieldInfo(field).mask();
    if (extent > limit)
      return task.emitError()
             << "task: extent " << extent << " of dimension "
             << stringifyDim(dim) << " passes " << limit
             << ", what its register holds" << ConstraintId("zin-task-c3");
  }
  auto buffer = symbols.lookup<BufferOp>(view.getBuffer().getAttr());
  if (!buffer)
    return task.emitError()
           << "task: view " << view << " is of a buffer that does not exist"
           << ConstraintId("zin-task-c2");
  std::optional<int64_t> end = endOf(view);
  if (!end || *end > int64_t(buffer.getBytes()))
    return task.emitError()
           << "task: view " << view << " does not lie inside its buffer"
           << ConstraintId("zin-task-c2");
  return success();
}

LogicalResult verifyL2(TaskOp task, const Access &access,
                       const SymbolTable &symbols) {
  ViewAttr view = access.view;
  if (viewInL2(task, access, symbols.lookup<BufferOp>(access.buffer())))
    return success();
  return task.emitError() << "task: view " << view
                          << " is to be in L2, where its buffer has no place "
                             "or one in another order"
                          << ConstraintId("zin-task-c5");
}

LogicalResult verifyInterleave(TaskOp task) {
  bool isVector = task.getPE() && task.getPE().getVectorResult();
  for (const Access &access : task.getAccesses()) {
    if (access.view.getInterleave() == 1 || access.role == Access::Kernel)
      continue;
    if (access.role != Access::Result || isVector ||
        access.residence != Residence::streamed)
      return task.emitError()
             << "task: channels lie side by side in a kernel or in a result "
                "that streams to memory alone"
             << ConstraintId("zin-task-c6");
  }
  return success();
}

LogicalResult verifyPair(TaskOp task) {
  if (!task.getCoIssued())
    return success();
  auto before = dyn_cast_or_null<TaskOp>(task->getPrevNode());
  bool isPair = before && !before.getCoIssued() &&
                bool(before.getNE()) != bool(task.getNE());
  if (!isPair)
    return task.emitError()
           << "task: what is issued with the task before is of the other "
              "engine, and no third"
           << ConstraintId("zin-task-c7");
  return success();
}

} // namespace

LogicalResult BufferOp::verify() {
  bool isPort =
      getKind() == BufferKind::input || getKind() == BufferKind::output;
  if (isPort != (getPort() && getHostType()) ||
      (getKind() == BufferKind::constant) != bool(getValue()))
    return emitError() << "buffer: attributes do not fit the kind '"
                       << stringifyBufferKind(getKind()) << "'"
                       << ConstraintId("zin-buffer-c1");
  if (getLayout().getInterleave() != 1 && getKind() != BufferKind::scratch)
    return emitError() << "buffer: channels lie side by side in scratch alone"
                       << ConstraintId("zin-buffer-c1");
  if (std::optional<ElementsAttr> value = getValue();
      value && value->getShapedType().getShape() != getLayout().getShape())
    return emitError() << "buffer: the value is " << value->getShapedType()
                       << ", the layout " << getLayout() << " has other extents"
                       << ConstraintId("zin-buffer-c1");
  std::optional<int64_t> end = endOf(getLayout());
  bool isInside = end && *end <= int64_t(getBytes());
  if (!isInside || (getKind() == BufferKind::constant && !isDense(*this)))
    return emitError() << "buffer: the layout " << getLayout()
                       << (isInside ? " does not fill " : " does not lie in ")
                       << counted(getBytes(), "byte")
                       << ConstraintId("zin-buffer-c4");
  if (getHostStrides()) {
    auto host = isPort ? dyn_cast<RankedTensorType>(*getHostType())
                       : RankedTensorType();
    if (!host || host.getRank() != int64_t(getHostStrides()->size()))
      return emitError() << "buffer: " << getHostStrides()->size()
                         << " strides of the host are not those of its tensor"
                         << ConstraintId("zin-buffer-c1");
  }
  if (getShared() && !getState())
    return emitError() << "buffer: it is shared, but holds no state"
                       << ConstraintId("zin-buffer-c2");
  return success();
}

LogicalResult KernelOp::verify() {
  constexpr uint64_t most = std::numeric_limits<int32_t>::max();
  if (getOutputs() > most || getGroups() > most || getTaps() > most)
    return emitError() << "kernel: " << counted(getGroups(), "group") << " of "
                       << counted(getOutputs(), "output") << " of " << getTaps()
                       << " taps pass what a kernel can have"
                       << ConstraintId("zin-kernel-c1");
  if (getOutputs() == 0 || getGroups() == 0 || getTaps() == 0)
    return emitError() << "kernel: " << counted(getGroups(), "group") << " of "
                       << counted(getOutputs(), "output") << " of " << getTaps()
                       << " taps are no kernel"
                       << ConstraintId("zin-kernel-c1");
  if (uint64_t largest = td::fieldInfo(td::Field::OCGSize).mask();
      getOcgSize() > largest)
    return emitError() << "kernel: the OCG size " << getOcgSize() << " passes "
                       << largest << ", what its register holds"
                       << ConstraintId("zin-kernel-c1");
  int64_t outputs = getOutputs() * getGroups();
  if (getWeights() &&
      (outputs > int64_t(most) ||
       getWeights()->getNumElements() != outputs * int64_t(getTaps())))
    return emitError() << "kernel: there are " << getWeights()->getNumElements()
                       << " weights for " << counted(outputs, "output")
                       << " of " << getTaps() << " taps"
                       << ConstraintId("zin-kernel-c1");
  if (getBias() && getBias()->getNumElements() != outputs)
    return emitError() << "kernel: there are " << getBias()->getNumElements()
                       << " bias elements for " << counted(outputs, "output")
                       << ConstraintId("zin-kernel-c1");
  if (!getWeights() && !getActivation())
    return emitError() << "kernel: there is nothing in it"
                       << ConstraintId("zin-kernel-c1");
  return success();
}

LogicalResult TaskOp::verify() {
  bool isNE = bool(getNE());
  if (!isNE && !getPE())
    return emitError() << "task: the configuration is of neither engine"
                       << ConstraintId("zin-task-c1");
  if (isNE && getSource2())
    return emitError() << "task: the neural engine has one source"
                       << ConstraintId("zin-task-c1");
  if ((getKernel() || getKernelView()) &&
      (!isNE || (getKernel() && getKernelView())))
    return emitError() << "task: a kernel belongs to the neural engine, and is "
                          "constant or computed"
                       << ConstraintId("zin-task-c1");
  if (std::optional<ViewAttr> kernel = getKernelView())
    if (kernel->getRows() > int64_t(td::numLanes) ||
        kernel->getGroups() * kernel->getDepth() * kernel->getPlanes() != 1 ||
        !llvm::isPowerOf2_64(kernel->getInterleave()) ||
        (kernel->getChannels() > 1 &&
         kernel->getRows() != int64_t(td::numLanes)))
      return emitError() << "task: a computed kernel is up to " << td::numLanes
                         << " rows, a lane each, of one channel or, in all of "
                            "them, of 2, 4 or 8 side by side"
                         << ConstraintId("zin-task-c1");
  if (failed(verifyInterleave(*this)))
    return failure();
  return verifyPair(*this);
}

SmallVector<Access, 4> TaskOp::getAccesses() {
  L2Attr l2 = getL2Attr();
  SmallVector<Access, 4> accesses = {
      {Access::Source1, getSource1(),
       l2 ? l2.getSource1() : Residence::streamed}};
  if (std::optional<ViewAttr> second = getSource2())
    accesses.push_back(
        {Access::Source2, *second, l2 ? l2.getSource2() : Residence::streamed});
  if (std::optional<ViewAttr> kernel = getKernelView())
    accesses.push_back({Access::Kernel, *kernel, Residence::streamed});
  accesses.push_back(
      {Access::Result, getResult(), l2 ? l2.getResult() : Residence::streamed});
  return accesses;
}

LogicalResult TaskOp::verifySymbolUses(SymbolTableCollection &tables) {
  // One table for all tasks of the program, and no search for it from each
  // name.
  const SymbolTable &symbols = tables.getSymbolTable((*this)->getParentOp());
  SmallVector<Access, 4> accesses = getAccesses();
  for (const Access &access : accesses)
    if (failed(verifyView(*this, access.view, symbols)))
      return failure();
  for (const Access &access : accesses)
    if (access.residence != Residence::streamed &&
        failed(verifyL2(*this, access, symbols)))
      return failure();
  if (getKernel() && !symbols.lookup<KernelOp>(getKernelAttr().getAttr()))
    return emitError() << "task: kernel " << getKernelAttr()
                       << " does not exist" << ConstraintId("zin-task-c2");
  return success();
}
