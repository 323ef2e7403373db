//===- Chain.cpp - The operations of a descriptor -------------------------===//

#include "Chain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace ane::e5;
namespace fb = E5RT::fb;

namespace {

class ChainBuilder {
public:
  ChainBuilder(const Descriptor &model, size_t numSteps) : model(model) {
    // Symbols are counted from the number of operations on.
    chain.steps.resize(numSteps);
  }

  Chain makeSingle();
  Chain makePartitioned();

private:
  static llvm::StringRef kindName(fb::OpType type) {
    switch (type) {
    case fb::OpType::Cast:
      return "Cast";
    case fb::OpType::AneInference:
      return "AneInference";
    default:
      return "CpuInference";
    }
  }

  Step &add(fb::OpType type) {
    Step &step = chain.steps[numAdded];
    step.type = type;
    step.name = ("Op" + llvm::Twine(numAdded++) + "_" + kindName(type)).str();
    return step;
  }

  uint32_t addTensor(std::string name) {
    chain.tensors.push_back(std::move(name));
    return chain.symbol(chain.tensors.size() - 1);
  }

  void addCast(const Port &port, bool isInput, uint32_t host,
               uint32_t surface) {
    Step &step = add(fb::OpType::Cast);
    step.port = &port;
    step.isInput = isInput;
    step.inputs = {isInput ? host : surface};
    step.outputs = {isInput ? surface : host};
  }

  /// A tensor of the host has a symbol and its surface has the next one; an
  /// intermediate has one.
  uint32_t hostSymbol(const PortRef &ref) const {
    switch (ref.kind) {
    case PortKind::Input:
      return chain.symbol(2 * ref.index);
    case PortKind::Output:
      return chain.symbol(2 * (model.inputs.size() + ref.index));
    case PortKind::Intermediate:
      break;
    }
    return chain.symbol(2 * (model.inputs.size() + model.outputs.size()) +
                        ref.index);
  }
  uint32_t surfaceSymbol(const PortRef &ref) const {
    return hostSymbol(ref) + (ref.kind == PortKind::Intermediate ? 0 : 1);
  }

  void addEngineStage(const Stage &stage);
  void addCpuStage(const Stage &stage);

  const Descriptor &model;
  Chain chain;
  size_t numAdded = 0;
};

std::string surfaceName(const Port &port) { return port.name + "_ane"; }

} // namespace

Chain ChainBuilder::makeSingle() {
  for (const std::vector<Port> *ports : {&model.inputs, &model.outputs})
    for (const Port &port : *ports) {
      addTensor(port.name);
      addTensor(surfaceName(port));
    }
  for (const Port &port : model.intermediates)
    addTensor(port.name);

  auto addCasts = [&](PortKind kind, const std::vector<Port> &ports) {
    for (auto [index, port] : llvm::enumerate(ports)) {
      PortRef ref = {kind, index};
      addCast(port, kind == PortKind::Input, hostSymbol(ref),
              surfaceSymbol(ref));
    }
  };
  addCasts(PortKind::Input, model.inputs);
  for (const Segment &segment : model.segments) {
    Step &step = add(fb::OpType::AneInference);
    step.procedure = segment.procedure;
    auto addSurfaces = [&](const std::vector<PortRef> &refs,
                           std::vector<uint32_t> &symbols) {
      for (const PortRef &ref : refs) {
        symbols.push_back(surfaceSymbol(ref));
        step.surfaces.push_back(&model.port(ref));
        if (ref.kind == PortKind::Intermediate)
          step.uncast.push_back(&model.port(ref));
      }
    };
    addSurfaces(segment.inputs, step.inputs);
    addSurfaces(segment.outputs, step.outputs);
  }
  addCasts(PortKind::Output, model.outputs);
  return std::move(chain);
}

void ChainBuilder::addEngineStage(const Stage &stage) {
  auto addSurfaces = [&](const std::vector<Port> &ports) {
    std::vector<uint32_t> symbols;
    symbols.reserve(ports.size());
    for (const Port &port : ports)
      symbols.push_back(addTensor(surfaceName(port)));
    return symbols;
  };
  std::vector<uint32_t> inputs = addSurfaces(stage.inputPorts);
  std::vector<uint32_t> outputs = addSurfaces(stage.outputPorts);
  for (auto [port, tensor, surface] :
       llvm::zip_equal(stage.inputPorts, stage.inputs, inputs))
    addCast(port, /*isInput=*/true, chain.symbol(tensor), surface);
  Step &step = add(fb::OpType::AneInference);
  step.procedure = stage.procedure;
  step.inputs = inputs;
  step.outputs = outputs;
  for (const std::vector<Port> *ports : {&stage.inputPorts, &stage.outputPorts})
    for (const Port &port : *ports)
      step.surfaces.push_back(&port);
  for (auto [port, tensor, surface] :
       llvm::zip_equal(stage.outputPorts, stage.outputs, outputs))
    addCast(port, /*isInput=*/false, chain.symbol(tensor), surface);
}

void ChainBuilder::addCpuStage(const Stage &stage) {
  Step &step = add(fb::OpType::CpuInference);
  step.stage = &stage;
  auto addTensors = [&](const std::vector<size_t> &tensors,
                        std::vector<uint32_t> &symbols) {
    for (size_t tensor : tensors) {
      symbols.push_back(chain.symbol(tensor));
      step.tensors.push_back(&model.partition.tensors[tensor]);
    }
  };
  addTensors(stage.inputs, step.inputs);
  addTensors(stage.outputs, step.outputs);
}

Chain ChainBuilder::makePartitioned() {
  for (const HostTensor &tensor : model.partition.tensors)
    addTensor(tensor.name);
  for (const Stage &stage : model.partition.stages)
    stage.isEngine() ? addEngineStage(stage) : addCpuStage(stage);
  return std::move(chain);
}

Chain ane::e5::makeChain(const Descriptor &model) {
  if (!model.isPartitioned())
    return ChainBuilder(model, model.inputs.size() + model.segments.size() +
                                   model.outputs.size())
        .makeSingle();
  size_t numSteps = 0;
  for (const Stage &stage : model.partition.stages)
    numSteps += 1 + stage.inputPorts.size() + stage.outputPorts.size();
  return ChainBuilder(model, numSteps).makePartitioned();
}
