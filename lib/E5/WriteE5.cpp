//===- WriteE5.cpp - Writes dispatch descriptors --------------------------===//
//
// Objects are made in the order in which `flatc` makes them from JSON: the
// fields of a table in the order of the schema, each with all it contains, and
// then the table. FlatBuffers leave that order to the writer; with this one
// `flatc` gives back the same bytes, and the file can be edited as text.
//
//===----------------------------------------------------------------------===//

#include "Chain.h"
#include "ane/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace ane::e5;
using llvm::Error;
namespace fb = E5RT::fb;

namespace {

template <typename T> using Offset = flatbuffers::Offset<T>;

class E5Writer {
public:
  explicit E5Writer(const Descriptor &model)
      : model(model), chain(makeChain(model)) {
    // Zeros that are left out would make the size depend on the values.
    builder.ForceDefaults(true);
  }

  llvm::StringRef write() {
    auto names = builder.CreateVectorOfStrings(symbolNames());
    auto buildInfo = makeBuildInfo();
    auto sections = makeSections();
    builder.Finish(fb::CreateE5Program(builder, names, buildInfo, sections,
                                       formatVersion));
    return {reinterpret_cast<const char *>(builder.GetBufferPointer()),
            builder.GetSize()};
  }

private:
  /// Operations, then tensors, then sections.
  std::vector<std::string> symbolNames() const {
    std::vector<std::string> symbols;
    symbols.reserve(chain.steps.size());
    for (const Step &step : chain.steps)
      symbols.push_back(step.name);
    llvm::append_range(symbols, chain.tensors);
    for (const Step &step : chain.steps) {
      symbols.push_back(step.argFrame());
      symbols.push_back(step.attrsSection());
    }
    symbols.push_back(model.function);
    return symbols;
  }

  //===--------------------------------------------------------------------===//
  // Sections
  //===--------------------------------------------------------------------===//

  Offset<flatbuffers::Vector<Offset<fb::Section>>> makeSections() {
    std::vector<Offset<fb::Section>> sections;
    for (const Step &step : chain.steps) {
      sections.push_back(makeArgFrame(step));
      sections.push_back(makeAttrs(step));
    }
    sections.push_back(makeFunction());
    return builder.CreateVector(sections);
  }

  Offset<fb::Section> makeArgFrame(const Step &step) {
    auto name = builder.CreateString(step.argFrame());
    std::vector<Offset<fb::Operand>> operands;
    std::vector<Offset<fb::IOPort>> ports;
    if (step.port) {
      std::vector<bool> hostFirst = {step.isInput, !step.isInput};
      for (bool isHost : hostFirst)
        operands.push_back(
            fb::CreateOperand(builder, isHost ? hostDescriptor(*step.port)
                                              : surfaceDescriptor(*step.port)));
    }
    for (const Port *port : step.uncast)
      operands.push_back(fb::CreateOperand(builder, surfaceDescriptor(*port)));
    for (const HostTensor *tensor : step.tensors)
      operands.push_back(makeOperand(*tensor));
    auto operandVector = builder.CreateVector(operands);
    ports.reserve(step.surfaces.size());
    for (const Port *port : step.surfaces)
      ports.push_back(makePort(*port));
    auto portVector = builder.CreateVector(ports);
    auto aliases = builder.CreateVector(std::vector<Offset<fb::AliasSymbol>>());
    return fb::CreateSection(builder, name, fb::SectionKind::ArgFrame,
                             operandVector, portVector, aliases);
  }

  Offset<fb::Section> makeAttrs(const Step &step) {
    auto name = builder.CreateString(step.attrsSection());
    auto make = [&](fb::OpAttrs type, Offset<void> attrs) {
      return fb::CreateSection(builder, name, fb::SectionKind::OpAttrs, 0, 0, 0,
                               type, attrs);
    };
    switch (step.type) {
    case fb::OpType::Cast:
      return make(fb::OpAttrs::CastAttrs, makeCastAttrs(step).Union());
    case fb::OpType::AneInference:
      return make(fb::OpAttrs::AneInferenceAttrs,
                  makeInferenceAttrs(step.procedure).Union());
    default:
      return make(fb::OpAttrs::CpuInferenceAttrs,
                  makeCpuAttrs(*step.stage).Union());
    }
  }

