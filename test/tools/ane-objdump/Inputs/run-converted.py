#!/usr/bin/python3
"""Runs containers as they are and converted, and compares the results.

run-converted.py ANE-OBJDUMP ANE-RUN CONTAINER... works in the current folder.
"""
import pathlib
import re
import subprocess
import sys

import numpy as np

objdump, runner, *containers = sys.argv[1:]
types = {"fp16": "<f2", "fp32": "<f4"}


def name_of(path):
    return pathlib.Path(path).name


def run(container, ports, tag):
    arguments = [runner, container]
    for kind, name, _, _ in ports:
        file = f"{name}.npy" if kind == "input" else f"{tag}.{name}.npy"
        arguments += [f"--{kind}", f"{name}={file}"]
    subprocess.run(arguments, check=True)
    outputs = [name for kind, name, _, _ in ports if kind == "output"]
    return [pathlib.Path(f"{tag}.{name}.npy").read_bytes() for name in outputs]


for container in containers:
    listing = subprocess.run([runner, container, "--list"], check=True, stdout=subprocess.PIPE, text=True)
    ports = re.findall(r"(input|output) +(\S+) (\S+) \[(.*)\]", listing.stdout)
    random = np.random.default_rng(len(container))
    for kind, name, element, shape in ports:
        if kind == "input":
            extents = [int(extent) for extent in shape.split(",") if extent]
            np.save(f"{name}.npy", random.uniform(-4, 4, extents).astype(types[element]))
    expected = run(container, ports, "original")
    # The head of a .npy file is 128 bytes.
    if not any(any(result[128:]) for result in expected):
        print(f"{name_of(container)} computes nothing but zeros")
    source = container
    for form in ["v10", "v7"]:
        target = f"as-{form}.hwx"
        subprocess.run([objdump, f"--convert-td={form}", source, "-o", target], check=True)
        if run(target, ports, form) != expected:
            sys.exit(f"{container}: {form} computes something else")
        source = target
    for form in ["v10", "v7"]:
        pathlib.Path(f"as-{form}.e5").unlink(missing_ok=True)
    print(f"{name_of(container)} to v10 and to v7: same results")
