"""Runs every function of MIL files in each spelling of task descriptors and
containers, and compares the bytes that come out.

usage: containers.py ane-compile ane-run FILE.mil...

Prints what differs, and at the end how many containers ran.
"""
import re
import subprocess
import sys
import tempfile

import numpy as np

FORMATS = ("v10", "v7")
CONTAINERS = ("v4.2.1", "macos26", "v9.509")
TYPES = {"fp16": np.float16, "fp32": np.float32, "int32": np.int32}
PORT = re.compile(r"^(input|output) +(\w+) (fp16|fp32|int32) \[([\d, ]*)\]$", re.M)
FUNCTION = re.compile(r"^\s*func (\w+)<", re.M)


def execute(*command):
    return subprocess.run(command, capture_output=True, text=True,
                          check=True).stdout


def run(tools, path, function, folder):
    """Gives the number of containers, and whether all gave the same bytes."""
    ane_compile, ane_run = tools
    hwx = f"{folder}/model.hwx"
    source = [ane_compile, path, "--function", function, "-o", hwx]
    execute(*source)
    ports = PORT.findall(execute(ane_run, hwx, "--list"))
    rng = np.random.default_rng(1)
    options, outputs = [], []
    for kind, name, dtype, shape in ports:
        file = f"{folder}/{kind}-{name}.npy"
        options += [f"--{kind}", f"{name}={file}"]
        if kind == "output":
            outputs.append(file)
            continue
        extents = [int(extent) for extent in shape.split(",") if extent.strip()]
        np.save(file, rng.standard_normal(extents).astype(TYPES[dtype]))
    results = {}
    for td_format in FORMATS:
        for container in CONTAINERS:
            execute(*source, f"--td-format={td_format}",
                    f"--container={container}")
            execute(ane_run, hwx, *options)
            results[td_format, container] = [
                open(file, "rb").read() for file in outputs]
    first = results[FORMATS[0], CONTAINERS[0]]
    different = [key for key, value in results.items() if value != first]
    for td_format, container in different:
        print(f"{path}: {function}: {td_format} in {container} gives other "
              f"bytes than {FORMATS[0]} in {CONTAINERS[0]}")
    return len(results), not different


def main():
    total, good = 0, True
    for path in sys.argv[3:]:
        for function in FUNCTION.findall(open(path).read()):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    count, same = run(sys.argv[1:3], path, function, folder)
                except subprocess.CalledProcessError as error:
                    sys.exit(f"{path}: {function}: {error}\n{error.stderr}")
            total += count
            good &= same
    print(f"{total} containers")
    return 0 if good else 1


sys.exit(main())
