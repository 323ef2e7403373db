//===- HeaderPart.cpp - The header of a container -------------------------===//

#include "Parts.h"

using namespace ane;
using namespace ane::object;
using namespace ane::objdump;
using llvm::StringRef;
using enum ane::td::Evidence;

static Item headerItem(const Object &object) {
  uint64_t commandBytes = 0;
  for (const LoadCommand &command : object.commands)
    commandBytes += command.size;
  auto known = [](uint64_t value, uint64_t expected, StringRef meaning) {
    return value == expected ? meaning : StringRef("unknown");
  };
  Item item;
  item.title = "header";
  item.entries = {
      hexEntry("magic", containerMagic, Verified, "Neural Engine container"),
      hexEntry("cputype", object.cpuType, Verified,
               known(object.cpuType, cpuTypeEngine, "engine")),
      hexEntry("cpusubtype", object.cpuSubtype, Verified,
               known(object.cpuSubtype, cpuSubtypeH13, "H13")),
      hexEntry("filetype", object.fileType, Verified,
               known(object.fileType, llvm::MachO::MH_EXECUTE, "executable")),
      decimalEntry("ncmds", object.commands.size(), Verified, "load commands"),
      hexEntry("sizeofcmds", commandBytes, Verified, "bytes of load commands"),
      hexEntry(
          "flags", object.flags, Verified,
          known(object.flags, llvm::MachO::MH_PIE, "position-independent")),
      hexEntry("reserved", object.reserved, Verified),
  };
  return item;
}

Part objdump::headerPart(const Object &object) {
  Part part;
  part.name = "header";
  part.isSingle = true;
  part.count = 1;
  part.item = [&](size_t) { return headerItem(object); };
  return part;
}
