#!/usr/bin/python3
"""Prints docs/op-support.md: what becomes of each MIL op, and what can refuse it.

usage: op-support.py MIL-OPS.md CONSTRAINTS.md SOURCES...

How the engine comes to run an op is said by the table that `ane-op-table`
prints. The constraints of an op are the ids in the functions that check it, and
in those which they call: its verifier and type inference, and its check against
the target. SOURCES are C++ files, and the *.cpp.inc that TableGen makes of ops.
"""
import re
import sys

# A definition at the start of a line, with its body: up to a brace at the start
# of a line, or on the line itself. A parameter may default to {}.
FUNCTION = re.compile(r"^(?:template [^\n]*\n?)?(?:static )?[\w:<>*&, \n]*?"
                      r"\b((?:\w+::)*~?\w+)\(((?:[^;{}]|\{\})*?)\)[^;{}()]*"
                      r"\{(?:\n(.*?)^\}|([^\n]*)\}$)", re.M | re.S)
# The same of what TableGen makes where a class of ops says how types are
# inferred. Nothing else in these files is about constraints.
INFERENCE = re.compile(r"^::llvm::LogicalResult (\w+Op::inferTypes)\(([^)]*)\) "
                       r"\{\n(.*?)^\}()", re.M | re.S)
ID = re.compile(r'"(mil-[\w]+-c\d+)"|\bid\("([\w]+-c\d+)"\)')
WORD = re.compile(r"\b[A-Za-z_]\w*\b(?=[(<])")
CHECKED = re.compile(r"\bmil::(\w+Op)\b")
OWNER = re.compile(r"\b(?:mil::)?([A-Z]\w*Op)\b(?! *&)")
ROW = re.compile(r"^\| `(\w+)` \| (.*) \|$", re.M)
LISTED = re.compile(r"^\| `([\w-]+)` \|", re.M)
# Checks of every op, which the introduction names instead.
COMMON = {"check", "checkLeft", "checkOutputs", "checkEngineType",
          "checkConstants", "requireConstant", "verifyNoBuffers",
          "verifyOwnOpset"}

HEADER = """# Support of MIL ops

Generated from the definitions and from the code that refuses; do not edit.

| mark | says |
|---|---|
| `native` | the op is a layer of the engine, or a few |
| `decomposed` | it becomes other ops first |
| `unrolled` | it becomes other ops, as often as it has steps |
| `values` | it becomes inputs and outputs of the program |
| `folded` | on constants alone it is one; with computed values it is refused (`h13-op-c1`) |
| `refused` | always: `h13-op-c1` |
| | the opset has no such op |

A mark is about the op, not about all of its attributes: of what a constraint in the
last column asks, an op that is `native` or `decomposed` can be refused. So are
scatters that multiply or divide by more than 32 computed indices
(`h13-scatter-c1`), which `mil-decompose` gathers otherwise, and powers of integers
whose exponents are computed (`h13-int-c1`).

The last column has the constraints that are about this op; [their list](constraints.md)
says what they ask. Those of every op are left out: element types
(`h13-type-c1`, `h13-precision-c1`), shapes (`h13-shape-c1` to `c4`), constants
(`h13-const-c1`, `c2`, `h13-const-c3`, `h13-const-c4`), memory
(`h13-memory-c1`, `c2`, `h13-l2-c1`) and the signature (`mil-sig-*`, `mil-result-*`),
the opset that the text names at an op
(`mil-opset-c1`) and where a buffer may stand (`mil-buffer-c4`, and as an input or
output `h13-buffer-c1`, `c2`).

{summary}

| op | ios15 | ios16 | ios17 | ios18 | constraints |
|---|---|---|---|---|---|
"""


def op_name(class_name):
    """max_pool of MaxPoolOp."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", class_name.removesuffix("Op"))
    return words.lower().replace("_", "")


class Code:
    """Functions with the ids in them and the functions that they call, some of
    other code."""

    def __init__(self, paths, ops, others=None):
        self.ops = {op.replace("_", "") for op in ops}
        self.ids, self.calls, self.roots, self.about = {}, {}, {}, {}
        for path in paths:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            function = INFERENCE if path.endswith(".inc") else FUNCTION
            for match in function.finditer(text):
                self.add(match[1], match[2], match[3] or match[4] or "")
        for name in others.ids.keys() - self.ids.keys() if others else ():
            self.ids[name] = others.ids[name]
            self.calls[name] = others.calls[name]

    def add(self, name, parameters, body):
        short = name.split("::")[-1]
        ids = {a or "h13-" + b for a, b in ID.findall(body)}
        # Of functions with one name, those about another op do not count.
        abouts = [owner for owner in OWNER.findall(parameters)
                  if op_name(owner) in self.ops]
        for owner in abouts:
            self.about.setdefault(f"{short}({owner})", set()).update(ids)
            self.calls.setdefault(f"{short}({owner})", set()).update(
                WORD.findall(body))
        if short != "checkOp" and abouts:
            return
        owners = []
        if short == "checkOp":
            owners = CHECKED.findall(parameters)
        elif "::" in name and name.split("::")[-2].endswith("Op"):
            owners = [name.split("::")[-2]]
        key = short if not owners else f"{owners[0]}::{short}"
        self.ids.setdefault(key, set()).update(ids)
        self.calls.setdefault(key, set()).update(WORD.findall(body))
        for owner in owners:
            self.roots.setdefault(op_name(owner), set()).add(key)

    def of(self, op):
        """The ids that the checks of an op reach."""
        name = op.replace("_", "")
        seen, todo = set(), list(self.roots.get(name, ()))
        own = {}
        for key in self.about:
            function, owner = key[:-1].split("(")
            if op_name(owner) == name:
                own[function] = key
        while todo:
            key = todo.pop()
            if key in seen or key in COMMON:
                continue
            seen.add(key)
            for call in self.calls.get(key, ()):
                todo += [call] if call in self.ids else []
                todo += [own[call]] if call in own else []
        found = {**self.about, **self.ids}
        return {identity for key in seen for identity in found[key]}


def main():
    table, constraints, sources = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(table, encoding="utf-8") as file:
        rows = ROW.findall(file.read())
    with open(constraints, encoding="utf-8") as file:
        order = {name: i for i, name in enumerate(LISTED.findall(file.read()))}
    # Verifiers and checks of the target have functions of the same names; the
    # latter call some of the dialect's.
    ops = [op for op, _ in rows]
    checks = sorted(path for path in sources if "/Check" in path)
    verifiers = Code(sorted(set(sources) - set(checks)), ops)
    codes = [verifiers, Code(checks, ops, verifiers)]
    counts, lines = {}, []
    for op, cells in rows:
        cells = [cell.strip() for cell in cells.split(" | ")]
        mark = cells[-1] or "refused"
        counts[mark] = counts.get(mark, 0) + 1
        marks = [mark if cell else "" for cell in cells[:4]]
        ids = set().union(*(code.of(op) for code in codes))
        ids = sorted((name for name in ids & order.keys()
                      if not name.startswith(("mil-sig", "mil-result"))),
                     key=order.get)
        if mark in ("folded", "refused"):
            ids.append("h13-op-c1")
        listed = ", ".join(f"`{identity}`" for identity in ids)
        lines.append(f"| `{op}` | {' | '.join(marks)} | {listed} |")
    summary = ", ".join(f"{count} {mark}" for mark, count in
                        sorted(counts.items(), key=lambda item: -item[1]))
    print(HEADER.format(summary=f"{len(rows)} ops: {summary}.")
          + "\n".join(lines))


if __name__ == "__main__":
    main()
