#!/usr/bin/python3
"""Runs a command that has to refuse its input: refused.py COMMAND...

It has to end with status 1 after exactly one line `file:line:col: error: ...`
on standard error, and the current folder has to be as it was. Prints the line.
"""
import pathlib
import re
import subprocess
import sys


def contents():
    return {
        path: path.read_bytes() if path.is_file() else None
        for path in pathlib.Path(".").rglob("*")
    }


before = contents()
run = subprocess.run(sys.argv[1:], capture_output=True, timeout=120)
text = run.stderr.decode(errors="replace")
errors = [line for line in text.split("\n") if "error: " in line]
if run.returncode != 1:
    sys.exit(f"exit status {run.returncode}, wanted 1: {sys.argv[1:]}\n{text}")
if len(errors) != 1:
    sys.exit(f"{len(errors)} errors, wanted 1: {sys.argv[1:]}\n{text[:10000]}")
if not re.match(r"[^:]+:\d+:\d+: error: .", errors[0]):
    sys.exit(f"the error has no place: {errors[0]}")
after = contents()
if after != before:
    changed = [str(p) for p in {**before, **after} if before.get(p, 0) != after.get(p, 0)]
    sys.exit(f"files changed: {', '.join(changed)}")
print(errors[0])
