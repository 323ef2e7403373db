"""Reads the generated reference of the mil dialect, and fails where it is not
what it should be.

mil-reference.py examples REFERENCE OUT.mil OUT.mlir
  Every op has an example that contains it. Writes all that are MIL text as one
  program, and all that are IR as one module, each function by the name of its
  op.
mil-reference.py constraints REFERENCE OP-SUPPORT.md
  The description of every op lists the constraints that its checks have.
mil-reference.py inputs REFERENCE
  Every op with inputs has a table of them, in which each has types.
"""
import re
import sys

ROW = re.compile(r"^\| `(\w+)` \|.*\| (.*) \|$", re.M)
BLOCK = re.compile(r"^```(mil|mlir)\n(.*?)^```$", re.M | re.S)
IDS = re.compile(r"`(mil-\w+-c)(\d+)`(?: to `(mil-\w+-c)(\d+)`)?")


def sections(path):
    """Op and text of each section about one."""
    with open(path, encoding="utf-8") as file:
        text = file.read().split("\n## Attributes\n")[0]
    parts = re.split(r"^### `mil\.(\w+)`.*$", text, flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2]))


def examples(reference, mil, mlir):
    texts, failed = {"mil": [], "mlir": []}, []
    for op, text in sections(reference).items():
        found = [(kind, code) for kind, code in BLOCK.findall(text)
                 if re.search({"mil": rf"\b{op}(?:<\w+>)?\(",
                               "mlir": rf"\bmil\.{op}\b"}[kind], code)]
        if not found:
            failed.append(op)
        for number, (kind, code) in enumerate(found):
            name = op + (f"_{number}" if number else "")
            texts[kind].append(re.sub(r"\b(func @?)main\b", rf"\1{name}", code))
    with open(mil, "w", encoding="utf-8") as file:
        file.write("program(1.3)\n{\n" + "".join(texts["mil"]) + "}\n")
    with open(mlir, "w", encoding="utf-8") as file:
        file.write("".join(texts["mlir"]))
    print(f"{sum(map(len, texts.values()))} examples")
    return [f"{op}: no example contains it" for op in failed]


def constraints(reference, support):
    with open(support, encoding="utf-8") as file:
        checked = {op: set(re.findall(r"`(mil-[\w-]+)`", ids))
                   for op, ids in ROW.findall(file.read())}
    failed = []
    for op, text in sections(reference).items():
        described = {first + str(number)
                     for first, low, _, high in IDS.findall(text)
                     for number in range(int(low), int(high or low) + 1)}
        for name in sorted(checked.get(op, described) ^ described):
            where = "description" if name not in described else "checks"
            failed.append(f"{op}: {name} is not in its {where}")
    print(f"{len(checked)} ops")
    return failed


def inputs(reference):
    failed, count = [], 0
    for op, text in sections(reference).items():
        if "#### Operands:" in text and op not in ("return", "cond", "yield",
                                                   "while_loop"):
            failed.append(f"{op}: its operands have no types")
        rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", text.partition(
            "#### Inputs:")[2].partition("#### Results:")[0], re.M)
        count += len(rows)
        failed += [f"{op}: '{name}' has no types" for name, types in rows
                   if not types]
    print(f"{count} inputs")
    return failed


problems = {"examples": examples, "constraints": constraints,
            "inputs": inputs}[sys.argv[1]](*sys.argv[2:])
print("\n".join(problems))
sys.exit(bool(problems))
