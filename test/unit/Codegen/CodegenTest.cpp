//===- CodegenTest.cpp - Tasks that MIL cannot ask for --------------------===//
//
// What a program compiled from MIL can violate is in test/Codegen.
//
//===----------------------------------------------------------------------===//

#include "ane/Codegen/Codegen.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"

using namespace ane;
using namespace mlir;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

constexpr llvm::StringLiteral view = "0, [1, 1, 1, 1, 1], [64, 64, 64, 64]> ";
constexpr llvm::StringLiteral window =
    "window = [1, 1], stride = [1, 1], padding = [0, 0]";

class CodegenTest : public testing::Test {
protected:
  CodegenTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<zin::ZinDialect>();
  }

  /// A kernel and a task of the neural engine that copies one element.
  OwningOpRef<ModuleOp> parse(const llvm::Twine &kernel,
                              const llvm::Twine &config) {
    std::string hasKernel = kernel.isTriviallyEmpty() ? "" : " with @k";
    std::string program =
        ("zin.program @main {\n"
         "zin.buffer <input> @x 64 bytes <@x + " +
         view +
         "{host_type = tensor<1xf16>, port = \"x\"}\n"
         "zin.buffer <output> @y 64 bytes <@y + " +
         view + "{host_type = tensor<1xf16>, port = \"y\"}\n" + kernel +
         "zin.task <NEFUSED_BYPASS> on <NEBypass> reads <@x + " + view +
         "writes <@y + " + view + "computes #zin.ne<op = mac, " + config + ">" +
         hasKernel + "\n}")
            .str();
    return parseSourceString<ModuleOp>(program, &context);
  }

  /// What code generation reports for these; nothing if it succeeds.
  std::string generate(const llvm::Twine &kernel, const llvm::Twine &config) {
    std::string diagnostics;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      diagnostics += diagnostic.str() + "\n";
    });
    OwningOpRef<ModuleOp> module = parse(kernel, config);
    if (!module)
      return "not parsed: " + diagnostics;
    auto generated = generatePrograms(*module->getOps<zin::ProgramOp>().begin(),
                                      *findTarget("h13"), td::Format::V10);
    EXPECT_EQ(failed(generated), !diagnostics.empty());
    return diagnostics;
  }

  std::string generateKernel(const llvm::Twine &attributes) {
    return generate("zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, "
                    "outputs = 1 : i64, taps = 1 : i64, " +
                        attributes + "}\n",
                    window);
  }

  MLIRContext context;
};

TEST_F(CodegenTest, Kernels) {
  EXPECT_THAT(generateKernel("weights = dense<1.0> : tensor<1xf16>"),
              IsEmpty());
  EXPECT_THAT(generateKernel("activation = #zin.neuron<tanh>"), IsEmpty());
  EXPECT_EQ(generateKernel("activation = #zin.neuron<degamma>"),
            "kernel: there is no table for activation #zin.neuron<degamma> "
            "[zin-kernel-c2]\n");
  constexpr llvm::StringLiteral notAtHand =
      "kernel: the coefficients are not fp16 data at hand [zin-kernel-c2]\n";
  EXPECT_EQ(generateKernel("weights = dense<1.0> : tensor<1xf32>"), notAtHand);
  EXPECT_EQ(generateKernel("weights = dense_resource<none> : tensor<1xf16>"),
            notAtHand);
  EXPECT_EQ(generateKernel("weights = dense<1.0> : tensor<1xf16>, "
                           "bias = dense<1> : tensor<1xi16>"),
            notAtHand);
}

