//===- WriteE5.cpp - Writes dispatch descriptors --------------------------===//
//
// Objects are made in the order in which `flatc` makes them from JSON: the
// fields of a table in the order of the schema, each with all it contains, and
// then the table. FlatBuffers leave that order to the writer; with this one
// `flatc` gives back the same bytes, and the file can be edited as text.
//
//===----------------------------------------------------------------------===//

#include "CheckE5.h"
#include "ane/E5/E5_generated.h"
#include "ane/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/Twine.h"

using namespace ane::e5;
using llvm::Error;
using llvm::Twine;
namespace fb = E5RT::fb;

namespace {

template <typename T> using Offset = flatbuffers::Offset<T>;

/// One operation of the chain, as far as it is known before anything is built.
struct Step {
  fb::OpType type = fb::OpType::Cast;
  std::string name;
  std::vector<uint32_t> inputs, outputs; ///< symbols
  const Port *port = nullptr;            ///< of a Cast
  bool isInput = false;                  ///< of a Cast: host to surface
  const Segment *segment = nullptr;      ///< of an inference

  std::string argFrame() const { return name + argFrameSuffix.str(); }
  std::string attrsSection() const { return name + attrsSuffix.str(); }
};

class E5Writer {
public:
  explicit E5Writer(const Descriptor &model) : model(model) {
    // Zeros that are left out would make the size depend on the values.
    builder.ForceDefaults(true);
  }

  llvm::StringRef write() {
    makeSteps();
    auto names = builder.CreateVectorOfStrings(symbolNames());
    auto buildInfo = makeBuildInfo();
    auto sections = makeSections();
    builder.Finish(fb::CreateE5Program(builder, names, buildInfo, sections,
                                       formatVersion));
    return {reinterpret_cast<const char *>(builder.GetBufferPointer()),
            builder.GetSize()};
  }

private:
  //===--------------------------------------------------------------------===//
  // Operations and symbols
  //===--------------------------------------------------------------------===//

  size_t operationCount() const {
    return model.inputs.size() + model.segments.size() + model.outputs.size();
  }

  /// A tensor of the host has a symbol and its surface has the next one; an
  /// intermediate has one.
  uint32_t hostSymbol(const PortRef &ref) const {
    uint32_t first = operationCount();
    switch (ref.kind) {
    case PortKind::Input:
      return first + 2 * ref.index;
    case PortKind::Output:
      return first + 2 * (model.inputs.size() + ref.index);
    case PortKind::Intermediate:
      break;
    }
    return first + 2 * (model.inputs.size() + model.outputs.size()) + ref.index;
  }
  uint32_t surfaceSymbol(const PortRef &ref) const {
    return hostSymbol(ref) + (ref.kind == PortKind::Intermediate ? 0 : 1);
  }

  void makeSteps() {
    auto add = [&](fb::OpType type) -> Step & {
      Step &step = steps.emplace_back();
      step.type = type;
      step.name = ("Op" + Twine(steps.size() - 1) + "_" +
                   (type == fb::OpType::Cast ? "Cast" : "AneInference"))
                      .str();
      return step;
    };
    for (size_t index : llvm::seq(model.inputs.size())) {
      PortRef ref = {PortKind::Input, index};
      Step &step = add(fb::OpType::Cast);
      step.port = &model.inputs[index];
      step.isInput = true;
      step.inputs = {hostSymbol(ref)};
      step.outputs = {surfaceSymbol(ref)};
    }
    for (const Segment &segment : model.segments) {
      Step &step = add(fb::OpType::AneInference);
      step.segment = &segment;
      for (const PortRef &ref : segment.inputs)
        step.inputs.push_back(surfaceSymbol(ref));
      for (const PortRef &ref : segment.outputs)
        step.outputs.push_back(surfaceSymbol(ref));
    }
    for (size_t index : llvm::seq(model.outputs.size())) {
      PortRef ref = {PortKind::Output, index};
      Step &step = add(fb::OpType::Cast);
      step.port = &model.outputs[index];
      step.inputs = {surfaceSymbol(ref)};
      step.outputs = {hostSymbol(ref)};
    }
  }

