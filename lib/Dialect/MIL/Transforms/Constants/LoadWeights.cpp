//===- LoadWeights.cpp - Put weight files in the place of references ------===//

#include "Constants/SeededWeights.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Dialect/MIL/Transforms/WeightFiles.h"
#include "ane/Frontend/BlobStorage.h"
#include "ane/Support/Counted.h"
#include "ane/Support/Inventory.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <climits>
#include <set>

namespace ane::mil {
#define GEN_PASS_DEF_LOADWEIGHTS
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;
using frontend::Blob;
using frontend::BlobFile;

namespace {

/// Errors reported before the pass gives up: a wrong file is wrong everywhere.
constexpr unsigned errorLimit = 20;

/// The text of an error without the word, as it becomes part of another one.
std::string describe(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  auto [place, message] = StringRef(text).split(": error: ");
  return (place + ": " + message).str();
}

/// A key for the bytes at an offset of a file: letters, digits, underscores.
std::string resourceKey(StringRef path, uint64_t offset) {
  std::string key = "weight_" + llvm::sys::path::filename(path).str() + "_" +
                    std::to_string(offset);
  for (char &c : key)
    if (!llvm::isAlnum(c))
      c = '_';
  return key;
}

/// Bytes of stand-in values for a program (assigned): what a machine has room
/// for, where no file bounds what the text asks for.
constexpr uint64_t maxStandInBytes = uint64_t(1) << 32;

/// Whether there is nothing at a path, rather than something unreadable.
bool isMissing(const std::string &path) {
  llvm::sys::fs::file_status status;
  return llvm::sys::fs::status(path, status) ==
         std::errc::no_such_file_or_directory;
}

/// Whether a record may just name the wrong element type: the size is right,
/// and the elements are integers of up to 8 bits, of which some who write them
/// do not keep the codes. The compiler of the engine goes by size and place
/// alone (documented).
bool isMisnamed(RankedTensorType type, const Blob &blob) {
  auto integer = dyn_cast<IntegerType>(type.getElementType());
  return integer && integer.getWidth() <= CHAR_BIT &&
         blob.data.size() == seededSize(type);
}

class LoadWeights : public mil::impl::LoadWeightsBase<LoadWeights> {
public:
  using LoadWeightsBase::LoadWeightsBase;
  using File = std::shared_ptr<const BlobFile>;

  /// Loads from one file, which the text calls `path`; from none if it is null.
  LoadWeights(StringRef path, File file)
      : onlyPath(path), only(std::move(file)) {}

  void runOnOperation() override;

  std::string modelFolder() const { return modelPath; }

private:
  LogicalResult load(ConstOp op, BlobFileAttr reference);
  LogicalResult loadFrom(const File &file, ConstOp op, BlobFileAttr reference);
  /// The mapped file; null after an error, which is reported once.
  File open(ConstOp op, const std::string &path);
  LogicalResult check(ConstOp op, BlobFileAttr reference, const File &file,
                      const Blob &blob);

  /// Gives a constant of a missing file a stand-in value.
  LogicalResult standIn(ConstOp op, BlobFileAttr reference,
                        const std::string &path);

  /// What the text calls the one file that it may read, which can be missing.
  /// Nothing where it may read any.
  std::optional<std::string> onlyPath;
  File only;

