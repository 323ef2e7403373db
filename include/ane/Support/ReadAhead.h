//===- ReadAhead.h - Mapped files before they are used ----------*- C++ -*-===//

#ifndef ANE_SUPPORT_READAHEAD_H
#define ANE_SUPPORT_READAHEAD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>

namespace ane {

/// Goes through the pages of a mapped file on a thread of its own, from the
/// first to the last, so that they are in memory and in the page table when
/// others come to them: a first access costs a processor thousands of cycles,
/// and more on a virtual machine. The file must stay mapped as long as this.
class ReadAhead {
public:
  explicit ReadAhead(llvm::ArrayRef<uint8_t> bytes);
  /// Reads no further.
  ~ReadAhead();

private:
  void read(llvm::ArrayRef<uint8_t> bytes) const;

  std::atomic<bool> isOver = false;
  llvm::DefaultThreadPool thread;
};

} // namespace ane

#endif // ANE_SUPPORT_READAHEAD_H
