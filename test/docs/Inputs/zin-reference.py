"""Takes the examples of IR out of pages: zin-reference.py OUT.mlir REFERENCE PAGE...

Writes a module for each block of `mlir`, cut by `// -----`. A line about a layer
becomes a procedure whose arguments are what it reads, one about an attribute a
module that has it; procedures, programs and modules stay as they are. Blocks
with other parts of IR, or `...` for what is left out, are passed over, but not
in the reference, of which each op is in an example. Fails where one is not."""
import re
import sys

BLOCK = re.compile(r"^```mlir\n(.*?)^```$", re.M | re.S)
LAYER = re.compile(r"%\w+ = zin\.\w+ ([^\n]*) : (?:\((.*)\) -> )?([^\n]*)\n")


def as_module(code):
    if re.match(r"zin\.pro|module", code):
        return code
    if code.startswith("#"):
        return "// -----\n".join(f"module attributes {{zin.example = {line}}} {{}}\n"
                                for line in code.splitlines())
    layer = LAYER.fullmatch(code)
    if not layer:
        return None
    operands, types, result = layer.groups()
    operands = re.findall(r"%\w+", operands)
    # Without a list of types, operands have that of the result.
    types = types.split(", ") if types else [result] * len(operands)
    port = 'zin.host_type = {}, zin.name = "{}"'.format
    arguments = [f"{name}: {kind} {{{port(kind, name[1:])}}}"
                 for name, kind in zip(operands, types, strict=True)]
    return (f"zin.procedure @main({', '.join(arguments)})"
            f' -> ({result} {{{port(result, "out")}}}) {{\n'
            f"{code}zin.return {code.split()[0]} : {result}\n}}\n")


def main(out, reference, *pages):
    with open(reference, encoding="utf-8") as file:
        text = file.read()
    examples = BLOCK.findall(text)
    modules = [as_module(code) for code in examples]
    failed = [f"not IR: {code}" for code, module in zip(examples, modules)
              if not module]
    for op in re.findall(r"^### `(zin\.\w+)`", text, re.M):
        if not any(re.search(rf"\b{op}\b", code) for code in examples):
            failed.append(f"{op}: no example contains it")
    for page in pages:
        with open(page, encoding="utf-8") as file:
            modules += [as_module(code) for code in BLOCK.findall(file.read())
                        if "..." not in code]
    modules = [module for module in modules if module]
    with open(out, "w", encoding="utf-8") as file:
        file.write("// -----\n".join(modules))
    print(f"{len(modules)} examples")
    return "\n".join(failed) or None


sys.exit(main(*sys.argv[1:]))