  std::map<std::string, File> files;
  /// Files with records that name wrong types, and with some that name no
  /// place, of which one was reported.
  std::set<std::string> misnamed, unplaced;
  /// Missing files, and the bytes made up for them.
  std::set<std::string> missing;
  uint64_t standInBytes = 0;
  /// Values made so far: references to one weight share one resource.
  llvm::DenseMap<std::pair<const BlobFile *, Attribute>, Attribute> loaded;
};

LoadWeights::File LoadWeights::open(ConstOp op, const std::string &path) {
  auto [entry, isNew] = files.try_emplace(path);
  if (isNew) {
    llvm::Expected<File> file = BlobFile::open(path);
    if (file) {
      entry->second = *file;
      ++numFiles;
    } else {
      InFlightDiagnostic error = op->emitError();
      error << describe(file.takeError());
      if (isMissing(path))
        error << "; name the folder of @model_path with --model-path, or have "
                 "stand-in values with --missing-weights=seeded";
    }
  }
  return entry->second;
}

LogicalResult LoadWeights::check(ConstOp op, BlobFileAttr reference,
                                 const File &file, const Blob &blob) {
  auto type = cast<RankedTensorType>(reference.getType());
  StringRef declared = dtypeName(type.getElementType());
  StringRef stored = frontend::blobTypeName(blob.type);
  auto error = [&]() -> InFlightDiagnostic {
    return op->emitError() << file->path() << ":0:" << reference.getOffset()
                           << ": ";
  };
  auto warning = [&]() -> InFlightDiagnostic {
    return op->emitWarning()
           << file->path() << ":0:" << reference.getOffset() << ": ";
  };
  if (!blob.isPlaced && weightTypes == WeightTypes::Strict)
    return error() << "the record does not say where the weight lies; correct "
                      "the record, or read such weights, of the size of their "
                      "type, from behind their records with "
                      "--weight-types=by-size";
  if (!blob.isPlaced && unplaced.insert(file->path().str()).second)
    warning() << "the record does not say where the weight lies; it is read "
                 "from behind the record, of the size of "
              << formatType(type) << ", and others of the file likewise";
  bool misnames = stored != declared && isMisnamed(type, blob);
  if (misnames && weightTypes == WeightTypes::Strict)
    return error() << "the record calls the weight " << stored
                   << ", its size is that of " << formatType(type)
                   << ", as which it is declared; correct the record, or read "
                      "such weights by their size with --weight-types=by-size";
  if (misnames) {
    if (misnamed.insert(file->path().str()).second)
      warning() << "the record calls the weight " << stored
                << ", its size is that of " << formatType(type)
                << ", as which it is read, and others of the file likewise";
    return success();
  }
  if (stored != declared)
    return error() << "the weight holds " << stored << ", it is declared as "
                   << formatType(type);
  uint64_t wanted = type.getNumElements();
  uint64_t width = frontend::blobTypeBits(blob.type);
  if (blob.numElements() == wanted &&
      blob.data.size() * 8 - blob.paddingBits != wanted * width)
    return error() << "the last byte of the weight has " << blob.paddingBits
                   << " unused bits; " << counted(wanted, "element") << " of "
                   << stored << " leave "
                   << blob.data.size() * 8 - wanted * width;
  if (blob.numElements() != wanted)
    return error() << "the weight has " << counted(blob.data.size(), "byte")
                   << ", " << counted(blob.numElements(), "element") << " of "
                   << stored << "; " << formatType(type) << " has " << wanted;
  if (reference.getOffset() % frontend::blobAlignment != 0)
    op->emitWarning() << file->path() << ": offset " << reference.getOffset()
                      << " is no multiple of " << frontend::blobAlignment;
  return success();
}

LogicalResult LoadWeights::standIn(ConstOp op, BlobFileAttr reference,
                                   const std::string &path) {
  Attribute &value = loaded[{nullptr, reference}];
  if (!value) {
    auto type = cast<RankedTensorType>(reference.getType());
    std::optional<uint64_t> size = seededSize(type);
    if (!size)
      return op->emitError() << "a weight cannot be " << formatType(type)
                             << "; no weight file holds such elements";
    if (*size > maxStandInBytes - standInBytes)
      return op->emitError() << "the weights that are missing take more than "
                             << counted(maxStandInBytes, "byte")
                             << "; stand-in values are not made for them";
    standInBytes += *size;
    std::vector<char> made = makeSeededWeight(
        type, reference.getPath(), reference.getOffset(), SeededUse::of(op));
    ArrayRef<char> bytes = made;
    // The blob keeps the vector: a weight need not be copied.
    value = DenseResourceElementsAttr::get(
        type, resourceKey(path, reference.getOffset()),
        AsmResourceBlob(
            bytes, alignof(uint64_t),
            [owner = std::move(made)](void *, size_t, size_t) {},
            /*dataIsMutable=*/true));
  }
  op.setValueAttr(value);
  missing.insert(path);
  ++numStandIns;
  return success();
}

LogicalResult LoadWeights::load(ConstOp op, BlobFileAttr reference) {
  auto type = dyn_cast<RankedTensorType>(reference.getType());
  if (!type || !type.hasStaticShape())
    return op->emitError() << "a weight must be a tensor of known shape, not "
                           << formatType(reference.getType());
  if (onlyPath) {
    if (only && reference.getPath() == *onlyPath)
      return loadFrom(only, op, reference);
    return op->emitError() << "the weight lies in \"" << reference.getPath()
                           << "\", which this text may not read";
  }
  StringRef inModel = reference.getPath();
  inModel.consume_front("@model_path");
  if (inModel.ltrim('/').empty())
    return op->emitError() << "\"" << reference.getPath()
                           << "\" names no file of weights; the path of one "
                              "is \"@model_path/weights/weight.bin\"";
  std::optional<std::string> path =
      weightFileName(op.getLoc(), reference.getPath(), modelPath);
  if (!path)
    return op->emitError("the location of this constant names no file, so "
                         "@model_path is not known; give it by model-path");
  if (missingWeights == MissingWeights::Seeded &&
      (missing.count(*path) || isMissing(*path)))
    return standIn(op, reference, *path);
  File file = open(op, *path);
  return file ? loadFrom(file, op, reference) : failure();
}

LogicalResult LoadWeights::loadFrom(const File &file, ConstOp op,
                                    BlobFileAttr reference) {
  auto type = cast<RankedTensorType>(reference.getType());
  Attribute &value = loaded[{file.get(), reference}];
  if (!value) {
    llvm::Expected<Blob> blob =
        file->blob(reference.getOffset(), seededSize(type));
    if (!blob)
      return op->emitError() << describe(blob.takeError());
    if (failed(check(op, reference, file, *blob)))
      return failure();
    ArrayRef<char> bytes(reinterpret_cast<const char *>(blob->data.data()),
                         blob->data.size());
    // The file starts at a page, or in memory at a multiple of as much as
    // matters, so the offset says how bytes are aligned.
    // More than what malloc gives would keep bytecode of this module from being
    // read through a pipe.
    constexpr uint64_t mallocAlignment = 16;
    uint64_t alignment = llvm::MinAlign(blob->payloadOffset, mallocAlignment);
    value = DenseResourceElementsAttr::get(
        type, resourceKey(file->path(), reference.getOffset()),
        UnmanagedAsmResourceBlob::allocateWithAlign(
            bytes, alignment, [file](void *, size_t, size_t) {}));
    numBytes += bytes.size();
  }
  op.setValueAttr(value);
  ++numWeights;
  return success();
}

void LoadWeights::runOnOperation() {
  unsigned errors = 0;
  getOperation().walk([&](ConstOp op) {
    auto reference = dyn_cast<BlobFileAttr>(op.getValue());
    if (reference && failed(load(op, reference)) && ++errors == errorLimit)
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (!missing.empty())
    getOperation()->emitWarning()
        << "there is no weight file " << llvm::join(missing, ", ")
        << "; its weights are stand-in values, the same in every run";
  files.clear();
  loaded.clear();
  missing.clear();
  misnamed.clear();
  unplaced.clear();
  standInBytes = 0;
  if (errors != 0)
    signalPassFailure();
  // Constants have their elements now, and else nothing is new.
  markAnalysesPreserved<Inventory>();
}

} // namespace

std::optional<std::string> mil::modelPathOf(const Pass &pass) {
  const auto *loader = dyn_cast<LoadWeights>(&pass);
  return loader ? std::optional(loader->modelFolder()) : std::nullopt;
}

std::unique_ptr<Pass>
mil::createLoadWeights(StringRef path,
                       std::shared_ptr<const frontend::BlobFile> file) {
  return std::make_unique<LoadWeights>(path, std::move(file));
}
