//===- NetworkDescriber.h - Describes a procedure layer by layer *- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_NETWORK_NETWORKDESCRIBER_H
#define ANE_LIB_PIPELINE_NETWORK_NETWORKDESCRIBER_H

#include "Network/DescribeNetwork.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace ane {

class NetworkDescriber {
public:
  NetworkDescriber(zin::ProcedureOp procedure, llvm::StringRef weightFile,
                   WeightFile &weights)
      : procedure(procedure), weightFile(weightFile), weights(weights) {}

  llvm::FailureOr<netplist::NetPlist> describe();

private:
  llvm::LogicalResult describeOp(mlir::Operation &op);

  // One for each layer, in DescribeLayers.cpp.
  llvm::LogicalResult describeLayer(zin::ConvOp op);
  llvm::LogicalResult describeLayer(zin::MatMulOp op);
  llvm::LogicalResult describeLayer(zin::ElementWiseOp op);
  llvm::LogicalResult describeLayer(zin::ScaledElementWiseOp op);
  llvm::LogicalResult describeLayer(zin::GOCOp op);
  llvm::LogicalResult describeLayer(zin::NeuronOp op);
  llvm::LogicalResult describeLayer(zin::PoolOp op);
  llvm::LogicalResult describeLayer(zin::ReductionOp op);
  llvm::LogicalResult describeLayer(zin::SoftmaxOp op);
  llvm::LogicalResult describeLayer(zin::ReshapeOp op);
  llvm::LogicalResult describeLayer(zin::InputViewOp op);
  llvm::LogicalResult describeLayer(zin::ConcatOp op);
  llvm::LogicalResult describeLayer(zin::TransposeOp op);
  llvm::LogicalResult describeLayer(zin::ReturnOp op);

  /// Ends a layer whose result is so far that of the unit `name`.
  llvm::LogicalResult addEpilogue(mlir::Operation *op, std::string name,
                                  mlir::FloatAttr scale,
                                  zin::NeuronAttr activation);

  /// bottom * scale + bias, each where it is given.
  std::string addGOC(const std::string &bottom, mlir::Type type,
                     mlir::FloatAttr scale, mlir::FloatAttr bias);

  /// A part of `bottom` along one dimension.
  std::string addView(const std::string &bottom, int axis, int64_t begin,
                      int64_t stride, mlir::RankedTensorType type);

  /// Adds a unit that reads `bottoms` and names it after its type. Inputs of
  /// the network are passed to each unit that reads them.
  std::string addUnit(llvm::StringRef type, std::vector<std::string> bottoms,
                      mlir::Type result, netplist::Dict params,
                      std::optional<uint64_t> groups = std::nullopt);

  /// The same for an op with the unit of the table of units.
  template <typename OpT>
  llvm::LogicalResult addLayer(OpT op, mlir::ValueRange operands,
                               netplist::Dict params) {
    std::vector<std::string> bottoms;
    for (mlir::Value operand : operands) {
      llvm::FailureOr<std::string> name = nameOf(operand);
      if (failed(name))
        return llvm::failure();
      bottoms.push_back(*name);
    }
    values[op.getResult()] =
        addUnit(zin::stringifyUnitType(OpT::getUnitType()), std::move(bottoms),
                op.getType(), std::move(params));
    return llvm::success();
  }

  /// The name under which a unit reads a value.
  llvm::FailureOr<std::string> nameOf(mlir::Value value);

  /// The name of a new constant with the elements of one of the IR.
  llvm::FailureOr<std::string> addConstant(mlir::Value value,
                                           const netplist::Shape &shape);

  /// Puts a constant into the file of weights.
  llvm::FailureOr<uint64_t> store(mlir::Value value);

  void reserveNames(mlir::Block &block);
  std::string newName(llvm::StringRef stem);

  zin::ProcedureOp procedure;
  llvm::StringRef weightFile;
  WeightFile &weights;
  netplist::Network network;
  netplist::Procedure main;
  llvm::StringSet<> names;
  llvm::StringMap<unsigned> counts; ///< of names, by stem
  llvm::MapVector<mlir::Value, std::string> inputs;
  llvm::DenseMap<mlir::Value, std::string> values;
};

/// The one operation of the procedure.
inline constexpr char operationName[] = "op0";

/// The name of a port of a procedure.
inline llvm::StringRef portName(mlir::DictionaryAttr attrs) {
  return attrs.getAs<mlir::StringAttr>(zin::ProcedureOp::portNameAttrName)
      .getValue();
}

/// Of a value of [batch, depth, channels, rows, columns].
netplist::Shape shapeOf(mlir::Type type);

} // namespace ane

#endif // ANE_LIB_PIPELINE_NETWORK_NETWORKDESCRIBER_H
