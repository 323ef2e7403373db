//===- Fixture.cpp - Evaluating MIL assembly in tests ---------------------===//

#include "Fixture.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ane;
using namespace ane::reference;
using namespace ane::reference::test;

ReferenceTest::ReferenceTest() {
  context.loadDialect<mil::MILDialect>();
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    llvm::raw_string_ostream(diagnostics)
        << diagnostic.getLocation() << ": " << diagnostic << "\n";
  });
}

OwningOpRef<ModuleOp> ReferenceTest::parse(StringRef program) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      program, ParserConfig(&context), /*sourceName=*/"program.mlir");
  EXPECT_TRUE(module) << diagnostics;
  return module;
}

FailureOr<SmallVector<Tensor>> ReferenceTest::run(StringRef ops,
                                                  StringRef opset) {
  OwningOpRef<ModuleOp> module =
      parse(("mil.func @main() attributes {opset = \"" + opset + "\"} {\n" +
             ops + "\nmil.return\n}")
                .str());
  if (!module)
    return failure();
  auto func = *module->getOps<mil::FuncOp>().begin();
  Operation *end = func.getBody().front().getTerminator();
  end->setOperands(end->getPrevNode()->getResults());
  func.updateFunctionType();
  return evaluate(func, {});
}

std::vector<double> ReferenceTest::floats(StringRef ops, StringRef opset) {
  FailureOr<SmallVector<Tensor>> results = run(ops, opset);
  EXPECT_TRUE(succeeded(results)) << diagnostics;
  if (failed(results))
    return {};
  return results->front().floats().vec();
}

std::vector<int64_t> ReferenceTest::ints(StringRef ops, StringRef opset) {
  FailureOr<SmallVector<Tensor>> results = run(ops, opset);
  EXPECT_TRUE(succeeded(results)) << diagnostics;
  if (failed(results))
    return {};
  return results->front().ints().vec();
}

std::string ReferenceTest::errorOf(StringRef ops, StringRef opset) {
  EXPECT_TRUE(failed(run(ops, opset)));
  return diagnostics;
}

std::string test::tensorType(ArrayRef<int64_t> shape, StringRef elementType) {
  std::string type = "tensor<";
  for (int64_t extent : shape)
    type += std::to_string(extent) + "x";
  return type + elementType.str() + ">";
}

std::string test::constant(StringRef name, StringRef elementType,
                           ArrayRef<int64_t> shape, ArrayRef<int64_t> values) {
  bool isFloat = !elementType.contains('i');
  // Nested brackets follow from the shape; a list without an entry is empty.
  size_t next = 0;
  auto nest = [&](auto &self, size_t dim) -> std::string {
    if (dim == shape.size())
      return std::to_string(values[next++]) + (isFloat ? ".0" : "");
    SmallVector<std::string> entries;
    for (int64_t i = 0; i < shape[dim]; ++i)
      entries.push_back(self(self, dim + 1));
    return "[" + llvm::join(entries, ", ") + "]";
  };
  std::string list = values.empty() ? "" : nest(nest, 0);
  return ("%" + name + " = mil.const dense<" + list +
          "> : " + tensorType(shape, elementType) + "\n")
      .str();
}

std::string test::int32s(StringRef name, ArrayRef<int64_t> values) {
  return constant(name, "i32", int64_t(values.size()), values);
}
std::string test::int32(StringRef name, int64_t value) {
  return constant(name, "i32", {}, value);
}
std::string test::boolean(StringRef name, bool value) {
  return constant(name, "i1", {}, value);
}
std::string test::text(StringRef name, StringRef value) {
  return ("%" + name + " = mil.const dense<\"" + value +
          "\"> : tensor<!mil.string>\n")
      .str();
}
