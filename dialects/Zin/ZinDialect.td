//===- ZinDialect.td - The engine's layers and tasks ----------------------===//

#ifndef ANE_ZIN_DIALECT_TD
#define ANE_ZIN_DIALECT_TD

include "mlir/IR/OpBase.td"

def Zin_Dialect : Dialect {
  let name = "zin";
  let summary = "Layers of the Neural Engine, and the tasks they become";
  let description = [{
    The dialect has two levels.

    At the **unit level** a `zin.procedure` holds one op per engine unit. Every
    value is a `tensor<NxDxCxHxWxf16>`: batch, depth, channels, rows, columns.

    At the **task level** a `zin.program` holds buffers, kernels and tasks. A
    `zin.task` is one task descriptor: what it reads and writes is given as
    strided views of buffers, what it computes as a configuration of the neural
    or the planar engine. Code generation turns a task into registers by
    formulas. Beyond the task it looks at the order of tasks alone: what one waits
    for, which are interrupted together, what their L2 places hold.

    docs/Dialects/RationaleZin.md tells why.
  }];
  let cppNamespace = "::ane::zin";
  let useDefaultTypePrinterParser = 0;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Unit attributes of a procedure and of its program: weights of the source
    /// were stored as palettes, or without their zeros, and may be again.
    static constexpr ::llvm::StringLiteral palettizedAttrName =
        "zin.palettized";
    static constexpr ::llvm::StringLiteral sparseAttrName = "zin.sparse";

    void registerAttributes();
    void registerOps();
  }];
}

#endif // ANE_ZIN_DIALECT_TD
