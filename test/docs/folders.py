"""Checks the folders inside of libraries against the tables of
docs/Architecture.md.

usage: folders.py ROOT

Each folder of the tree has a row, and each inside of a library, which names the passes that are in it. Private headers are
included by their path from the folder of the library, and no two files of a
library have the same name."""
import collections
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
document = (root / "docs/Architecture.md").read_text()
libraries, inside = document[document.index("\n## Libraries\n"):
                             document.index("\n## Phases\n")].split("\n### ")
libraries = re.findall(r"^\| `(lib/\S+)` \|", libraries, re.M)
rows = dict(re.findall(r"^\| `(lib/\S+)` \| (.*) \|$", inside, re.M))
passes = {name: flag for path in root.glob("dialects/*/*Passes.td")
          for name, flag in re.findall(r'^def (\w+) : Pass<"([\w-]+)"', path.read_text(), re.M)}

top = document[document.index("\n## Folders\n"):document.index("\n## Libraries\n")]
tracked = set(re.findall(r"^\| `(\w+)` \|", top, re.M))
present = {path.name for path in root.iterdir()
           if path.is_dir() and not path.name.startswith((".", "build"))}
# Others are what somebody has made with the tools.
sources = {name for name in present
           if any(path.suffix in {".cmake", ".cpp", ".h", ".md", ".td"}
                  for path in (root / name).rglob("*"))}

faults = [f"{name} has no row" for name in sorted(sources - tracked)]
faults += [f"{name} has a row, but is no folder" for name in sorted(tracked - present)]
seen = set()
for library in dict.fromkeys(libraries):
    sources = [path for path in sorted((root / library).rglob("*"))
               if path.suffix in {".cpp", ".h", ".inc"}]
    folders = {path.parent.relative_to(root).as_posix() for path in sources} | {library}
    if folders == {library}:
        continue
    seen |= folders
    for name, count in collections.Counter(path.name for path in sources).items():
        if count > 1:
            faults.append(f"{library} has {count} files {name}")
    for path in sources:
        for header in re.findall(r'^#include "([\w/]+\.(?:h|inc))"', path.read_text(), re.M):
            if (path.parent / header).exists() and not (root / library / header).exists():
                faults.append(f"{path.relative_to(root)} includes {header} "
                              f"without its folder")
    for folder in sorted(folders):
        found = {passes[path.stem] for path in (root / folder).glob("*.cpp")
                 if path.stem in passes}
        named = set(re.findall(r"`((?:mil|zin)-[\w-]+)`", rows.get(folder, "")))
        if folder not in rows:
            faults.append(f"{folder} has no row")
        for name in sorted(found - named):
            faults.append(f"{name} is not in the row of {folder}")
        for name in sorted(named - found):
            faults.append(f"{name} is in the row of {folder}, but not there")
for folder in sorted(set(rows) - seen):
    faults.append(f"{folder} has a row, but is no folder inside of a library")
print("\n".join(faults + [f"{len(seen)} folders are as the tables say"
                          if not faults else f"{len(faults)} faults"]))
sys.exit(bool(faults))
