//===- AuditTest.cpp - Every rule of the firmware audit -------------------===//

#include "Fixtures.h"
#include "llvm/ADT/STLExtras.h"
#include "gmock/gmock.h"
#include <random>
#include <set>

using namespace ane::firmware;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

/// A rule, what violates it, and what the report then says.
struct Violation {
  Rule rule;
  void (*spoil)(std::string &bytes);
  std::string message;
};

const Violation violations[] = {
    {Rule::Size, [](std::string &b) { header(b)->fileSize = 5; },
     "the header states 5 bytes, but the file has "},
    {Rule::Size, [](std::string &b) { b.resize(47); },
     "47 bytes, but the header has 48"},
    {Rule::PackageMagic, [](std::string &b) { b[0] ^= 1; },
     "the file starts with 0x414e4549, expected 0x414e4548 in one of the byte "
     "orders"},
    {Rule::Version, [](std::string &b) { header(b)->version = 2; },
     "version 2; only version 1 is known"},
    {Rule::Bounds, [](std::string &b) { header(b)->programCount = 0xffffffff; },
     "the table of 4294967295 programs needs 274877906880 bytes at 0x30"},
    {Rule::Bounds,
     [](std::string &b) { program(b, 0)->sectionOffset = 0xffffffc0; },
     "the table of 5 sections of program 0 needs 240 bytes at 0xffffffc0"},
    {Rule::Bounds,
     [](std::string &b) { section(b, 0, Kernel)->size = ~uint64_t(0); },
     "section 1 of program 7 needs 18446744073709551615 bytes"},
    {Rule::ProgramMagic,
     [](std::string &b) {
       program(b, 1)->magic = llvm::byteswap(programMagic);
     },
     "program 1 starts with 0x50454e41, expected 0x414e4550"},
    {Rule::SectionMagic, [](std::string &b) { section(b, 0, 2)->magic = 0; },
     "section 2 of program 7 starts with 0x0, expected 0x414e4553"},
    {Rule::Checksum, [](std::string &b) { header(b)->checksum = 0; },
     "the package header has checksum 0x0, expected 0xffffffff"},
    {Rule::Checksum, [](std::string &b) { program(b, 0)->checksum = 1; },
     "program 0 has checksum 0x1"},
    {Rule::Checksum, [](std::string &b) { section(b, 1, 0)->checksum = 2; },
     "section 0 of program 8 has checksum 0x2"},
    {Rule::Padding, [](std::string &b) { header(b)->padding[4] = 9; },
     "the package header has 0x9 in its padding"},
    {Rule::Padding,
     [](std::string &b) { b[section(b, 0, Text)->offset - 1] = 3; },
     "a byte of 0x3 before section 0 of program 7"},
    {Rule::Padding, [](std::string &b) { bar(b, 0)->padding = 1; },
     "register 0 has a padding that is not zero"},
    {Rule::Padding, [](std::string &b) { reference(b, 0)->padding = 1; },
     "a reference has a padding that is not zero"},
    {Rule::Padding, [](std::string &b) { procedure(b, 0)->padding = 1; },
     "procedure 0 has a padding that is not zero"},
    {Rule::Overlap,
     [](std::string &b) {
       section(b, 0, Kernel)->offset = section(b, 0, Banner)->offset;
     },
     "starts at 0x40c0, inside section 2 of program 7"},
    {Rule::Overlap,
     [](std::string &b) {
       program(b, 1)->sectionOffset = program(b, 0)->sectionOffset;
     },
     "inside the table of 3 sections of program 1"},
    {Rule::ProgramId, [](std::string &b) { program(b, 0)->programId = 144; },
     "program 0 has id 144, which is taken or not below 144"},
    {Rule::ProgramId, [](std::string &b) { program(b, 1)->programId = 7; },
     "program 1 has id 7, which is taken"},
    {Rule::Kind, [](std::string &b) { section(b, 0, Banner)->kind = 5; },
     "section 2 of program 7 has kind 5; there are 5"},
    {Rule::Sections, [](std::string &b) { section(b, 0, Kernel)->kind = 2; },
     "the program has 2 text sections, expected 1"},
    {Rule::Alignment, [](std::string &b) { section(b, 0, 1)->alignLog2 = 13; },
     "section 1 of program 7 starts at 0x4080, which is no multiple of 2^13"},
    {Rule::Alignment, [](std::string &b) { section(b, 0, 1)->alignLog2 = 64; },
     "which is no multiple of 2^64"},
    {Rule::Address,
     [](std::string &b) { section(b, 0, Kernel)->deviceAddress = 0x100000000; },
     "section 1 has 64 bytes at device address 0x100000000"},
    {Rule::Address, [](std::string &b) { bar(b, 2)->value = 0xffffff40; },
     "register 4 has 256 bytes at device address 0xffffff40"},
    {Rule::AddressOverlap,
     [](std::string &b) { bar(b, 2)->value = 0x30000040; },
     "register 4 starts at device address 0x30000040, inside register 0"},
    {Rule::AddressOverlap,
     [](std::string &b) {
       bar(b, 1)->value = 0x30000010; // between the two, and apart from one
       bar(b, 1)->size = 0x10;
       bar(b, 2)->value = 0x30000040;
     },
     "register 4 starts at device address 0x30000040, inside register 0"},
    {Rule::Identity, [](std::string &b) { program(b, 0)->identity[31] ^= 1; },
     "the identity is "},
    {Rule::Identity,
     [](std::string &b) { b[section(b, 0, Text)->offset] ^= 1; },
     "but the contents have "},
    {Rule::Procedure, [](std::string &b) { procedure(b, 1)->procedureId = 0; },
     "procedure 1 has id 0, 2 tasks, the first of 8 words at 0x0"},
    {Rule::Procedure,
     [](std::string &b) { procedure(b, 0)->entryOffset = 0xfffffffc; },
     "the first of 24 words at 0xfffffffc of a text of 0x80 bytes"},
    {Rule::Procedure, [](std::string &b) { procedure(b, 0)->name[0] = 0; },
     "and no name"},
    {Rule::Procedure, [](std::string &b) { section(b, 0, 4)->size = 95; },
     "95 bytes are no list of records of 96 bytes"},
    {Rule::Partitions, [](std::string &b) { procedure(b, 0)->partitions = 2; },
     "procedure 0 has 2 partitions, expected 1"},
    {Rule::OutputSets, [](std::string &b) { procedure(b, 0)->outputSets = 0; },
     "procedure 0 has 0 output sets, expected 1"},
    {Rule::IoBuffers, [](std::string &b) { procedure(b, 0)->ioBuffers = 4; },
     "procedure 0 has 4 buffers, but the program 3 registers"},
    {Rule::BarCount, [](std::string &b) { operations(b)->barCount = 129; },
     "129 registers and 2 references in a section of 136 bytes; the most "
     "registers are 128"},
    {Rule::BarCount, [](std::string &b) { operations(b)->referenceCount = ~0; },
     "3 registers and 4294967295 references in a section of 136 bytes"},
    {Rule::BarCount, [](std::string &b) { section(b, 0, 3)->size = 7; },
     "an operation section of 7 bytes"},
    {Rule::BarKind, [](std::string &b) { bar(b, 1)->config = 3; },
     "register 1 has type 1 and configuration 3, expected 1 and 1"},
    {Rule::BarId, [](std::string &b) { bar(b, 2)->barId = 1; },
     "register 1 is there twice"},
    {Rule::Reference, [](std::string &b) { reference(b, 1)->barId = 5; },
     "8 bytes at 0x10 of a text of 0x80 bytes, relative to register 5"},
    {Rule::Reference,
     [](std::string &b) { reference(b, 1)->textOffset = 0x7c; },
     "8 bytes at 0x7c"},
};

