//===- AddressPlan.cpp - The addresses of a load --------------------------===//

#include "AddressPlan.h"
#include "ane/Object/AddressMap.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace ane;
using namespace ane::loader;
using llvm::Error;
using llvm::Expected;
using object::Segment;
using SectionType = object::SectionType;

/// Whether a segment only keeps address 0 free.
static bool isGuard(const Segment &segment) {
  return segment.sections.empty() && segment.address == 0;
}

/// Whether a segment is the surface of a port.
static bool isSurface(const Segment &segment) {
  return llvm::any_of(segment.sections, [](const object::Section &section) {
    return section.type() == SectionType::Input ||
           section.type() == SectionType::Output;
  });
}

Expected<AddressPlan> AddressPlan::create(const object::Object &object,
                                          llvm::StringRef file, uint64_t base) {
  if (base == 0 || base % object::pageBytes || base >= object::deviceLimit)
    return makeFileError(
        file, 0,
        llvm::formatv("{0:x} is no load address; it must be a multiple of "
                      "{1:x}, not 0, and have 42 bits",
                      base, object::pageBytes));
  // An address in two sections would have two new places.
  Expected<object::AddressMap> map = object::AddressMap::create(object);
  if (!map)
    return makeFileError(file, 0, llvm::toString(map.takeError()));

  AddressPlan plan;
  plan.segments.resize(object.commands.size());
  uint64_t next = base;
  // LC_LOADFVMLIB names surfaces with 32 bits, so they come first.
  for (bool surfaces : {true, false})
    for (auto [command, address] :
         llvm::zip_equal(object.commands, plan.segments)) {
      const auto *segment = std::get_if<Segment>(&command.body);
      if (!segment || isGuard(*segment) || isSurface(*segment) != surfaces)
        continue;
      uint64_t start = next + segment->address % object::pageBytes;
      if (start >= object::deviceLimit ||
          segment->memorySize > object::deviceLimit - start)
        return makeFileError(
            file, command.fileOffset,
            llvm::formatv("segment '{0}' of {1} bytes would be loaded at "
                          "{2:x}, past the device address space of 42 bits",
                          segment->name, segment->memorySize, start));
      address = start;
      // A free page, so that no access leads from one segment to another.
      next = llvm::alignTo(start + segment->memorySize, object::pageBytes) +
             object::pageBytes;
    }
  std::vector<Range> bare;
  for (auto [command, address] :
       llvm::zip_equal(object.commands, plan.segments))
    if (address) {
      const auto &segment = std::get<Segment>(command.body);
      for (const object::Section &section : segment.sections)
        plan.ranges.push_back({section.address, section.address + section.size,
                               *address + (section.address - segment.address)});
      if (segment.sections.empty())
        bare.push_back(
            {segment.address, segment.address + segment.memorySize, *address});
    }
  llvm::append_range(plan.ranges, bare);
  return plan;
}

std::optional<uint64_t> AddressPlan::moved(uint64_t address) const {
  for (const Range &range : ranges)
    if (address >= range.begin && address < range.end)
      return range.newBegin + (address - range.begin);
  // The start or the end of an empty section is one, too.
  for (const Range &range : ranges)
    if (address == range.begin)
      return range.newBegin;
  return std::nullopt;
}

Error AddressPlan::apply(object::Object &object, llvm::StringRef file) const {
  for (auto [command, address] : llvm::zip_equal(object.commands, segments)) {
    auto fail = [&, place = command.fileOffset](const llvm::Twine &message) {
      return makeFileError(file, place, message);
    };
    bool changed = true;
    if (auto *segment = std::get_if<Segment>(&command.body); segment) {
      changed = address.has_value();
      for (object::Section &section : segment->sections)
        section.address = *address + (section.address - segment->address);
      segment->address = address.value_or(segment->address);
    } else if (auto *port = std::get_if<object::Port>(&command.body)) {
      std::optional<uint64_t> place = moved(port->address);
      if (!place)
        return fail("port '" + port->name + "' is in no segment");
      if (port->command == llvm::MachO::LC_LOADFVMLIB && *place > UINT32_MAX)
        return fail(llvm::formatv(
            "port '{0}' would be loaded at {1:x}, but LC_LOADFVMLIB holds 32 "
            "bits; use a lower load address",
            port->name, *place));
      port->address = *place;
    } else if (auto *program =
                   std::get_if<object::ProgramDescriptor>(&command.body)) {
      for (uint64_t &bar : program->bars)
        if (bar)
          bar = moved(bar).value_or(0);
      program->entry = moved(program->entry).value_or(0);
    } else if (auto *table = std::get_if<object::SymbolTable>(&command.body)) {
      for (object::Symbol &symbol : table->symbols)
        if (symbol.section) {
          const Range &range = ranges[symbol.section - 1];
          symbol.value = range.newBegin + (symbol.value - range.begin);
        }
    } else {
      changed = false;
    }
    if (changed && !command.verbatim.empty())
      return fail("the command has bytes that belong to no field; where they "
                  "hold an address it cannot be moved");
  }
  return Error::success();
}
