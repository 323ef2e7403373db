//===- Disassembler.cpp - Task descriptors as text ------------------------===//

#include "ane/TaskDescriptor/Disassembler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane::td;

namespace {

// Values of the registers that say what a task does. Verified.
enum MACOp : uint32_t { MAC = 0, Max = 3, Pass = 4 };
enum Type : uint32_t {
  NeuralEngine = 0,
  OneSource = 2,
  TwoSources = 3,
  VectorPair = 4,
  Reduction = 5,
  ReductionOfTwo = 6,
};

std::string dims(uint32_t groups, uint32_t depth, uint32_t channels,
                 uint32_t rows, uint32_t columns) {
  std::string text;
  if (groups != 1)
    text += llvm::formatv("{0}x", groups).str();
  if (depth != 1)
    text += llvm::formatv("{0}d x ", depth).str();
  return text + llvm::formatv("{0}x{1}x{2}", channels, rows, columns).str();
}

std::string summarizeNE(const RegisterImage &image) {
  std::string text;
  switch (image.get(Field::MACOpMode)) {
  case MAC:
    text = image.isSet(Field::KernelMode) ? "sum" : "mac";
    break;
  case Max:
    text = "max";
    break;
  case Pass:
    text = "pass";
    break;
  default:
    text = llvm::formatv("op {0}", image.get(Field::MACOpMode)).str();
  }
  uint32_t kh = image.get(Field::Kh), kw = image.get(Field::Kw);
  if (kh != 1 || kw != 1)
    text += llvm::formatv(" {0}x{1}", kh, kw).str();
  if (image.isSet(Field::BiasMode))
    text += " + bias";
  if (image.get(Field::NonlinearMode) == 1)
    text += ", relu";
  if (image.get(Field::NonlinearMode) == 2)
    text += ", table";
  if (image.isSet(Field::TransposedWrite))
    text += ", transposed";
  return text;
}

std::string summarizePE(const RegisterImage &image) {
  static constexpr llvm::StringLiteral names[] = {"add", "multiply", "maximum",
                                                  "minimum", "square of sum"};
  uint32_t op = image.get(Field::PEOpMode);
  std::string text = op < std::size(names) ? names[op].str()
                                           : llvm::formatv("op {0}", op).str();
  switch (image.get(Field::TaskType)) {
  case OneSource:
    return "scale and bias";
  case Reduction:
    return image.isSet(Field::PEPoolMode) ? "reduce max" : "reduce sum";
  case ReductionOfTwo:
    return text + ", reduced";
  default:
    return text;
  }
}

/// The registers of one block, in the order of the field table.
class BlockPrinter {
public:
  BlockPrinter(llvm::raw_ostream &os, const RegisterImage &image,
               const DisassemblyOptions &options)
      : os(os), image(image), options(options) {}

  void print(Block block) {
    bool titled = false;
    auto title = [&] {
      if (!titled && block != Block::Header)
        os << "  " << blockInfo(block).symbol << "\n";
      titled = true;
    };
    for (auto [index, info] : llvm::enumerate(fieldTable())) {
      if (info.block != block)
        continue;
      auto field = static_cast<Field>(index);
      for (unsigned first = 0; first < info.count;) {
        unsigned last = first;
        while (last + 1 < info.count &&
               image.get(field, last + 1) == image.get(field, first))
          ++last;
        if (options.all || image.isSet(field, first)) {
          title();
          printField(field, info, first, last);
        }
        first = last + 1;
      }
    }
    for (unsigned word = 0; word < blockInfo(block).words; ++word)
      if (uint32_t bits = image.unnamedBits(block, word)) {
        title();
        os << llvm::formatv("    {0,-40} {1}  bits of no known field\n",
                            llvm::formatv("register {0:x5}",
                                          blockInfo(block).address + 4 * word)
                                .str(),
                            llvm::format_hex(bits, 10));
      }
  }

private:
  void printField(Field field, const FieldInfo &info, unsigned first,
                  unsigned last) {
    std::string name = info.registerName.str();
    if (info.count > 1)
      name += first == last ? llvm::formatv("[{0}]", first).str()
                            : llvm::formatv("[{0}..{1}]", first, last).str();
    name += "." + info.name.str();
    uint32_t bits = image.get(field, first);
    std::string value = llvm::formatv("{0}", bits).str();
    if (info.unit > 1)
      value = llvm::formatv("{0:x} bytes", image.getScaled(field, first)).str();
    else if (info.width > 8)
      value += llvm::formatv(" ({0:x})", bits).str();
    os << llvm::formatv("    {0,-40} {1}", name, value);
    if (options.meanings)
      os.indent(value.size() < 20 ? 20 - value.size() : 1) << info.meaning;
    os << "\n";
  }

  llvm::raw_ostream &os;
  const RegisterImage &image;
  const DisassemblyOptions &options;
};

} // namespace

std::string ane::td::summarizeTask(const RegisterImage &image) {
  bool isNE = image.get(Field::TaskType) == NeuralEngine;
  uint32_t groups = image.get(Field::NumGroups);
  std::string text =
      isNE ? "NE " + summarizeNE(image) : "PE " + summarizePE(image);
  text += ": " + dims(groups, image.get(Field::Din), image.get(Field::Cin),
                      image.get(Field::Hin), image.get(Field::Win));
  text += " -> " + dims(groups, image.get(Field::Dout), image.get(Field::Cout),
                        image.get(Field::Hout), image.get(Field::Wout));
  return text;
}

void ane::td::printTask(llvm::raw_ostream &os, const TaskDescriptor &task,
                        unsigned index, const DisassemblyOptions &options) {
  os << "task " << index << ": " << summarizeTask(task.image) << "\n";
  BlockPrinter printer(os, task.image, options);
  for (size_t block = 0; block < blockTable().size(); ++block)
    printer.print(static_cast<Block>(block));
}