TEST(FirmwareAudit, Passes) {
  for (llvm::endianness order :
       {llvm::endianness::little, llvm::endianness::big}) {
    AuditReport report = audit(write(makePackage(order)));
    EXPECT_TRUE(report.passed());
    EXPECT_TRUE(llvm::all_of(report.checked, [](bool done) { return done; }));
    std::string text;
    llvm::raw_string_ostream os(text);
    report.print(os);
    EXPECT_EQ(llvm::StringRef(text).count('\n'), numRules);
    EXPECT_EQ(llvm::StringRef(text).count("pass  fw-"), numRules);
  }
}

TEST(FirmwareAudit, EveryRule) {
  std::set<Rule> seen;
  for (const Violation &violation : violations) {
    seen.insert(violation.rule);
    llvm::StringRef id = info(violation.rule).id;
    SCOPED_TRACE(id.str() + ": " + violation.message);
    std::string bytes = write(makePackage());
    violation.spoil(bytes);
    AuditReport report = audit(bytes);
    EXPECT_TRUE(llvm::any_of(report.findings, [&](const Finding &finding) {
      return finding.rule == violation.rule &&
             llvm::StringRef(finding.message).contains(violation.message);
    })) << (report.passed() ? "passed" : report.findings[0].message);
    EXPECT_TRUE(report.checked[unsigned(violation.rule)]);
    std::string text;
    llvm::raw_string_ostream os(text);
    report.print(os);
    EXPECT_THAT(text, HasSubstr(("FAIL  " + id).str()));
    llvm::Expected<Package> package = read(bytes);
    ASSERT_FALSE(bool(package));
    EXPECT_THAT(llvm::toString(package.takeError()), StartsWith("test.fw:0:"));
  }
  EXPECT_EQ(seen.size(), numRules);
}

