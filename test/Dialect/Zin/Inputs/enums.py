"""Compares the enumerations of the dialect with the published tables.

usage: enums.py ROOT TABLES.txt"""
import re
import sys

root, tables = sys.argv[1:]


def declared(name):
    text = open(f"{root}/dialects/Zin/{name}.td").read()
    cases = re.findall(r'I32EnumCase<"(\w+)", (\d+)>', text)
    return {int(number): case for case, number in cases}


def published(pattern, end):
    """The rows above the caption `end`; several entries share a row."""
    text = open(tables).read()
    text = text[: text.index(end)]
    text = text[text.rindex("|---|") :]
    return {int(n): name for n, name in re.findall(pattern, text)}


wrong = False
for name, pattern, end in [
    ("ZinUnitType", r"\| (\d+) \| (\w+)", "Table C.5."),
    ("ZinOpcode", r"0x[0-9a-f]{2} \| (\d+) \| (\w+)", "Table C.7."),
]:
    ours, theirs = declared(name), published(pattern, end)
    print(f"{name}: {len(ours)} declared, {len(theirs)} published")
    for number in sorted(ours.keys() | theirs.keys()):
        if ours.get(number) != theirs.get(number):
            print(f"  {number}: {ours.get(number)}, not {theirs.get(number)}")
            wrong = True
sys.exit(wrong)