/// Forms that the weights do not have.
TEST_F(CodegenTest, Storage) {
  auto generateStorage = [&](llvm::StringRef storage, unsigned outputs,
                             llvm::StringRef weights,
                             llvm::StringRef stride = "2, 2") {
    unsigned log2SideBySide = outputs / 32;
    return generate(
        "zin.kernel @k {groups = 1 : i64, taps = 1 : i64, "
        "ocg_size = " +
            llvm::Twine(log2SideBySide) + " : i64, outputs = " +
            llvm::Twine(outputs) + " : i64, storage = #zin.kernel_storage<" +
            storage + ">, weights = " + weights + " : tensor<" +
            llvm::Twine(outputs) + "xf16>}\n",
        "window = [1, 1], padding = [0, 0], stride = [" + stride + "]");
  };
  std::string numbers = "dense<[0.0";
  for (unsigned i = 1; i < 17; ++i)
    numbers += ", " + std::to_string(i) + ".0";
  numbers += "]>";
  EXPECT_THAT(generateStorage("palette8", 17, numbers), IsEmpty());
  EXPECT_EQ(generateStorage("palette4", 17, numbers),
            "kernel: a palette of 16 numbers has no room for 17 different "
            "weights [zin-kernel-c3]\n");
  EXPECT_THAT(generateStorage("sparse", 64, "dense<0.0>"), IsEmpty());
  EXPECT_THAT(generateStorage("sparse", 17, numbers), IsEmpty());
  EXPECT_THAT(generateStorage("sparse", 17, numbers, "1, 1"), IsEmpty());
  EXPECT_EQ(generateStorage("sparse", 17, numbers, "1, 2"),
            "kernel: zeros can be left out with strides of 1 or of 2 in both "
            "directions, and up to 32 outputs side by side in each lane "
            "[zin-kernel-c3]\n");
}

/// A name holds for what has been named, not for what an op becomes later.
TEST_F(CodegenTest, NamesAhead) {
  auto parseKernel = [&](const llvm::Twine &more) {
    return parse("zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, "
                 "outputs = 1024 : i64, taps = 1024 : i64, " +
                     more + "}\n",
                 window);
  };
  auto programOf = [](OwningOpRef<ModuleOp> &module) {
    return *module->getOps<zin::ProgramOp>().begin();
  };
  auto symbolsOf = [&](OwningOpRef<ModuleOp> &module,
                       NameAhead *ahead = nullptr) {
    auto generated =
        generatePrograms(programOf(module), *findTarget("h13"), td::Format::V10,
                         /*keepsTasks=*/false, ahead);
    std::vector<std::pair<std::string, uint64_t>> symbols;
    if (succeeded(generated))
      for (const object::CoefficientSymbol &symbol :
           generated->container.symbols)
        symbols.push_back({symbol.name, symbol.offset});
    return symbols;
  };
  OwningOpRef<ModuleOp> ones = parseKernel("weights = dense<1.0> : "
                                           "tensor<1048576xf16>");
  OwningOpRef<ModuleOp> twos = parseKernel("weights = dense<2.0> : "
                                           "tensor<1048576xf16>");
  ASSERT_TRUE(ones && twos);
  auto symbolsOfOnes = symbolsOf(ones), symbolsOfTwos = symbolsOf(twos);
  EXPECT_THAT(symbolsOfOnes, Not(IsEmpty()));
  EXPECT_NE(symbolsOfOnes, symbolsOfTwos);

  NameAhead ahead;
  ahead.begin(programOf(ones));
  EXPECT_EQ(symbolsOf(ones, &ahead), symbolsOfOnes);
  // Once more: the names are no longer there.
  EXPECT_EQ(symbolsOf(ones, &ahead), symbolsOfOnes);

  NameAhead early;
  early.begin(programOf(ones));
  auto kernelOf = [&](OwningOpRef<ModuleOp> &module) {
    return *programOf(module).getOps<zin::KernelOp>().begin();
  };
  kernelOf(ones).setWeightsAttr(kernelOf(twos).getWeightsAttr());
  EXPECT_EQ(symbolsOf(ones, &early), symbolsOfTwos);
}

