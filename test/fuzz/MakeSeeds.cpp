//===- MakeSeeds.cpp - Small files for the fuzzers to start from ----------===//
//
// Writes DIRECTORY/<target>/<name> with the writers of this project, so that
// seeds are never older than the formats.
//
//===----------------------------------------------------------------------===//

#include "ane/E5/E5.h"
#include "ane/Firmware/Package.h"
#include "ane/NetPlist/NetPlist.h"
#include "ane/Object/Layout.h"
#include "ane/Object/Writer.h"
#include "ane/Support/OutputFile.h"
#include "ane/TaskDescriptor/TaskDescriptor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ane;

namespace {

llvm::ExitOnError orExit("ane-fuzz-seeds: ");

std::vector<td::TaskDescriptor> makeTasks(size_t count) {
  std::vector<td::TaskDescriptor> tasks(count);
  for (td::TaskDescriptor &task : tasks) {
    task.image.set(td::Field::Win, 8);
    task.image.set(td::Field::Hin, 2);
  }
  td::linkTasks(tasks);
  return tasks;
}

object::Object makeContainer(td::Format format) {
  object::ContainerSpec spec;
  auto encoded = orExit(td::encodeProgram(makeTasks(2), format));
  auto layout = *object::TensorLayout::packed(1, 1, 2, 8);
  spec.ports = {{"x", object::PortDirection::Input, layout},
                {"y", object::PortDirection::Output, layout}};
  spec.text = encoded.text;
  spec.entryOffset = encoded.entry;
  spec.firstTaskWords = encoded.firstTaskWords;
  spec.taskCount = 2;
  spec.constants = {object::Chunk::zeros(64)};
  spec.symbols = {{"K0_ne_0", 0}};
  spec.relocations = {{0x74, {}, false}};
  spec.banner = {"ANEC v1"};
  return orExit(object::layoutObject(std::move(spec)));
}

e5::Descriptor makeDescriptor() {
  e5::Descriptor descriptor;
  descriptor.buildInfo = {{"component", "ane-mlir"}};
  descriptor.containerPath = "model.hwx";
  descriptor.containerHash = std::string(64, 'a');
  e5::Port x;
  x.name = "x";
  x.shape = {1, 2};
  x.strides = {64, 2};
  x.byteSize = 64;
  descriptor.inputs = {x};
  x.name = "y";
  descriptor.outputs = {x};
  x.name = "t";
  descriptor.intermediates = {x};
  e5::PortRef between = {e5::PortKind::Intermediate, 0};
  descriptor.segments = {{"a", {{e5::PortKind::Input, 0}}, {between}},
                         {"b", {between}, {{e5::PortKind::Output, 0}}}};
  return descriptor;
}

/// A program that was cut: the engine, then the processor.
e5::Descriptor makePartition() {
  e5::Descriptor descriptor = makeDescriptor();
  e5::Stage engine, cpu;
  engine.inputs = {0};
  engine.outputs = cpu.inputs = {1};
  engine.procedure = "main_0";
  engine.inputPorts = descriptor.inputs;
  engine.outputPorts = descriptor.outputs;
  cpu.outputs = {2};
  cpu.text = "program(1.3)\n{\n}";
  cpu.weights = "weights";
  for (const char *name : {"x", "y", "z"})
    descriptor.partition.tensors.push_back(
        {name, e5::TensorDataType::Float16, {1, 2}, {}});
  descriptor.partition.numInputs = 1;
  descriptor.partition.outputs = {{"z", 2}};
  descriptor.partition.stages = {engine, cpu};
  descriptor.inputs.clear();
  descriptor.outputs.clear();
  descriptor.intermediates.clear();
  descriptor.segments.clear();
  return descriptor;
}

netplist::NetPlist makeDescription(bool isOld) {
  netplist::NetPlist description;
  netplist::Network network;
  network.name = "net";
  network.weights = {"net.weights"};
  netplist::Constant constant;
  constant.name = "c";
  network.constants = {constant};
  netplist::Unit unit;
  unit.name = "add";
  unit.type = "ElementWise";
  unit.bottoms = {"x", "c"};
  unit.params = netplist::makeDict(
      {{"Type", "Add"}, {"List", netplist::Array{1, 0.5, true}}});
  network.units = {unit};
  netplist::Output output;
  output.name = "y";
  output.bottom = "add";
  network.outputs = {output};
  netplist::Input input;
  input.name = "x";
  if (isOld) {
    description.version = netplist::oldVersion;
    network.inputs = {input};
  } else {
    netplist::Procedure procedure;
    procedure.name = "main";
    procedure.operations = {{"net", "op0"}};
    input.unit = "add";
    input.operation = "op0";
    procedure.inputs = {input};
    netplist::ProcedureOutput result;
    result.name = "y";
    result.unit = "add";
    result.operation = "op0";
    procedure.outputs = {result};
    description.procedures = {procedure};
  }
  description.networks = {network};
  return description;
}

class SeedWriter {
public:
  explicit SeedWriter(llvm::StringRef directory) : directory(directory) {}

  void write(llvm::StringRef target, llvm::StringRef name,
             llvm::function_ref<llvm::Error(llvm::raw_ostream &)> contents) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, target);
    orExit(llvm::errorCodeToError(llvm::sys::fs::create_directories(path)));
    llvm::sys::path::append(path, name);
    orExit(writeOutputFile(path, contents));
  }

private:
  llvm::StringRef directory;
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: ane-fuzz-seeds DIRECTORY\n";
    return 2;
  }
  SeedWriter seeds(argv[1]);
  for (td::Format format : {td::Format::V7, td::Format::V10}) {
    std::string name = td::stringifyFormat(format).str();
    object::Object container = makeContainer(format);
    seeds.write("hwx", name, [&](llvm::raw_ostream &os) {
      return object::writeObject(container, os);
    });
    for (llvm::endianness order :
         {llvm::endianness::little, llvm::endianness::big})
      seeds.write(
          "fw", name + (order == llvm::endianness::big ? "-big" : "-little"),
          [&](llvm::raw_ostream &os) {
            auto package = orExit(firmware::packageContainer(container));
            package.order = order;
            return firmware::writePackage(package, os);
          });
    for (uint16_t count : {1, 3})
      seeds.write(
          "td", name + "-" + std::to_string(count), [&](llvm::raw_ostream &os) {
            auto encoded = orExit(td::encodeProgram(makeTasks(count), format));
            llvm::support::ulittle16_t head[2];
            head[0] = count;
            head[1] = encoded.firstTaskWords;
            os.write(reinterpret_cast<const char *>(head), sizeof(head));
            os << llvm::toStringRef(encoded.text);
            return llvm::Error::success();
          });
  }
  seeds.write("e5", "segments", [&](llvm::raw_ostream &os) {
    return e5::writeE5(makeDescriptor(), os);
  });
  seeds.write("e5", "partition", [&](llvm::raw_ostream &os) {
    return e5::writeE5(makePartition(), os);
  });
  for (bool isOld : {false, true})
    seeds.write("plist", isOld ? "old" : "new", [&](llvm::raw_ostream &os) {
      return netplist::writeNetPlist(makeDescription(isOld), os);
    });
  return 0;
}
