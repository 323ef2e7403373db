//===- EnginePrograms.cpp - Programs to measure the executor with ---------===//

#include "EnginePrograms.h"
#include "ane/Object/Format.h"
#include "ane/Support/Half.h"
#include "ane/TaskDescriptor/KernelLayout.h"
#include "ane/TaskDescriptor/Lut.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <utility>

using namespace ane;
using namespace ane::bench;
using llvm::support::endian::read16le;
using llvm::support::endian::write16le;
using td::Field;

namespace {

constexpr unsigned kernelBar = object::BarConstants;
constexpr unsigned firstBar = object::BarFirstPort;

const llvm::ExitOnError exitOnError("ane-bench-engine: ");

td::RegisterImage neural(const Shape &in, const Shape &out) {
  td::RegisterImage image;
  image.set(Field::ENE, 1);
  for (auto [field, extent] :
       {std::pair(Field::Cin, in[0]), std::pair(Field::Hin, in[1]),
        std::pair(Field::Win, in[2]), std::pair(Field::Cout, out[0]),
        std::pair(Field::Hout, out[1]), std::pair(Field::Wout, out[2])})
    image.set(field, extent);
  return image;
}

/// Common.Cfg.TaskType.
enum { OneSource = 2, TwoSources = 3, Reduce = 5 };

td::RegisterImage planar(unsigned type, const Shape &shape) {
  td::RegisterImage image = neural(shape, shape);
  image.set(Field::ENE, 0);
  image.set(Field::TaskType, type);
  image.set(Field::PEScale, 0x3c00);
  image.set(Field::PEPreScale, 0x3c00);
  image.set(Field::PEFinalScale, 0x3f800000);
  image.set(Field::PETwoSource, type == TwoSources);
  image.set(Field::Src2Fmt, type == TwoSources ? 2 : 0);
  return image;
}

/// A tensor with its rows as groups of one row each.
td::RegisterImage rowsAsGroups(unsigned type, Shape shape) {
  uint32_t rows = std::exchange(shape[1], 1);
  td::RegisterImage image = planar(type, shape);
  image.set(Field::NumGroups, rows);
  return image;
}

} // namespace

unsigned Program::tensor(const Shape &shape) {
  layouts.push_back(
      *object::TensorLayout::packed(1, shape[0], shape[1], shape[2]));
  return layouts.size() - 1;
}

/// Calls `use(offset of a row, index of its first element)`.
static void forEachRow(const object::TensorLayout &layout,
                       llvm::function_ref<void(uint64_t, uint64_t)> use) {
  for (uint32_t c = 0; c < layout.c; ++c)
    for (uint32_t h = 0; h < layout.h; ++h)
      use(c * layout.planeStride + h * layout.rowStride,
          (uint64_t(c) * layout.h + h) * layout.w);
}

void Program::set(unsigned tensor, llvm::ArrayRef<float> values) {
  contents.push_back({tensor, values.vec()});
}

std::vector<float> Program::get(unsigned tensor) {
  const object::TensorLayout &layout = layouts[tensor];
  llvm::ArrayRef<uint8_t> bytes = machine->memory(tensor + 1);
  std::vector<float> values(uint64_t(layout.c) * layout.h * layout.w);
  forEachRow(layout, [&](uint64_t offset, uint64_t first) {
    for (uint32_t w = 0; w < layout.w; ++w)
      values[first + w] = static_cast<float>(
          halfToDouble(read16le(bytes.data() + offset + 2 * w)));
  });
  return values;
}

void Program::addTask(td::RegisterImage image, unsigned x,
                      const unsigned *second, unsigned y, bool rowsAsGroups) {
  auto put = [&](Field field, int64_t value) {
    exitOnError(image.setScaled(field, value));
  };
  auto place = [&](unsigned tensor, Field row, Field plane, Field depth,
                   Field group) {
    const object::TensorLayout &layout = layouts[tensor];
    put(row, layout.rowStride);
    put(plane, layout.planeStride);
    put(depth, layout.depthStride);
    put(group, rowsAsGroups ? layout.rowStride : layout.batchStride);
  };
  image.set(Field::SourceType, 2);
  image.set(Field::RBase0, firstBar + x);
  image.set(Field::RBE0, 1);
  place(x, Field::Src1RowStride, Field::Src1PlaneStride, Field::Src1DepthStride,
        Field::Src1GroupStride);
  if (second) {
    image.set(Field::Src2FromDMA, 1);
    image.set(Field::RBase1, firstBar + *second);
    image.set(Field::RBE1, 1);
    image.set(Field::Src2Truncate, 3);
    image.set(Field::Src2MemFmt, 2);
    place(*second, Field::Src2RowStride, Field::Src2PlaneStride,
          Field::Src2DepthStride, Field::Src2GroupStride);
  }
  image.set(Field::ResultType, 2);
  image.set(Field::DstEn, 1);
  image.set(Field::WBase, firstBar + y);
  image.set(Field::WBE, 1);
  place(y, Field::DstRowStride, Field::DstPlaneStride, Field::DstDepthStride,
        Field::DstGroupStride);
  tasks.emplace_back().image = image;
}

uint64_t Program::addLanes(td::RegisterImage &image, unsigned lanes,
                           uint64_t laneBytes) {
  uint64_t base = constants.size();
  constants.resize(base + lanes * laneBytes);
  image.set(Field::ActiveNE, llvm::Log2_32(lanes));
  image.set(Field::ENE, llvm::Log2_32(lanes) + 1);
  image.set(Field::KernelDMAEnable, 1);
  image.set(Field::KBase0, kernelBar);
  image.set(Field::KBE0, 1);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    image.set(Field::CoeffEn, 1, lane);
    exitOnError(
        image.setScaled(Field::CoeffBase, base + lane * laneBytes, lane));
    exitOnError(image.setScaled(Field::CoeffSize, laneBytes, lane));
  }
  return base;
}