TEST(FirmwareAudit, RulesAreDocumented) {
  auto document = llvm::MemoryBuffer::getFile(DOCUMENT);
  ASSERT_TRUE(bool(document)) << DOCUMENT;
  std::string text = (*document)->getBuffer().str();
  for (const RuleInfo &rule : auditRules()) {
    EXPECT_THAT(text,
                HasSubstr(("| " + rule.id + " | " + rule.evidence).str()));
    EXPECT_THAT(text, HasSubstr((" | " + rule.text).str()));
  }
}

TEST(FirmwareAudit, LocatesAndLimits) {
  std::string bytes = write(makePackage());
  section(bytes, 0, Banner)->checksum = 7;
  AuditReport report = audit(bytes);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].offset, 48u + 2 * 64 + 2 * 48 + 36);
  EXPECT_EQ(llvm::toString(read(bytes).takeError()),
            "test.fw:0:308: error: fw-checksum: section 2 of program 7 has "
            "checksum 0x7, expected 0xffffffff");
  // Rules about contents are left out where the structure is broken.
  section(bytes, 0, Banner)->offset = 0;
  report = audit(bytes);
  EXPECT_FALSE(report.checked[unsigned(Rule::Procedure)]);
  std::string text;
  llvm::raw_string_ostream os(text);
  report.print(os);
  EXPECT_THAT(text, HasSubstr("skip  fw-procedure"));

  Package many;
  many.programs.resize(200);
  report = audit(write(many));
  EXPECT_EQ(llvm::count_if(report.findings,
                           [](const Finding &finding) {
                             return finding.rule == Rule::ProgramId;
                           }),
            16);
}

TEST(FirmwareAudit, RefusesTheSameProgramTwice) {
  Package package = makePackage();
  package.programs[1] = package.programs[0];
  package.programs[1].id = 9;
  AuditReport report = audit(write(package));
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report.findings[0].message,
              HasSubstr("fw-identity: the program at 0x38 has the same "
                        "contents"));
}

//===----------------------------------------------------------------------===//
// Hostile bytes
//===----------------------------------------------------------------------===//

/// Whatever passes must be fit to be written, and pass again.
void checkSpoilt(llvm::StringRef bytes) {
  llvm::Expected<Package> package = read(bytes);
  if (package)
    EXPECT_TRUE(audit(write(*package)).passed());
  else
    EXPECT_THAT(llvm::toString(package.takeError()), StartsWith("test.fw:0:"));
}

TEST(FirmwareAudit, SurvivesTruncation) {
  std::string bytes = write(makePackage());
  for (size_t length = 0; length < bytes.size(); length += 5)
    checkSpoilt(llvm::StringRef(bytes).take_front(length));
}

TEST(FirmwareAudit, SurvivesMutations) {
  std::mt19937 random;
  for (llvm::endianness order :
       {llvm::endianness::little, llvm::endianness::big}) {
    std::string bytes = write(makePackage(order));
    // Headers, and the contents after the long padding.
    size_t tables = 48 + 2 * 64 + 8 * 48;
    for (int round = 0; round < 3000; ++round) {
      std::string spoilt = bytes;
      for (unsigned i = 0, e = 1 + random() % 3; i < e; ++i) {
        size_t offset = random() % 3
                            ? random() % tables
                            : 0x4000 + random() % (bytes.size() - 0x4000);
        spoilt[offset] = random() % 2
                             ? char(random())
                             : char(spoilt[offset] ^ (1 << random() % 8));
      }
      checkSpoilt(spoilt);
    }
  }
}

} // namespace
