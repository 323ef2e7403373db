//===- RealCase.cpp - Register words of Apple's compiler ------------------===//

#include "RealCase.h"
#include "../TestData.h"
#include "Tables.h"
#include "TaskFile.h"
#include "ane/Engine/Watch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;
using llvm::support::endian::read64le;
using llvm::support::endian::write64le;

RealCase::RealCase(llvm::StringRef name) {
  std::optional<std::string> path =
      testData(("real/tasks/" + name + ".json").str());
  if (!path)
    return;
  auto read = readTaskFile(*path);
  if (!read) {
    ADD_FAILURE() << name.str() << ": " << llvm::toString(read.takeError());
    return;
  }
  tasks = std::move(*read);
  found = true;
}

void RealCase::input(unsigned bar, const Array &array) {
  inputs[bar] = array;
  surfaces[bar] = packedLayout(array.extents);
}

void RealCase::output(unsigned bar, const Extents &extents) {
  surfaces[bar] = packedLayout(extents);
}

void RealCase::kernel(unsigned task, const Coefficients &coefficients) {
  const td::RegisterImage &image = tasks[task].image;
  uint32_t rowCap = 1u << image.get(Field::OCGSize);
  auto lanes = image.isSet(Field::SparseFmt)
                   ? packSparseLanes(coefficients, rowCap, image.get(Field::Kw))
                   : packLanes(coefficients, rowCap);
  for (auto [index, lane] : llvm::enumerate(lanes)) {
    EXPECT_TRUE(image.isSet(Field::CoeffEn, index));
    EXPECT_EQ(image.getScaled(Field::CoeffBase, index),
              int64_t(constants.size()));
    EXPECT_EQ(image.getScaled(Field::CoeffSize, index), int64_t(lane.size()));
    constants.insert(constants.end(), lane.begin(), lane.end());
  }
}

void RealCase::tables(std::initializer_list<td::LutRecord> records) {
  for (const td::LutRecord &record : records) {
    appendTable(constants, record);
    constants.resize(llvm::alignTo(constants.size(), 2048));
  }
}

/// Opens and closes the groups of tasks that a part of a program cuts.
static void completeGroups(llvm::MutableArrayRef<td::TaskDescriptor> tasks) {
  bool open = false;
  size_t first = 0; // of a group that may lack its start
  for (auto [index, task] : llvm::enumerate(tasks)) {
    open |= task.image.isSet(Field::SPL);
    if (!task.image.isSet(Field::TSE))
      continue;
    if (!open)
      tasks[first].image.set(Field::SPL, 1);
    open = false;
    first = index + 1;
  }
  if (open)
    for (Field field : {Field::TSE, Field::TSR})
      tasks.back().image.set(field, 1);
}

Array RealCase::run(unsigned bar) {
  std::optional<Array> result;
  for (td::Format format : {td::Format::V7, td::Format::V10}) {
    llvm::Expected<Array> array = run(bar, format);
    if (!array) {
      ADD_FAILURE() << td::stringifyFormat(format).str() << ": "
                    << llvm::toString(array.takeError());
      return Array(surfaces.count(bar) ? extentsOf(surfaces.at(bar))
                                       : Extents());
    }
    if (result) {
      EXPECT_EQ(array->values, result->values);
    }
    result = *array;
  }
  return *result;
}

std::string RealCase::refusal() {
  llvm::Expected<Array> array = run(surfaces.begin()->first, td::Format::V7);
  return array ? "" : llvm::toString(array.takeError());
}

llvm::Expected<Array> RealCase::run(unsigned resultBar, td::Format format) {
  std::vector<td::TaskDescriptor> linked = tasks;
  td::linkTasks(linked);
  completeGroups(linked);
  llvm::Expected<td::EncodedProgram> encoded =
      td::encodeProgram(linked, format);
  if (!encoded)
    return encoded.takeError();

  std::vector<uint64_t> bars(object::maxBars);
  DeviceProgram program;
  auto add = [&](unsigned bar, uint64_t size, llvm::ArrayRef<uint8_t> bytes,
                 bool writable) {
    bars[bar] = uint64_t(bar + 1) << 32;
    program.sections.push_back({"BAR " + std::to_string(bar), bars[bar], size,
                                bytes, writable, bar == scratchBar});
    return program.sections.size() - 1;
  };
  std::vector<uint8_t> contents = constants;
  contents.resize(std::max<size_t>(contents.size(), object::pageBytes));
  add(object::BarConstants, contents.size(), contents, false);
  add(scratchBar, scratchBytes, {}, true);
  std::map<unsigned, unsigned> sections;
  for (const auto &[bar, layout] : surfaces)
    sections[bar] = add(bar, *layout.totalBytes(), {}, !inputs.count(bar));

  if (format == td::Format::V10)
    for (const td::RelocationSite &site : encoded->relocations)
      if (site.target == td::RelocationSite::Target::Buffer) {
        uint8_t *slot = encoded->text.data() + site.offset;
        write64le(slot, read64le(slot) + bars[site.bar]);
      }
  program.text = {"tasks",
                  0,
                  encoded->text,
                  encoded->entry,
                  encoded->firstTaskWords,
                  static_cast<uint32_t>(tasks.size()),
                  bars};
  auto machine = Machine::create(program);
  if (!machine)
    return machine.takeError();
  for (const Finding &finding : checkProgram(**machine))
    return llvm::createStringError("task " + llvm::Twine(finding.task) + ": " +
                                   finding.message);
  for (const auto &[bar, array] : inputs)
    store(array, surfaces.at(bar), (*machine)->memory(sections[bar]));
  if (llvm::Error error = (*machine)->run(2, Numerics::Documented))
    return error;
  return load(surfaces.at(resultBar), (*machine)->memory(sections[resultBar]));
}
