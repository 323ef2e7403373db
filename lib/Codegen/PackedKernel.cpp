//===- PackedKernel.cpp - Coefficients in lanes ---------------------------===//

#include "PackedKernel.h"
#include "ActivationTables.h"
#include "ane/TaskDescriptor/Fields.h"
#include "llvm/Support/Endian.h"
#include <memory>
#include <vector>

using namespace mlir;
using namespace ane;
using namespace ane::codegen;

FailureOr<PackedKernel> PackedKernel::create(zin::KernelOp op) {
  PackedKernel kernel;
  if (op.getActivation()) {
    kernel.lut = makeActivationTable(*op.getActivation());
    if (!kernel.lut) {
      op.emitError() << "kernel: there is no table for activation "
                     << *op.getActivation() << " [zin-kernel-c2]";
      return failure();
    }
  }
  auto read = [&](std::optional<ElementsAttr> elements,
                  std::optional<zin::HalfElements> &into) {
    if (!elements)
      return success();
    into = zin::HalfElements::get(*elements);
    if (into)
      return success();
    return LogicalResult(op.emitError()
                         << "kernel: the coefficients are not fp16 data at "
                            "hand [zin-kernel-c2]");
  };
  if (failed(read(op.getWeights(), kernel.weights)) ||
      failed(read(op.getBias(), kernel.bias)))
    return failure();

  if (!kernel.weights) {
    kernel.tableLanes = std::min<uint64_t>(op.getOutputs(), td::numLanes);
    return kernel;
  }
  kernel.shape.outputChannels = op.getOutputs();
  kernel.shape.taps = op.getTaps();
  kernel.shape.groups = op.getGroups();
  kernel.shape.channelwise = op.getChannelwise();
  kernel.shape.ocgSize = op.getOcgSize();
  kernel.shape.bias = kernel.bias.has_value();
  kernel.shape.table = kernel.lut.has_value();
  llvm::Expected<td::KernelLayout> layout =
      td::KernelLayout::create(kernel.shape);
  if (!layout) {
    op.emitError() << "kernel: " << llvm::toString(layout.takeError())
                   << " [zin-kernel-c2]";
    return failure();
  }
  kernel.layout = std::move(*layout);
  return kernel;
}

unsigned PackedKernel::lanes() const {
  return layout ? layout->lanes() : tableLanes;
}

uint64_t PackedKernel::laneBytes() const {
  return layout ? layout->laneBytes() : td::lutBytes;
}

uint64_t PackedKernel::laneOffset(unsigned lane) const {
  return layout ? lane * layout->laneBytes() : 0;
}

uint64_t PackedKernel::totalBytes() const {
  return layout ? layout->totalBytes() : td::lutBytes * tableLanes;
}

SmallVector<object::Chunk, td::numLanes> PackedKernel::chunks() const {
  // The chunks outlive this object; they share one copy of what it knows.
  auto self = std::make_shared<PackedKernel>(*this);
  SmallVector<object::Chunk, td::numLanes> result;
  if (!layout) {
    result.push_back(
        object::Chunk::produced(totalBytes(), [self](llvm::raw_ostream &os) {
          os.write(reinterpret_cast<const char *>(&*self->lut),
                   sizeof(td::LutRecord));
          os.write_zeros(self->totalBytes() - sizeof(td::LutRecord));
        }));
    return result;
  }
  for (unsigned lane = 0; lane < lanes(); ++lane)
    result.push_back(object::Chunk::produced(
        laneBytes(),
        [self, lane](llvm::raw_ostream &os) { self->writeLane(lane, os); }));
  return result;
}

void PackedKernel::writeLane(unsigned lane, llvm::raw_ostream &os) const {
  std::vector<char> bytes(laneBytes(), 0);
  auto put = [&](uint64_t offset, uint16_t half) {
    llvm::support::endian::write16le(bytes.data() + offset, half);
  };
  for (const td::KernelPlane &plane : layout->planes()) {
    if (plane.lane != lane)
      continue;
    uint64_t output =
        uint64_t(plane.group) * shape.outputChannels + plane.firstChannel;
    for (uint32_t channel = 0; channel < plane.channels; ++channel) {
      if (bias)
        put(layout->biasOffset(plane, channel), (*bias)[output + channel]);
      for (uint32_t tap = 0; tap < shape.taps; ++tap)
        put(layout->tapOffset(plane, tap, channel),
            (*weights)[(output + channel) * shape.taps + tap]);
    }
  }
  if (lut)
    std::memcpy(bytes.data() + layout->tableOffset(), &*lut,
                sizeof(td::LutRecord));
  os.write(bytes.data(), bytes.size());
}
