"""Checks that the snippets of docs/HACKING.md are in the tree.

usage: snippets.py ROOT

A snippet is a block of indented lines from "Add an op" on. `...` stands for what
is left out; spaces and line ends do not count. Commands and what they print are
no snippets."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
FOLDERS = ["dialects", "include", "lib", "test"]
SUFFIXES = {".cpp", ".h", ".mil", ".td"}
COMMAND = re.compile(r"(build/|scripts/|cp )|[\w.-]+:\d+: ")


def squeeze(text):
    return re.sub(r"\s+", "", text)


text = (root / "docs/HACKING.md").read_text()
guide = text[text.index("\n## Add an op\n"):]
snippets = [block for block in re.findall(r"(?:^    .*\n(?:\n(?=    ))?)+", guide, re.M)
            if not COMMAND.match(block.strip())]
sources = [squeeze(path.read_text()) for folder in FOLDERS
           for path in sorted((root / folder).rglob("*"))
           if path.suffix in SUFFIXES]


def is_in(parts, source):
    place = 0
    for part in parts:
        place = source.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return True


missing = 0
for snippet in snippets:
    parts = [squeeze(part) for part in snippet.split("...")]
    if not any(is_in(parts, source) for source in sources):
        missing += 1
        print(f"docs/HACKING.md: this is nowhere in the tree:\n{snippet}")
print(f"{len(snippets) - missing} snippets are in the tree")
sys.exit(missing != 0)
