//===- ReadE5.cpp - Reads dispatch descriptors ----------------------------===//

#include "CheckE5.h"
#include "ane/E5/E5_generated.h"
#include "ane/Support/BinaryReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ane;
using namespace ane::e5;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace fb = E5RT::fb;

namespace {

template <typename T>
using TableVector = flatbuffers::Vector<flatbuffers::Offset<T>>;

/// Numbers of a vector that may be absent, which means empty. The verifier does
/// not hold elements to their alignment, so they are not read in place.
llvm::SmallVector<uint64_t, 5>
numbers(const flatbuffers::Vector<uint64_t> *vector) {
  llvm::SmallVector<uint64_t, 5> values(vector ? vector->size() : 0);
  for (auto [index, value] : llvm::enumerate(values))
    value = llvm::support::endian::read64le(vector->Data() +
                                            index * sizeof(uint64_t));
  return values;
}

template <typename T> size_t length(const T *vector) {
  return vector ? vector->size() : 0;
}

/// Turns a verified FlatBuffer into the model. Accessors of the generated code
/// are safe after the verifier; what they return may still be absent or make no
/// sense.
class E5Reader {
public:
  explicit E5Reader(llvm::MemoryBufferRef buffer)
      : in(buffer.getBufferIdentifier(),
           llvm::arrayRefFromStringRef(buffer.getBuffer())),
        bytes(buffer.getBuffer()) {}

  Expected<Descriptor> read() {
    if (Error error = verify())
      return error;
    root = fb::GetE5Program(bytes.data());
    if (root->format_version() != formatVersion)
      return fail(root, "format_version " + Twine(root->format_version()) +
                            ", expected " + Twine(formatVersion));
    if (Error error = readBuildInfo())
      return error;
    if (Error error = indexSections())
      return error;
    if (Error error = readFunction())
      return error;
    if (std::string problem = checkProgram(model); !problem.empty())
      return fail(root, problem);
    return std::move(model);
  }

private:
  /// An operation with its two sections.
  struct Step {
    const fb::Operation *operation;
    const fb::Section *frame;
    const fb::Section *attrs;
  };

