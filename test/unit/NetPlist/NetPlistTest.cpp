//===- NetPlistTest.cpp - Network descriptions ----------------------------===//

#include "ane/NetPlist/NetPlist.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gmock/gmock.h"
#include <random>

using namespace ane::netplist;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

namespace {

Unit makeUnit(std::string name, std::string type,
              std::vector<std::string> bottoms, Dict params) {
  Unit unit;
  unit.name = std::move(name);
  unit.type = std::move(type);
  unit.inputTypes.assign(bottoms.size(), ElementType::Float16);
  unit.bottoms = std::move(bottoms);
  unit.params = makeDict(std::move(params));
  return unit;
}

/// x goes through a convolution; a constant is added to the result.
NetPlist makeDescription() {
  NetPlist description;
  Network network;
  network.name = "net";
  network.weights = {"net.weights"};
  Constant constant;
  constant.name = "c";
  constant.shape = {1, 8, 1, 2, 2, 1};
  constant.offset = 64;
  network.constants = {constant};
  Unit conv = makeUnit("conv", "Conv", {"x"},
                       {{"Type", "Conv"},
                        {"KernelIndex", 0},
                        {"KernelMutable", false},
                        {"Step", Array{1, 1, 1}},
                        {"PaddingMode", "Zero"}});
  conv.outputChannels = 8;
  conv.numGroups = 1;
  network.units = {
      conv, makeUnit("add", "ElementWise", {"conv", "c"}, {{"Type", "Add"}}),
      makeUnit("odd", "Test", {"add"},
               {{"a<b>&\"c'", " text\twith\nspaces "},
                {"empty", ""},
                {"list", Array{Array{}, Dict{}}},
                {"negative", int64_t(-5)},
                {"real", 0.1},
                {"wide", int64_t(INT64_MAX)}})};
  Output output;
  output.name = "y";
  output.bottom = "odd";
  network.outputs = {output};
  description.networks = {network};

  Procedure procedure;
  procedure.name = "main";
  Input input;
  input.name = "x";
  input.shape = {1, 3, 1, 2, 2, 1};
  input.rowStride = 64;
  input.unit = "conv";
  input.operation = "op0";
  procedure.inputs = {input};
  procedure.operations = {{"net", "op0"}};
  ProcedureOutput result;
  result.name = "y";
  result.unit = "odd";
  result.operation = "op0";
  procedure.outputs = {result};
  description.procedures = {procedure};
  return description;
}

/// The same in the version that has no procedures.
NetPlist makeOldDescription() {
  NetPlist description = makeDescription();
  description.version = oldVersion;
  Input input = description.procedures[0].inputs[0];
  input.unit.clear();
  input.operation.clear();
  description.networks[0].inputs = {input};
  description.networks[0].outputs[0].name = "odd@output";
  description.procedures.clear();
  return description;
}

std::string write(const NetPlist &description) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::Error error = writeNetPlist(description, os);
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  return text;
}

llvm::Expected<NetPlist> read(llvm::StringRef text) {
  return readNetPlist(llvm::MemoryBufferRef(text, "net.plist"));
}

std::string errorOf(llvm::StringRef text) {
  llvm::Expected<NetPlist> description = read(text);
  return description ? "no error" : llvm::toString(description.takeError());
}

std::string errorAfter(const std::string &from, const std::string &to) {
  std::string text = write(makeDescription());
  size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return place == std::string::npos
             ? ""
             : errorOf(text.replace(place, from.size(), to));
}

//===----------------------------------------------------------------------===//
// Round trip
//===----------------------------------------------------------------------===//

TEST(NetPlist, RoundTrip) {
  for (const NetPlist &wanted : {makeDescription(), makeOldDescription()}) {
    std::string text = write(wanted);
    llvm::Expected<NetPlist> description = read(text);
    ASSERT_TRUE(bool(description)) << llvm::toString(description.takeError());
    EXPECT_TRUE(*description == wanted);
    EXPECT_EQ(write(*description), text);
  }
}

TEST(NetPlist, Text) {
  std::string text = write(makeDescription());
  EXPECT_THAT(text, StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST "
                               "1.0//EN\""));
  EXPECT_THAT(text, HasSubstr("<key>Networks</key>\n\t<array>\n\t\t"
                              "<string>net</string>\n\t</array>\n"));
  EXPECT_THAT(text, HasSubstr("<key>Version</key>\n\t<string>1.0.10</string>"));
  EXPECT_THAT(text, HasSubstr("<key>Bottom</key>\n\t\t\t<array>\n\t\t\t\t"
                              "<string>conv</string>\n\t\t\t\t"
                              "<string>c</string>\n"));
  EXPECT_THAT(text, HasSubstr("<key>a&lt;b&gt;&amp;\"c'</key>"));
}

