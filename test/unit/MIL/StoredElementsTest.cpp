//===- StoredElementsTest.cpp - Constants from bytes and from numbers -----===//
//
// What is folded byte by byte is what the reference interpreter computes, for
// programs that a seed draws: small ones with attributes, large ones with
// resources.
//
//===----------------------------------------------------------------------===//

#include "Constants/StoredElements.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "ane/Frontend/Import.h"
#include "ane/Reference/Conversions.h"
#include "ane/Reference/Interpreter.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace ane;

namespace {

using Shape = SmallVector<int64_t>;

std::string listOf(ArrayRef<int64_t> values) {
  std::string text = "[";
  for (int64_t value : values)
    text += (text.size() > 1 ? ", " : "") + std::to_string(value);
  return text + "]";
}

constexpr int numRuns = 20;

class StoredElementsTest : public testing::TestWithParam<int64_t> {
protected:
  StoredElementsTest() { context.loadDialect<mil::MILDialect>(); }

  int64_t draw(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  template <typename T> T pick(std::initializer_list<T> list) {
    return list.begin()[draw(0, list.size() - 1)];
  }
  /// A shape of which the last dimension is long where the parameter says so,
  /// and how many blocks there are along each.
  std::pair<Shape, Shape> drawBlocks() {
    Shape shape, blocks;
    for (int64_t dim = 0, rank = draw(1, 4); dim < rank; ++dim) {
      int64_t count = draw(1, 3), size = draw(1, 3);
      if (dim + 1 == rank)
        size *= GetParam();
      shape.push_back(count * size);
      blocks.push_back(count);
    }
    return {shape, blocks};
  }

  /// A constant of a tensor type; floats are eighths.
  std::string constant(StringRef element, ArrayRef<int64_t> shape, int64_t low,
                       int64_t high) {
    return constant(element, shape, [&] {
      return element.starts_with("fp")
                 ? llvm::formatv("{0:f3}", double(draw(low, high)) / 8).str()
                 : std::to_string(draw(low, high));
    });
  }
  std::string constant(StringRef element, ArrayRef<int64_t> shape,
                       llvm::function_ref<std::string()> number) {
    std::string type =
        llvm::formatv("tensor<{0}, {1}>", element, listOf(shape)).str();
    std::string name = "c" + std::to_string(numConstants++);
    text += "  " + type + " " + name + " = const()[val = " + type + "(";
    write(shape, [&] { text += number(); });
    text += ")];\n";
    return name;
  }

  void TearDown() override { EXPECT_GT(numFolded, numRuns / 2); }

  /// Folds `op`, an op with result types and inputs; the bytes and the numbers
  /// agree in each result.
  void check(StringRef results, StringRef op, int opset = 18) {
    std::string program =
        llvm::formatv("program(1.3)\n{{\nfunc main<ios{0}>(tensor<fp16, [1]> "
                      "x) {{\n{1}  {2} = {3};\n} -> (x);\n}\n",
                      opset, text, results, op)
            .str();
    SCOPED_TRACE(program.size() < 2000 ? program : op.str());
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(program),
                               llvm::SMLoc());
    OwningOpRef<ModuleOp> module = frontend::importMIL(sources, &context);
    ASSERT_TRUE(module);
    Operation *last = nullptr;
    reference::ConstantValues values;
    module->walk([&](Operation *each) {
      values.defer(each);
      if (isa<mil::MILOp>(each) &&
          !isa<mil::ConstOp, mil::ReturnOp, mil::FuncOp>(each))
        last = each;
    });
    ASSERT_TRUE(last);
    std::optional<SmallVector<ElementsAttr>> folded = mil::foldMove(last);
    if (!folded)
      folded = mil::foldWeight(last);
    text.clear();
    // Some are left to the interpreter: where all elements are the same.
    if (!folded)
      return;
    ++numFolded;
    SmallVector<const reference::Tensor *> operands;
    for (Value operand : last->getOperands()) {
      auto type = cast<RankedTensorType>(operand.getType());
      operands.push_back(isa<mil::StringType>(type.getElementType())
                             ? nullptr
                             : *values.get(operand));
    }
    auto expected = reference::evaluateOp(last, operands);
    ASSERT_TRUE(succeeded(expected));
    ASSERT_EQ(folded->size(), expected->size());
    for (auto [elements, tensor] : llvm::zip_equal(*folded, *expected)) {
      auto actual = reference::fromElementsAttr(elements);
      ASSERT_TRUE(bool(actual));
      ASSERT_EQ(actual->getType(), tensor.getType());
      reference::withPayload(tensor, [&](auto payload) {
        using T = decltype(payload);
        EXPECT_TRUE(actual->values<T>() == tensor.values<T>());
        return 0;
      });
    }
  }