  Error verify() {
    // FlatBuffers' own limit, which its verifier asserts.
    if (bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE)
      return in.error(0, "not a dispatch descriptor: " + Twine(bytes.size()) +
                             " bytes, but a FlatBuffer has at most " +
                             Twine(FLATBUFFERS_MAX_BUFFER_SIZE));
    flatbuffers::Verifier verifier(
        reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
    if (!fb::VerifyE5ProgramBuffer(verifier))
      return in.error(0, "not a dispatch descriptor: its " +
                             Twine(bytes.size()) +
                             " bytes are no FlatBuffer of the schema");
    return Error::success();
  }

  Error readBuildInfo() {
    if (!root->build_info() || !root->build_info()->entries())
      return Error::success();
    for (const fb::BuildInfoEntry *entry : *root->build_info()->entries()) {
      auto key = readString(entry, entry->key(), "BuildInfoEntry.key");
      if (!key)
        return key.takeError();
      auto value = readString(entry, entry->value(), "BuildInfoEntry.value");
      if (!value)
        return value.takeError();
      model.buildInfo.push_back({*key, *value});
    }
    return Error::success();
  }

  Error indexSections() {
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

  Error readFunction() {
    const fb::Function *function = nullptr;
    for (size_t i = 0; i < length(root->sections()); ++i) {
      const fb::Section *section = root->sections()->Get(i);
      if (section->kind() != fb::SectionKind::Function)
        continue;
      if (function)
        return fail(section, "a second function; one is supported");
      if (!section->function())
        return fail(section, "a section of kind Function without a function");
      function = section->function();
    }
    if (!function)
      return fail(root, "no section holds a function");
    auto name = readString(function, function->name(), "Function.name");
    if (!name)
      return name.takeError();
    model.function = *name;
    auto path =
        readString(function, function->anehash_path(), "Function.anehash_path");
    if (!path)
      return path.takeError();
    model.containerPath = *path;
    if (length(function->blocks()) != 1)
      return fail(function,
                  "Function.blocks: " + Twine(length(function->blocks())) +
                      " blocks, expected 1");
    return readBlock(function->blocks()->Get(0));
  }

  Error readBlock(const fb::Block *block) {
    std::vector<Step> steps;
    for (size_t i = 0; i < length(block->operations()); ++i) {
      const fb::Operation *operation = block->operations()->Get(i);
      if (operation->op_type() != fb::OpType::Cast &&
          operation->op_type() != fb::OpType::AneInference)
        return fail(operation, "operation " + Twine(i) + ": op_type " +
                                   Twine(int32_t(operation->op_type())) +
                                   " is neither Cast (0) nor AneInference (1)");
      Expected<Step> step = readStep(operation);
      if (!step)
        return step.takeError();
      steps.push_back(*step);
    }
    auto isInference = [](const Step &step) {
      return step.operation->op_type() == fb::OpType::AneInference;
    };
    if (llvm::count_if(steps, isInference) != 1)
      return fail(block, Twine(llvm::count_if(steps, isInference)) + " of " +
                             Twine(steps.size()) +
                             " operations are an AneInference, expected 1");
    size_t inference = llvm::find_if(steps, isInference) - steps.begin();
    if (Error error = readInference(steps[inference]))
      return error;
    llvm::ArrayRef<Step> all = steps;
    return readCasts(steps[inference], all.take_front(inference),
                     all.drop_front(inference + 1));
  }

  Expected<Step> readStep(const fb::Operation *operation) {
    auto frame = findSection(operation, operation->arg_frame(),
                             "Operation.arg_frame", fb::SectionKind::ArgFrame);
    if (!frame)
      return frame.takeError();
    auto attrs =
        findSection(operation, operation->attrs_section(),
                    "Operation.attrs_section", fb::SectionKind::OpAttrs);
    if (!attrs)
      return attrs.takeError();
    return Step{operation, *frame, *attrs};
  }

  Expected<const fb::Section *> findSection(const fb::Operation *operation,
                                            const flatbuffers::String *name,
                                            StringRef what,
                                            fb::SectionKind kind) {
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

  Error readInference(const Step &step) {
    const fb::AneInferenceAttrs *attrs =
        step.attrs->attrs_as_AneInferenceAttrs();
    if (!attrs)
      return fail(step.attrs, "the attributes of an AneInference are of "
                              "another kind");
    struct Field {
      std::string &text;
      const flatbuffers::String *value;
      StringRef what;
    } fields[] = {
        {model.procedure, attrs->procedure_name(),
         "AneInferenceAttrs.procedure_name"},
        {model.containerHash, attrs->anehash(), "AneInferenceAttrs.anehash"},
        {model.compilerOptions, attrs->compiler_options(),
         "AneInferenceAttrs.compiler_options"},
    };
    for (Field &field : fields) {
      auto text = readString(attrs, field.value, field.what);
      if (!text)
        return text.takeError();
      field.text = std::move(*text);
    }
    return Error::success();
  }

  Error readCasts(const Step &inference, llvm::ArrayRef<Step> inputs,
                  llvm::ArrayRef<Step> outputs) {
    const fb::Operation *operation = inference.operation;
    const TableVector<fb::IOPort> *ports = inference.frame->ports();
    if (length(operation->inputs()) != inputs.size() ||
        length(operation->outputs()) != outputs.size())
      return fail(operation, "an AneInference of " +
                                 Twine(length(operation->inputs())) + " to " +
                                 Twine(length(operation->outputs())) +
                                 " tensors between " + Twine(inputs.size()) +
                                 " and " + Twine(outputs.size()) + " casts");
    if (length(ports) != inputs.size() + outputs.size())
      return fail(inference.frame,
                  "Section.ports: " + Twine(length(ports)) + " surfaces for " +
                      Twine(inputs.size() + outputs.size()) + " casts");
    for (size_t i = 0; i < inputs.size(); ++i)
      if (Error error = readCast(inputs[i], /*isInput=*/true,
                                 operation->inputs()->Get(i), ports->Get(i)))
        return error;
    for (size_t i = 0; i < outputs.size(); ++i)
      if (Error error = readCast(outputs[i], /*isInput=*/false,
                                 operation->outputs()->Get(i),
                                 ports->Get(inputs.size() + i)))
        return error;
    return Error::success();
  }

  /// Reads one port from its cast and from what the inference says of it.
  Error readCast(const Step &step, bool isInput, uint32_t surfaceSymbol,
                 const fb::IOPort *surface) {
    const fb::Operation *operation = step.operation;
    if (length(operation->inputs()) != 1 || length(operation->outputs()) != 1)
      return fail(operation, "a Cast of " + Twine(length(operation->inputs())) +
                                 " to " + Twine(length(operation->outputs())) +
                                 " tensors, expected 1 to 1");
    uint32_t host = operation->inputs()->Get(0);
    uint32_t device = operation->outputs()->Get(0);
    const TableVector<fb::Operand> *operands = step.frame->operands();
    if (length(operands) != 2)
      return fail(step.frame, "the frame of a Cast has " +
                                  Twine(length(operands)) +
                                  " operands, expected 2");
    const auto *hostTensor = operands->Get(0)->descriptor();
    const auto *deviceTensor = operands->Get(1)->descriptor();
    if (!isInput) {
      std::swap(host, device);
      std::swap(hostTensor, deviceTensor);
    }
    if (!hostTensor || !deviceTensor)
      return fail(step.frame, "Operand.descriptor is missing");
    if (device != surfaceSymbol)
      return fail(operation, "the surface of this Cast is symbol " +
                                 Twine(device) +
                                 ", but the AneInference has symbol " +
                                 Twine(surfaceSymbol) + " in its place");
    if (std::max(host, device) >= length(root->symbol_names()))
      return fail(operation, "symbol " + Twine(std::max(host, device)) +
                                 " of " + Twine(length(root->symbol_names())));

    Port port;
    auto name = readString(operation, root->symbol_names()->Get(host),
                           "a tensor's symbol");
    if (!name)
      return name.takeError();
    port.name = std::move(*name);
    if (!surface->name() || StringRef(surface->name()->data(),
                                      surface->name()->size()) != port.name)
      return fail(surface, "the surface in the place of tensor '" + port.name +
                               "' has another name");
    port.hostType = TensorDataType(hostTensor->storage_type());
    port.deviceType = TensorDataType(deviceTensor->storage_type());
    if (Error error = checkCastTypes(step.attrs, port, isInput))
      return error;
    port.shape = numbers(hostTensor->dim());
    if (numbers(deviceTensor->dim()) != port.shape)
      return fail(deviceTensor, "tensor '" + port.name +
                                    "': host and surface differ in shape");
    port.strides = numbers(deviceTensor->stride());
    port.engine = readEngineShape(deviceTensor);
    port.byteSize = surface->byte_size();
    port.address = surface->aperture_va();
    if (std::string problem = checkPort(port); !problem.empty())
      return fail(deviceTensor, problem);
    (isInput ? model.inputs : model.outputs).push_back(std::move(port));
    return Error::success();
  }

  Error checkCastTypes(const fb::Section *section, const Port &port,
                       bool isInput) {
    const fb::CastAttrs *attrs = section->attrs_as_CastAttrs();
    if (!attrs)
      return fail(section, "the attributes of a Cast are of another kind");
    auto source = TensorDataType(attrs->src_dtype());
    auto destination = TensorDataType(attrs->dst_dtype());
    if (!isInput)
      std::swap(source, destination);
    if (source != port.hostType || destination != port.deviceType)
      return fail(attrs, "tensor '" + port.name +
                             "': the types of the Cast are not those of its "
                             "operands");
    return Error::success();
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

  /// A copy of a string. Strings of a FlatBuffer may overlap, so only the limit
  /// on their total keeps memory below the size of the file.
  Expected<std::string> readString(const void *place,
                                   const flatbuffers::String *text,
                                   StringRef what) {
    if (!text)
      return fail(place, what + " is missing");
    if (text->size() > bytes.size() - copied)
      return fail(place,
                  what + ": the strings of the file add up to more bytes than "
                         "it has");
    copied += text->size();
    std::string copy = text->str();
    if (StringRef(copy).contains('\0'))
      return fail(text, what + " contains a NUL");
    return copy;
  }

  Error fail(const void *place, const Twine &message) const {
    return in.error(reinterpret_cast<const char *>(place) - bytes.data(),
                    message);
  }

  BinaryReader in;
  StringRef bytes;
  const fb::E5Program *root = nullptr;
  llvm::StringMap<const fb::Section *> sections;
  Descriptor model;
  size_t copied = 0;
};

} // namespace

Expected<Descriptor> ane::e5::readE5(llvm::MemoryBufferRef buffer) {
  return E5Reader(buffer).read();
}

Expected<Descriptor> ane::e5::readE5(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (std::error_code code = buffer.getError())
    return makeFileError(path, 0, "cannot read the file: " + code.message());
  return readE5((*buffer)->getMemBufferRef());
}
