//===- Chain.h - The operations of a descriptor -----------------*- C++ -*-===//
//
// A descriptor as the chain of operations that its file holds, before anything
// of the file is made.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_E5_CHAIN_H
#define ANE_LIB_E5_CHAIN_H

#include "CheckE5.h"
#include "ane/E5/E5_generated.h"

namespace ane::e5 {

/// One operation.
struct Step {
  E5RT::fb::OpType type = E5RT::fb::OpType::Cast;
  std::string name;
  std::vector<uint32_t> inputs, outputs;   ///< symbols
  const Port *port = nullptr;              ///< of a Cast
  bool isInput = false;                    ///< of a Cast: host to surface
  llvm::StringRef procedure;               ///< of an AneInference
  std::vector<const Port *> surfaces;      ///< of an AneInference, inputs first
  std::vector<const Port *> uncast;        ///< those that no Cast describes
  const Stage *stage = nullptr;            ///< of a CpuInference
  std::vector<const HostTensor *> tensors; ///< of a CpuInference, inputs first

  std::string argFrame() const { return name + argFrameSuffix.str(); }
  std::string attrsSection() const { return name + attrsSuffix.str(); }
};

struct Chain {
  std::vector<Step> steps;
  /// Tensors and surfaces in the order of their symbols, which follow those of
  /// the operations.
  std::vector<std::string> tensors;

  /// The symbol of a tensor by its place in `tensors`.
  uint32_t symbol(size_t tensor) const { return steps.size() + tensor; }
};

/// The chain of a descriptor that has passed its checks. Points into it. Of a
/// program that was cut, the tensors of the partition come first.
Chain makeChain(const Descriptor &model);

} // namespace ane::e5

#endif // ANE_LIB_E5_CHAIN_H
