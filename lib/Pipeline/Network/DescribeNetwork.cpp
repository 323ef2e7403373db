//===- DescribeNetwork.cpp - From layers to a network description ---------===//

#include "Network/NetworkDescriber.h"
#include "ane/Support/Half.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/EndianStream.h"

using namespace mlir;
using namespace ane;
using namespace ane::zin;

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

uint64_t WeightFile::add(const HalfElements &elements) {
  constexpr uint64_t alignment = 64;
  uint64_t offset = llvm::alignTo(size, alignment);
  parts.push_back({offset, elements});
  size = offset + elements.size() * halfBytes;
  return offset;
}

void WeightFile::write(llvm::raw_ostream &os) const {
  uint64_t position = 0;
  for (const Part &part : parts) {
    os.write_zeros(part.offset - position);
    for (size_t i = 0, e = part.elements.size(); i < e; ++i)
      llvm::support::endian::write<uint16_t>(os, part.elements[i],
                                             llvm::endianness::little);
    position = part.offset + part.elements.size() * halfBytes;
  }
}

//===----------------------------------------------------------------------===//
// The network
//===----------------------------------------------------------------------===//

static constexpr char networkName[] = "net";

netplist::Shape ane::shapeOf(Type type) {
  ArrayRef<int64_t> extents = cast<RankedTensorType>(type).getShape();
  netplist::Shape shape;
  shape.batch = extents[0];
  shape.depth = extents[1];
  shape.channels = extents[2];
  shape.height = extents[3];
  shape.width = extents[4];
  return shape;
}

FailureOr<netplist::NetPlist> NetworkDescriber::describe() {
  network.name = networkName;
  main.name = procedure.getSymName().str();
  main.operations = {{networkName, operationName}};
  Block &block = procedure.getBody().front();
  reserveNames(block);
  for (Operation &op : block)
    if (failed(describeOp(op)))
      return failure();
  if (!weights.empty())
    network.weights = {weightFile.str()};
  netplist::NetPlist description;
  description.networks.push_back(std::move(network));
  description.procedures.push_back(std::move(main));
  return description;
}

LogicalResult NetworkDescriber::describeOp(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<ConstantOp>([](auto) { return success(); })
      .Case<zin::ReturnOp, ConvOp, MatMulOp, ElementWiseOp, ScaledElementWiseOp,
            GOCOp, NeuronOp, PoolOp, ReductionOp, SoftmaxOp, ReshapeOp,
            InputViewOp, ConcatOp, TransposeOp>(
          [&](auto known) { return describeLayer(known); })
      .Default([](Operation *other) {
        return other->emitError("this layer has no words in a network "
                                "description");
      });
}

//===----------------------------------------------------------------------===//
// Names and values
//===----------------------------------------------------------------------===//

/// Ports keep their names; units and constants find others.
void NetworkDescriber::reserveNames(Block &block) {
  for (auto [index, argument] : llvm::enumerate(block.getArguments())) {
    StringRef name = portName(procedure.getArgAttrDict(index));
    names.insert(name);
    inputs[argument] = name.str();
  }
  for (unsigned index : llvm::seq(procedure.getNumResults()))
    names.insert(portName(procedure.getResultAttrDict(index)));
}

std::string NetworkDescriber::newName(StringRef stem) {
  unsigned &count = counts[stem];
  while (true) {
    std::string name = (stem + "-" + Twine(++count)).str();
    if (names.insert(name).second)
      return name;
  }
}

FailureOr<std::string> NetworkDescriber::nameOf(Value value) {
  if (auto found = values.find(value); found != values.end())
    return found->second;
  if (auto input = inputs.find(value); input != inputs.end())
    return input->second;
  FailureOr<std::string> name = addConstant(value, shapeOf(value.getType()));
  if (succeeded(name))
    values[value] = *name;
  return name;
}

FailureOr<std::string>
NetworkDescriber::addConstant(Value value, const netplist::Shape &shape) {
  FailureOr<uint64_t> offset = store(value);
  if (failed(offset))
    return failure();
  netplist::Constant entry;
  entry.name = newName("const");
  entry.shape = shape;
  entry.offset = *offset;
  network.constants.push_back(entry);
  return entry.name;
}

FailureOr<uint64_t> NetworkDescriber::store(Value value) {
  auto constant = cast<ConstantOp>(value.getDefiningOp());
  std::optional<HalfElements> elements =
      HalfElements::get(constant.getElements());
  if (!elements)
    return constant.emitError("the elements of this constant are missing");
  return weights.add(*elements);
}

std::string NetworkDescriber::addUnit(StringRef type,
                                      std::vector<std::string> bottoms,
                                      Type result, netplist::Dict params,
                                      std::optional<uint64_t> groups) {
  netplist::Unit unit;
  unit.name = newName(type.lower());
  unit.type = type.str();
  unit.inputTypes.assign(bottoms.size(), netplist::ElementType::Float16);
  unit.outputChannels = shapeOf(result).channels;
  unit.numGroups = groups;
  unit.params = netplist::makeDict(std::move(params));
  unit.bottoms = std::move(bottoms);
  for (const auto &[argument, name] : inputs)
    if (llvm::is_contained(unit.bottoms, name)) {
      netplist::Input entry;
      entry.name = name;
      entry.shape = shapeOf(argument.getType());
      entry.unit = unit.name;
      entry.operation = operationName;
      main.inputs.push_back(std::move(entry));
    }
  network.units.push_back(std::move(unit));
  return network.units.back().name;
}

FailureOr<netplist::NetPlist> ane::describeNetwork(ProcedureOp procedure,
                                                   StringRef weightFile,
                                                   WeightFile &weights) {
  return NetworkDescriber(procedure, weightFile, weights).describe();
}
