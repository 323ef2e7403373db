//===- DescribeNetwork.h - From layers to a network description -*- C++ -*-===//

#ifndef ANE_LIB_PIPELINE_NETWORK_DESCRIBENETWORK_H
#define ANE_LIB_PIPELINE_NETWORK_DESCRIBENETWORK_H

#include "ane/Dialect/Zin/IR/HalfElements.h"
#include "ane/Dialect/Zin/IR/Zin.h"
#include "ane/NetPlist/NetPlist.h"

namespace ane {

/// The coefficients of a network, in the order in which they lie in the file.
/// Refers to constants of the IR.
class WeightFile {
public:
  /// Adds a constant and returns its offset, a multiple of 64 bytes.
  uint64_t add(const zin::HalfElements &elements);

  bool empty() const { return parts.empty(); }
  void write(llvm::raw_ostream &os) const;

private:
  struct Part {
    uint64_t offset;
    zin::HalfElements elements;
  };
  std::vector<Part> parts;
  uint64_t size = 0;
};

/// Describes a procedure of layers as one network. Constants go to `weights`,
/// which the description calls `weightFile`. Reports at the layer what has no
/// words in a description.
llvm::FailureOr<netplist::NetPlist> describeNetwork(zin::ProcedureOp procedure,
                                                    llvm::StringRef weightFile,
                                                    WeightFile &weights);

} // namespace ane

#endif // ANE_LIB_PIPELINE_NETWORK_DESCRIBENETWORK_H
