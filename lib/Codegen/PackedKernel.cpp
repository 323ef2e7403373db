//===- PackedKernel.cpp - Coefficients in lanes ---------------------------===//

#include "PackedKernel.h"
#include "ActivationTables.h"
#include "ane/Dialect/Zin/Transforms/KernelShape.h"
#include "ane/Support/Constraint.h"
#include "ane/Support/Half.h"
#include "ane/Support/StridedCopy.h"
#include "ane/TaskDescriptor/Fields.h"
#include "ane/TaskDescriptor/Palettes.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ane;
using namespace ane::codegen;

FailureOr<PackedKernel> PackedKernel::create(zin::KernelOp op,
                                             const td::KernelWindow &window) {
  PackedKernel kernel;
  kernel.window = window;
  if (op.getActivation()) {
    kernel.lut = makeActivationTable(*op.getActivation());
    if (!kernel.lut) {
      op.emitError() << "kernel: there is no table for activation "
                     << *op.getActivation() << ConstraintId("zin-kernel-c2");
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
                            "hand"
                         << ConstraintId("zin-kernel-c2"));
  };
  if (failed(read(op.getWeights(), kernel.weights)) ||
      failed(read(op.getBias(), kernel.bias)))
    return failure();

  if (!kernel.weights) {
    kernel.tableLanes = std::min<uint64_t>(op.getOutputs(), td::numLanes);
    return kernel;
  }
  kernel.shape = zin::kernelShapeOf(op);
  llvm::Expected<td::KernelLayout> layout =
      td::KernelLayout::create(kernel.shape);
  if (!layout) {
    op.emitError() << "kernel: " << llvm::toString(layout.takeError())
                   << ConstraintId("zin-kernel-c2");
    return failure();
  }
  kernel.layout = std::move(*layout);
  kernel.form = op.getStorage().value_or(zin::KernelStorage::dense);
  return kernel;
}

llvm::Error PackedKernel::choosePalette() {
  palette = zin::KernelCensus(*weights).numbers.list();
  if (palette.size() > 1u << paletteBits())
    return llvm::createStringError(llvm::formatv(
        "kernel: a palette of {0} numbers has no room for {1} different "
        "weights",
        1u << paletteBits(), palette.size()));
  return llvm::Error::success();
}

llvm::Error PackedKernel::compress() {
  if (form == zin::KernelStorage::dense)
    return llvm::Error::success();
  if (paletteBits() != 0) {
    if (llvm::Error error = choosePalette())
      return error;
  } else if (!td::canSkipZeros(*layout, window)) {
    return llvm::createStringError(
        "kernel: zeros can be left out with strides of 1 or of 2 in both "
        "directions, and up to 32 outputs side by side in each lane");
  }
  packedLanes = std::make_shared<std::vector<std::vector<uint8_t>>>();
  size_t longest = 0;
  for (unsigned lane = 0; lane < lanes(); ++lane) {
    std::optional<std::vector<uint8_t>> bytes = packLane(lane);
    if (!bytes)
      return llvm::createStringError(llvm::formatv(
          "kernel: the coefficients of one plane without their zeros pass {0} "
          "bytes",
          td::maxSparseBytes));
    longest = std::max(longest, bytes->size());
    packedLanes->push_back(std::move(*bytes));
  }
  // Lanes without zeros are as long as what is left, all others of a task are
  // equally long (verified, but for palettes).
  if (form != zin::KernelStorage::sparse)
    for (std::vector<uint8_t> &lane : *packedLanes)
      lane.resize(longest);
  for (const std::vector<uint8_t> &lane : *packedLanes)
    packedSizes.push_back(lane.size());
  return llvm::Error::success();
}

void PackedKernel::forgetIndices() {
  if (paletteBits() != 0)
    packedLanes->clear();
}

unsigned PackedKernel::lanes() const {
  return layout ? layout->lanes() : tableLanes;
}

