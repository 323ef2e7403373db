#!/usr/bin/python3
"""Compiles programs in every spelling and takes them through YAML.

yaml-round.py ANE-COMPILE ANE-OBJDUMP FILE..."""
import pathlib
import subprocess
import sys

compiler, tool, *sources = sys.argv[1:]
count = 0
for source in sources:
    for container in ("v4.2.1", "macos26", "v9.509"):
        for tasks in ("v7", "v10"):
            for command in (
                [compiler, source, f"--td-format={tasks}", f"--container={container}", "-o", "a.hwx"],
                [tool, "--yaml", "a.hwx", "-o", "a.yaml"],
                [tool, "--from-yaml", "a.yaml", "-o", "b.hwx"],
            ):
                subprocess.run(command, check=True)
            text = pathlib.Path("a.yaml").read_text()
            if pathlib.Path("a.hwx").read_bytes() != pathlib.Path("b.hwx").read_bytes():
                sys.exit(f"{source}, {container}, {tasks}: other bytes")
            for word in (f"Dialect:         {container}\n", f"TaskFormat:      {tasks}\n"):
                if word not in text:
                    sys.exit(f"{source}, {container}, {tasks}: no '{word.strip()}'")
            if "Relocations" in text or "Style" in text:
                sys.exit(f"{source}, {container}, {tasks}: says what follows")
            count += 1
print(count, "containers are the same by way of YAML")
