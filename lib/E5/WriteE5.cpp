//===- WriteE5.cpp - Writes dispatch descriptors --------------------------===//

#include "CheckE5.h"
#include "ane/E5/E5_generated.h"
#include "ane/Support/OutputFile.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/Twine.h"

using namespace ane::e5;
using llvm::Error;
using llvm::Twine;
namespace fb = E5RT::fb;

namespace {

template <typename T> using Offset = flatbuffers::Offset<T>;

class E5Writer {
public:
  explicit E5Writer(const Descriptor &model) : model(model) {
    // Zeros that are left out would make the size depend on the values.
    builder.ForceDefaults(true);
  }

  llvm::StringRef write() {
    nameSymbols();
    uint32_t operation = 0;
    for (size_t index : llvm::seq(model.inputs.size())) {
      const Port &port = model.inputs[index];
      addCast(operation++, hostDescriptor(port), port.hostType,
              surfaceDescriptor(port), port.deviceType, inputSymbol(index),
              inputSymbol(index) + 1);
    }
    addInference(operation++);
    for (size_t index : llvm::seq(model.outputs.size())) {
      const Port &port = model.outputs[index];
      addCast(operation++, surfaceDescriptor(port), port.deviceType,
              hostDescriptor(port), port.hostType, outputSymbol(index) + 1,
              outputSymbol(index));
    }
    addFunction();

    auto sectionVector = builder.CreateVector(sections);
    auto buildInfo = makeBuildInfo();
    auto names = builder.CreateVectorOfStrings(symbols);
    builder.Finish(fb::CreateE5Program(builder, names, buildInfo, sectionVector,
                                       formatVersion));
    return {reinterpret_cast<const char *>(builder.GetBufferPointer()),
            builder.GetSize()};
  }

private:
  size_t operationCount() const {
    return model.inputs.size() + 1 + model.outputs.size();
  }

  /// Symbols of a tensor on the host; the one of its surface follows.
  uint32_t inputSymbol(size_t index) const {
    return operationCount() + 2 * index;
  }
  uint32_t outputSymbol(size_t index) const {
    return inputSymbol(model.inputs.size()) + 2 * index;
  }

  std::string operationName(size_t index) const {
    bool isInference = index == model.inputs.size();
    return ("Op" + Twine(index) + (isInference ? "_AneInference" : "_Cast"))
        .str();
  }
  static std::string argFrameName(const std::string &operation) {
    return operation + "__arg_frame";
  }
  static std::string attrsName(const std::string &operation) {
    return operation + "__op_attrs";
  }

  /// Operations, then tensors, then sections.
  void nameSymbols() {
    for (size_t index : llvm::seq(operationCount()))
      symbols.push_back(operationName(index));
    for (const std::vector<Port> *ports : {&model.inputs, &model.outputs})
      for (const Port &port : *ports) {
        symbols.push_back(port.name);
        symbols.push_back(port.name + "_ane");
      }
    for (size_t index : llvm::seq(operationCount())) {
      symbols.push_back(argFrameName(operationName(index)));
      symbols.push_back(attrsName(operationName(index)));
    }
    symbols.push_back(model.function);
  }

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

  /// A dense row-major array.
  Offset<fb::TensorDescriptor> hostDescriptor(const Port &port) {
    llvm::SmallVector<uint64_t, 5> strides(port.shape.size());
    uint64_t stride = byteSize(port.hostType);
    for (size_t axis = port.shape.size(); axis-- > 0;) {
      strides[axis] = stride;
      stride *= port.shape[axis];
    }
    EngineShape none = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    return makeDescriptor(port.shape, strides, none, port.hostType);
  }

  Offset<fb::TensorDescriptor> surfaceDescriptor(const Port &port) {
    return makeDescriptor(port.shape, port.strides, port.engine,
                          port.deviceType);
  }

  void addCast(uint32_t index, Offset<fb::TensorDescriptor> source,
               TensorDataType sourceType,
               Offset<fb::TensorDescriptor> destination,
               TensorDataType destinationType, uint32_t input,
               uint32_t output) {
    auto attrs =
        fb::CreateCastAttrs(builder, fb::TensorDataType(sourceType),
                            fb::TensorDataType(destinationType), componentPack);
    addOperation(index, fb::OpType::Cast, {input}, {output},
                 {fb::CreateOperand(builder, source),
                  fb::CreateOperand(builder, destination)},
                 {}, fb::OpAttrs::CastAttrs, attrs.Union());
  }

