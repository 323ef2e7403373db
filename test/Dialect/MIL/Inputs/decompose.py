#!/usr/bin/python3
"""Checks that decomposed functions compute what they did before.

usage: decompose.py BUILD/bin FILE.mil [PASS]

Runs the interpreter on each function of FILE.mil as it is and after PASS,
mil-decompose unless given, on the same numbers, and compares the outputs: with
a relative error of 0.5 % of the largest magnitude, as each op made rounds to
fp16 once.
A comment `// range FUNCTION: LOW HIGH` says which numbers a function takes;
-4 to 4 otherwise. Prints each output that differs; exits with status 1 if one
does. A function that the pass leaves as it is is an error, unless a
comment `// kept: FUNCTION` says so.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

TOLERANCE = 0.005
TYPES = {"fp16": np.float16, "fp32": np.float32, "bool": np.bool_,
         "int8": np.int8, "int32": np.int32}


def run(tool, *arguments):
    return subprocess.run([Path(sys.argv[1]) / tool, *arguments], check=True,
                          stdout=subprocess.PIPE).stdout


def ports(model, function):
    """(kind, name, dtype, shape) of each port."""
    listing = run("ane-run", model, "--function", function, "--list").decode()
    for kind, name, dtype, shape in re.findall(
            r"^(\w+) +(\w+) +tensor<(\w+), \[([\d, ]*)\]>", listing, re.M):
        yield kind, name, TYPES[dtype], [int(e) for e in shape.split(",") if e]


def outputs(model, function, arguments, names, folder):
    files = {name: folder / f"{name}.npy" for name in names}
    run("ane-run", model, "--function", function, *arguments,
        *[f"--output={name}={path}" for name, path in files.items()])
    return {name: np.load(path) for name, path in files.items()}


def differs(before, after):
    if before.shape != after.shape or before.dtype != after.dtype:
        return True
    b, a = before.astype(np.float64), after.astype(np.float64)
    finite = np.isfinite(b)
    if not np.array_equal(b[~finite], a[~finite], equal_nan=True):
        return True
    top = np.abs(b[finite]).max(initial=0)
    return bool(np.any(np.abs(b - a)[finite] > TOLERANCE * top))


def main():
    source = sys.argv[2]
    pass_name = sys.argv[3] if len(sys.argv) > 3 else "mil-decompose"
    text = Path(source).read_text()
    ranges = {name: (float(low), float(high)) for name, low, high in
              re.findall(r"// range (\w+): (\S+) (\S+)", text)}
    kept = re.findall(r"// kept: (\w+)", text)
    bad = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        before, after = folder / "before.mlir", folder / "after.mlir"
        changed = folder / "after.mil"
        run("ane-translate", "--import-mil", source, "-o", before)
        run("ane-opt", before, "-o", after,
            f"--pass-pipeline=builtin.module(mil.func({pass_name}))")
        run("ane-translate", "--export-mil", after, "-o", changed)
        plain = folder / "plain.mil"
        run("ane-translate", "--export-mil", before, "-o", plain)

        def body(path, name):
            return re.search(rf"func {name}<.*?\) ?;?\n(?=    func|}})",
                             path.read_text() + "\n", re.S)[0]

        for name in re.findall(r"func (\w+)<", text):
            if (body(plain, name) == body(changed, name)) != (name in kept):
                bad.append(f"{name}: is {'not ' if name in kept else ''}kept")
            rng = np.random.default_rng(1)
            arguments, wanted = [], []
            for kind, port, dtype, shape in ports(source, name):
                if kind == "output":
                    wanted.append(port)
                    continue
                low, high = ranges.get(name, (-4, 4))
                values = np.asarray(rng.uniform(low, high, shape))
                if dtype == np.bool_:
                    values = values > (low + high) / 2
                np.save(folder / f"in_{port}.npy", values.astype(dtype))
                arguments.append(f"--input={port}={folder}/in_{port}.npy")
            first = outputs(source, name, arguments, wanted, folder)
            second = outputs(changed, name, arguments, wanted, folder)
            bad += [f"{name}: {port} differs: {first[port]} and {second[port]}"
                    for port in wanted if differs(first[port], second[port])]
    print("\n".join(bad), end="\n" if bad else "")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