  std::mt19937 random{1};
  std::string text; ///< of constants

private:
  template <typename Fn> void write(ArrayRef<int64_t> shape, Fn fn) {
    if (shape.empty())
      return fn();
    text += "[";
    for (int64_t i = 0; i < shape.front(); ++i) {
      text += i ? ", " : "";
      write(shape.drop_front(), fn);
    }
    text += "]";
  }

  MLIRContext context;
  int numConstants = 0, numFolded = 0;
};

struct Integer {
  StringRef name;
  int64_t low, high;
};
constexpr Integer int4 = {"int4", -8, 7}, uint4 = {"uint4", 0, 15},
                  int8 = {"int8", -128, 127}, uint8 = {"uint8", 0, 255};

TEST_P(StoredElementsTest, BlockwiseShiftScale) {
  for (int run = 0; run < numRuns; ++run) {
    auto [shape, blocks] = drawBlocks();
    Integer type = pick({int4, uint4, int8, uint8});
    StringRef element = pick<StringRef>({"fp16", "fp32"});
    std::string data = constant(type.name, shape, type.low, type.high);
    std::string scale = constant(element, blocks, -999, 999);
    std::string offset;
    if (draw(0, 1))
      offset = ", offset = " + constant(type.name, blocks, type.low, type.high);
    check(llvm::formatv("tensor<{0}, {1}> w", element, listOf(shape)).str(),
          llvm::formatv(
              "constexpr_blockwise_shift_scale(data = {0}, scale = {1}{2})",
              data, scale, offset)
              .str());
  }
}

TEST_P(StoredElementsTest, AffineDequantize) {
  for (int run = 0; run < numRuns; ++run) {
    Shape shape = drawBlocks().first;
    int64_t axis = draw(0, shape.size() - 1);
    Integer type = pick({int8, uint8});
    StringRef element = pick<StringRef>({"fp16", "fp32"});
    auto channels = [&] { return draw(0, 1) ? Shape{shape[axis]} : Shape(); };
    std::string data = constant(type.name, shape, type.low, type.high);
    std::string zero = constant(type.name, channels(), type.low, type.high);
    std::string scale = constant(element, channels(), -999, 999);
    check(llvm::formatv("tensor<{0}, {1}> w", element, listOf(shape)).str(),
          llvm::formatv("constexpr_affine_dequantize(axis = int32({0}), "
                        "quantized_data = {1}, scale = {2}, zero_point = {3})",
                        axis - (draw(0, 1) ? int64_t(shape.size()) : 0), data,
                        scale, zero)
              .str(),
          16);
  }
}

TEST_P(StoredElementsTest, LutToDense) {
  for (int run = 0; run < numRuns; ++run) {
    auto [shape, blocks] = drawBlocks();
    int64_t width = pick<int64_t>({1, 2, 3, 4, 6, 8});
    StringRef element = pick<StringRef>({"fp16", "fp32", "int8"});
    std::string indices =
        constant("uint" + std::to_string(width), shape, 0, (1 << width) - 1);
    Shape tables = blocks;
    tables.append({1 << width, 1});
    std::string lut = constant(element, tables, -128, 127);
    check(llvm::formatv("tensor<{0}, {1}> w", element, listOf(shape)).str(),
          llvm::formatv("constexpr_lut_to_dense(indices = {0}, lut = {1})",
                        indices, lut)
              .str());
  }
}

TEST_P(StoredElementsTest, LutToDenseOfAStream) {
  for (int run = 0; run < numRuns; ++run) {
    Shape shape = drawBlocks().first;
    int64_t width = pick<int64_t>({1, 2, 4, 6, 8});
    int64_t bytes = llvm::divideCeil(llvm::product_of(shape) * width, 8);
    std::string indices = constant("uint8", {bytes}, 0, 255);
    std::string lut = constant("fp16", {1 << width}, -999, 999);
    check("tensor<fp16, " + listOf(shape) + "> w",
          llvm::formatv("constexpr_lut_to_dense(indices = {0}, lut = {1}, "
                        "shape = tensor<uint32, [{2}]>({3}))",
                        indices, lut, shape.size(), listOf(shape))
              .str(),
          16);
  }
}

TEST_P(StoredElementsTest, SparseToDense) {
  for (int run = 0; run < numRuns; ++run) {
    // Half of the bits of each byte are set.
    int64_t bytes = draw(2, 4) * GetParam(), count = 8 * bytes;
    std::string mask = constant("uint8", {bytes}, [&] {
      return std::to_string(pick({0x99, 0x3c, 0xf0, 0x0f, 0x55}));
    });
    std::string nonzero = constant("fp16", {count / 2}, -999, 999);
    check("tensor<fp16, " + listOf(count) + "> w",
          llvm::formatv("constexpr_sparse_to_dense(mask = {0}, nonzero_data = "
                        "{1}, shape = tensor<uint32, [1]>([{2}]))",
                        mask, nonzero, count)
              .str(),
          16);
  }
}

TEST_P(StoredElementsTest, Casts) {
  for (int run = 0; run < numRuns; ++run) {
    Shape shape = drawBlocks().first;
    StringRef from = pick<StringRef>({"fp16", "fp32"});
    StringRef to = from == "fp16" ? "fp32" : "fp16";
    // Some are between two numbers of fp16, some beyond all of them.
    std::string x = constant(from, shape, -9999999, 9999999);
    check(llvm::formatv("tensor<{0}, {1}> w", to, listOf(shape)).str(),
          llvm::formatv("cast(dtype = string(\"{0}\"), x = {1})", to, x).str());
  }
}

TEST_P(StoredElementsTest, Moves) {
  for (int run = 0; run < numRuns; ++run) {
    Shape shape = drawBlocks().first;
    Integer type = pick({Integer{"fp16", -999, 999}, Integer{"fp32", -99, 99},
                         Integer{"int32", -99, 99}});
    auto constantOf = [&](ArrayRef<int64_t> shape) {
      return constant(type.name, shape, type.low, type.high);
    };
    auto resultOf = [&](ArrayRef<int64_t> shape, StringRef name = "w") {
      return llvm::formatv("tensor<{0}, {1}> {2}", type.name, listOf(shape),
                           name)
          .str();
    };
    auto ints = [](ArrayRef<int64_t> values) {
      return llvm::formatv("tensor<int32, [{0}]>({1})", values.size(),
                           listOf(values))
          .str();
    };
    Shape order = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
    llvm::shuffle(order.begin(), order.end(), random);
    check(resultOf(
              llvm::map_to_vector(order, [&](int64_t d) { return shape[d]; })),
          "transpose(perm = " + ints(order) + ", x = " + constantOf(shape) +
              ")");

    Shape begin, end, stride, part;
    for (int64_t extent : shape) {
      int64_t step = pick<int64_t>({1, 1, 2, -1, -2});
      int64_t low = draw(0, extent - 1), high = draw(low, extent - 1);
      begin.push_back(step > 0 ? low : high);
      // A bound of -1 would count from the end.
      end.push_back(step > 0 ? high + 1 : low - 1 < 0 ? -extent - 1 : low - 1);
      stride.push_back(step);
      part.push_back((high - low) / std::abs(step) + 1);
    }
    check(resultOf(part), "slice_by_index(begin = " + ints(begin) + ", end = " +
                              ints(end) + ", stride = " + ints(stride) +
                              ", x = " + constantOf(shape) + ")");

    int64_t axis = draw(0, shape.size() - 1);
    Shape joined = shape, other = shape;
    other[axis] = draw(1, 3);
    joined[axis] += other[axis];
    std::string first = constantOf(shape), second = constantOf(other);
    check(resultOf(joined),
          llvm::formatv("concat(axis = int32({0}), interleave = bool(false), "
                        "values = ({1}, {2}))",
                        axis, first, second)
              .str());
    std::string whole = constantOf(joined);
    check(resultOf(shape, "a") + ", " + resultOf(other, "b"),
          llvm::formatv("split(axis = int32({0}), split_sizes = {1}, x = {2})",
                        axis, ints({shape[axis], other[axis]}), whole)
              .str());
    Shape flat = {1, int64_t(llvm::product_of(shape))};
    check(resultOf(flat),
          "reshape(shape = " + ints(flat) + ", x = " + constantOf(shape) + ")");
  }
}

INSTANTIATE_TEST_SUITE_P(SmallAndLarge, StoredElementsTest,
                         testing::Values(1, 600));

} // namespace
