//===- list-ports.cpp - Lists the ports of a container --------------------===//
//
// usage: list-ports FILE.hwx
//
//===----------------------------------------------------------------------===//

#include "ane/Object/Reader.h"
#include "llvm/Support/Format.h"

using namespace ane::object;

int main(int argc, char **argv) {
  if (argc != 2)
    return llvm::errs() << "usage: list-ports FILE.hwx\n", 2;
  Object object = llvm::ExitOnError()(readObject(argv[1]));
  for (const Port *port : object.all<Port>()) {
    llvm::outs() << llvm::format_hex(port->address, 10) << ' ' << port->name;
    if (const OperandDescriptor *operand = object.findOperand(port->name)) {
      const TensorLayout &layout = operand->layout;
      bool isInput = operand->direction == PortDirection::Input;
      llvm::outs() << (isInput ? ": input " : ": output ") << layout.n << 'x'
                   << layout.c << 'x' << layout.h << 'x' << layout.w << ", "
                   << operand->byteSize << " bytes";
    }
    llvm::outs() << '\n';
  }
}
