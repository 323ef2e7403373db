//===- MemoryOrder.cpp - Which transfers wait for others ------------------===//

#include "MemoryOrder.h"
#include "ane/Dialect/Zin/Transforms/L2Plan.h"

using namespace mlir;
using namespace ane;
using namespace ane::codegen;
using namespace ane::zin;
using td::DependencyMode;

MemoryOrder::MemoryOrder(ArrayRef<BufferOp> buffers) {
  for (BufferOp buffer : buffers)
    if (buffer.getKind() == BufferKind::scratch && buffer.getOffset()) {
      int64_t begin = *buffer.getOffset();
      scratch[buffer.getSymNameAttr()] = {begin,
                                          begin + int64_t(buffer.getBytes())};
    }
}

bool MemoryOrder::isStored(ViewAttr view) const {
  // Of more parts nobody looks at each; a wait is never wrong.
  constexpr size_t mostParts = 1024;
  auto parts = stored.find(view.getBuffer().getAttr());
  if (parts == stored.end())
    return false;
  return parts->second.size() > mostParts ||
         llvm::any_of(parts->second,
                      [&](ViewAttr part) { return mayOverlap(part, view); });
}

/// A buffer does not replace itself.
bool MemoryOrder::meets(const Buffers &buffers, StringAttr written) const {
  auto own = scratch.find(written);
  return own != scratch.end() && llvm::any_of(buffers, [&](const auto &other) {
           return other.first != written &&
                  other.second.begin < own->second.end &&
                  own->second.begin < other.second.end;
         });
}

MemoryWaits MemoryOrder::next(TaskOp task, bool savesResult,
                              bool restoresSource) {
  MemoryWaits waits;
  SmallVector<Access, 4> accesses = task.getAccesses();
  auto isFetched = [&](const Access &access) {
    bool isSource1 = access.role == Access::Source1;
    return (isSource1 || access.role == Access::Source2) &&
           (access.residence != Residence::resident ||
            (restoresSource && isSource1));
  };
  for (const Access &access : accesses)
    if (isFetched(access) && isStored(access.view))
      waits.sources = DependencyMode::Earlier;
  if (waits.sources != DependencyMode::None) {
    stored.clear();
    fetched.clear();
  }
  ViewAttr result = task.getResult();
  bool stores = savesResult;
  for (const Access &access : accesses)
    stores |= access.role == Access::Result &&
              access.residence != Residence::resident;
  if (stores) {
    StringAttr buffer = result.getBuffer().getAttr();
    if (meets(kernels, buffer))
      waits.result = DependencyMode::EarlierKernel;
    else if (meets(fetched, buffer) || isStored(result))
      waits.result = DependencyMode::Earlier;
    stored[buffer].push_back(result);
  }
  for (const Access &access : accesses) {
    auto bytes = scratch.find(access.buffer());
    if (bytes == scratch.end())
      continue;
    if (access.role == Access::Kernel)
      kernels.insert({bytes->first, bytes->second});
    else if (isFetched(access))
      fetched.insert({bytes->first, bytes->second});
  }
  return waits;
}
