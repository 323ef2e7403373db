//===- Write.cpp - Containers as text -------------------------------------===//

#include "DocumentTraits.h"
#include "ane/Object/Layout.h"
#include "ane/Object/Semantics.h"
#include "ane/Object/Writer.h"
#include "ane/ObjectYAML/ObjectYAML.h"
#include "ane/Support/FileError.h"
#include "ane/Support/Hex.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace ane;
using namespace ane::objectyaml;
using llvm::Error;
using llvm::StringRef;

/// The bytes that a document gives.
static llvm::Expected<std::string> bytesOf(const Document &document) {
  const TaskItem *failed = nullptr;
  auto spec = makeSpec(document, failed);
  if (!spec)
    return spec.takeError();
  auto object = object::layoutObject(std::move(*spec));
  if (!object)
    return object.takeError();
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (Error error = object::writeObject(*object, os))
    return error;
  return bytes;
}

/// Makes the style that of a dialect as a whole, if the bytes stay the same: a
/// model only has the part of a style that its program shows.
static bool useDialect(Document &document, object::Dialect dialect,
                       StringRef expected) {
  object::Dialect oldDialect = std::exchange(document.dialect, dialect);
  object::ContainerStyle oldStyle =
      std::exchange(document.spec.style, object::styleOf(dialect));
  auto bytes = bytesOf(document);
  if (bytes && *bytes == expected)
    return true;
  if (!bytes)
    llvm::consumeError(bytes.takeError());
  document.dialect = oldDialect;
  document.spec.style = std::move(oldStyle);
  return false;
}

/// That a document gives the bytes of the file again.
static Error checkBytes(const Document &document, llvm::MemoryBufferRef file) {
  auto bytes = bytesOf(document);
  if (!bytes)
    return bytes.takeError();
  StringRef expected = file.getBuffer();
  if (*bytes == expected)
    return Error::success();
  uint64_t offset = std::mismatch(bytes->begin(), bytes->end(),
                                  expected.begin(), expected.end())
                        .first -
                    bytes->begin();
  return makeFileError(file.getBufferIdentifier(), offset,
                       "the container has no text form: laid out anew, it "
                       "differs first at " +
                           hex(offset));
}

Error objectyaml::writeYaml(const object::Object &object,
                            llvm::raw_ostream &os) {
  auto spec = object::semanticModel(object);
  if (!spec)
    return spec.takeError();
  Document document = makeDocument(std::move(*spec));
  if (object.buffer) {
    StringRef expected = object.buffer->getBuffer();
    llvm::any_of(object::allDialects, [&](object::Dialect dialect) {
      return useDialect(document, dialect, expected);
    });
    if (Error error = checkBytes(document, *object.buffer))
      return error;
  }
  dropUsualWords(document);
  llvm::yaml::Output out(os);
  out << document;
  return Error::success();
}
