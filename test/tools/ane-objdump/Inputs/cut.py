#!/usr/bin/python3
"""Shows a container cut off at many lengths, in every form and mode in turn:
cut.py ANE-OBJDUMP FILE"""
import itertools
import subprocess
import sys

tool, path = sys.argv[1:]
data = open(path, "rb").read()
# Closely where the headers are, loosely behind; the last one lacks a byte.
lengths = [*range(0, 4096, 61), *range(4096, len(data), 2999), len(data) - 1]
modes = itertools.cycle(["--all", "--json", "--registers", "--roundtrip", "--yaml"])
for length, mode in zip(lengths, modes):
    with open("cut.hwx", "wb") as file:
        file.write(data[:length])
    run = subprocess.run([tool, mode, "cut.hwx"], capture_output=True, text=True)
    errors = run.stderr.splitlines()
    if run.returncode != 1 or len(errors) != 1 or "cut.hwx:0:" not in errors[0]:
        sys.exit(f"{mode} of {length} bytes: exit status {run.returncode}\n{run.stderr}")
