#!/usr/bin/python3
"""Whether random programs have every op that the compiler does not always
refuse.

usage: coverage.py docs/op-support.md [--count N]

Ops that are in no program, and ones that ELSEWHERE names although some program
has them, are printed. Exit status: 0 there are none, 1 there are.
"""
import argparse
import re
import sys

import generate
from states import Stateful

# Where what random programs cannot have is tested.
ELSEWHERE = {
    "cond": "it has blocks, which MIL text has no form for: e2e/blocks.mlir",
    "while_loop": "it has blocks as well: e2e/blocks.mlir",
    "non_maximum_suppression": "of constants alone: unit/Reference/SortTest.cpp",
    "non_zero": "of constants alone: unit/Reference/FillTest.cpp",
}
ROW = re.compile(r"^\| `(\w+)` \|(.*)\|$", re.M)
OP = re.compile(r"(?:= |^ +)(\w+)\(", re.M)
REFUSED = {"refused", ""}


def supported(table):
    """Ops of the table of docs that some opset does not refuse."""
    return {op for op, cells in ROW.findall(table)
            if cells.count("|") > 3 and not
            {cell.strip() for cell in cells.split("|")[:4]} <= REFUSED}


def drawn(count):
    ops = set()
    for seed in range(count):
        program = generate.make(seed)
        ops.update(OP.findall(program.text(program.outputs())[0]))
        if seed % 20 == 0:
            ops.update(OP.findall(Stateful(seed).text()))
    return ops


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table")
    parser.add_argument("--count", type=int, default=2000)
    options = parser.parse_args()
    with open(options.table) as file:
        ops = supported(file.read())
    found = drawn(options.count)
    missing = ops - found - ELSEWHERE.keys()
    for op in sorted(missing):
        print(f"{op}: in none of {options.count} programs")
    superfluous = ELSEWHERE.keys() - ops | ELSEWHERE.keys() & found
    for op in sorted(superfluous):
        print(f"{op}: it need not be listed as tested elsewhere")
    print(f"{len(ops & found)} ops in random programs, {len(missing)} missing")
    return bool(missing or superfluous)


if __name__ == "__main__":
    sys.exit(main())
