//===- Fixtures.cpp - Containers that the tests share ---------------------===//

#include "Fixtures.h"
#include "ane/Object/HashName.h"
#include "ane/Object/Reader.h"
#include "ane/Object/Writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

using namespace ane::object;

static PortSpec makePort(llvm::StringRef name, PortDirection direction,
                         TensorLayout layout) {
  return {name.str(), direction, layout, 0};
}

ContainerSpec ane::object::test::makeSpec() {
  static const std::vector<uint8_t> weights = [] {
    std::vector<uint8_t> bytes(0x80);
    for (auto [index, byte] : llvm::enumerate(bytes))
      byte = index;
    return bytes;
  }();

  ContainerSpec spec;
  spec.ports = {
      makePort("x", PortDirection::Input, *TensorLayout::packed(1, 3, 2, 40)),
      makePort("y", PortDirection::Output, *TensorLayout::packed(1, 2, 2, 40)),
      makePort("bias", PortDirection::Input, *TensorLayout::packed(1, 2, 1, 1)),
  };
  spec.scratchBytes = 0x5000;
  spec.firstTaskWords = 157;
  spec.taskCount = 1;
  spec.text.resize(spec.firstTaskWords * sizeof(uint32_t));
  for (uint32_t word = 0; word < spec.firstTaskWords; ++word)
    llvm::support::endian::write32le(&spec.text[word * sizeof(uint32_t)], word);
  spec.relocations = {{0x74, {RelocationTarget::Constants, 0}},
                      {0x78, {RelocationTarget::Constants, 0}}};
  spec.constants = {Chunk::bytes(weights)};
  std::string hash = llvm::cantFail(hashName(spec.constants));
  spec.symbols = {{laneName(hash, 0), 0}, {laneName(hash, 1), 0x40}};
  spec.banner = {"ANEC v1", "ane-mlir", "\t-t h13"};
  return spec;
}

std::string ane::object::test::write(const Object &object) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::Error error = writeObject(object, os);
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  return bytes;
}

std::string ane::object::test::makeFile() {
  return write(llvm::cantFail(layoutObject(makeSpec())));
}

llvm::Expected<Object> ane::object::test::read(llvm::StringRef bytes) {
  return readObject(llvm::MemoryBuffer::getMemBufferCopy(bytes, "test.hwx"));
}
