#!/usr/bin/python3
"""Cuts cases of the test data that the engine cannot run.

usage: partition.py ANE-COMPILE CASES OP...

Takes the static cases that are refused and have one of the OPs, puts a relu
behind each output of floats, and compiles them with --partition --verify. Says
how many were cut and agree; exits with status 1 if one does not agree.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

compiler, cases, *ops = sys.argv[1:]
OUTPUTS = re.compile(r"\}\s*->\s*\(([^)]*)\);")


def with_relus(text):
    """The program with a relu behind each output."""
    end = OUTPUTS.search(text)
    statements, names = [], []
    for name in (part.strip() for part in end.group(1).split(",")):
        made = re.search(r"(\S+(?: \[[^\]]*\]>)?) " + re.escape(name) + r"\b",
                         text)
        kind = made.group(1).replace("\n", "")
        statements.append(f"{kind} {name}_relu = relu(x = {name});\n")
        names.append(f"{name}_relu")
    return (text[:end.start()] + "".join(statements)
            + "} -> (" + ", ".join(names) + ");" + text[end.end():])


def compile_case(folder, path, output, *arguments):
    return subprocess.run(
        [compiler, path, "--model-path", folder, "-o", output, *arguments],
        capture_output=True, text=True, timeout=120)


cut, refused, failed = 0, [], []
with tempfile.TemporaryDirectory() as work:
    for meta in sorted(pathlib.Path(cases).rglob("meta.json")):
        described = json.loads(meta.read_text())
        if described.get("dynamic") or not set(ops) & set(described["ops"]):
            continue
        folder = str(meta.parent)
        if compile_case(folder, folder + "/model.mil", "/dev/null",
                        "--emit=td").returncode == 0:
            continue
        path = f"{work}/model.mil"
        text = (meta.parent / "model.mil").read_text()
        pathlib.Path(path).write_text(with_relus(text))
        done = compile_case(folder, path, path + ".hwx", "--partition",
                            "--verify")
        rules = re.findall(r"error: .*\[(h13-partition-\w+)\]", done.stderr)
        if done.returncode == 0 and "partition: " in done.stdout:
            cut += 1
        elif done.returncode == 1 and rules:
            refused += rules
        else:
            failed.append(f"{folder}: {done.stderr[-500:]}")
print(f"{cut} programs were cut and verified, {len(refused)} refused: "
      + ", ".join(sorted(set(refused))))
print("\n".join(failed))
sys.exit(1 if failed else 0)