  /// Operations, then tensors, then sections.
  std::vector<std::string> symbolNames() const {
    std::vector<std::string> symbols;
    symbols.reserve(steps.size());
    for (const Step &step : steps)
      symbols.push_back(step.name);
    for (const std::vector<Port> *ports : {&model.inputs, &model.outputs})
      for (const Port &port : *ports) {
        symbols.push_back(port.name);
        symbols.push_back(port.name + "_ane");
      }
    for (const Port &port : model.intermediates)
      symbols.push_back(port.name);
    for (const Step &step : steps) {
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
    for (const Step &step : steps) {
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
    } else {
      for (const PortRef &ref : portsOf(*step.segment))
        if (ref.kind == PortKind::Intermediate)
          operands.push_back(
              fb::CreateOperand(builder, surfaceDescriptor(model.port(ref))));
    }
    auto operandVector = builder.CreateVector(operands);
    if (step.segment)
      for (const PortRef &ref : portsOf(*step.segment))
        ports.push_back(makePort(model.port(ref)));
    auto portVector = builder.CreateVector(ports);
    auto aliases = builder.CreateVector(std::vector<Offset<fb::AliasSymbol>>());
    return fb::CreateSection(builder, name, fb::SectionKind::ArgFrame,
                             operandVector, portVector, aliases);
  }

  Offset<fb::Section> makeAttrs(const Step &step) {
    auto name = builder.CreateString(step.attrsSection());
    fb::OpAttrs type =
        step.port ? fb::OpAttrs::CastAttrs : fb::OpAttrs::AneInferenceAttrs;
    Offset<void> attrs = step.port ? makeCastAttrs(step).Union()
                                   : makeInferenceAttrs(*step.segment).Union();
    return fb::CreateSection(builder, name, fb::SectionKind::OpAttrs, 0, 0, 0,
                             type, attrs);
  }

  Offset<fb::Section> makeFunction() {
    auto sectionName = builder.CreateString(model.function);
    auto name = builder.CreateString(model.function);
    auto path = builder.CreateString(model.containerPath);
    auto blockName = builder.CreateString("block0");
    std::vector<Offset<fb::Operation>> operations;
    operations.reserve(steps.size());
    for (const Step &step : steps)
      operations.push_back(fb::CreateOperationDirect(
          builder, step.name.c_str(), step.type, &step.inputs, &step.outputs,
          step.argFrame().c_str(), step.attrsSection().c_str()));
    auto operationVector = builder.CreateVector(operations);
    std::vector<Offset<fb::Block>> blocks = {
        fb::CreateBlock(builder, blockName, operationVector)};
    auto blockVector = builder.CreateVector(blocks);
    auto function = fb::CreateFunction(builder, name, path, blockVector);
    return fb::CreateSection(builder, sectionName, fb::SectionKind::Function, 0,
                             0, 0, fb::OpAttrs::NONE, 0, function);
  }

  //===--------------------------------------------------------------------===//
  // What sections contain
  //===--------------------------------------------------------------------===//

  static std::vector<PortRef> portsOf(const Segment &segment) {
    std::vector<PortRef> refs = segment.inputs;
    llvm::append_range(refs, segment.outputs);
    return refs;
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

  Offset<fb::CastAttrs> makeCastAttrs(const Step &step) {
    TensorDataType source = step.port->hostType;
    TensorDataType destination = step.port->deviceType;
    if (!step.isInput)
      std::swap(source, destination);
    return fb::CreateCastAttrs(builder, fb::TensorDataType(source),
                               fb::TensorDataType(destination), componentPack);
  }

  Offset<fb::AneInferenceAttrs> makeInferenceAttrs(const Segment &segment) {
    auto procedure = builder.CreateString(segment.procedure);
    auto hash = builder.CreateString(model.containerHash);
    auto program = builder.CreateString(model.function);
    auto options = builder.CreateString(model.compilerOptions);
    return fb::CreateAneInferenceAttrs(builder, procedure, hash, program,
                                       /*intermediate_buffer_handle=*/0,
                                       options);
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
    for (const Port &port : model.inputs)
      if (port.limit)
        add(inputLimitKey.str() + port.name, std::to_string(*port.limit));
    return fb::CreateBuildInfoDirect(builder, &entries);
  }

  /// Components of one element; surfaces here are never packed.
  static constexpr int32_t componentPack = 1;

  const Descriptor &model;
  flatbuffers::FlatBufferBuilder builder;
  std::vector<Step> steps;
};

} // namespace

Error ane::e5::writeE5(const Descriptor &descriptor, llvm::raw_ostream &os) {
  std::string problem = checkProgram(descriptor);
  for (const std::vector<Port> *ports :
       {&descriptor.inputs, &descriptor.outputs, &descriptor.intermediates})
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