uint64_t PackedKernel::laneBytes(unsigned lane) const {
  if (!packedSizes.empty())
    return (lut ? td::lutBytes : 0) + packedSizes[lane];
  return layout ? layout->laneBytes() : td::lutBytes;
}

uint64_t PackedKernel::bytesOfLanes(unsigned count) const {
  uint64_t bytes = 0;
  for (unsigned lane = 0; lane < count; ++lane)
    bytes += laneBytes(lane);
  return bytes;
}

uint64_t PackedKernel::laneOffset(unsigned lane) const {
  return layout ? bytesOfLanes(lane) : 0;
}

uint64_t PackedKernel::totalBytes() const {
  return bytesOfLanes(lanes()) + paletteBytes();
}

unsigned PackedKernel::paletteBits() const {
  switch (form) {
  case zin::KernelStorage::dense:
  case zin::KernelStorage::sparse:
    return 0;
  case zin::KernelStorage::palette4:
    return 4;
  case zin::KernelStorage::palette8:
    return 8;
  }
  llvm_unreachable("all forms are handled");
}

uint64_t PackedKernel::paletteBytes() const {
  const td::FieldInfo &size = td::fieldInfo(td::Field::StreamSize);
  return paletteBits() == 0
             ? 0
             : llvm::alignTo(td::paletteBytes(paletteBits()), size.unit);
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
        laneBytes(lane),
        [self, lane](llvm::raw_ostream &os) { self->writeLane(lane, os); }));
  if (paletteBytes() != 0)
    result.push_back(
        object::Chunk::produced(paletteBytes(), [self](llvm::raw_ostream &os) {
          self->writePalette(os);
        }));
  return result;
}

std::vector<uint8_t> PackedKernel::denseLane(unsigned lane) const {
  std::vector<uint8_t> bytes(layout->laneBytes(), 0);
  auto put = [&](uint64_t offset, uint16_t half) {
    llvm::support::endian::write16le(bytes.data() + offset, half);
  };
  for (const td::KernelPlane &plane : layout->planes()) {
    if (plane.lane != lane)
      continue;
    uint64_t output =
        uint64_t(plane.group) * shape.outputChannels + plane.firstChannel;
    if (bias)
      for (uint32_t channel = 0; channel < plane.channels; ++channel)
        put(layout->biasOffset(plane, channel), (*bias)[output + channel]);
    const char *elements = weights->bytes().data();
    // One number may stand for all of them.
    int64_t step = weights->bytes().size() == halfBytes ? 0 : 1;
    copyStrided(elements + output * shape.taps * step * halfBytes,
                {shape.taps, plane.channels}, {step, shape.taps * step},
                halfBytes,
                reinterpret_cast<char *>(bytes.data()) +
                    layout->tapOffset(plane, 0, 0));
  }
  return bytes;
}

std::optional<std::vector<uint8_t>>
PackedKernel::packLane(unsigned lane) const {
  std::vector<uint8_t> dense = denseLane(lane);
  if (form == zin::KernelStorage::sparse)
    return td::packSparse(*layout, window, lane, dense);
  return td::packPalette(*layout, lane, dense, paletteBits(), palette);
}

void PackedKernel::writeLane(unsigned lane, llvm::raw_ostream &os) const {
  std::vector<uint8_t> bytes;
  if (packedSizes.empty()) {
    bytes = denseLane(lane);
  } else {
    bytes.resize(lut ? td::lutBytes : 0);
    if (packedLanes->empty())
      llvm::append_range(bytes, *packLane(lane));
    else
      llvm::append_range(bytes, (*packedLanes)[lane]);
    bytes.resize(laneBytes(lane));
  }
  if (lut)
    std::memcpy(bytes.data() + td::KernelLayout::tableOffset, &*lut,
                sizeof(td::LutRecord));
  os.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

void PackedKernel::writePalette(llvm::raw_ostream &os) const {
  for (uint16_t colour : palette)
    llvm::support::endian::write(os, colour, llvm::endianness::little);
  os.write_zeros(paletteBytes() - palette.size() * halfBytes);
}
