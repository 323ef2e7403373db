//===- RunnerFixture.h - A container and its descriptor ---------*- C++ -*-===//

#ifndef ANE_TEST_UNIT_ENGINE_RUNNERFIXTURE_H
#define ANE_TEST_UNIT_ENGINE_RUNNERFIXTURE_H

#include "Fixtures.h"
#include "ane/E5/E5.h"
#include "ane/Support/Npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "gmock/gmock.h"
#include <cstring>

namespace ane::engine::test {

/// The elements as an array of the host.
template <typename T>
NpyArray npy(ElementType type, std::initializer_list<int64_t> shape,
             std::vector<T> values) {
  NpyArray array;
  array.type = type;
  array.shape = shape;
  array.bytes.resize(values.size() * sizeof(T));
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

inline std::string text(llvm::Error error) {
  return llvm::toString(std::move(error));
}

/// relu(x) of [2, 3, 1, 2], written as a container, and a descriptor that says
/// the model's x is fp32 [2, 3, 2].
class RunnerTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("ane-runner", directory));
    Extents extents{2, 1, 3, 1, 2};
    model.input("x", extents);
    model.output("y", extents);
    td::RegisterImage task = passTask(extents);
    task.set(Field::NonlinearMode, 1);
    model.readFirst(task, "x");
    model.write(task, "y");
    model.add(task);
    container = model.container(td::Format::V7);
    write(path("m.hwx"), container);
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  std::string path(llvm::StringRef name) const {
    llvm::SmallString<128> result(directory);
    llvm::sys::path::append(result, name);
    return result.str().str();
  }
  static void write(const std::string &path, llvm::StringRef bytes) {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << bytes;
    ASSERT_FALSE(code);
  }

  e5::Port describe(llvm::StringRef name, uint64_t address) const {
    e5::Port port;
    port.name = name;
    port.hostType = e5::TensorDataType::Float32;
    port.shape = {2, 3, 2};
    port.strides = {192, 64, 2};
    port.engine = {2, 1, 3, 2, 1, 2, 64, 64, 192, 384};
    port.byteSize = 384;
    port.address = address;
    return port;
  }
  void writeDescriptor(const e5::Descriptor &descriptor) const {
    llvm::Error error = e5::writeE5(descriptor, path("m.e5"));
    ASSERT_FALSE(bool(error)) << text(std::move(error));
  }
  e5::Descriptor descriptor() const {
    e5::Descriptor result;
    llvm::SHA256 hash;
    hash.update(container);
    result.containerPath = "m.hwx";
    result.containerHash = llvm::toHex(hash.final(), true);
    auto program = llvm::cantFail(loadBytes(container));
    for (const object::Port *port : program->image().all<object::Port>())
      (port->name == "x" ? result.inputs : result.outputs)
          .push_back(describe(port->name == "x" ? "x" : "y", port->address));
    result.setSingleSegment();
    return result;
  }

  llvm::SmallString<128> directory;
  Model model;
  std::string container;
};

} // namespace ane::engine::test

#endif // ANE_TEST_UNIT_ENGINE_RUNNERFIXTURE_H
