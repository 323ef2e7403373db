//===- TaskProgram.h - Tasks in text, for tests ----------------*- C++ -*-===//
//
// A program of buffers of 64 rows and tasks between them, of which tests ask
// what code generation makes of each. Nothing is checked but what parses.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TEST_UNIT_CODEGEN_TASKPROGRAM_H
#define ANE_TEST_UNIT_CODEGEN_TASKPROGRAM_H

#include "ProgramParts.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <string>

namespace ane {

/// Rows of a buffer, from one on, of 32 elements at most.
inline std::string rows(const std::string &buffer, int first = 0,
                        int count = 64, int columns = 32) {
  return "<@" + buffer + " + " + std::to_string(first * 64) + ", [1, 1, 1, " +
         std::to_string(count) + ", " + std::to_string(columns) +
         "], [4096, 4096, 4096, 64]> ";
}

/// A buffer in scratch, at an offset there or in L2.
inline std::string scratch(const std::string &name, int offset) {
  return "zin.buffer <scratch> @" + name + " 4096 bytes " + rows(name) +
         "{offset = " + std::to_string(offset) + " : i64}\n";
}
inline std::string inL2(const std::string &name, int base) {
  return "zin.buffer <scratch> @" + name + " 4096 bytes " + rows(name) +
         "{l2 = #zin.l2_place<" + std::to_string(base) +
         ", [4096, 4096, 4096, 64]>}\n";
}
inline std::string port(const std::string &kind, const std::string &name) {
  return "zin.buffer <" + kind + "> @" + name + " 4096 bytes " + rows(name) +
         "{host_type = tensor<64x32xf16>, port = \"" + name + "\"}\n";
}

/// A buffer in scratch that lies in L2 as well.
inline std::string inBoth(const std::string &name, int offset, int base) {
  return "zin.buffer <scratch> @" + name + " 4096 bytes " + rows(name) +
         "{l2 = #zin.l2_place<" + std::to_string(base) +
         ", [4096, 4096, 4096, 64]>, offset = " + std::to_string(offset) +
         " : i64}\n";
}

/// Where operands and result are, such as "source1 = resident, ", and 4096
/// bytes of L2 for what streams.
inline std::string l2(const std::string &residences, int begin,
                      const std::string &more = "") {
  return " {" + more + "l2 = #zin.l2<" + residences +
         "begin = " + std::to_string(begin) + ", bytes = 4096>}\n";
}

/// A copy of the neural engine.
inline std::string copy(const std::string &from, const std::string &to,
                        const std::string &use = "\n",
                        const std::string &config = "") {
  return "zin.task <NEFUSED_BYPASS> on <NEBypass> reads " + from + "writes " +
         to +
         "computes #zin.ne<op = pass, window = [1, 1], stride = [1, 1], "
         "padding = [0, 0], unicast = 1, kernelless = true" +
         config + ">" + use;
}

/// A sum of the planar engine.
inline std::string add(const std::string &x, const std::string &y,
                       const std::string &to, const std::string &use = "\n",
                       const std::string &config = "") {
  return "zin.task <PEFUSED_ELEMENTWISE> on <PEElementWise> reads " + x +
         "and " + y + "writes " + to +
         "computes #zin.pe<op = add, reduce = none, post = none" + config +
         ">" + use;
}

/// The largest element, by the planar engine.
inline std::string largest(const std::string &x, const std::string &to,
                           const std::string &use = "\n") {
  return "zin.task <PEFUSED_POOL> on <PEPool> reads " + x + "writes " + to +
         "computes #zin.pe<op = add, reduce = max, post = none>" + use;
}

class TaskProgramTest : public testing::Test {
protected:
  TaskProgramTest() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<zin::ZinDialect>();
  }

  codegen::ProgramParts parse(const std::string &body) {
    // The verifier holds tasks to more than is asked about.
    mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "zin.program @main {\n" + body + "}", config);
    EXPECT_TRUE(module);
    return codegen::ProgramParts(*module->getOps<zin::ProgramOp>().begin());
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace ane

#endif // ANE_TEST_UNIT_CODEGEN_TASKPROGRAM_H
