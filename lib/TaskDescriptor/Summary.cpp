//===- Summary.cpp - What a task does, in a few numbers -------------------===//

#include "ane/TaskDescriptor/Summary.h"
#include "ane/Support/Half.h"
#include "ane/TaskDescriptor/Broadcast.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace ane::td;

namespace {

/// The bit of the sign of an fp16 number.
constexpr uint32_t halfSign = 0x8000;

uint64_t bytesOf(const Dimensions &dimensions, ElementFormat format) {
  uint64_t size = format == ElementFormat::Half ? 2 : 1;
  return llvm::SaturatingMultiply(dimensions.elements(), size);
}

/// An operand of a PE task: one element along what is broadcast.
Dimensions broadcast(Dimensions dimensions, const RegisterImage &image,
                     const BroadcastFlags &flags) {
  constexpr uint32_t Dimensions::*extents[numBroadcasts] = {
      &Dimensions::columns, &Dimensions::rows, &Dimensions::depth,
      &Dimensions::channels};
  for (auto [flag, extent] : llvm::zip_equal(flags, extents))
    if (image.isSet(flag))
      dimensions.*extent = 1;
  return dimensions;
}

class Summarizer {
public:
  explicit Summarizer(const RegisterImage &image) : image(image) {}

  TaskSummary run() {
    summary.input = {image.get(Field::NumGroups), image.get(Field::Din),
                     image.get(Field::Cin), image.get(Field::Hin),
                     image.get(Field::Win)};
    // A pass does what it does whatever Cin is (verified).
    if (isPass())
      summary.input.channels = image.get(Field::Cout);
    summary.result = {image.get(Field::NumGroups), image.get(Field::Dout),
                      image.get(Field::Cout), image.get(Field::Hout),
                      image.get(Field::Wout) * image.get(Field::Ox)};
    summary.exeCycles = image.get(Field::ExeCycles);
    summary.next = image.get(Field::NextPointer);
    if (summary.next)
      summary.nextWords = image.get(Field::NextSize) + 1;
    for (unsigned lane = 0; lane < numLanes; ++lane)
      if (image.isSet(Field::CoeffEn, lane)) {
        ++summary.lanes;
        summary.laneBytes += image.getScaled(Field::CoeffSize, lane);
      }
    if (valueOf<Field::TaskType>(image) == TaskType::NE)
      describeNE();
    else
      describePE();
    summary.source1 = source1();
    summary.source2 = source2();
    listStreams();
    return std::move(summary);
  }

private:
  bool isPass() const {
    return valueOf<Field::TaskType>(image) == TaskType::NE &&
           valueOf<Field::MACOpMode>(image) == MACOpMode::Pass;
  }

  void describeNE() {
    summary.engine = Engine::NE;
    summary.activeEngines = 1u << image.get(Field::ActiveNE);
    summary.kernelRows = image.get(Field::Kh);
    summary.kernelColumns = image.get(Field::Kw);
    summary.bias = image.isSet(Field::BiasMode);
    summary.transposed = image.isSet(Field::TransposedWrite);
    auto nonlinear = valueOf<Field::NonlinearMode>(image);
    summary.relu = nonlinear == NonlinearMode::ReLU;
    summary.table = nonlinear == NonlinearMode::Table;
    summary.operation = operationOfNE();
  }

  Operation operationOfNE() {
    bool kernelless = image.isSet(Field::KernelMode);
    bool perChannel = image.isSet(Field::UnicastEn) &&
                      image.get(Field::UnicastCin) == 1 &&
                      image.get(Field::Cin) != 1;
    switch (valueOf<Field::MACOpMode>(image)) {
    case MACOpMode::MAC:
      if (kernelless)
        return perChannel ? Operation::PoolSum : Operation::ChannelSum;
      if (perChannel)
        return Operation::DepthwiseConv;
      return image.isSet(Field::RuntimeKernel) ? Operation::MatMul
                                               : Operation::Conv;
    case MACOpMode::Max:
      return perChannel ? Operation::PoolMax : Operation::ChannelMax;
    case MACOpMode::Multiply:
      return Operation::Multiply;
    case MACOpMode::Pass:
      return operationOfPass();
    }
    return Operation::Unknown;
  }

