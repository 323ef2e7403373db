//===- KernelShape.cpp - Kernels as their layout counts them --------------===//

#include "ane/Dialect/Zin/Transforms/KernelShape.h"

using namespace ane;

td::KernelShape zin::kernelShapeOf(KernelOp kernel) {
  td::KernelShape shape;
  shape.outputChannels = kernel.getOutputs();
  shape.taps = kernel.getTaps();
  shape.groups = kernel.getGroups();
  shape.channelwise = kernel.getChannelwise();
  shape.ocgSize = kernel.getOcgSize();
  shape.bias = kernel.getBias().has_value();
  shape.table = kernel.getActivation().has_value();
  return shape;
}

td::KernelWindow zin::kernelWindowOf(TaskOp task) {
  return kernelWindowOf(task.getNE().getWindow(), task.getNE().getStride());
}

td::KernelWindow zin::kernelWindowOf(llvm::ArrayRef<int64_t> window,
                                     llvm::ArrayRef<int64_t> stride) {
  return {uint32_t(window[0]), uint32_t(window[1]), uint32_t(stride[0]),
          uint32_t(stride[1])};
}
