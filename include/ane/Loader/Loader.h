//===- Loader.h - From a container to its loaded image ----------*- C++ -*-===//
//
// A container holds a program as if its device memory started at a fixed
// address. Loading gives every segment an address of its own and writes what
// follows from that into BARs, port commands, symbols and the text. The result
// is a container again, the loaded image (documented: both share one format).
// docs/formats/loading.md goes through the steps.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LOADER_LOADER_H
#define ANE_LOADER_LOADER_H

#include "ane/Object/Object.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace ane::loader {

/// The first address that a load hands out. Assigned; another one than files
/// use, so that an address that was not moved leads nowhere.
inline constexpr uint64_t defaultLoadAddress = 0x40000000;

/// The value of a live-in parameter: the extent `axis` of input `input`.
struct LiveInValue {
  std::string input;
  char axis = 'h'; ///< n, d, c, h or w
  uint64_t value = 0;
};

/// What a load may choose.
struct LoadOptions {
  /// Where device memory starts, a multiple of object::pageBytes; nothing for
  /// defaultLoadAddress. A loaded image only loads without.
  std::optional<uint64_t> address;
  /// Parameters that are not given leave the program as it is compiled.
  std::vector<LiveInValue> liveIns;
};

/// Whether a container is a loaded image: MH_PIE is not among its flags
/// (assigned; every container of a compiler has it, verified).
bool isLoadedImage(const object::Object &object);

/// Loads a container. Segments of ports come first, then the others, each in
/// file order at the next page boundary behind a free page (assigned); so the
/// same container and options give the same image. Text bytes of the image are
/// its own, other contents those of `object`.
///
/// A loaded image comes back as it is: it is fixed to its addresses.
///
/// Refuses, at a byte offset in `file`: load commands, sections and program
/// properties of unknown kind; relocations of another section than the text,
/// those that do not point at a lane base or slot of a descriptor and those
/// whose value does not fit; custom bars and live-in parameters that name
/// nothing, do not fit or write bits that something else wrote; values of
/// live-in parameters that are out of range; memory past the address space.
llvm::Expected<object::Object>
loadImage(object::Object object, llvm::StringRef file, const LoadOptions &);

} // namespace ane::loader

#endif // ANE_LOADER_LOADER_H
