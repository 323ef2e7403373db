//===- Read.cpp - Containers from text ------------------------------------===//

#include "CheckText.h"
#include "DocumentTraits.h"
#include "ane/Object/Layout.h"
#include "ane/ObjectYAML/ObjectYAML.h"
#include "ane/Support/FileError.h"
#include "llvm/Support/SourceMgr.h"

using namespace ane;
using namespace ane::objectyaml;
using llvm::Error;
using llvm::Expected;

namespace {

/// The first complaint of the parser.
struct Complaint {
  std::string message;
  uint64_t line = 1;
  uint64_t column = 1;
};

void keepFirst(const llvm::SMDiagnostic &diagnostic, void *context) {
  auto &complaint = *static_cast<Complaint *>(context);
  if (!complaint.message.empty())
    return;
  complaint.message = diagnostic.getMessage().str();
  complaint.line = std::max(diagnostic.getLineNo(), 1);
  complaint.column = std::max(diagnostic.getColumnNo(), 0) + 1;
}

class TextReader {
public:
  explicit TextReader(llvm::MemoryBufferRef buffer) : buffer(buffer) {}

  Expected<object::Object> read() {
    if (Error error = checkText(buffer))
      return error;
    Document document;
    if (Error error = parse(document))
      return error;
    size_t given = 0;
    for (const PortItem &port : document.ports)
      given += port.bar.has_value();
    for (const PortItem &port : document.ports)
      if (given && !port.bar)
        return fail(port.place, "other ports have a Bar, this one has none");
    if (document.constants.size() > maxContentBytes)
      return fail({}, "the constants pass 4 GiB");

    const TaskItem *failed = nullptr;
    auto spec = makeSpec(document, failed);
    if (!spec)
      return fail(failed ? failed->place : llvm::SMLoc(),
                  llvm::toString(spec.takeError()));
    auto object = object::layoutObject(std::move(*spec));
    if (!object)
      return fail({}, llvm::toString(object.takeError()));
    // The constants of the object refer to the lines of the document.
    for (Run &run : document.constants.runs)
      if (!run.owned.empty())
        object->storage.push_back(std::move(run.owned));
    return object;
  }

private:
  Error parse(Document &document) {
    Complaint complaint;
    bool isThere = false;
    llvm::yaml::Input in(buffer, &isThere, keepFirst, &complaint);
    in >> document;
    if (!isThere && complaint.message.empty())
      return fail({}, "there is no document");
    if (!in.error() && in.nextDocument())
      return fail({}, "there is a second document");
    if (!in.error() && complaint.message.empty())
      return Error::success();
    if (complaint.message.empty())
      complaint.message = in.error().message();
    return llvm::make_error<FileError>(buffer.getBufferIdentifier(),
                                       complaint.line, complaint.column,
                                       complaint.message);
  }

  /// An error at a place of the text, or at its start.
  Error fail(llvm::SMLoc place, const llvm::Twine &message) {
    llvm::StringRef before =
        place.isValid() ? buffer.getBuffer().take_front(place.getPointer() -
                                                        buffer.getBufferStart())
                        : llvm::StringRef();
    size_t start = before.rfind('\n');
    uint64_t column =
        before.size() - (start == llvm::StringRef::npos ? 0 : start + 1);
    return llvm::make_error<FileError>(buffer.getBufferIdentifier(),
                                       before.count('\n') + 1, column + 1,
                                       message);
  }

  llvm::MemoryBufferRef buffer;
};

} // namespace

Expected<object::Object> objectyaml::readYaml(llvm::MemoryBufferRef buffer) {
  return TextReader(buffer).read();
}
