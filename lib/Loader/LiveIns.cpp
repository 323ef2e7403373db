//===- LiveIns.cpp - Binds live-in parameters -----------------------------===//

#include "Resolve.h"
#include "ane/Support/FileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane;
using namespace ane::loader;
using llvm::Error;
using object::OperandDescriptor;

namespace {

class LiveInBinder {
public:
  LiveInBinder(object::Object &object, const LoadTables &tables,
               const TextSites &sites, llvm::StringRef file, TextPatch &patch)
      : tables(tables), sites(sites), file(file), patch(patch),
        procedures(object.all<object::ProgramDescriptor>().size()),
        values(tables.liveIns.size()) {
    for (object::LoadCommand &command : object.commands)
      if (auto *operand = std::get_if<OperandDescriptor>(&command.body))
        operands.push_back(operand);
  }

  /// Refuses parameters that are of no input or have no range.
  Error checkParameters() const {
    for (auto [index, liveIn] : llvm::enumerate(tables.liveIns)) {
      auto fail = [&, index = index](const llvm::Twine &message) {
        return makeFileError(
            file, tables.liveInsOffset + index * sizeof(LiveIn),
            "live-in parameter " + llvm::Twine(index) + ": " + message);
      };
      const OperandDescriptor *operand = operandAt(liveIn.operand);
      if (!operand || operand->direction != object::PortDirection::Input)
        return fail(
            llvm::formatv("operand {0} is no input", uint32_t(liveIn.operand)));
      if (liveIn.axis >= numAxes)
        return fail(
            llvm::formatv("there is no axis {0}", uint32_t(liveIn.axis)));
      if (liveIn.step == 0 || liveIn.start == 0 || liveIn.start > liveIn.stop ||
          liveIn.stop > INT32_MAX)
        return fail(llvm::formatv(
            "start {0}, stop {1}, step {2} are no range of extents",
            uint64_t(liveIn.start), uint64_t(liveIn.stop),
            uint64_t(liveIn.step)));
    }
    return Error::success();
  }

  Error setValue(const LiveInValue &given) {
    for (auto [index, liveIn] : llvm::enumerate(tables.liveIns)) {
      if (operands[liveIn.operand]->port != given.input ||
          axisLetters[liveIn.axis] != given.axis)
        continue;
      if (given.value < liveIn.start || given.value > liveIn.stop ||
          (given.value - liveIn.start) % liveIn.step != 0)
        return fail(index,
                    llvm::formatv("{0} is not among its values {1}, {2}, ... "
                                  "up to {3}",
                                  given.value, uint64_t(liveIn.start),
                                  liveIn.start + liveIn.step,
                                  uint64_t(liveIn.stop)));
      values[index] = given.value;
      return Error::success();
    }
    std::string names;
    for (const LiveIn &liveIn : tables.liveIns)
      names += (names.empty() ? "; there is " : ", ") + nameOf(liveIn);
    return makeFileError(
        file, 0,
        "there is no live-in parameter '" + given.input + ":" +
            llvm::Twine(given.axis) + "'" +
            (names.empty() ? "; the container has none" : names));
  }

  Error bind(const LiveInField &field) {
    if (field.parameter >= values.size())
      return llvm::createStringError(llvm::formatv("there is no parameter {0}",
                                                   uint32_t(field.parameter)));
    std::optional<uint64_t> bound = values[field.parameter];
    if (!bound)
      return Error::success();
    std::optional<int64_t> product =
        llvm::checkedMul<int64_t>(*bound, field.factor);
    std::optional<int64_t> value =
        product ? llvm::checkedAdd<int64_t>(*product, field.addend)
                : std::nullopt;
    if (!value || *value < 0)
      return llvm::createStringError(
          llvm::formatv("{0} * {1} + {2} is no number of a field", *bound,
                        int64_t(field.factor), int64_t(field.addend)));
    switch (field.place) {
    case LiveInField::Place::Register:
      return bindRegister(field, *value);
    case LiveInField::Place::Extent:
      return bindExtent(field, *value);
    }
    return llvm::createStringError(
        llvm::formatv("place {0} is not known", uint8_t(field.place)));
  }

