//===- CustomBars.cpp - Writes the values of custom bars ------------------===//

#include "Resolve.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace ane;
using namespace ane::loader;
using llvm::Error;
using llvm::Expected;

namespace {

class BarWriter {
public:
  BarWriter(const object::Object &object, const LoadTables &tables,
            const TextSites &sites, TextPatch &patch)
      : sections(object.sections()),
        programs(object.all<object::ProgramDescriptor>()), sites(sites),
        patch(patch) {
    for (const CustomBar &bar : tables.bars)
      if (bar.value == BarValue::DataSet)
        dataSets.insert(bar.target);
  }

  Error write(const CustomBar &bar) {
    if (bar.bitWidth == 0 || bar.bitWidth > 64 || bar.bitOffset >= 32 ||
        bar.bitOffset + bar.bitWidth > 64)
      return llvm::createStringError(llvm::formatv(
          "bits {0} to {1} are no field; it starts in its register and has one "
          "bit to the end of the next",
          bar.bitOffset, bar.bitOffset + bar.bitWidth - 1));
    if (bar.shift >= 64)
      return llvm::createStringError(
          llvm::formatv("a shift of {0} leaves nothing", bar.shift));
    if (bar.procedure >= programs.size())
      return llvm::createStringError(llvm::formatv(
          "procedure {0} of {1}", uint32_t(bar.procedure), programs.size()));
    Expected<uint64_t> place = findField(bar);
    if (!place)
      return place.takeError();
    Expected<uint64_t> value = resolve(bar);
    if (!value)
      return value.takeError();
    if (*value & llvm::maskTrailingOnes<uint64_t>(bar.shift))
      return llvm::createStringError(llvm::formatv(
          "the value {0:x} is no multiple of 2^{1}", *value, bar.shift));
    if (std::optional<std::string> problem = patch.write(
            *place, bar.bitOffset, bar.bitWidth, *value >> bar.shift))
      return llvm::createStringError(*problem);
    return Error::success();
  }

private:
  /// The word of the text where the field starts.
  Expected<uint64_t> findField(const CustomBar &bar) const {
    std::optional<uint64_t> first =
        sites.findRegister(bar.procedure, bar.task, bar.registerIndex);
    bool isLong = bar.bitOffset + bar.bitWidth > 32;
    if (first && isLong &&
        sites.findRegister(bar.procedure, bar.task,
                           uint32_t(bar.registerIndex) + 1) != *first + 4)
      first = std::nullopt;
    if (first)
      return *first;
    return llvm::createStringError(llvm::formatv(
        "task {0} has no word for register {1:x}{2}", uint32_t(bar.task),
        uint32_t(bar.registerIndex), isLong ? " and the next" : ""));
  }

  Expected<uint64_t> resolve(const CustomBar &bar) const {
    switch (bar.value) {
    case BarValue::DataSet:
      return std::distance(dataSets.begin(), dataSets.find(bar.target)) + 1;
    case BarValue::DeviceAddress: {
      Expected<int64_t> value = addressOf(bar);
      if (value && *value >= int64_t(object::deviceLimit))
        return llvm::createStringError(
            llvm::formatv("{0:x} is no 42-bit address", *value));
      if (!value)
        return value.takeError();
      return checkSign(*value);
    }
    case BarValue::BufferOffset: {
      Expected<int64_t> value = addressOf(bar);
      if (!value)
        return value.takeError();
      llvm::ArrayRef<uint64_t> bars = programs[bar.procedure]->bars;
      if (bar.bar >= bars.size() || bars[bar.bar] == 0)
        return llvm::createStringError(
            llvm::formatv("BAR {0} holds no address", uint32_t(bar.bar)));
      return checkSign(*value - int64_t(bars[bar.bar]));
    }
    }
    return llvm::createStringError(
        llvm::formatv("value kind {0} is not known", uint8_t(bar.value)));
  }

  Expected<int64_t> addressOf(const CustomBar &bar) const {
    if (bar.target == 0 || bar.target > sections.size())
      return llvm::createStringError(
          llvm::formatv("there is no section {0}", uint32_t(bar.target)));
    // An address has 42 bits, and so has what is worth adding to it.
    int64_t addend = bar.addend;
    if (addend >= int64_t(object::deviceLimit) ||
        addend <= -int64_t(object::deviceLimit))
      return llvm::createStringError(
          llvm::formatv("the addend {0} passes 42 bits", addend));
    return int64_t(sections[bar.target - 1]->address) + addend;
  }

  static Expected<uint64_t> checkSign(int64_t value) {
    if (value < 0)
      return llvm::createStringError(
          llvm::formatv("the value {0} is negative", value));
    return value;
  }

  llvm::SmallVector<const object::Section *, 16> sections;
  llvm::SmallVector<const object::ProgramDescriptor *, 8> programs;
  const TextSites &sites;
  TextPatch &patch;
  std::set<uint32_t> dataSets;
};

} // namespace

Error loader::writeCustomBars(const object::Object &object,
                              const LoadTables &tables, const TextSites &sites,
                              llvm::StringRef file, TextPatch &patch) {
  BarWriter writer(object, tables, sites, patch);
  for (auto [index, bar] : llvm::enumerate(tables.bars))
    if (Error error = writer.write(bar))
      return makeFileError(file, tables.barsOffset + index * sizeof(CustomBar),
                           "custom bar " + llvm::Twine(index) + ": " +
                               llvm::toString(std::move(error)));
  return Error::success();
}
