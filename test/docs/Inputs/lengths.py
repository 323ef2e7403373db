"""usage: lengths.py FOLDER...

Checks that no source in the folders is longer than one may be."""
import pathlib
import sys

MOST_LINES = 500
SUFFIXES = {".c", ".cpp", ".h", ".td"}

faults = sources = 0
for folder in map(pathlib.Path, sys.argv[1:]):
    for path in sorted(folder.rglob("*")):
        if path.suffix not in SUFFIXES:
            continue
        sources += 1
        lines = len(path.read_text().splitlines())
        if lines > MOST_LINES:
            faults += 1
            print(f"{path} has {lines} lines, the limit is {MOST_LINES}; "
                  "split it by subject")
if not faults:
    print(f"{sources} sources are short enough")
sys.exit(bool(faults))
