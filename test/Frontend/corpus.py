#!/usr/bin/python3
"""Takes every program of a folder through import, export and import again.

usage: corpus.py --translate ANE-TRANSLATE --opt ANE-OPT FOLDER...

A program whose ops the dialect all has must import, its export must import to
the same IR, and where coremlc wrote it the export must be the file itself.
Its weights, where they lie beside it, must load.
Any other program must be read to its end with no error but unknown ops, which
proves the grammar on it. Prints each violation and a count; exit status 1 if
there is a violation, or nothing was checked.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

ERROR = re.compile(r"^[^\n]*: error: ([^\n]*)$", re.M)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def check(translate, opt, path, is_coremlc, refused):
    """The kind of program, and what is wrong with it or None."""
    status, ir, errors = run(
        translate, "--error-limit=0", "--import-mil", path
    )
    messages = ERROR.findall(errors)
    unknown = [m for m in messages if " is not known" in m]
    if status != 0:
        others = [m for m in messages if m not in unknown]
        if status != 1 or not messages:
            return "crashed", f"exit status {status}: {errors[-200:]}"
        if unknown and not others:
            return "unknown op", None
        for name, constraint in refused:
            if name in path and all(constraint in m for m in others):
                return "refused", None
        return "import", others[0]

    with tempfile.TemporaryDirectory() as folder:
        first, text = f"{folder}/first.mlir", f"{folder}/model.mil"
        with open(first, "w") as file:
            file.write(ir)
        status, _, errors = run(
            translate, "--export-mil", first, "-o", text
        )
        if status != 0:
            return "export", errors[-200:]
        status, again, errors = run(translate, "--import-mil", text)
        if status != 0:
            return "second import", errors[-200:]
        if again != ir:
            return "round trip", "the IR differs after export and import"
        folder = os.path.dirname(path)
        if "#mil.blob_file" in ir and os.path.isdir(f"{folder}/weights"):
            load = f"--mil-load-weights=model-path={folder}"
            status, _, errors = run(opt, first, load)
            if status != 0:
                return "weights", errors[-200:]
        with open(text, "rb") as made, open(path, "rb") as given:
            same = made.read() == given.read().rstrip(b"\n")
        if is_coremlc and not same:
            return "bytes", "the export is not the file coremlc wrote"
        return "identical" if same else "same IR", None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--translate", required=True)
    parser.add_argument("--opt", required=True)
    parser.add_argument("--index", help="table of programs: file | kind | ...")
    parser.add_argument(
        "--refused",
        nargs=2,
        action="append",
        default=[],
        metavar=("PATH", "CONSTRAINT"),
        help="programs that break a rule: part of the path, the rule",
    )
    parser.add_argument("folders", nargs="+")
    args = parser.parse_args()

    coremlc = set()
    if args.index:
        for line in open(args.index):
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) > 2 and cells[2] in ("coremlc", "from-mlpackage"):
                coremlc.add(cells[1])
    programs = sorted(
        os.path.join(root, file)
        for folder in args.folders
        for root, _, files in os.walk(folder)
        for file in files
        if file.endswith(".mil")
    )

    def one(path):
        is_coremlc = any(path.endswith("/" + name) for name in coremlc)
        return path, *check(
            args.translate, args.opt, path, is_coremlc, args.refused
        )

    counts, violations = {}, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, kind, problem in pool.map(one, programs):
            counts[kind] = counts.get(kind, 0) + 1
            if problem:
                violations += 1
                print(f"{path}: {kind}: {problem}")
    for kind, count in sorted(counts.items()):
        print(f"{kind}: {count}")
    print(f"violations: {violations}")
    checked = counts.get("identical", 0) + counts.get("same IR", 0)
    sys.exit(violations != 0 or checked == 0)


if __name__ == "__main__":
    main()