/// What cannot be packed is reported once, when code is generated.
TEST_F(CodegenTest, NamesNothingAheadThatCannotBePacked) {
  OwningOpRef<ModuleOp> module =
      parse("zin.kernel @k {groups = 1 : i64, ocg_size = 0 : i64, outputs = "
            "1024 : i64, taps = 1024 : i64, weights = dense_resource<none> : "
            "tensor<1048576xf16>}\n",
            window);
  ASSERT_TRUE(module);
  zin::ProgramOp program = *module->getOps<zin::ProgramOp>().begin();
  unsigned reports = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &) { ++reports; });
  NameAhead ahead;
  ahead.begin(program);
  EXPECT_EQ(reports, 0u);
  EXPECT_TRUE(
      failed(generatePrograms(program, *findTarget("h13"), td::Format::V10,
                              /*keepsTasks=*/false, &ahead)));
  EXPECT_EQ(reports, 1u);
}

/// Each field at the last value its register holds, and behind.
TEST_F(CodegenTest, Registers) {
  auto field = [&](llvm::StringRef window, llvm::StringRef stride,
                   llvm::StringRef padding, llvm::StringRef more) {
    return generate("", "window = [" + window + "], stride = [" + stride +
                            "], padding = [" + padding +
                            "], kernelless = true" + more);
  };
  EXPECT_THAT(field("31, 31", "3, 3", "31, 31", ", unicast = 65535"),
              IsEmpty());
  EXPECT_EQ(field("1, 32", "1, 1", "0, 0", ""),
            "task: Common.ConvCfg.Kw is 32, outside its range 0 to 31 "
            "[zin-task-c4]\n");
  EXPECT_EQ(field("32, 1", "1, 1", "0, 0", ""),
            "task: Common.ConvCfg.Kh is 32, outside its range 0 to 31 "
            "[zin-task-c4]\n");
  EXPECT_EQ(
      field("1, 1", "1, 4", "0, 0", ""),
      "task: Common.ConvCfg.Sx is 4, outside its range 0 to 3 [zin-task-c4]\n");
  EXPECT_EQ(
      field("1, 1", "4, 1", "0, 0", ""),
      "task: Common.ConvCfg.Sy is 4, outside its range 0 to 3 [zin-task-c4]\n");
  EXPECT_EQ(field("1, 1", "1, 1", "0, 32", ""),
            "task: Common.ConvCfg.Px is 32, outside its range 0 to 31 "
            "[zin-task-c4]\n");
  EXPECT_EQ(field("1, 1", "1, 1", "32, 0", ""),
            "task: Common.ConvCfg.Py is 32, outside its range 0 to 31 "
            "[zin-task-c4]\n");
  EXPECT_EQ(
      field("1, 1", "1, 1", "0, 0", ", unicast = 65536"),
      "task: Common.GroupConvCfg.UnicastCin is 65536, outside its range 0 to "
      "65535 [zin-task-c4]\n");
  EXPECT_EQ(field("1, 1", "1, 1", "0, 0", ", groups = 8192"),
            "task: Common.GroupConvCfg.NumGroups is 8192, outside its range 0 "
            "to 8191 "
            "[zin-task-c4]\n");
}

/// Of two values that do not fit the first is reported.
TEST_F(CodegenTest, ReportsATaskOnce) {
  EXPECT_EQ(generate("", "window = [32, 33], stride = [4, 4], "
                         "padding = [0, 0], kernelless = true"),
            "task: Common.ConvCfg.Kw is 33, outside its range 0 to 31 "
            "[zin-task-c4]\n");
}

/// Activations have the parameters that their tables need.
TEST_F(CodegenTest, ActivationParameters) {
  EXPECT_THAT(generateKernel("activation = #zin.neuron<prelu, 0.5 : f16>"),
              IsEmpty());
  EXPECT_THAT(generateKernel("activation = #zin.neuron<prelu>"),
              HasSubstr("activation 'prelu' has 1 parameter of fp16"));
  EXPECT_THAT(
      generateKernel("activation = #zin.neuron<clamped_relu, 0.0 : f16>"),
      HasSubstr("activation 'clamped_relu' has 2 parameters of fp16"));
  EXPECT_THAT(generateKernel("activation = #zin.neuron<prelu, 0.5 : f32>"),
              HasSubstr("has 1 parameter of fp16"));
  EXPECT_THAT(generateKernel("activation = #zin.neuron<relu, 0.5 : f16>"),
              HasSubstr("activation 'relu' has 0 parameters"));
}

} // namespace