  void addInference(uint32_t index) {
    std::vector<uint32_t> inputs, outputs;
    std::vector<Offset<fb::IOPort>> ports;
    for (size_t i : llvm::seq(model.inputs.size())) {
      inputs.push_back(inputSymbol(i) + 1);
      ports.push_back(makePort(model.inputs[i]));
    }
    for (size_t i : llvm::seq(model.outputs.size())) {
      outputs.push_back(outputSymbol(i) + 1);
      ports.push_back(makePort(model.outputs[i]));
    }
    auto procedure = builder.CreateString(model.procedure);
    auto hash = builder.CreateString(model.containerHash);
    auto program = builder.CreateString(model.function);
    auto options = builder.CreateString(model.compilerOptions);
    auto attrs =
        fb::CreateAneInferenceAttrs(builder, procedure, hash, program,
                                    /*intermediate_buffer_handle=*/0, options);
    addOperation(index, fb::OpType::AneInference, inputs, outputs, {}, ports,
                 fb::OpAttrs::AneInferenceAttrs, attrs.Union());
  }

  Offset<fb::IOPort> makePort(const Port &port) {
    auto name = builder.CreateString(port.name);
    return fb::CreateIOPort(builder, name, port.byteSize, port.address);
  }

  void addOperation(uint32_t index, fb::OpType type,
                    const std::vector<uint32_t> &inputs,
                    const std::vector<uint32_t> &outputs,
                    const std::vector<Offset<fb::Operand>> &operands,
                    const std::vector<Offset<fb::IOPort>> &ports,
                    fb::OpAttrs attrsType, Offset<void> attrs) {
    std::string name = operationName(index);
    std::vector<Offset<fb::AliasSymbol>> aliases;
    sections.push_back(fb::CreateSectionDirect(
        builder, argFrameName(name).c_str(), fb::SectionKind::ArgFrame,
        &operands, &ports, &aliases));
    sections.push_back(fb::CreateSectionDirect(
        builder, attrsName(name).c_str(), fb::SectionKind::OpAttrs, nullptr,
        nullptr, nullptr, attrsType, attrs));
    operations.push_back(fb::CreateOperationDirect(
        builder, name.c_str(), type, &inputs, &outputs,
        argFrameName(name).c_str(), attrsName(name).c_str()));
  }

  void addFunction() {
    std::vector<Offset<fb::Block>> blocks = {
        fb::CreateBlockDirect(builder, "block0", &operations)};
    auto function = fb::CreateFunctionDirect(
        builder, model.function.c_str(), model.containerPath.c_str(), &blocks);
    sections.push_back(fb::CreateSectionDirect(
        builder, model.function.c_str(), fb::SectionKind::Function, nullptr,
        nullptr, nullptr, fb::OpAttrs::NONE, 0, function));
  }

  Offset<fb::BuildInfo> makeBuildInfo() {
    std::vector<Offset<fb::BuildInfoEntry>> entries;
    entries.reserve(model.buildInfo.size());
    for (const auto &[key, value] : model.buildInfo)
      entries.push_back(
          fb::CreateBuildInfoEntryDirect(builder, key.c_str(), value.c_str()));
    return fb::CreateBuildInfoDirect(builder, &entries);
  }

  /// Components of one element; surfaces here are never packed.
  static constexpr int32_t componentPack = 1;

  const Descriptor &model;
  flatbuffers::FlatBufferBuilder builder;
  std::vector<std::string> symbols;
  std::vector<Offset<fb::Section>> sections;
  std::vector<Offset<fb::Operation>> operations;
};

} // namespace

Error ane::e5::writeE5(const Descriptor &descriptor, llvm::raw_ostream &os) {
  std::string problem = checkProgram(descriptor);
  for (const std::vector<Port> *ports :
       {&descriptor.inputs, &descriptor.outputs})
    for (const Port &port : *ports)
      if (problem.empty())
        problem = checkPort(port);
  if (!problem.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(), problem);
  E5Writer writer(descriptor);
  os << writer.write();
  return Error::success();
}

Error ane::e5::writeE5(const Descriptor &descriptor, llvm::StringRef path) {
  return writeOutputFile(
      path, [&](llvm::raw_ostream &os) { return writeE5(descriptor, os); });
}
