#!/usr/bin/python3
"""Rewrites real programs: real-files.py ANE-OBJDUMP FOLDER TEMPORARY"""
import pathlib
import subprocess
import sys

tool, folder, temporary = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
temporary.mkdir(exist_ok=True)


def run(*arguments):
    subprocess.run([tool, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


containers = sorted((folder / "hwx").glob("*.hwx"))
for path in containers:
    run("--roundtrip", path)
    text, copy = temporary / (path.stem + ".yaml"), temporary / path.name
    run("--yaml", path, "-o", text)
    run("--from-yaml", text, "-o", copy)
    if copy.read_bytes() != path.read_bytes():
        sys.exit(f"{path.name} is another file by way of YAML")
streams = sorted((folder / "anec").rglob("*.bin"))
for path in streams:
    run("--raw-td", "--roundtrip", path)
    run("--raw-td", "--registers", "--all-fields", path)
print(f"{len(containers)} containers rewritten, {len(containers)} from YAML, {len(streams)} streams rewritten")
