//===- Fixtures.cpp - Small programs that the tests share -----------------===//

#include "Fixtures.h"
#include "Tables.h"
#include "ane/Object/Layout.h"
#include "ane/Object/Reader.h"
#include "ane/Object/Writer.h"
#include "ane/Support/Half.h"
#include "ane/TaskDescriptor/V10.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <array>
#include <cmath>

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using llvm::support::endian::read16le;
using llvm::support::endian::write16le;

uint16_t test::halfBits(double value) { return halfFromDouble(value); }
double test::rounded(double value) { return roundToHalf(value); }

Array test::randomArray(const Extents &extents, unsigned seed, double low,
                        double high) {
  Array array(extents);
  uint64_t state = seed * 2862933555777941757u + 3037000493u;
  for (double &value : array.values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    double unit = static_cast<double>(state >> 40) / (1 << 24);
    value = std::round((low + (high - low) * unit) * 64) / 64;
  }
  return array;
}

void test::appendHalves(std::vector<uint8_t> &bytes,
                        llvm::ArrayRef<double> values) {
  for (double value : values) {
    size_t offset = bytes.size();
    bytes.resize(offset + 2);
    write16le(bytes.data() + offset, halfBits(value));
  }
}

object::TensorLayout test::packedLayout(const Extents &e) {
  return *object::TensorLayout::packed(e.groups, e.channels, e.height, e.width,
                                       e.depth);
}

Extents test::extentsOf(const object::TensorLayout &layout) {
  return {layout.n, layout.d, layout.c, layout.h, layout.w};
}

static uint64_t offsetOf(const object::TensorLayout &layout, uint32_t g,
                         uint32_t d, uint32_t c, uint32_t h, uint32_t w) {
  return g * layout.batchStride + d * layout.depthStride +
         c * layout.planeStride + h * layout.rowStride +
         w * layout.elementStride;
}

void test::store(const Array &array, const object::TensorLayout &layout,
                 llvm::MutableArrayRef<uint8_t> surface) {
  forEach(extentsOf(layout),
          [&](uint32_t g, uint32_t d, uint32_t c, uint32_t h, uint32_t w) {
            write16le(surface.data() + offsetOf(layout, g, d, c, h, w),
                      halfBits(array.at(g, d, c, h, w)));
          });
}

Array test::load(const object::TensorLayout &layout,
                 llvm::ArrayRef<uint8_t> surface) {
  Array array(extentsOf(layout));
  forEach(array.extents,
          [&](uint32_t g, uint32_t d, uint32_t c, uint32_t h, uint32_t w) {
            array.at(g, d, c, h, w) = halfToDouble(
                read16le(surface.data() + offsetOf(layout, g, d, c, h, w)));
          });
  return array;
}

void Model::input(const std::string &name, const Extents &extents) {
  ports.push_back(
      {name, object::PortDirection::Input, packedLayout(extents), 0});
}

void Model::output(const std::string &name, const Extents &extents) {
  ports.push_back(
      {name, object::PortDirection::Output, packedLayout(extents), 0});
}

const object::PortSpec &Model::port(llvm::StringRef name) const {
  return *llvm::find_if(
      ports, [&](const object::PortSpec &port) { return port.name == name; });
}

unsigned Model::bar(llvm::StringRef name) const {
  return llvm::cantFail(object::assignBars(ports))[&port(name) - ports.data()];
}

void Model::readFirst(td::RegisterImage &image, llvm::StringRef name) const {
  setSource(image, bar(name), port(name).layout);
}
void Model::readSecond(td::RegisterImage &image, llvm::StringRef name) const {
  setSecondSource(image, bar(name), port(name).layout);
}
void Model::write(td::RegisterImage &image, llvm::StringRef name) const {
  setResult(image, bar(name), port(name).layout);
}

/// Whether the loader completes eight bytes at a relocation site.
static bool isSlot(const td::EncodedProgram &program,
                   const td::RelocationSite &site) {
  return site.target == td::RelocationSite::Target::Buffer &&
         td::detectFormat(program.text) == td::Format::V10;
}

/// The kernel BAR of the descriptor that a place in the text belongs to.
static unsigned kernelBarAt(const td::EncodedProgram &program,
                            llvm::ArrayRef<td::TaskDescriptor> tasks,
                            uint32_t offset) {
  std::vector<td::TaskDescriptor> placed =
      llvm::cantFail(td::decodeProgram({"text",
                                        0,
                                        program.text,
                                        program.entry,
                                        program.firstTaskWords,
                                        uint32_t(tasks.size()),
                                        {}}));
  for (const td::TaskDescriptor &task : placed) {
    uint32_t next = task.image.get(Field::NextPointer);
    if (next == 0 || offset < next)
      return task.image.get(Field::KBase0);
  }
  return 0;
}

