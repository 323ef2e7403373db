#!/usr/bin/python3
"""Reads texts that nest deeply: deep-yaml.py ANE-OBJDUMP"""
import pathlib
import subprocess
import sys

refused = pathlib.Path(__file__).parent.parent.parent / "Inputs" / "refused.py"
depth = 200000
texts = [
    "[" * depth,
    '"' + "\n'" + "[\n" * depth,
    "- " * depth,
    "? " * depth,
    "".join(" " * i + "a:\n" for i in range(2000)),
    "a: " + "{a: " * depth,
]
for text in texts:
    pathlib.Path("deep.yaml").write_text(text)
    command = [sys.executable, refused, sys.argv[1], "--from-yaml", "deep.yaml", "-o", "x.hwx"]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    if not run.stdout.startswith("deep.yaml:"):
        sys.exit(run.stdout)
print(len(texts), "deep texts refused")
