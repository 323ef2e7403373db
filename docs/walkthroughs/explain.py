#!/usr/bin/python3
"""Explains what ane-objdump prints, line by line.

    explain.py make EXPLANATIONS INTRODUCTION < LISTING > DOCUMENT
    explain.py check EXPLANATIONS INTRODUCTION DOCUMENT < LISTING

The listing is shown whole, in blocks. Below a block stands what each line says
that has not stood before, by its kind: the field, and where it matters its
value. EXPLANATIONS has an entry for each kind, `KEY: text`, continued on lines
that are indented. A field of a task without one is explained by the meaning in
its line; any other kind fails, so that every line of the document is explained.
`check` fails where DOCUMENT is not what `make` gives.
"""
import difflib
import pathlib
import re
import sys

TABLES = ("symbols", "relocations", "lanes")
TITLES = [
    (r"command \d+ .*: LC_SEGMENT_64", "segment"),
    (r"command \d+ .*: (LC_LOADFVMLIB|LC 0x40) port", "port command"),
    (r"command \d+ .*: LC_THREAD program", "program"),
    (r"command \d+ .*: LC_THREAD operand", "operand"),
    (r"command \d+ .*: LC_IDENT", "banner"),
    (r"command \d+ .*: LC_NOTE", "note"),
    (r"command \d+ .*: LC_SYMTAB", "symbol table"),
    (r"section \d+ ", "section"),
    (r"port ", "port"),
    (r"tasks, ", "tasks"),
    (r"task \d+", "task"),
    (r"dispatch descriptor", "dispatch"),
    (r"(input|output) ", "dispatch port"),
    (r"segment \d+", "dispatch segment"),
]
HEADINGS = {
    "header": "Header", "segment": "Segments", "port command": "Port commands",
    "program": "Program descriptor", "operand": "Operand descriptors", "banner": "Banner",
    "note": "Note", "symbol table": "Symbol table", "symbols": "Symbols",
    "relocations": "Relocations", "ports": "Ports", "tasks": "Tasks", "lanes": "Lanes",
    "dispatch": "Dispatch descriptor",
}  # fmt: skip


def read_explanations(path):
    entries, key = {}, None
    for line in pathlib.Path(path).read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line[0].isspace():
            entries[key] += " " + line.strip()
            continue
        key, _, text = line.partition(": ")
        if key in entries:
            sys.exit(f"{path}: '{key}' stands twice")
        entries[key] = text.strip()
    return entries


def kind_of_title(title):
    for pattern, kind in TITLES:
        if re.match(pattern, title):
            return kind
    return title


def blocks(listing):
    """Yields context, heading and lines of each block."""
    context, block = None, []
    for line in listing:
        indent = len(line) - len(line.lstrip())
        is_title = indent < 4 and not line.startswith("    ")
        if is_title and block:
            yield context, block
            block = []
        if is_title:
            context = kind_of_title(line.strip())
        block.append(line)
    if block:
        yield context, block


def keys_of(context, block):
    """The kind of each line but the title: those of its value first."""
    for line in block[1:]:
        if context in TABLES:
            cells = line.split()
            if cells[0] == "index" or "verified" in cells[:1]:
                continue
            if context == "symbols":
                yield line, [f"symbols {cells[5]} {cells[1]} desc {cells[3]}", f"symbols {cells[5]}"]
            elif context == "relocations":
                yield line, [f"relocations of {cells[2]} bytes"]
            else:
                yield line, ["lanes row"]
            continue
        name = line.strip()
        if len(line) > 45 and context not in ("header",) and line.startswith("      ") and "." in name.split()[0]:
            name, value = line[6:46].strip(), line[46:].split()[0]
        else:
            match = re.match(r"    +(\S+(?: \d+)?(?: of '.*?')?)\s*(\S*)", line)
            name, value = match.group(1), match.group(2)
        name = re.sub(r"\[[\d.]+\]", "[]", name) if not name.startswith(("Header", "BAR")) else name
        name = re.sub(r"^BAR\[([4-9]|[12]\d|3[01])\]", "BAR[4...]", name)
        yield line, [f"{context} {name}={value}", f"{context} {name}"]


def make(explanations, introduction, listing):
    out = [pathlib.Path(introduction).read_text().rstrip("\n"), ""]
    explained, shown = set(), set()
    for context, block in blocks(listing):
        if context in HEADINGS and context not in shown:
            out += [f"## {HEADINGS[context]}", ""]
        if context == "task":
            out += [f"### {block[0].split(';')[0][0].upper()}{block[0].split(';')[0][1:]}", ""]
        notes = []
        for line, keys in [(block[0], [f"{context}"])] + list(keys_of(context, block)):
            key = next((key for key in keys if key in explanations), None)
            meaning = re.match(r"      \S.* (?:verified|documented|assigned) +(\S.*)", line)
            if key is None and meaning:
                key = keys[-1]
                explanations[key] = meaning.group(1) + "."
            if key is None:
                sys.exit(f"no explanation of '{keys[0]}' or '{keys[-1]}': {line}")
            if key not in explained:
                explained.add(key)
                label = line.strip() if line == block[0] else key[len(context) + 1 :]
                notes.append((key, label))
        shown.add(context)
        if context in explanations and context in [key for key, _ in notes]:
            out += [explanations[context], ""]
        if out[-2:] == ["```", ""]:
            # Nothing to say in between.
            out[-2:] = [*block, "```", ""]
        else:
            out += ["```objdump", *block, "```", ""]
        for key, label in notes:
            if key != context:
                out.append(f"* `{label}`: {explanations[key]}")
        if any(key != context for key, _ in notes):
            out.append("")
    return "\n".join(out).rstrip("\n") + "\n"


mode, explanation_file, introduction, *rest = sys.argv[1:]
document = make(read_explanations(explanation_file), introduction, sys.stdin.read().splitlines())
if mode == "make":
    sys.stdout.write(document)
else:
    there = pathlib.Path(rest[0]).read_text()
    if there != document:
        difference = difflib.unified_diff(there.splitlines(), document.splitlines(), rest[0], "made anew", lineterm="")
        sys.exit("\n".join(difference) + "\nscripts/walkthroughs makes it anew")
    print(sum(line.startswith("* ") for line in document.splitlines()), "kinds of lines are explained")
