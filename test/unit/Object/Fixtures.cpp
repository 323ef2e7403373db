//===- Fixtures.cpp - Containers that the tests share ---------------------===//

#include "Fixtures.h"
#include "ane/Object/HashName.h"
#include "ane/Object/Reader.h"
#include "ane/Object/Writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"
#include <cstdlib>

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

std::optional<std::string> ane::object::test::testData(llvm::StringRef path) {
  const char *root = std::getenv("ANE_TEST_DATA");
  if (!root)
    return std::nullopt;
  return (llvm::StringRef(root) + "/" + path).str();
}

static RelocationTarget targetOf(const Object &object, uint32_t ordinal,
                                 llvm::ArrayRef<const Port *> ports) {
  const Section *section = object.sections()[ordinal - 1];
  if (section->type() == SectionType::Coefficients)
    return {RelocationTarget::Constants, 0};
  if (section->type() == SectionType::Scratch)
    return {RelocationTarget::Scratch, 0};
  auto port = llvm::find_if(ports, [&](const Port *candidate) {
    return candidate->address == section->address;
  });
  return {RelocationTarget::Port, unsigned(port - ports.begin())};
}

ContainerSpec ane::object::test::specOf(const Object &object) {
  ContainerSpec spec;
  llvm::SmallVector<const Port *, 8> ports = object.all<Port>();
  for (const Port *port : ports) {
    const OperandDescriptor *operand = object.findOperand(port->name);
    llvm::StringRef name = port->name;
    if (operand->direction == PortDirection::Output)
      name.consume_back(outputSuffix);
    spec.ports.push_back(
        {name.str(), operand->direction, operand->layout, /*byteSize=*/0});
  }
  for (const OperandDescriptor *operand : object.all<OperandDescriptor>())
    spec.operandOrder.push_back(llvm::find_if(ports,
                                              [&](const Port *port) {
                                                return port->name ==
                                                       operand->port;
                                              }) -
                                ports.begin());

  if (const Section *scratch = object.findSection(SectionType::Scratch))
    spec.scratchBytes = scratch->size;
  const Section *text = object.findSection(SectionType::Text);
  spec.text = text->bytes().vec();
  for (const Relocation &relocation : text->relocations)
    spec.relocations.push_back(
        {relocation.address, targetOf(object, relocation.target, ports)});

  const Section *constants = object.findSection(SectionType::Coefficients);
  const auto *table = object.first<SymbolTable>();
  for (const Symbol &symbol : table->symbols)
    if (symbol.type == definedSymbol &&
        object.sections()[symbol.section - 1] == constants)
      spec.symbols.push_back(
          {table->name(symbol).str(), symbol.value - constants->address});
  // A page of zeros that nothing names is what the layout adds by itself.
  bool isDummy =
      spec.symbols.empty() && constants->size == pageBytes &&
      llvm::all_of(constants->bytes(), [](uint8_t byte) { return byte == 0; });
  if (!isDummy)
    spec.constants = {Chunk::bytes(constants->bytes())};

  const auto *program = object.first<ProgramDescriptor>();
  spec.firstTaskWords = program->firstTaskWordsLessOne + 1;
  spec.taskCount = program->taskCount;
  spec.procedure = program->procedure;
  spec.opaque850 = program->opaque850;
  spec.opaque858 = program->opaque858;

  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(object.first<Ident>()->text).rtrim('\n').split(lines, '\n');
  spec.banner.assign(lines.begin(), lines.end());
  return spec;
}
