//===- AddressTest.cpp - Where a load puts things -------------------------===//

#include "Fixtures.h"
#include "llvm/Support/Endian.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::loader;
using namespace ane::loader::test;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class Address : public testing::TestWithParam<td::Format> {};

INSTANTIATE_TEST_SUITE_P(Formats, Address,
                         testing::Values(td::Format::V7, td::Format::V10),
                         [](const auto &info) {
                           return td::stringifyFormat(info.param).str();
                         });

std::vector<uint64_t> addresses(const object::Object &object) {
  std::vector<uint64_t> result;
  for (const object::Section *section : object.sections())
    result.push_back(section->address);
  return result;
}

/// Ports come first, a free page follows each segment, and everything that
/// names an address names the new one.
TEST_P(Address, EverythingMoves) {
  std::string file = container(GetParam());
  object::Object before = read(file);
  auto image = load(file);
  ASSERT_TRUE(image);
  uint64_t constants = addresses(before)[1] - addresses(before)[0];
  EXPECT_THAT(addresses(*image),
              ElementsAre(0x40010000, 0x40010000 + constants, 0x40018000,
                          0x40000000, 0x40008000));

  const auto *program = image->first<object::ProgramDescriptor>();
  EXPECT_EQ(program->bars[0], 0x40010000u);
  EXPECT_EQ(program->bars[1], 0x40010000 + constants);
  EXPECT_EQ(program->bars[2], 0u);
  EXPECT_EQ(program->bars[3], 0x40018000u);
  EXPECT_EQ(program->bars[4], 0x40008000u);
  EXPECT_EQ(program->bars[5], 0x40000000u);
  EXPECT_EQ(program->entry,
            0x40010000u + (GetParam() == td::Format::V10 ? 12 : 0));

  auto ports = image->all<object::Port>();
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(ports[0]->address, 0x40000000u);
  EXPECT_EQ(ports[1]->address, 0x40008000u);
  const auto *old = before.first<object::SymbolTable>();
  const auto *symbols = image->first<object::SymbolTable>();
  for (auto [a, b] : llvm::zip_equal(old->symbols, symbols->symbols))
    if (a.section)
      EXPECT_EQ(b.value - addresses(*image)[b.section - 1],
                a.value - addresses(before)[a.section - 1]);
    else
      EXPECT_EQ(b.value, a.value);
}

/// So does a BAR in a segment without sections, which moves as well.
TEST_P(Address, SegmentsWithoutSectionsMove) {
  object::Object before = read(container(GetParam()));
  object::Segment spare;
  spare.address = 0x30100000;
  spare.memorySize = object::pageBytes;
  for (object::LoadCommand &command : before.commands)
    if (auto *program = std::get_if<object::ProgramDescriptor>(&command.body))
      program->bars[2] = spare.address;
  before.commands.push_back({spare, 0, 0, {}});
  auto image = loadImage(std::move(before), "test.hwx", {});
  ASSERT_TRUE(bool(image)) << llvm::toString(image.takeError());
  EXPECT_EQ(image->all<object::Segment>().back()->address, 0x40020000u);
  EXPECT_EQ(image->first<object::ProgramDescriptor>()->bars[2], 0x40020000u);
}

/// Slots hold addresses, lane bases what they were; the rest of the text does
/// not change.
TEST_P(Address, TextIsRelocated) {
  std::string file = container(GetParam());
  object::Object before = read(file);
  auto image = load(file);
  ASSERT_TRUE(image);
  const object::Section *text = before.findSection(object::SectionType::Text);
  std::vector<uint8_t> expected(text->bytes().begin(), text->bytes().end());
  std::vector<uint64_t> slots;
  for (const object::Relocation &relocation : text->relocations) {
    if (relocation.lengthLog2 == 2)
      continue;
    uint8_t *place = expected.data() + relocation.address;
    slots.push_back(addresses(*image)[relocation.target - 1]);
    llvm::support::endian::write64le(place, read64le(place) + slots.back());
  }
  if (GetParam() == td::Format::V10)
    EXPECT_THAT(slots,
                ElementsAre(0x40000000, 0x40018000, 0x40018000, 0x40008000));
  EXPECT_EQ(image->findSection(object::SectionType::Text)->bytes(),
            llvm::ArrayRef(expected));
  // Relative to its BARs the program is the same one.
  EXPECT_EQ(tasksOf(*image)[0].image.get(td::Field::CoeffBase, 1), 1u);
  EXPECT_EQ(tasksOf(*image)[1].image.get(td::Field::Src1Base), 0u);
}