  /// The parameters themselves are extents.
  Error bindParameters() {
    for (auto [index, liveIn] : llvm::enumerate(tables.liveIns))
      if (values[index])
        if (Error error =
                setExtent(liveIn.operand, liveIn.axis, *values[index]))
          return fail(index, llvm::toString(std::move(error)));
    return Error::success();
  }

private:
  static constexpr uint32_t numAxes = sizeof(axisLetters) - 1;

  const OperandDescriptor *operandAt(uint32_t index) const {
    return index < operands.size() ? operands[index] : nullptr;
  }

  std::string nameOf(const LiveIn &liveIn) const {
    return operands[liveIn.operand]->port + ":" + axisLetters[liveIn.axis];
  }

  Error fail(size_t index, const llvm::Twine &message) const {
    const LiveIn &liveIn = tables.liveIns[index];
    return makeFileError(file, tables.liveInsOffset + index * sizeof(LiveIn),
                         "live-in parameter '" + nameOf(liveIn) +
                             "': " + message);
  }

  Error bindRegister(const LiveInField &field, uint64_t value) {
    if (field.bitWidth == 0 || field.bitOffset + field.bitWidth > 32)
      return llvm::createStringError(
          llvm::formatv("bits {0} to {1} are no field of a register",
                        field.bitOffset, field.bitOffset + field.bitWidth - 1));
    if (field.procedure >= procedures)
      return llvm::createStringError(llvm::formatv(
          "procedure {0} of {1}", uint32_t(field.procedure), procedures));
    std::optional<uint64_t> place =
        sites.findRegister(field.procedure, field.index, field.registerIndex);
    if (!place)
      return llvm::createStringError(
          llvm::formatv("task {0} has no word for register {1:x}",
                        uint32_t(field.index), uint32_t(field.registerIndex)));
    if (std::optional<std::string> problem =
            patch.write(*place, field.bitOffset, field.bitWidth, value))
      return llvm::createStringError(*problem);
    return Error::success();
  }

  Error bindExtent(const LiveInField &field, uint64_t value) {
    if (field.index >= operands.size())
      return llvm::createStringError(
          llvm::formatv("there is no operand {0}", uint32_t(field.index)));
    return setExtent(field.index, field.registerIndex, value);
  }

  /// Extents only shrink: strides and surfaces stay as they were compiled.
  Error setExtent(uint32_t index, uint32_t axis, uint64_t value) {
    uint32_t *extent = extentOf(operands[index]->layout, axis);
    if (!extent)
      return llvm::createStringError(
          llvm::formatv("there is no axis {0}", axis));
    if (value == 0 || value > *extent)
      return llvm::createStringError(llvm::formatv(
          "extent {0} of '{1}' cannot be {2}; its surface has {3}",
          axisLetters[axis], operands[index]->port, value, *extent));
    *extent = value;
    return Error::success();
  }

  const LoadTables &tables;
  const TextSites &sites;
  llvm::StringRef file;
  TextPatch &patch;
  size_t procedures;
  std::vector<OperandDescriptor *> operands;
  std::vector<std::optional<uint64_t>> values; ///< by parameter
};

} // namespace

Error loader::bindLiveIns(object::Object &object, const LoadTables &tables,
                          llvm::ArrayRef<LiveInValue> values,
                          const TextSites &sites, llvm::StringRef file,
                          TextPatch &patch) {
  LiveInBinder binder(object, tables, sites, file, patch);
  if (Error error = binder.checkParameters())
    return error;
  for (const LiveInValue &value : values)
    if (Error error = binder.setValue(value))
      return error;
  if (Error error = binder.bindParameters())
    return error;
  for (auto [index, field] : llvm::enumerate(tables.fields))
    if (Error error = binder.bind(field))
      return makeFileError(file,
                           tables.fieldsOffset + index * sizeof(LiveInField),
                           "live-in field " + llvm::Twine(index) + ": " +
                               llvm::toString(std::move(error)));
  return Error::success();
}