TEST(NetPlist, OrderOfKeysAndCommentsDoNotMatter) {
  std::string text = R"(<plist version="1.0"><!-- old -->
<dict>
  <key>net</key>
  <dict>
    <key>x</key>
    <dict>
      <key>InputWidth</key><integer>4</integer>
      <key>InputType</key><string>Float16</string>
      <key>InputInterleave</key><integer>1</integer>
      <key>InputHeight</key><integer>1</integer>
      <key>InputDepth</key><integer>1</integer>
      <key>InputChannels</key><integer>3</integer>
      <key>BatchSize</key><integer>1</integer>
    </dict>
    <key>Units</key><array><string>u</string></array>
    <key>u</key>
    <dict>
      <key>Name</key><string>u</string>
      <key>Type</key><string>Neuron</string>
      <key>OutputType</key><string>Float16</string>
      <key>Bottom</key><array><string>x</string></array>
      <key>Params</key><dict><key>Type</key><string>ReLU</string></dict>
    </dict>
    <key>Inputs</key><array><string>x</string></array>
    <key>Outputs</key><array><string>u@output</string></array>
    <key>u@output</key>
    <dict>
      <key>OutputType</key><string>Float16</string>
      <key>OutputInterleave</key><integer>1</integer>
      <key>Bottom</key><string>u</string>
    </dict>
    <key>Weights</key><array/>
  </dict>
  <key>Version</key><string>1.0.9</string>
  <key>Networks</key><array><string>net</string></array>
</dict>
</plist>)";
  llvm::Expected<NetPlist> description = read(text);
  ASSERT_TRUE(bool(description)) << llvm::toString(description.takeError());
  const Network &network = description->networks[0];
  EXPECT_EQ(network.inputs[0].shape.channels, 3u);
  EXPECT_EQ(network.units[0].type, "Neuron");
  EXPECT_TRUE(*find(network.units[0].params, "Type") == Value("ReLU"));
  EXPECT_EQ(find(network.units[0].params, "Other"), nullptr);
  EXPECT_EQ(network.outputs[0].bottom, "u");
}

//===----------------------------------------------------------------------===//
// Text that is no property list
//===----------------------------------------------------------------------===//

TEST(NetPlist, RefusesOtherText) {
  struct Case {
    const char *text;
    const char *error;
  } cases[] = {
      {"", "net.plist:1:1: error: no <plist>"},
      {"bplist00", "net.plist:1:1: error: text outside of <key>"},
      {"\xff", "net.plist:1:1: error: the text is not UTF-8"},
      {"<?xml", "net.plist:1:1: error: the XML declaration does not end"},
      {"<!DOCTYPE x [<!ENTITY a \"b\">]>",
       "net.plist:1:13: error: a DOCTYPE with declarations of its own"},
      {"<plist>", "net.plist:1:8: error: <plist> is not closed"},
      {"<plist></plist>", "1:8: error: a <plist> without a value"},
      {"<dict/>", "1:1: error: <dict> outside of <plist>"},
      {"<plist><plist/></plist>", "1:8: error: <plist> inside a value"},
      {"<plist><true/><true/></plist>", "1:15: error: a second <true>"},
      {"<plist><data></data></plist>",
       "1:8: error: <data> is not of a network description"},
      {"<plist><dict a=\"b\"/></plist>",
       "1:8: error: <dict> with attributes 'a=\"b\"'"},
      {"<plist>\n <dict>x</dict></plist>", "2:8: error: text outside of <key>"},
      {"<plist><dict><true/></dict></plist>",
       "1:14: error: <true> where a <key> is due"},
      {"<plist><array><key>a</key></array></plist>",
       "1:15: error: a <key> where a value is due"},
      {"<plist><dict><key>a</key></dict></plist>",
       "1:26: error: a <key> without a value"},
      {"<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>",
       "1:33: error: the key 'a' is there twice"},
      {"<plist><array></dict></plist>", "1:15: error: </dict> where </array>"},
      {"</plist>", "1:1: error: </plist> where nothing is open"},
      {"<plist><true></true></plist>",
       "1:14: error: <true> is written <true/>"},
      {"<plist><string>a</plist>", "1:16: error: <string> is not closed"},
      {"<plist><string>&#65;</string></plist>",
       "1:8: error: an entity other than"},
      {"<plist><string>\x01</string></plist>",
       "1:8: error: a control character in <string>"},
      {"<plist><integer>0x10</integer></plist>",
       "1:8: error: '0x10' is no decimal number of 64 bits"},
      {"<plist><integer>9223372036854775808</integer></plist>",
       "1:8: error: '9223372036854775808' is no decimal number"},
      {"<plist><integer/></plist>", "1:8: error: '' is no decimal number"},
      {"<plist><real>inf</real></plist>", "1:8: error: 'inf' is no finite"},
      {"<plist><!-- </plist>", "1:8: error: a comment does not end"},
      {"<plist><dict", "1:8: error: a tag without '>'"},
      {"<plist><true/></plist>", "1:8: error: the description is no <dict>"},
  };
  for (const Case &test : cases)
    EXPECT_THAT(errorOf(test.text), HasSubstr(test.error)) << test.text;
}