/// The image is a container that loads as it is, wherever it would go.
TEST_P(Address, ImageLoadsAsItIs) {
  std::string file = container(GetParam());
  EXPECT_FALSE(isLoadedImage(read(file)));
  auto image = load(file);
  ASSERT_TRUE(image);
  std::string bytes = write(*image);
  EXPECT_EQ(bytes.size(), file.size());
  object::Object again = read(bytes);
  EXPECT_TRUE(isLoadedImage(again));
  for (const object::Section *section : again.sections())
    EXPECT_TRUE(section->relocations.empty());
  auto same = load(bytes);
  ASSERT_TRUE(same);
  EXPECT_EQ(write(*same), bytes);

  LoadOptions options;
  options.address = 0x50000000;
  EXPECT_EQ(refusal(bytes, options),
            "test.hwx:0:24: error: this is a loaded image, fixed to its "
            "addresses; a load address goes with the container it was made "
            "from");
  EXPECT_NE(write(*load(file, options)), bytes);
}

TEST_P(Address, SameLoadSameBytes) {
  std::string file = container(GetParam());
  EXPECT_EQ(write(*load(file)), write(*load(file)));
}

TEST_P(Address, RefusesAddresses) {
  std::string file = container(GetParam());
  auto message = [&](uint64_t address) {
    LoadOptions options;
    options.address = address;
    return refusal(file, options);
  };
  EXPECT_EQ(message(0x4000), "");
  EXPECT_EQ(message(0xfffe0000), "");
  EXPECT_THAT(message(0), HasSubstr("test.hwx:0:0: error: 0x0 is no load "
                                    "address; it must be a multiple of "
                                    "0x4000, not 0, and have 42 bits"));
  EXPECT_THAT(message(0x40002000), HasSubstr("0x40002000 is no load address"));
  EXPECT_THAT(message(uint64_t(1) << 42), HasSubstr("is no load address"));
  EXPECT_THAT(message(0xffffc000),
              HasSubstr("port 'y@output' would be loaded at 0x100004000, but "
                        "LC_LOADFVMLIB holds 32 bits; use a lower load "
                        "address"));
  EXPECT_THAT(message((uint64_t(1) << 42) - 0x8000),
              HasSubstr("past the device address space of 42 bits"));
}

TEST_P(Address, RefusesUnknownThings) {
  std::string file = container(GetParam());
  auto message = [&](auto change) {
    object::Object object = read(file);
    for (object::LoadCommand &command : object.commands)
      change(command);
    llvm::Expected<object::Object> image =
        loadImage(std::move(object), "test.hwx", {});
    return image ? "" : llvm::toString(image.takeError());
  };
  static const uint8_t unknown[] = {0x77, 0, 0, 0, 8, 0, 0, 0};
  EXPECT_EQ(message([](object::LoadCommand &command) {
              if (std::holds_alternative<object::Ident>(command.body))
                command.body = object::OpaqueCommand{unknown, "of no kind"};
            }),
            "test.hwx:0:" + std::to_string([&] {
              for (object::LoadCommand &command : read(file).commands)
                if (std::holds_alternative<object::Ident>(command.body))
                  return command.fileOffset;
              return 0u;
            }()) +
                ": error: load command 0x77 of 8 bytes is of no kind");
  auto section = [](auto change) {
    return [=](object::LoadCommand &command) {
      if (auto *segment = std::get_if<object::Segment>(&command.body))
        for (object::Section &section : segment->sections)
          change(section);
    };
  };
  EXPECT_THAT(message(section([](object::Section &section) {
                if (section.type() == object::SectionType::Scratch)
                  section.flags = 0x2f;
              })),
              HasSubstr("section '__DATA,__bss' is of type 0x2f, which is not "
                        "known"));
  EXPECT_THAT(message(section([](object::Section &section) {
                if (section.type() == object::SectionType::Coefficients)
                  section.relocations.push_back({});
              })),
              HasSubstr("section '__TEXT,__const' has relocations; only the "
                        "text has places for them"));
  EXPECT_THAT(message([](object::LoadCommand &command) {
                if (auto *program =
                        std::get_if<object::ProgramDescriptor>(&command.body))
                  program->properties = {{9, {}}, {12, {}}};
              }),
              HasSubstr("property 12 of procedure 'net' is not known"));
}

} // namespace