std::string test::fileOf(const object::ContainerSpec &spec) {
  llvm::Expected<object::Object> object = object::layoutObject(spec);
  if (!object) {
    ADD_FAILURE() << llvm::toString(object.takeError());
    return "";
  }
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (llvm::Error error = object::writeObject(*object, os))
    ADD_FAILURE() << llvm::toString(std::move(error));
  return bytes;
}

std::string Model::container(td::Format format) const {
  std::vector<td::TaskDescriptor> linked = tasks;
  td::linkTasks(linked);
  llvm::Expected<td::EncodedProgram> program =
      td::encodeProgram(linked, format);
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return "";
  }
  object::ContainerSpec spec;
  spec.ports = ports;
  spec.scratchBytes = scratchBytes;
  spec.text = program->text;
  if (!constants.empty())
    spec.constants.push_back(object::Chunk::bytes(constants));
  spec.entryOffset = program->entry;
  spec.firstTaskWords = program->firstTaskWords;
  spec.taskCount = tasks.size();
  auto bars = llvm::cantFail(object::assignBars(ports));
  for (const td::RelocationSite &site : program->relocations) {
    object::RelocationTarget target;
    if (site.target == td::RelocationSite::Target::Coefficients) {
      // A kernel in a surface is reached by its BAR alone.
      if (kernelBarAt(*program, linked, site.offset) != object::BarConstants)
        continue;
    } else if (site.bar == object::BarScratch) {
      target.kind = object::RelocationTarget::Scratch;
    } else if (site.bar >= object::BarFirstPort) {
      target.kind = object::RelocationTarget::Port;
      target.port = llvm::find(bars, site.bar) - bars.begin();
    }
    spec.relocations.push_back({site.offset, target, isSlot(*program, site)});
  }
  return fileOf(spec);
}

td::RegisterImage test::neuralTask(const Extents &in, const Extents &out) {
  td::RegisterImage image;
  image.set(Field::ENE, 1);
  image.set(Field::NumGroups, in.groups);
  image.set(Field::Din, in.depth);
  image.set(Field::Cin, in.channels);
  image.set(Field::Hin, in.height);
  image.set(Field::Win, in.width);
  image.set(Field::Dout, out.depth);
  image.set(Field::Cout, out.channels);
  image.set(Field::Hout, out.height);
  image.set(Field::Wout, out.width);
  return image;
}

td::RegisterImage test::passTask(const Extents &extents) {
  td::RegisterImage image = neuralTask(extents, extents);
  td::setValue<Field::MACOpMode>(image, td::MACOpMode::Pass);
  image.set(Field::KernelMode, 1);
  return image;
}

Model test::naturalLogarithm(const Extents &extents) {
  Model model;
  model.input("x", extents);
  model.output("y", extents);
  td::RegisterImage log2 = passTask(extents);
  log2.set(Field::NonlinearMode, 2);
  appendTable(model.constants, log2Table());
  setLanes(log2, 1, 128, 0);
  model.readFirst(log2, "x");
  log2.set(Field::ResultType, 3);
  log2.set(Field::DstEn, 0);
  model.add(log2);
  td::RegisterImage scale = planarTask(td::TaskType::OneSource, extents);
  scale.set(Field::SourceType, 3);
  scale.set(Field::PEScale, halfBits(std::log(2.0)));
  model.write(scale, "y");
  model.add(scale);
  return model;
}

td::RegisterImage test::planarTask(td::TaskType type, const Extents &extents) {
  td::RegisterImage image = neuralTask(extents, extents);
  image.set(Field::ENE, 0);
  image.set(Field::TaskType, td::bits(type));
  image.set(Field::PEScale, 0x3c00);
  image.set(Field::PEPreScale, 0x3c00);
  image.set(Field::PEFinalScale, 0x3f800000);
  bool two = type != td::TaskType::OneSource && type != td::TaskType::Reduction;
  image.set(Field::PETwoSource, two);
  image.set(Field::Src2Fmt, two ? 2 : 0);
  return image;
}

static void setScaled(td::RegisterImage &image, Field field, int64_t value) {
  if (llvm::Error error = image.setScaled(field, value))
    ADD_FAILURE() << llvm::toString(std::move(error));
}