TEST(NetPlist, RefusesDeepNesting) {
  std::string text = "<plist>";
  for (int i = 0; i < 200000; ++i)
    text += "<array>";
  EXPECT_EQ(errorOf(text), "net.plist:1:120: error: nested deeper than 16");
}

//===----------------------------------------------------------------------===//
// Property lists that are no description
//===----------------------------------------------------------------------===//

TEST(NetPlist, RefusesOtherDescriptions) {
  EXPECT_THAT(errorAfter("1.0.10", "1.1"),
              HasSubstr("error: version '1.1'; versions 1.0.9 and 1.0.10 are "
                        "known"));
  EXPECT_THAT(errorAfter("<key>Version</key>", "<key>Vision</key>"),
              HasSubstr("net.plist:4:1: error: the description has no "
                        "'Version'"));
  EXPECT_THAT(errorAfter("<key>Units</key>", "<key>units</key>"),
              HasSubstr("error: network 'net' has no 'Units'"));
  EXPECT_THAT(errorAfter("<key>NumGroups</key>", "<key>Groups</key>"),
              HasSubstr("error: 'conv' has an unknown key 'Groups'"));
  EXPECT_THAT(errorAfter("<integer>8</integer>", "<string>8</string>"),
              HasSubstr("is no <integer>"));
  EXPECT_THAT(errorAfter("<integer>64</integer>", "<integer>-1</integer>"),
              HasSubstr("'InputRowStride' of an input is -1, below 0"));
  EXPECT_THAT(errorAfter("<integer>3</integer>", "<integer>0</integer>"),
              HasSubstr("'main' has an extent of 0"));
  EXPECT_THAT(errorAfter("<string>Float16</string>", "<string>Half</string>"),
              HasSubstr("is 'Half', which is no element type"));
  EXPECT_THAT(errorAfter("<key>Name</key>\n\t\t\t<string>conv</string>",
                         "<key>Name</key>\n\t\t\t<string>cow</string>"),
              HasSubstr("'conv' calls itself 'cow'"));
}

TEST(NetPlist, LocatesProblemsAtTheirElement) {
  EXPECT_THAT(errorAfter("<string>c</string>\n\t\t\t</array>\n\t\t\t"
                         "<key>InputType",
                         "<string>d</string>\n\t\t\t</array>\n\t\t\t"
                         "<key>InputType"),
              MatchesRegex("net.plist:[0-9]+:3: error: unit 'add' reads 'd', "
                           "which is no input, no constant and no unit before "
                           "it"));
}

std::string writeError(void (*spoil)(NetPlist &)) {
  NetPlist description = makeDescription();
  spoil(description);
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::Error error = writeNetPlist(description, os);
  EXPECT_TRUE(text.empty());
  return error ? llvm::toString(std::move(error)) : "no error";
}