  Offset<fb::Section> makeFunction() {
    auto sectionName = builder.CreateString(model.function);
    Offset<flatbuffers::Vector<Offset<fb::Operand>>> operands = 0;
    Offset<flatbuffers::Vector<Offset<fb::AliasSymbol>>> aliases = 0;
    if (model.isPartitioned()) {
      operands = makeInputs();
      aliases = makeAliases();
    }
    auto name = builder.CreateString(model.function);
    auto path = builder.CreateString(model.containerPath);
    auto blockName = builder.CreateString("block0");
    std::vector<Offset<fb::Operation>> operations;
    operations.reserve(chain.steps.size());
    for (const Step &step : chain.steps)
      operations.push_back(fb::CreateOperationDirect(
          builder, step.name.c_str(), step.type, &step.inputs, &step.outputs,
          step.argFrame().c_str(), step.attrsSection().c_str()));
    auto operationVector = builder.CreateVector(operations);
    std::vector<Offset<fb::Block>> blocks = {
        fb::CreateBlock(builder, blockName, operationVector)};
    auto blockVector = builder.CreateVector(blocks);
    auto function = fb::CreateFunction(builder, name, path, blockVector);
    return fb::CreateSection(builder, sectionName, fb::SectionKind::Function,
                             operands, 0, aliases, fb::OpAttrs::NONE, 0,
                             function);
  }

  /// The inputs of a program that was cut.
  Offset<flatbuffers::Vector<Offset<fb::Operand>>> makeInputs() {
    std::vector<Offset<fb::Operand>> operands;
    const Partition &partition = model.partition;
    for (size_t input : llvm::seq(partition.numInputs))
      operands.push_back(makeOperand(partition.tensors[input]));
    return builder.CreateVector(operands);
  }

  /// Their names, and those of the outputs.
  Offset<flatbuffers::Vector<Offset<fb::AliasSymbol>>> makeAliases() {
    std::vector<Offset<fb::AliasSymbol>> aliases;
    auto add = [&](const std::string &name, size_t tensor) {
      aliases.push_back(fb::CreateAliasSymbolDirect(
          builder, name.c_str(), chain.symbol(tensor), /*addr_offset=*/0));
    };
    const Partition &partition = model.partition;
    for (size_t input : llvm::seq(partition.numInputs))
      add(partition.tensors[input].name, input);
    for (const PartitionOutput &output : partition.outputs)
      add(output.name, output.tensor);
    return builder.CreateVector(aliases);
  }

  //===--------------------------------------------------------------------===//
  // What sections contain
  //===--------------------------------------------------------------------===//

  Offset<fb::TensorDescriptor> makeDescriptor(llvm::ArrayRef<uint64_t> shape,
                                              llvm::ArrayRef<uint64_t> strides,
                                              const EngineShape &engine,
                                              TensorDataType type) {
    auto dims = builder.CreateVector(shape.data(), shape.size());
    auto steps = builder.CreateVector(strides.data(), strides.size());
    return fb::CreateTensorDescriptor(
        builder, dims, steps, engine.width, engine.height, engine.channels,
        engine.batch, engine.depth, engine.strideWidth, engine.strideHeight,
        engine.strideChannels, engine.strideBatch, engine.strideDepth,
        fb::TensorDataType(type), componentPack);
  }

