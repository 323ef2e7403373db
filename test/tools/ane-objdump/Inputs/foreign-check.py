#!/usr/bin/python3
"""Shows, rewrites and runs what foreign.py made: foreign-check.py OBJDUMP RUN"""
import json
import pathlib
import subprocess
import sys

import numpy as np

objdump, runner = sys.argv[1:]


def run(*arguments):
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")
    return done.stdout


names = pathlib.Path("all.txt").read_text().split()
for name in names:
    file = name + ".hwx"
    run(objdump, "--roundtrip", file)
    run(objdump, "--all", "--registers", "--cost", file)
    json.loads(run(objdump, "--all", "--json", file))

x = np.array([1, 2.5, -7], "<f2").reshape(1, 3, 1, 1)
np.save("x.npy", x)
runnable = pathlib.Path("run.txt").read_text().split()
for name in runnable:
    ports = run(runner, name + ".hwx", "--list").split()
    image = ports[ports.index("input") + 1]
    run(runner, name + ".hwx", "--input", f"{image}=x.npy", "--output", "probs=y.npy")
    y = np.load("y.npy")
    if y.shape != (1, 3, 1, 1) or not np.all(y == 2 * x.sum()):
        sys.exit(f"{name} computes {y.ravel()}")
print(len(names), "containers rewritten,", len(runnable), "run")
