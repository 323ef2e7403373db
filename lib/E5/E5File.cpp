//===- E5File.cpp - Checked access to the tables of an .e5 file -----------===//

#include "E5File.h"
#include "CheckE5.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace ane::e5;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace fb = E5RT::fb;

llvm::SmallVector<uint64_t, 5>
ane::e5::numbers(const flatbuffers::Vector<uint64_t> *vector) {
  llvm::SmallVector<uint64_t, 5> values(
      std::min<size_t>(length(vector), maxRank + 1));
  for (auto [index, value] : llvm::enumerate(values))
    value = llvm::support::endian::read64le(vector->Data() +
                                            index * sizeof(uint64_t));
  return values;
}

static EngineShape readEngineShape(const fb::TensorDescriptor *tensor) {
  EngineShape engine;
  engine.width = tensor->width();
  engine.height = tensor->height();
  engine.channels = tensor->channels();
  engine.batch = tensor->batch_number();
  engine.depth = tensor->sequence_length();
  engine.strideWidth = tensor->stride_width();
  engine.strideHeight = tensor->stride_height();
  engine.strideChannels = tensor->stride_channels();
  engine.strideBatch = tensor->stride_batch_number();
  engine.strideDepth = tensor->stride_sequence_length();
  return engine;
}

void ane::e5::readSurfaceTensor(const fb::TensorDescriptor *tensor,
                                Port &port) {
  port.deviceType = TensorDataType(tensor->storage_type());
  port.shape = numbers(tensor->dim());
  port.strides = numbers(tensor->stride());
  port.engine = readEngineShape(tensor);
}

Expected<std::string> ane::e5::readInferenceAttrs(E5File &file,
                                                  const fb::Section *section,
                                                  Descriptor &model,
                                                  bool isFirst) {
  const fb::AneInferenceAttrs *attrs = section->attrs_as_AneInferenceAttrs();
  if (!attrs)
    return file.fail(section, "the attributes of an AneInference are of "
                              "another kind");
  std::string procedure, hash, options;
  struct Field {
    std::string &text;
    const flatbuffers::String *value;
    StringRef what;
  } fields[] = {
      {procedure, attrs->procedure_name(), "AneInferenceAttrs.procedure_name"},
      {hash, attrs->anehash(), "AneInferenceAttrs.anehash"},
      {options, attrs->compiler_options(),
       "AneInferenceAttrs.compiler_options"},
  };
  for (Field &field : fields) {
    auto text = file.readString(attrs, field.value, field.what);
    if (!text)
      return text.takeError();
    field.text = std::move(*text);
  }
  if (isFirst) {
    model.containerHash = hash;
    model.compilerOptions = options;
  }
  if (model.containerHash != hash || model.compilerOptions != options)
    return file.fail(attrs, "two AneInferences differ in container or options");
  return procedure;
}

Error ane::e5::checkCastTypes(const E5File &file, const fb::Section *section,
                              const Port &port, bool isInput) {
  const fb::CastAttrs *attrs = section->attrs_as_CastAttrs();
  if (!attrs)
    return file.fail(section, "the attributes of a Cast are of another kind");
  auto source = TensorDataType(attrs->src_dtype());
  auto destination = TensorDataType(attrs->dst_dtype());
  if (!isInput)
    std::swap(source, destination);
  if (source != port.hostType || destination != port.deviceType)
    return file.fail(attrs, "tensor '" + port.name +
                                "': the types of the Cast are not those of its "
                                "operands");
  return Error::success();
}

Error E5File::open() {
  if (Error error = verify())
    return error;
  root = fb::GetE5Program(bytes.data());
  if (root->format_version() != formatVersion)
    return fail(root, "format_version " + Twine(root->format_version()) +
                          ", expected " + Twine(formatVersion));
  return indexSections();
}

Error E5File::verify() const {
  // FlatBuffers' own limit, which its verifier asserts.
  if (bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE)
    return in.error(0, "not a dispatch descriptor: " + Twine(bytes.size()) +
                           " bytes, but a FlatBuffer has at most " +
                           Twine(FLATBUFFERS_MAX_BUFFER_SIZE));
  flatbuffers::Verifier verifier(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  if (!fb::VerifyE5ProgramBuffer(verifier))
    return in.error(0, "not a dispatch descriptor: its " + Twine(bytes.size()) +
                           " bytes are no FlatBuffer of the schema");
  return Error::success();
}

Error E5File::indexSections() {
  for (size_t i = 0; i < length(root->sections()); ++i) {
    const fb::Section *section = root->sections()->Get(i);
    auto name = readString(section, section->name(), "Section.name");
    if (!name)
      return name.takeError();
    if (!sections.try_emplace(*name, section).second)
      return fail(section, "two sections are named '" + *name + "'");
  }
  return Error::success();
}

Expected<const fb::Section *>
E5File::findSection(const fb::Operation *operation,
                    const flatbuffers::String *name, StringRef what,
                    fb::SectionKind kind) const {
  if (!name)
    return fail(operation, what + " is missing");
  StringRef text(name->data(), name->size());
  auto found = sections.find(text);
  if (found == sections.end())
    return fail(operation, what + ": no section is named '" + text + "'");
  if (found->second->kind() != kind)
    return fail(found->second, "section '" + text + "': kind " +
                                   Twine(int32_t(found->second->kind())) +
                                   ", expected " + Twine(int32_t(kind)));
  return found->second;
}

Expected<E5File::Step> E5File::readStep(const fb::Operation *operation) const {
  auto frame = findSection(operation, operation->arg_frame(),
                           "Operation.arg_frame", fb::SectionKind::ArgFrame);
  if (!frame)
    return frame.takeError();
  auto attrs = findSection(operation, operation->attrs_section(),
                           "Operation.attrs_section", fb::SectionKind::OpAttrs);
  if (!attrs)
    return attrs.takeError();
  return Step{operation, *frame, *attrs};
}

Expected<std::string> E5File::readSymbol(const fb::Operation *operation,
                                         uint32_t symbol) {
  if (symbol >= length(root->symbol_names()))
    return fail(operation, "symbol " + Twine(symbol) + " of " +
                               Twine(length(root->symbol_names())));
  return readString(operation, root->symbol_names()->Get(symbol),
                    "a tensor's symbol");
}

Expected<std::string> E5File::readString(const void *place,
                                         const flatbuffers::String *text,
                                         StringRef what) {
  if (!text)
    return fail(place, what + " is missing");
  if (Error error = spend(place, text->size(), what))
    return error;
  std::string copy = text->str();
  if (StringRef(copy).contains('\0'))
    return fail(text, what + " contains a NUL");
  return copy;
}

Error E5File::spend(const void *place, size_t amount, const Twine &what) {
  if (amount > bytes.size() - copied)
    return fail(place, what + ": the contents of the file add up to more than "
                              "it has bytes");
  copied += amount;
  return Error::success();
}