/// Sets base and strides of a direction: the fields are those of group, depth,
/// plane and row.
static void setSurface(td::RegisterImage &image, Field baseField,
                       std::array<Field, 4> strides,
                       const object::TensorLayout &layout, int64_t base) {
  setScaled(image, baseField, base);
  for (auto [field, bytes] : llvm::zip_equal(
           strides, std::array{layout.batchStride, layout.depthStride,
                               layout.planeStride, layout.rowStride}))
    setScaled(image, field, bytes);
}

void test::setSource(td::RegisterImage &image, unsigned bar,
                     const object::TensorLayout &layout, int64_t base) {
  image.set(Field::SourceType, td::bits(td::Residence::Streamed));
  image.set(Field::RBase0, bar);
  image.set(Field::RBE0, 1);
  setSurface(image, Field::Src1Base,
             {Field::Src1GroupStride, Field::Src1DepthStride,
              Field::Src1PlaneStride, Field::Src1RowStride},
             layout, base);
}

void test::setSecondSource(td::RegisterImage &image, unsigned bar,
                           const object::TensorLayout &layout, int64_t base) {
  image.set(Field::Src2FromDMA, 1);
  image.set(Field::RBase1, bar);
  image.set(Field::RBE1, 1);
  image.set(Field::Src2Truncate, td::bits(td::Truncation::Half));
  image.set(Field::Src2MemFmt, td::bits(td::MemoryFormat::Half));
  setSurface(image, Field::Src2Base,
             {Field::Src2GroupStride, Field::Src2DepthStride,
              Field::Src2PlaneStride, Field::Src2RowStride},
             layout, base);
}

void test::setResult(td::RegisterImage &image, unsigned bar,
                     const object::TensorLayout &layout, int64_t base) {
  image.set(Field::ResultType, td::bits(td::Residence::Streamed));
  image.set(Field::DstEn, 1);
  image.set(Field::WBase, bar);
  image.set(Field::WBE, 1);
  setSurface(image, Field::DstBase,
             {Field::DstGroupStride, Field::DstDepthStride,
              Field::DstPlaneStride, Field::DstRowStride},
             layout, base);
}

object::TensorLayout test::interleavedLayout(const Extents &extents,
                                             uint32_t factor) {
  Extents planes = extents;
  planes.channels = llvm::divideCeil(extents.channels, factor);
  planes.width = extents.width * factor;
  return packedLayout(planes);
}

void test::setSourceInterleave(td::RegisterImage &image, uint32_t factor) {
  image.set(Field::Src1Interleave, factor);
  image.set(Field::SourceDMAInterleave, factor);
}

void test::setResultInterleave(td::RegisterImage &image, uint32_t factor) {
  image.set(Field::DstInterleave, factor);
  image.set(Field::ResultDMAInterleave, factor);
}

void test::setL2Source(td::RegisterImage &image, int64_t base, int64_t channel,
                       int64_t row, uint32_t type) {
  image.set(Field::SourceType, type);
  setScaled(image, Field::L2Src1Base, base);
  setScaled(image, Field::L2Src1ChannelStride, channel);
  setScaled(image, Field::L2Src1RowStride, row);
}

void test::setL2SecondSource(td::RegisterImage &image, int64_t base,
                             int64_t channel, int64_t row) {
  image.set(Field::Src2FromDMA, 0);
  setScaled(image, Field::L2Src2Base, base);
  setScaled(image, Field::L2Src2ChannelStride, channel);
  setScaled(image, Field::L2Src2RowStride, row);
}

void test::setL2Result(td::RegisterImage &image, int64_t base, int64_t channel,
                       int64_t row) {
  image.set(Field::ResultType, 0);
  image.set(Field::DstEn, 0);
  image.set(Field::WBE, 0);
  setScaled(image, Field::L2ResultBase, base);
  setScaled(image, Field::L2ResultChannelStride, channel);
  setScaled(image, Field::L2ResultRowStride, row);
}

void test::setLanes(td::RegisterImage &image, unsigned count, int64_t bytes,
                    int64_t step, int64_t base) {
  unsigned engines = llvm::Log2_32_Ceil(count);
  image.set(Field::ActiveNE, engines);
  image.set(Field::ENE, engines + 1);
  image.set(Field::KernelDMAEnable, 1);
  image.set(Field::KBase0, object::BarConstants);
  image.set(Field::KBE0, 1);
  for (unsigned lane = 0; lane < count; ++lane) {
    image.set(Field::CoeffEn, 1, lane);
    image.set(Field::CoeffBase, (base + lane * step) / 64, lane);
    image.set(Field::CoeffSize, bytes / 64, lane);
  }
}

