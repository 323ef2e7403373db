"""Checks that relative links in Markdown files lead to files and headings.

usage: links.py ROOT"""
import pathlib
import re
import sys
import urllib.parse

root = pathlib.Path(sys.argv[1]).resolve()


def prose(text):
    """The text without code, where nothing is a link."""
    text = re.sub(r"^( *)(```|~~~).*?^ *\2", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(path):
    """The anchors of the headings, as web renderers of Markdown name them."""
    text = re.sub(r"^( *)(```|~~~).*?^ *\2", "", path.read_text(), flags=re.M | re.S)
    result = set()
    for heading in re.findall(r"^#+ +(.*?) *$", text, re.M):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        result.add(name)
    return result


def targets(text):
    yield from re.findall(r"\]\(<?([^)\s>]+)>?(?: +\"[^\"]*\")?\)", text)
    yield from re.findall(r"^ *\[[^\]]+\]: +<?([^\s>]+)", text, re.M)


files = broken = links = 0
for path in sorted(root.rglob("*.md")):
    inside = path.relative_to(root).parts
    if inside[0].startswith("build") or ".git" in inside:
        continue
    files += 1
    for target in targets(prose(path.read_text())):
        if re.match(r"[a-z][a-z0-9+.-]*:", target, re.I):
            continue
        links += 1
        name, _, anchor = urllib.parse.unquote(target).partition("#")
        base = root if name.startswith("/") else path.parent
        other = (base / name.lstrip("/")) if name else path
        if not other.exists():
            problem = "does not exist"
        elif anchor and other.suffix == ".md" and anchor not in anchors(other):
            problem = f"has no heading '{anchor}'"
        else:
            continue
        print(f"{path.relative_to(root)}: {target} {problem}")
        broken += 1

print(f"{files} files, {links} relative links, {broken} broken")
sys.exit(broken != 0)