  Operation operationOfPass() {
    Operation operation = Operation::Copy;
    if (summary.transposed) {
      operation = Operation::Transpose;
    } else if (image.get(Field::PostScale) != ane::halfOne ||
               image.get(Field::AccBias) != 0) {
      operation = Operation::Scale;
    } else if (summary.relu || summary.table) {
      operation = summary.table ? Operation::Lut : Operation::Relu;
      summary.relu = summary.table = false;
    }
    if (image.isSet(Field::InputReLU)) {
      if (operation == Operation::Copy)
        return Operation::Relu;
      if (operation != Operation::Relu)
        summary.combination = Operation::Relu;
    }
    return operation;
  }

  void describePE() {
    summary.engine = Engine::PE;
    summary.relu = image.isSet(Field::PERelu);
    switch (valueOf<Field::TaskType>(image)) {
    case TaskType::OneSource:
      summary.operation = image.isSet(Field::PEAbs) ? Operation::Absolute
                                                    : operationOfOneSource();
      return;
    case TaskType::TwoSources:
      summary.operation = operationOfTwoSources();
      if (image.isSet(Field::PEAbs)) {
        summary.combination = summary.operation;
        summary.operation = Operation::Absolute;
      }
      return;
    case TaskType::VectorPair:
      summary.operation = Operation::Affine;
      return;
    case TaskType::Reduction:
      if (image.isSet(Field::PEAbs))
        summary.combination = Operation::Absolute;
      else if (valueOf<Field::PEOpMode>(image) != PEOpMode::Add)
        summary.combination = operationOfOneSource();
      describeReduction();
      return;
    case TaskType::ReductionOfTwo:
      summary.combination = operationOfTwoSources();
      describeReduction();
      return;
    case TaskType::NE:
      break;
    }
    summary.operation = Operation::Unknown;
  }

  Operation operationOfOneSource() const {
    switch (valueOf<Field::PEOpMode>(image)) {
    case PEOpMode::Add:
      return Operation::Scale;
    case PEOpMode::SquareOfSum:
      return Operation::SquareOfSum;
    default:
      return Operation::Unknown;
    }
  }

  bool isFirstNegative() const {
    return image.isSet(Field::PESrc1Negate) !=
           bool(image.get(Field::PEPreScale) & halfSign);
  }

  Operation operationOfTwoSources() const {
    switch (valueOf<Field::PEOpMode>(image)) {
    case PEOpMode::Add:
      return isFirstNegative() != image.isSet(Field::PESrc2Negate)
                 ? Operation::Subtract
                 : Operation::Add;
    case PEOpMode::Multiply:
      return Operation::Multiply;
    case PEOpMode::Max:
      return Operation::Maximum;
    case PEOpMode::Min:
      return Operation::Minimum;
    case PEOpMode::SquareOfSum:
      return Operation::SquareOfSum;
    }
    return Operation::Unknown;
  }

  void describeReduction() {
    auto pool = valueOf<Field::PEPoolMode>(image);
    summary.operation = pool == PEPoolMode::Sum   ? Operation::ReduceSum
                        : pool == PEPoolMode::Max ? Operation::ReduceMax
                                                  : Operation::Unknown;
    summary.post = valueOf<Field::PEPostFunction>(image);
    // Both dimension registers of a reduction hold the input's.
    bool columnsOnly = summary.input.groups > 1 || summary.input.rows == 1;
    summary.result.columns = 1;
    if (!columnsOnly)
      summary.result.rows = summary.result.depth = 1;
  }

  Dimensions source1() const {
    if (summary.engine == Engine::NE)
      return summary.input;
    return broadcast(summary.input, image, src1Broadcasts);
  }

  Dimensions source2() const {
    Dimensions dimensions = summary.input;
    if (valueOf<Field::TaskType>(image) == TaskType::VectorPair) {
      // Two rows of one column: addend and factor.
      dimensions.columns = 1;
      dimensions.rows = 2;
    }
    return broadcast(dimensions, image, src2Broadcasts);
  }

  bool hasSource2() const {
    auto type = valueOf<Field::TaskType>(image);
    return type == TaskType::TwoSources || type == TaskType::VectorPair ||
           type == TaskType::ReductionOfTwo;
  }

