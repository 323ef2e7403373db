//===- Reader.cpp - Reads hardware containers -----------------------------===//

#include "ane/Object/Reader.h"
#include "ObjectReader.h"

using namespace ane::object;
using llvm::Error;
using llvm::Expected;

Error ObjectReader::read() {
  if (Error error = readHeader())
    return error;
  if (Error error = readCommands())
    return error;
  if (Error error = checkOverlaps())
    return error;
  if (Error error = readTables())
    return error;
  if (Error error = checkIndices())
    return error;
  collectUnclaimed();
  keepVerbatim();
  return Error::success();
}

Expected<Object>
ane::object::readObject(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  Object object;
  ObjectReader reader(buffer->getBufferIdentifier(),
                      llvm::arrayRefFromStringRef(buffer->getBuffer()), object);
  if (Error error = reader.read())
    return error;
  object.buffer = std::move(buffer);
  return object;
}

Expected<Object> ane::object::readObject(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (std::error_code code = buffer.getError())
    return makeFileError(path, 0, "cannot read the file: " + code.message());
  return readObject(std::move(*buffer));
}