TEST(NetPlist, RefusesToWrite) {
  EXPECT_EQ(writeError([](NetPlist &d) { d.networks.clear(); }), "no network");
  EXPECT_EQ(writeError([](NetPlist &d) { d.procedures.clear(); }),
            "no procedure");
  EXPECT_EQ(writeError([](NetPlist &d) { d.networks[0].name = "Version"; }),
            "the name 'Version' is taken");
  EXPECT_EQ(writeError([](NetPlist &d) { d.networks[0].units[0].name = "c"; }),
            "the name 'c' is taken");
  EXPECT_EQ(writeError([](NetPlist &d) {
              std::swap(d.networks[0].units[0], d.networks[0].units[1]);
            }),
            "unit 'add' reads 'conv', which is no input, no constant and no "
            "unit before it");
  EXPECT_EQ(writeError([](NetPlist &d) { d.networks[0].weights.clear(); }),
            "constant 'c' is in weight file 0 of 0");
  EXPECT_EQ(writeError([](NetPlist &d) {
              d.networks[0].units[0].params[0].second = 7;
            }),
            "unit 'conv' has its kernel in weight file 7 of 1");
  EXPECT_EQ(writeError([](NetPlist &d) {
              d.networks[0].units[1].inputTypes.pop_back();
            }),
            "unit 'add' has 1 input types for 2 bottoms");
  EXPECT_EQ(writeError([](NetPlist &d) { d.networks[0].outputs.clear(); }),
            "network 'net' has no output");
  EXPECT_EQ(writeError([](NetPlist &d) {
              d.networks[0].outputs[0].rowStride = ~uint64_t(0);
            }),
            "'y' has a number of 18446744073709551615, past 63 bits");
  EXPECT_EQ(writeError([](NetPlist &d) {
              d.networks[0].outputs.push_back(d.networks[0].outputs[0]);
              d.networks[0].outputs[1].name = "z";
            }),
            "output 'z' is one of no procedure");
  EXPECT_EQ(
      writeError([](NetPlist &d) { d.networks[0].outputs[0].bottom = "x"; }),
      "output 'y' is of 'x', which is no unit");
  EXPECT_EQ(
      writeError([](NetPlist &d) { d.procedures[0].inputs[0].unit = "add"; }),
      "input 'x' goes to unit 'add' of operation 'op0', which does not "
      "read it");
  EXPECT_EQ(writeError([](NetPlist &d) {
              d.procedures[0].operations[0].network = "other";
            }),
            "unit 'conv' reads 'x', which is no input, no constant and no "
            "unit before it");
  EXPECT_EQ(
      writeError([](NetPlist &d) { d.procedures[0].outputs[0].unit = "add"; }),
      "output 'y' comes from unit 'add' of operation 'op0', which does "
      "not give it");
  EXPECT_EQ(writeError([](NetPlist &d) {
              d.networks[0].units[2].params[0].second = 1.0 / 0.0;
            }),
            "unit 'odd' has parameters that are not finite, no text, not "
            "sorted, or nest too deep");
  EXPECT_EQ(writeError([](NetPlist &d) {
              Value deep = 1;
              for (int i = 0; i < 12; ++i)
                deep = Array{deep};
              d.networks[0].units[2].params[0].second = deep;
            }),
            "unit 'odd' has parameters that are not finite, no text, not "
            "sorted, or nest too deep");
}

TEST(NetPlist, RefusesMissingFiles) {
  EXPECT_THAT(llvm::toString(readNetPlist("/nonexistent").takeError()),
              StartsWith("/nonexistent:0:0: error: cannot read the file"));
}

//===----------------------------------------------------------------------===//
// Hostile text
//===----------------------------------------------------------------------===//

/// Whatever is accepted must be fit to be written, and read again.
void checkSpoilt(llvm::StringRef text) {
  llvm::Expected<NetPlist> description = read(text);
  if (!description) {
    EXPECT_THAT(llvm::toString(description.takeError()),
                MatchesRegex("net.plist:[1-9][0-9]*:[1-9][0-9]*: error: "
                             "(.|\n)*"));
    return;
  }
  llvm::Expected<NetPlist> again = read(write(*description));
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_TRUE(*again == *description);
}

TEST(NetPlist, SurvivesTruncation) {
  std::string text = write(makeDescription());
  for (size_t length = 0; length < text.size(); ++length)
    checkSpoilt(llvm::StringRef(text).take_front(length));
}

TEST(NetPlist, SurvivesMutations) {
  std::mt19937 random;
  for (const std::string &text :
       {write(makeDescription()), write(makeOldDescription())})
    for (int round = 0; round < 5000; ++round) {
      std::string spoilt = text;
      size_t place = random() % spoilt.size();
      size_t source = random() % spoilt.size();
      size_t length = random() % 40;
      switch (random() % 4) {
      case 0:
        spoilt[place] = char(random());
        break;
      case 1:
        spoilt.erase(place, length);
        break;
      case 2:
        spoilt.insert(place, text.substr(source, length));
        break;
      case 3:
        spoilt[place] = text[source];
        break;
      }
      checkSpoilt(spoilt);
    }
}

} // namespace