  /// Where an operand lies in memory.
  struct Place {
    Field group, depth, plane, row;
    Field interleave; ///< channels side by side in a plane
    bool exchanged;   ///< channels and columns are
  };

  uint64_t spanOf(Dimensions dimensions, const Place &place,
                  ElementFormat format) const {
    if (place.exchanged)
      std::swap(dimensions.channels, dimensions.columns);
    uint32_t interleave = std::max(image.get(place.interleave), 1u);
    Dimensions row;
    row.columns = dimensions.columns;
    row.channels = interleave;
    uint64_t span = bytesOf(row, format);
    // Behind the last column nothing follows the last channel.
    if (dimensions.channels < interleave) {
      row.columns = 1;
      row.channels = interleave - dimensions.channels;
      span -= bytesOf(row, format);
    }
    uint32_t planes = llvm::divideCeil(dimensions.channels, interleave);
    for (auto [stride, extent] : {std::pair(place.group, dimensions.groups),
                                  std::pair(place.depth, dimensions.depth),
                                  std::pair(place.plane, planes),
                                  std::pair(place.row, dimensions.rows)})
      if (extent > 1)
        span = llvm::SaturatingMultiplyAdd<uint64_t>(
            std::max<int64_t>(image.getScaled(stride), 0), extent - 1, span);
    return span;
  }

  /// What the rows of an operand take in memory, each in lines of its own.
  uint64_t lineBytesOf(Dimensions dimensions, const Place &place,
                       ElementFormat format) const {
    constexpr uint64_t line = 64;
    if (place.exchanged)
      std::swap(dimensions.channels, dimensions.columns);
    Dimensions row, rows = dimensions;
    row.columns = dimensions.columns;
    row.channels = std::max(image.get(place.interleave), 1u);
    rows.columns = 1;
    rows.channels = llvm::divideCeil(dimensions.channels, row.channels);
    return llvm::SaturatingMultiply<uint64_t>(
        rows.elements(), llvm::alignTo(bytesOf(row, format), line));
  }

  /// Of the streams beside the lanes, such as the one of a palette.
  uint64_t auxiliaryBytes() const {
    uint64_t bytes = 0;
    for (unsigned stream = 0; stream < fieldInfo(Field::StreamEn).count;
         ++stream)
      if (image.isSet(Field::StreamEn, stream))
        bytes += image.getScaled(Field::StreamSize, stream);
    return bytes;
  }

  /// Whether an operand of a PE task has channels and columns exchanged.
  bool isVector(Field field) const {
    return summary.engine == Engine::PE && image.isSet(field);
  }

  void addStream(Stream::Role role, Residence residence, Field barEnable,
                 Field bar, Field base, uint64_t bytes, uint64_t lineBytes,
                 uint64_t span) {
    Stream stream;
    stream.role = role;
    stream.residence = residence;
    stream.bytes = bytes;
    stream.lineBytes = lineBytes;
    stream.span = span;
    if (stream.inMemory() && image.isSet(barEnable)) {
      stream.bar = image.get(bar);
      stream.offset = image.getScaled(base);
    }
    summary.streams.push_back(stream);
  }

  void listStreams() {
    auto add = [&](Stream::Role role, Residence residence, Field barEnable,
                   Field bar, Field base, const Dimensions &dimensions,
                   const Place &place, ElementFormat format) {
      addStream(role, residence, barEnable, bar, base,
                bytesOf(dimensions, format),
                lineBytesOf(dimensions, place, format),
                spanOf(dimensions, place, format));
    };
    add(Stream::Source1, valueOf<Field::SourceType>(image), Field::RBE0,
        Field::RBase0, Field::Src1Base, summary.source1,
        {Field::Src1GroupStride, Field::Src1DepthStride, Field::Src1PlaneStride,
         Field::Src1RowStride, Field::Src1Interleave,
         isVector(Field::Src1Vector)},
        valueOf<Field::InFmt>(image));
    if (hasSource2())
      add(Stream::Source2, source2Residence(image), Field::RBE1, Field::RBase1,
          Field::Src2Base, summary.source2,
          {Field::Src2GroupStride, Field::Src2DepthStride,
           Field::Src2PlaneStride, Field::Src2RowStride,
           Field::SourceDMAInterleave, isVector(Field::Src2Vector)},
          valueOf<Field::Src2Fmt>(image));
    add(Stream::Result, valueOf<Field::ResultType>(image), Field::WBE,
        Field::WBase, Field::DstBase, summary.result,
        {Field::DstGroupStride, Field::DstDepthStride, Field::DstPlaneStride,
         Field::DstRowStride, Field::DstInterleave,
         summary.transposed || isVector(Field::ResultVector)},
        valueOf<Field::OutFmt>(image));
    uint64_t coefficients = summary.laneBytes + auxiliaryBytes();
    if (summary.lanes)
      addStream(Stream::Coefficients, Residence::Streamed, Field::KBE0,
                Field::KBase0, Field::CoeffBase, coefficients, coefficients,
                summary.laneBytes);
  }

