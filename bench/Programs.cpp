//===- Programs.cpp - Generated MIL programs ------------------------------===//

#include "Programs.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace ane;

namespace {

constexpr llvm::StringLiteral string = "tensor<string, []>";

/// Writes statements of one function.
class Writer {
public:
  explicit Writer(std::string &text) : os(text) {}

  void constant(llvm::StringRef type, const std::string &name,
                const llvm::Twine &value) {
    os << "            " << type << ' ' << name
       << " = const()[name = " << string << "(\"" << name
       << "\"), val = " << type << '(' << value << ")];\n";
  }

  void op(llvm::StringRef type, const std::string &name,
          const llvm::Twine &call) {
    os << "            " << type << ' ' << name << " = " << call
       << "[name = " << string << "(\"" << name << "\")];\n";
  }

  llvm::raw_string_ostream os;
};

} // namespace

std::string bench::makeChain(size_t numOps) {
  constexpr llvm::StringLiteral type = "tensor<fp16, [1, 8, 1, 16]>";
  std::string text, x = "x";
  Writer writer(text);
  writer.os << "program(1.0)\n{\n    func main<ios16>(" << type << " x) {\n";
  for (size_t i = 0; i < numOps / 8; ++i) {
    auto name = [i](llvm::StringRef base) {
      return (base + "_" + llvm::Twine(i)).str();
    };
    std::string padType = name("pad_type"), strides = name("strides"),
                weight = name("weight"), offset = name("offset"),
                conv = name("conv"), sum = name("add"), relu = name("relu");
    writer.constant(string, padType, "\"valid\"");
    writer.constant("tensor<int32, [2]>", strides, "[1, 1]");
    writer.constant("tensor<fp16, [8, 8, 1, 1]>", weight,
                    "BLOBFILE(path = " + string +
                        "(\"@model_path/weights/weight.bin\"), offset = "
                        "tensor<uint64, []>(" +
                        llvm::Twine(64 * (i + 1)) + "))");
    writer.op(type, conv,
              "conv(pad_type = " + llvm::Twine(padType) + ", strides = " +
                  strides + ", weight = " + weight + ", x = " + x + ")");
    writer.constant("tensor<fp16, []>", offset, "0x1.8p-1");
    writer.op(type, sum,
              "add(x = " + llvm::Twine(conv) + ", y = " + offset + ")");
    writer.op(type, relu, "relu(x = " + llvm::Twine(sum) + ")");
    x = name("mul");
    writer.op(type, x, "mul(x = " + llvm::Twine(relu) + ", y = " + conv + ")");
  }
  writer.os << "        } -> (" << x << ");\n}";
  return text;
}

std::string bench::makeLiteral(size_t size) {
  constexpr llvm::StringLiteral element = "0x1.998p-4";
  size_t count = size / (element.size() + 2) + 1;
  std::string type = "tensor<fp16, [" + std::to_string(count) + "]>";
  std::string text = "program(1.0)\n{\n    func main<ios16>(tensor<fp16, []> "
                     "x) {\n            " +
                     type + " c = const()[val = " + type + "([";
  text.reserve(size + 1024);
  for (size_t i = 0; i < count; ++i) {
    text += i == 0 ? "" : ", ";
    text += element;
  }
  text += "])];\n            tensor<fp16, []> y = relu(x = x);\n"
          "        } -> (y);\n}";
  return text;
}