void Program::convolve(unsigned x, unsigned y, const Window &window,
                       llvm::ArrayRef<float> weights) {
  const object::TensorLayout &in = layouts[x], &out = layouts[y];
  td::RegisterImage image = neural({in.c, in.h, in.w}, {out.c, out.h, out.w});
  image.set(Field::Kw, window.size);
  image.set(Field::Kh, window.size);
  image.set(Field::Px, window.size / 2);
  image.set(Field::Py, window.size / 2);
  image.set(Field::UnicastEn, window.channelwise);
  td::KernelShape shape;
  shape.outputChannels = out.c;
  shape.taps = window.size * window.size * (window.channelwise ? 1 : in.c);
  shape.channelwise = window.channelwise;
  shape.ocgSize = window.channelwise ? 0 : 4;
  image.set(Field::OCGSize, shape.ocgSize);
  td::KernelLayout layout = exitOnError(td::KernelLayout::create(shape));
  uint64_t base = addLanes(image, layout.lanes(), layout.laneBytes());
  for (const td::KernelPlane &plane : layout.planes())
    for (uint32_t tap = 0; tap < shape.taps; ++tap)
      for (uint32_t i = 0; i < plane.channels; ++i)
        write16le(
            constants.data() + base + plane.lane * layout.laneBytes() +
                layout.tapOffset(plane, tap, i),
            halfFromDouble(
                weights[uint64_t(plane.firstChannel + i) * shape.taps + tap]));
  addTask(image, x, nullptr, y);
}

void Program::add(unsigned a, unsigned b, unsigned y) {
  const object::TensorLayout &in = layouts[a];
  addTask(planar(TwoSources, {in.c, in.h, in.w}), a, &b, y);
}

void Program::activate(unsigned x, unsigned y,
                       llvm::ArrayRef<uint16_t> record) {
  const object::TensorLayout &in = layouts[x];
  Shape shape = {in.c, in.h, in.w};
  td::RegisterImage image = neural(shape, shape);
  constexpr uint32_t pass = 4, table = 2;
  image.set(Field::MACOpMode, pass);
  image.set(Field::KernelMode, 1);
  image.set(Field::NonlinearMode, table);
  uint64_t base = addLanes(image, 1, td::lutBytes);
  for (auto [i, half] : llvm::enumerate(record))
    write16le(constants.data() + base + 2 * i, half);
  addTask(image, x, nullptr, y);
}

void Program::softmax(unsigned x, unsigned y, llvm::ArrayRef<uint16_t> exp2) {
  const object::TensorLayout in = layouts[x];
  Shape shape = {in.c, in.h, in.w};
  unsigned largest = tensor({in.c, in.h, 1}), sum = tensor({in.c, in.h, 1});
  unsigned difference = tensor(shape), power = tensor(shape);
  constexpr uint32_t maximum = 2, multiply = 1, reciprocal = 1;
  constexpr uint16_t log2OfE = 0x3dc5;

  td::RegisterImage image = rowsAsGroups(Reduce, shape);
  image.set(Field::PEPoolMode, maximum);
  addTask(image, x, nullptr, largest, true);

  image = rowsAsGroups(TwoSources, shape);
  image.set(Field::PESrc2Negate, 1);
  image.set(Field::Src2BroadcastW, 1);
  image.set(Field::PEScale, log2OfE);
  addTask(image, x, &largest, difference, true);

  activate(difference, power, exp2);

  image = rowsAsGroups(Reduce, shape);
  image.set(Field::PEPostFunction, reciprocal);
  addTask(image, power, nullptr, sum, true);

  image = rowsAsGroups(TwoSources, shape);
  image.set(Field::PEOpMode, multiply);
  image.set(Field::Src2BroadcastW, 1);
  addTask(image, power, &sum, y, true);
}

void Program::finish() {
  td::linkTasks(tasks);
  td::EncodedProgram encoded =
      exitOnError(td::encodeProgram(tasks, td::Format::V7));
  text = encoded.text;
  bars.assign(object::maxBars, 0);
  engine::DeviceProgram program;
  auto section = [&](unsigned bar, uint64_t size,
                     llvm::ArrayRef<uint8_t> bytes) {
    bars[bar] = uint64_t(bar + 1) << 32;
    engine::DeviceSection result;
    result.name = "bar " + std::to_string(bar);
    result.address = bars[bar];
    result.size = size;
    result.contents = bytes;
    result.writable = bytes.empty();
    program.sections.push_back(result);
  };
  constants.resize(std::max<size_t>(constants.size(), object::pageBytes));
  section(kernelBar, constants.size(), constants);
  for (auto [index, layout] : llvm::enumerate(layouts))
    section(firstBar + index, *layout.totalBytes(), {});
  program.text = {"tasks",
                  0,
                  text,
                  encoded.entry,
                  encoded.firstTaskWords,
                  static_cast<uint32_t>(tasks.size()),
                  bars};
  machine = exitOnError(engine::Machine::create(program));
  for (const auto &[tensor, values] : contents) {
    llvm::MutableArrayRef<uint8_t> bytes = machine->memory(tensor + 1);
    forEachRow(layouts[tensor], [&](uint64_t offset, uint64_t first) {
      for (uint32_t w = 0; w < layouts[tensor].w; ++w)
        write16le(bytes.data() + offset + 2 * w,
                  halfFromDouble(values[first + w]));
    });
  }
}
