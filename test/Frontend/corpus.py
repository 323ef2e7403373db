#!/usr/bin/python3
"""Takes every program of a folder through import, export and import again.

usage: corpus.py --translate ANE-TRANSLATE --opt ANE-OPT FOLDER...

Every program must import, whether the IR in between is text or bytecode its
export must be the same, and that must import to the same IR. Where coremlc
wrote the program, the export must be the file itself, byte for byte; with
--identical wherever a program comes from.
Its weights, where they lie beside it, must load.

A program that --refused names must instead be refused, with an error at a place
in its text for the stated reason and no other.

Prints each violation and a count; exit status 1 if there is a violation, if a
program of --index or --refused is not there, or if nothing was checked.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

ERROR = re.compile(r"^(.*):(\d+):(\d+): error: (.*)$", re.M)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def refused(path, status, errors, reason):
    """What is wrong with how a program was refused, or None."""
    if status != 1:
        return f"must be refused, but the exit status is {status}"
    found = ERROR.findall(errors)
    if not found:
        return "is refused without an error"
    for file, line, column, message in found:
        if file != path or int(line) == 0 or int(column) == 0:
            return f"has an error at {file}:{line}:{column}, not in its text"
        if reason not in message:
            return f"is refused for another reason: {message}"
    return None


def exports(translate, path, folder):
    """The IR of a program, what its export is, and what is wrong or None."""
    texts = []
    for name in ("model.mlir", "model.mlirbc"):
        ir, text = f"{folder}/{name}", f"{folder}/{name}.mil"
        for command in (("--import-mil", path, "-o", ir),
                        ("--export-mil", ir, "-o", text)):
            status, _, errors = run(translate, *command)
            if status != 0:
                return None, None, errors[-300:] or f"exit status {status}"
        with open(text, "rb") as file:
            texts.append(file.read())
    if texts[0] != texts[1]:
        return None, None, "the exports of text and of bytecode differ"
    with open(f"{folder}/model.mlir") as file:
        return file.read(), texts[0], None


def check(translate, opt, path, must_be_same, reason):
    """The kind of program, and what is wrong with it or None."""
    if reason:
        status, _, errors = run(translate, "--import-mil", path)
        return "refused", refused(path, status, errors, reason)

    with tempfile.TemporaryDirectory() as folder:
        ir, text, problem = exports(translate, path, folder)
        if problem:
            return "import and export", problem
        first, exported = f"{folder}/model.mlir", f"{folder}/model.mlir.mil"
        status, again, errors = run(translate, "--import-mil", exported)
        if status != 0:
            return "second import", errors[-200:]
        if again != ir:
            return "round trip", "the IR differs after export and import"
        weights = os.path.dirname(path)
        if "#mil.blob_file" in ir and os.path.isdir(f"{weights}/weights"):
            load = f"--mil-load-weights=model-path={weights}"
            status, _, errors = run(opt, first, load)
            if status != 0:
                return "weights", errors[:300]
        with open(path, "rb") as given:
            same = text == given.read()
        if must_be_same and not same:
            return "bytes", "the export is not the file"
        return "identical" if same else "same IR", None


def program_name(path):
    """The name of a program in INDEX.md: NAME.mil or NAME/model.mil."""
    folder, file = os.path.split(path)
    return file if file != "model.mil" else os.path.basename(folder) + ".mil"


def index_names(path):
    """The programs of INDEX.md that Apple's compiler wrote."""
    names = set()
    for line in open(path):
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 2 and cells[2] in ("coremlc", "from-mlpackage"):
            names.add(os.path.basename(cells[1]))
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--translate", required=True)
    parser.add_argument("--opt", required=True)
    parser.add_argument("--index", help="table of programs: file | kind | ...")
    parser.add_argument(
        "--refused",
        nargs=2,
        action="append",
        default=[],
        metavar=("NAME.mil", "REASON"),
        help="a program that breaks a rule, and a part of the message",
    )
    parser.add_argument("--identical", action="store_true",
                        help="all programs must come back byte for byte")
    parser.add_argument("folders", nargs="+")
    args = parser.parse_args()

    coremlc = index_names(args.index) if args.index else set()
    reasons = dict(args.refused)
    programs = sorted(
        os.path.join(root, file)
        for folder in args.folders
        for root, _, files in os.walk(folder)
        for file in files
        if file.endswith(".mil")
    )

    def one(path):
        name = program_name(path)
        return path, *check(args.translate, args.opt, path,
                            args.identical or name in coremlc,
                            reasons.get(name))

    counts, violations = {}, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, kind, problem in pool.map(one, programs):
            counts[kind] = counts.get(kind, 0) + 1
            if problem:
                violations += 1
                print(f"{path}: {kind}: {problem}")
    absent = (coremlc | reasons.keys()) - set(map(program_name, programs))
    for name in sorted(absent):
        violations += 1
        print(f"{name}: not there")
    for kind, count in sorted(counts.items()):
        print(f"{kind}: {count}")
    print(f"violations: {violations}")
    checked = counts.get("identical", 0) + counts.get("same IR", 0)
    sys.exit(violations != 0 or checked == 0)


if __name__ == "__main__":
    main()
