//===- PackageTest.cpp - Writing and reading firmware packages ------------===//

#include "../TestData.h"
#include "Fixtures.h"
#include "ane/Object/Layout.h"
#include "ane/Object/Reader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace ane::firmware;
using testing::HasSubstr;

namespace {

std::string bytesOf(const Blob &blob) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  for (const object::Chunk &chunk : blob.contents)
    llvm::cantFail(chunk.write(os));
  return bytes;
}

TEST(FirmwarePackage, RoundTrip) {
  for (llvm::endianness order :
       {llvm::endianness::little, llvm::endianness::big}) {
    Package wanted = makePackage(order);
    std::string bytes = write(wanted);
    llvm::Expected<Package> package = read(bytes);
    ASSERT_TRUE(bool(package)) << llvm::toString(package.takeError());
    EXPECT_EQ(package->order, order);
    ASSERT_EQ(package->programs.size(), 2u);
    for (auto [got, want] :
         llvm::zip_equal(package->programs, wanted.programs)) {
      EXPECT_EQ(got.id, want.id);
      EXPECT_TRUE(got.bars == want.bars);
      EXPECT_TRUE(got.references == want.references);
      EXPECT_TRUE(got.procedures == want.procedures);
      ASSERT_EQ(got.blobs.size(), want.blobs.size());
      for (auto [gotBlob, wantBlob] : llvm::zip_equal(got.blobs, want.blobs)) {
        EXPECT_EQ(gotBlob.kind, wantBlob.kind);
        EXPECT_EQ(gotBlob.deviceAddress, wantBlob.deviceAddress);
        EXPECT_EQ(bytesOf(gotBlob), bytesOf(wantBlob));
      }
    }
    EXPECT_EQ(write(*package), bytes);
  }
}

TEST(FirmwarePackage, Bytes) {
  std::string bytes = write(makePackage());
  // A raw scan finds the magics backwards (documented).
  EXPECT_EQ(bytes.substr(0, 8), std::string("HENA\1\0\0\0", 8));
  EXPECT_EQ(bytes.substr(48, 8), std::string("PENA\7\0\0\0", 8));
  EXPECT_EQ(bytes.substr(48 + 2 * 64, 8), std::string("SENA\2\0\0\0", 8));
  EXPECT_EQ(header(bytes)->fileSize, bytes.size());
  // The text is on a page of its own; everything else at 64 bytes.
  EXPECT_EQ(section(bytes, 0, Text)->offset, 0x4000u);
  EXPECT_EQ(section(bytes, 0, Kernel)->offset, 0x4080u);
  EXPECT_EQ(bytes.substr(0x4000, 0x80), textBytes);
  std::string big = write(makePackage(llvm::endianness::big));
  EXPECT_EQ(big.substr(0, 8), std::string("ANEH\0\0\0\1", 8));
  EXPECT_EQ(big.size(), bytes.size());
  // The identity is that of the contents, and records are part of them.
  EXPECT_NE(big.substr(56, 32), bytes.substr(56, 32));
}

TEST(FirmwarePackage, RefusesLongNames) {
  Package package = makePackage();
  package.programs[0].procedures[0].name.assign(64, 'n');
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  EXPECT_THAT(llvm::toString(writePackage(package, os)),
              HasSubstr("has 64 bytes; a procedure's has at most 63"));
  EXPECT_TRUE(bytes.empty());
}

TEST(FirmwarePackage, RefusesMissingFiles) {
  EXPECT_THAT(llvm::toString(readPackage("/nonexistent.fw").takeError()),
              HasSubstr("/nonexistent.fw:0:0: error: cannot read the file"));
}

/// A container with an input, an output and one lane.
object::ContainerSpec makeSpec() {
  object::ContainerSpec spec;
  spec.ports = {{"x", object::PortDirection::Input,
                 *object::TensorLayout::packed(1, 1, 1, 8)},
                {"y", object::PortDirection::Output,
                 *object::TensorLayout::packed(1, 1, 1, 8)}};
  spec.text.assign(textBytes.begin(), textBytes.end());
  spec.constants = {chunk(kernelBytes)};
  spec.firstTaskWords = 8;
  spec.taskCount = 1;
  spec.entryOffset = 0x10;
  spec.relocations = {{0x20, {object::RelocationTarget::Constants}, false},
                      {0x30, {object::RelocationTarget::Port, 1}, true}};
  spec.banner = {"ANEC v1", "test"};
  return spec;
}

