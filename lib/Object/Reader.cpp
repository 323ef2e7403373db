//===- Reader.cpp - Reads hardware containers -----------------------------===//

#include "ane/Object/Reader.h"
#include "ObjectReader.h"
#include "ane/Support/InputFile.h"

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
  auto buffer = readInputFile(path);
  if (!buffer)
    return buffer.takeError();
  return readObject(std::move(*buffer));
}
