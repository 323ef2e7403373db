//===- ReadAhead.cpp - Mapped files before they are used ------------------===//

#include "ane/Support/ReadAhead.h"
#include "llvm/Support/Process.h"

using namespace ane;

ReadAhead::ReadAhead(llvm::ArrayRef<uint8_t> bytes)
    : thread(llvm::hardware_concurrency(1)) {
  thread.async([this, bytes] { read(bytes); });
}

ReadAhead::~ReadAhead() {
  isOver = true;
  thread.wait();
}

void ReadAhead::read(llvm::ArrayRef<uint8_t> bytes) const {
  size_t page = llvm::sys::Process::getPageSizeEstimate();
  for (size_t place = 0; place < bytes.size() && !isOver; place += page)
    // Nothing needs the byte but the access itself.
    static_cast<void>(
        *static_cast<const volatile uint8_t *>(bytes.data() + place));
}
