#!/usr/bin/python3
"""Shows files with random changes: mutated.py ANE-OBJDUMP SEED RUNS FILE...

A file named *.yaml is read as text form, the others in all forms and modes.
"""
import pathlib
import random
import re
import subprocess
import sys

tool, seed, runs, *names = sys.argv[1:]
sources = {name: pathlib.Path(name).read_bytes() for name in names}
random.seed(int(seed))
modes = [
    ["--all", "--registers", "--all-fields"],
    ["--json", "--all", "--registers"],
    ["--yaml"],
    ["--roundtrip"],
    ["--raw-td", "--registers", "--all"],
    ["--diff", names[0]],
]
numbers = [b"0", b"-1", b"65536", b"4294967295", b"0xffffffffffffffff"]


def mutate(data, is_text):
    """A few bytes inserted, removed or replaced where structures are."""
    for _ in range(random.randint(1, 4)):
        place = random.randrange(min(len(data), 0x5000))
        kind = random.randrange(4)
        if is_text and kind == 0:
            data[place:place] = random.choice(numbers + [b" ", b"\n", b"- ", b": ", b'"'])
        elif is_text and kind == 1:
            del data[place : place + random.randint(1, 20)]
        elif kind == 2:
            data[place : place + 4] = bytes([random.choice([0, 0x7F, 0xFF])]) * 4
        else:
            data[place] = random.randrange(256)
    return data


for run in range(int(runs)):
    name = random.choice(names)
    is_text = name.endswith(".yaml")
    path = "mutated.yaml" if is_text else "mutated.hwx"
    pathlib.Path(path).write_bytes(mutate(bytearray(sources[name]), is_text))
    mode = ["--from-yaml", path, "-o", "/dev/null"] if is_text else random.choice(modes) + [path]
    result = subprocess.run([tool, *mode], capture_output=True, timeout=60)
    located = re.match(rb"[^:\n]+:\d+:\d+: error: .+\n$", result.stderr)
    is_difference = "--diff" in mode and result.returncode == 1 and not result.stderr
    plain = b"\x1b" not in result.stdout + result.stderr
    if not plain or (result.returncode and not is_difference and not located) or result.returncode > 2:
        pathlib.Path(path).rename("crash" + path)
        sys.exit(f"run {run}: {mode}: {result.returncode}\n{result.stderr.decode(errors='replace')}")
print(runs, "runs, no crash")
