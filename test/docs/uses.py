"""Checks which libraries use which against the table of docs/Architecture.md.

usage: uses.py ROOT

A library includes headers of itself and of those in the last column of its row,
and what it includes it links with. Rows whose last column describes the
libraries instead of naming them are left out."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
table = (root / "docs/Architecture.md").read_text()
table = table[table.index("## Libraries"):]
rows = re.findall(r"^\| `(lib/\S+)` \| ([\w, ]+) \| .* \| (?:yes|no) \| (.*?) ?\|$",
                  table, re.M)
SPECIAL = {"Dialect/MIL/IR": "MILDialect", "Dialect/MIL/Transforms": "MILTransforms",
           "Dialect/Zin/IR": "ZinDialect", "Dialect/Zin/Transforms": "ZinTransforms"}
OUTSIDE = {"libplist"}


def library_of(header):
    """Of a header as it is included, without `ane/`; nothing for those of more
    than one library."""
    folder, _, name = header.rpartition("/")
    if header == "Frontend/BlobStorage.h":
        return "BlobStorage"
    if folder == "Conversion":
        return None if name.startswith("Passes.") else name.removesuffix(".h")
    return SPECIAL.get(folder, folder)


known = {library.strip().removeprefix("Ane")
         for _, libraries, _ in rows for library in libraries.split(",")}
allowed, own = {}, {}
for folder, libraries, uses in rows:
    names = {name for name in uses.split(", ") if name} - OUTSIDE
    if not names <= known:
        continue
    allowed.setdefault(folder, set()).update(names)
    own.setdefault(folder, set()).update(
        library.strip().removeprefix("Ane") for library in libraries.split(","))

faults = []
for folder, uses in allowed.items():
    public = root / "include/ane" / folder.removeprefix("lib/")
    includes = {}
    for place in (root / folder, public):
        for path in sorted(place.rglob("*")):
            if path.suffix in {".cpp", ".h", ".inc"}:
                for header in re.findall(r'^#include "ane/(\S+)"', path.read_text(), re.M):
                    includes.setdefault(library_of(header), path)
    cmake = (root / folder / "CMakeLists.txt").read_text()
    for name, path in includes.items():
        if name is None or name in own[folder]:
            continue
        where = path.relative_to(root)
        if name not in uses:
            faults.append(f"{where} uses {name}, which is not in the row of {folder}")
        elif f"Ane{name}\n" not in cmake.replace(")", "\n"):
            faults.append(f"{where} uses {name}, but {folder}/CMakeLists.txt does not link it")
    for name in sorted(uses - set(includes)):
        faults.append(f"{folder} uses nothing of {name}, which is in its row")
print("\n".join(faults + [f"{len(allowed)} folders are as the table says"
                          if not faults else f"{len(faults)} faults"]))
sys.exit(bool(faults))