  const RegisterImage &image;
  TaskSummary summary;
};

std::string spell(const Dimensions &dimensions) {
  std::string text;
  if (dimensions.groups != 1)
    text += llvm::formatv("{0}x", dimensions.groups).str();
  if (dimensions.depth != 1)
    text += llvm::formatv("{0}d x ", dimensions.depth).str();
  return text + llvm::formatv("{0}x{1}x{2}", dimensions.channels,
                              dimensions.rows, dimensions.columns)
                    .str();
}

} // namespace

uint64_t Dimensions::elements() const {
  uint64_t count = groups;
  for (uint32_t extent : {depth, channels, rows, columns})
    count = llvm::SaturatingMultiply<uint64_t>(count, extent);
  return count;
}

llvm::StringRef ane::td::stringifyEngine(Engine engine) {
  return engine == Engine::NE ? "NE" : "PE";
}

llvm::StringRef ane::td::stringifyOperation(Operation operation) {
  switch (operation) {
  case Operation::Conv:
    return "conv";
  case Operation::DepthwiseConv:
    return "depthwise conv";
  case Operation::MatMul:
    return "matmul";
  case Operation::PoolSum:
    return "pool sum";
  case Operation::PoolMax:
    return "pool max";
  case Operation::ChannelSum:
    return "channel sum";
  case Operation::ChannelMax:
    return "channel max";
  case Operation::Copy:
    return "copy";
  case Operation::Transpose:
    return "transpose";
  case Operation::Relu:
    return "relu";
  case Operation::Lut:
    return "LUT";
  case Operation::Add:
    return "add";
  case Operation::Subtract:
    return "subtract";
  case Operation::Multiply:
    return "multiply";
  case Operation::Maximum:
    return "maximum";
  case Operation::Minimum:
    return "minimum";
  case Operation::SquareOfSum:
    return "square of sum";
  case Operation::Scale:
    return "scale";
  case Operation::Absolute:
    return "absolute";
  case Operation::Affine:
    return "affine";
  case Operation::ReduceSum:
    return "reduce sum";
  case Operation::ReduceMax:
    return "reduce max";
  case Operation::Unknown:
    return "unknown operation";
  }
  llvm_unreachable("invalid operation");
}

llvm::StringRef ane::td::stringifyRole(Stream::Role role) {
  switch (role) {
  case Stream::Source1:
    return "source 1";
  case Stream::Source2:
    return "source 2";
  case Stream::Result:
    return "result";
  case Stream::Coefficients:
    return "coefficients";
  }
  llvm_unreachable("invalid role");
}

std::string TaskSummary::text() const {
  std::string line = (stringifyEngine(engine) + " ").str();
  if (combination)
    line += (stringifyOperation(*combination) + ", ").str();
  line += stringifyOperation(operation);
  if (kernelRows != 1 || kernelColumns != 1)
    line += llvm::formatv(" {0}x{1}", kernelRows, kernelColumns).str();
  if (bias)
    line += " + bias";
  if (post == PEPostFunction::Reciprocal)
    line += ", reciprocal";
  if (post == PEPostFunction::ReciprocalSquareRoot)
    line += ", reciprocal square root";
  if (relu)
    line += ", relu";
  if (table)
    line += ", LUT";
  if (transposed && operation != Operation::Transpose)
    line += ", transposed";
  return line + ": " + spell(input) + " -> " + spell(result);
}

TaskSummary ane::td::summarize(const RegisterImage &image) {
  return Summarizer(image).run();
}
