//===- FuzzFw.cpp - Any bytes as a firmware package -----------------------===//
//
// The audit and the reader must agree; what passes must be written and pass
// again.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "ane/Firmware/Audit.h"
#include "ane/Firmware/Package.h"

using namespace ane;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef input = fuzz::textOf(data, size);
  firmware::AuditReport report =
      firmware::auditPackage(llvm::MemoryBufferRef(input, "input.fw"));
  report.print(llvm::nulls());
  auto package = firmware::readPackage(
      llvm::MemoryBuffer::getMemBufferCopy(input, "input.fw"));
  if (bool(package) != report.passed())
    fuzz::fail("audit and reader disagree");
  if (!package) {
    fuzz::refused(package.takeError());
    return 0;
  }
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  fuzz::check(firmware::writePackage(*package, os), "not written");
  if (!firmware::auditPackage(llvm::MemoryBufferRef(bytes, "output.fw"))
           .passed())
    fuzz::fail("what was written does not pass");
  return 0;
}
