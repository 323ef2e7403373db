//===- Disassembler.cpp - Task descriptors as text ------------------------===//

#include "ane/TaskDescriptor/Disassembler.h"
#include "ane/TaskDescriptor/Summary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ane::td;

namespace {

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
    const ValueSetInfo *set = valueSetOf(info);
    std::string valueName = set ? set->nameOf(bits) : "";
    if (info.unit > 1)
      value = llvm::formatv("{0:x} bytes", image.getScaled(field, first)).str();
    else if (!valueName.empty())
      value += " " + valueName;
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

void ane::td::printTask(llvm::raw_ostream &os, const TaskDescriptor &task,
                        unsigned index, const DisassemblyOptions &options) {
  os << "task " << index << ": " << summarize(task.image).text() << "\n";
  BlockPrinter printer(os, task.image, options);
  for (size_t block = 0; block < blockTable().size(); ++block)
    printer.print(static_cast<Block>(block));
}
