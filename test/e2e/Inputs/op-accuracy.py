#!/usr/bin/python3
"""Measures functions of one element over all numbers of fp16.

usage: op-accuracy.py --bin BUILD/bin [--check docs/op-accuracy.md]

Compiles each function, runs the container on all finite numbers and compares
with the definition in double precision. Prints the rows of the table in
docs/op-accuracy.md; with --check compares them with that file and exits with
status 1 if one is missing there.

Left out are numbers of which the definition has no value, or one that fp16
cannot hold: beyond 65504 an infinity must come out, which is checked.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from math import erf, erfc

import numpy as np

erf, erfc = np.vectorize(erf, otypes=[float]), np.vectorize(erfc, otypes=[float])


def gelu_tanh(x):
    return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


EPSILON = ", epsilon = fp16(0)"
# (name, MIL expression, definition, largest |x|)
FUNCTIONS = [
    ("acos", "acos(x = x)", np.arccos, None),
    ("asin", "asin(x = x)", np.arcsin, None),
    ("atan", "atan(x = x)", np.arctan, None),
    ("atanh", "atanh(x = x)", np.arctanh, None),
    ("cos, abs(x) up to 10", "cos(x = x)", np.cos, 10),
    ("cos, abs(x) up to 1000", "cos(x = x)", np.cos, 1000),
    ("cosh", "cosh(x = x)", np.cosh, None),
    ("elu, alpha = 1", "elu(x = x, alpha = fp16(1))",
     lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))), None),
    ("erf", "erf(x = x)", erf, None),
    ("exp", "exp(x = x)", np.exp, None),
    ("exp2", "exp2(x = x)", np.exp2, None),
    ("gelu, EXACT", 'gelu(x = x, mode = string("EXACT"))',
     lambda x: x / 2 * erfc(-x / np.sqrt(2)), None),
    ("gelu, SIGMOID_APPROXIMATION",
     'gelu(x = x, mode = string("SIGMOID_APPROXIMATION"))',
     lambda x: x * sigmoid(1.702 * x), None),
    ("gelu, TANH_APPROXIMATION",
     'gelu(x = x, mode = string("TANH_APPROXIMATION"))', gelu_tanh, None),
    ("inverse", f"inverse(x = x{EPSILON})", lambda x: 1 / x, None),
    ("log", f"log(x = x{EPSILON})", np.log, None),
    ("pow, y = 1.5", "pow(x = x, y = fp16(1.5))", lambda x: x**1.5, None),
    ("real_div, x = 1", "real_div(x = fp16(1), y = x)", lambda x: 1 / x, None),
    ("real_div, y = 3", "real_div(x = x, y = fp16(3))", lambda x: x / 3, None),
    ("rsqrt", f"rsqrt(x = x{EPSILON})", lambda x: x**-0.5, None),
    ("sigmoid", "sigmoid(x = x)", sigmoid, None),
    ("sigmoid_hard, alpha = 0.2, beta = 0.5",
     "sigmoid_hard(x = x, alpha = fp16(0.2), beta = fp16(0.5))",
     lambda x: np.clip(0.2 * x + 0.5, 0, 1), None),
    ("silu", "silu(x = x)", lambda x: x * sigmoid(x), None),
    ("sin, abs(x) up to 10", "sin(x = x)", np.sin, 10),
    ("sin, abs(x) up to 1000", "sin(x = x)", np.sin, 1000),
    ("sinh", "sinh(x = x)", np.sinh, None),
    ("softplus", "softplus(x = x)",
     lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))), None),
    ("softsign", "softsign(x = x)", lambda x: x / (1 + np.abs(x)), None),
    ("sqrt", "sqrt(x = x)", np.sqrt, None),
    ("tan, abs(x) up to 1.5", "tan(x = x)", np.tan, 1.5),
    ("tanh", "tanh(x = x)", np.tanh, None),
]
EXACT = ["abs", "ceil", "floor", "round", "sign", "square"]
EXACTLY = {"abs": np.abs, "ceil": np.ceil, "floor": np.floor,
           "round": np.round, "sign": np.sign, "square": np.square}
FUNCTIONS += [(name, f"{name}(x = x)", EXACTLY[name], None) for name in EXACT]
# By the engine's own tables as well.
TABLE = "--sigmoid=table"
FUNCTIONS += [(f"{name}, {TABLE}", *rest) for name, *rest in FUNCTIONS
              if name == "sigmoid" or name.startswith(("silu", "gelu"))]
FUNCTIONS.sort(key=lambda function: function[0])


def run(tools, name, *arguments):
    subprocess.run([os.path.join(tools, name), *arguments], check=True)


def measure(tools, folder, x, expression, options):
    """The function of all numbers, and how many tasks compute it."""
    shape = list(x.shape)
    with open(f"{folder}/f.mil", "w") as file:
        file.write(f"""program(1.3)
{{
  func main<ios18>(tensor<fp16, {shape}> x) {{
    tensor<fp16, {shape}> y = {expression};
  }} -> (y);
}}
""")
    np.save(f"{folder}/x.npy", x)
    run(tools, "ane-compile", f"{folder}/f.mil", *options, "-o",
        f"{folder}/f.hwx")
    run(tools, "ane-run", f"{folder}/f.hwx", "--input", f"x={folder}/x.npy",
        "--output", f"y={folder}/y.npy")
    listing = subprocess.run(
        [os.path.join(tools, "ane-compile"), f"{folder}/f.mil", *options,
         "-o", "-", "--emit=tasks"], check=True, capture_output=True, text=True)
    tasks = len(re.findall(r"^\s*zin\.task ", listing.stdout, re.M))
    return np.load(f"{folder}/y.npy").astype(np.float64), tasks


def number(value):
    return "0" if value == 0 else f"{value:.1e}".replace("e-0", "e-")


def row(tools, folder, x, function):
    name, expression, definition, limit = function
    options = [TABLE] if name.endswith(TABLE) else []
    got, tasks = measure(tools, folder, x, expression, options)
    wide = x.astype(np.float64)
    with np.errstate(all="ignore"):
        exact = definition(wide)
        rounded = exact.astype(np.float16)
    known = ~np.isnan(exact)
    if limit is not None:
        known &= np.abs(wide) <= limit
    beyond = known & np.isinf(rounded) & np.isfinite(exact)
    finite = known & np.isfinite(rounded)
    missed = np.count_nonzero(finite & np.isinf(got))
    finite &= np.isfinite(got)
    error = np.where(finite, np.abs(got - np.where(finite, exact, 0)), 0)
    small, large = finite & (np.abs(exact) <= 1), finite & (np.abs(exact) > 1)
    absolute = error[small].max(initial=0)
    relative = (error[large] / np.abs(exact[large])).max(initial=0)
    if name in EXACT:
        same = got[known] == rounded[known].astype(np.float64)
        if not same.all():
            sys.exit(f"{name} is not exact of {x[known][~same][:8]}")
        return f"| {name} | {tasks} | exact | exact | 0 |"
    unbounded = np.count_nonzero(beyond & np.isfinite(got)
                                 & (np.abs(got) < 60000))
    if unbounded:
        sys.exit(f"{name} is finite where it passes 65504: "
                 f"{x[beyond & np.isfinite(got)][:8]}")
    return (f"| {name} | {tasks} | {number(absolute)} | {number(relative)} | "
            f"{missed} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder of the tools")
    parser.add_argument("--check", help="file that must have the rows")
    options = parser.parse_args()
    every = np.arange(65536, dtype=np.uint16).view(np.float16)
    x = every[np.isfinite(every)].reshape(2, -1, 1024)
    with tempfile.TemporaryDirectory() as folder:
        rows = [row(options.bin, folder, x, function)
                for function in FUNCTIONS]
    if not options.check:
        print("\n".join(rows))
        return 0
    with open(options.check) as file:
        lines = file.read().splitlines()
    missing = [line for line in rows if line not in lines]
    for line in missing:
        print(f"{options.check} lacks {line}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