llvm::Expected<std::unique_ptr<LoadedProgram>>
test::loadBytes(llvm::StringRef bytes) {
  llvm::Expected<object::Object> object = object::readObject(
      llvm::MemoryBuffer::getMemBufferCopy(bytes, "test.hwx"));
  if (!object)
    return object.takeError();
  return LoadedProgram::create(std::move(*object), "test.hwx");
}

Arrays test::run(const Model &model, const Arrays &inputs, Numerics numerics) {
  Arrays outputs;
  std::map<std::string, std::vector<uint8_t>> surfaces;
  for (td::Format format : {td::Format::V7, td::Format::V10}) {
    auto program = loadBytes(model.container(format));
    if (!program) {
      ADD_FAILURE() << td::stringifyFormat(format).str() << ": "
                    << llvm::toString(program.takeError());
      return {};
    }
    Machine &machine = (*program)->machine();
    for (unsigned threads : {1, 3}) {
      for (const DevicePort &port : (*program)->ports())
        if (port.direction == object::PortDirection::Input)
          store(inputs.at(port.name), port.layout,
                machine.memory(port.section));
      llvm::cantFail(machine.run(threads, numerics));
      for (const DevicePort &port : (*program)->ports()) {
        if (port.direction == object::PortDirection::Input)
          continue;
        llvm::ArrayRef<uint8_t> surface = machine.memory(port.section);
        auto [first, isNew] =
            surfaces.try_emplace(port.name, surface.begin(), surface.end());
        if (!isNew) {
          EXPECT_TRUE(surface == llvm::ArrayRef(first->second))
              << port.name << " differs in "
              << td::stringifyFormat(format).str() << " with " << threads
              << " threads";
        }
        outputs[port.name] = load(port.layout, surface);
      }
    }
  }
  return outputs;
}

std::string test::refusal(const Model &model) {
  auto program = loadBytes(model.container(td::Format::V7));
  return program ? "" : llvm::toString(program.takeError());
}

double test::expectNear(const Array &actual, const Array &expected,
                        double absolute, double relative) {
  double worst = 0;
  unsigned reported = 0;
  EXPECT_EQ(actual.values.size(), expected.values.size());
  for (size_t i = 0; i < std::min(actual.values.size(), expected.values.size());
       ++i) {
    double error = std::abs(actual.values[i] - expected.values[i]);
    if (actual.values[i] == expected.values[i]) // infinities, too
      error = 0;
    if (!(error <= absolute + relative * std::abs(expected.values[i])) &&
        reported++ < 5)
      ADD_FAILURE() << "element " << i << " is " << actual.values[i]
                    << ", expected " << expected.values[i];
    worst = std::max(worst, error);
  }
  EXPECT_LE(reported, 5u) << "of " << expected.values.size() << " elements";
  return worst;
}

void test::expectRounded(const Array &actual, Array expected) {
  for (double &value : expected.values)
    value = rounded(value);
  expectNear(actual, expected, 0, 0);
}

test::Unary::Unary(const Extents &in, const Extents &out)
    : task(neuralTask(in, out)) {
  model.input("x", in);
  model.output("y", out);
  model.readFirst(task, "x");
  model.write(task, "y");
}

void test::Unary::pass() {
  td::setValue<Field::MACOpMode>(task, td::MACOpMode::Pass);
  task.set(Field::KernelMode, 1);
  task.set(Field::UnicastEn, 1);
}

Array test::Unary::run(const Array &x) {
  model.add(task);
  return test::run(model, {{"x", x}})["y"];
}

Array test::bytesOf(const Array &halves, bool isSigned) {
  Extents extents = halves.extents;
  extents.width *= 2;
  Array bytes(extents);
  for (size_t i = 0; i < bytes.values.size(); ++i) {
    uint8_t byte = halfBits(halves.values[i / 2]) >> i % 2 * 8;
    bytes.values[i] = isSigned ? static_cast<int8_t>(byte) : byte;
  }
  return bytes;
}

void test::readBytes(td::RegisterImage &task, bool isSigned) {
  td::setValue<Field::InFmt>(task, isSigned ? td::ElementFormat::Int8
                                            : td::ElementFormat::UInt8);
  td::setValue<Field::Src1FmtMode>(task, isSigned ? td::FormatMode::Signed
                                                  : td::FormatMode::Unsigned);
  td::setValue<Field::Src1Truncate>(task, td::Truncation::Byte);
  td::setValue<Field::Src1MemFmt>(task, td::MemoryFormat::Byte);
  td::setValue<Field::SourceDMAFmt>(task, td::L2Format::Byte);
}