  /// An array of the host; without strides a dense row-major one.
  Offset<fb::TensorDescriptor>
  hostDescriptor(llvm::ArrayRef<uint64_t> shape, TensorDataType type,
                 llvm::ArrayRef<uint64_t> strides = {}) {
    EngineShape none = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    if (!strides.empty())
      return makeDescriptor(shape, strides, none, type);
    return makeDescriptor(shape, denseStrides(shape, type), none, type);
  }
  Offset<fb::TensorDescriptor> hostDescriptor(const Port &port) {
    return hostDescriptor(port.shape, port.hostType, port.hostStrides);
  }

  Offset<fb::Operand> makeOperand(const HostTensor &tensor) {
    return fb::CreateOperand(builder,
                             hostDescriptor(tensor.shape, tensor.type));
  }

  Offset<fb::TensorDescriptor> surfaceDescriptor(const Port &port) {
    return makeDescriptor(port.shape, port.strides, port.engine,
                          port.deviceType);
  }

  Offset<fb::CastAttrs> makeCastAttrs(const Step &step) {
    TensorDataType source = step.port->hostType;
    TensorDataType destination = step.port->deviceType;
    if (!step.isInput)
      std::swap(source, destination);
    return fb::CreateCastAttrs(builder, fb::TensorDataType(source),
                               fb::TensorDataType(destination), componentPack);
  }

  Offset<fb::AneInferenceAttrs> makeInferenceAttrs(llvm::StringRef name) {
    auto procedure = builder.CreateString(name.data(), name.size());
    auto hash = builder.CreateString(model.containerHash);
    auto program = builder.CreateString(model.function);
    auto options = builder.CreateString(model.compilerOptions);
    return fb::CreateAneInferenceAttrs(builder, procedure, hash, program,
                                       /*intermediate_buffer_handle=*/0,
                                       options);
  }

  Offset<fb::CpuInferenceAttrs> makeCpuAttrs(const Stage &stage) {
    auto text = builder.CreateString(stage.text);
    auto weights = builder.CreateVector(
        reinterpret_cast<const uint8_t *>(stage.weights.data()),
        stage.weights.size());
    return fb::CreateCpuInferenceAttrs(builder, text, weights);
  }

  Offset<fb::IOPort> makePort(const Port &port) {
    auto name = builder.CreateString(port.name);
    return fb::CreateIOPort(builder, name, port.byteSize, port.address);
  }

  Offset<fb::BuildInfo> makeBuildInfo() {
    std::vector<Offset<fb::BuildInfoEntry>> entries;
    entries.reserve(model.buildInfo.size());
    auto add = [&](const std::string &key, const std::string &value) {
      entries.push_back(
          fb::CreateBuildInfoEntryDirect(builder, key.c_str(), value.c_str()));
    };
    for (const auto &[key, value] : model.buildInfo)
      add(key, value);
    auto addInput = [&](const auto &input, bool isShared) {
      if (input.limit)
        add(inputLimitKey.str() + input.name, formatLimit(*input.limit));
      if (input.isState)
        add(stateKey.str() + input.name,
            (isShared ? sharedState : zeroState).str());
    };
    for (const Port &input : model.inputs)
      addInput(input, input.isShared);
    for (const HostTensor &tensor : model.partition.tensors)
      addInput(tensor, /*isShared=*/false);
    return fb::CreateBuildInfoDirect(builder, &entries);
  }

  /// Components of one element; surfaces here are never packed.
  static constexpr int32_t componentPack = 1;

  const Descriptor &model;
  flatbuffers::FlatBufferBuilder builder;
  Chain chain;
};

} // namespace

Error ane::e5::writeE5(const Descriptor &descriptor, llvm::raw_ostream &os) {
  if (std::string problem = checkDescriptor(descriptor); !problem.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(), problem);
  E5Writer writer(descriptor);
  os << writer.write();
  return Error::success();
}

Error ane::e5::writeE5(const Descriptor &descriptor, llvm::StringRef path,
                       llvm::function_ref<Error()> then) {
  return writeOutputFile(
      path, [&](llvm::raw_ostream &os) { return writeE5(descriptor, os); },
      then);
}