TEST(FirmwarePackage, OfAContainer) {
  auto container = object::layoutObject(makeSpec());
  ASSERT_TRUE(bool(container)) << llvm::toString(container.takeError());
  auto package = packageContainer(*container);
  ASSERT_TRUE(bool(package)) << llvm::toString(package.takeError());
  std::string bytes = write(*package);
  AuditReport report = audit(bytes);
  EXPECT_TRUE(report.passed()) << report.findings[0].message;
  auto reread = read(bytes);
  ASSERT_TRUE(bool(reread)) << llvm::toString(reread.takeError());
  const Program &program = reread->programs[0];
  EXPECT_EQ(bytesOf(program.blobs[0]), textBytes);
  EXPECT_EQ(bytesOf(program.blobs[1]).substr(0, 0x40), kernelBytes);
  EXPECT_THAT(bytesOf(program.blobs[2]), HasSubstr("ANEC v1"));
  EXPECT_TRUE(program.procedures ==
              std::vector<Procedure>({{"net", 0x10, 8, 1, 2}}));
  // Outputs come first among the registers of ports.
  EXPECT_TRUE(program.references ==
              std::vector<Reference>({{0x20, 1, false}, {0x30, 4, true}}));
  ASSERT_EQ(program.bars.size(), 4u);
  EXPECT_EQ(program.bars[0].address, 0x30000000u);
  EXPECT_EQ(program.bars[0].size, 0x80u);
  EXPECT_EQ(program.bars[3].id, 5u);
  EXPECT_EQ(program.bars[3].size, 0x40u);
}

/// A register names the first section of coefficients; what refers to another
/// one counts from there.
TEST(FirmwarePackage, OfSeveralKernelSections) {
  using namespace llvm::support::endian;
  object::ContainerSpec spec = makeSpec();
  spec.style = object::styleOf(object::Dialect::V9509);
  spec.constants = {object::Chunk::zeros(0x8000)};
  spec.kernelStarts = {0x4000};
  spec.relocations.push_back({0x40, {object::RelocationTarget::Constants}});
  spec.relocations.push_back(
      {0x48, {object::RelocationTarget::Constants}, /*isAddress=*/true});
  write32le(&spec.text[0x20], 0x3fc0);
  write32le(&spec.text[0x40], 0x4040);
  write64le(&spec.text[0x48], 0x4080);
  auto container = object::layoutObject(std::move(spec));
  ASSERT_TRUE(bool(container)) << llvm::toString(container.takeError());
  const object::Section *text =
      container->findSection(object::SectionType::Text);
  EXPECT_EQ(read32le(&text->bytes()[0x40]), 0x40u);

  auto package = packageContainer(*container);
  ASSERT_TRUE(bool(package)) << llvm::toString(package.takeError());
  AuditReport report = audit(write(*package));
  EXPECT_TRUE(report.passed()) << report.findings[0].message;
  const Program &program = package->programs[0];
  EXPECT_EQ(program.references[0], (Reference{0x20, 1, false}));
  EXPECT_EQ(program.references[2], (Reference{0x40, 1, false}));
  EXPECT_EQ(program.references[3], (Reference{0x48, 1, true}));
  std::string bytes = bytesOf(program.blobs[0]);
  EXPECT_EQ(read32le(&bytes[0x20]), 0x3fc0u);
  EXPECT_EQ(read32le(&bytes[0x40]), 0x4040u);
  EXPECT_EQ(read64le(&bytes[0x48]), 0x4080u);
}

TEST(FirmwarePackage, RefusesSeveralProcedures) {
  object::ContainerSpec spec = makeSpec();
  spec.otherProcedures = {{"other", 0, 8, 1}};
  auto container = object::layoutObject(std::move(spec));
  ASSERT_TRUE(bool(container)) << llvm::toString(container.takeError());
  EXPECT_THAT(llvm::toString(packageContainer(*container).takeError()),
              HasSubstr("the container has 2 procedures, each with registers "
                        "of its own"));
}

TEST(FirmwarePackage, RealContainers) {
  std::optional<std::string> folder = testData("real/hwx");
  if (!folder)
    GTEST_SKIP() << "ANE_TEST_DATA is not set";
  std::error_code code;
  unsigned count = 0;
  for (llvm::sys::fs::directory_iterator file(*folder, code), end;
       file != end && !code; file.increment(code)) {
    SCOPED_TRACE(file->path());
    auto container = object::readObject(file->path());
    ASSERT_TRUE(bool(container)) << llvm::toString(container.takeError());
    auto package = packageContainer(*container);
    ASSERT_TRUE(bool(package)) << llvm::toString(package.takeError());
    AuditReport report = audit(write(*package));
    EXPECT_TRUE(report.passed()) << report.findings[0].message;
    ++count;
  }
  EXPECT_GT(count, 0u);
}

TEST(FirmwarePackage, RefusesAnEmptyContainer) {
  EXPECT_THAT(llvm::toString(packageContainer(object::Object()).takeError()),
              HasSubstr("the container has no text or no program descriptor"));
}

} // namespace
