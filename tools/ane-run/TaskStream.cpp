//===- TaskStream.cpp - Files that are no containers ----------------------===//

#include "RunOptions.h"
#include "ane/Object/Format.h"
#include "ane/Support/FileError.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "ane/TaskDescriptor/V7.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace ane;
using llvm::support::endian::read32le;

/// Whether bytes begin as a descriptor of v7 does: behind its header comes a
/// record of several registers, from the first one of a block on.
static bool beginsLikeTask(llvm::ArrayRef<uint8_t> bytes) {
  using namespace td::v7;
  if (bytes.size() < (headerWords + 2) * sizeof(uint32_t))
    return false;
  auto word = [&](size_t index) {
    return read32le(bytes.data() + index * sizeof(uint32_t));
  };
  const td::FieldInfo &extended = td::fieldInfo(td::Field::TDE);
  bool hasMore = word(extended.offset / sizeof(uint32_t)) >> extended.lsb & 1;
  auto record = RecordHeader::decode(word(headerWords + hasMore));
  return record.count > 1 &&
         llvm::any_of(td::blockTable(), [&](const td::BlockInfo &block) {
           return record.address == block.address &&
                  record.count <= block.words;
         });
}

llvm::Error ane::checkIsNoTaskStream(llvm::MemoryBufferRef file) {
  auto bytes = llvm::arrayRefFromStringRef(file.getBuffer());
  bool isContainer = bytes.size() >= sizeof(uint32_t) &&
                     read32le(bytes.data()) == object::containerMagic;
  if (isContainer ||
      !(td::detectFormat(bytes) == td::Format::V10 || beginsLikeTask(bytes)))
    return llvm::Error::success();
  return makeFileError(file.getBufferIdentifier(), 0,
                       "this looks like a bare task stream, not a container, "
                       "which has the operands, too; ane-objdump --raw-td "
                       "shows its tasks");
}
